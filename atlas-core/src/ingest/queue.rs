//! The queue of conversations that wait for extraction: claims, leases, back-off, the dead.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::model::{DeadReason, MessageId, Stored, Timestamp};
use crate::ports::{
    Collection, CommitBuilder, Key, Listing, Partition, RecordStore, RecordStoreExt, Sequence,
};

/// How long a conversation waits after its first, second … failed attempt, in seconds.
pub const BACK_OFF_SECONDS: [i64; 5] = [5, 30, 90, 180, 360];

/// How often a conversation is begun before it is given up: once, and once after each wait.
pub const MAX_ATTEMPTS: u32 = 6;

/// How long a claim holds without being renewed, in seconds.
pub const LEASE_SECONDS: i64 = 120;

/// Where the queue is kept in the order of its times.
const DUE: Collection = Collection::literal(".due");
/// Items that are listed at a time.
const PAGE: usize = 200;

/// A conversation that waits for extraction. There is one item a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkItem {
    /// The root of the conversation.
    pub conversation: MessageId,
    /// The write of the log that queued it last: growing meanwhile is a change of the item, even
    /// if the clock stands.
    pub sequence: Sequence,
    /// Since when it waits.
    pub since: Timestamp,
    /// Not before this instant, which is the end of its lease while it has one; none if it is dead.
    pub due: Option<Timestamp>,
    /// How often it was begun since it was queued, counted when it is claimed.
    pub attempts: u32,
    /// How often it was ever claimed: what makes each token another one.
    pub claims: u64,
    /// Who works on it.
    pub lease: Option<Lease>,
    /// How it failed last.
    pub last_error: Option<String>,
    /// Why it is dead, or a message of it; none while it waits.
    pub dead: Option<DeadReason>,
}

/// A claim of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// What whoever finishes must present.
    pub token: Token,
    /// Until when nobody else claims it.
    pub until: Timestamp,
    /// Who claimed it, for people.
    pub holder: String,
}

/// What tells one claim of a conversation from every other: no two have the same.
///
/// An item is made anew by a later write of the log only, and counts its claims from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Token {
    /// The write of the log that had queued the conversation last when it was claimed.
    pub sequence: Sequence,
    /// Which claim of the item it was.
    pub claim: u64,
}

impl Stored for WorkItem {
    const COLLECTION: Collection = Collection::literal(".work");
    const SCHEMA: u32 = 1;

    fn record_id(&self) -> String {
        self.conversation.record_id()
    }
}

impl WorkItem {
    /// An item that is due at once.
    pub fn new(conversation: MessageId, sequence: Sequence, now: Timestamp) -> Self {
        Self {
            conversation,
            sequence,
            since: now,
            due: Some(now),
            attempts: 0,
            claims: 0,
            lease: None,
            last_error: None,
            dead: None,
        }
    }

    /// The item after its conversation grew. It is due at once with all its attempts, or when the
    /// lease of whoever works on it ends or is given back; a dead one comes back to life.
    #[must_use]
    pub fn grown(&self, sequence: Sequence, now: Timestamp) -> Self {
        let mut item = Self::new(self.conversation.clone(), sequence, now);
        item.claims = self.claims;
        if self.dead.is_none() {
            item.since = self.since;
        }
        if let Some(lease) = &self.lease {
            item.due = Some(lease.until);
            item.lease = Some(lease.clone());
        }
        item
    }

    /// The item as it is claimed: the attempt is counted now, so that one which stops its process
    /// is counted too.
    #[must_use]
    pub fn claimed(&self, holder: &str, now: Timestamp) -> Self {
        let claims = self.claims.saturating_add(1);
        let token = Token {
            sequence: self.sequence,
            claim: claims,
        };
        let lease = Lease {
            token,
            until: now,
            holder: holder.to_owned(),
        };
        Self {
            attempts: self.attempts.saturating_add(1),
            claims,
            lease: Some(lease),
            ..self.clone()
        }
        .renewed(now)
    }

    /// The item with a lease that begins anew.
    #[must_use]
    pub fn renewed(&self, now: Timestamp) -> Self {
        let mut item = self.clone();
        if let Some(lease) = &mut item.lease {
            lease.until = now.saturating_add_micros(LEASE_SECONDS * 1_000_000);
            item.due = Some(lease.until);
        }
        item
    }

    /// Whether it was begun as often as it may be already, when it was claimed once more.
    pub fn is_abandoned(&self) -> bool {
        self.attempts > MAX_ATTEMPTS
    }

    /// The item as it was before it was claimed, due at once and in its old place: the attempt does
    /// not count.
    #[must_use]
    pub fn given_back(&self) -> Self {
        Self {
            due: Some(self.since),
            attempts: self.attempts.saturating_sub(1),
            lease: None,
            ..self.clone()
        }
    }

    /// The item after its attempt failed: it waits, and is dead if that was its last one.
    #[must_use]
    pub fn after_failure(&self, reason: DeadReason, error: &str, now: Timestamp) -> Self {
        let mut item = Self {
            lease: None,
            last_error: Some(error.to_owned()),
            ..self.clone()
        };
        let n_failed = usize::try_from(self.attempts).unwrap_or(usize::MAX);
        match BACK_OFF_SECONDS.get(n_failed.saturating_sub(1)) {
            Some(seconds) => item.due = Some(now.saturating_add_micros(seconds * 1_000_000)),
            None => item = item.given_up(reason),
        }
        item
    }

