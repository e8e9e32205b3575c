//! Claims of conversations: taking them, keeping them, giving them back.

use super::run::TRIES;
use crate::components::Components;
use crate::error::{ErrorKind, Result};
use crate::ingest::{LEASE_SECONDS, Token, WorkItem, due, held, schedule, waiting};
use crate::model::{Stored, Timestamp};
use crate::ports::{ChannelScope, CommitBuilder, Partition};
use crate::stage;

/// Conversations that are claimed together, as they were claimed.
pub(super) struct Leases<'a> {
    pub(super) parts: &'a Components,
    pub(super) channel: &'a ChannelScope,
    pub(super) items: Vec<WorkItem>,
    renewed_at: Timestamp,
}

impl<'a> Leases<'a> {
    /// Claims conversations that are due at the instant and whose source is not held: one commit
    /// that counts the attempt and moves each to the end of its lease.
    pub(super) async fn claim(
        parts: &'a Components,
        channel: &'a ChannelScope,
        (holder, at): (&str, Timestamp),
        limit: usize,
    ) -> Result<Self> {
        let partition = Partition::of(channel);
        let records = parts.records.as_ref();
        let mut tries = 0;
        loop {
            let now = parts.clock.now();
            let mut commit = CommitBuilder::new(stage::epoch(records, channel).await?);
            let mut items = Vec::new();
            let sources = held(records, &partition).await?;
            let fits = |it: &WorkItem| !sources.contains(&it.conversation.source);
            let listed = due(records, &partition, at, limit, fits).await?;
            let ids: Vec<String> = listed.iter().map(Stored::record_id).collect();
            let found = commit
                .load_many::<WorkItem>(records, &partition, &ids)
                .await?;
            for item in found.into_iter().flatten().map(|it| it.value) {
                // It may have been claimed since it was listed.
                if item.due.is_some_and(|due| due <= at) {
                    let claimed = item.claimed(holder, now);
                    schedule(&mut commit, Some(&item), &claimed)?;
                    items.push(claimed);
                }
            }
            match stage::commit(records, &partition, commit).await {
                Ok(_) => {
                    return Ok(Self {
                        parts,
                        channel,
                        items,
                        renewed_at: now,
                    });
                }
                Err(error) if error.kind() == ErrorKind::Conflict && tries < TRIES => tries += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// Lets the leases begin anew, once a third of their time is over. What was lost meanwhile is
    /// left alone: whoever finishes presents the token.
    pub(super) async fn renew(&mut self) -> Result<()> {
        let now = self.parts.clock.now();
        if now
            < self
                .renewed_at
                .saturating_add_micros(LEASE_SECONDS * 1_000_000 / 3)
        {
            return Ok(());
        }
        if self.change(|item| item.renewed(now)).await? {
            self.renewed_at = now;
        }
        Ok(())
    }

    /// Gives back what is still ours; no attempt is counted.
    pub(super) async fn give_back(&self) -> Result<()> {
        self.change(WorkItem::given_back).await.map(|_| ())
    }

    /// Changes the items of which the lease is ours; whether nobody came first.
    async fn change(&self, change: impl Fn(&WorkItem) -> WorkItem + Send + Sync) -> Result<bool> {
        let partition = Partition::of(self.channel);
        let records = self.parts.records.as_ref();
        let ids: Vec<String> = self.items.iter().map(Stored::record_id).collect();
        for _ in 0..TRIES {
            let mut commit = CommitBuilder::new(stage::epoch(records, self.channel).await?);
            let found = commit
                .load_many::<WorkItem>(records, &partition, &ids)
                .await?;
            for (item, known) in self.items.iter().zip(found) {
                if let Some(known) = known.map(|it| it.value).filter(|it| is_ours(item, it)) {
                    schedule(&mut commit, Some(&known), &change(&known))?;
                }
            }
            match stage::commit(records, &partition, commit).await {
                Ok(_) => return Ok(true),
                Err(error) if error.kind() == ErrorKind::Conflict => {}
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }
}

/// Whether the queue still knows the claim.
pub(super) fn is_ours(claimed: &WorkItem, known: &WorkItem) -> bool {
    let token: Option<Token> = claimed.token();
    token.is_some() && known.token() == token
}

/// When the first lease of somebody else ends after the instant; none if nobody works.
pub(super) async fn next_end(
    parts: &Components,
    channel: &ChannelScope,
    after: Timestamp,
) -> Result<Option<Timestamp>> {
    let items = waiting(parts.records.as_ref(), &Partition::of(channel)).await?;
    Ok(items
        .iter()
        .filter_map(|it| it.lease.as_ref())
        .map(|it| it.until)
        .filter(|until| *until > after)
        .min())
}
