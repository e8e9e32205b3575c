//! Models that are busy, dead or slow: everything is learned all the same, within the tries that a
//! call has, and the bill adds up.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use atlas_core::llm::Role;
use atlas_core::llm::router::{
    Assignment, BreakerSettings, EndpointSettings, ModelSettings, Price, Target,
};
use atlas_core::model::{AtomicFact, Bill, FactState, Fingerprint, ModelRole, Tally, Timestamp};
use atlas_core::ports::{
    Clock, Completion, CompletionRequest, CompletionStream, Embedder, EmbeddingSpace,
    LlmCapabilities, LlmProvider, ModelChoice, Partition, Purpose, Usage,
};
use atlas_core::text::normalise_claim;
use atlas_core::{Atlas, Channel, Components, Error, ErrorKind, Result, Retry, Settings};
use atlas_offline::{OfflineEmbedder, OfflineLlm};
use atlas_store_memory::MemoryStore;
use atlas_testkit::double::FixedClock;

use crate::sample::{CHANNELS, all_facts, sample, wait};

/// Tries that a call has.
const ATTEMPTS: u32 = 3;
/// Runs until everything must be done.
const MAX_RUNS: usize = 12;
/// How long the slow endpoint takes.
const SLOW: Duration = Duration::from_secs(20);
/// How long the dead endpoint is dead.
const DEAD: Duration = Duration::from_mins(12);

fn start() -> Timestamp {
    "2026-05-04T08:00:00Z".parse().unwrap()
}

/// How an endpoint is.
#[derive(Clone, Copy, Debug)]
enum Mood {
    /// Every third request meets a limit or an error, in turn.
    Busy,
    /// Nothing is answered until the time is over.
    Dead,
    /// Everything takes long.
    Slow,
}

/// What an endpoint saw.
#[derive(Debug, Default)]
struct Log {
    /// By role: requests, failures, tokens in and out, replies without a word on tokens.
    by_role: BTreeMap<ModelRole, [u64; 5]>,
    /// How often each request of the present run was sent, to whichever endpoint.
    sent: BTreeMap<String, u32>,
}

/// An endpoint that serves by rules, counts like a model, and has a mood.
#[derive(Clone)]
struct Server {
    mood: Mood,
    clock: FixedClock,
    n: Arc<Mutex<u64>>,
    log: Arc<Mutex<Log>>,
    all: Arc<Mutex<Log>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Server {
    fn new(mood: Mood, clock: &FixedClock, all: &Arc<Mutex<Log>>) -> Self {
        Self {
            mood,
            clock: clock.clone(),
            n: Arc::default(),
            log: Arc::default(),
            all: Arc::clone(all),
        }
    }

    /// Lets a request through or not; its number.
    fn begin(&self, role: ModelRole, content: &str) -> Result<u64> {
        let n = {
            let mut n = lock(&self.n);
            *n += 1;
            *n
        };
        let sent = format!("{role} {content}");
        *lock(&self.all).sent.entry(sent).or_default() += 1;
        let busy = |retry: Retry| {
            let error = Error::new(ErrorKind::Unavailable, "Server", "not now");
            Err(error.with_retry(retry))
        };
        let outcome = match self.mood {
            Mood::Busy if n % 6 == 0 => busy(Retry::After(Duration::from_secs(2))),
            Mood::Busy if n % 3 == 0 => busy(Retry::Now),
            Mood::Dead if self.clock.now() < start().saturating_add(DEAD) => busy(Retry::Now),
            Mood::Slow => {
                self.clock.advance(SLOW);
                Ok(n)
            }
            Mood::Busy | Mood::Dead => Ok(n),
        };
        self.count(role, [1, u64::from(outcome.is_err()), 0, 0, 0]);
        outcome
    }

    fn count(&self, role: ModelRole, more: [u64; 5]) {
        for log in [&self.log, &self.all] {
            let mut log = lock(log);
            let sums = log.by_role.entry(role).or_default();
            for (sum, more) in sums.iter_mut().zip(more) {
                *sum += more;
            }
        }
    }
}

#[async_trait]
impl LlmProvider for Server {
    fn capabilities(&self) -> LlmCapabilities {
        LlmCapabilities::default().with_schema(true)
    }

    fn fingerprint(&self, role: Role, choice: &ModelChoice) -> Fingerprint {
        OfflineLlm::default().fingerprint(role, choice)
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        let role = ModelRole::Task(request.role);
        let n = self.begin(role, &request.prompt.user)?;
        let mut completion = OfflineLlm::default().complete(request).await?;
        let tokens = |text: &str| u64::try_from(text.len() / 4).unwrap() + 1;
        let usage = Usage {
            input_tokens: tokens(&request.prompt.user),
            output_tokens: tokens(&completion.text),
        };
        // Not every server counts every time.
        completion.usage = (n % 5 != 0).then_some(usage);
        self.count(
            role,
            match completion.usage {
                Some(usage) => [0, 0, usage.input_tokens, usage.output_tokens, 0],
                None => [0, 0, 0, 0, 1],
            },
        );
        Ok(completion)
    }

