//! The index of one channel: words, vectors and table, and where they stand.

use std::collections::BTreeMap;

use atlas_core::Result;
use atlas_core::ports::{Batch, Document, IndexEntry, Key};
use tantivy::directory::RamDirectory;

use crate::analysis::{self, Word};
use crate::progress::{Admission, Progress};
use crate::table::{Row, Slot, Table};
use crate::vectors::VectorSegment;
use crate::words::Words;

/// The index of one channel.
#[derive(Debug)]
pub(crate) struct ChannelIndex {
    pub(crate) progress: Progress,
    pub(crate) table: Table,
    pub(crate) vectors: VectorSegment,
    /// None until there is a document: most channels that are only looked at never need it.
    pub(crate) words: Option<Words>,
    width: usize,
}

/// What an origin's documents become, cut into words already.
pub(crate) type Prepared<'a> = BTreeMap<&'a Key, Vec<(&'a Document, Row, Vec<Word>)>>;

/// Cuts the documents of a batch into words. The last entry of an origin counts.
pub(crate) fn prepare(entries: &[IndexEntry]) -> Prepared<'_> {
    let last: BTreeMap<&Key, &IndexEntry> =
        entries.iter().map(|entry| (&entry.origin, entry)).collect();
    last.into_iter()
        .map(|(origin, entry)| {
            let documents = entry.documents.iter().map(|document| {
                let language = analysis::resolve(&document.language, &document.text);
                let words = analysis::of_document(&document.text, &language);
                let n_terms: usize = words.iter().map(|word| word.terms().len()).sum();
                let n_terms = u64::try_from(n_terms).unwrap_or(u64::MAX);
                (document, Row::new(document, language, n_terms), words)
            });
            (origin, documents.collect())
        })
        .collect()
}

impl ChannelIndex {
    /// An empty index of vectors of the width.
    pub(crate) fn new(width: usize, progress: Progress) -> Self {
        Self {
            progress,
            table: Table::default(),
            vectors: VectorSegment::new(width),
            words: None,
            width,
        }
    }

    /// Takes in a batch whose documents were prepared and checked.
    pub(crate) fn apply(
        &mut self,
        batch: &Batch<'_, IndexEntry>,
        prepared: Prepared<'_>,
        op: &'static str,
    ) -> Result<()> {
        match self.progress.admit(batch, op)? {
            Admission::Anew => {
                let mut anew = Self::new(self.width, self.progress.clone());
                anew.take_in(prepared, op)?;
                *self = anew;
            }
            Admission::Onward => {
                let outcome = self.take_in(prepared, op);
                if outcome.is_err() {
                    // Whether the words were written is not known: what follows has to begin anew.
                    self.progress.restart();
                }
                outcome?;
            }
        }
        self.progress.advance(batch.to);
        Ok(())
    }

    /// Erases everything but the epoch.
    pub(crate) fn clear(&mut self) {
        self.progress.restart();
        *self = Self::new(self.width, self.progress.clone());
    }

    fn take_in(&mut self, prepared: Prepared<'_>, op: &'static str) -> Result<()> {
        let removed: Vec<Slot> = prepared
            .keys()
            .flat_map(|origin| self.table.of_origin(origin))
            .copied()
            .collect();
        let origins: Vec<&Key> = prepared.keys().copied().collect();
        let documents = prepared.into_iter().flat_map(|(origin, documents)| {
            documents
                .into_iter()
                .map(move |document| (origin, document))
        });
        let mut rows = Vec::new();
        let mut words = Vec::new();
        // Slots that this batch frees are taken by later ones only.
        for (slot, (origin, (document, row, cut))) in self.table.free_slots().zip(documents) {
            rows.push((slot, origin, row, document.vector.as_deref()));
            words.push((slot, cut));
        }
        if !removed.is_empty() || !words.is_empty() {
            if self.words.is_none() {
                self.words = Some(Words::open(RamDirectory::create(), op)?);
            }
            if let Some(index) = &self.words {
                index.write(removed.iter().copied(), words.into_iter(), op)?;
            }
        }
        for origin in origins {
            self.table.remove(origin);
        }
        for slot in removed {
            self.vectors.remove(slot);
        }
        for (slot, origin, row, vector) in rows {
            self.table.insert(origin, slot, row);
            if let Some(vector) = vector {
                self.vectors.insert(slot, vector);
            }
        }
        Ok(())
    }
}
