//! A topic in two, by two means.

use super::TopicSettings;
use super::affinity;
use super::cluster::Cluster;
use super::point::Space;
use crate::model::TopicId;

/// Rounds after which the parts are taken as they are.
const MAX_ROUNDS: usize = 20;

/// Splits members, given in canonical order, into two parts, none of them empty.
///
/// The seeds are the two that are farthest from each other, the earliest such pair; then each
/// member goes to the nearer part until none moves. Members that two means cannot tell apart are
/// cut in the middle of the canonical order: the earlier and the later.
///
/// # Shape
///
/// At least two members go in. Both parts are in canonical order.
pub(super) fn split(
    space: &Space,
    members: &[usize],
    settings: &TopicSettings,
) -> (Vec<usize>, Vec<usize>) {
    let in_the_middle = || {
        let (earlier, later) = members.split_at(members.len() / 2);
        (earlier.to_vec(), later.to_vec())
    };
    let Some((a, b)) = farthest(space, members, settings) else {
        return in_the_middle();
    };
    let mut parts = (vec![a], vec![b]);
    for _ in 0..MAX_ROUNDS {
        let left = part(space, &parts.0);
        let right = part(space, &parts.1);
        let nearer: (Vec<usize>, Vec<usize>) = members.iter().partition(|member| {
            let to = |cluster| affinity::to_topic(space, **member, cluster, settings);
            to(&left) >= to(&right)
        });
        if nearer.0.is_empty() || nearer.1.is_empty() {
            return in_the_middle();
        }
        if nearer == parts {
            break;
        }
        parts = nearer;
    }
    parts
}

fn part(space: &Space, members: &[usize]) -> Cluster {
    Cluster::new(TopicId::new(""), space, members.iter().copied())
}

/// The pair of the least affinity; none if there is no pair.
fn farthest(space: &Space, members: &[usize], settings: &TopicSettings) -> Option<(usize, usize)> {
    let alone: Vec<Cluster> = members.iter().map(|it| part(space, &[*it])).collect();
    let pairs = alone.iter().enumerate().flat_map(|(place, a)| {
        let later = alone.iter().skip(place + 1);
        later.map(move |b| (affinity::between(space, a, b, settings), a, b))
    });
    // The first of equal pairs is kept.
    pairs
        .min_by(|x, y| x.0.total_cmp(&y.0))
        .map(|(_, a, b)| (a.first(), b.first()))
}
