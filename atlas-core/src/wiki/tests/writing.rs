use super::given::{Given, english, writer};
use crate::llm::{LabelledSentence, WikiWriterOutput, WrittenSection};
use crate::model::{FactState, PageKind, Section};
use crate::topic::tests::given::tagged;
use crate::wiki::brief::PageBrief;
use crate::wiki::write::Sheet;

const TEXTS: [&str; 7] = [
    "Geocoding moved to the new server.",
    "Geocoding costs 40 dollars a month.",
    "Maria owns geocoding.",
    "Geocoding failed on 3 March.",
    "Geocoding caches addresses.",
    "Geocoding reads county records.",
    "Geocoding ignores postal boxes.",
];

fn given() -> Given {
    let facts = TEXTS.iter().zip(0_u32..);
    Given::new(
        facts
            .map(|(text, hour)| (tagged(hour, text, &["geocoding"]), FactState::Live, "t"))
            .collect(),
    )
}

fn topic_page(given: &Given) -> PageBrief {
    let pages = given.plan();
    let is_topic = |it: &PageBrief| matches!(it.kind, PageKind::Topic(_));
    pages.into_iter().find(is_topic).unwrap()
}

fn reply(section: &str, sentences: &[(&str, &str)]) -> WikiWriterOutput {
    WikiWriterOutput {
        sections: vec![WrittenSection {
            id: section.to_owned(),
            sentences: sentences
                .iter()
                .map(|(text, cites)| LabelledSentence {
                    text: (*text).to_owned(),
                    cites: cites.split(' ').map(str::to_owned).collect(),
                })
                .collect(),
        }],
    }
}

fn texts(section: &Section) -> Vec<&str> {
    section
        .sentences
        .iter()
        .map(|it| it.text.as_str())
        .collect()
}

#[test]
fn only_what_facts_say_stands_and_no_fact_is_left_out() {
    let given = given();
    let facts = given.seen();
    let brief = topic_page(&given);
    let sheet = Sheet::new(&brief, &facts, &[], (&writer(), &english()));
    let (offer, task) = sheet.task().unwrap();
    // Five facts of most weight are in the summary; the writer tells the rest.
    assert_eq!(task.sections.len(), 1);
    assert_eq!(task.facts.len(), 2);
    let said = task.facts[0].text.clone();
    let output = reply(
        &task.sections[0].id,
        &[
            (&said, "f1"),
            ("Geocoding costs 50 dollars.", "f1"),
            ("Geocoding never fails.", "f2"),
            ("Geocoding is fast.", "f9"),
        ],
    );
    let (sections, dropped) = sheet.compose(Some((&offer, &output)));
    assert_eq!((dropped.ungrounded, dropped.uncited), (2, 1));
    let details = sections.iter().find(|it| it.id == "details").unwrap();
    assert_eq!(texts(details), [said.as_str(), task.facts[1].text.as_str()]);
    let all: Vec<_> = sections.iter().flat_map(|it| &it.sentences).collect();
    assert_eq!(all.len(), TEXTS.len());
}

/// P-P4: sections whose facts did not change stay byte for byte and are not asked for.
#[test]
fn unchanged_sections_stay_and_cost_nothing() {
    let mut given = given();
    let wiki = given.build(&[]);
    let brief = topic_page(&given);
    let before = wiki.pages.iter().find(|it| it.id == brief.id).unwrap();
    let known: Vec<&Section> = before.sections.iter().collect();
    let facts = given.seen();
    let sheet = Sheet::new(&brief, &facts, &known, (&writer(), &english()));
    assert!(sheet.task().is_none());
    assert_eq!(sheet.compose(None).0, before.sections);

    let late = tagged(50, "Geocoding needs a licence.", &["geocoding"]);
    given
        .topics
        .insert(late.id.clone(), crate::model::TopicId::new("t"));
    given.facts.push((late, FactState::Live));
    let after = given.build(&wiki.pages);
    let page = after.pages.iter().find(|it| it.id == brief.id).unwrap();
    assert_eq!(page.revision, before.revision + 1);
    let section =
        |sections: &[Section], id: &str| sections.iter().find(|it| it.id == id).cloned().unwrap();
    let (summary, details) = ("summary", "details");
    assert_eq!(
        section(&page.sections, summary),
        section(&before.sections, summary)
    );
    assert_ne!(
        section(&page.sections, details),
        section(&before.sections, details)
    );
    let others = |wiki: &crate::wiki::merge::Wiki| {
        let pages = wiki.pages.iter();
        let fixed = pages.filter(|it| it.kind == PageKind::Overview).cloned();
        fixed.collect::<Vec<_>>()
    };
    assert_eq!(others(&wiki), others(&after));
}

#[test]
fn another_writer_writes_again() {
    let given = given();
    let wiki = given.build(&[]);
    let brief = topic_page(&given);
    let before = wiki.pages.iter().find(|it| it.id == brief.id).unwrap();
    let known: Vec<&Section> = before.sections.iter().collect();
    let facts = given.seen();
    let other = crate::model::Fingerprint::new("other");
    let sheet = Sheet::new(&brief, &facts, &known, (&other, &english()));
    assert!(sheet.task().is_some());
}
