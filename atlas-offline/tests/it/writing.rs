use atlas_core::llm::{
    AnswererInput, ChannelSummarizerInput, LabelledEvidence, LabelledFact, ProposedAnswer,
    SectionBrief, TopicDigest, TopicSummarizerInput, WikiWriterInput, serve,
};
use atlas_core::model::FactKind;
use atlas_offline::OfflineLlm;
use futures::executor::block_on;

use crate::comparing::labelled;

fn topic() -> Vec<LabelledFact> {
    let mut facts: Vec<LabelledFact> = [
        (
            "Ana Ruiz",
            "We decided to use Postgres for billing because it is simple",
        ),
        ("Bo Lind", "The billing migration starts on 2 April"),
        (
            "Ana Ruiz",
            "I'll write the billing migration guide by Friday",
        ),
        ("Bo Lind", "Who owns the billing dashboards?"),
        ("Cy Roe", "When is the billing cutover?"),
        ("Bo Lind", "The billing cutover is on 9 April"),
    ]
    .into_iter()
    .enumerate()
    .map(|(at, (author, text))| {
        labelled(&format!("f{at}"), author, text, i64::try_from(at).unwrap())
    })
    .collect();
    facts[5].answers = Some("f4".to_owned());
    facts
}

#[test]
fn a_topic_is_told_in_its_own_facts() {
    let facts = topic();
    let task = TopicSummarizerInput {
        facts: facts.clone(),
        other_titles: vec!["Office Move".to_owned()],
    };
    let summary = block_on(serve(&OfflineLlm::new(), &task)).unwrap();
    assert!(
        summary.title.to_lowercase().contains("billing"),
        "{}",
        summary.title
    );
    assert!(summary.title.split_whitespace().count() <= 8);
    let sentences = summary
        .summary
        .iter()
        .chain(&summary.current_state)
        .chain(&summary.open_questions);
    for sentence in sentences {
        assert!(!sentence.cites.is_empty());
        assert!(
            facts.iter().any(|fact| fact.text == sentence.text),
            "{}",
            sentence.text
        );
    }
    assert!(
        summary.summary.iter().any(|it| it.cites == ["f0"]),
        "{:?}",
        summary.summary
    );
    let open: Vec<&str> = summary
        .open_questions
        .iter()
        .flat_map(|it| &it.cites)
        .map(String::as_str)
        .collect();
    assert_eq!(open, ["f3"]);
    let pair = ProposedAnswer {
        question: "f4".to_owned(),
        answer: "f5".to_owned(),
    };
    assert_eq!(summary.faq, [pair]);
    assert!(!summary.key_facts.is_empty() && !summary.current_state.is_empty());
}

#[test]
fn a_title_differs_from_the_others() {
    let facts = topic();
    let first = block_on(serve(
        &OfflineLlm::new(),
        &TopicSummarizerInput {
            facts: facts.clone(),
            other_titles: Vec::new(),
        },
    ))
    .unwrap();
    let task = TopicSummarizerInput {
        facts,
        other_titles: vec![first.title.clone()],
    };
    let second = block_on(serve(&OfflineLlm::new(), &task)).unwrap();
    assert_ne!(first.title, second.title);
    assert!(!second.title.is_empty());
}

#[test]
fn a_channel_is_told_by_its_topics() {
    let facts = topic();
    let task = ChannelSummarizerInput {
        topics: vec![
            TopicDigest {
                title: "Billing".to_owned(),
                facts: vec!["f0".to_owned(), "f1".to_owned()],
            },
            TopicDigest {
                title: "Guide".to_owned(),
                facts: vec!["f2".to_owned()],
            },
        ],
        facts,
    };
    let summary = block_on(serve(&OfflineLlm::new(), &task)).unwrap();
    assert!((2..=6).contains(&summary.summary.len()));
    assert_eq!(summary.themes, ["Billing", "Guide"]);
}

