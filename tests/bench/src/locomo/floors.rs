//! What Atlas is measured against, over the same texts.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use atlas_core::ports::{Embedder, Purpose};
use atlas_offline::OfflineEmbedder;
use futures::executor::block_on;
use rust_stemmers::{Algorithm, Stemmer};

use super::data::Conversation;
use super::report::System;

/// The floors of one conversation.
pub(crate) struct Floors {
    plain: Bm25,
    stemmed: Bm25,
    vectors: Vec<Vec<f32>>,
}

impl Floors {
    /// Takes in the turns: date, speaker, words and caption.
    pub(crate) fn new(conversation: &Conversation) -> Result<Self> {
        let texts: Vec<String> = conversation
            .turns
            .iter()
            .map(|it| format!("{} {} {}", it.date, it.speaker, it.text))
            .collect();
        let bare = conversation.turns.iter().map(|it| words(&it.text));
        let mut vectors = Vec::new();
        let embedder = OfflineEmbedder::default();
        for some in texts.chunks(512) {
            let some: Vec<&str> = some.iter().map(String::as_str).collect();
            vectors.extend(block_on(embedder.embed(&some, Purpose::Document))?);
        }
        Ok(Self {
            plain: Bm25::new(bare),
            stemmed: Bm25::new(texts.iter().map(|it| stems(words(it)))),
            vectors,
        })
    }

    /// What each floor finds, best first, at most so many.
    pub(crate) fn ranked(&self, question: &str, depth: usize) -> Result<Vec<(System, Vec<usize>)>> {
        let asked = words(question);
        let stop: BTreeSet<&str> = stop_words::get("en").iter().copied().collect();
        let mut content: Vec<String> = asked
            .iter()
            .filter(|it| !stop.contains(it.as_str()))
            .cloned()
            .collect();
        if content.is_empty() {
            content.clone_from(&asked);
        }
        let embedder = OfflineEmbedder::default();
        let vector = block_on(embedder.embed(&[question], Purpose::Query))?;
        let vector = vector.into_iter().next().unwrap_or_default();
        let dot = |other: &Vec<f32>| -> f64 {
            let products = vector.iter().zip(other);
            products.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
        };
        let dense: Vec<f64> = self.vectors.iter().map(dot).collect();
        Ok(vec![
            (System::Plain, best(&self.plain.scores(&asked), depth)),
            (
                System::Stemmed,
                best(&self.stemmed.scores(&stems(content)), depth),
            ),
            (System::Dense, best(&dense, depth)),
        ])
    }
}

fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let runs = lower.split(|c: char| !c.is_alphanumeric());
    runs.filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect()
}

fn stems(words: Vec<String>) -> Vec<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    let stem = |it: String| stemmer.stem(&it).into_owned();
    words.into_iter().map(stem).collect()
}

fn best(scores: &[f64], depth: usize) -> Vec<usize> {
    let mut found: Vec<(usize, f64)> = scores.iter().copied().enumerate().collect();
    found.retain(|(_, score)| *score > 0.0);
    found.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
    found.into_iter().map(|(at, _)| at).take(depth).collect()
}

/// BM25 with k1 = 1.2 and b = 0.75 over lists of words.
struct Bm25 {
    postings: BTreeMap<String, Vec<(usize, f64)>>,
    lengths: Vec<f64>,
    mean: f64,
}

impl Bm25 {
    fn new(documents: impl Iterator<Item = Vec<String>>) -> Self {
        let mut postings: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
        let mut lengths = Vec::new();
        for (at, words) in documents.enumerate() {
            lengths.push(count(words.len()));
            let mut often: BTreeMap<String, f64> = BTreeMap::new();
            for word in words {
                *often.entry(word).or_default() += 1.0;
            }
            for (word, often) in often {
                postings.entry(word).or_default().push((at, often));
            }
        }
        let mean = lengths.iter().sum::<f64>() / count(lengths.len().max(1));
        Self {
            postings,
            lengths,
            mean,
        }
    }

    fn scores(&self, words: &[String]) -> Vec<f64> {
        let mut scores = vec![0.0; self.lengths.len()];
        let distinct: BTreeSet<&String> = words.iter().collect();
        for list in distinct.into_iter().filter_map(|it| self.postings.get(it)) {
            let n = count(list.len());
            let rarity = (1.0 + (count(self.lengths.len()) - n + 0.5) / (n + 0.5)).ln();
            for (at, often) in list {
                if let (Some(score), Some(length)) = (scores.get_mut(*at), self.lengths.get(*at)) {
                    let norm = 1.2 * (0.25 + 0.75 * length / self.mean);
                    *score += rarity * often * 2.2 / (often + norm);
                }
            }
        }
        scores
    }
}

fn count(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}
