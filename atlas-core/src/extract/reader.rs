//! One extractor at work: what is kept is not asked again, what breaks off is split, what fails is
//! asked alone.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::Serialize;

use super::batch::{Budget, Piece, pack};
use super::kept::{Kept, Part};
use super::offer::Offer;
use super::read::{Effort, gates};
use super::role::{Extractor, Failure, Replied, ask, n_covered};
use super::settings::ExtractSettings;
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::skip_reason;
use crate::llm::{Task, fingerprint};
use crate::model::{ContentHash, DeadReason, Message, Stored};
use crate::ports::{ChannelScope, CommitBuilder, Key, Partition, RecordStoreExt};
use crate::stage;

/// What a reader reads, and by which rules.
pub(super) type Given<'a> = (
    &'a Components,
    &'a ChannelScope,
    &'a [Vec<&'a Message>],
    &'a ExtractSettings,
);

/// One extractor with what it has read and what it has to read.
pub(super) struct Reader<'a, E: Extractor> {
    given: Given<'a>,
    budget: Budget,
    /// Whether replies are kept: those that cost nothing are not.
    keeps: bool,
    fingerprint: String,
    queue: VecDeque<Vec<Piece>>,
    pub(super) by_message: BTreeMap<String, Part<E::Part>>,
    pub(super) failed: BTreeMap<usize, (DeadReason, String)>,
    pub(super) outage: Option<Error>,
    pub(super) kept: Vec<(usize, Key)>,
    pub(super) effort: Effort,
}

/// What became of a request.
pub(super) struct Requested<T> {
    batch: Vec<Piece>,
    given: std::result::Result<Made<T>, Failure>,
}

/// What was made of the reply to a request: one for each piece.
struct Made<T> {
    kept: Vec<Kept<T>>,
    n_stray: usize,
    is_cut: bool,
}

impl<'a, E: Extractor> Reader<'a, E> {
    /// Takes what is kept of the pieces and queues the rest in batches.
    pub(super) async fn begin(
        given: Given<'a>,
        pieces: Vec<Piece>,
        budget: Budget,
    ) -> Result<Self> {
        let (parts, _, _, settings) = given;
        let llm = parts.llm.as_ref();
        let role = <E::Task as Task>::ROLE;
        let named = format!("{}+{}", fingerprint(llm, role), gates(settings));
        let fingerprint = ContentHash::of(named.as_bytes()).short();
        let mut reader = Self {
            given,
            budget,
            keeps: !llm.capabilities().model_free,
            fingerprint: format!("{}/{fingerprint}", role.as_str()),
            queue: VecDeque::new(),
            by_message: BTreeMap::new(),
            failed: BTreeMap::new(),
            outage: None,
            kept: Vec::new(),
            effort: Effort::default(),
        };
        let missing = reader.recall(pieces).await?;
        reader.queue = pack(missing, budget).into();
        Ok(reader)
    }

    /// Takes what is kept of the pieces, and of what those left over; answers what is to be asked.
    async fn recall(&mut self, mut pieces: Vec<Piece>) -> Result<Vec<Piece>> {
        let (parts, channel, _, _) = self.given;
        let partition = Partition::of(channel);
        let mut missing = Vec::new();
        pieces.retain(|it| {
            self.offer(std::slice::from_ref(it))
                .messages()
                .next()
                .is_some()
        });
        while self.keeps && !pieces.is_empty() {
            let ids: Result<Vec<String>> = pieces.iter().map(|it| self.id_of(it)).collect();
            let found = parts
                .records
                .load_many::<Kept<E::Part>>(&partition, &ids?)
                .await?;
            let mut left_over = Vec::new();
            for (piece, kept) in pieces.into_iter().zip(found) {
                let Some(kept) = kept.map(|it| it.value) else {
                    missing.push(piece);
                    continue;
                };
                self.effort.recalled += 1;
                self.keep(&piece, &kept);
                for rest in self.rest_of(&piece, &kept) {
                    // What broke off with nothing whole is asked again, among fewer.
                    if rest.messages == piece.messages {
                        missing.push(rest);
                    } else {
                        left_over.push(rest);
                    }
                }
            }
            pieces = left_over;
        }
        missing.extend(pieces);
        missing.sort_by_key(|it| (it.conversation, it.messages.start));
        Ok(missing)
    }

    /// The next batch to ask for, without the conversations that have failed already.
    pub(super) fn next(&mut self) -> Option<Vec<Piece>> {
        while let Some(mut batch) = self.queue.pop_front() {
            batch.retain(|it| !self.failed.contains_key(&it.conversation));
            if !batch.is_empty() {
                return Some(batch);
            }
        }
        None
    }

    /// Asks for a batch, and keeps what was made of the reply before anything else is done with it.
    pub(super) async fn request(
        &self,
        batch: Option<Vec<Piece>>,
    ) -> Result<Option<Requested<E::Part>>> {
        let (parts, channel, _, settings) = self.given;
        let Some(batch) = batch else { return Ok(None) };
        let offer = self.offer(&batch);
        let asked = ask(parts.llm.as_ref(), &E::task(&offer, settings)).await;
        let made = match asked {
            Ok(replied) => self.made(&offer, &batch, &replied)?,
            Err(failure) => {
                return Ok(Some(Requested {
                    batch,
                    given: Err(failure),
                }));
            }
        };
        if self.keeps {
            let records = parts.records.as_ref();
            let mut commit = CommitBuilder::new(stage::epoch(records, channel).await?);
            for kept in &made.kept {
                commit.put(kept)?;
            }
            stage::commit(records, &Partition::of(channel), commit).await?;
        }
        Ok(Some(Requested {
            batch,
            given: Ok(made),
        }))
    }

