//! Judgements to standings: where a fact stands is a fold over what was judged.
//!
//! Judgements name unordered pairs; the direction is computed here. Facts are ordered by their
//! latest evidence, so what was said later stands, whenever it arrived, and restating an old claim
//! revives it. The order is total, so supersession has no cycle and ends at a fact that stands.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{
    AtomicFact, Evidence, FactId, FactState, Fingerprint, Interval, Judge, Judged, Judgement,
    Standing, Timestamp, Verdict,
};

/// The standings of facts under judgements, one a fact, in order of id.
///
/// `facts` must hold every fact that is joined to another one by a judgement; judgements that name
/// a fact that is not there are passed over. Where several detectors judged a pair, the verdict of
/// `current` counts, and else the surest.
pub fn fold(
    facts: &[&AtomicFact],
    judgements: &[&Judgement],
    current: Option<&Fingerprint>,
) -> Vec<Standing> {
    let facts: BTreeMap<&FactId, &AtomicFact> = facts.iter().map(|it| (&it.id, *it)).collect();
    let single = single_verdicts(judgements);
    let pairs = pair_verdicts(&facts, judgements, current, &single);
    let is_out = |id: &FactId| {
        matches!(
            single.get(id),
            Some((Verdict::Reject | Verdict::Withdraw, _))
        )
    };
    let groups = Groups::of(&facts, &pairs, &is_out);
    let rivals = rivals(&pairs, &groups, &is_out);
    let disputes = disputes(&pairs, &groups);
    facts
        .iter()
        .map(|(id, fact)| Standing {
            fact: (*id).clone(),
            state: state(id, &single, (&groups, &rivals), &disputes),
            validity: validity(fact, id, (&groups, &rivals), is_out(id)),
        })
        .collect()
}

/// The verdict that binds a single fact, with when it was given: the last one of a person, or the
/// last one at all.
fn single_verdicts<'a>(judgements: &[&'a Judgement]) -> BTreeMap<&'a FactId, (Verdict, Timestamp)> {
    let mut binding: BTreeMap<&FactId, &Judgement> = BTreeMap::new();
    for judgement in judgements {
        let Judged::Fact(fact) = &judgement.judged else {
            continue;
        };
        let rank = |it: &Judgement| {
            (
                matches!(it.judge, Judge::Person(_)),
                it.recorded_at,
                it.id.clone(),
            )
        };
        let held = binding.entry(fact).or_insert(judgement);
        if rank(judgement) > rank(held) {
            *held = judgement;
        }
    }
    binding
        .into_iter()
        .map(|(id, it)| (id, (it.verdict.clone(), it.recorded_at)))
        .collect()
}

/// What binds each pair of facts that are both there.
type Pairs<'a> = BTreeMap<(&'a FactId, &'a FactId), Verdict>;

fn pair_verdicts<'a>(
    facts: &BTreeMap<&'a FactId, &'a AtomicFact>,
    judgements: &[&'a Judgement],
    current: Option<&Fingerprint>,
    single: &BTreeMap<&'a FactId, (Verdict, Timestamp)>,
) -> Pairs<'a> {
    let restored_at = |id: &FactId| match single.get(id) {
        Some((Verdict::Restore, at)) => Some(*at),
        _ => None,
    };
    let mut binding: BTreeMap<(&FactId, &FactId), &Judgement> = BTreeMap::new();
    for judgement in judgements {
        let Judged::Pair(a, b) = &judgement.judged else {
            continue;
        };
        if !facts.contains_key(a) || !facts.contains_key(b) {
            continue;
        }
        // A restored fact counts again, whatever was judged of it until then.
        let is_undone = [a, b]
            .into_iter()
            .filter_map(restored_at)
            .any(|restored_at| judgement.recorded_at <= restored_at);
        if is_undone {
            continue;
        }
        let held = binding.entry((a, b)).or_insert(judgement);
        if rank(judgement, current) > rank(held, current) {
            *held = judgement;
        }
    }
    binding
        .into_iter()
        .map(|(pair, it)| (pair, it.verdict.clone()))
        .collect()
}

