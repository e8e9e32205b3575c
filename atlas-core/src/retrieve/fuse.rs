//! Ranked lists to one.

use std::collections::BTreeMap;

/// Joins ranked lists into one by weighted reciprocal rank fusion.
///
/// An item's score is the sum over lists of `weight / (constant + rank)`, rank counted from 1. An
/// item that a list holds twice counts at its first place.
///
/// # Shape
///
/// Each item once, by falling score, ties in order of the items.
///
/// # Source
///
/// Cormack, Clarke, Buettcher, SIGIR 2009.
pub fn fuse<T: Ord + Clone>(lists: &[(f64, Vec<T>)], constant: f64) -> Vec<(T, f64)> {
    let mut scores: BTreeMap<T, f64> = BTreeMap::new();
    for (weight, list) in lists {
        let mut first: BTreeMap<&T, u32> = BTreeMap::new();
        for (item, rank) in list.iter().zip(1_u32..) {
            first.entry(item).or_insert(rank);
        }
        for (item, rank) in first {
            *scores.entry(item.clone()).or_default() += weight / (constant + f64::from(rank));
        }
    }
    let mut fused: Vec<(T, f64)> = scores.into_iter().collect();
    fused.sort_by(|(a, x), (b, y)| y.total_cmp(x).then_with(|| a.cmp(b)));
    fused
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_two_lists_hold_comes_before_what_one_holds() {
        let fused = fuse(&[(1.0, vec!["a", "b"]), (1.0, vec!["b", "c"])], 60.0);
        let order: Vec<&str> = fused.iter().map(|(item, _)| *item).collect();
        assert_eq!(order, ["b", "a", "c"]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_the_order_of_lists_does_not_matter(
            lists in prop::collection::vec(prop::collection::vec(0_u8..30, 0..20), 0..5),
        ) {
            let weighted: Vec<(f64, Vec<u8>)> = lists.iter().map(|it| (1.0, it.clone())).collect();
            let fused = fuse(&weighted, 60.0);
            let mut expected: Vec<u8> = lists.concat();
            expected.sort_unstable();
            expected.dedup();
            let mut found: Vec<u8> = fused.iter().map(|(item, _)| *item).collect();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
            prop_assert!(fused.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        }
    }
}
