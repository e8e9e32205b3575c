//! Writes a batch and commits it.

use std::collections::BTreeSet;

use atlas_core::model::{AuthorId, ContentHash, EntityId, Timestamp};
use atlas_core::ports::{Cursor, Key};
use atlas_core::{Error, ErrorKind, Result};
use tantivy::directory::Directory;
use tantivy::indexer::IndexWriterOptions;
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{Index, IndexSettings, IndexWriter, TantivyDocument, TantivyError, Term};

use super::batch::{Cut, Prepared};
use super::nature::Nature;
use super::schema::fields;
use super::totals::{Share, Totals};
use super::view::View;
use crate::failure::{of_disk, of_tantivy_writing, tried};
use crate::vectors::{NewRow, Shelf, Vectors, sweep};

/// What is written.
pub(crate) struct Change<'a> {
    pub(crate) prepared: Prepared<'a>,
    pub(crate) to: &'a Cursor,
    /// Whether everything is rewritten, so that nothing of what went is left.
    pub(crate) is_compacting: bool,
}

/// Takes a change into the index of a view, and commits it: after that the directory holds all of
/// it, and before that nothing.
///
/// Vectors come to the disk first, then tantivy's files, then its commit, whose payload says how
/// many of the vectors count.
pub(crate) fn write(
    directory: Box<dyn Directory>,
    shelf: &Shelf,
    view: &View,
    change: Change<'_>,
    op: &'static str,
) -> Result<Vectors> {
    let mut totals = view.totals.clone();
    totals.applied = change.to.clone();
    let gone = tried(op, count_out(view, &change.prepared, &mut totals))?;
    let mut next_id = totals.vectors.next_id;
    let mut documents = Vec::new();
    let mut rows: Vec<NewRow<'_>> = Vec::new();
    let mut origins = Vec::new();
    for (origin, cuts) in change.prepared {
        origins.push(hash_of(origin));
        for cut in cuts {
            let vector = cut.document.vector.as_deref().map(|vector| {
                let has_length = vector.iter().any(|number| number.abs() > 0.0);
                if !has_length {
                    return 0;
                }
                let id = next_id;
                next_id = next_id.saturating_add(1);
                rows.push((id, vector));
                id
            });
            let share = Share {
                vector,
                n_terms: cut.words.iter().map(|it| it.terms().len() as u64).sum(),
                language: cut.language.clone(),
            };
            documents.push(document(origin, cut, &share, op)?);
            totals.add(share);
        }
    }
    let n_rows = totals.vectors.n_rows.saturating_add(rows.len() as u64);
    let is_worn = change.is_compacting && n_rows > totals.n_kept;
    let keep = (is_worn || Vectors::is_worn(n_rows, totals.n_kept)).then(|| kept_ids(view, &gone));
    let vectors = shelf
        .add(&view.vectors, keep.as_deref(), &rows)
        .map_err(|failure| of_disk(op, failure))?;
    totals.vectors = vectors.extent();
    let payload = totals.to_payload().map_err(|cause| {
        Error::new(ErrorKind::Unexpected, op, "the totals cannot be written").caused_by(cause)
    })?;
    let words = Words {
        origins,
        documents,
        payload,
        is_compacting: change.is_compacting,
    };
    words
        .commit(directory)
        .map_err(|failure| of_tantivy_writing(op, failure))?;
    if let Shelf::Folder(folder, disk) = shelf {
        disk.sync_folder(folder)
            .map_err(|failure| of_disk(op, failure))?;
        sweep(folder, totals.vectors.generation);
    }
    Ok(vectors)
}

/// Counts out what the origins had. Answers the numbers of the vectors that go.
fn count_out(
    view: &View,
    prepared: &Prepared<'_>,
    totals: &mut Totals,
) -> tantivy::Result<BTreeSet<u64>> {
    let mut gone = BTreeSet::new();
    for origin in prepared.keys() {
        let hash = hash_of(origin);
        for segment in &view.segments {
            for document in segment.of_origin(&hash)? {
                let share = segment.share(document)?;
                totals.remove(&share);
                gone.extend(share.vector);
            }
        }
    }
    Ok(gone)
}

