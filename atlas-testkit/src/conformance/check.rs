//! Checks, what runs them, and what they find.

use std::fmt;

use futures::future::BoxFuture;

use super::Checked;

/// A clause that a store breaks.
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

/// Whether a store keeps a clause.
pub type Outcome = Result<(), Finding>;

/// The check of one clause, for stores of one type.
pub struct Check<S> {
    name: &'static str,
    clause: &'static str,
    body: fn(S) -> BoxFuture<'static, Checked>,
}

impl<S> Check<S> {
    pub(crate) fn new(
        name: &'static str,
        clause: &'static str,
        body: fn(S) -> BoxFuture<'static, Checked>,
    ) -> Self {
        Self { name, clause, body }
    }

    /// Its name, which begins with the number of its clause.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The words of its clause, as they stand on the trait's page.
    pub fn clause(&self) -> &'static str {
        self.clause
    }

    /// Runs it on a store that nobody else uses and that holds nothing.
    ///
    /// # Errors
    ///
    /// What it found.
    pub async fn run(&self, fresh: S) -> Outcome {
        (self.body)(fresh).await.map_err(|seen| Finding {
            check: self.name,
            clause: self.clause,
            seen: seen.to_string(),
        })
    }
}

impl<S> fmt::Debug for Check<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Check")
            .field("name", &self.name)
            .field("clause", &self.clause)
            .finish_non_exhaustive()
    }
}

/// Makes stores: a closure such as `|| async { MyStore::new() }`.
pub trait Factory: Sync {
    /// What it makes.
    type Store: Send;

    /// An empty store that shares nothing with any other.
    fn fresh(&self) -> impl Future<Output = Self::Store> + Send;
}

impl<F, Made> Factory for F
where
    F: Fn() -> Made + Sync,
    Made: Future<Output: Send> + Send,
{
    type Store = Made::Output;

    async fn fresh(&self) -> Made::Output {
        self().await
    }
}

/// Runs checks, each on a fresh store, and lists what they find.
pub async fn run_all<F: Factory>(factory: &F, checks: Vec<Check<F::Store>>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for check in checks {
        findings.extend(check.run(factory.fresh().await).await.err());
    }
    findings
}

/// The body of a generated test.
///
/// # Panics
///
/// With the finding, if there is one.
#[doc(hidden)]
pub fn test<F: Factory>(factory: &F, check: &Check<F::Store>) {
    let outcome = block_on(async { check.run(factory.fresh().await).await });
    fail_on(outcome.err().as_slice());
}

/// The body of the generated test that runs a whole table.
///
/// # Panics
///
/// With the findings, if there are any.
#[doc(hidden)]
pub fn test_all<F: Factory>(factory: &F, checks: Vec<Check<F::Store>>) {
    fail_on(&block_on(run_all(factory, checks)));
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
