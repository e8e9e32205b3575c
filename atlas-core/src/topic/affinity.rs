//! How near a fact is to a topic, and a topic to a topic.
//!
//! The affinity is the greater of two numbers:
//!
//! - the cosine of the vectors;
//! - `cosine_weight` times the cosine plus `overlap_weight` times the overlap, at most one.
//!
//! The overlap is what both have in common of tags, names of things, subjects and threads, each
//! weighted by its rarity. A mark that `n` of `N` facts have is worth `√N / (√N + n − 1)`; a mark
//! that one fact alone has is worth nothing, since nobody can share it. For a fact and a topic the
//! overlap is the fact's weight that the topic has too, where a mark of a part `p` of the members
//! counts `√p`, over the fact's whole weight. For two topics it is the lesser over the greater of
//! their shares. Weights that add up to less than `full_rarity` are divided by `full_rarity`, so
//! that one word that everybody uses makes no topic.

use std::collections::BTreeSet;

use super::TopicSettings;
use super::centroid::dot;
use super::cluster::Cluster;
use super::point::Space;

/// The affinity of a fact to a topic.
pub(super) fn to_topic(
    space: &Space,
    point: usize,
    cluster: &Cluster,
    settings: &TopicSettings,
) -> f64 {
    let (mut common, mut whole) = (0.0, 0.0);
    for mark in space.marks_of(point) {
        let rarity = space.rarity_of(*mark);
        whole += rarity;
        common += rarity * cluster.share(*mark).sqrt();
    }
    let cosine = dot(space.direction_of(point), &cluster.direction);
    mix(
        cosine,
        common / f64::max(whole, settings.full_rarity),
        settings,
    )
}

/// The affinity of two topics.
pub(super) fn between(space: &Space, a: &Cluster, b: &Cluster, settings: &TopicSettings) -> f64 {
    let marks: BTreeSet<usize> = a.marks.keys().chain(b.marks.keys()).copied().collect();
    let (mut common, mut whole) = (0.0, 0.0);
    for mark in marks {
        let rarity = space.rarity_of(mark);
        let (in_a, in_b) = (a.share(mark), b.share(mark));
        common += rarity * in_a.min(in_b);
        whole += rarity * in_a.max(in_b);
    }
    let cosine = dot(&a.direction, &b.direction);
    mix(
        cosine,
        common / f64::max(whole, settings.full_rarity),
        settings,
    )
}

fn mix(cosine: f64, overlap: f64, settings: &TopicSettings) -> f64 {
    let mixed = settings.cosine_weight * cosine + settings.overlap_weight * overlap;
    cosine.max(mixed).min(1.0)
}
