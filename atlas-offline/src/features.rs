//! Texts to vectors of hashed features.

use std::collections::BTreeMap;

use atlas_core::grounding::is_dense_script;

use crate::text::stem::{folded_words, is_stop_word, stem};

/// The width of a vector.
pub(crate) const DIMENSIONS: usize = 512;
/// The revision of the features; it goes up whenever a text may get another vector.
pub(crate) const REVISION: &str = "1";

/// What a kind of feature weighs beside a word, which weighs one.
const STOP_WORD: f32 = 0.12;
const PAIR: f32 = 0.45;
const PIECE: f32 = 0.22;
const DENSE_PAIR: f32 = 0.8;
const DENSE_LETTER: f32 = 0.3;

/// The vector of a text: of length one, or all nought for a text without words.
///
/// Features are stems, pairs of neighbouring stems and pieces of three to five letters within
/// words; letters and pairs of letters in scripts without spaces. Each is hashed to a place and a
/// sign; repetitions count by their square root.
pub(crate) fn vector(text: &str) -> Vec<f32> {
    let mut counts: BTreeMap<u64, (f32, f32)> = BTreeMap::new();
    let mut add = |kind: u8, feature: &str, weight: f32| {
        let entry = counts.entry(hash(kind, feature)).or_insert((0.0, weight));
        entry.0 += 1.0;
    };
    let mut previous: Option<String> = None;
    let mut dense: Option<char> = None;
    for word in folded_words(text) {
        if word.chars().any(is_dense_script) {
            for c in word.chars() {
                add(3, c.encode_utf8(&mut [0; 4]), DENSE_LETTER);
                if let Some(before) = dense {
                    add(4, &format!("{before}{c}"), DENSE_PAIR);
                }
                dense = Some(c);
            }
            previous = None;
            continue;
        }
        dense = None;
        let is_stop = is_stop_word(&word);
        let stem = stem(&word);
        add(0, &stem, if is_stop { STOP_WORD } else { 1.0 });
        if is_stop {
            continue;
        }
        if let Some(before) = &previous {
            add(1, &format!("{before} {stem}"), PAIR);
        }
        for size in 3..=5 {
            let framed: Vec<char> = std::iter::once('<')
                .chain(word.chars())
                .chain(std::iter::once('>'))
                .collect();
            for piece in framed.windows(size) {
                add(2, &piece.iter().collect::<String>(), PIECE);
            }
        }
        previous = Some(stem);
    }
    let mut vector = vec![0.0_f32; DIMENSIONS];
    for (hash, (count, weight)) in counts {
        let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
        let place = usize::try_from(hash % 512).unwrap_or(0);
        if let Some(cell) = vector.get_mut(place) {
            *cell += sign * weight * count.sqrt();
        }
    }
    normalise(vector)
}

fn normalise(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector
        .iter()
        .map(|x| f64::from(*x) * f64::from(*x))
        .sum::<f64>()
        .sqrt();
    if length > 0.0 {
        for x in &mut vector {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a number of at most one fits"
            )]
            let unit = (f64::from(*x) / length) as f32;
            *x = unit;
        }
    }
    vector
}

/// A hash that is the same on every machine: FNV-1a with a last mixing, so that its low and its
/// high bits are both good.
fn hash(kind: u8, feature: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in std::iter::once(kind).chain(feature.bytes()) {
        hash ^= u64::from(byte);
        hash = hash.wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ (hash >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(a: &str, b: &str) -> f32 {
        vector(a).iter().zip(vector(b)).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn texts_on_one_matter_are_nearer_than_others() {
        for (text, near, far) in [
            (
                "We use Postgres for billing",
                "Billing runs on Postgres",
                "The picnic is on Sunday",
            ),
            (
                "The deployment failed last night",
                "Deployments keep failing",
                "Lunch is at noon",
            ),
            ("汇率换算错误", "修复汇率换算", "明天开会"),
            (
                "Datenbankmigration läuft",
                "Die Datenbank-Migration",
                "Kaffee ist alle",
            ),
        ] {
            assert!(
                likeness(text, near) > likeness(text, far) + 0.2,
                "{text}: {} {}",
                likeness(text, near),
                likeness(text, far)
            );
        }
    }

    #[test]
    fn a_hash_is_the_same_everywhere() {
        assert_eq!(hash(0, "launch"), 11_762_095_591_563_717_474);
    }
}
