//! How good a ranked list is.

use std::collections::BTreeSet;

/// The scores of one list.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Scores {
    /// The share of what is wanted among the first 5, 10 and 20.
    pub(crate) recall: [f64; 3],
    /// Whether anything that is wanted is among the first 5.
    pub(crate) any_5: f64,
    /// Whether all that is wanted is among the first 10.
    pub(crate) all_10: f64,
    /// The discounted gain of the first 10 beside the best possible; each wanted item gains 1.
    pub(crate) ndcg_10: f64,
    /// One by the place of the first wanted item.
    pub(crate) reciprocal: f64,
}

impl Scores {
    /// Compares a list, best first and each once, with what is wanted, which is not empty.
    pub(crate) fn of(list: &[usize], wanted: &BTreeSet<usize>) -> Self {
        let within = |depth: usize| {
            let found = list.iter().take(depth).filter(|it| wanted.contains(it));
            share(found.count(), wanted.len())
        };
        let gain = |place: usize| 1.0 / (share(place, 1) + 2.0).log2();
        let first = list.iter().take(10).enumerate();
        let gained: f64 = first
            .filter(|(_, it)| wanted.contains(it))
            .map(|(place, _)| gain(place))
            .sum();
        let best: f64 = (0..wanted.len().min(10)).map(gain).sum();
        let place = list.iter().position(|it| wanted.contains(it));
        Self {
            recall: [within(5), within(10), within(20)],
            any_5: f64::from(u8::from(within(5) > 0.0)),
            all_10: f64::from(u8::from(within(10) >= 1.0)),
            ndcg_10: gained / best,
            reciprocal: place.map_or(0.0, |it| 1.0 / (share(it, 1) + 1.0)),
        }
    }

    /// All figures, in the order of the printed columns.
    pub(crate) fn columns(self) -> [f64; 7] {
        let [five, ten, twenty] = self.recall;
        [
            five,
            ten,
            twenty,
            self.any_5,
            self.all_10,
            self.ndcg_10,
            self.reciprocal,
        ]
    }
}

/// The means of each column.
pub(crate) fn means(all: &[Scores]) -> [f64; 7] {
    let mut sums = [0.0; 7];
    for scores in all {
        for (sum, value) in sums.iter_mut().zip(scores.columns()) {
            *sum += value;
        }
    }
    sums.map(|sum| sum / share(all.len().max(1), 1))
}

/// A paired bootstrap over questions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Paired {
    /// The mean difference.
    pub(crate) mean: f64,
    /// What 95 % of the resampled means lie between.
    pub(crate) between: (f64, f64),
    /// The share of resampled means that are not above nought.
    pub(crate) p: f64,
}

/// Draws questions with replacement so often, from the seed.
///
/// # Source
///
/// Sakai, SIGIR 2006; Efron and Tibshirani 1993.
pub(crate) fn paired(differences: &[f64], rounds: usize, seed: u64) -> Paired {
    let mut random = fastrand::Rng::with_seed(seed);
    let n = differences.len().max(1);
    let mut means: Vec<f64> = (0..rounds)
        .map(|_| {
            let drawn = (0..n).filter_map(|_| differences.get(random.usize(..n)));
            drawn.sum::<f64>() / share(n, 1)
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |of_forty: usize| {
        let place = (means.len() * of_forty / 40).min(means.len().saturating_sub(1));
        means.get(place).copied().unwrap_or_default()
    };
    Paired {
        mean: differences.iter().sum::<f64>() / share(n, 1),
        between: (at(1), at(39)),
        p: share(means.iter().filter(|it| **it <= 0.0).count(), rounds.max(1)),
    }
}

/// `n` by `of`.
pub(crate) fn share(n: usize, of: usize) -> f64 {
    let whole = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    whole(n) / whole(of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_scored_by_what_it_holds_and_where() {
        let scores = Scores::of(&[7, 1, 8, 2], &BTreeSet::from([1, 2, 3]));
        let [five, ten, _, any, all, ndcg, reciprocal] = scores.columns();
        assert!((five - 2.0 / 3.0).abs() < 1e-9 && (ten - five).abs() < 1e-9);
        assert!((any, all) == (1.0, 0.0) && (reciprocal - 0.5).abs() < 1e-9);
        let log2 = |x: f64| 1.0 / x.log2();
        let best = 1.0 + log2(3.0) + 0.5;
        assert!(
            (ndcg - (log2(3.0) + log2(5.0)) / best).abs() < 1e-9,
            "{ndcg}"
        );
    }

    #[test]
    fn a_bootstrap_tells_a_gain_from_noise() {
        let gain = paired(&[0.5, 0.0, 0.5, 1.0, 0.0, 0.5, 0.5, 0.25], 2_000, 7);
        assert!(gain.p < 0.01 && gain.between.0 > 0.0, "{gain:?}");
        let noise = paired(&[0.5, -0.5, 0.25, -0.25], 2_000, 7);
        assert!(noise.p > 0.2 && noise.between.0 < 0.0, "{noise:?}");
    }
}
