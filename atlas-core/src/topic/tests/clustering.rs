use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::given::{channel, fact, tagged};
use crate::model::{FactId, TopicId};
use crate::topic::{
    Clustering, Mark, Point, TopicSettings, VectorSum, assign, cluster_all, keep_ids,
};

/// Facts around a few directions, some with tags, in an order that is not that of time.
fn points() -> impl Strategy<Value = Vec<Point>> {
    let one = (0_u32..500, 0_usize..4, -0.6_f32..0.6, 0_usize..5);
    prop::collection::vec(one, 1..60).prop_map(|given| {
        let mut known = BTreeSet::new();
        let mut points = Vec::new();
        for (hour, direction, noise, tag) in given {
            let text = format!("said in hour {hour}");
            if !known.insert(hour) {
                continue;
            }
            let mut vector = vec![noise, -noise, noise * noise, 0.0];
            vector[direction] += 1.0;
            let tags: &[&str] = match tag {
                0 => &["maps"],
                1 => &["billing"],
                2 => &["maps", "billing"],
                _ => &[],
            };
            points.push(Point::of(&tagged(hour, &text, tags), vector));
        }
        points
    })
}

fn small() -> TopicSettings {
    TopicSettings {
        max_members: 6,
        ..TopicSettings::default()
    }
}

fn by_fact(made: &Clustering) -> BTreeMap<FactId, TopicId> {
    let pairs = made.memberships.iter();
    pairs
        .map(|it| (it.fact.clone(), it.topic.clone()))
        .collect()
}

/// P-CL1, P-CL3 and P-CL4: one topic a fact, counts and sums are those of the members, no topic is
/// empty or too large.
fn check_whole(points: &[Point], made: &Clustering, settings: &TopicSettings) {
    assert_eq!(made.memberships.len(), points.len());
    let of = by_fact(made);
    assert_eq!(of.len(), points.len());
    let named: BTreeSet<&TopicId> = of.values().collect();
    assert_eq!(named.len(), made.topics.len());
    for topic in &made.topics {
        let mut sum = VectorSum::default();
        let members = points.iter().filter(|it| of[&it.fact] == topic.id);
        let n = members.map(|it| sum.add(&it.vector)).count();
        assert!(n > 0 && n <= settings.max_members);
        assert_eq!(topic.n_members, n as u64);
        assert_eq!(topic.vector_sum, sum.into_vec());
    }
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "what was exercised is part of the result"
)]
fn clustering_is_whole_and_knows_no_order() {
    let mut exercised = (0, 0, 0);
    let mut runner = TestRunner::new(Config::with_cases(300));
    let cases = (points(), any::<prop::sample::Index>(), any::<bool>());
    let exercised_in = std::cell::RefCell::new(&mut exercised);
    runner
        .run(&cases, |(points, cut, reverses)| {
            let settings = small();
            let made = cluster_all(&channel(), points.clone(), &settings);
            check_whole(&points, &made, &settings);
            // P-CL5: any order gives the same.
            let mut shuffled = points.clone();
            shuffled.rotate_left(cut.index(points.len()));
            if reverses {
                shuffled.reverse();
            }
            prop_assert_eq!(&cluster_all(&channel(), shuffled, &settings), &made);
            // A second round without newcomers moves nobody between topics that stand.
            let again = assign(&channel(), points.clone(), &by_fact(&made), &settings);
            check_whole(&points, &again, &settings);
            prop_assert_eq!(again.n_assigned, 0);
            // Some come later, and some have left: still whole, and order does not matter.
            let (early, _) = points.split_at(cut.index(points.len()));
            let first = cluster_all(&channel(), early.to_vec(), &settings);
            let mut rest = points.clone();
            rest.remove(cut.index(points.len()));
            let later = assign(&channel(), rest.clone(), &by_fact(&first), &settings);
            check_whole(&rest, &later, &settings);
            let mut turned = rest.clone();
            turned.reverse();
            let same = assign(&channel(), turned, &by_fact(&first), &settings);
            prop_assert_eq!(same, later);
            let mut counts = exercised_in.borrow_mut();
            counts.0 += made.n_splits;
            counts.1 += made.n_merges;
            counts.2 += usize::from(made.topics.len() < points.len());
            Ok(())
        })
        .unwrap();
    let (splits, merges, gathered) = exercised;
    println!("exercised: {splits} splits, {merges} merges, {gathered} cases that gather");
    assert!(splits >= 50 && merges >= 5 && gathered >= 100);
}

