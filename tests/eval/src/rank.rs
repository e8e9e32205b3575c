//! At what place the answers are found.

use std::collections::BTreeSet;

/// Hits that are looked at.
pub const DEPTH: usize = 10;

/// The place, from 1, of the first hit that stands on one of the wanted messages.
///
/// Each hit is given by the messages that it stands on.
pub fn place<M: Ord>(hits: &[Vec<M>], wanted: &BTreeSet<M>) -> Option<usize> {
    let found = |messages: &Vec<M>| messages.iter().any(|it| wanted.contains(it));
    hits.iter().position(found).map(|place| place + 1)
}

/// How many of several questions were found how early.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Questions.
    pub questions: usize,
    /// Answered by the first hit.
    pub at_1: usize,
    /// Answered within the first five.
    pub at_5: usize,
    /// Answered within the first ten.
    pub at_10: usize,
    /// The mean of `1 / place`, nought for what is not among the first ten.
    pub mean_reciprocal: f64,
}

/// Adds up the places of all questions.
pub fn totals(places: &[Option<usize>]) -> Totals {
    let within = |depth: usize| {
        let found = places.iter().flatten().filter(|place| **place <= depth);
        found.count()
    };
    let reciprocal = |place: &usize| 1.0 / f64::from(u32::try_from(*place).unwrap_or(u32::MAX));
    let found = places.iter().flatten().filter(|place| **place <= DEPTH);
    let sum: f64 = found.map(reciprocal).sum();
    let questions = u32::try_from(places.len()).unwrap_or(u32::MAX);
    Totals {
        questions: places.len(),
        at_1: within(1),
        at_5: within(5),
        at_10: within(DEPTH),
        mean_reciprocal: sum / f64::from(questions.max(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_hit_that_stands_on_an_answer_counts() {
        let hits = [vec![1, 2], vec![3], vec![4, 5]];
        for (wanted, expected) in [
            (vec![5, 3], Some(2)),
            (vec![2], Some(1)),
            (vec![9], None),
            (vec![], None),
        ] {
            assert_eq!(place(&hits, &wanted.into_iter().collect()), expected);
        }
    }

    #[test]
    fn totals_count_what_was_not_found_too() {
        let totals = totals(&[Some(1), Some(4), Some(10), None]);
        assert_eq!((totals.at_1, totals.at_5, totals.at_10), (1, 2, 3));
        assert!((totals.mean_reciprocal - 1.35 / 4.0).abs() < 1e-9);
    }
}
