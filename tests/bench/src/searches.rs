//! Finding, in turns with the floors.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Result, ensure};
use atlas_core::Components;
use atlas_core::model::{AtomicFact, ChannelId, Standing};
use atlas_core::ports::{
    ChannelScope, DocumentKind, Embedder, EmbedderExt, Filter, IndexHit, Leg, Partition, Purpose,
    RecordStoreExt, Scope, SearchRequest, Visibility,
};
use atlas_core::retrieve::fuse::{WeightedList, fuse};
use atlas_core::retrieve::{RetrieveSettings, SearchOptions, search};

use crate::corpus::{Corpus, common_kind, rare_tag};
use crate::figures::{Way, count, per};
use crate::floor::{Fts5, RawWords, ScanF32, ScanI8, dot};
use crate::plan::Plan;
use crate::spread::Spread;
use crate::stopwatch::Stopwatch;

/// Hits of a search.
pub(crate) const HITS: usize = 20;
/// The nearest of which the share that was found is told.
const RECALL_AT: usize = 10;
/// How much less near a fact may be and still count as one of the nearest: what single precision
/// cannot tell.
const TIE: f32 = 1e-5;
/// Facts that are made at a time.
const STEP: usize = 1_000;
/// Rounds that warm up and are not counted.
const WARM_UP: usize = 10;

/// The floors over the channel that is searched.
pub(crate) struct Floors {
    fts5: Fts5,
    words: RawWords,
    vectors: ScanF32,
    bytes: ScanI8,
    /// The place of each fact among the vectors.
    places: BTreeMap<String, usize>,
}

impl Floors {
    /// Makes the facts of the searched channel again and writes them to each floor.
    ///
    /// # Errors
    ///
    /// What a floor fails with.
    pub(crate) async fn build(
        embedder: &dyn Embedder,
        plan: &Plan,
        corpus: &Corpus,
    ) -> Result<Self> {
        let mut texts = Vec::new();
        let mut places = BTreeMap::new();
        let mut vectors = ScanF32::new(embedder.space().dimensions);
        for from in (0..plan.shape.facts).step_by(STEP) {
            let to = (from + STEP).min(plan.shape.facts);
            let facts: Vec<AtomicFact> = corpus
                .said(plan.shape.searched(), from, to)?
                .into_iter()
                .flat_map(|it| it.facts)
                .collect();
            let own: Vec<&str> = facts.iter().map(AtomicFact::text).collect();
            for vector in embedder.embed_all(&own, Purpose::Document).await? {
                vectors.push(&vector);
            }
            for fact in facts {
                places.insert(fact.id.to_string(), texts.len());
                texts.push(fact.claim.text);
            }
        }
        let words = RawWords::create(&plan.dir.join("floor-words"))?;
        words.write(&texts)?;
        Ok(Self {
            fts5: Fts5::create(&plan.dir.join("fts5.db"), &texts).await?,
            words,
            bytes: vectors.quantised(),
            vectors,
            places,
        })
    }

    /// How many of the hits are among the nearest, of how many.
    fn recalled(&self, vector: &[f32], hits: &[IndexHit]) -> (usize, usize) {
        let exact = self.vectors.nearest(vector, RECALL_AT);
        let worst = exact.last().map_or(0.0, |(_, score)| score - TIE);
        let found = hits.iter().take(RECALL_AT).filter(|hit| {
            let place = self.places.get(&hit.id);
            place.is_some_and(|place| dot(self.vectors.row(*place), vector) >= worst)
        });
        (found.count(), exact.len())
    }
}

/// What the searches found out.
pub(crate) struct Searched {
    pub(crate) ways: BTreeMap<Way, Spread>,
    pub(crate) recall: f64,
}

/// Asks the plan's number of questions in every way, one way after the other for each question.
///
/// # Errors
///
/// What the store or a floor fails with.
pub(crate) async fn searches(
    parts: &Components,
    plan: &Plan,
    corpus: &Corpus,
    floors: &mut Floors,
) -> Result<Searched> {
    let channel = ChannelScope::new(Corpus::channel(plan.shape.searched()));
    let scope = Scope::from(&channel);
    let filters = filters();
    let mut taken: BTreeMap<Way, Vec<Duration>> = BTreeMap::new();
    let (mut found, mut wanted) = (0, 0);
    let mut n_hits = 0;
    for number in 0..plan.searches + WARM_UP {
        let mut note = |way: Way, watch: Stopwatch| {
            if number >= WARM_UP {
                taken.entry(way).or_default().push(watch.elapsed());
            }
        };
        let question = corpus.question(number);
        let vector = embed(parts, &question).await?;

        let watch = Stopwatch::start();
        n_hits += lexical(parts, &scope, &question, &Filter::default(), HITS)
            .await?
            .len();
        note(Way::Lexical, watch);
        let watch = Stopwatch::start();
        let near = dense(parts, &scope, &vector, &Filter::default(), HITS).await?;
        note(Way::Dense, watch);
        for (way, filter) in &filters {
            let watch = Stopwatch::start();
            let best = joined(parts, &channel, (&question, &vector), filter).await?;
            let reading = Stopwatch::start();
            hydrate(parts, &channel, &best).await?;
            note(*way, watch);
            if *way == Way::Hybrid {
                note(Way::Hydrate, reading);
            }
        }
        let watch = Stopwatch::start();
        let options = SearchOptions::default().with_limit(HITS);
        let settings = RetrieveSettings::default();
        let outcome = search(parts, &scope, &question, &options, &settings).await?;
        note(Way::Retrieve, watch);
        ensure!(
            outcome.degraded.is_empty(),
            "degraded: {:?}",
            outcome.degraded
        );

        let watch = Stopwatch::start();
        floors.fts5.search(&question, i64::try_from(HITS)?).await?;
        note(Way::Fts5, watch);
        let watch = Stopwatch::start();
        floors.words.search(&question, HITS)?;
        note(Way::Tantivy, watch);
        let watch = Stopwatch::start();
        floors.vectors.nearest(&vector, HITS);
        note(Way::ScanF32, watch);
        let watch = Stopwatch::start();
        floors.bytes.nearest(&vector, HITS);
        note(Way::ScanI8, watch);

        let (of_these, of_all) = floors.recalled(&vector, &near);
        found += of_these;
        wanted += of_all;
    }
    ensure!(n_hits > 0, "no question found anything by words");
    let ways = taken
        .into_iter()
        .map(|(way, all)| (way, Spread::of(&all)))
        .collect();
    Ok(Searched {
        ways,
        recall: per(count(found), count(wanted)),
    })
}

