//! What a reader sees of a segment.

use atlas_core::model::{AuthorId, EntityId, Interval, Timestamp};
use atlas_core::ports::{Filter, Visibility};
use tantivy::DocId;
use tantivy::columnar::StrColumn;

use super::columns::Columns;
use super::nature::{N_NATURES, Nature};

/// A visibility and a filter, made ready for the columns of a segment.
pub(crate) struct Sieve<'a> {
    columns: &'a Columns,
    /// Whether a document of the nature may be seen.
    natures: [bool; N_NATURES],
    texts: Vec<Wanted<'a>>,
    said_in: Option<Interval>,
    as_of: Option<i64>,
    known_at: Option<i64>,
    /// Whether the nature alone decides.
    is_plain: bool,
}

/// The texts of a column, any of which a document has to have.
struct Wanted<'a> {
    column: Option<&'a StrColumn>,
    places: Vec<u64>,
}

impl<'a> Sieve<'a> {
    pub(crate) fn new(
        columns: &'a Columns,
        visibility: &Visibility,
        filter: &Filter,
    ) -> tantivy::Result<Self> {
        let mut natures = [false; N_NATURES];
        for (byte, may_be_seen) in (0..).zip(&mut natures) {
            *may_be_seen =
                Nature::from_byte(byte).is_some_and(|nature| admits(nature, visibility, filter));
        }
        let authors = filter.authors.iter().map(AuthorId::as_str);
        let entities = filter.entities.iter().map(EntityId::as_str);
        let texts: Vec<Wanted<'a>> = [
            Wanted::new(
                columns.tags.as_ref(),
                filter.tags.iter().map(String::as_str),
            )?,
            Wanted::new(columns.authors.as_ref(), authors)?,
            Wanted::new(columns.entities.as_ref(), entities)?,
        ]
        .into_iter()
        .flatten()
        .collect();
        let as_of = visibility.as_of.map(Timestamp::as_micros);
        let known_at = visibility.known_at.map(Timestamp::as_micros);
        Ok(Self {
            columns,
            natures,
            is_plain: texts.is_empty()
                && filter.said_in.is_none()
                && as_of.is_none()
                && known_at.is_none(),
            texts,
            said_in: filter.said_in,
            as_of,
            known_at,
        })
    }

    /// Whether no document of the segment can be seen.
    pub(crate) fn is_shut(&self) -> bool {
        self.texts.iter().any(|wanted| wanted.places.is_empty())
    }

    /// The span of time in which a document has to be said.
    pub(crate) fn said_in(&self) -> Option<&Interval> {
        self.said_in.as_ref()
    }

    /// Whether a reader sees the document and it counts for the search.
    pub(crate) fn admits(&self, document: DocId) -> bool {
        let nature = usize::from(self.columns.nature(document));
        self.natures.get(nature).is_some_and(|may| *may)
            && (self.is_plain || self.admits_in_full(document))
    }

    fn admits_in_full(&self, document: DocId) -> bool {
        self.said_in.is_none_or(|span| {
            let said_at = self.columns.said_at(document);
            span.start.as_micros() <= said_at
                && span.end.is_none_or(|end| said_at < end.as_micros())
        }) && self.known_at.is_none_or(|at| {
            let recorded_at = self.columns.recorded_at.first(document);
            recorded_at.is_some_and(|recorded_at| recorded_at <= at)
        }) && self.as_of.is_none_or(|at| self.was_so(document, at))
            && self.texts.iter().all(|wanted| wanted.has(document))
    }

    fn was_so(&self, document: DocId, at: i64) -> bool {
        let (Some(from), Some(until)) = (&self.columns.from, &self.columns.until) else {
            return false;
        };
        from.values_for_doc(document)
            .zip(until.values_for_doc(document))
            .any(|(from, until)| from <= at && at < until)
    }
}

impl<'a> Wanted<'a> {
    /// None if nothing is wanted of the column.
    fn new<'t>(
        column: Option<&'a StrColumn>,
        texts: impl Iterator<Item = &'t str>,
    ) -> tantivy::Result<Option<Self>> {
        let mut texts = texts.peekable();
        if texts.peek().is_none() {
            return Ok(None);
        }
        let mut places = Vec::new();
        if let Some(column) = column {
            for text in texts {
                places.extend(column.dictionary().term_ord(text)?);
            }
        }
        Ok(Some(Self { column, places }))
    }

    fn has(&self, document: DocId) -> bool {
        self.column.is_some_and(|column| {
            column
                .term_ords(document)
                .any(|place| self.places.contains(&place))
        })
    }
}

/// Whether nothing that the nature tells stands against a document.
fn admits(nature: Nature, visibility: &Visibility, filter: &Filter) -> bool {
    // As if it was so always and was recorded at the beginning: these are looked at apart.
    let always = [Interval::since(Timestamp::MIN)];
    (filter.kinds.is_empty() || filter.kinds.contains(&nature.kind))
        && (filter.fact_kinds.is_empty()
            || nature
                .fact_kind
                .is_some_and(|kind| filter.fact_kinds.contains(&kind)))
        && visibility.admits(nature.state, &always, Timestamp::MIN)
}
