//! The lexical leg: BM25 over the channels of a scope.

use std::collections::BTreeMap;

use atlas_core::Result;
use tantivy::postings::Postings;
use tantivy::query::Bm25Weight;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, Searcher, SegmentReader, TERMINATED, Term};

use crate::analysis::Word;
use crate::table::Slot;
use crate::words::{SLOT, Words, into_error};

/// How much the channels of a scope hold together: what rarity and length are measured against.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    /// Documents.
    pub(crate) n_documents: u64,
    /// Terms of all documents.
    pub(crate) n_terms: u64,
}

/// Scores the documents of each channel that have any of the words: one list a channel, in the
/// order given.
///
/// A document's score is the sum over the words of the best BM25 of the word's terms. Rarity is
/// counted over the documents that are there, in these channels and no other: neither a document
/// that was replaced nor a neighbour's changes a score. The weights and length norms are tantivy's;
/// the loop over postings is here, because tantivy counts documents that were replaced until it
/// merges them away, and adds up in an order that depends on its segments.
pub(crate) fn score(
    channels: &[&Words],
    extent: Extent,
    words: &[Word],
    op: &'static str,
) -> Result<Vec<Vec<(Slot, f32)>>> {
    let score = || {
        let searchers: Vec<(Searcher, &Words)> = channels
            .iter()
            .map(|words| (words.searcher(), *words))
            .collect();
        let weights = weights(&searchers, extent, words)?;
        searchers
            .iter()
            .map(|(searcher, channel)| {
                let mut scored = Vec::new();
                for segment in searcher.segment_readers() {
                    score_segment(segment, channel, words, &weights, &mut scored)?;
                }
                Ok(scored)
            })
            .collect::<tantivy::Result<Vec<_>>>()
    };
    score().map_err(|cause| into_error(op, cause))
}

/// The weight of each term that any document has.
fn weights<'a>(
    searchers: &[(Searcher, &Words)],
    extent: Extent,
    words: &'a [Word],
) -> tantivy::Result<BTreeMap<&'a str, Bm25Weight>> {
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
        let mut n_with_term: u64 = 0;
        for (searcher, channel) in searchers {
            let term = Term::from_field_text(channel.body(), text);
            for segment in searcher.segment_readers() {
                n_with_term += n_documents_with(segment, &term)?;
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

/// The documents of a segment that have the term and were not taken out.
fn n_documents_with(segment: &SegmentReader, term: &Term) -> tantivy::Result<u64> {
    let terms = segment.inverted_index(term.field())?;
    let Some(info) = terms.get_term_info(term)? else {
        return Ok(0);
    };
    let Some(alive) = segment.alive_bitset() else {
        return Ok(u64::from(info.doc_freq));
    };
    let postings = terms.read_postings_from_terminfo(&info, IndexRecordOption::Basic)?;
    Ok(u64::from(postings.doc_freq_given_deletes(alive)))
}

fn score_segment(
    segment: &SegmentReader,
    channel: &Words,
    words: &[Word],
    weights: &BTreeMap<&str, Bm25Weight>,
    into: &mut Vec<(Slot, f32)>,
) -> tantivy::Result<()> {
    let terms = segment.inverted_index(channel.body())?;
    let lengths = segment.get_fieldnorms_reader(channel.body())?;
    let slots = segment.fast_fields().u64(SLOT)?;
    let n_places = usize::try_from(segment.max_doc()).unwrap_or(usize::MAX);
    let mut scores = Scores {
        total: vec![0.0; n_places],
        best: vec![0.0; n_places],
        touched: Vec::new(),
    };
    for word in words {
        for text in word.terms() {
            let Some(weight) = weights.get(text.as_str()) else {
                continue;
            };
            let term = Term::from_field_text(channel.body(), text);
            let Some(mut postings) = terms.read_postings(&term, IndexRecordOption::WithFreqs)?
            else {
                continue;
            };
            let mut document = postings.doc();
            while document != TERMINATED {
                if !segment.is_deleted(document) {
                    let score = weight.score(lengths.fieldnorm_id(document), postings.term_freq());
                    scores.offer(document, score);
                }
                document = postings.advance();
            }
        }
        scores.end_word();
    }
    into.extend(
        scores
            .total
            .iter()
            .zip(0..)
            .filter_map(|(score, document)| {
                if *score <= 0.0 {
                    return None;
                }
                let slot = Slot::try_from(slots.first(document)?).ok()?;
                Some((slot, *score))
            }),
    );
    Ok(())
}

/// The scores of a segment's documents while the words go by.
struct Scores {
    /// By document, over the words that went by.
    total: Vec<f32>,
    /// By document, the best term of the word that is going by.
    best: Vec<f32>,
    /// The documents that have any term of that word.
    touched: Vec<DocId>,
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
                *total += std::mem::take(best);
            }
        }
    }
}
