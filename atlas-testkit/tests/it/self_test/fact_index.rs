//! Broken adapters of [`FactIndex`].

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use atlas_core::model::{ChannelId, PrincipalId};
use atlas_core::ports::{
    Access, AllowAll, Authorizer, Batch, ChannelScope, Cursor, EmbeddingSpace, Epoch, FactIndex,
    FactIndexCapabilities, FactIndexStats, Filter, IndexEntry, IndexHit, Leg, LifecycleView,
    Residue, Scope, SearchRequest, Visibility,
};
use atlas_core::{Error, ErrorKind, Result, async_trait};

use atlas_store_memory::MemoryStore;

use crate::memory::store;

/// What is wrong with the adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defect {
    /// A document without text is left out.
    DropsTextless,
    /// A batch from behind is passed over.
    SkipsBehind,
    /// A batch from the start is added.
    KeepsAll,
    /// Documents that a record has no longer are kept.
    KeepsDocuments,
    /// Words of other scripts than Latin find nothing.
    KnowsLatinOnly,
    /// A quotation that does not end is an error.
    ParsesQuotes,
    /// Ties go backwards on the dense leg.
    BreaksTies,
    /// Recent hits go by a score of few digits.
    SortsByScore,
    /// The limit comes before the filter.
    FiltersLate,
    /// A channel finds in one of nearly its name.
    LeaksChannels,
    /// A leg that is not offered finds nothing.
    EmptyForUnsupported,
    /// A vector that is too wide is cut.
    CutsVectors,
    /// Purging takes no notice of the fence.
    PurgesLate,
    /// Nothing is ever counted as left.
    CountsNothing,
    /// A limit of nought finds nothing.
    EmptyForNought,
    /// Every document is counted as a vector.
    CountsBlind,
    /// A text without words finds all.
    AllForBlank,
    /// It offers only the recent leg, and says so: no defect.
    HonestlyWithout,
    /// What has no id is left out.
    SkipsNameless,
    /// It says that it is durable, and is not.
    SaysDurable,
    /// Vectors are kept until it is closed.
    ForgetsVectors,
    /// The fence is looked up by the first read only.
    ReadsFenceLate,
    /// A lower fence is passed over.
    IdlesAtLowerFence,
    /// It has none: it keeps what it was told.
    Nothing,
}

/// An adapter with a defect.
struct Broken {
    inner: Arc<dyn FactIndex>,
    defect: Defect,
    is_durable: bool,
    /// Whether anything was read since it was opened.
    was_read: AtomicBool,
    /// All entries, and the fence, of each channel.
    entries: Mutex<BTreeMap<ChannelId, Vec<IndexEntry>>>,
    fences: Mutex<BTreeMap<ChannelId, Epoch>>,
}

impl Broken {
    /// An adapter that is gone with its process.
    fn of(defect: Defect) -> Self {
        Self {
            is_durable: defect == Defect::SaysDurable,
            ..Self::over(store(), defect)
        }
    }

    /// An adapter whose store stays when it goes.
    fn over(store: MemoryStore, defect: Defect) -> Self {
        Self {
            inner: Arc::new(store),
            defect,
            is_durable: true,
            was_read: AtomicBool::default(),
            entries: Mutex::default(),
            fences: Mutex::default(),
        }
    }

    fn has(&self, defect: Defect) -> bool {
        self.defect == defect
    }

    /// The fence that it was told since it was opened.
    fn held(&self, channel: &ChannelScope) -> Epoch {
        let fences = self.fences.lock().unwrap();
        fences.get(channel.channel()).copied().unwrap_or_default()
    }

    fn read(&self) {
        self.was_read.store(true, Ordering::Relaxed);
    }

