//! Topics that are near each other become one.

use super::TopicSettings;
use super::affinity;
use super::cluster::Cluster;
use super::point::Space;

/// Merges pairs above the threshold whose union fits, until there is none. Answers how many.
///
/// Each round looks at all pairs as they stand at its beginning, the nearest first, ties by the
/// first members; a topic takes part in one merge a round. Pairs that did not change are not
/// looked at. The larger keeps its id; of two equal ones that with the first member.
pub(super) fn merge_all(
    space: &Space,
    clusters: &mut Vec<Cluster>,
    settings: &TopicSettings,
) -> usize {
    let mut n_merges = 0;
    loop {
        clusters.sort_by_key(Cluster::first);
        let mut partner: Vec<Option<usize>> = vec![None; clusters.len()];
        let mut is_gone = vec![false; clusters.len()];
        for (_, a, b) in pairs(space, clusters, settings) {
            let free = |at: usize| {
                partner.get(at).is_some_and(Option::is_none) && is_gone.get(at) == Some(&false)
            };
            if free(a) && free(b) {
                if let Some(slot) = partner.get_mut(a) {
                    *slot = Some(b);
                }
                if let Some(slot) = is_gone.get_mut(b) {
                    *slot = true;
                }
            }
        }
        let n_round = partner.iter().flatten().count();
        if n_round == 0 {
            return n_merges;
        }
        n_merges += n_round;
        let unions: Vec<Cluster> = (clusters.iter().zip(&partner))
            .zip(&is_gone)
            .filter(|(_, is_gone)| !**is_gone)
            .map(
                |((a, partner), _)| match partner.and_then(|b| clusters.get(b)) {
                    Some(b) => union(space, a, b),
                    None => Cluster {
                        is_touched: false,
                        ..a.clone()
                    },
                },
            )
            .collect();
        *clusters = unions;
    }
}

fn pairs(
    space: &Space,
    clusters: &[Cluster],
    settings: &TopicSettings,
) -> Vec<(f64, usize, usize)> {
    let mut near = Vec::new();
    for (i, a) in clusters.iter().enumerate() {
        for (j, b) in clusters.iter().enumerate().skip(i + 1) {
            let fits = a.members.len() + b.members.len() <= settings.max_members;
            if !fits || !(a.is_touched || b.is_touched) {
                continue;
            }
            let affinity = affinity::between(space, a, b, settings);
            if affinity > settings.merge_above {
                near.push((affinity, i, j));
            }
        }
    }
    near.sort_by(|x, y| {
        y.0.total_cmp(&x.0)
            .then_with(|| (x.1, x.2).cmp(&(y.1, y.2)))
    });
    near
}

/// The union of two topics, `a` being the one with the first member.
fn union(space: &Space, a: &Cluster, b: &Cluster) -> Cluster {
    let keeps = if b.members.len() > a.members.len() {
        b
    } else {
        a
    };
    let members = a.members.union(&b.members).copied();
    Cluster {
        is_touched: true,
        ..Cluster::new(keeps.id.clone(), space, members)
    }
}
