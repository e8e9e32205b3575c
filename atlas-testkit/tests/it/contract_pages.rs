//! Every clause on a port's page has a check, and every check's clause stands on the page.

use std::future::Ready;
use std::path::Path;
use std::sync::Arc;

use atlas_core::ports::{Embedder, FactIndex, GraphStore, LlmProvider, MessageStore, RecordStore};
use atlas_testkit::conformance::{
    Check, Harness, embedder, fact_index, graph_store, llm_provider, message_store, record_store,
};

/// The clauses on the page of a port, in order, such as `MS-1 append answers ..`.
fn clauses_on_page(port: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../atlas-core/src/ports")
        .join(port)
        .with_extension("rs");
    std::fs::read_to_string(&page)
        .unwrap()
        .lines()
        .filter_map(|line| line.strip_prefix("/// - "))
        .map(str::to_owned)
        .collect()
}

/// What the name of a clause's check begins with: `ms_1_` for `MS-1`.
fn prefix(clause: &str) -> String {
    let number = clause.split(' ').next().unwrap();
    format!("{}_", number.to_lowercase().replace('-', "_"))
}

#[track_caller]
fn check<H: Harness>(port: &str, checks: &[Check<H>], n_clauses: usize) {
    let page = clauses_on_page(port);
    let table: Vec<&str> = checks.iter().map(Check::clause).collect();
    assert_eq!(table, page, "{port}");
    assert_eq!(page.len(), n_clauses, "{port}");
    for check in checks {
        let prefix = prefix(check.clause());
        assert!(
            check.name().starts_with(&prefix),
            "{} for {prefix}",
            check.name()
        );
    }
}

#[test]
fn clauses_and_checks_are_the_same_words() {
    check(
        "message_store",
        &message_store::checks::<fn() -> Ready<Arc<dyn MessageStore>>>(),
        17,
    );
    check(
        "record_store",
        &record_store::checks::<fn() -> Ready<Arc<dyn RecordStore>>>(),
        24,
    );
    check(
        "fact_index",
        &fact_index::checks::<fn() -> Ready<Arc<dyn FactIndex>>>(),
        19,
    );
    check(
        "graph_store",
        &graph_store::checks::<fn() -> Ready<Arc<dyn GraphStore>>>(),
        15,
    );
    check(
        "llm_provider",
        &llm_provider::checks::<fn() -> Ready<Arc<dyn LlmProvider>>>(),
        11,
    );
    check(
        "embedder",
        &embedder::checks::<fn() -> Ready<Arc<dyn Embedder>>>(),
        9,
    );
}
