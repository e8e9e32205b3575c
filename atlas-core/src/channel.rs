//! A channel, as its user meets it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::answer::{Answer, AskOptions, ask};
use crate::atlas::Inner;
use crate::error::Result;
use crate::extract::Turn;
use crate::ingest::{DeadFilter, Receipt, append, retry_failed, set_hold};
use crate::lifecycle;
use crate::maintain::{
    AnswerTrace, ChannelStats, DayBill, Explanation, FactTrace, Observer, Settled, Snapshot,
    Violation, bills, check, explain, settle, snapshot, stats, trace_answer, trace_fact,
};
use crate::model::{
    AtomicFact, ChannelId, FactId, FactState, Judged, Judgement, Message, MessageId,
    MessageOutcome, PrincipalId, SourceId, Standing, TurnId, Verdict, WikiPage,
};
use crate::ports::{ChannelScope, LifecycleView, Partition, RecordStoreExt, Scope, Visibility};
use crate::project::documents::{document_state, unjudged_validity};
use crate::retrieve::{SearchOptions, SearchOutcome, search};
use crate::wiki::{RenderedFile, render};

/// One channel of an [`Atlas`](crate::Atlas).
///
/// Everything that is read or written through it stays within the channel.
#[derive(Clone, Debug)]
pub struct Channel {
    inner: Arc<Inner>,
    scope: ChannelScope,
}

impl Channel {
    pub(crate) fn new(inner: Arc<Inner>, scope: ChannelScope) -> Self {
        Self { inner, scope }
    }

    /// The channel's id.
    pub fn id(&self) -> &ChannelId {
        self.scope.channel()
    }

    /// Takes messages in: appends them to the log and queues what is new or changed.
    ///
    /// # Errors
    ///
    /// See [`append`]. A message that cannot be taken is no error but refused in the receipt.
    pub async fn ingest(&self, messages: &[Message]) -> Result<Receipt> {
        let Inner {
            parts, settings, ..
        } = &*self.inner;
        append(parts, &self.scope, messages, settings.extract.reads_bots).await
    }

    /// Brings facts, graph, topics and wiki up to the messages.
    ///
    /// # Errors
    ///
    /// See [`settle`].
    pub async fn settle(&self) -> Result<Settled> {
        self.settle_with(&()).await
    }

    /// Settles, and tells an observer how far it is.
    ///
    /// # Errors
    ///
    /// See [`settle`].
    pub async fn settle_with(&self, observer: &dyn Observer) -> Result<Settled> {
        self.settle_turn(Turn::All, observer).await
    }

    /// A worker's turn: one chunk of the queue, and the rest if nothing more is due.
    pub(crate) async fn turn(&self) -> Result<Settled> {
        self.settle_turn(Turn::One, &()).await
    }

    async fn settle_turn(&self, turn: Turn, observer: &dyn Observer) -> Result<Settled> {
        let account = Partition::of(&self.scope);
        let (parts, router) = self.inner.on_account(account.clone());
        let settings = &self.inner.settings;
        let settled = settle(&parts, &self.scope, settings, turn, observer).await;
        // What was called is kept whatever became of it.
        let bill = router.bill();
        let kept = bills::keep(&parts, &account, &bill).await;
        let mut settled = settled?;
        kept?;
        settled.bill = bill;
        Ok(settled)
    }

    /// Takes messages in and settles.
    ///
    /// # Errors
    ///
    /// See [`Channel::ingest`] and [`Channel::settle`].
    pub async fn remember(&self, messages: &[Message]) -> Result<(Receipt, Settled)> {
        let receipt = self.ingest(messages).await?;
        Ok((receipt, self.settle().await?))
    }

    /// Answers a question, or tells why it does not.
    ///
    /// # Errors
    ///
    /// See [`ask`].
    pub async fn ask(&self, question: &str) -> Result<Answer> {
        self.ask_with(question, &AskOptions::default()).await
    }

