//! Messages from platforms: fetched by a sync, and pushed.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests: a failure is a panic, and what was exercised is printed"
)]

mod push;
mod sync;

fn wait<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(future)
}
