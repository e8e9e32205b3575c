//! Ranked lists to one.

use std::collections::BTreeMap;

/// How the scores of a list become comparable with those of another.
///
/// What a list does not hold counts as nought for it, whichever is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Calibration {
    /// The score beside the best of its list, where the least that a leg can give is nought: BM25,
    /// and cosines of which those below nought are left out.
    ///
    /// # Source
    ///
    /// The theoretical minimum and the maximum of Bruch, Gai, Ingber, TOIS 2023.
    MinMax,
    /// Standard deviations above the least of its list, beside the best of its list.
    ZScore,
    /// Reciprocal ranks, `1 / (constant + rank)`, rank counted from 1.
    ///
    /// # Source
    ///
    /// Cormack, Clarke, Buettcher, SIGIR 2009.
    Rank {
        /// The constant.
        constant: f64,
    },
}

/// A ranked list, best first, and what it weighs.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedList<T> {
    /// What its scores are multiplied with once they are comparable.
    pub weight: f64,
    /// The items with their raw scores.
    pub items: Vec<(T, f64)>,
}

/// Makes the scores of a list comparable.
///
/// # Shape
///
/// One a score, in the order given; never negative, and finite where the scores are.
pub fn calibrate(scores: &[f64], by: Calibration) -> Vec<f64> {
    let best = scores.iter().copied().fold(0.0, f64::max);
    let least = scores.iter().copied().fold(best, f64::min);
    match by {
        Calibration::MinMax if best > 0.0 => scores.iter().map(|it| it.max(0.0) / best).collect(),
        Calibration::ZScore => {
            let n = scores.iter().fold(0.0, |n, _| n + 1.0_f64).max(1.0);
            let mean = scores.iter().sum::<f64>() / n;
            let variance = scores.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / n;
            let deviation = variance.sqrt();
            if deviation > 0.0 {
                scores.iter().map(|it| (it - least) / deviation).collect()
            } else {
                vec![1.0; scores.len()]
            }
        }
        Calibration::MinMax => vec![0.0; scores.len()],
        Calibration::Rank { constant } => scores
            .iter()
            .zip(1_u32..)
            .map(|(_, rank)| 1.0 / (constant + f64::from(rank)))
            .collect(),
    }
}

/// Joins ranked lists into one: an item's score is the sum over lists of the list's weight times
/// the item's calibrated score. An item that a list holds twice counts at its first place.
///
/// # Shape
///
/// Each item once, by falling score, ties in order of the items.
pub fn fuse<T: Ord + Clone>(lists: &[WeightedList<T>], by: Calibration) -> Vec<(T, f64)> {
    let mut fused: BTreeMap<T, f64> = BTreeMap::new();
    for list in lists {
        let raw: Vec<f64> = list.items.iter().map(|(_, score)| *score).collect();
        let mut first: BTreeMap<&T, f64> = BTreeMap::new();
        for ((item, _), score) in list.items.iter().zip(calibrate(&raw, by)) {
            first.entry(item).or_insert(score);
        }
        for (item, score) in first {
            *fused.entry(item.clone()).or_default() += list.weight * score;
        }
    }
    let mut fused: Vec<(T, f64)> = fused.into_iter().collect();
    fused.sort_by(|(a, x), (b, y)| y.total_cmp(x).then_with(|| a.cmp(b)));
    fused
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const RANK: Calibration = Calibration::Rank { constant: 60.0 };

    fn list<T>(weight: f64, items: Vec<(T, f64)>) -> WeightedList<T> {
        WeightedList { weight, items }
    }

    #[test]
    fn what_two_lists_hold_comes_before_what_one_holds() {
        let lists = [
            list(1.0, vec![("a", 2.0), ("b", 1.9)]),
            list(1.0, vec![("b", 7.0), ("c", 6.0)]),
        ];
        for by in [Calibration::MinMax, RANK] {
            let fused = fuse(&lists, by);
            let order: Vec<&str> = fused.iter().map(|(item, _)| *item).collect();
            assert_eq!(order, ["b", "a", "c"], "{by:?}");
        }
    }

    #[test]
    fn a_clear_winner_stays_one_by_scores_and_not_by_ranks() {
        let lists = [
            list(1.0, vec![("a", 20.0), ("b", 2.0)]),
            list(0.6, vec![("b", 0.5), ("c", 0.49)]),
        ];
        let first = |by| fuse(&lists, by).first().map(|(item, _)| *item);
        assert_eq!(first(Calibration::MinMax), Some("a"));
        assert_eq!(first(RANK), Some("b"));
    }

    fn lists() -> impl Strategy<Value = Vec<WeightedList<u8>>> {
        let items = prop::collection::vec((0_u8..30, -1.0_f64..50.0), 0..20);
        let list = (0.0_f64..2.0, items).prop_map(|(weight, mut items)| {
            items.sort_by(|a, b| b.1.total_cmp(&a.1));
            WeightedList { weight, items }
        });
        prop::collection::vec(list, 0..5)
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_every_score_is_sound(
            lists in lists(),
            by in prop::sample::select(vec![Calibration::MinMax, Calibration::ZScore, RANK]),
        ) {
            let fused = fuse(&lists, by);
            let mut expected: Vec<u8> =
                lists.iter().flat_map(|it| it.items.iter().map(|(item, _)| *item)).collect();
            expected.sort_unstable();
            expected.dedup();
            let mut found: Vec<u8> = fused.iter().map(|(item, _)| *item).collect();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
            prop_assert!(fused.windows(2).all(|pair| pair[0].1 >= pair[1].1));
            prop_assert!(fused.iter().all(|(_, score)| score.is_finite() && *score >= 0.0));
        }

        #[test]
        fn a_list_keeps_its_order_by_itself(
            list in lists().prop_filter_map("none", |all| all.into_iter().next()),
            by in prop::sample::select(vec![Calibration::MinMax, Calibration::ZScore, RANK]),
        ) {
            let raw: Vec<f64> = list.items.iter().map(|(_, score)| *score).collect();
            let calibrated = calibrate(&raw, by);
            prop_assert_eq!(calibrated.len(), raw.len());
            prop_assert!(calibrated.windows(2).all(|pair| pair[0] >= pair[1]));
        }
    }
}