/// People before detectors, a person's rejection before all; then the current detector, then the
/// surest.
fn rank<'a>(judgement: &'a Judgement, current: Option<&Fingerprint>) -> impl Ord + use<'a> {
    let (who, at) = match &judgement.judge {
        Judge::Person(_) if judgement.verdict == Verdict::Reject => (3, None),
        Judge::Person(_) => (2, Some(judgement.recorded_at)),
        Judge::Detector(fingerprint) if Some(fingerprint) == current => (1, None),
        Judge::Detector(_) => (0, None),
    };
    (who, at, judgement.confidence, &judgement.id)
}

/// Facts that say the same, under the earliest of them.
struct Groups<'a> {
    head_of: BTreeMap<&'a FactId, &'a FactId>,
    evidence: BTreeMap<&'a FactId, Vec<&'a Evidence>>,
}

impl<'a> Groups<'a> {
    fn of(
        facts: &BTreeMap<&'a FactId, &'a AtomicFact>,
        pairs: &Pairs<'a>,
        is_out: &dyn Fn(&FactId) -> bool,
    ) -> Self {
        let mut head_of: BTreeMap<&FactId, &FactId> = facts.keys().map(|id| (*id, *id)).collect();
        // Those that say the same as a head, itself left out.
        let mut members: BTreeMap<&FactId, Vec<&FactId>> = BTreeMap::new();
        let begun = |id: &FactId| {
            facts
                .get(id)
                .and_then(|it| it.first())
                .map(|it| (it.sent_at, &it.message, it.span))
        };
        for ((a, b), verdict) in pairs {
            if *verdict != Verdict::Duplicate || is_out(a) || is_out(b) {
                continue;
            }
            let (Some(x), Some(y)) = (head_of.get(a).copied(), head_of.get(b).copied()) else {
                continue;
            };
            let (first, second) = if (begun(x), x) <= (begun(y), y) {
                (x, y)
            } else {
                (y, x)
            };
            if first == second {
                continue;
            }
            let mut moved = members.remove(second).unwrap_or_default();
            moved.push(second);
            head_of.extend(moved.iter().map(|id| (*id, first)));
            members.entry(first).or_default().extend(moved);
        }
        let mut evidence: BTreeMap<&FactId, Vec<&Evidence>> = BTreeMap::new();
        for (id, fact) in facts {
            if let Some(head) = head_of.get(id) {
                evidence.entry(head).or_default().extend(&fact.evidence);
            }
        }
        for said in evidence.values_mut() {
            said.sort_by_key(|it| it.order());
        }
        Self { head_of, evidence }
    }

    fn head(&self, id: &'a FactId) -> &'a FactId {
        self.head_of.get(id).copied().unwrap_or(id)
    }

    fn evidence(&self, head: &FactId) -> &[&'a Evidence] {
        self.evidence.get(head).map_or(&[], Vec::as_slice)
    }

    /// The order of groups: by their latest evidence, ties by id.
    fn order(&self, head: &'a FactId) -> impl Ord + use<'a> {
        let latest = self
            .evidence(head)
            .last()
            .map(|it| (it.sent_at, &it.message, it.span));
        (latest, head)
    }
}

/// For each group the groups that cannot be so at the same time.
type Rivals<'a> = BTreeMap<&'a FactId, BTreeSet<&'a FactId>>;

fn rivals<'a>(
    pairs: &Pairs<'a>,
    groups: &Groups<'a>,
    is_out: &dyn Fn(&FactId) -> bool,
) -> Rivals<'a> {
    let mut rivals: Rivals<'a> = BTreeMap::new();
    for ((a, b), verdict) in pairs {
        // Who is out does not take anybody's place.
        if *verdict != Verdict::Supersede || is_out(a) || is_out(b) {
            continue;
        }
        let (a, b) = (groups.head(a), groups.head(b));
        if a != b {
            rivals.entry(a).or_default().insert(b);
            rivals.entry(b).or_default().insert(a);
        }
    }
    rivals
}

