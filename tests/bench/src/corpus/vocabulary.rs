//! Words, and how often each is said.

/// Syllables: a consonant and a vowel.
const CONSONANTS: [&str; 14] = [
    "b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z",
];
const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];
/// Words of three syllables that there are.
const N_WORDS: usize = 343_000;
/// A prime that shares no factor with [`N_WORDS`], so that words of near numbers look different.
const STRIDE: usize = 7_919;

/// The word of a number: another for each below 343,000.
pub(super) fn word(number: usize) -> String {
    let mut rest = (number % N_WORDS) * STRIDE % N_WORDS;
    let mut word = String::new();
    for _ in 0..3 {
        for part in [&CONSONANTS[..], &VOWELS[..]] {
            word.push_str(part.get(rest % part.len()).copied().unwrap_or_default());
            rest /= part.len();
        }
    }
    word
}

/// Draws numbers so that the n-th is drawn in proportion to 1 / n.
#[derive(Debug)]
pub(super) struct Zipf {
    /// The sum of the weights up to each number.
    sums: Vec<f64>,
}

impl Zipf {
    /// Numbers from nought up to this many.
    pub(super) fn new(count: u32) -> Self {
        let mut sum = 0.0;
        let sums = (1..=count).map(|rank| {
            sum += 1.0 / f64::from(rank);
            sum
        });
        Self {
            sums: sums.collect(),
        }
    }

    /// The number at a place between nought and one.
    pub(super) fn at(&self, place: f64) -> usize {
        let all = self.sums.last().copied().unwrap_or_default();
        let found = self.sums.partition_point(|sum| *sum <= place * all);
        found.min(self.sums.len().saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_numbers_have_one_word() {
        let words: BTreeSet<String> = (0..30_000).map(word).collect();
        assert_eq!(words.len(), 30_000);
        assert_eq!(word(1).len(), 6);
    }

    #[test]
    fn the_first_number_is_drawn_twice_as_often_as_the_second() {
        let zipf = Zipf::new(1_000);
        let mut counts = [0_u32; 1_000];
        for step in 0..100_000 {
            counts[zipf.at(f64::from(step) / 100_000.0)] += 1;
        }
        assert!(counts[0].abs_diff(2 * counts[1]) <= 3);
        assert!(counts.iter().all(|count| *count > 0));
        assert_eq!(zipf.at(1.0), 999);
    }
}
