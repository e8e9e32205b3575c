//! What is printed.

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::time::Duration;

use super::measure::{Scores, means, paired, share};
use super::run::Ran;
use crate::spread::Spread;

/// Times that questions are drawn again for the paired test.
const ROUNDS: usize = 10_000;
const SEED: u64 = 7;

/// Who was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    Atlas,
    Plain,
    Stemmed,
    Dense,
}

impl System {
    const FLOORS: [Self; 3] = [Self::Plain, Self::Stemmed, Self::Dense];

    fn name(self) -> &'static str {
        match self {
            Self::Atlas => "Atlas",
            Self::Plain => "BM25, words alone",
            Self::Stemmed => "BM25, stemmed, no question words",
            Self::Dense => "offline embedder alone",
        }
    }
}

/// What a system found for a question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answered {
    pub(crate) conversation: usize,
    pub(crate) category: u8,
    pub(crate) system: System,
    pub(crate) turn: Scores,
    pub(crate) session: Scores,
}

/// The categories by their numbers in the file.
const CATEGORIES: [(u8, &str); 5] = [
    (1, "multi-hop"),
    (2, "temporal"),
    (3, "open"),
    (4, "single"),
    (5, "adversarial"),
];

const PARTS: [(&str, RangeInclusive<usize>); 3] =
    [("all", 1..=10), ("1-5", 1..=5), ("6-10", 6..=10)];

/// Everything that is told; the last line is for programs.
pub(crate) fn text(answered: &[Answered], ran: &[Ran], configuration: &str) -> String {
    let mut out = format!("configuration {configuration}\n");
    for (name, conversations) in PARTS {
        let of_part: Vec<Answered> = answered
            .iter()
            .filter(|it| conversations.contains(&it.conversation))
            .copied()
            .collect();
        if !of_part.is_empty() {
            part(&mut out, name, &of_part);
        }
    }
    costs(&mut out, ran);
    let reported: Vec<Scores> = answered
        .iter()
        .filter(|it| it.system == System::Atlas && (6..=10).contains(&it.conversation))
        .map(|it| it.turn)
        .collect();
    if !reported.is_empty() {
        let [_, recall, _, _, _, ndcg, _] = means(&reported);
        let _always = writeln!(
            out,
            "atlas turn 6-10 recall@10={recall:.3} ndcg@10={ndcg:.3}"
        );
    }
    out
}

fn part(out: &mut String, name: &str, answered: &[Answered]) {
    type Level = (&'static str, fn(&Answered) -> Scores);
    let levels: [Level; 2] = [("turn", |it| it.turn), ("session", |it| it.session)];
    let of = |system: System| answered.iter().filter(move |it| it.system == system);
    let n_questions = of(System::Atlas).count();
    for (level, scores) in levels {
        let _always = writeln!(
            out,
            "\nconversations {name}, {n_questions} questions, {level} level\n\n\
             | | R@5 | R@10 | R@20 | any@5 | all@10 | NDCG@10 | MRR |\n|---|---|---|---|---|---|---|---|"
        );
        for system in std::iter::once(System::Atlas).chain(System::FLOORS) {
            let all: Vec<Scores> = of(system).map(scores).collect();
            row(out, system.name(), &all);
        }
        for (number, category) in CATEGORIES {
            let some = of(System::Atlas).filter(|it| it.category == number);
            let some: Vec<Scores> = some.map(scores).collect();
            row(out, &format!("Atlas, {category} ({})", some.len()), &some);
        }
    }
    tested(out, answered);
}

fn row(out: &mut String, name: &str, all: &[Scores]) {
    let cells: Vec<String> = means(all).iter().map(|it| format!("{it:.3}")).collect();
    let _always = writeln!(out, "| {name} | {} |", cells.join(" | "));
}

/// The paired test against the floor with the best recall.
fn tested(out: &mut String, answered: &[Answered]) {
    let columns = |system: System, column: usize| -> Vec<f64> {
        let of = answered.iter().filter(|it| it.system == system);
        of.map(|it| it.turn.columns().get(column).copied().unwrap_or_default())
            .collect()
    };
    let sum = |system: &System| columns(*system, 1).iter().sum::<f64>();
    let Some(best) = System::FLOORS
        .into_iter()
        .max_by(|a, b| sum(a).total_cmp(&sum(b)))
    else {
        return;
    };
    out.push('\n');
    for (name, column) in [("R@10", 1), ("NDCG@10", 5)] {
        let floor = columns(best, column);
        let ours = columns(System::Atlas, column);
        let differences: Vec<f64> = ours.iter().zip(&floor).map(|(a, b)| a - b).collect();
        let test = paired(&differences, ROUNDS, SEED);
        let _always = writeln!(
            out,
            "turn {name} beside {}: {:+.3}, 95 % between {:+.3} and {:+.3}, p = {:.4} \
             (paired bootstrap, {ROUNDS} rounds, seed {SEED})",
            best.name(),
            test.mean,
            test.between.0,
            test.between.1,
            test.p
        );
    }
}

fn costs(out: &mut String, ran: &[Ran]) {
    let latency: Vec<Duration> = ran
        .iter()
        .flat_map(|it| it.latency.iter().copied())
        .collect();
    let tokens: Vec<usize> = ran.iter().flat_map(|it| it.tokens.clone()).collect();
    let spread = Spread::of(&latency);
    let settling: Duration = ran.iter().map(|it| it.settling).sum();
    let n_facts: usize = ran.iter().map(|it| it.n_facts).sum();
    let _always = writeln!(
        out,
        "\ncontext at 10: {:.0} tokens on average, four characters each\n\
         search: p50 {:.1} ms, p95 {:.1} ms\n\
         ingest and settle: {:.1} s a conversation, {n_facts} facts",
        share(tokens.iter().sum(), tokens.len().max(1)),
        spread.p50,
        spread.p95,
        settling.as_secs_f64() / share(ran.len().max(1), 1),
    );
}