/// The numbers of the vectors that stay, rising.
fn kept_ids(view: &View, gone: &BTreeSet<u64>) -> Vec<u64> {
    let mut ids: Vec<u64> = view
        .segments
        .iter()
        .flat_map(|segment| {
            segment
                .alive()
                .filter_map(|document| segment.columns.vector(document))
        })
        .filter(|id| *id > 0 && !gone.contains(id))
        .collect();
    ids.sort_unstable();
    ids
}

/// An origin as one short term.
fn hash_of(origin: &Key) -> String {
    ContentHash::of_parts(&[origin.collection.as_str(), &origin.id]).short()
}

fn document(
    origin: &Key,
    cut: Cut<'_>,
    share: &Share,
    op: &'static str,
) -> Result<TantivyDocument> {
    let key = serde_json::to_string(origin).map_err(|cause| {
        Error::new(ErrorKind::Unexpected, op, "an origin cannot be written").caused_by(cause)
    })?;
    let fields = fields();
    let it = cut.document;
    let mut document = TantivyDocument::new();
    document.add_text(fields.origin, hash_of(origin));
    document.add_text(fields.key, key);
    document.add_text(fields.id, &it.id);
    document.add_text(fields.language, &share.language);
    for tag in &it.tags {
        document.add_text(fields.tags, tag);
    }
    for author in it.authors.iter().map(AuthorId::as_str) {
        document.add_text(fields.authors, author);
    }
    for entity in it.entities.iter().map(EntityId::as_str) {
        document.add_text(fields.entities, entity);
    }
    document.add_u64(fields.nature, u64::from(Nature::of(it).to_byte()));
    document.add_i64(fields.said_at, it.said_at.as_micros());
    document.add_i64(fields.recorded_at, it.recorded_at.as_micros());
    for span in &it.validity {
        document.add_i64(fields.from, span.start.as_micros());
        // No instant is so late.
        let until = span.end.map_or(i64::MAX, Timestamp::as_micros);
        document.add_i64(fields.until, until);
    }
    if let Some(id) = share.vector {
        document.add_u64(fields.vector, id);
    }
    document.add_u64(fields.n_terms, share.n_terms);
    document.add_pre_tokenized_text(fields.body, terms(cut));
    Ok(document)
}

fn terms(cut: Cut<'_>) -> PreTokenizedString {
    let tokens = cut
        .words
        .into_iter()
        .enumerate()
        .flat_map(|(position, word)| {
            word.into_terms().into_iter().map(move |text| Token {
                offset_from: 0,
                offset_to: 0,
                position,
                text,
                position_length: 1,
            })
        })
        .collect();
    PreTokenizedString {
        text: String::new(),
        tokens,
    }
}

/// What tantivy is given.
struct Words {
    /// The hashes of origins whose documents go.
    origins: Vec<String>,
    documents: Vec<TantivyDocument>,
    payload: String,
    is_compacting: bool,
}

impl Words {
    /// The writer lives for the call, since its memory is more than that of most channels; merges
    /// are waited for, since they die with it.
    fn commit(self, directory: Box<dyn Directory>) -> tantivy::Result<()> {
        // An index of its own, so that files are removed although readers have them open.
        let index = Index::builder()
            .schema(fields().schema.clone())
            .settings(IndexSettings::default())
            .open_or_create(directory)?;
        let options = IndexWriterOptions::builder()
            .num_worker_threads(1)
            .num_merge_threads(1)
            .build();
        let mut writer: IndexWriter = index.writer_with_options(options)?;
        // A writer that failed, or ended with its process, left files whose names are needed again.
        writer.garbage_collect_files().wait()?;
        for origin in &self.origins {
            writer.delete_term(Term::from_field_text(fields().origin, origin));
        }
        for document in self.documents {
            writer.add_document(document)?;
        }
        let mut commit = writer.prepare_commit()?;
        commit.set_payload(&self.payload);
        commit.commit()?;
        if self.is_compacting {
            let segments = index.searchable_segment_ids()?;
            if !segments.is_empty() {
                writer.merge(&segments).wait()?;
            }
            writer.garbage_collect_files().wait()?;
        }
        // What was committed stands, whether or not segments could be merged after it.
        match writer.wait_merging_threads() {
            Err(failure) if self.is_compacting => Err(failure),
            Ok(()) | Err(_) => Ok::<(), TantivyError>(()),
        }
    }
}
