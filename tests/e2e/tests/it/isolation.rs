//! No read tells what lies outside its scope, and what lies there changes no score.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use atlas_core::model::{
    Author, AuthorId, ChannelId, Message, MessageId, NativeId, PrincipalId, SourceId, Timestamp,
};
use atlas_core::ports::{Access, AccessPolicy, Authorizer, Embedder};
use atlas_core::retrieve::{SearchOptions, SearchOutcome};
use atlas_core::{Atlas, Components, ErrorKind, Result, Settings};
use atlas_offline::{OfflineEmbedder, OfflineLlm};
use atlas_store_memory::MemoryStore;
use atlas_store_sqlite::{Durability, SqliteSettings, SqliteStore};
use atlas_testkit::double::FixedClock;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tempfile::TempDir;

use crate::sample::wait_in_time;

const CHANNELS: [&str; 4] = ["alphaville", "betatown", "gammaburg", "deltaford"];
/// Words of which each is said in one channel only, in the order of the channels.
const CANARIES: [&str; 4] = ["zanzibar", "quokkas", "xylophone", "mulligan"];
const PRINCIPALS: [&str; 2] = ["ana", "ben"];

/// Who may read what.
#[derive(Clone, Debug, Default)]
struct Grants(BTreeMap<PrincipalId, BTreeSet<ChannelId>>);

#[async_trait]
impl AccessPolicy for Grants {
    async fn held(&self, user: &PrincipalId, channel: &ChannelId) -> Result<Vec<Access>> {
        let may_read = self.0.get(user).is_some_and(|it| it.contains(channel));
        Ok(if may_read {
            vec![Access::Read]
        } else {
            Vec::new()
        })
    }
}

#[derive(Clone, Debug)]
struct Case {
    /// What is said in each channel.
    said: [Vec<usize>; 4],
    /// Which channels each principal may read.
    grants: [[bool; 4]; 2],
    /// Which channels are read together.
    asked: [bool; 4],
}

fn cases() -> impl Strategy<Value = Case> {
    let said = prop::array::uniform4(prop::collection::vec(0..6_usize, 1..5));
    let grants = prop::array::uniform2(prop::array::uniform4(prop::bool::weighted(0.75)));
    let asked = prop::array::uniform4(prop::bool::weighted(0.4));
    (said, grants, asked).prop_map(|(said, grants, asked)| Case {
        said,
        grants,
        asked,
    })
}

fn channels(which: [bool; 4]) -> Vec<ChannelId> {
    let chosen = CHANNELS
        .iter()
        .zip(which)
        .filter(|(_, is_chosen)| *is_chosen);
    chosen.map(|(name, _)| ChannelId::new(*name)).collect()
}

fn message(channel: usize, number: usize, pick: usize) -> Message {
    let canary = CANARIES[channel];
    let text = match pick {
        0 => format!("We decided to use {canary} for the wiki."),
        1 => format!("Ana moved the launch to {canary} because of the budget."),
        2 => "We decided to use Postgres for billing.".to_owned(),
        3 => "The launch is on the third of May.".to_owned(),
        4 => format!("Who owns {canary}?"),
        _ => format!("The budget of the wiki is {} dollars.", 100 + channel),
    };
    let id = MessageId::new(
        SourceId::new("chat"),
        ChannelId::new(CHANNELS[channel]),
        NativeId::new(number.to_string()),
    );
    let author = Author {
        id: AuthorId::new("u"),
        name: "Ana".to_owned(),
    };
    let start: Timestamp = "2026-03-02T09:00:00Z".parse().unwrap();
    let minutes = i64::try_from(number).unwrap() * 60_000_000;
    Message::new(id, author, start.saturating_add_micros(minutes), text)
}

/// The channels that are filled, in one of the stores.
struct World {
    atlas: Atlas,
    store: Option<(SqliteStore, TempDir)>,
}

impl World {
    async fn new(case: &Case, is_kept: bool, filled: [bool; 4]) -> Self {
        let embedder = OfflineEmbedder::default();
        let clock = FixedClock::at("2026-06-01T00:00:00Z".parse().unwrap());
        let (mut parts, store) = if is_kept {
            let dir = TempDir::new().unwrap();
            let settings = SqliteSettings {
                durability: Durability::Normal,
                ..SqliteSettings::default()
            };
            let store = SqliteStore::open_with(dir.path(), embedder.space(), settings);
            let store = store.await.unwrap();
            let parts = Components::new(store.clone(), OfflineLlm::default(), embedder, clock);
            (parts, Some((store, dir)))
        } else {
            let store = MemoryStore::new(embedder.space());
            let parts = Components::new(store, OfflineLlm::default(), embedder, clock);
            (parts, None)
        };
        let grants = PRINCIPALS.iter().zip(case.grants);
        let grants = grants
            .map(|(name, may)| (PrincipalId::new(*name), channels(may).into_iter().collect()));
        parts.authorizer = Authorizer::new(Grants(grants.collect()));
        let atlas = Atlas::new(parts, Settings::default()).unwrap();
        for (number, name) in CHANNELS.iter().enumerate() {
            if filled[number] {
                let picks = case.said[number].iter().enumerate();
                let said: Vec<Message> =
                    picks.map(|(at, pick)| message(number, at, *pick)).collect();
                let channel = atlas.channel(ChannelId::new(*name));
                let (_, settled) = channel.remember(&said).await.unwrap();
                assert!(settled.is_complete());
            }
        }
        Self { atlas, store }
    }

