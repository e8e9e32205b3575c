//! Whether a channel holds what it must, given what was acknowledged.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use crate::state::{State, holds_always};

/// What is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// What was acknowledged and is not there.
    pub lost: Vec<String>,
    /// What is there twice, or was never asked for.
    pub duplicated: Vec<String>,
    /// What is otherwise than it must be.
    pub violated: Vec<String>,
}

impl Findings {
    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.lost.is_empty() && self.duplicated.is_empty() && self.violated.is_empty()
    }

    /// Adds what was found elsewhere, told as of that place.
    pub fn extend(&mut self, place: &str, other: Self) {
        let at = |it: String| format!("{place}: {it}");
        self.lost.extend(other.lost.into_iter().map(at));
        self.duplicated.extend(other.duplicated.into_iter().map(at));
        self.violated.extend(other.violated.into_iter().map(at));
    }

    /// All of it, a line each.
    pub fn lines(&self) -> Vec<String> {
        let kinds = [
            ("lost", &self.lost),
            ("duplicated", &self.duplicated),
            ("violated", &self.violated),
        ];
        kinds
            .into_iter()
            .flat_map(|(kind, lines)| lines.iter().map(move |it| format!("{kind}: {it}")))
            .collect()
    }
}

/// Compares a channel with the one state that it may be in.
pub fn must_equal(expected: &State, seen: &State) -> Findings {
    let mut findings = Findings::default();
    if expected == seen {
        return findings;
    }
    maps(&mut findings, "message", &expected.messages, &seen.messages);
    maps(
        &mut findings,
        "versions of",
        &expected.versions,
        &seen.versions,
    );
    maps(&mut findings, "", &expected.knowledge, &seen.knowledge);
    maps(&mut findings, "", &expected.written, &seen.written);
    sets(&mut findings, "turn", &expected.turns, &seen.turns);
    if expected.documents != seen.documents {
        findings.violated.push(format!(
            "the index holds {:?} documents and vectors, not {:?}",
            seen.documents, expected.documents
        ));
    }
    if expected.violations != seen.violations {
        findings.violated.push(format!("{:?}", seen.violations));
    }
    findings.duplicated.extend(seen.repeated.iter().cloned());
    findings
}

/// Compares a settled channel with one that was settled at other times: what was said and what is
/// known are the same, what is written and the turns need not be.
///
/// A fact that counts has a standing only where anything was ever judged of it, if only against
/// what nobody says any longer; it is left out, since it says no more than its absence.
pub fn must_know(expected: &State, seen: &State) -> Findings {
    let mut findings = Findings::default();
    maps(&mut findings, "message", &expected.messages, &seen.messages);
    maps(
        &mut findings,
        "versions of",
        &expected.versions,
        &seen.versions,
    );
    let [expected, known] = [expected, seen].map(|it| without_plain_standings(&it.knowledge));
    maps(&mut findings, "", &expected, &known);
    let broken = seen.violations.iter().map(|it| format!("{it:?}"));
    findings.violated.extend(broken);
    findings.duplicated.extend(seen.repeated.iter().cloned());
    findings
}