/// P-CL3 by an oracle that knows cosines only: the newcomer joins the nearest centre above the
/// threshold, else it begins a topic.
#[test]
#[expect(
    clippy::cast_precision_loss,
    reason = "an oracle needs no more than 53 bits"
)]
fn a_newcomer_joins_the_nearest_centre() {
    let settings = TopicSettings {
        overlap_weight: 0.0,
        merge_above: 2.0,
        ..TopicSettings::default()
    };
    let cosine = |sum: &[i64], vector: &[f32]| {
        let dot: f64 = (sum.iter().zip(vector))
            .map(|(x, y)| *x as f64 * f64::from(*y))
            .sum();
        let of_sum: f64 = sum.iter().map(|x| (*x as f64).powi(2)).sum();
        let of_vector: f64 = vector.iter().map(|y| f64::from(*y).powi(2)).sum();
        dot / (of_sum.sqrt() * of_vector.sqrt())
    };
    proptest!(Config::with_cases(200), |(points in points())| {
        let mut points = points;
        let newcomer = points.pop().unwrap();
        let before = cluster_all(&channel(), points.clone(), &settings);
        let current = by_fact(&before);
        points.push(newcomer.clone());
        let after = by_fact(&assign(&channel(), points, &current, &settings));
        let nearest = before
            .topics
            .iter()
            .map(|it| (cosine(&it.vector_sum, &newcomer.vector), &it.id))
            .filter(|(cosine, _)| *cosine > settings.assign_above)
            .max_by(|x, y| x.0.total_cmp(&y.0).then_with(|| y.1.cmp(x.1)));
        match nearest {
            Some((_, id)) => prop_assert_eq!(&after[&newcomer.fact], id),
            None => prop_assert!(!before.topics.iter().any(|it| it.id == after[&newcomer.fact])),
        }
    });
}

#[test]
fn a_fact_joins_the_nearest_topic_above_the_threshold() {
    let settings = TopicSettings::default();
    let mut said = 0;
    let mut point = |vector: [f32; 2]| {
        said += 1;
        Point::of(&fact(said, &format!("said {said}")), vector.to_vec())
    };
    // cos 45° = 0.707 is above 0.6; cos 60° = 0.5 is not.
    let (east, north_east, north) = (point([1.0, 0.0]), point([1.0, 1.0]), point([-0.5, 0.866]));
    let made = cluster_all(
        &channel(),
        vec![east.clone(), north_east.clone()],
        &settings,
    );
    assert_eq!(made.topics.len(), 1);
    let made = cluster_all(&channel(), vec![east, north], &settings);
    assert_eq!(made.topics.len(), 2);
}

#[test]
fn rare_names_in_common_join_what_vectors_do_not() {
    let settings = TopicSettings::default();
    let mut points: Vec<Point> = (0..20)
        .map(|hour| {
            let mut vector = vec![0.0; 20];
            vector[hour as usize] = 1.0;
            let tags: &[&str] = if hour % 10 == 3 {
                &["geocoding", "team"]
            } else {
                &["team"]
            };
            Point::of(&tagged(hour, &format!("said {hour}"), tags), vector)
        })
        .collect();
    let made = cluster_all(&channel(), points.clone(), &settings);
    // What everybody names joins nobody.
    assert_eq!(made.topics.len(), 19);
    assert!(
        points
            .iter()
            .all(|it| it.marks.contains(&Mark::Word("team".to_owned())))
    );
    for point in &mut points {
        point.marks.remove(&Mark::Word("geocoding".to_owned()));
    }
    assert_eq!(cluster_all(&channel(), points, &settings).topics.len(), 20);
}

#[test]
fn an_heir_keeps_its_id() {
    let of = |names: &[(u32, &str)]| -> BTreeMap<FactId, TopicId> {
        let pairs = names.iter();
        pairs
            .map(|(n, topic)| (fact(*n, &format!("said {n}")).id, TopicId::new(*topic)))
            .collect()
    };
    let points = (1..=5).map(|n| {
        let vector = if n <= 3 { [1.0, 0.0] } else { [0.0, 1.0] };
        Point::of(&fact(n, &format!("said {n}")), vector.to_vec())
    });
    let made = cluster_all(&channel(), points.collect(), &TopicSettings::default());
    assert_eq!(made.topics.len(), 2);
    let former = of(&[
        (1, "old"),
        (2, "old"),
        (3, "old"),
        (4, "gone"),
        (9, "gone"),
        (8, "gone"),
    ]);
    let kept = keep_ids(&channel(), made.clone(), &former);
    let topics = by_fact(&kept);
    assert_eq!(topics[&fact(2, "said 2").id], TopicId::new("old"));
    // One of four is no heir.
    assert_eq!(
        topics[&fact(4, "said 4").id],
        by_fact(&made)[&fact(4, "said 4").id]
    );
    assert_eq!(topics.len(), 5);
}
