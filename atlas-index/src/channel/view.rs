//! A channel's index as of one commit.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use atlas_core::Result;
use atlas_core::ports::Key;
use tantivy::directory::{Directory, META_LOCK};
use tantivy::index::{IndexMeta, SegmentComponent, SegmentId, SegmentMeta};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, HasLen, Index, SegmentReader, TERMINATED, Term};

use super::columns::{Columns, broken, text_of};
use super::schema::fields;
use super::totals::{Share, Totals};
use crate::failure::{damage, of_disk, tried};
use crate::vectors::{Shelf, Vectors};

/// The file that tantivy's commit replaces.
const META: &str = "meta.json";

/// A channel's index as of one commit. It never changes, and what follows does not disturb it.
pub(crate) struct View {
    pub(crate) totals: Totals,
    pub(crate) segments: Vec<Arc<Segment>>,
    pub(crate) vectors: Vectors,
    /// The bytes that tell this commit from others.
    stamp: Vec<u8>,
    is_damaged: AtomicBool,
}

/// A segment of documents, less those that were taken out.
pub(crate) struct Segment {
    pub(crate) reader: SegmentReader,
    pub(crate) columns: Arc<Columns>,
    stamp: (SegmentId, Option<u64>),
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View")
            .field("totals", &self.totals)
            .finish_non_exhaustive()
    }
}

/// How far the files of an index are trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// This process wrote them just then.
    Own,
    /// Their checksums are compared, once each.
    Checked,
}

impl View {
    /// An index that nothing was written to.
    pub(crate) fn empty(width: usize) -> Self {
        Self {
            totals: Totals::default(),
            segments: Vec::new(),
            vectors: Vectors::empty(width),
            stamp: Vec::new(),
            is_damaged: AtomicBool::new(false),
        }
    }

    /// Opens the last commit in a directory. What an earlier view has opened is not opened again.
    pub(crate) fn open(
        directory: &dyn Directory,
        vectors: impl FnOnce(&Totals) -> std::io::Result<Vectors>,
        before: Option<&Self>,
        trust: Trust,
        op: &'static str,
    ) -> Result<Self> {
        let opened = tried(op, open_segments(directory, before, trust))?;
        let (stamp, meta, segments) = opened;
        let totals = meta
            .payload
            .as_deref()
            .and_then(Totals::from_payload)
            .ok_or_else(|| damage(op, "a commit of the index does not say where it stands"))?;
        let n_documents: u64 = segments
            .iter()
            .map(|segment| u64::from(segment.reader.num_docs()))
            .sum();
        if n_documents != totals.n_documents {
            return Err(
                damage(op, "an index has other documents than were committed")
                    .with("documents", n_documents)
                    .with("committed", totals.n_documents),
            );
        }
        let vectors = vectors(&totals).map_err(|failure| of_disk(op, failure))?;
        Ok(Self {
            totals,
            segments,
            vectors,
            stamp,
            is_damaged: AtomicBool::new(false),
        })
    }

    /// Whether it is the commit that a directory's file of the last commit holds.
    pub(crate) fn is_of(&self, meta: &[u8]) -> bool {
        self.stamp == meta
    }

    /// Remembers that something of it could not be read.
    pub(crate) fn blame(&self) {
        self.is_damaged.store(true, Ordering::Relaxed);
    }

    /// Whether something of it could not be read.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }

    /// Every origin of its documents, in order.
    pub(crate) fn origins(&self) -> tantivy::Result<Vec<Key>> {
        let mut origins = std::collections::BTreeSet::new();
        for segment in &self.segments {
            for document in segment.alive() {
                let text = text_of(&segment.columns.keys, document)?;
                let key: Key = serde_json::from_str(&text)
                    .map_err(|_| broken("the origin of a document is not one"))?;
                origins.insert(key);
            }
        }
        Ok(origins.into_iter().collect())
    }
}

impl Segment {
    pub(crate) fn is_alive(&self, document: DocId) -> bool {
        !self.reader.is_deleted(document)
    }

    /// The documents that were not taken out.
    pub(crate) fn alive(&self) -> impl Iterator<Item = DocId> {
        (0..self.reader.max_doc()).filter(|document| self.is_alive(*document))
    }

    /// The documents of the origin with the hash.
    pub(crate) fn of_origin(&self, hash: &str) -> tantivy::Result<Vec<DocId>> {
        let term = Term::from_field_text(fields().origin, hash);
        let terms = self.reader.inverted_index(term.field())?;
        let mut documents = Vec::new();
        if let Some(mut postings) = terms.read_postings(&term, IndexRecordOption::Basic)? {
            while postings.doc() != TERMINATED {
                if self.is_alive(postings.doc()) {
                    documents.push(postings.doc());
                }
                postings.advance();
            }
        }
        Ok(documents)
    }

    /// What a document adds to the totals.
    pub(crate) fn share(&self, document: DocId) -> tantivy::Result<Share> {
        Ok(Share {
            vector: self.columns.vector(document),
            n_terms: self.columns.n_terms.first(document).unwrap_or_default(),
            language: text_of(&self.columns.languages, document)?,
        })
    }

