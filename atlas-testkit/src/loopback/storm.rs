//! Answers that are exchanged for others.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Answer, Received};

/// A handler of which every `n`th answer is exchanged for the next of `others`, in turn.
///
/// Requests are counted over all connections, from one; nothing is exchanged where `n` is nought
/// or there are no others.
///
/// ```
/// use atlas_testkit::loopback::{Answer, LoopbackServer, every_nth};
///
/// let busy = Answer::failure(429, "rate_limit_exceeded", "slow down");
/// let down = Answer::failure(503, "overloaded", "later");
/// let fine = |_: &_| Answer::json(&serde_json::json!({"object": "list"}));
/// let server = LoopbackServer::start(every_nth(3, vec![busy, down], fine))?;
/// # drop(server);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn every_nth(
    n: usize,
    others: Vec<Answer>,
    handler: impl Fn(&Received) -> Answer + Send + Sync + 'static,
) -> impl Fn(&Received) -> Answer + Send + Sync + 'static {
    let count = AtomicUsize::new(0);
    move |received| {
        let place = count.fetch_add(1, Ordering::Relaxed) + 1;
        let turn = place
            .checked_div(n)
            .filter(|turn| turn * n == place && !others.is_empty());
        let other = turn.and_then(|turn| others.get((turn - 1) % others.len()));
        other.cloned().unwrap_or_else(|| handler(received))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_come_in_turn() {
        let received = Received {
            method: String::new(),
            target: String::new(),
            headers: Vec::new(),
            body: Vec::new(),
        };
        let answer = |text: &str| Answer::new("text/plain", text);
        let of = |n, others: Vec<Answer>| {
            let handler = every_nth(n, others, move |_| answer("-"));
            (0..7).map(|_| handler(&received)).collect::<Vec<_>>()
        };
        let expected = ["-", "-", "a", "-", "-", "b", "-"].map(answer);
        assert_eq!(of(3, vec![answer("a"), answer("b")]), expected);
        for (n, others) in [(0, vec![answer("a")]), (3, Vec::new())] {
            assert!(of(n, others).iter().all(|it| *it == answer("-")));
        }
    }
}
