//! The words of one channel: a tantivy index of its own.

use std::fmt;

use atlas_core::{Error, ErrorKind, Result};
use tantivy::directory::Directory;
use tantivy::indexer::IndexWriterOptions;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{
    Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, Searcher, TantivyDocument,
    TantivyError, Term,
};

use crate::analysis::Word;
use crate::table::Slot;

/// The name of the column that leads from a tantivy document to the table.
pub(crate) const SLOT: &str = "slot";

/// The words of one channel.
///
/// Documents come in as terms that are cut already, so no tokenizer of tantivy's is used, and
/// questions are never parsed.
pub(crate) struct Words {
    index: Index,
    reader: IndexReader,
    body: Field,
    slot: Field,
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Words").finish_non_exhaustive()
    }
}

impl Words {
    /// Opens the words that are kept in a directory, or begins them there.
    pub(crate) fn open(directory: impl Directory, op: &'static str) -> Result<Self> {
        let mut schema = Schema::builder();
        // The tokenizer's name has to be one that exists; terms come in cut already.
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("raw")
            .set_fieldnorms(true)
            .set_index_option(IndexRecordOption::WithFreqs);
        let body = schema.add_text_field(
            "body",
            TextOptions::default().set_indexing_options(indexing),
        );
        let slot = schema.add_u64_field(SLOT, INDEXED | FAST);
        let open = || {
            let directory: Box<dyn Directory> = Box::new(directory);
            let index = Index::builder()
                .schema(schema.build())
                .settings(IndexSettings::default())
                .open_or_create(directory)?;
            let reader = index
                .reader_builder()
                .reload_policy(ReloadPolicy::Manual)
                .try_into()?;
            Ok(Self {
                index,
                reader,
                body,
                slot,
            })
        };
        open().map_err(|cause| into_error(op, cause))
    }

    /// Takes out documents and puts in others, all or none, and shows the outcome.
    ///
    /// The writer lives for the call, since its memory is more than that of most channels; merges
    /// are waited for, since they die with it.
    pub(crate) fn write(
        &self,
        removed: impl Iterator<Item = Slot>,
        added: impl Iterator<Item = (Slot, Vec<Word>)>,
        op: &'static str,
    ) -> Result<()> {
        let write = || {
            let options = IndexWriterOptions::builder()
                .num_worker_threads(1)
                .num_merge_threads(1)
                .build();
            let mut writer: IndexWriter = self.index.writer_with_options(options)?;
            for slot in removed {
                writer.delete_term(Term::from_field_u64(self.slot, u64::from(slot)));
            }
            for (slot, words) in added {
                writer.add_document(self.document(slot, words))?;
            }
            writer.commit()?;
            writer.wait_merging_threads()?;
            self.reader.reload()
        };
        write().map_err(|cause| into_error(op, cause))
    }

    /// What can be searched at this moment.
    pub(crate) fn searcher(&self) -> Searcher {
        self.reader.searcher()
    }

    /// The field that the terms are in.
    pub(crate) fn body(&self) -> Field {
        self.body
    }

    fn document(&self, slot: Slot, words: Vec<Word>) -> TantivyDocument {
        let tokens = words
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
        let mut document = TantivyDocument::new();
        document.add_u64(self.slot, u64::from(slot));
        document.add_pre_tokenized_text(
            self.body,
            PreTokenizedString {
                text: String::new(),
                tokens,
            },
        );
        document
    }
}

/// The one place where tantivy's failures become errors of Atlas.
pub(crate) fn into_error(op: &'static str, failure: TantivyError) -> Error {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "tantivy adds failures; what is not known here is unexpected"
    )]
    let (kind, message) = match &failure {
        TantivyError::DataCorruption(_) | TantivyError::IncompatibleIndex(_) => {
            (ErrorKind::Corrupt, "the words of the index cannot be read")
        }
        TantivyError::IoError(_)
        | TantivyError::OpenReadError(_)
        | TantivyError::OpenWriteError(_)
        | TantivyError::OpenDirectoryError(_)
        | TantivyError::LockFailure(..) => (
            ErrorKind::Unavailable,
            "the place of the index does not answer",
        ),
        _ => (ErrorKind::Unexpected, "the index failed"),
    };
    Error::new(kind, op, message).caused_by(failure)
}