    /// Answers a question from what the options let it see.
    ///
    /// # Errors
    ///
    /// See [`ask`].
    pub async fn ask_with(&self, question: &str, options: &AskOptions) -> Result<Answer> {
        let (parts, router) = self.inner.on_account(Partition::of(&self.scope));
        let settings = &self.inner.settings;
        let tunables = (&settings.retrieve, &settings.answer);
        ask(
            (&parts, &router),
            &Scope::from(&self.scope),
            question,
            options,
            tunables,
        )
        .await
    }

    /// Looks for facts and messages.
    ///
    /// # Errors
    ///
    /// See [`search`].
    pub async fn search(&self, text: &str) -> Result<SearchOutcome> {
        self.search_with(text, &SearchOptions::default()).await
    }

    /// Looks for what the options ask for.
    ///
    /// # Errors
    ///
    /// See [`search`].
    pub async fn search_with(&self, text: &str, options: &SearchOptions) -> Result<SearchOutcome> {
        let (parts, _) = self.inner.on_account(Partition::of(&self.scope));
        let settings = &self.inner.settings;
        search(
            &parts,
            &Scope::from(&self.scope),
            text,
            options,
            &settings.retrieve,
        )
        .await
    }

    /// The facts that count, in the order in which they were first said, each with its state.
    ///
    /// # Errors
    ///
    /// What the store fails with.
    pub async fn facts(&self) -> Result<Vec<(AtomicFact, FactState)>> {
        self.facts_seen(&Visibility::default()).await
    }

    /// The facts that a reader sees, in the order in which they were first said.
    ///
    /// # Errors
    ///
    /// What the store fails with.
    pub async fn facts_seen(
        &self,
        visibility: &Visibility,
    ) -> Result<Vec<(AtomicFact, FactState)>> {
        let partition = Partition::of(&self.scope);
        let records = self.inner.parts.records.as_ref();
        let mut standings: BTreeMap<FactId, Standing> = records
            .load_all::<Standing>(&partition)
            .await?
            .into_iter()
            .map(|it| (it.value.fact.clone(), it.value))
            .collect();
        let mut facts = Vec::new();
        for fact in records.load_all::<AtomicFact>(&partition).await? {
            let fact = fact.value;
            let (state, validity) = match standings.remove(&fact.id) {
                Some(standing) => (standing.state, standing.validity),
                None => (FactState::Live, unjudged_validity(&fact)),
            };
            if visibility.admits(document_state(&state), &validity, fact.recorded_at) {
                facts.push((fact, state));
            }
        }
        facts.sort_by(|(a, _), (b, _)| {
            let said = |fact: &AtomicFact| fact.first().map(|it| (it.sent_at, it.message.clone()));
            (said(a), &a.id).cmp(&(said(b), &b.id))
        });
        Ok(facts)
    }

    /// What became of each message: why it has the facts that it has, or none.
    ///
    /// # Errors
    ///
    /// What the store fails with.
    pub async fn outcomes(&self) -> Result<Vec<MessageOutcome>> {
        let partition = Partition::of(&self.scope);
        let all = self
            .inner
            .parts
            .records
            .load_all::<MessageOutcome>(&partition)
            .await?;
        Ok(all.into_iter().map(|it| it.value).collect())
    }

    /// What became of a message: why it has the facts that it has, or none.
    ///
    /// # Errors
    ///
    /// What the stores fail with. A message that there is not is no error.
    pub async fn explain(&self, message: &MessageId) -> Result<Explanation> {
        explain(&self.inner.parts, &self.scope, message).await
    }

    /// Queues dead conversations again, each with all its attempts; answers how many.
    ///
    /// # Errors
    ///
    /// See [`retry_failed`].
    pub async fn retry_failed(&self, filter: &DeadFilter) -> Result<usize> {
        retry_failed(&self.inner.parts, &self.scope, filter).await
    }

