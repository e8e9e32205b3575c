//! The sample's questions, answered with the messages that answer them.

use atlas_core::model::{AnswerOutcome, Citation};
use atlas_eval::load;

use crate::sample::{sample, wait};

/// What the answer cites, after it was checked that it cites at all and rightly.
fn ask(question: &str) -> Vec<Citation> {
    let across = wait(load::across(&sample().atlas, &sample().export)).unwrap();
    let answer = wait(across.ask(question)).unwrap();
    let AnswerOutcome::Answered { sentences } = answer.outcome() else {
        panic!("{question}: {:?}", answer.outcome());
    };
    let mut cited = Vec::new();
    for sentence in sentences {
        assert!(!sentence.citations.is_empty(), "{}", sentence.text);
        for citation in &sentence.citations {
            let said = &citation.evidence;
            let messages = &sample().export.messages[&said.message.channel];
            let message = messages.iter().find(|it| it.id == said.message).unwrap();
            assert!(message.text.contains(&said.quote), "{}", said.quote);
            assert_eq!(message.author, said.author);
            cited.push(citation.clone());
        }
    }
    cited
}

#[track_caller]
fn check(question: &str, channel: &str, ts: &str) {
    let wanted = sample().message(channel, ts);
    let cited = ask(question);
    let is_cited = cited.iter().any(|it| it.evidence.message == wanted);
    let quotes: Vec<&str> = cited.iter().map(|it| it.evidence.quote.as_str()).collect();
    assert!(is_cited, "{ts} is not among {quotes:#?}");
}

#[test]
fn which_engine_and_why() {
    check(
        "Which engine does parts search run on, and why did we change our minds?",
        "engineering",
        "1776159744.988736",
    );
}

#[test]
fn when_is_the_launch() {
    check(
        "When is the launch, and what moved it?",
        "product",
        "1776758543.365119",
    );
}

#[test]
fn what_was_said_in_chinese_is_asked_in_chinese() {
    check("旧接口保留到什么时候？", "engineering", "1774516811.671976");
}

#[test]
fn what_nobody_spoke_of_is_not_answered() {
    let across = wait(load::across(&sample().atlas, &sample().export)).unwrap();
    let question = "What is the boiling point of molybdenum hexafluoride?";
    let answer = wait(across.ask(question)).unwrap();
    let is_abstention = matches!(answer.outcome(), AnswerOutcome::Abstained { .. });
    assert!(is_abstention, "{:?}", answer.outcome());
}
