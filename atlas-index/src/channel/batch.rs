//! A batch as the index takes it in.

use std::collections::{BTreeMap, BTreeSet};

use atlas_core::ports::{Document, EmbeddingSpace, IndexEntry, Key};
use atlas_core::{Error, ErrorKind, Result};

use crate::analysis::{self, Word};

/// A document whose text was cut into words.
#[derive(Debug)]
pub(crate) struct Cut<'a> {
    pub(crate) document: &'a Document,
    /// The language that its words were taken in.
    pub(crate) language: String,
    pub(crate) words: Vec<Word>,
}

/// What the documents of each origin become.
pub(crate) type Prepared<'a> = BTreeMap<&'a Key, Vec<Cut<'a>>>;

/// Cuts the documents of a batch into words. The last entry of an origin counts.
pub(crate) fn prepare(entries: &[IndexEntry]) -> Prepared<'_> {
    let last: BTreeMap<&Key, &IndexEntry> =
        entries.iter().map(|entry| (&entry.origin, entry)).collect();
    last.into_iter()
        .map(|(origin, entry)| {
            let documents = entry.documents.iter().map(|document| {
                let language = analysis::resolve(&document.language, &document.text);
                let words = analysis::of_document(&document.text, &language);
                Cut {
                    document,
                    language,
                    words,
                }
            });
            (origin, documents.collect())
        })
        .collect()
}

/// Whether the documents of an entry can be taken in.
///
/// # Errors
///
/// [`ErrorKind::Invalid`] for a vector that does not belong to the space, a document without an id,
/// and one that stands twice in its entry.
pub(crate) fn check_entry(
    space: &EmbeddingSpace,
    entry: &IndexEntry,
    op: &'static str,
) -> Result<()> {
    let mut names = BTreeSet::new();
    for Document {
        kind, id, vector, ..
    } in &entry.documents
    {
        if let Some(vector) = vector {
            check_vector(space, vector, op)?;
        }
        let fault = if id.is_empty() {
            "a document without an id"
        } else if names.insert((*kind, id)) {
            continue;
        } else {
            "a document that stands twice in its entry"
        };
        return Err(Error::new(ErrorKind::Invalid, op, fault).with("origin", &entry.origin));
    }
    Ok(())
}

/// Whether a vector belongs to the space.
///
/// # Errors
///
/// [`ErrorKind::Invalid`] for another width, and for a number that is not finite.
pub(crate) fn check_vector(space: &EmbeddingSpace, vector: &[f32], op: &'static str) -> Result<()> {
    if vector.len() != space.dimensions {
        return Err(Error::new(
            ErrorKind::Invalid,
            op,
            "a vector of another width than the space",
        )
        .with("width", vector.len())
        .with("space", space));
    }
    if vector.iter().any(|number| !number.is_finite()) {
        return Err(Error::new(
            ErrorKind::Invalid,
            op,
            "a vector with a number that is not finite",
        ));
    }
    Ok(())
}