fn without_plain_standings(knowledge: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let is_plain = |key: &str, value: &str| {
        key.starts_with("standing/") && value.contains(r#""state":{"state":"live"}"#)
    };
    let kept = knowledge.iter().filter(|(key, it)| !is_plain(key, it));
    kept.map(|(key, it)| (key.clone(), it.clone())).collect()
}

/// Compares a channel in which an operation was cut off: it stands somewhere between the state
/// before the operation and the state after it.
pub fn must_lie_between(before: &State, after: &State, seen: &State) -> Findings {
    if seen == before || seen == after {
        return Findings::default();
    }
    if before == after {
        return must_equal(before, seen);
    }
    let mut findings = Findings::default();
    for (id, versions) in &before.versions {
        let kept = seen.versions.get(id).map(Vec::as_slice).unwrap_or_default();
        let stays = after
            .versions
            .get(id)
            .map(Vec::as_slice)
            .unwrap_or_default();
        for version in versions.iter().filter(|it| stays.contains(*it)) {
            // What is forgotten on the way loses its versions at once.
            if !kept.contains(version) {
                findings.lost.push(format!("version {version} of {id}"));
            }
        }
    }
    for (id, version) in &seen.messages {
        let may_be = [before, after].map(|it| it.messages.get(id));
        if !may_be.contains(&Some(version)) {
            findings
                .duplicated
                .push(format!("message {id} at {version} that nobody sent"));
        }
    }
    let stays = |key: &String| {
        let is_ledger = ["outcome/", "judgement/"]
            .iter()
            .any(|it| key.starts_with(it));
        is_ledger || before.knowledge.get(key) == after.knowledge.get(key)
    };
    let known = before.knowledge.keys().chain(before.written.keys());
    for key in known.filter(|it| stays(it)) {
        let is_there = seen.knowledge.contains_key(key) || seen.written.contains_key(key);
        let goes = !after.knowledge.contains_key(key) && !after.written.contains_key(key);
        let is_derived = before.written.contains_key(key) && !key.starts_with("judgement/");
        if !is_there && !goes && !is_derived {
            findings.lost.push(key.clone());
        }
    }
    for turn in before.turns.difference(&seen.turns) {
        findings.lost.push(format!("turn {turn}"));
    }
    let broken = seen.violations.iter().filter(|(it, _)| holds_always(it));
    findings.violated.extend(broken.map(|it| format!("{it:?}")));
    findings.duplicated.extend(seen.repeated.iter().cloned());
    findings
}

fn maps<T: PartialEq + Debug>(
    findings: &mut Findings,
    what: &str,
    expected: &BTreeMap<String, T>,
    seen: &BTreeMap<String, T>,
) {
    for (key, value) in expected {
        match seen.get(key) {
            None => findings
                .lost
                .push(format!("{what} {key}, which is {value:?}")),
            Some(other) if other != value => findings
                .violated
                .push(format!("{what} {key} is {other:?}, not {value:?}")),
            Some(_) => {}
        }
    }
    for key in seen.keys().filter(|it| !expected.contains_key(*it)) {
        findings.duplicated.push(format!("{what} {key}"));
    }
}

fn sets(findings: &mut Findings, what: &str, expected: &BTreeSet<String>, seen: &BTreeSet<String>) {
    let tell = |it: &String| format!("{what} {it}");
    findings.lost.extend(expected.difference(seen).map(tell));
    findings
        .duplicated
        .extend(seen.difference(expected).map(tell));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(messages: &[(&str, &str)]) -> State {
        State {
            messages: pairs(messages, ToOwned::to_owned),
            versions: pairs(messages, |it| vec![it.to_owned()]),
            ..State::default()
        }
    }

    fn pairs<T>(of: &[(&str, &str)], value: impl Fn(&str) -> T) -> BTreeMap<String, T> {
        of.iter()
            .map(|(key, it)| ((*key).to_owned(), value(it)))
            .collect()
    }

    /// How many lost, duplicated and violated there are.
    #[track_caller]
    fn check(findings: &Findings, expected: [usize; 3]) {
        let Findings {
            lost,
            duplicated,
            violated,
        } = findings;
        let seen = [lost.len(), duplicated.len(), violated.len()];
        assert_eq!(seen, expected, "{findings:?}");
    }

    #[test]
    fn one_state_is_told_from_every_other() {
        let expected = state(&[("a", "1"), ("b", "1")]);
        check(&must_equal(&expected, &expected.clone()), [0, 0, 0]);
        // A message counts with its versions.
        check(&must_equal(&expected, &state(&[("a", "1")])), [2, 0, 0]);
        let more = state(&[("a", "1"), ("b", "1"), ("c", "1")]);
        check(&must_equal(&expected, &more), [0, 2, 0]);
        let other = state(&[("a", "1"), ("b", "2")]);
        check(&must_equal(&expected, &other), [0, 0, 2]);
        let mut twice = expected.clone();
        twice.repeated.push("a".to_owned());
        check(&must_equal(&expected, &twice), [0, 1, 0]);
    }

    #[test]
    fn half_an_operation_may_be_done_but_nothing_older_may_go() {
        let before = state(&[("a", "1")]);
        let after = state(&[("a", "1"), ("b", "1"), ("c", "1")]);
        let half = state(&[("a", "1"), ("b", "1")]);
        check(&must_lie_between(&before, &after, &half), [0, 0, 0]);
        let lost = state(&[("b", "1")]);
        check(&must_lie_between(&before, &after, &lost), [1, 0, 0]);
        let foreign = state(&[("a", "1"), ("d", "1")]);
        check(&must_lie_between(&before, &after, &foreign), [0, 1, 0]);
    }

    #[test]
    fn what_only_a_settled_channel_keeps_may_be_open_on_the_way() {
        let before = state(&[("a", "1")]);
        let after = state(&[("a", "1"), ("b", "1")]);
        let mut half = before.clone();
        half.violations = vec![("PageCites".to_owned(), "p".to_owned())];
        check(&must_lie_between(&before, &after, &half), [0, 0, 0]);
        half.violations = vec![("FactIsFold".to_owned(), "f".to_owned())];
        check(&must_lie_between(&before, &after, &half), [0, 0, 1]);
    }
}
