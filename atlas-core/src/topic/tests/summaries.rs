use std::collections::BTreeSet;

use super::given::{fact, naming, of_kind, tagged};
use crate::llm::{LabelledSentence, TopicSummarizerOutput};
use crate::model::{AtomicFact, EntityType, FactKind, FactState, Fingerprint, TopicId};
use crate::topic::TopicSettings;
use crate::topic::summarize::{TopicBrief, made_from, topic_summary, topic_task};
use crate::topic::telling::SeenFact;
use crate::topic::title;

const LIVE: FactState = FactState::Live;

fn seen(facts: &[AtomicFact]) -> Vec<SeenFact<'_>> {
    facts
        .iter()
        .map(|fact| SeenFact { fact, state: &LIVE })
        .collect()
}

fn says(text: &str, cites: &[&str]) -> LabelledSentence {
    LabelledSentence {
        text: text.to_owned(),
        cites: cites.iter().map(|it| (*it).to_owned()).collect(),
    }
}

fn summarise(
    facts: &[AtomicFact],
    reply: &TopicSummarizerOutput,
    taken: &[&str],
) -> (crate::model::TopicSummary, crate::topic::telling::Dropped) {
    let settings = TopicSettings::default();
    let members = seen(facts);
    let (offer, _) = topic_task(&members, Vec::new(), &settings);
    let taken: BTreeSet<String> = taken.iter().map(|it| title::same(it)).collect();
    let brief = TopicBrief {
        topic: &TopicId::new("0123456789"),
        members: &members,
        taken: &taken,
        writer: &Fingerprint::new("w"),
    };
    topic_summary(&brief, Some((&offer, reply)), &settings)
}

fn launch() -> Vec<AtomicFact> {
    vec![
        tagged(1, "The launch moved to 26 May.", &["launch"]),
        tagged(2, "Maria writes the launch post.", &["launch", "blog"]),
    ]
}

#[test]
fn only_cited_and_grounded_sentences_stand() {
    let reply = TopicSummarizerOutput {
        title: "Launch".to_owned(),
        summary: vec![
            says("The launch moved to 26 May.", &["f1"]),
            says("The launch moved to 27 May.", &["f1"]),
            says("Maria writes the post.", &["f9", "f2"]),
            says("Maria writes the launch post.", &["f7"]),
            says("<@U1> writes the launch post.", &["f2"]),
        ],
        ..TopicSummarizerOutput::default()
    };
    let facts = launch();
    let (summary, dropped) = summarise(&facts, &reply, &[]);
    let texts: Vec<&str> = summary
        .sentences
        .iter()
        .map(|it| it.text.as_str())
        .collect();
    assert_eq!(
        texts,
        ["The launch moved to 26 May.", "Maria writes the post."]
    );
    assert_eq!(summary.sentences[1].facts, [facts[1].id.clone()]);
    assert_eq!(
        (dropped.ungrounded, dropped.uncited, dropped.unclean),
        (1, 1, 1)
    );
    assert_eq!(summary.title, "Launch");
}

#[test]
fn where_nothing_stands_the_facts_speak_for_themselves() {
    let facts = launch();
    let (summary, _) = summarise(&facts, &TopicSummarizerOutput::default(), &[]);
    assert_eq!(summary.sentences.len(), 2);
    assert!(summary.sentences.iter().all(|it| it.facts.len() == 1));
    assert_eq!(summary.title, "Launch");
}

#[test]
fn titles_are_gated_said_and_told_apart() {
    let facts = vec![
        naming(launch().remove(0), "Apollo", EntityType::Project),
        naming(launch().remove(1), "Maria", EntityType::Person),
    ];
    let titled = |title: &str, taken: &[&str]| {
        let reply = TopicSummarizerOutput {
            title: title.to_owned(),
            ..TopicSummarizerOutput::default()
        };
        summarise(&facts, &reply, taken).0.title
    };
    assert_eq!(titled("Launch post", &[]), "Launch post");
    assert_eq!(titled("Quarterly budget", &[]), "Launch");
    assert_eq!(titled("Launch", &["launch!"]), "Launch, Apollo");
    assert_eq!(
        titled("General", &["Launch", "Launch, Apollo"]),
        "Apollo, Blog"
    );
}

#[test]
fn questions_are_paired_with_their_answers() {
    let asked = of_kind(FactKind::Question, fact(1, "Which database do we use?"));
    let mut answer = fact(2, "We use Postgres.");
    answer.claim.answers = Some(asked.id.clone());
    let pair = (asked.id.clone(), answer.id.clone());
    let (summary, _) = summarise(&[asked, answer], &TopicSummarizerOutput::default(), &[]);
    assert_eq!(summary.faq, [pair]);
}

#[test]
fn a_summary_is_behind_when_a_member_a_text_or_a_state_changes() {
    let facts = launch();
    let all = seen(&facts);
    let mut turned = all.clone();
    turned.reverse();
    assert_eq!(made_from(&all), made_from(&turned));
    assert_ne!(made_from(&all), made_from(&all[..1]));
    let disputed = FactState::Disputed {
        with: vec![facts[0].id.clone()],
    };
    turned[0].state = &disputed;
    assert_ne!(made_from(&all), made_from(&turned));
}