    async fn stream<'a>(&'a self, _request: &'a CompletionRequest) -> Result<CompletionStream<'a>> {
        Err(Error::new(
            ErrorKind::Unsupported,
            "Server",
            "it does not stream",
        ))
    }
}

/// The offline embedder behind a busy endpoint.
struct BusyEmbedder(Server);

#[async_trait]
impl Embedder for BusyEmbedder {
    fn space(&self) -> EmbeddingSpace {
        OfflineEmbedder::default().space()
    }

    fn max_batch(&self) -> usize {
        OfflineEmbedder::default().max_batch()
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        self.0.begin(ModelRole::Embedder, &texts.join("\u{0}"))?;
        self.0.count(ModelRole::Embedder, [0, 0, 0, 0, 1]);
        OfflineEmbedder::default().embed(texts, purpose).await
    }
}

/// Roles at endpoints: some with another one to go to, some without.
fn settings() -> Settings {
    let price = Price {
        input_micros: 150_000,
        output_micros: 600_000,
    };
    let at = |name: &str| {
        Target::new(name)
            .with_model(format!("{name}-1"))
            .with_price(price)
    };
    let or = |name: &str, other: &str| Assignment::from(at(name)).with_fallback(at(other));
    let limits = EndpointSettings {
        requests_per_minute: Some(120),
        tokens_per_minute: Some(200_000),
        max_concurrent: Some(2),
        breaker: BreakerSettings::default(),
    };
    let models = ModelSettings::default()
        .with_attempts(ATTEMPTS)
        .with_default(at("busy").into())
        .with_role(Role::EntityExtractor, or("dead", "busy"))
        .with_role(Role::ContradictionDetector, at("dead").into())
        .with_role(Role::TopicSummarizer, or("dead", "slow"))
        .with_role(Role::WikiWriter, or("busy", "slow"))
        .with_role(Role::Answerer, or("dead", "busy"))
        .with_endpoint("busy", limits);
    Settings {
        models,
        ..Settings::default()
    }
}

/// A fact without what tells who read it, and when.
fn as_said(mut facts: Vec<(AtomicFact, FactState)>) -> Vec<(AtomicFact, FactState)> {
    for (fact, _) in &mut facts {
        fact.extractor = Fingerprint::new("");
        fact.recorded_at = start();
    }
    facts
}

/// What a tally has of what the servers count.
fn counted(tally: &Tally) -> [u64; 5] {
    [
        tally.attempts,
        tally.failures,
        tally.input_tokens,
        tally.output_tokens,
        tally.uncounted,
    ]
}

fn sum<'a>(tallies: impl IntoIterator<Item = &'a Tally>) -> Tally {
    let mut sum = Tally::default();
    for it in tallies {
        sum.add(it);
    }
    sum
}