    /// The documents that have the term and were not taken out.
    pub(crate) fn n_documents_with(&self, term: &Term) -> tantivy::Result<u64> {
        let terms = self.reader.inverted_index(term.field())?;
        let Some(info) = terms.get_term_info(term)? else {
            return Ok(0);
        };
        let Some(alive) = self.reader.alive_bitset() else {
            return Ok(u64::from(info.doc_freq));
        };
        let postings = terms.read_postings_from_terminfo(&info, IndexRecordOption::Basic)?;
        Ok(u64::from(postings.doc_freq_given_deletes(alive)))
    }
}

/// The files that a segment may have.
const PARTS: [SegmentComponent; 7] = [
    SegmentComponent::Postings,
    SegmentComponent::Positions,
    SegmentComponent::FastFields,
    SegmentComponent::FieldNorms,
    SegmentComponent::Terms,
    SegmentComponent::Store,
    SegmentComponent::Delete,
];

type Opened = (Vec<u8>, IndexMeta, Vec<Arc<Segment>>);

fn open_segments(
    directory: &dyn Directory,
    before: Option<&View>,
    trust: Trust,
) -> tantivy::Result<Opened> {
    let index = Index::open(directory.box_clone())?;
    if index.schema() != fields().schema {
        return Err(broken("the words are of another make"));
    }
    // While it is held, no writer removes a file.
    let _no_removal = index.directory().acquire_lock(&META_LOCK)?;
    let (stamp, meta) = loop {
        let stamp = index.directory().atomic_read(Path::new(META))?;
        let meta = index.load_metas()?;
        // Another process may have committed in between.
        if index.directory().atomic_read(Path::new(META))? == stamp {
            break (stamp, meta);
        }
    };
    let segments = meta
        .segments
        .iter()
        .map(|segment| {
            let known = known_segment(segment, before);
            if trust == Trust::Checked && known.is_none_or(|it| it.stamp != stamp_of(segment)) {
                check_files(&index, directory, segment)?;
            }
            open_segment(&index, segment, known)
        })
        .collect::<tantivy::Result<_>>()?;
    Ok((stamp, meta, segments))
}

fn stamp_of(meta: &SegmentMeta) -> (SegmentId, Option<u64>) {
    (meta.id(), meta.delete_opstamp())
}

/// The segment as an earlier view has it, perhaps with documents that went since.
fn known_segment<'a>(meta: &SegmentMeta, before: Option<&'a View>) -> Option<&'a Arc<Segment>> {
    before?
        .segments
        .iter()
        .find(|segment| segment.stamp.0 == meta.id())
}

fn open_segment(
    index: &Index,
    meta: &SegmentMeta,
    known: Option<&Arc<Segment>>,
) -> tantivy::Result<Arc<Segment>> {
    let stamp = stamp_of(meta);
    if let Some(known) = known.filter(|segment| segment.stamp == stamp) {
        return Ok(Arc::clone(known));
    }
    let reader = SegmentReader::open(&index.segment(meta.clone()))?;
    let columns = match known {
        Some(known) => Arc::clone(&known.columns),
        None => Arc::new(Columns::open(&reader)?),
    };
    Ok(Arc::new(Segment {
        reader,
        columns,
        stamp,
    }))
}

/// Compares the checksums of a segment's files.
fn check_files(
    index: &Index,
    directory: &dyn Directory,
    meta: &SegmentMeta,
) -> tantivy::Result<()> {
    for part in PARTS {
        let path = meta.relative_path(part);
        if !directory.exists(&path)? {
            // Whoever needs it fails.
            continue;
        }
        let is_whole =
            has_footer(directory, &path)? && index.directory().validate_checksum(&path)?;
        if !is_whole {
            return Err(broken("a file of words does not have its checksum"));
        }
    }
    Ok(())
}

/// Whether the footer of one of tantivy's files can be in it: tantivy trusts the length that stands
/// at the end.
fn has_footer(directory: &dyn Directory, path: &Path) -> tantivy::Result<bool> {
    let file = directory.open_read(path)?;
    let Some(body) = file.len().checked_sub(FOOTER_END) else {
        return Ok(false);
    };
    let end = file.read_bytes_slice(body..file.len())?;
    let length = end.first_chunk().map(|it| u32::from_le_bytes(*it));
    Ok(length.is_some_and(|length| usize::try_from(length).is_ok_and(|it| it <= body)))
}

/// The length of the footer and a number, at the end of every file of tantivy's.
const FOOTER_END: usize = 8;

/// The vectors that a commit speaks of.
pub(crate) fn committed<'a>(
    shelf: &'a Shelf,
    width: usize,
    before: Option<&'a View>,
) -> impl FnOnce(&Totals) -> std::io::Result<Vectors> + 'a {
    move |totals| shelf.open(width, totals.vectors, before.map(|view| &view.vectors))
}