    /// Takes what became of a request.
    pub(super) fn take(&mut self, requested: Result<Option<Requested<E::Part>>>) -> Result<()> {
        let Some(Requested { batch, given }) = requested? else {
            return Ok(());
        };
        self.effort.calls += 1;
        match given {
            Ok(made) => {
                self.effort.stray += made.n_stray;
                self.effort.splits += usize::from(made.is_cut);
                let mut rest = Vec::new();
                for (piece, kept) in batch.iter().zip(&made.kept) {
                    self.keep(piece, kept);
                    rest.extend(self.rest_of(piece, kept));
                }
                for part in pack(rest, self.budget).into_iter().rev() {
                    self.queue.push_front(part);
                }
            }
            Err(Failure::Outage(error)) => {
                self.outage = Some(error);
                self.queue.push_front(batch);
            }
            Err(Failure::Failed(reason, error)) if batch.len() == 1 => {
                let failed = batch.into_iter().map(|it| it.conversation);
                self.failed
                    .extend(failed.map(|it| (it, (reason.clone(), error.clone()))));
            }
            // One conversation must not cost its neighbours: each is read alone.
            Err(Failure::Failed(..)) => {
                for piece in batch.into_iter().rev() {
                    self.queue.push_front(vec![piece]);
                }
            }
        }
        Ok(())
    }

    /// The conversations that are not read to their end.
    pub(super) fn left(&self) -> BTreeSet<usize> {
        let pieces = self.queue.iter().flatten();
        pieces.map(|it| it.conversation).collect()
    }

    fn offer(&self, batch: &[Piece]) -> Offer<'a> {
        let (_, _, conversations, settings) = self.given;
        let is_read = |message: &Message| skip_reason(message, settings.reads_bots).is_none();
        Offer::new(conversations, batch, is_read)
    }

    /// Under what the reply for a piece is kept: what is asked of it, as if it were asked alone.
    fn id_of(&self, piece: &Piece) -> Result<String> {
        #[derive(Serialize)]
        struct Asked<'a, T> {
            task: T,
            messages: Vec<&'a crate::model::MessageId>,
        }
        let (_, _, _, settings) = self.given;
        let offer = self.offer(std::slice::from_ref(piece));
        let asked = Asked {
            task: E::task(&offer, settings).into_input(),
            messages: offer.messages().map(|it| &it.id).collect(),
        };
        let bytes = serde_json::to_vec(&asked).map_err(|cause| {
            Error::new(
                ErrorKind::Unexpected,
                "extract::read",
                "a task does not serialise",
            )
            .caused_by(cause)
        })?;
        let input = ContentHash::of(&bytes).short();
        Ok(format!("{input}/{}", self.fingerprint))
    }

    /// What a reply says of each piece of its batch.
    fn made(
        &self,
        offer: &Offer<'_>,
        batch: &[Piece],
        replied: &Replied<<E::Task as Task>::Output>,
    ) -> Result<Made<E::Part>> {
        let (parts, _, _, settings) = self.given;
        let n_offered = offer.messages().count();
        let (admitted, n_stray) = match &replied.output {
            Some(output) => E::admit(offer, output, settings),
            None => (Vec::new(), 0),
        };
        let covered = match &replied.output {
            Some(output) if replied.is_cut => n_covered(offer, E::last_list(output)),
            Some(_) => n_offered,
            None => 0,
        };
        let limit = (n_offered - covered.min(n_offered)).div_ceil(2).max(1);
        let mut admitted = admitted.into_iter().take(covered);
        let mut kept = Vec::new();
        for piece in batch {
            let alone = self.offer(std::slice::from_ref(piece));
            let n_alone = alone.messages().count();
            let mut read: Vec<Part<E::Part>> =
                admitted.by_ref().take(n_alone).map(Part::Read).collect();
            if n_offered == 1 && read.len() < n_alone {
                read.push(Part::Dead(DeadReason::Truncated));
            }
            kept.push(Kept {
                id: self.id_of(piece)?,
                made_at: parts.clock.now(),
                rest: (read.len() < n_alone).then_some(limit),
                read,
            });
        }
        Ok(Made {
            kept,
            n_stray,
            is_cut: replied.is_cut,
        })
    }

    /// Takes what was made of a piece.
    fn keep(&mut self, piece: &Piece, kept: &Kept<E::Part>) {
        let offer = self.offer(std::slice::from_ref(piece));
        for (message, part) in offer.messages().zip(&kept.read) {
            self.by_message.insert(message.id.record_id(), part.clone());
        }
        if self.keeps {
            self.kept.push((piece.conversation, kept.key()));
        }
    }

    /// What a reply for a piece did not cover, in pieces. What is kept may have been made of a piece
    /// that began elsewhere and offered the same, so places are those of this one.
    fn rest_of(&self, piece: &Piece, kept: &Kept<E::Part>) -> Vec<Piece> {
        let (_, _, conversations, settings) = self.given;
        let (Some(limit), Some(members)) = (kept.rest, conversations.get(piece.conversation))
        else {
            return Vec::new();
        };
        let is_offered = |place: &usize| {
            let message = members.get(*place);
            message.is_some_and(|it| skip_reason(it, settings.reads_bots).is_none())
        };
        let mut offered = piece.messages.clone().filter(is_offered);
        let Some(from) = offered.nth(kept.read.len()) else {
            return Vec::new();
        };
        let mut left = piece.rest(members, from, limit);
        left.retain(|it| it.messages.clone().any(|place| is_offered(&place)));
        left
    }
}
