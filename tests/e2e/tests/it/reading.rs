//! What is read, kept and skipped of the sample, and what never becomes a fact.

use std::path::Path;

use atlas_core::model::{FactState, OutcomeStage, SkipReason};
use atlas_eval::load::{self, Export};
use atlas_import::SkipReason as ImportSkip;

use crate::sample::{CHANNELS, all_facts, sample, wait};

#[test]
fn everything_that_is_read_is_kept_or_skipped_for_a_reason() {
    let export = &sample().export;
    let tally = &export.report.messages;
    assert_eq!(tally.read, 321);
    assert!(tally.is_balanced(), "{tally:?}");
    let kept: usize = export.messages.values().map(Vec::len).sum();
    assert_eq!(tally.kept, kept as u64);
    let joins = ImportSkip::System("channel_join".to_owned());
    assert_eq!(tally.skipped.get(&joins), Some(&2));
    for channel in CHANNELS {
        let outcomes = wait(sample().channel(channel).outcomes()).unwrap();
        assert_eq!(outcomes.len(), sample().messages(channel).len());
        let waits = |stage: &OutcomeStage| {
            matches!(
                stage,
                OutcomeStage::Queued { .. } | OutcomeStage::Dead { .. }
            )
        };
        assert!(!outcomes.iter().any(|it| waits(&it.stage)), "{channel}");
    }
}

#[test]
fn nothing_that_slack_wrote_is_a_fact() {
    for channel in CHANNELS {
        for (fact, _) in sample().facts(channel) {
            for said in &fact.evidence {
                for phrase in ["has joined the channel", "set the channel topic"] {
                    assert!(!said.quote.contains(phrase), "{}", said.quote);
                }
            }
        }
    }
}

#[test]
fn a_bot_says_no_fact() {
    let mut bots = 0;
    for channel in CHANNELS {
        let outcomes = wait(sample().channel(channel).outcomes()).unwrap();
        for message in sample().messages(channel) {
            // What was deleted is skipped for that, whoever wrote it.
            if !message.is_bot || message.is_deleted {
                continue;
            }
            bots += 1;
            assert!(
                sample().facts_of(&message.id).is_empty(),
                "{}",
                message.text
            );
            let outcome = outcomes.iter().find(|it| it.message == message.id).unwrap();
            let skipped = OutcomeStage::Skipped {
                reason: SkipReason::Bot,
            };
            assert_eq!(outcome.stage, skipped);
        }
    }
    assert!(bots >= 5, "{bots}");
}

#[test]
fn every_quote_stands_in_its_message() {
    for channel in CHANNELS {
        for (fact, state) in sample().facts(channel) {
            assert_ne!(state, FactState::Retracted);
            assert!(!fact.evidence.is_empty());
            for said in &fact.evidence {
                let mut messages = sample().messages(channel).iter();
                let message = messages.find(|it| it.id == said.message);
                let message = message.unwrap();
                assert_eq!(said.span.of(&message.text), Some(said.quote.as_str()));
                assert_eq!(said.author, message.author);
                assert_eq!(said.sent_at, message.sent_at);
            }
        }
    }
}

#[test]
fn every_invariant_holds() {
    for channel in CHANNELS {
        assert_eq!(wait(sample().channel(channel).check()).unwrap(), []);
    }
}

/// A real export, if one lies beside the workspace.
#[test]
fn a_real_export_is_read_whole_and_no_join_is_a_fact() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/slack/houstondatavis");
    if !path.exists() {
        println!("skipped: there is no {}", path.display());
        return;
    }
    let export = Export::read(&path).unwrap();
    let tally = &export.report.messages;
    assert_eq!((tally.read, tally.is_balanced()), (1382, true));
    let joins = ImportSkip::System("channel_join".to_owned());
    assert_eq!(tally.skipped.get(&joins), Some(&320));
    let (atlas, _) = wait(load::settled(load::parts(), &export)).unwrap();
    let mut n_facts = 0;
    for channel in export.messages.keys() {
        for (fact, _) in all_facts(&atlas.channel(channel.clone())) {
            n_facts += 1;
            let is_join = |quote: &str| quote.contains("has joined the channel");
            assert!(!fact.evidence.iter().any(|it| is_join(&it.quote)));
        }
    }
    assert!(n_facts > 100, "{n_facts}");
}
