//! How decisions were replaced by later ones.

use std::collections::{BTreeMap, BTreeSet};

use atlas_core::maintain::FactTrace;
use atlas_core::model::{AtomicFact, FactId, FactKind, FactState, Judgement, Verdict};
use atlas_core::ports::{LifecycleView, Visibility};
use atlas_core::{Atlas, Channel};

use crate::failure::Failure;
use crate::load::Loaded;
use crate::print::{cited, one_line};

/// Histories that are shown.
const MAX_SHOWN: usize = 3;

/// A statement that stands with those whose place it took, the earliest first.
#[derive(Debug)]
pub(crate) struct History {
    steps: Vec<FactTrace>,
}

/// The histories of decisions, those that matter most first, as they are printed.
#[derive(Debug)]
pub(crate) struct Histories {
    shown: Vec<String>,
    in_all: usize,
}

/// Finds what was replaced in all channels: histories in which a decision was replaced.
///
/// # Errors
///
/// What the stores fail with.
pub(crate) async fn find(atlas: &Atlas, loaded: &Loaded) -> Result<Histories, Failure> {
    let mut found = Vec::new();
    for it in &loaded.channels {
        found.extend(of_channel(&atlas.channel(it.channel.id.clone())).await?);
    }
    found.sort_by_cached_key(|history| std::cmp::Reverse(weight(history)));
    let in_all = found.len();
    let shown = found.iter().take(MAX_SHOWN);
    Ok(Histories {
        shown: shown.map(|it| lines(it, loaded)).collect(),
        in_all,
    })
}

async fn of_channel(channel: &Channel) -> Result<Vec<History>, Failure> {
    let everything = Visibility {
        view: LifecycleView::All,
        ..Visibility::default()
    };
    let facts = channel.facts_seen(&everything).await?;
    let mut replaced: BTreeMap<FactId, Vec<FactId>> = BTreeMap::new();
    let mut decided: BTreeSet<FactId> = BTreeSet::new();
    for (fact, state) in &facts {
        let FactState::Superseded { by } = state else {
            continue;
        };
        replaced
            .entry(by.clone())
            .or_default()
            .push(fact.id.clone());
        if fact.claim.kind == FactKind::Decision {
            decided.insert(by.clone());
        }
    }
    let mut histories = Vec::new();
    for head in decided {
        let mut ids = replaced.remove(&head).unwrap_or_default();
        ids.push(head);
        let mut steps = Vec::new();
        for id in &ids {
            steps.extend(channel.trace(id).await?);
        }
        // A fact counts from when it was last said: that is what decided which of two is later.
        steps.sort_by(|a, b| said(a).cmp(&said(b)));
        histories.push(History { steps });
    }
    Ok(histories)
}

fn said(step: &FactTrace) -> impl Ord {
    let fact = &step.fact.value;
    let latest = fact.latest();
    let at = latest.map(|it| (it.sent_at, it.message.clone(), it.span));
    (step.state.is_visible(), at, fact.id.clone())
}

/// What matters more is greater: the weight of its facts, whether a decision took the place, how
/// often it was replaced, how late.
fn weight(history: &History) -> impl Ord + use<> {
    let facts = || history.steps.iter().map(|it| &it.fact.value);
    let importance = facts().map(|it| it.claim.importance).max();
    let head = facts().next_back();
    (
        head.map(|it| it.claim.kind == FactKind::Decision),
        importance,
        history.steps.len(),
        head.and_then(AtomicFact::latest).map(|it| it.sent_at),
        head.map(|it| it.id.clone()),
    )
}

/// The histories, or that there is none.
pub(crate) fn told(histories: &Histories) -> String {
    if histories.shown.is_empty() {
        return "History   No decision was replaced by a later one.\n\n".to_owned();
    }
    let told = histories.shown.join("\n");
    match histories.in_all - histories.shown.len() {
        0 => format!("{told}\n"),
        more => format!("{told}\n          and {more} more decisions that were replaced\n\n"),
    }
}

fn lines(history: &History, loaded: &Loaded) -> String {
    let mut lines = Vec::new();
    for (place, step) in history.steps.iter().enumerate() {
        let label = if place == 0 { "History" } else { "" };
        let stands = if step.state.is_visible() {
            "stands"
        } else {
            "replaced"
        };
        lines.push(format!(
            "{label:<10}{} ({stands})",
            one_line(step.fact.value.text())
        ));
        for evidence in &step.fact.value.evidence {
            lines.push(format!("          {}", cited(evidence, loaded)));
        }
        if let Some((judgement, successor)) = replacement(step, history) {
            let percent = judgement.confidence.get() * 100.0;
            let next = history.steps.get(place + 1);
            let by = if next.is_some_and(|it| it.fact.value.id == successor.id) {
                String::new()
            } else {
                format!(" by “{}”", one_line(successor.text()))
            };
            lines.push(format!(
                "        ↓ replaced{by}: {} (confidence {percent:.0}%)",
                one_line(&judgement.reason),
            ));
        }
    }
    lines.join("\n") + "\n"
}

/// The judgement by which a later statement of the history took the place of this one.
fn replacement<'a>(
    step: &'a FactTrace,
    history: &'a History,
) -> Option<(&'a Judgement, &'a AtomicFact)> {
    if step.state.is_visible() {
        return None;
    }
    let place = |id: &FactId| history.steps.iter().position(|it| it.fact.value.id == *id);
    let own = place(&step.fact.value.id)?;
    step.judgements
        .iter()
        .filter(|(judgement, _)| judgement.verdict == Verdict::Supersede)
        .flat_map(|(judgement, others)| others.iter().map(move |other| (judgement, other)))
        .filter(|(_, other)| place(&other.id).is_some_and(|it| it > own))
        .max_by(|(a, x), (b, y)| (a.confidence, &x.id).cmp(&(b.confidence, &y.id)))
}
