//! The best of many scores.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A place with its score; the lesser is the one that is given up first.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Scored {
    score: f32,
    place: usize,
}

impl Eq for Scored {}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        // A heap shows its greatest: the worst that is kept.
        let order = other.score.total_cmp(&self.score);
        order.then_with(|| self.place.cmp(&other.place))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Keeps the places of the highest scores.
#[derive(Debug)]
pub(crate) struct Nearest {
    limit: usize,
    kept: BinaryHeap<Scored>,
}

impl Nearest {
    /// Keeps so many.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            kept: BinaryHeap::with_capacity(limit.saturating_add(1)),
        }
    }

    /// Takes a score if it is among the best so far.
    #[inline]
    pub(crate) fn offer(&mut self, place: usize, score: f32) {
        let scored = Scored { score, place };
        if self.kept.len() < self.limit {
            self.kept.push(scored);
        } else if let Some(mut worst) = self.kept.peek_mut()
            && score > worst.score
        {
            *worst = scored;
        }
    }

    /// The places with their scores, best first.
    pub(crate) fn into_best(self) -> Vec<(usize, f32)> {
        let sorted = self.kept.into_sorted_vec();
        sorted.into_iter().map(|it| (it.place, it.score)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_kept_best_first() {
        let mut nearest = Nearest::new(2);
        for (place, score) in [0.1, 0.9, -1.0, 0.5, 0.9].into_iter().enumerate() {
            nearest.offer(place, score);
        }
        assert_eq!(nearest.into_best(), [(1, 0.9), (4, 0.9)]);
    }
}