    async fn close(self) {
        if let Some((store, _dir)) = self.store {
            store.close().await;
        }
    }
}

/// What was exercised.
#[derive(Clone, Copy, Debug, Default)]
struct Exercised {
    denied: usize,
    searches: usize,
    hits: usize,
}

/// That a text tells nothing of the channels that are not chosen.
fn tells_nothing(text: &str, chosen: [bool; 4]) {
    let lower = text.to_lowercase();
    for (channel, is_chosen) in chosen.into_iter().enumerate() {
        if !is_chosen {
            for word in [CANARIES[channel], CHANNELS[channel]] {
                assert!(!lower.contains(word), "{word} in {text}");
            }
        }
    }
}

/// A search, as far as it must not hang on what other channels hold.
fn told(outcome: &SearchOutcome) -> Vec<String> {
    let hits = outcome.hits.iter();
    let mut told: Vec<String> = hits
        .map(|hit| format!("{:?} {:?} {:?}", hit.messages(), hit.score, hit.legs))
        .collect();
    told.push(format!("{:?} {}", outcome.degraded, outcome.n_candidates));
    told
}

async fn exercise(case: &Case, is_kept: bool) -> Exercised {
    let mut exercised = Exercised::default();
    let full = World::new(case, is_kept, [true; 4]).await;
    let alone = World::new(case, is_kept, case.asked).await;
    let scope = channels(case.asked);
    let mut questions = vec!["What is the launch?".to_owned(), "budget wiki".to_owned()];
    questions.extend(CANARIES.map(|it| format!("Who owns {it}, and where is the launch?")));
    for (name, may) in PRINCIPALS.iter().zip(case.grants) {
        let principal = Authorizer::default().principal(PrincipalId::new(*name));
        let is_permitted = case.asked.iter().zip(may).all(|(asked, may)| !asked || may);
        let across = match full.atlas.across(&principal, &scope).await {
            Ok(across) => across,
            Err(error) => {
                let kind = if scope.is_empty() {
                    ErrorKind::Invalid
                } else {
                    ErrorKind::Denied
                };
                assert_eq!(error.kind(), kind);
                assert!(scope.is_empty() || !is_permitted);
                // It does not say which channel it is, nor whether there is one.
                tells_nothing(&format!("{error} {error:?}"), [false; 4]);
                exercised.denied += 1;
                continue;
            }
        };
        assert!(is_permitted);
        let same = alone.atlas.across(&principal, &scope).await.unwrap();
        for question in &questions {
            let options = SearchOptions::default();
            let found = across.search(question, &options).await.unwrap();
            tells_nothing(&format!("{found:?}"), case.asked);
            assert_eq!(
                told(&found),
                told(&same.search(question, &options).await.unwrap())
            );
            exercised.searches += 1;
            exercised.hits += found.hits.len();
            let answer = across.ask(question).await.unwrap();
            tells_nothing(&format!("{:?}", answer.outcome()), case.asked);
        }
    }
    full.close().await;
    alone.close().await;
    exercised
}

#[test]
fn nothing_outside_a_scope_is_told_or_counts() {
    for (is_kept, n_cases) in [(false, 24), (true, 6)] {
        let total = RefCell::new(Exercised::default());
        let config = Config {
            cases: n_cases,
            failure_persistence: None,
            ..Config::default()
        };
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let mut runner = TestRunner::new_with_rng(config, rng);
        runner
            .run(&cases(), |case| {
                let one = wait_in_time(exercise(&case, is_kept));
                let mut total = total.borrow_mut();
                total.denied += one.denied;
                total.searches += one.searches;
                total.hits += one.hits;
                Ok(())
            })
            .unwrap();
        let total = total.into_inner();
        println!("kept in a folder: {is_kept}, {n_cases} cases: {total:?}");
        let least = if is_kept { 1 } else { 5 };
        assert!(total.denied >= least, "{total:?}");
        assert!(
            total.searches >= 6 * least && total.hits >= 10 * least,
            "{total:?}"
        );
    }
}
