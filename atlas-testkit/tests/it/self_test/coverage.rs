//! That no check could be taken away unseen.

use std::collections::BTreeSet;

use super::{Row, embedder, fact_index, graph_store, llm_provider, message_store, record_store};

/// Checks whose defects are all caught by another check too, each with the reason.
const NOT_ALONE: &[(&str, &str)] = &[(
    "fi_11_a_leg_that_is_not_offered_is_unsupported",
    "every check of a leg demands the refusal of a leg that is not offered",
)];

/// Checks that are exercised, and defects that are planted, at the least.
const LEAST: (usize, usize) = (95, 117);

#[track_caller]
fn check(checks: &[&str], rows: &[Row]) -> (usize, usize) {
    let known: BTreeSet<&str> = checks.iter().copied().collect();
    let alone: BTreeSet<&str> = rows
        .iter()
        .filter_map(|(_, caught)| match caught {
            [one] => Some(*one),
            _ => None,
        })
        .collect();
    let excepted: BTreeSet<&str> = NOT_ALONE.iter().map(|(check, _)| *check).collect();
    let caught: BTreeSet<&str> = rows
        .iter()
        .flat_map(|(_, caught)| *caught)
        .copied()
        .collect();
    let stray: Vec<_> = caught.difference(&known).collect();
    assert!(stray.is_empty(), "no such checks: {stray:?}");
    for check in &known {
        let is_alone = alone.contains(*check);
        assert_eq!(
            is_alone,
            !excepted.contains(*check),
            "{check} alone catches a defect: {is_alone}"
        );
        assert!(caught.contains(*check), "{check} catches no defect");
    }
    (checks.len(), rows.len())
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "the counts are for whoever runs it with --nocapture"
)]
fn without_any_one_check_a_planted_defect_passes() {
    let of_ports = [
        (
            "MessageStore",
            check(&message_store::checks(), message_store::ROWS),
        ),
        (
            "RecordStore",
            check(&record_store::checks(), record_store::ROWS),
        ),
        ("FactIndex", check(&fact_index::checks(), fact_index::ROWS)),
        (
            "GraphStore",
            check(&graph_store::checks(), graph_store::ROWS),
        ),
        (
            "LlmProvider",
            check(&llm_provider::checks(), llm_provider::ROWS),
        ),
        ("Embedder", check(&embedder::checks(), embedder::ROWS)),
    ];
    let mut all = (0, 0);
    for (port, (n_checks, n_defects)) in of_ports {
        println!("{port}: {n_checks} checks, {n_defects} adapters");
        all = (all.0 + n_checks, all.1 + n_defects);
    }
    println!("all: {} checks, {} adapters", all.0, all.1);
    assert!(all.0 >= LEAST.0 && all.1 >= LEAST.1, "{all:?} of {LEAST:?}");
}
