//! Facts in a store to topics, summaries and pages: what is written, what it costs, and what is
//! left when a part fails.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that finds no value has failed"
)]

mod doubles;

use atlas_core::Components;
use atlas_core::model::{
    AtomicFact, Attribution, Author, AuthorId, ChannelId, ChannelSummary, Claim, ContentHash,
    Curation, CurationMode, Evidence, FactId, FactKind, FactState, Fingerprint, Importance,
    Language, Membership, MessageId, NativeId, PageKind, PrincipalId, SourceId, Span, Standing,
    Stored, Timestamp, TopicCluster, TopicSummary, UnitScore, WikiPage,
};
use atlas_core::ports::{
    ChannelScope, CommitBuilder, Cursor, Partition, Record, RecordStore, RecordStoreExt,
};
use atlas_core::{ErrorKind, stage, topic, wiki};
use futures::executor::block_on;

use doubles::{Broken, FaultyRecords, OwnWords, WordBag};

fn scope() -> ChannelScope {
    ChannelScope::new(ChannelId::new("C1"))
}

fn partition() -> Partition {
    Partition::of(&scope())
}

fn at(hour: u32) -> Timestamp {
    let start: Timestamp = "2026-03-02T08:00:00Z".parse().unwrap();
    start.saturating_add_micros(i64::from(hour) * 3_600_000_000)
}

fn fact(hour: u32, kind: FactKind, tag: &str, text: &str) -> AtomicFact {
    let span = Span {
        start: 0,
        end: text.len(),
    };
    let channel = ChannelId::new("C1");
    let message = MessageId::new(
        SourceId::new("test"),
        channel.clone(),
        NativeId::new(format!("m{hour}")),
    );
    AtomicFact {
        id: FactId::of(&channel, text),
        channel,
        claim: Claim {
            text: text.to_owned(),
            span,
            quote: text.to_owned(),
            kind,
            slot: None,
            action: None,
            importance: Importance::Medium,
            quality: UnitScore::ONE,
            topic_tags: vec![tag.to_owned()],
            action_tags: Vec::new(),
            mentions: Vec::new(),
            language: Language::new("en"),
            occurred_at: at(hour),
            valid_until: None,
            rationale: None,
            alternatives: Vec::new(),
            consequences: Vec::new(),
            numbers: Vec::new(),
            sentiment: None,
            glossary: Vec::new(),
            links: Vec::new(),
            answers: None,
        },
        evidence: vec![Evidence {
            message,
            version: ContentHash::of(text.as_bytes()),
            span,
            quote: text.to_owned(),
            author: Author {
                id: AuthorId::new("U1"),
                name: "Ada".to_owned(),
            },
            sent_at: at(hour),
            attribution: Attribution::Exact,
        }],
        thread: None,
        media: Vec::new(),
        recorded_at: at(hour),
        extractor: Fingerprint::new("test"),
    }
}

/// Four matters of five facts, one of them decisions.
fn channel() -> Vec<AtomicFact> {
    let matters = [
        ("geocoding", FactKind::Observation),
        ("billing", FactKind::Decision),
        ("launch", FactKind::ActionItem),
        ("office", FactKind::Observation),
    ];
    let doings = [
        "moved to the second floor",
        "costs 40 dollars",
        "failed on Monday",
        "waits for review",
        "needs a licence",
    ];
    let mut facts = Vec::new();
    for (hour, doing) in (0..).step_by(10).zip(doings) {
        for (minute, (tag, kind)) in (0..).zip(matters) {
            facts.push(fact(
                hour + minute,
                kind,
                tag,
                &format!("The {tag} {doing}."),
            ));
        }
    }
    facts
}

async fn store<T: Stored + Sync>(parts: &Components, values: &[T]) {
    let records = parts.records.as_ref();
    let mut commit = CommitBuilder::new(stage::epoch(records, &scope()).await.unwrap());
    for value in values {
        commit.put(value).unwrap();
    }
    stage::commit(records, &partition(), commit).await.unwrap();
}

async fn settle(parts: &Components) -> atlas_core::Result<(topic::TopicReport, wiki::WikiReport)> {
    let of_topics = topic::run(parts, &scope(), &topic::TopicSettings::default()).await?;
    let of_pages = wiki::run(parts, &scope(), &wiki::WikiSettings::default()).await?;
    Ok((of_topics, of_pages))
}