    /// Whether this call comes before the adapter knows the fence.
    fn is_unaware(&self) -> bool {
        self.has(Defect::ReadsFenceLate) && !self.was_read.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl FactIndex for Broken {
    fn capabilities(&self) -> FactIndexCapabilities {
        match self.defect {
            Defect::EmptyForUnsupported => self.inner.capabilities().with_dense(false),
            Defect::HonestlyWithout => FactIndexCapabilities::default(),
            _ => self.inner.capabilities().with_durable(self.is_durable),
        }
    }

    fn space(&self) -> EmbeddingSpace {
        self.inner.space()
    }

    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, IndexEntry>) -> Result<()> {
        let applied = self.inner.applied(channel).await?;
        let is_start = *batch.from == Cursor::start();
        let is_behind = batch.from.revision < applied.revision && !is_start;
        if self.has(Defect::SkipsBehind) && is_behind {
            return Ok(());
        }
        let known = self.entries.lock().unwrap().get(channel.channel()).cloned();
        let mut all = match known.clone() {
            Some(all) if self.has(Defect::KeepsAll) && is_start => all,
            _ => Vec::new(),
        };
        all.extend(batch.entries.iter().cloned());
        for entry in &mut all {
            if self.has(Defect::SkipsNameless) {
                entry.documents.retain(|it| !it.id.is_empty());
            }
            if self.has(Defect::DropsTextless) {
                entry.documents.retain(|it| !it.text.is_empty());
            }
            if self.has(Defect::KeepsDocuments) && !is_start && !entry.documents.is_empty() {
                let of_origin = known
                    .iter()
                    .flatten()
                    .filter(|it| it.origin == entry.origin);
                let before: Vec<_> = of_origin.flat_map(|it| it.documents.clone()).collect();
                let is_new = |id: &str| entry.documents.iter().all(|it| it.id != id);
                let kept: Vec<_> = before.into_iter().filter(|it| is_new(&it.id)).collect();
                entry.documents.extend(kept);
            }
            if self.has(Defect::CutsVectors) {
                let width = self.inner.space().dimensions;
                for document in &mut entry.documents {
                    if let Some(vector) = &mut document.vector {
                        vector.truncate(width);
                    }
                }
            }
        }
        let changed = Batch {
            entries: &all,
            ..batch.clone()
        };
        let answer = self.inner.apply(channel, changed.clone()).await;
        match answer {
            Err(refusal) if self.is_unaware() && refusal.kind() == ErrorKind::Fenced => {
                let unfenced = Batch {
                    epoch: Epoch(u64::MAX),
                    ..changed
                };
                self.inner.apply(channel, unfenced).await?;
            }
            answer => answer?,
        }
        let mut entries = self.entries.lock().unwrap();
        let known = entries.entry(channel.channel().clone()).or_default();
        known.extend(batch.entries.iter().cloned());
        Ok(())
    }

    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor> {
        self.read();
        self.inner.applied(channel).await
    }

    async fn search(&self, scope: &Scope, request: &SearchRequest) -> Result<Vec<IndexHit>> {
        let scope = match self.defect {
            Defect::LeaksChannels => &with_neighbour(scope).await?,
            _ => scope,
        };
        let mut changed = request.clone();
        match (self.defect, &request.leg) {
            (Defect::EmptyForNought, _) if request.limit == 0 => return Ok(Vec::new()),
            (Defect::EmptyForUnsupported, Leg::Dense { .. }) => return Ok(Vec::new()),
            (Defect::HonestlyWithout, Leg::Dense { .. } | Leg::Lexical { .. }) => {
                return Err(Error::new(ErrorKind::Unsupported, "search", "not offered"));
            }
            (Defect::KnowsLatinOnly, Leg::Lexical { text }) if !text.contains(latin) => {
                return Ok(Vec::new());
            }
            (Defect::ParsesQuotes, Leg::Lexical { text }) if text.matches('"').count() % 2 == 1 => {
                return Err(Error::new(
                    ErrorKind::Invalid,
                    "search",
                    "the quotation does not end",
                ));
            }
            (Defect::AllForBlank, Leg::Lexical { text }) if text.trim().is_empty() => {
                changed.leg = Leg::Recent;
            }
            (Defect::FiltersLate, _) => {
                changed.filter = Filter::default();
                changed.visibility = Visibility {
                    view: LifecycleView::All,
                    ..Visibility::default()
                };
            }
            _ => {}
        }
        self.read();
        let mut hits = self.inner.search(scope, &changed).await?;
        match (self.defect, &request.leg) {
            (Defect::FiltersLate, _) => {
                let mut all = request.clone();
                all.limit = 10_000;
                let allowed = self.inner.search(scope, &all).await?;
                hits.retain(|it| {
                    allowed
                        .iter()
                        .any(|ok| (&ok.id, ok.kind) == (&it.id, it.kind))
                });
            }
            (Defect::ForgetsVectors, Leg::Dense { .. }) => {
                let entries = self.entries.lock().unwrap();
                let known: Vec<_> = entries.values().flatten().collect();
                hits.retain(|hit| {
                    let mut documents = known.iter().flat_map(|it| &it.documents);
                    documents.any(|it| it.id == hit.id)
                });
            }
            (Defect::BreaksTies, Leg::Dense { .. }) => {
                hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.id.cmp(&a.id)));
            }
            (Defect::SortsByScore, Leg::Recent) => {
                let place = |it: &IndexHit| (it.channel.clone(), it.kind, it.id.clone());
                hits.sort_by(|a, b| {
                    b.score
                        .total_cmp(&a.score)
                        .then_with(|| place(a).cmp(&place(b)))
                });
            }
            _ => {}
        }
        Ok(hits)
    }

    async fn stats(&self, channel: &ChannelScope) -> Result<FactIndexStats> {
        self.read();
        let stats = self.inner.stats(channel).await?;
        Ok(match self.defect {
            Defect::CountsBlind => FactIndexStats::new(stats.n_documents, stats.n_documents),
            _ => stats,
        })
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        let held = self.held(channel);
        if self.has(Defect::IdlesAtLowerFence) && epoch < held {
            return Ok(());
        }
        self.inner.fence(channel, epoch).await?;
        let mut fences = self.fences.lock().unwrap();
        fences.insert(channel.channel().clone(), epoch.max(held));
        Ok(())
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        let held = self.held(channel);
        let epoch = match self.defect {
            Defect::PurgesLate => epoch.max(held),
            _ => epoch,
        };
        self.inner.purge(channel, epoch).await?;
        self.entries.lock().unwrap().remove(channel.channel());
        Ok(())
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        match self.defect {
            Defect::CountsNothing => Ok(Residue::default()),
            _ => self.inner.residue(channel).await,
        }
    }
}