#[test]
fn sections_tell_the_facts_of_their_briefs() {
    let mut facts = topic();
    let mut again = facts[0].clone();
    again.label = "f9".to_owned();
    facts.push(again);
    let task = WikiWriterInput {
        page: "Billing".to_owned(),
        kind: "topic".to_owned(),
        sections: vec![
            SectionBrief {
                id: "s1".to_owned(),
                title: "Decisions".to_owned(),
                facts: vec!["f0".to_owned(), "f9".to_owned(), "f1".to_owned()],
            },
            SectionBrief {
                id: "s2".to_owned(),
                title: "None".to_owned(),
                facts: vec!["f77".to_owned()],
            },
        ],
        facts,
    };
    let page = block_on(serve(&OfflineLlm::new(), &task)).unwrap();
    assert_eq!(page.sections.len(), 2);
    let cites: Vec<Vec<String>> = page.sections[0]
        .sentences
        .iter()
        .map(|it| it.cites.clone())
        .collect();
    assert_eq!(
        cites,
        [
            vec!["f0".to_owned(), "f9".to_owned()],
            vec!["f1".to_owned()]
        ]
    );
    assert!(page.sections[1].sentences.is_empty());
}

fn evidence() -> Vec<LabelledEvidence> {
    topic()
        .into_iter()
        .map(|fact| LabelledEvidence {
            label: fact.label,
            text: fact.text,
            quote: fact.quote,
            author: fact.author,
            said_at: fact.said_at,
            kind: Some(fact.kind),
            is_superseded: false,
            answers: fact
                .answers
                .map(|_| "When is the billing cutover?".to_owned()),
        })
        .collect()
}

fn ask(question: &str, evidence: Vec<LabelledEvidence>) -> Vec<Vec<String>> {
    let task = AnswererInput {
        question: question.to_owned(),
        asked_at: crate::conversation::SAID.parse().unwrap(),
        evidence,
        max_sentences: 3,
    };
    let answer = block_on(serve(&OfflineLlm::new(), &task)).unwrap();
    answer.sentences.into_iter().map(|it| it.cites).collect()
}

#[test]
fn answers_come_from_the_evidence_that_covers_the_question() {
    for (question, label) in [
        ("When is the billing cutover?", "f5"),
        ("Which database did we choose for billing? Postgres?", "f0"),
        ("When does the billing migration start?", "f1"),
        ("Who writes the migration guide?", "f2"),
        ("Why did we decide on Postgres?", "f0"),
        ("Which engine does billing run on?", "f0"),
    ] {
        let cites = ask(question, evidence());
        assert_eq!(
            cites.first().map(Vec::as_slice),
            Some([label.to_owned()].as_slice()),
            "{question}: {cites:?}"
        );
    }
}

#[test]
fn what_the_evidence_does_not_say_is_not_answered() {
    for question in [
        "Who is the head of marketing?",
        "When is the summer party?",
        "How many parrots live in the office?",
        "",
        "?",
    ] {
        assert!(ask(question, evidence()).is_empty(), "{question}");
    }
    assert!(ask("When is the billing cutover?", Vec::new()).is_empty());
    // A question is no answer to itself.
    let only: Vec<LabelledEvidence> = evidence()
        .into_iter()
        .filter(|it| it.kind == Some(FactKind::Question))
        .collect();
    assert!(ask("Who owns the billing dashboards?", only).is_empty());
}

#[test]
fn a_question_of_two_parts_gets_both_answers() {
    let cites = ask(
        "When is the billing cutover, and who writes the migration guide?",
        evidence(),
    );
    assert_eq!(cites[0], ["f5"]);
    assert!(cites.contains(&vec!["f2".to_owned()]), "{cites:?}");
}

#[test]
fn what_counts_comes_before_what_was_replaced() {
    let mut old = evidence().remove(5);
    old.label = "old".to_owned();
    old.text = "The billing cutover is on 2 April (2026-04-02).".to_owned();
    old.is_superseded = true;
    let mut all = vec![old];
    all.extend(evidence());
    assert_eq!(ask("When is the billing cutover?", all)[0], ["f5"]);
}

#[test]
fn messages_are_read_a_sentence_at_a_time() {
    let mut raw = evidence().remove(1);
    raw.kind = None;
    raw.text = "Lunch was good. The printer code is 4711. See you".to_owned();
    raw.quote = raw.text.clone();
    let task = AnswererInput {
        question: "What is the printer code?".to_owned(),
        asked_at: raw.said_at,
        evidence: vec![raw],
        max_sentences: 3,
    };
    let answer = block_on(serve(&OfflineLlm::new(), &task)).unwrap();
    assert_eq!(answer.sentences.len(), 1);
    assert_eq!(answer.sentences[0].text, "The printer code is 4711.");
}
