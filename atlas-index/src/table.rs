//! What a channel's index knows of its documents besides words and vectors.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use atlas_core::model::{AuthorId, EntityId, FactKind, Interval, Timestamp};
use atlas_core::ports::{Document, DocumentKind, DocumentState, Filter, Key, Visibility};

/// The place of a document in its channel's table; free places are taken again.
pub(crate) type Slot = u32;

/// One document without its words and its vector.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) kind: DocumentKind,
    pub(crate) id: String,
    pub(crate) said_at: Timestamp,
    pub(crate) has_vector: bool,
    /// The language that its words were taken in.
    language: String,
    /// How many terms were indexed.
    n_terms: u64,
    state: DocumentState,
    validity: Vec<Interval>,
    recorded_at: Timestamp,
    fact_kind: Option<FactKind>,
    tags: Vec<String>,
    authors: Vec<AuthorId>,
    entities: Vec<EntityId>,
}

impl Row {
    /// The row of a document whose words were taken in the language and gave so many terms.
    pub(crate) fn new(document: &Document, language: String, n_terms: u64) -> Self {
        Self {
            kind: document.kind,
            id: document.id.clone(),
            said_at: document.said_at,
            has_vector: document.vector.is_some(),
            language,
            n_terms,
            state: document.state,
            validity: document.validity.clone(),
            recorded_at: document.recorded_at,
            fact_kind: document.fact_kind,
            tags: document.tags.clone(),
            authors: document.authors.clone(),
            entities: document.entities.clone(),
        }
    }

    /// Whether a reader sees it and it counts for the search.
    pub(crate) fn admits(&self, visibility: &Visibility, filter: &Filter) -> bool {
        fn any<T: PartialEq>(wanted: &[T], held: &[T]) -> bool {
            wanted.is_empty() || held.iter().any(|it| wanted.contains(it))
        }
        any(&filter.kinds, &[self.kind])
            && any(&filter.fact_kinds, self.fact_kind.as_slice())
            && any(&filter.tags, &self.tags)
            && any(&filter.authors, &self.authors)
            && any(&filter.entities, &self.entities)
            && filter
                .said_in
                .is_none_or(|span| span.contains(self.said_at))
            && visibility.admits(self.state, &self.validity, self.recorded_at)
    }
}

/// The documents of one channel.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Option<Row>>,
    free: BTreeSet<Slot>,
    by_origin: BTreeMap<Key, Vec<Slot>>,
    /// What was said last comes first; ties by kind and id.
    by_time: BTreeSet<(Reverse<Timestamp>, DocumentKind, String, Slot)>,
    /// How many documents were taken in each language.
    languages: BTreeMap<String, u64>,
    n_documents: u64,
    n_vectors: u64,
    n_terms: u64,
}

impl Table {
    pub(crate) fn row(&self, slot: Slot) -> Option<&Row> {
        self.rows.get(usize::try_from(slot).ok()?)?.as_ref()
    }

    /// The slots of an origin's documents.
    pub(crate) fn of_origin(&self, origin: &Key) -> &[Slot] {
        self.by_origin.get(origin).map_or(&[], Vec::as_slice)
    }

    /// Slots that are free, lowest first, without end. Takes none of them.
    pub(crate) fn free_slots(&self) -> impl Iterator<Item = Slot> {
        let end = Slot::try_from(self.rows.len()).unwrap_or(Slot::MAX);
        self.free.iter().copied().chain(end..Slot::MAX)
    }

    /// Takes out all documents of an origin.
    pub(crate) fn remove(&mut self, origin: &Key) {
        for slot in self.by_origin.remove(origin).unwrap_or_default() {
            let row = usize::try_from(slot)
                .ok()
                .and_then(|at| self.rows.get_mut(at))
                .and_then(Option::take);
            let Some(row) = row else {
                continue;
            };
            self.free.insert(slot);
            self.n_documents = self.n_documents.saturating_sub(1);
            self.n_vectors = self.n_vectors.saturating_sub(u64::from(row.has_vector));
            self.n_terms = self.n_terms.saturating_sub(row.n_terms);
            if let Some(count) = self.languages.get_mut(&row.language) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    self.languages.remove(&row.language);
                }
            }
            self.by_time
                .remove(&(Reverse(row.said_at), row.kind, row.id, slot));
        }
    }

    /// Puts a document of an origin into a free slot.
    pub(crate) fn insert(&mut self, origin: &Key, slot: Slot, row: Row) {
        self.by_origin.entry(origin.clone()).or_default().push(slot);
        self.by_time
            .insert((Reverse(row.said_at), row.kind, row.id.clone(), slot));
        *self.languages.entry(row.language.clone()).or_default() += 1;
        self.n_documents = self.n_documents.saturating_add(1);
        self.n_vectors = self.n_vectors.saturating_add(u64::from(row.has_vector));
        self.n_terms = self.n_terms.saturating_add(row.n_terms);
        self.free.remove(&slot);
        let at = usize::try_from(slot).unwrap_or(usize::MAX);
        if self.rows.len() <= at {
            self.rows.resize_with(at.saturating_add(1), || None);
        }
        if let Some(place) = self.rows.get_mut(at) {
            *place = Some(row);
        }
    }

    /// The rows, said last first; ties by kind and id.
    pub(crate) fn recent(&self) -> impl Iterator<Item = &Row> {
        self.by_time
            .iter()
            .filter_map(|(_, _, _, slot)| self.row(*slot))
    }

    /// The languages that documents were taken in, in order.
    pub(crate) fn languages(&self) -> impl Iterator<Item = &str> + Clone {
        self.languages.keys().map(String::as_str)
    }

    pub(crate) fn n_documents(&self) -> u64 {
        self.n_documents
    }

    pub(crate) fn n_vectors(&self) -> u64 {
        self.n_vectors
    }

    /// How many terms were indexed of all documents.
    pub(crate) fn n_terms(&self) -> u64 {
        self.n_terms
    }
}