    /// The item as a dead one, which nothing but a growing conversation or
    /// [`retry_failed`](super::retry_failed) brings back.
    #[must_use]
    pub fn given_up(&self, reason: DeadReason) -> Self {
        Self {
            due: None,
            lease: None,
            dead: Some(reason),
            ..self.clone()
        }
    }

    /// The token of its lease.
    pub fn token(&self) -> Option<Token> {
        self.lease.as_ref().map(|it| it.token)
    }

    fn due_key(&self) -> Option<Key> {
        let due = self.due?;
        // Never negative, so that the text sorts as the number does.
        let since_first = due.as_micros().abs_diff(Timestamp::MIN.as_micros());
        Some(Key::new(
            DUE,
            format!("{since_first:020}/{}", self.conversation.record_id()),
        ))
    }
}

/// Puts an item in place of what the queue holds of its conversation.
///
/// # Errors
///
/// [`crate::ErrorKind::Unexpected`] if it does not serialise.
pub fn schedule(commit: &mut CommitBuilder, old: Option<&WorkItem>, new: &WorkItem) -> Result<()> {
    if let Some(key) = old.and_then(WorkItem::due_key) {
        commit.delete(key);
    }
    commit.put(new)?;
    if let Some(key) = new.due_key() {
        commit.put_raw(key, new.encode()?);
    }
    Ok(())
}

/// Takes an item out of the queue.
pub fn forget_work(commit: &mut CommitBuilder, item: &WorkItem) {
    commit.delete(item.key());
    if let Some(key) = item.due_key() {
        commit.delete(key);
    }
}

/// The conversations that wait, in the order of their times; those that are dead do not. It reads
/// the whole queue.
///
/// # Errors
///
/// What the store fails with.
pub async fn waiting(records: &dyn RecordStore, partition: &Partition) -> Result<Vec<WorkItem>> {
    let listed = records.list_all(partition, &DUE, "").await?;
    listed
        .iter()
        .map(|record| WorkItem::decode(&record.value))
        .collect()
}

/// The first conversations that are due and fit, the longest waiting first.
///
/// # Errors
///
/// What the store fails with.
pub async fn due(
    records: &dyn RecordStore,
    partition: &Partition,
    now: Timestamp,
    limit: usize,
    fits: impl Fn(&WorkItem) -> bool,
) -> Result<Vec<WorkItem>> {
    let mut listing = Listing {
        collection: DUE,
        prefix: String::new(),
        after: None,
        limit: PAGE,
    };
    let mut items = Vec::new();
    loop {
        let page = records.list(partition, &listing).await?;
        let is_last = page.len() < PAGE;
        for record in page {
            let item = WorkItem::decode(&record.value)?;
            if item.due.is_none_or(|due| due > now) {
                return Ok(items);
            }
            if fits(&item) {
                items.push(item);
            }
            if items.len() >= limit {
                return Ok(items);
            }
            listing.after = Some(record.key.id);
        }
        if is_last {
            return Ok(items);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ChannelId, NativeId, SourceId};

    fn item(micros: i64) -> WorkItem {
        let id = MessageId::new(SourceId::new("s"), ChannelId::new("c"), NativeId::new("1"));
        WorkItem::new(id, Sequence(1), at(micros))
    }

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).unwrap()
    }

    #[test]
    fn a_conversation_waits_longer_each_time_and_is_dead_in_the_end() {
        let (mut waiting, mut waits) = (item(0), Vec::new());
        let reason = DeadReason::Unreadable("no".to_owned());
        while waiting.dead.is_none() {
            waiting = waiting
                .claimed("a", at(0))
                .after_failure(reason.clone(), "no", at(0));
            waits.push(waiting.due.map(|due| due.as_micros() / 1_000_000));
        }
        assert_eq!(
            waits,
            [Some(5), Some(30), Some(90), Some(180), Some(360), None]
        );
        assert_eq!(waiting.dead, Some(reason));
        let revived = waiting.grown(Sequence(2), at(9));
        assert_eq!(
            (revived.attempts, revived.due, revived.since),
            (0, Some(at(9)), at(9))
        );
    }

    #[test]
    fn a_claim_that_never_ends_is_counted_and_one_that_is_given_back_is_not() {
        let (mut crashing, mut paused) = (item(0), item(0));
        for _ in 0..MAX_ATTEMPTS {
            crashing = crashing.claimed("a", at(0));
            paused = paused.claimed("a", at(9)).given_back();
        }
        assert_eq!((paused.attempts, paused.due), (0, Some(at(0))));
        assert!(!crashing.is_abandoned());
        assert!(crashing.claimed("a", at(0)).is_abandoned());
        assert!(!paused.claimed("a", at(0)).is_abandoned());
    }

    #[test]
    fn no_two_claims_have_one_token_and_a_lease_outlives_growing() {
        let first = item(0).claimed("a", at(0));
        let second = first.claimed("b", at(0));
        assert_ne!(first.token(), second.token());
        let grown = second.grown(Sequence(7), at(1));
        assert_eq!((grown.token(), grown.due), (second.token(), second.due));
        let made_anew = WorkItem::new(first.conversation.clone(), Sequence(7), at(1));
        assert_ne!(made_anew.claimed("a", at(1)).token(), first.token());
        assert_eq!(
            first.renewed(at(60_000_000)).due,
            Some(at((60 + LEASE_SECONDS) * 1_000_000))
        );
    }

    #[test]
    fn the_queue_sorts_by_time() {
        let key = |micros: i64| item(micros).due_key().unwrap().id;
        assert!(key(-5) < key(0) && key(0) < key(7) && key(7) < key(1_000_000_000_000));
    }
}
