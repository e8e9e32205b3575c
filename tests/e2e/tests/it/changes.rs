//! An import that changed since: only the conversations that changed are read again, and what is
//! known is what a fresh run knows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use atlas_core::ingest::skip_reason;
use atlas_core::llm::{Role, TaskInput};
use atlas_core::maintain::Snapshot;
use atlas_core::model::{Fingerprint, Message, MessageId, NativeId};
use atlas_core::ports::{
    Completion, CompletionRequest, CompletionStream, LlmCapabilities, LlmProvider, ModelChoice,
};
use atlas_core::{Atlas, Channel, Result, Settings};
use atlas_eval::load;
use atlas_offline::OfflineLlm;

use crate::order::check_equal;
use crate::sample::{sample, wait};

/// The rules, with an account of which texts each extractor was to read.
#[derive(Clone, Default)]
struct Recording {
    rules: OfflineLlm,
    read: Arc<Mutex<BTreeMap<Role, Vec<String>>>>,
}

impl Recording {
    fn note(&self, role: Role, texts: impl Iterator<Item = String>) {
        let mut read = self.read.lock().unwrap();
        read.entry(role).or_default().extend(texts);
    }

    /// What was to be read since this was asked last, by extractor, in order of the texts.
    fn take(&self) -> BTreeMap<Role, Vec<String>> {
        let mut read = std::mem::take(&mut *self.read.lock().unwrap());
        for texts in read.values_mut() {
            texts.sort();
        }
        read
    }
}

#[async_trait]
impl LlmProvider for Recording {
    fn capabilities(&self) -> LlmCapabilities {
        self.rules.capabilities()
    }

    fn fingerprint(&self, role: Role, choice: &ModelChoice) -> Fingerprint {
        self.rules.fingerprint(role, choice)
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        let messages = match &request.input {
            TaskInput::FactExtractor(input) => &input.messages,
            TaskInput::EntityExtractor(input) => &input.messages,
            TaskInput::ContradictionDetector(_)
            | TaskInput::TopicSummarizer(_)
            | TaskInput::ChannelSummarizer(_)
            | TaskInput::WikiWriter(_)
            | TaskInput::Answerer(_) => return self.rules.complete(request).await,
        };
        let texts = messages.iter().map(|it| it.text.clone());
        self.note(request.role, texts);
        self.rules.complete(request).await
    }

    async fn stream<'a>(&'a self, request: &'a CompletionRequest) -> Result<CompletionStream<'a>> {
        self.rules.stream(request).await
    }
}

fn channel(rules: &Recording) -> Channel {
    let mut parts = load::parts();
    parts.llm = Arc::new(rules.clone());
    let atlas = Atlas::new(parts, Settings::default()).unwrap();
    atlas.channel(sample().id("product"))
}

fn remember(channel: &Channel, messages: &[Message]) -> Snapshot {
    let (_, settled) = wait(channel.remember(messages)).unwrap();
    assert!(settled.is_complete());
    assert_eq!(wait(channel.check()).unwrap(), []);
    wait(channel.snapshot()).unwrap()
}

/// Three messages edited, two deleted, and ten late replies to three old threads.
fn changes(messages: &[Message]) -> Vec<Message> {
    let read: Vec<&Message> = messages
        .iter()
        .filter(|it| skip_reason(it, false).is_none())
        .collect();
    let spread = |n: usize| read[n * read.len() / 8];
    let last = messages.iter().map(|it| it.sent_at).max().unwrap();
    let later = |minutes: i64| last.saturating_add_micros(minutes * 60_000_000);
    let mut changed = Vec::new();
    for n in 0..3_i64 {
        let mut edited = spread(usize::try_from(n).unwrap()).clone();
        edited.text = format!("We decided to sell {n} more seats of the garage plan in June.");
        edited.edited_at = Some(later(n));
        changed.push(edited);
    }
    for n in 3..5 {
        let old = spread(n);
        let mut deleted = old.without_words();
        deleted.author = old.author.clone();
        changed.push(deleted);
    }
    let roots: BTreeSet<MessageId> = (5..8).map(|n| spread(n).conversation()).collect();
    assert_eq!(roots.len(), 3);
    for (n, root) in (0..10_i64).zip(roots.iter().cycle()) {
        let mut late = spread(0).clone();
        late.id.native = NativeId::new(format!("late-{n}"));
        late.thread_root = Some(root.native.clone());
        late.text = format!("Booking {n} moved to the harbour office on 2026-07-1{n}.");
        late.sent_at = later(10 + n);
        late.edited_at = None;
        changed.push(late);
    }
    changed
}

#[test]
fn only_changed_conversations_are_read_again_and_all_is_as_if_read_afresh() {
    let messages = sample().messages("product");
    let changed = changes(messages);
    let rules = Recording::default();
    let twice = channel(&rules);
    let before = remember(&twice, messages);
    assert!(!rules.take().is_empty());
    assert_eq!(remember(&twice, messages), before);
    assert_eq!(rules.take(), BTreeMap::new());

    let after = remember(&twice, &changed);
    let again = rules.take();
    let mut now: BTreeMap<&MessageId, &Message> = messages.iter().map(|it| (&it.id, it)).collect();
    now.extend(changed.iter().map(|it| (&it.id, it)));
    let touched: BTreeSet<MessageId> = changed.iter().map(Message::conversation).collect();
    let mut expected: Vec<String> = now
        .values()
        .filter(|it| touched.contains(&it.conversation()) && skip_reason(it, false).is_none())
        .map(|it| it.text.clone())
        .collect();
    expected.sort();
    assert!(
        expected.len() > 13 && expected.len() < messages.len() / 2,
        "{expected:#?}"
    );
    for role in [Role::FactExtractor, Role::EntityExtractor] {
        assert_eq!(again.get(&role), Some(&expected), "{role:?}");
    }

    let finally: Vec<Message> = now.into_values().cloned().collect();
    let fresh = remember(&channel(&Recording::default()), &finally);
    check_equal(&after, &fresh, false);
}
