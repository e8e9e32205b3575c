//! Edited and deleted messages, in the sample and after they were settled.

use atlas_core::maintain::Settled;
use atlas_core::model::{FactState, Message, OutcomeStage, SkipReason};
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

fn again(channel: &Channel, message: &Message) -> Settled {
    let (receipt, settled) = wait(channel.remember(std::slice::from_ref(message))).unwrap();
    assert_eq!((receipt.accepted, receipt.changed), (0, 1));
    assert!(settled.is_complete());
    settled
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

/// That no visible fact and no page rests on what the message said before.
fn check_gone(channel: &Channel, old: &Message) {
    let hash = old.version();
    let mut retracted = 0;
    for (fact, state) in all_facts(channel) {
        let rests_on_old = fact
            .evidence
            .iter()
            .any(|it| it.message == old.id && it.version == hash);
        assert!(
            !rests_on_old || state == FactState::Retracted,
            "{}",
            fact.text()
        );
        retracted += usize::from(state == FactState::Retracted);
        if !state.is_visible() {
            continue;
        }
        let pages = wait(channel.pages()).unwrap();
        assert!(!pages.is_empty());
    }
    assert!(retracted > 0);
    let gone: Vec<_> = all_facts(channel)
        .into_iter()
        .filter(|(_, state)| *state == FactState::Retracted)
        .map(|(fact, _)| fact.id)
        .collect();
    for page in wait(channel.pages()).unwrap() {
        assert!(
            !page.cited().iter().any(|it| gone.contains(it)),
            "{}",
            page.title
        );
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
    again(&channel, &edited);
    check_gone(&channel, old);
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
    again(&channel, &deleted);
    check_gone(&channel, old);
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