    /// Holds a source: its messages are taken in and queued, and not read until it is released.
    ///
    /// # Errors
    ///
    /// See [`set_hold`].
    pub async fn hold(&self, source: &SourceId) -> Result<()> {
        set_hold(&self.inner.parts, &self.scope, source, true).await
    }

    /// Releases a source that is held.
    ///
    /// # Errors
    ///
    /// See [`set_hold`].
    pub async fn release(&self, source: &SourceId) -> Result<()> {
        set_hold(&self.inner.parts, &self.scope, source, false).await
    }

    /// Where a fact comes from and what became of it; none if there is no such fact.
    ///
    /// # Errors
    ///
    /// What the stores fail with.
    pub async fn trace(&self, fact: &FactId) -> Result<Option<FactTrace>> {
        trace_fact(&self.inner.parts, &self.scope, fact).await
    }

    /// Where an answer comes from and whether it still stands; none if there is no such turn.
    ///
    /// # Errors
    ///
    /// What the stores fail with.
    pub async fn trace_answer(&self, turn: &TurnId) -> Result<Option<AnswerTrace>> {
        trace_answer(&self.inner.parts, &self.scope, turn).await
    }

    /// Records what a person judges of facts, such as that one is wrong or counts again.
    ///
    /// # Errors
    ///
    /// See [`lifecycle::judge`].
    pub async fn judge(
        &self,
        by: &PrincipalId,
        judged: Judged,
        verdict: Verdict,
        reason: &str,
    ) -> Result<Judgement> {
        lifecycle::judge(
            &self.inner.parts,
            &self.scope,
            by,
            (judged, verdict),
            reason,
        )
        .await
    }

    /// The pages of the wiki, in order of their slugs.
    ///
    /// # Errors
    ///
    /// What the store fails with.
    pub async fn pages(&self) -> Result<Vec<WikiPage>> {
        let partition = Partition::of(&self.scope);
        let all = self
            .inner
            .parts
            .records
            .load_all::<WikiPage>(&partition)
            .await?;
        let mut pages: Vec<WikiPage> = all.into_iter().map(|it| it.value).collect();
        pages.sort_by(|a, b| (&a.slug, &a.id).cmp(&(&b.slug, &b.id)));
        Ok(pages)
    }

    /// The wiki as linked Markdown files, under a name for the channel.
    ///
    /// # Errors
    ///
    /// What the store fails with.
    pub async fn export(&self, channel_name: &str) -> Result<Vec<RenderedFile>> {
        let everything = Visibility {
            view: LifecycleView::All,
            ..Visibility::default()
        };
        let facts: BTreeMap<FactId, AtomicFact> = self
            .facts_seen(&everything)
            .await?
            .into_iter()
            .map(|(fact, _)| (fact.id.clone(), fact))
            .collect();
        Ok(render(&self.pages().await?, &facts, channel_name))
    }

    /// Checks everything that is stored against every invariant; an empty list means that all
    /// hold.
    ///
    /// # Errors
    ///
    /// What the stores fail with.
    pub async fn check(&self) -> Result<Vec<Violation>> {
        check(&self.inner.parts, &self.scope).await
    }

    /// How much the channel holds.
    ///
    /// # Errors
    ///
    /// What the stores fail with.
    pub async fn stats(&self) -> Result<ChannelStats> {
        stats(&self.inner.parts, &self.scope).await
    }

    /// What settling and asking came to on each day, in order of the days.
    ///
    /// # Errors
    ///
    /// What the store fails with.
    pub async fn bills(&self) -> Result<Vec<DayBill>> {
        bills::kept(&self.inner.parts, &Partition::of(&self.scope)).await
    }

    /// What the channel holds, in a form that can be compared.
    ///
    /// # Errors
    ///
    /// What the stores fail with.
    pub async fn snapshot(&self) -> Result<Snapshot> {
        snapshot(&self.inner.parts, &self.scope).await
    }
}