/// Everything that the two stages own, without the commits' numbers.
async fn written(parts: &Components) -> Vec<(String, String)> {
    let mut all: Vec<Record> = Vec::new();
    for collection in [
        TopicCluster::COLLECTION,
        Membership::COLLECTION,
        TopicSummary::COLLECTION,
        ChannelSummary::COLLECTION,
        WikiPage::COLLECTION,
        atlas_core::ports::Collection::literal(".page_draft"),
    ] {
        let partition = partition();
        let records = parts.records.list_all(&partition, &collection, "");
        all.extend(records.await.unwrap());
    }
    let pairs = all.into_iter().map(|it| {
        let value = String::from_utf8(it.value).unwrap();
        (it.key.to_string(), value)
    });
    pairs.collect()
}

async fn pages(parts: &Components) -> Vec<WikiPage> {
    let partition = partition();
    let loaded = parts.records.load_all::<WikiPage>(&partition);
    let loaded = loaded.await.unwrap();
    loaded.into_iter().map(|it| it.value).collect()
}

/// The same, but for what pages remember of their past.
async fn content(parts: &Components) -> Vec<(String, String)> {
    let mut all = written(parts).await;
    all.retain(|(key, _)| !key.starts_with("page/"));
    for mut page in pages(parts).await {
        page.revision = 1;
        page.old_slugs.clear();
        all.push((
            page.id.to_string(),
            String::from_utf8(page.encode().unwrap()).unwrap(),
        ));
    }
    all
}

async fn head(parts: &Components) -> Cursor {
    parts.records.head(&partition()).await.unwrap().cursor
}

fn parts() -> (Components, OwnWords) {
    let llm = OwnWords::default();
    let parts = doubles::components(llm.clone(), FaultyRecords::sound(WordBag::space()));
    (parts, llm)
}

#[test]
fn facts_become_topics_and_pages_and_nothing_is_done_twice() {
    block_on(async {
        let (parts, llm) = parts();
        store(&parts, &channel()).await;
        let (of_topics, of_pages) = settle(&parts).await.unwrap();
        assert_eq!((of_topics.assigned, of_topics.topics), (20, 4));
        assert_eq!(of_topics.written, 5);
        assert!(of_topics.failed.is_empty() && of_pages.failed.is_empty());
        assert_eq!(of_pages.untold, []);
        let mut titles: Vec<String> = pages(&parts).await.into_iter().map(|it| it.title).collect();
        titles.sort();
        assert_eq!(
            titles,
            [
                "Action items",
                "BILLING",
                "Decisions",
                "GEOCODING",
                "LAUNCH",
                "OFFICE",
                "Overview",
                "People",
            ]
        );
        let (n_calls, before) = (llm.n_calls(), head(&parts).await);
        for _ in 0..2 {
            settle(&parts).await.unwrap();
            assert_eq!(
                (llm.n_calls(), head(&parts).await),
                (n_calls, before.clone())
            );
        }
    });
}

#[test]
fn what_is_superseded_leaves_its_topic_and_every_page_but_the_decisions() {
    block_on(async {
        let (parts, llm) = parts();
        let facts = channel();
        store(&parts, &facts).await;
        settle(&parts).await.unwrap();
        let before = pages(&parts).await;
        let n_calls = llm.n_calls();
        let old = facts
            .iter()
            .find(|it| it.text() == "The billing costs 40 dollars.")
            .unwrap();
        let by = fact(
            70,
            FactKind::Decision,
            "billing",
            "The billing costs 60 dollars.",
        );
        store(&parts, std::slice::from_ref(&by)).await;
        let standing = Standing {
            fact: old.id.clone(),
            state: FactState::Superseded { by: by.id.clone() },
            validity: Vec::new(),
        };
        store(&parts, &[standing]).await;
        let (of_topics, of_pages) = settle(&parts).await.unwrap();
        assert_eq!((of_topics.assigned, of_topics.left), (1, 1));
        // The topic and the channel, then the topic's page, the decisions and the people.
        assert_eq!(llm.n_calls() - n_calls, 5);
        assert_eq!(of_pages.untold, []);
        for page in pages(&parts).await {
            let cites = page.cited().contains(&old.id);
            assert_eq!(cites, page.kind == PageKind::Decisions, "{}", page.title);
            let was = before.iter().find(|it| it.id == page.id).unwrap();
            if ["GEOCODING", "LAUNCH", "OFFICE", "Action items"].contains(&page.title.as_str()) {
                assert_eq!(*was, page);
            } else {
                assert_eq!(was.revision + 1, page.revision, "{}", page.title);
            }
        }
    });
}