fn filters() -> [(Way, Filter); 3] {
    let rare = Filter {
        tags: vec![rare_tag()],
        ..Filter::default()
    };
    let common = Filter {
        fact_kinds: vec![common_kind()],
        ..Filter::default()
    };
    [
        (Way::Hybrid, Filter::default()),
        (Way::HybridRare, rare),
        (Way::HybridCommon, common),
    ]
}

/// The vector of a question.
///
/// # Errors
///
/// What the embedder fails with.
pub(crate) async fn embed(parts: &Components, question: &str) -> Result<Vec<f32>> {
    let vectors = parts.embedder.embed(&[question], Purpose::Query).await?;
    Ok(vectors.into_iter().next().unwrap_or_default())
}

/// Finds facts by words.
///
/// # Errors
///
/// What the index fails with.
pub(crate) async fn lexical(
    parts: &Components,
    scope: &Scope,
    text: &str,
    filter: &Filter,
    limit: usize,
) -> Result<Vec<IndexHit>> {
    let leg = Leg::Lexical {
        text: text.to_owned(),
    };
    look(parts, scope, leg, filter, limit).await
}

async fn dense(
    parts: &Components,
    scope: &Scope,
    vector: &[f32],
    filter: &Filter,
    limit: usize,
) -> Result<Vec<IndexHit>> {
    let leg = Leg::Dense {
        vector: vector.to_vec(),
    };
    look(parts, scope, leg, filter, limit).await
}

async fn look(
    parts: &Components,
    scope: &Scope,
    leg: Leg,
    filter: &Filter,
    limit: usize,
) -> Result<Vec<IndexHit>> {
    let request = SearchRequest {
        leg,
        visibility: Visibility::default(),
        filter: Filter {
            kinds: vec![DocumentKind::Fact],
            ..filter.clone()
        },
        limit,
    };
    Ok(parts.facts.search(scope, &request).await?)
}

/// Finds facts by words and by meaning, joins both lists as retrieval does, and reads the best
/// facts with their standings from the records. Answers how many there are.
///
/// # Errors
///
/// What the store fails with.
pub(crate) async fn hybrid(
    parts: &Components,
    channel: &ChannelScope,
    asked: (&str, &[f32]),
    filter: &Filter,
) -> Result<usize> {
    let best = joined(parts, channel, asked, filter).await?;
    hydrate(parts, channel, &best).await
}

/// The ids of the best facts by words and by meaning.
async fn joined(
    parts: &Components,
    channel: &ChannelScope,
    (question, vector): (&str, &[f32]),
    filter: &Filter,
) -> Result<Vec<String>> {
    let settings = RetrieveSettings::default();
    let scope = Scope::from(channel);
    let limit = HITS * settings.overfetch;
    let weighted = |weight: f64, hits: Vec<IndexHit>| WeightedList::<(ChannelId, String)> {
        weight,
        items: hits
            .into_iter()
            .map(|it| ((it.channel, it.id), f64::from(it.score)))
            .collect(),
    };
    let words = lexical(parts, &scope, question, filter, limit);
    let meaning = dense(parts, &scope, vector, filter, limit);
    let (words, meaning) = futures::try_join!(words, meaning)?;
    let lists = [
        weighted(settings.weight_fact_words, words),
        weighted(settings.weight_fact_meaning, meaning),
    ];
    let fused = fuse(&lists, settings.calibration).into_iter();
    Ok(fused.take(HITS).map(|((_, id), _)| id).collect())
}

/// Reads facts with their standings.
async fn hydrate(parts: &Components, channel: &ChannelScope, ids: &[String]) -> Result<usize> {
    let partition = Partition::of(channel);
    let records = parts.records.as_ref();
    let (facts, standings) = futures::try_join!(
        records.load_many::<AtomicFact>(&partition, ids),
        records.load_many::<Standing>(&partition, ids),
    )?;
    ensure!(
        facts.iter().all(Option::is_some) && standings.len() == facts.len(),
        "the index found a fact that is not in the records"
    );
    Ok(facts.len())
}