/// The endpoints of a storm.
struct Storm {
    clock: FixedClock,
    servers: [(&'static str, Server); 4],
    /// What all of them saw.
    all: Arc<Mutex<Log>>,
    atlas: Atlas,
}

impl Storm {
    fn new() -> Self {
        let (clock, all) = (FixedClock::at(start()), Arc::default());
        let moods = [
            ("busy", Mood::Busy),
            ("dead", Mood::Dead),
            ("slow", Mood::Slow),
            ("embedder", Mood::Busy),
        ];
        let servers = moods.map(|(name, mood)| (name, Server::new(mood, &clock, &all)));
        let [busy, dead, slow, embedding] = &servers;
        let embedder = BusyEmbedder(embedding.1.clone());
        let store = MemoryStore::new(embedder.space());
        let parts = Components::new(store, OfflineLlm::default(), embedder, clock.clone())
            .with_provider(busy.0, busy.1.clone())
            .with_provider(dead.0, dead.1.clone())
            .with_provider(slow.0, slow.1.clone());
        let atlas = Atlas::new(parts, settings()).unwrap();
        Self {
            clock,
            servers,
            all,
            atlas,
        }
    }

    fn channel(&self, name: &str) -> Channel {
        self.atlas.channel(sample().id(name))
    }

    /// Takes a channel in and settles until all is done; how many runs that took.
    fn run(&self, name: &str, billed: &mut Bill) -> usize {
        let channel = self.channel(name);
        let messages = sample().messages(name);
        let receipt = wait(channel.ingest(messages)).unwrap();
        assert_eq!(receipt.accepted, messages.len());
        let mut n_known = 0;
        for run in 1..=MAX_RUNS {
            lock(&self.all).sent.clear();
            let settled = wait(channel.settle()).unwrap();
            billed.add(&settled.bill);
            let most = lock(&self.all).sent.values().copied().max().unwrap_or(0);
            assert!(
                most <= ATTEMPTS,
                "{name}: a request was sent {most} times in one run"
            );
            let n_facts = all_facts(&channel).len();
            assert!(
                n_facts >= n_known,
                "{name}: from {n_known} facts to {n_facts}"
            );
            n_known = n_facts;
            if settled.is_complete() {
                return run;
            }
            self.clock.advance(Duration::from_mins(2));
        }
        panic!("{name}: not done after {MAX_RUNS} runs");
    }

    /// Everything is known as in calm weather, each fact once, and nothing is asked again.
    fn check_known(&self, name: &str) {
        let channel = self.channel(name);
        let facts = all_facts(&channel);
        let claims: BTreeSet<String> = facts
            .iter()
            .map(|(fact, _)| normalise_claim(fact.text()))
            .collect();
        assert_eq!(claims.len(), facts.len(), "{name}");
        assert_eq!(as_said(facts), as_said(sample().facts(name)), "{name}");
        assert_eq!(wait(channel.check()).unwrap(), [], "{name}");
        let settled = wait(channel.settle()).unwrap();
        assert!(settled.bill.is_empty(), "{:?}", settled.bill);
    }

    /// The ledger has what was billed, account by account and day by day, and what the servers
    /// counted, role by role and endpoint by endpoint.
    fn check_ledger(&self, billed: &Bill) {
        let ledger = self.atlas.ledger();
        assert_eq!(*billed, ledger.bill);
        let total = ledger.bill.total();
        let of_accounts: Vec<Tally> = ledger.accounts.values().map(Bill::total).collect();
        assert_eq!(sum(&of_accounts), total);
        let by_role = ledger.bill.by_role();
        assert_eq!(sum(by_role.values()), total);
        let of_roles: BTreeMap<ModelRole, [u64; 5]> = by_role
            .iter()
            .map(|(role, it)| (*role, counted(it)))
            .collect();
        assert_eq!(of_roles, lock(&self.all).by_role);
        let by_endpoint = ledger.bill.by_endpoint();
        assert_eq!(sum(by_endpoint.values()), total);
        assert_eq!(by_endpoint.len(), self.servers.len());
        for (name, server) in &self.servers {
            let mut of_server = [0; 5];
            for sums in lock(&server.log).by_role.values() {
                for (sum, more) in of_server.iter_mut().zip(sums) {
                    *sum += more;
                }
            }
            assert_eq!(counted(&by_endpoint[*name]), of_server, "{name}");
        }
        assert!(total.attempts <= total.calls * u64::from(ATTEMPTS));
        assert!(by_endpoint["slow"].latency.max_micros >= 20_000_000);
        for name in CHANNELS {
            let kept = wait(self.channel(name).bills()).unwrap();
            assert!(
                kept.iter().all(|it| it.day.starts_with("2026-05-")),
                "{kept:?}"
            );
            let mut sum = Bill::default();
            for day in &kept {
                sum.add(&day.bill);
            }
            let account = Partition::Channel(sample().id(name));
            assert_eq!(sum, ledger.accounts[&account], "{name}");
        }
    }
}

#[test]
fn in_a_storm_everything_is_learned_and_the_bill_adds_up() {
    let storm = Storm::new();
    let mut billed = Bill::default();
    let mut n_runs = 0;
    for name in CHANNELS {
        n_runs += storm.run(name, &mut billed);
        storm.check_known(name);
    }
    let answer = wait(storm.channel("product").ask("When is the launch?")).unwrap();
    assert!(answer.bill().by_role().contains_key(&ModelRole::Embedder));
    billed.add(answer.bill());
    storm.check_ledger(&billed);

    let ledger = storm.atlas.ledger();
    let total = ledger.bill.total();
    println!("{n_runs} runs: {total:?}");
    println!("{:?}", ledger.endpoints);
    assert!(n_runs > CHANNELS.len(), "the storm stopped nothing");
    assert!(total.failures > 20 && total.turned_away > 0 && total.uncounted > 0);
    assert!(total.cost_micros > 0 && total.unpriced == 0);
    // What was dead was left alone, and found alive again.
    let dead = ledger.endpoints["dead"];
    assert!(dead.opened >= 2 && dead.closed == 1, "{dead:?}");
    assert_eq!(dead.left_alone_for, None);
    for alive in ["busy", "slow", "embedder"] {
        assert_eq!(ledger.endpoints[alive].opened, 0, "{alive}");
    }
}
