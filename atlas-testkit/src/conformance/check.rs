//! Checks, what runs them, and what they find.

use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;

use super::fixture::Reopening;
use super::{Checked, Fixture, Harness, Seen};

/// A clause that an adapter breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The name of the check.
    pub check: &'static str,
    /// The words of the clause.
    pub clause: &'static str,
    /// What was seen that the clause does not allow.
    pub seen: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "contract broken: {}\nseen: {}", self.clause, self.seen)
    }
}

impl std::error::Error for Finding {}

/// Whether an adapter keeps a clause.
pub type Outcome = Result<(), Finding>;

/// The check of one clause, for what one harness makes.
pub struct Check<H: Harness> {
    name: &'static str,
    clause: &'static str,
    is_durable: fn(&H::Store) -> bool,
    body: fn(Fixture<H>) -> BoxFuture<'static, Checked>,
}

impl<H: Harness> Check<H> {
    pub(crate) fn new(
        (name, clause): (&'static str, &'static str),
        is_durable: fn(&H::Store) -> bool,
        body: fn(Fixture<H>) -> BoxFuture<'static, Checked>,
    ) -> Self {
        Self {
            name,
            clause,
            is_durable,
            body,
        }
    }

    /// Its name, which begins with the number of its clause.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The words of its clause, as they stand on the trait's page.
    pub fn clause(&self) -> &'static str {
        self.clause
    }

    /// Runs it at a fresh place; what is durable, at another one again, where the store is closed
    /// after writes and opened again before what was written is read.
    ///
    /// # Errors
    ///
    /// What it found.
    pub async fn run(&self, harness: &Arc<H>) -> Outcome {
        let found = self.run_once(harness, Reopening::OnDemand).await;
        let is_durable = found.map_err(|seen| self.finding(seen.to_string()))?;
        if is_durable && harness.can_reopen() {
            let found = self.run_once(harness, Reopening::AfterWrites).await;
            found.map_err(|seen| {
                self.finding(format!("closed and opened again before reading: {seen}"))
            })?;
        }
        Ok(())
    }

    /// Answers whether the store says that it is durable.
    async fn run_once(&self, harness: &Arc<H>, reopening: Reopening) -> Result<bool, Seen> {
        let fixture = Fixture::open(harness, reopening).await?;
        let is_durable = fixture.says(self.is_durable).unwrap_or_default();
        (self.body)(fixture).await.map(|()| is_durable)
    }

    fn finding(&self, seen: String) -> Finding {
        Finding {
            check: self.name,
            clause: self.clause,
            seen,
        }
    }
}

impl<H: Harness> fmt::Debug for Check<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Check")
            .field("name", &self.name)
            .field("clause", &self.clause)
            .finish_non_exhaustive()
    }
}

/// Runs checks, each at a place of its own, and lists what they find.
pub async fn run_all<H: Harness>(harness: H, checks: Vec<Check<H>>) -> Vec<Finding> {
    let harness = Arc::new(harness);
    let mut findings = Vec::new();
    for check in checks {
        findings.extend(check.run(&harness).await.err());
    }
    findings
}

/// The body of a generated test.
///
/// # Panics
///
/// With the finding, if there is one.
#[doc(hidden)]
pub fn test<H: Harness>(harness: H, check: &Check<H>) {
    let outcome = block_on(async { check.run(&Arc::new(harness)).await });
    fail_on(outcome.err().as_slice());
}

/// The body of the generated test that runs a whole table.
///
/// # Panics
///
/// With the findings, if there are any.
#[doc(hidden)]
pub fn test_all<H: Harness>(harness: H, checks: Vec<Check<H>>) {
    fail_on(&block_on(run_all(harness, checks)));
}

/// Runs a future on a runtime of this thread, so that stores which need one work too.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime.block_on(future),
        // A store that needs no runtime is checked all the same.
        Err(_) => futures::executor::block_on(future),
    }
}

#[expect(clippy::panic, reason = "this is how a generated test fails")]
fn fail_on(findings: &[Finding]) {
    if findings.is_empty() {
        return;
    }
    let report: Vec<String> = findings.iter().map(ToString::to_string).collect();
    panic!("{}", report.join("\n"));
}
