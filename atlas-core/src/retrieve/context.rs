//! What stands around a message counts for it: the message before it, the one after it, and its
//! session.
//!
//! A turn of a conversation often answers in words that stand in the turn before it, and the turns
//! that answer one question lie together. So the score of a hit is its own, plus a share of those of
//! its neighbours, plus a share of its session's, which is the sum of the session's three best.

use std::collections::BTreeMap;
use std::time::Duration;

use super::RetrieveSettings;
use crate::model::{MessageId, NativeId, SourceId, Timestamp};

/// Hits of a session that speak for it.
const BEST_OF_SESSION: usize = 3;

/// A hit, as far as its surroundings go.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// The message that it stands on first.
    pub message: MessageId,
    /// The root of that message's thread, if it is a reply.
    pub thread_root: Option<NativeId>,
    /// When that was said.
    pub said_at: Timestamp,
    /// Its own score, not negative.
    pub score: f64,
    /// Whether somebody said it whom the question names.
    pub is_by_named: bool,
    /// Whether it was said in a time that the question names.
    pub is_in_time: bool,
}

/// The scores of hits among their surroundings. `next` gives the message that follows a message in
/// its thread or channel, as far as that is known.
///
/// # Shape
///
/// One a hit, in the order given.
pub fn rescore(
    hits: &[Placed],
    next: &BTreeMap<MessageId, MessageId>,
    settings: &RetrieveSettings,
) -> Vec<f64> {
    let best = greatest(hits.iter().map(|it| it.score));
    let mut own: BTreeMap<&MessageId, f64> = BTreeMap::new();
    for hit in hits {
        let score = own.entry(&hit.message).or_default();
        *score = score.max(hit.score / best);
    }
    let of = |message: Option<&MessageId>| message.and_then(|it| own.get(it)).copied();
    let previous: BTreeMap<&MessageId, &MessageId> =
        next.iter().map(|(before, after)| (after, before)).collect();
    let windows: Vec<f64> = hits
        .iter()
        .map(|hit| {
            let before = of(previous.get(&hit.message).copied()).unwrap_or_default();
            let after = of(next.get(&hit.message)).unwrap_or_default();
            hit.score / best + settings.weight_previous * before + settings.weight_next * after
        })
        .collect();
    let best = greatest(windows.iter().copied());
    let sessions = sessions(hits, settings.session_gap);
    let mut by_session: BTreeMap<usize, BTreeMap<&MessageId, f64>> = BTreeMap::new();
    for ((hit, session), score) in hits.iter().zip(&sessions).zip(&windows) {
        let of_message = by_session.entry(*session).or_default();
        let kept = of_message.entry(&hit.message).or_default();
        *kept = kept.max(*score);
    }
    let priors: BTreeMap<usize, f64> = by_session
        .into_iter()
        .map(|(session, of_message)| {
            let mut scores: Vec<f64> = of_message.into_values().collect();
            scores.sort_by(|a, b| b.total_cmp(a));
            (session, scores.iter().take(BEST_OF_SESSION).sum())
        })
        .collect();
    let best_prior = greatest(priors.values().copied());
    hits.iter()
        .zip(&sessions)
        .zip(&windows)
        .map(|((hit, session), window)| {
            let prior = priors.get(session).copied().unwrap_or_default();
            let bonus = |weight: f64, is_so: bool| if is_so { weight } else { 0.0 };
            window / best
                + settings.weight_session * prior / best_prior
                + bonus(settings.weight_speaker, hit.is_by_named)
                + bonus(settings.weight_time, hit.is_in_time)
        })
        .collect()
}

/// The greatest score, or one if none is above nought.
fn greatest(scores: impl Iterator<Item = f64>) -> f64 {
    let best = scores.fold(0.0, f64::max);
    if best > 0.0 { best } else { 1.0 }
}

