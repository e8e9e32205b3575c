//! Floor: texts in one index of tantivy.

use std::path::Path;

use anyhow::Result;
use tantivy::collector::TopDocs;
use tantivy::indexer::IndexWriterOptions;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument, Term};

use super::terms;

/// An index with one field.
pub(crate) struct RawWords {
    index: Index,
    reader: IndexReader,
    body: Field,
}

impl RawWords {
    /// Begins an index in a folder.
    ///
    /// # Errors
    ///
    /// What tantivy fails with.
    pub(crate) fn create(dir: &Path) -> Result<Self> {
        std::fs::create_dir_all(dir)?;
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("default")
            .set_index_option(IndexRecordOption::WithFreqs);
        let options = TextOptions::default().set_indexing_options(indexing);
        let body = schema.add_text_field("body", options);
        let index = Index::create_in_dir(dir, schema.build())?;
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        Ok(Self {
            index,
            reader,
            body,
        })
    }

    /// Writes texts and waits until nothing is left to do for them, merges included.
    ///
    /// # Errors
    ///
    /// What tantivy fails with.
    pub(crate) fn write(&self, texts: &[String]) -> Result<()> {
        let options = IndexWriterOptions::builder()
            .num_worker_threads(1)
            .num_merge_threads(1)
            .build();
        let mut writer: IndexWriter = self.index.writer_with_options(options)?;
        for text in texts {
            let mut document = TantivyDocument::new();
            document.add_text(self.body, text);
            writer.add_document(document)?;
        }
        writer.commit()?;
        writer.wait_merging_threads()?;
        Ok(self.reader.reload()?)
    }

    /// Counts the best by any of the question's words, at most so many.
    ///
    /// # Errors
    ///
    /// What tantivy fails with.
    pub(crate) fn search(&self, question: &str, limit: usize) -> Result<usize> {
        let clauses = terms(question).into_iter().map(|text| {
            let term = Term::from_field_text(self.body, &text);
            let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
            (Occur::Should, Box::new(query) as Box<dyn Query>)
        });
        let query = BooleanQuery::new(clauses.collect());
        let best = TopDocs::with_limit(limit).order_by_score();
        Ok(self.reader.searcher().search(&query, &best)?.len())
    }
}
