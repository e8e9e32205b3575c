//! The command `queries`: whatever the text of a question, a search of it is no error.

use anyhow::{Result, ensure};
use atlas_core::retrieve::SearchOptions;
use atlas_core::{Atlas, Settings};
use fastrand::Rng;

use crate::args::QueriesArgs;
use crate::corpus::Corpus;
use crate::say;
use crate::stopwatch::Stopwatch;
use crate::stores::{Durability, StoreKind};

/// Messages that are searched.
const MESSAGES: usize = 200;
/// Pieces of a question at most.
const PIECES: usize = 12;

/// What query languages, tokenizers and readers of dates trip over, and words of the corpus.
const AWKWARD: [&str; 56] = [
    "\"",
    "'",
    "`",
    "\\",
    "/",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "*",
    "?",
    "~",
    "^",
    ":",
    "+",
    "-",
    "AND",
    "OR",
    "NOT",
    "NEAR",
    "TO",
    "IN",
    "title:",
    "id:*",
    "[* TO *]",
    "/re.*(/",
    "a^0.5",
    "\0",
    "\u{feff}",
    "\u{202e}",
    "\u{200d}",
    "é",
    "e\u{301}",
    "ß",
    "İ",
    "ﬁ",
    "谁负责",
    "ไทย",
    "क्षि",
    "👩‍👩‍👧",
    "don't",
    "C++",
    "GB/s",
    "ASR1603",
    "1.2.3-rc.4",
    "last Friday",
    "9999999999999999999 days ago",
    "between 31 February and",
    "in our 0th conversation",
    "Q5 2026",
    "what",
    "who",
    "uses",
    "group",
];

/// Asks, and prints what came of it.
///
/// # Errors
///
/// A question that is an error, which none may be; what the store fails with.
pub(crate) async fn run(args: &QueriesArgs) -> Result<()> {
    let dir = tempfile::tempdir()?;
    let opened = StoreKind::Memory
        .open(dir.path(), Durability::Normal)
        .await?;
    let channel =
        Atlas::new(opened.parts.clone(), Settings::default())?.channel(Corpus::channel(0));
    let corpus = Corpus::new(args.seed);
    let messages: Result<Vec<_>> = (0..MESSAGES).map(|it| corpus.line(0, it)).collect();
    channel.remember(&messages?).await?;
    let mut rng = Rng::with_seed(args.seed);
    let (mut n_empty, mut n_found) = (0_usize, 0_usize);
    let watch = Stopwatch::start();
    for number in 0..args.count {
        let text = question(&mut rng, &corpus, number);
        let found = channel.search_with(&text, &SearchOptions::default()).await;
        let found = found.map_err(|error| anyhow::anyhow!("{text:?}: {error}"))?;
        ensure!(found.degraded.is_empty(), "{text:?}: {:?}", found.degraded);
        n_empty += usize::from(found.is_empty_question);
        n_found += usize::from(!found.hits.is_empty());
    }
    let n_found_nothing = args.count - n_found - n_empty;
    say(&format!(
        "{} questions in {:.0} s: none was an error; {n_found} found something, {n_found_nothing} \
         nothing, {n_empty} had no words\n",
        args.count,
        watch.elapsed().as_secs_f64()
    ))
}

/// A question of awkward pieces, words, and characters from all over.
fn question(rng: &mut Rng, corpus: &Corpus, number: usize) -> String {
    let mut text = String::new();
    for _ in 0..rng.usize(0..=PIECES) {
        match rng.usize(0..4) {
            0 => text.push_str(rng.choice(AWKWARD).unwrap_or_default()),
            1 => text.extend((0..rng.usize(1..6)).map(|_| rng.char(..))),
            2 => text.push(rng.char(' '..='~')),
            _ => {
                let asked = corpus.question(number);
                let words: Vec<&str> = asked.split(' ').collect();
                text.push_str(rng.choice(words).unwrap_or_default());
            }
        }
        if rng.bool() {
            text.push(' ');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_question_is_an_error() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let args = QueriesArgs {
            count: 300,
            seed: 11,
        };
        runtime.block_on(run(&args)).unwrap();
    }

    #[test]
    fn questions_hold_what_is_awkward() {
        let mut rng = Rng::with_seed(7);
        let corpus = Corpus::new(7);
        let all: String = (0..500).map(|it| question(&mut rng, &corpus, it)).collect();
        let n_held = AWKWARD.iter().filter(|it| all.contains(**it)).count();
        assert!(n_held > 50, "{n_held}");
        assert!(all.chars().any(|it| u32::from(it) > 0x1_0000));
    }
}
