//! Edited and deleted messages, in the sample and after they were settled.

use atlas_core::model::{FactId, FactState, Message, OutcomeStage, SkipReason};
use atlas_core::retrieve::Found;
use atlas_core::{Atlas, Channel, Settings};
use atlas_eval::load;

use crate::sample::{all_facts, rests_on, sample, wait};

#[test]
fn an_edited_message_says_what_it_says_last() {
    let id = sample().message("random", "1773058513.651731");
    let mut messages = sample().messages("random").iter();
    let message = messages.find(|it| it.id == id).unwrap();
    assert!(message.edited_at.is_some_and(|at| at > message.sent_at));
    assert!(message.text.contains("13:30"), "{}", message.text);
}

#[test]
fn a_deleted_message_says_nothing_and_keeps_its_thread() {
    let id = sample().message("engineering", "1774432226.561110");
    let messages = sample().messages("engineering");
    let message = messages.iter().find(|it| it.id == id).unwrap();
    assert!(message.is_deleted && message.text.is_empty(), "{message:?}");
    let replies = messages
        .iter()
        .filter(|it| it.thread_root.as_ref() == Some(&id.native));
    assert_eq!(replies.count(), 4);
    assert!(sample().facts_of(&id).is_empty());
    let outcomes = wait(sample().channel("engineering").outcomes()).unwrap();
    let outcome = outcomes.iter().find(|it| it.message == id).unwrap();
    let skipped = OutcomeStage::Skipped {
        reason: SkipReason::Deleted,
    };
    assert_eq!(outcome.stage, skipped);
}

/// The channel `random`, settled apart from the shared sample.
fn own() -> (Channel, Vec<Message>) {
    let atlas = Atlas::new(load::parts(), Settings::default()).unwrap();
    let channel = atlas.channel(sample().id("random"));
    let messages = sample().messages("random").to_vec();
    let (_, settled) = wait(channel.remember(&messages)).unwrap();
    assert!(settled.is_complete());
    (channel, messages)
}

fn again(channel: &Channel, message: &Message) {
    let (receipt, settled) = wait(channel.remember(std::slice::from_ref(message))).unwrap();
    assert_eq!((receipt.accepted, receipt.changed), (0, 1));
    assert!(settled.is_complete());
}

/// A message that alone says a visible fact.
fn only_witness<'m>(channel: &Channel, messages: &'m [Message]) -> &'m Message {
    let facts = all_facts(channel);
    let is_only = |message: &&Message| {
        facts.iter().any(|(fact, state)| {
            state.is_visible() && fact.evidence.len() == 1 && rests_on(fact, &message.id)
        })
    };
    messages.iter().find(is_only).unwrap()
}

/// The facts that only that version of a message says.
fn only_said_by(channel: &Channel, message: &Message) -> Vec<FactId> {
    let facts = all_facts(channel).into_iter();
    facts
        .filter(|(fact, _)| fact.evidence.iter().all(|it| it.message == message.id))
        .map(|(fact, _)| fact.id)
        .collect()
}

/// That none of the facts counts, is told on a page, or rests on what nobody says any longer.
fn check_gone(channel: &Channel, old: &Message, gone: &[FactId]) {
    assert!(!gone.is_empty());
    let hash = old.version();
    for (fact, state) in all_facts(channel) {
        let is_gone = gone.contains(&fact.id);
        assert!(!is_gone || !state.is_visible(), "{}", fact.text());
        let rests_on_old = fact
            .evidence
            .iter()
            .any(|it| it.message == old.id && it.version == hash);
        assert!(
            !rests_on_old || state == FactState::Retracted,
            "{}",
            fact.text()
        );
    }
    for page in wait(channel.pages()).unwrap() {
        let cited = page.cited();
        assert!(!cited.iter().any(|it| gone.contains(it)), "{}", page.title);
    }
    let found = wait(channel.search(&old.text)).unwrap();
    for hit in found.hits {
        if let Found::Fact { fact, .. } = hit.found {
            assert!(!gone.contains(&fact.value.id), "{}", fact.value.text());
        }
    }
    assert_eq!(wait(channel.check()).unwrap(), []);
}

#[test]
fn what_an_edit_takes_back_counts_no_longer() {
    let (channel, messages) = own();
    let old = only_witness(&channel, &messages);
    let mut edited = old.clone();
    "We decided to move the stand-up to 09:45 on Mondays.".clone_into(&mut edited.text);
    edited.edited_at = Some(old.sent_at.saturating_add_days(1));
    let gone = only_said_by(&channel, old);
    again(&channel, &edited);
    check_gone(&channel, old, &gone);
    let facts = all_facts(&channel);
    let says = facts.iter().any(|(fact, state)| {
        state.is_visible() && rests_on(fact, &old.id) && fact.text().contains("09:45")
    });
    assert!(says, "{facts:#?}");
}

#[test]
fn what_a_deletion_takes_back_counts_no_longer() {
    let (channel, messages) = own();
    let old = only_witness(&channel, &messages);
    let mut deleted = old.without_words();
    deleted.author = old.author.clone();
    let gone = only_said_by(&channel, old);
    again(&channel, &deleted);
    check_gone(&channel, old, &gone);
}

/// A version that was replaced before comes again: nothing changes.
#[test]
fn an_older_version_that_arrives_late_changes_nothing() {
    let (channel, messages) = own();
    let old = only_witness(&channel, &messages);
    let mut edited = old.clone();
    edited.text += " Or so.";
    edited.edited_at = Some(old.sent_at.saturating_add_days(1));
    again(&channel, &edited);
    let before = wait(channel.snapshot()).unwrap();
    let (receipt, _) = wait(channel.remember(std::slice::from_ref(old))).unwrap();
    assert_eq!((receipt.accepted, receipt.changed), (0, 0), "{receipt:?}");
    assert_eq!(wait(channel.snapshot()).unwrap(), before);
}