/// For each group the groups that speak against it.
fn disputes<'a>(pairs: &Pairs<'a>, groups: &Groups<'a>) -> Rivals<'a> {
    let mut disputes: Rivals<'a> = BTreeMap::new();
    for ((a, b), verdict) in pairs {
        if *verdict != Verdict::Dispute {
            continue;
        }
        let (a, b) = (groups.head(a), groups.head(b));
        if a != b {
            disputes.entry(a).or_default().insert(b);
            disputes.entry(b).or_default().insert(a);
        }
    }
    disputes
}

/// The group that stands where this one stood; itself if none took its place.
fn successor<'a>(head: &'a FactId, groups: &Groups<'a>, rivals: &Rivals<'a>) -> &'a FactId {
    let mut at = head;
    // LC-2: ends, since each step goes up in a total order.
    loop {
        let later = rivals.get(at).into_iter().flatten().copied();
        let later = later.filter(|other| groups.order(other) > groups.order(at));
        match later.min_by_key(|other| groups.order(other)) {
            Some(next) => at = next,
            None => return at,
        }
    }
}

fn state<'a>(
    id: &'a FactId,
    single: &BTreeMap<&'a FactId, (Verdict, Timestamp)>,
    (groups, rivals): (&Groups<'a>, &Rivals<'a>),
    disputes: &Rivals<'a>,
) -> FactState {
    match single.get(id).map(|(verdict, _)| verdict) {
        Some(Verdict::Reject) => return FactState::Rejected,
        Some(Verdict::Withdraw) => return FactState::Withdrawn,
        _ => {}
    }
    let head = groups.head(id);
    if head != id {
        return FactState::Duplicate { of: head.clone() };
    }
    let standing = successor(head, groups, rivals);
    if standing != head {
        return FactState::Superseded {
            by: standing.clone(),
        };
    }
    if matches!(single.get(id), Some((Verdict::Expire, _))) {
        return FactState::Expired;
    }
    let is_standing = |other: &'a FactId| {
        let is_out = matches!(
            single.get(other),
            Some((Verdict::Reject | Verdict::Withdraw | Verdict::Expire, _))
        );
        !is_out && successor(other, groups, rivals) == other
    };
    let with: BTreeSet<FactId> = disputes
        .get(head)
        .into_iter()
        .flatten()
        .filter(|other| is_standing(other))
        .map(|other| (*other).clone())
        .collect();
    if with.is_empty() {
        FactState::Live
    } else {
        FactState::Disputed {
            with: with.into_iter().collect(),
        }
    }
}

/// When a fact was so: from when it was said until a rival was said, and again from when it was
/// said again. LC-4: no rival holds at the same time.
fn validity<'a>(
    fact: &AtomicFact,
    id: &'a FactId,
    (groups, rivals): (&Groups<'a>, &Rivals<'a>),
    is_out: bool,
) -> Vec<Interval> {
    if is_out {
        return Vec::new();
    }
    let head = groups.head(id);
    let mut events: Vec<(&Evidence, bool)> =
        groups.evidence(head).iter().map(|it| (*it, true)).collect();
    for rival in rivals.get(head).into_iter().flatten() {
        events.extend(groups.evidence(rival).iter().map(|it| (*it, false)));
    }
    events.sort_by(|(a, _), (b, _)| a.order().cmp(&b.order()));
    let mut spans: Vec<Interval> = Vec::new();
    let mut open: Option<Timestamp> = None;
    for (evidence, is_own) in events {
        match (is_own, open) {
            (true, None) => open = Some(evidence.sent_at),
            (false, Some(start)) => {
                spans.push(Interval {
                    start,
                    end: Some(evidence.sent_at),
                });
                open = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    spans.extend(open.map(Interval::since));
    let limit = fact.claim.valid_until;
    spans
        .into_iter()
        .map(|span| match (span.end, limit) {
            (Some(end), Some(limit)) => Interval {
                end: Some(end.min(limit)),
                ..span
            },
            (None, limit) => Interval { end: limit, ..span },
            (Some(_), None) => span,
        })
        .filter(|span| span.end.is_none_or(|end| span.start < end))
        .collect()
}