#[test]
fn a_frozen_page_is_not_touched() {
    block_on(async {
        let (parts, _) = parts();
        store(&parts, &channel()).await;
        settle(&parts).await.unwrap();
        let before = pages(&parts).await;
        let frozen = before
            .iter()
            .find(|it| it.kind == PageKind::Decisions)
            .unwrap();
        let curation = Curation {
            page: frozen.id.clone(),
            mode: CurationMode::Frozen,
            is_hidden: false,
            by: PrincipalId::new("ada"),
            reason: "signed".to_owned(),
            at: at(80),
        };
        store(&parts, &[curation]).await;
        let more = fact(
            90,
            FactKind::Decision,
            "billing",
            "The billing stops in May.",
        );
        store(&parts, &[more]).await;
        let (_, report) = settle(&parts).await.unwrap();
        assert_eq!(report.curated, 1);
        let after = pages(&parts).await;
        assert!(after.contains(frozen));
        assert_ne!(before, after);
    });
}

/// A model that fails leaves what stood before, is told, and costs nothing twice: wherever it
/// fails, the next run ends where an unbroken one does.
#[test]
fn a_model_that_fails_at_any_call_is_made_up_for() {
    block_on(async {
        let (unbroken, llm) = parts();
        store(&unbroken, &channel()).await;
        settle(&unbroken).await.unwrap();
        let expected = content(&unbroken).await;
        let n_calls = llm.n_calls();
        assert!(n_calls > 8);
        for at_call in 0..n_calls {
            let (parts, llm) = parts();
            store(&parts, &channel()).await;
            llm.fail_at(at_call, Broken::Down);
            let (of_topics, of_pages) = settle(&parts).await.unwrap();
            let n_failed = of_topics.failed.len() + of_pages.failed.len();
            assert!(n_failed > 0, "call {at_call} failed and nobody says so");
            settle(&parts).await.unwrap();
            assert_eq!(content(&parts).await, expected, "after call {at_call}");
        }
    });
}

#[test]
fn a_page_that_cannot_be_written_stays_as_it_was() {
    block_on(async {
        let (parts, llm) = parts();
        store(&parts, &channel()).await;
        settle(&parts).await.unwrap();
        let before = pages(&parts).await;
        let more = fact(
            90,
            FactKind::Observation,
            "geocoding",
            "The geocoding stops in May.",
        );
        store(&parts, &[more]).await;
        llm.fail_always(Some(Broken::Unreadable));
        let (of_topics, of_pages) = settle(&parts).await.unwrap();
        assert!(!of_topics.failed.is_empty() && !of_pages.failed.is_empty());
        assert!(
            of_pages
                .failed
                .iter()
                .all(|(_, error)| error.kind() == ErrorKind::Invalid)
        );
        let page = |pages: &[WikiPage]| pages.iter().find(|it| it.title == "GEOCODING").cloned();
        assert_eq!(page(&pages(&parts).await), page(&before));
        llm.fail_always(None);
        let (of_topics, of_pages) = settle(&parts).await.unwrap();
        assert!(of_topics.failed.is_empty() && of_pages.failed.is_empty());
        assert_eq!(of_pages.untold, []);
    });
}

/// A store that fails at any call leaves nothing half done: the next run ends where an unbroken
/// one does.
#[test]
fn a_store_that_fails_at_any_call_is_made_up_for() {
    block_on(async {
        let faulty = FaultyRecords::sound(WordBag::space());
        let parts = doubles::components(OwnWords::default(), faulty.clone());
        store(&parts, &channel()).await;
        let from = faulty.n_calls();
        settle(&parts).await.unwrap();
        let until = faulty.n_calls();
        let expected = written(&parts).await;
        assert!(until - from > 30);
        for at_call in from..until {
            let faulty = FaultyRecords::sound(WordBag::space());
            let parts = doubles::components(OwnWords::default(), faulty.clone());
            store(&parts, &channel()).await;
            faulty.fail_at(at_call);
            let failure = settle(&parts).await.unwrap_err();
            assert_eq!(failure.kind(), ErrorKind::Unavailable);
            settle(&parts).await.unwrap();
            assert_eq!(written(&parts).await, expected, "after call {at_call}");
        }
    });
}
