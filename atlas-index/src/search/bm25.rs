//! BM25 over the channels of a scope.
//!
//! A document's score is the sum over the words of the best BM25 of the word's terms. Rarity is
//! counted over the documents that are there, in these channels and no other: neither a document
//! that was replaced nor a neighbour's changes a score. The weights and length norms are tantivy's;
//! the loop over postings is here, because tantivy counts documents that were replaced until it
//! merges them away, and adds up in an order that depends on its segments.

use std::collections::BTreeMap;

use atlas_core::Result;
use tantivy::postings::Postings;
use tantivy::query::Bm25Weight;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED, Term};

use super::Looked;
use crate::analysis::Word;
use crate::channel::{Segment, fields};

/// How much the channels of a scope hold together: what rarity and length are measured against.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    n_documents: u64,
    n_terms: u64,
}

impl Extent {
    pub(super) fn of(channels: &[Looked<'_>]) -> Self {
        channels.iter().fold(Self::default(), |sum, it| Self {
            n_documents: sum.n_documents.saturating_add(it.view.totals.n_documents),
            n_terms: sum.n_terms.saturating_add(it.view.totals.n_terms),
        })
    }
}

/// The weights of terms.
pub(super) type Weights<'a> = BTreeMap<&'a str, Bm25Weight>;

/// The weight of each term that any document has.
pub(super) fn weights<'a>(
    channels: &[Looked<'_>],
    extent: Extent,
    words: &'a [Word],
    op: &'static str,
) -> Result<Weights<'a>> {
    #[expect(
        clippy::cast_precision_loss,
        reason = "an average length needs no more digits"
    )]
    let mean_length = extent.n_terms as f32 / extent.n_documents.max(1) as f32;
    let mut weights = BTreeMap::new();
    for text in words.iter().flat_map(Word::terms) {
        if weights.contains_key(text.as_str()) {
            continue;
        }
        let term = Term::from_field_text(fields().body, text);
        let mut n_with_term: u64 = 0;
        for looked in channels {
            for segment in &looked.view.segments {
                n_with_term += segment
                    .n_documents_with(&term)
                    .map_err(|failure| looked.blame(op, failure))?;
            }
        }
        if n_with_term > 0 {
            // A term is in no more documents than there are; tantivy insists on it.
            let n_documents = extent.n_documents.max(n_with_term);
            let weight =
                Bm25Weight::for_one_term_without_explain(n_with_term, n_documents, mean_length);
            weights.insert(text.as_str(), weight);
        }
    }
    Ok(weights)
}

/// Scores the documents of a segment that have any of the words.
pub(super) fn score(
    segment: &Segment,
    words: &[Word],
    weights: &Weights<'_>,
) -> tantivy::Result<Vec<(DocId, f32)>> {
    let body = fields().body;
    let terms = segment.reader.inverted_index(body)?;
    let lengths = segment.reader.get_fieldnorms_reader(body)?;
    let n_places = usize::try_from(segment.reader.max_doc()).unwrap_or(usize::MAX);
    let mut scores = Scores {
        total: vec![0.0; n_places],
        best: vec![0.0; n_places],
        touched: Vec::new(),
        scored: Vec::new(),
    };
    for word in words {
        for text in word.terms() {
            let Some(weight) = weights.get(text.as_str()) else {
                continue;
            };
            let term = Term::from_field_text(body, text);
            let Some(mut postings) = terms.read_postings(&term, IndexRecordOption::WithFreqs)?
            else {
                continue;
            };
            let mut document = postings.doc();
            while document != TERMINATED {
                if segment.is_alive(document) {
                    let score = weight.score(lengths.fieldnorm_id(document), postings.term_freq());
                    scores.offer(document, score);
                }
                document = postings.advance();
            }
        }
        scores.end_word();
    }
    Ok(scores.into_scored())
}

/// The scores of a segment's documents while the words go by.
struct Scores {
    /// By document, over the words that went by.
    total: Vec<f32>,
    /// By document, the best term of the word that is going by.
    best: Vec<f32>,
    /// The documents that have any term of that word.
    touched: Vec<DocId>,
    /// The documents that have any term of any word.
    scored: Vec<DocId>,
}

impl Scores {
    /// Counts a term of the word for a document, if it is the word's best there.
    fn offer(&mut self, document: DocId, score: f32) {
        let at = usize::try_from(document).unwrap_or(usize::MAX);
        if let Some(best) = self.best.get_mut(at) {
            if *best <= 0.0 {
                self.touched.push(document);
            }
            *best = best.max(score);
        }
    }

    /// Adds the word to the totals.
    fn end_word(&mut self) {
        for document in self.touched.drain(..) {
            let at = usize::try_from(document).unwrap_or(usize::MAX);
            if let (Some(total), Some(best)) = (self.total.get_mut(at), self.best.get_mut(at)) {
                if *total <= 0.0 {
                    self.scored.push(document);
                }
                *total += std::mem::take(best);
            }
        }
    }

    fn into_scored(self) -> Vec<(DocId, f32)> {
        let total = self.total;
        self.scored
            .into_iter()
            .filter_map(|document| {
                let at = usize::try_from(document).ok()?;
                Some((document, *total.get(at)?))
            })
            .collect()
    }
}
