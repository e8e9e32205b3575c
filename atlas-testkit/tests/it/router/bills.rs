//! What is written on which bill.

use std::sync::Arc;
use std::time::Duration;

use atlas_core::ErrorKind;
use atlas_core::llm::router::{EmbedderSettings, ModelSettings, Price, RoutedEmbedder, Target};
use atlas_core::model::{ChannelId, ModelRole};
use atlas_core::ports::{Embedder, LlmProvider, Partition, Purpose, Usage};
use atlas_testkit::double::{Fault, Faults, Faulty, HashEmbedder, Reply};
use futures::executor::block_on;

use super::{answering, at, clock, question, reply, router};

fn channel(name: &str) -> Partition {
    Partition::Channel(ChannelId::new(name))
}

#[test]
fn a_handle_writes_on_its_account_and_the_ledger_has_all() {
    let usage = Usage {
        input_tokens: 1_000,
        output_tokens: 10,
    };
    let price = Price {
        input_micros: 1_000_000,
        output_micros: 2_000_000,
    };
    let replies = [
        reply().with_usage(usage),
        Reply::fails(ErrorKind::Unavailable),
        reply().with_usage(usage),
        reply(),
    ];
    let target = Target::new("a").with_model("m").with_price(price);
    let settings = ModelSettings::default().with_default(target.into());
    let router = router(&[("a", answering(replies))], clock(), settings);
    let (first, second) = (
        router.on_account(channel("one")),
        router.on_account(channel("two")),
    );
    for handle in [&first, &second, &second] {
        block_on(handle.complete(&question("?"))).unwrap();
    }
    let (one, two) = (first.bill().total(), second.bill().total());
    assert_eq!((one.calls, one.attempts, one.failures), (1, 1, 0));
    assert_eq!((two.calls, two.attempts, two.failures), (2, 3, 1));
    assert_eq!((one.cost_micros, two.cost_micros), (1_020, 1_020));
    assert_eq!((one.uncounted, two.uncounted), (0, 1));
    let ledger = router.ledger();
    assert_eq!(ledger.accounts[&channel("one")], first.bill());
    assert_eq!(ledger.accounts[&channel("two")], second.bill());
    let mut sum = first.bill();
    sum.add(&second.bill());
    assert_eq!(ledger.bill, sum);
    // A handle of its own begins at nothing.
    assert!(router.bill().is_empty());
    assert!(router.on_account(channel("one")).bill().is_empty());
}

#[test]
fn the_embedder_is_limited_left_alone_and_billed_like_any_other() {
    let faults = Faults::default();
    let clock = clock();
    let settings = ModelSettings {
        embedder: EmbedderSettings {
            endpoint: "a".to_owned(),
        },
        ..at(&["a"])
    };
    let router = router(&[("a", answering([reply()]))], clock.clone(), settings);
    let embedder = Faulty::new(HashEmbedder::new(8), &faults);
    let embedder = RoutedEmbedder::new(Arc::new(embedder), router.clone());
    let embed = || block_on(embedder.embed(&["a", "b"], Purpose::Document));
    assert_eq!(embed().unwrap().len(), 2);
    faults.set(Fault::at(1, ErrorKind::Unavailable).for_ever());
    assert_eq!(embed().unwrap_err().kind(), ErrorKind::Unavailable);
    assert_eq!(faults.n_calls(), 3);
    // One server is behind both: whoever shares it leaves it alone too.
    assert_eq!(embed().unwrap_err().kind(), ErrorKind::Unavailable);
    assert!(block_on(router.complete(&question("?"))).is_err());
    assert_eq!(faults.n_calls(), 3);
    clock.advance(Duration::from_mins(1));
    faults.clear();
    assert!(block_on(router.complete(&question("?"))).is_ok());
    assert!(embed().is_ok());
    let by_role = router.bill().by_role();
    let line = by_role[&ModelRole::Embedder];
    assert_eq!(
        (line.calls, line.attempts, line.failures, line.turned_away),
        (4, 5, 3, 1)
    );
    assert_eq!(line.uncounted, 2);
    assert_eq!(by_role.len(), 2);
    let (_, endpoint) = router.bill().by_endpoint().pop_first().unwrap();
    assert_eq!(endpoint, router.bill().total());
    let keys: Vec<String> = router.bill().lines().map(|it| it.0.model.clone()).collect();
    assert_eq!(keys, ["", "testkit-hash"]);
}
