//! What a segment knows of its documents besides words and vectors.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use atlas_core::ports::DocumentKind;
use tantivy::columnar::{Column, StrColumn};
use tantivy::error::DataCorruption;
use tantivy::fastfield::FastFieldReaders;
use tantivy::{DocId, SegmentReader, TantivyError};

use super::nature::Nature;
use super::schema::column;
use crate::vectors::{Codes, NO_ROW};

/// The columns of a segment. A segment never changes, so what is worked out of them stays true.
pub(crate) struct Columns {
    /// By document, see [`Nature`].
    pub(crate) natures: Vec<u8>,
    pub(crate) ids: StrColumn,
    pub(crate) keys: StrColumn,
    pub(crate) languages: StrColumn,
    pub(crate) tags: Option<StrColumn>,
    pub(crate) authors: Option<StrColumn>,
    pub(crate) entities: Option<StrColumn>,
    pub(crate) said_at: Column<i64>,
    pub(crate) recorded_at: Column<i64>,
    pub(crate) from: Option<Column<i64>>,
    pub(crate) until: Option<Column<i64>>,
    pub(crate) vectors: Option<Column<u64>>,
    pub(crate) n_terms: Column<u64>,
    by_time: OnceLock<Vec<DocId>>,
    /// By document, the row of its vector in a generation of the vectors.
    rows: Mutex<Option<(u64, Arc<[u32]>)>>,
}

impl Columns {
    /// Opens the columns of a segment; only what every search reads is read.
    pub(crate) fn open(segment: &SegmentReader) -> tantivy::Result<Self> {
        let fast = segment.fast_fields();
        let natures = fast.u64(column::NATURE)?;
        if natures.num_docs() != segment.max_doc() {
            return Err(broken("a segment has other documents than its columns"));
        }
        let natures = (0..segment.max_doc())
            .map(|document| {
                natures
                    .first(document)
                    .and_then(|byte| u8::try_from(byte).ok())
                    .filter(|byte| Nature::from_byte(*byte).is_some())
                    .ok_or_else(|| broken("a document has no nature"))
            })
            .collect::<tantivy::Result<_>>()?;
        Ok(Self {
            natures,
            ids: needed(fast, column::ID)?,
            keys: needed(fast, column::KEY)?,
            languages: needed(fast, column::LANGUAGE)?,
            tags: fast.str(column::TAGS)?,
            authors: fast.str(column::AUTHORS)?,
            entities: fast.str(column::ENTITIES)?,
            said_at: fast.i64(column::SAID_AT)?,
            recorded_at: fast.i64(column::RECORDED_AT)?,
            from: fast.column_opt(column::FROM)?,
            until: fast.column_opt(column::UNTIL)?,
            vectors: fast.column_opt(column::VECTOR)?,
            n_terms: fast.u64(column::N_TERMS)?,
            by_time: OnceLock::new(),
            rows: Mutex::default(),
        })
    }

    pub(crate) fn nature(&self, document: DocId) -> u8 {
        let at = usize::try_from(document).unwrap_or(usize::MAX);
        self.natures.get(at).copied().unwrap_or_default()
    }

    pub(crate) fn kind(&self, document: DocId) -> DocumentKind {
        Nature::from_byte(self.nature(document)).map_or(DocumentKind::Fact, |it| it.kind)
    }

    /// The place of the document's id among the ids of the segment, in their order.
    pub(crate) fn id_place(&self, document: DocId) -> u64 {
        self.ids.ords().first(document).unwrap_or_default()
    }

    pub(crate) fn said_at(&self, document: DocId) -> i64 {
        self.said_at.first(document).unwrap_or(i64::MIN)
    }

    /// The number of its vector; nought for one without length.
    pub(crate) fn vector(&self, document: DocId) -> Option<u64> {
        self.vectors.as_ref()?.first(document)
    }

    /// The documents, said last first; ties by kind and id.
    pub(crate) fn by_time(&self) -> &[DocId] {
        self.by_time.get_or_init(|| {
            let mut places: Vec<_> = (0..)
                .take(self.natures.len())
                .map(|document| {
                    let said_at = Reverse(self.said_at(document));
                    (
                        said_at,
                        self.kind(document),
                        self.id_place(document),
                        document,
                    )
                })
                .collect();
            places.sort_unstable();
            places.into_iter().map(|(.., document)| document).collect()
        })
    }

    /// By document, the row of its vector, or [`NO_ROW`].
    pub(crate) fn rows(&self, generation: u64, codes: &Codes) -> tantivy::Result<Arc<[u32]>> {
        let mut known = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, rows)) = known.as_ref()
            && *of == generation
        {
            return Ok(Arc::clone(rows));
        }
        let rows: Arc<[u32]> = (0..)
            .take(self.natures.len())
            .map(|document| match self.vector(document) {
                None | Some(0) => Ok(NO_ROW),
                Some(id) => codes
                    .row_of(id)
                    .ok_or_else(|| broken("a vector that was committed is not there")),
            })
            .collect::<tantivy::Result<_>>()?;
        *known = Some((generation, Arc::clone(&rows)));
        Ok(rows)
    }
}

/// The text that a document has in a column of which it has one value.
pub(crate) fn text_of(column: &StrColumn, document: DocId) -> tantivy::Result<String> {
    let mut text = String::new();
    let is_there = match column.ords().first(document) {
        Some(place) => column.ord_to_str(place, &mut text)?,
        None => false,
    };
    if is_there {
        Ok(text)
    } else {
        Err(broken("a document lacks a text"))
    }
}

pub(crate) fn broken(message: &str) -> TantivyError {
    TantivyError::DataCorruption(DataCorruption::comment_only(message))
}

fn needed(fast: &FastFieldReaders, name: &str) -> tantivy::Result<StrColumn> {
    fast.str(name)?
        .ok_or_else(|| broken("a column is not there"))
}