/// The number of each hit's session: its thread, or a run of the found messages of a channel and
/// source with no gap above the given.
fn sessions(hits: &[Placed], gap: Duration) -> Vec<usize> {
    let mut order: Vec<(usize, &Placed)> = hits.iter().enumerate().collect();
    let line = |hit: &Placed| (hit.message.channel.clone(), hit.message.source.clone());
    order.sort_by(|(_, a), (_, b)| {
        (line(a), a.said_at, &a.message).cmp(&(line(b), b.said_at, &b.message))
    });
    let mut threads: BTreeMap<(SourceId, MessageId), usize> = BTreeMap::new();
    let mut sessions = vec![0; hits.len()];
    let mut last: Option<&Placed> = None;
    let mut n_sessions = 0;
    let mut run = 0;
    for (at, hit) in order {
        let session = if let Some(root) = &hit.thread_root {
            let root = MessageId {
                native: root.clone(),
                ..hit.message.clone()
            };
            *threads
                .entry((hit.message.source.clone(), root))
                .or_insert_with(|| {
                    n_sessions += 1;
                    n_sessions
                })
        } else {
            let goes_on = last.is_some_and(|last| {
                line(last) == line(hit) && hit.said_at.duration_since(last.said_at) <= gap
            });
            if !goes_on {
                n_sessions += 1;
                run = n_sessions;
            }
            last = Some(hit);
            run
        };
        if let Some(slot) = sessions.get_mut(at) {
            *slot = session;
        }
    }
    sessions
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::ChannelId;

    fn id(native: u32) -> MessageId {
        let native = NativeId::new(native.to_string());
        MessageId::new(SourceId::new("s"), ChannelId::new("c"), native)
    }

    fn placed(native: u32, minute: i64, score: f64) -> Placed {
        Placed {
            message: id(native),
            thread_root: None,
            said_at: Timestamp::MIN.saturating_add_micros(minute * 60_000_000),
            score,
            is_by_named: false,
            is_in_time: false,
        }
    }

    fn settings() -> RetrieveSettings {
        RetrieveSettings::default()
    }

    #[test]
    fn the_answer_after_a_question_is_lifted_over_a_stranger() {
        let hits = [placed(1, 0, 1.0), placed(2, 1, 0.0), placed(3, 9_000, 0.05)];
        let next = BTreeMap::from([(id(1), id(2))]);
        let scores = rescore(&hits, &next, &settings());
        assert!(scores[0] > scores[1] && scores[1] > scores[2], "{scores:?}");
        let alone = rescore(
            &hits,
            &BTreeMap::new(),
            &RetrieveSettings {
                weight_session: 0.0,
                ..settings()
            },
        );
        assert!(alone[2] > alone[1], "{alone:?}");
    }

    #[test]
    fn a_session_is_a_run_or_a_thread() {
        let mut reply = placed(4, 5, 1.0);
        reply.thread_root = Some(NativeId::new("1"));
        let hits = [
            placed(1, 0, 1.0),
            placed(2, 360, 1.0),
            placed(3, 721, 1.0),
            reply,
        ];
        let found = sessions(&hits, Duration::from_hours(6));
        assert_eq!(found[0], found[1]);
        assert!(found[2] != found[0] && found[3] != found[0] && found[3] != found[2]);
    }

    #[test]
    fn who_and_when_the_question_names_count() {
        let mut by_named = placed(2, 1, 1.0);
        by_named.is_by_named = true;
        let mut in_time = placed(3, 2, 1.0);
        in_time.is_in_time = true;
        let hits = [placed(1, 0, 1.0), by_named, in_time];
        let scores = rescore(&hits, &BTreeMap::new(), &settings());
        assert!(scores[1] > scores[0] && scores[2] > scores[0], "{scores:?}");
    }

    proptest! {
        #[test]
        fn scores_are_sound_and_do_not_depend_on_the_order_of_hits(
            found in prop::collection::vec((0_u32..40, 0_i64..5_000, 0.0_f64..9.0), 0..40),
        ) {
            let hits: Vec<Placed> =
                found.iter().map(|(native, minute, score)| placed(*native, *minute, *score)).collect();
            let next: BTreeMap<MessageId, MessageId> =
                (0..40).map(|native| (id(native), id(native + 1))).collect();
            let scores = rescore(&hits, &next, &settings());
            prop_assert!(scores.iter().all(|it| it.is_finite() && *it >= 0.0));
            let turned: Vec<Placed> = hits.iter().rev().cloned().collect();
            let mut again = rescore(&turned, &next, &settings());
            again.reverse();
            for (a, b) in scores.iter().zip(&again) {
                prop_assert!((a - b).abs() < 1e-9);
            }
        }
    }
}