/// The scope with a channel of nearly the name of its first.
async fn with_neighbour(scope: &Scope) -> Result<Scope> {
    let authorizer = Authorizer::new(AllowAll);
    let reader = authorizer.principal(PrincipalId::new("reader"));
    let mut channels: Vec<ChannelId> = scope.channels().cloned().collect();
    channels.push(ChannelId::new(format!("{}/", channels[0])));
    authorizer.scope(&reader, &channels, Access::Read).await
}

/// Whether a letter is one of Latin script, as far as these tests go.
fn latin(letter: char) -> bool {
    letter.is_alphabetic() && letter < '\u{370}'
}

defects! {
    fact_index: [
    leaves_out_documents_without_text: DropsTextless => [fi_1_apply_makes_all_findable_and_moves_the_cursor];
    passes_over_a_batch_from_behind: SkipsBehind => [fi_2_a_batch_from_elsewhere_is_conflict];
    does_not_empty_at_the_start: KeepsAll => [fi_3_a_batch_from_the_start_empties_first];
    keeps_documents_of_a_changed_record: KeepsDocuments => [fi_4_documents_replace_all_of_their_origin];
    knows_one_script: KnowsLatinOnly => [fi_5_words_are_found_in_any_form_and_script];
    takes_text_for_a_query: ParsesQuotes => [fi_6_query_language_is_text];
    breaks_ties_at_will: BreaksTies => [fi_7_dense_search_is_exact];
    sorts_times_as_scores: SortsByScore => [fi_8_recent_goes_by_said_time];
    filters_after_the_limit: FiltersLate => [fi_9_visibility_and_filter_come_before_the_limit];
    leaks_channels: LeaksChannels => [fi_10_nothing_outside_the_scope_counts];
    answers_empty_instead_of_unsupported: EmptyForUnsupported => [fi_7_dense_search_is_exact, fi_11_a_leg_that_is_not_offered_is_unsupported];
    cuts_vectors: CutsVectors => [fi_12_a_wrong_vector_is_invalid];
    forgets_the_fence: PurgesLate => [fi_13_lower_epochs_are_fenced];
    counts_no_residue: CountsNothing => [fi_14_purge_leaves_no_residue];
    answers_empty_instead_of_invalid: EmptyForNought => [fi_15_a_limit_of_nought_is_invalid];
    counts_documents_as_vectors: CountsBlind => [fi_16_stats_count_one_channel];
    finds_all_for_nothing: AllForBlank => [fi_17_what_has_no_feature_finds_nothing];
    says_that_it_is_durable: SaysDurable => [fi_18_what_was_acknowledged_is_there_again];
    leaves_out_what_has_no_id: SkipsNameless => [fi_19_a_document_without_an_id_refuses_its_batch];
    passes_over_a_lower_fence: IdlesAtLowerFence => [fi_13_lower_epochs_are_fenced];
    an_index_that_offers_little_keeps_the_contract: HonestlyWithout => [];
    ]
    opened again: [
    a_durable_index_keeps_the_contract: Nothing => [];
    forgets_vectors_when_it_closes: ForgetsVectors => [
        fi_1_apply_makes_all_findable_and_moves_the_cursor,
        fi_3_a_batch_from_the_start_empties_first,
        fi_4_documents_replace_all_of_their_origin,
        fi_7_dense_search_is_exact,
        fi_9_visibility_and_filter_come_before_the_limit,
        fi_10_nothing_outside_the_scope_counts,
        fi_11_a_leg_that_is_not_offered_is_unsupported,
        fi_17_what_has_no_feature_finds_nothing,
        fi_18_what_was_acknowledged_is_there_again
    ];
    looks_up_the_fence_too_late: ReadsFenceLate => [fi_18_what_was_acknowledged_is_there_again];
    ]
}
