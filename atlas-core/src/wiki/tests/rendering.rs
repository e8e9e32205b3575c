use std::collections::BTreeMap;

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::given::channels;
use crate::model::{AtomicFact, Curation, CurationMode, FactId, PrincipalId};
use crate::topic::sentence::clean;
use crate::topic::tests::given::at;
use crate::wiki::escape::inline;
use crate::wiki::{listed, render};

/// What a reader sees of Markdown, with every extension on; `Err` with what is more than words,
/// code and addresses.
fn shown(markdown: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut address = None;
    // Curly quotes are the reader's choice, not a meaning.
    let options = Options::all() - Options::ENABLE_SMART_PUNCTUATION;
    for event in Parser::new_ext(&format!("- {markdown}\n"), options) {
        match &event {
            Event::Text(words) | Event::Code(words) => text.push_str(words),
            Event::Start(Tag::Link { dest_url, .. }) => address = Some(dest_url.clone()),
            Event::End(TagEnd::Link) => {
                let address = address.take().unwrap();
                if !text.ends_with(&*address) {
                    return Err(format!("a link to {address}"));
                }
            }
            Event::Start(Tag::List(None) | Tag::Item | Tag::Paragraph)
            | Event::End(TagEnd::List(_) | TagEnd::Item | TagEnd::Paragraph) => {}
            Event::Start(_)
            | Event::End(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::Rule
            | Event::TaskListMarker(_) => return Err(format!("{event:?}")),
        }
    }
    Ok(text)
}

/// What the words are without the marks of code.
fn meant(text: &str) -> String {
    use crate::topic::code_span::{Part, parts};
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let meant: Vec<String> = (parts(&line).into_iter())
        .map(|part| match part {
            Part::Plain(plain) => plain.to_owned(),
            Part::Code(code) => code.trim().to_owned(),
        })
        .collect();
    meant.concat()
}

#[track_caller]
fn check(text: &str) {
    let markdown = inline(text);
    assert_eq!(
        shown(&markdown).as_deref(),
        Ok(meant(text).as_str()),
        "{markdown}"
    );
}

#[test]
fn words_render_as_words() {
    for text in [
        "# no heading",
        "1. no list",
        "12) no list",
        "- no list",
        "+ no list",
        "| no | table |",
        "<b>no html</b> <script>",
        "[no link](https://x.y)",
        "![no image](x)",
        "*no* _emphasis_ __at__ **all** ~~at~~ ~all~",
        "no footnote[^1]",
        "it's a $5 or $6 matter",
        "&copy; &lt; &#35; R&D",
        "code `<@U1> *x*` stays ``a ` b``",
        "an open ` backtick and another",
        "see https://example.com/a_b?c=d&e=f, or http://x.",
        "http:// is none, https://[x is none",
        "mail ada@example.com or www.example.com",
        "snake_case and _private_",
        "back\\slash \\* \\",
        "> no quote",
        "=== and --- and ***",
        "[ ] no task",
        "C # and F#",
        "::: block\n\n# two lines",
        "我们 **决定** `用` 汇率",
        ":tada: and std::vec::Vec",
    ] {
        check(text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_words_render_as_words(text in "([a-c ]|[-#*_`~<>|&:;.!@$^=+(){}\\[\\]\\\\/'\"0-9]|https://|www\\.|&amp;|汇|🎉){0,30}") {
        let markdown = inline(&text);
        prop_assert_eq!(shown(&markdown), Ok(meant(&text)), "{}", markdown);
    }

    #[test]
    fn cleaning_again_changes_nothing(text in "([a-c ]|[`<>@#|&;:]|amp;|lt;|:tada:|<@U1\\|Ada>){0,20}") {
        if let Some(once) = clean(&text) {
            prop_assert_eq!(clean(&once), Some(once));
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 30,
        max_shrink_iters: 200,
        ..ProptestConfig::default()
    })]

    /// What exports leave behind never comes out, and every mark has its note.
    #[test]
    fn files_are_clean_and_their_marks_lead_to_notes(given in channels()) {
        let wiki = given.build(&[]);
        let facts: BTreeMap<FactId, AtomicFact> = (given.facts.iter())
            .map(|(fact, _)| (fact.id.clone(), fact.clone()))
            .collect();
        let files = render(&wiki.pages, &facts, "team <@U1> & co");
        for file in &files {
            let text = without_code(&file.markdown);
            prop_assert!(!text.contains("<@") && !text.contains("<#") && !text.contains("&amp;"));
            prop_assert!(!has_emoji_code(&text), "{}", text);
            for line in file.markdown.lines() {
                for mark in line.split("[^").skip(1) {
                    let number = mark.split(']').next().unwrap();
                    let note = format!("\n[^{number}]: ");
                    prop_assert!(file.markdown.contains(&note), "no note {} in {}", number, file.path);
                }
            }
            for link in file.markdown.split("](").skip(1) {
                let path = link.split(')').next().unwrap();
                prop_assert!(files.iter().any(|it| it.path == path), "{} leads nowhere", path);
            }
        }
    }
}

fn without_code(markdown: &str) -> String {
    let lines = markdown.lines().map(|line| {
        use crate::topic::code_span::{Part, parts};
        let plain = parts(line).into_iter().filter_map(|part| match part {
            Part::Plain(plain) => Some(plain),
            Part::Code(_) => None,
        });
        plain.collect::<String>()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn has_emoji_code(text: &str) -> bool {
    let pieces: Vec<&str> = text.split(':').collect();
    let between = pieces.iter().skip(1).take(pieces.len().saturating_sub(2));
    between
        .into_iter()
        .any(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
}

#[test]
fn footnotes_tell_who_when_and_in_which_words() {
    use super::given::Given;
    use crate::model::FactState::Live;
    use crate::topic::tests::given::tagged;
    let facts = [
        "Maps load *slowly*.",
        "Maps use tiles.",
        "Maps cost nothing.",
    ];
    let given = Given::new(
        (facts.iter().zip(1..))
            .map(|(text, hour)| (tagged(hour, text, &["maps"]), Live, "t"))
            .collect(),
    );
    let all = given
        .facts
        .iter()
        .map(|(fact, _)| (fact.id.clone(), fact.clone()));
    let wiki = given.build(&[]);
    let files = render(&wiki.pages, &all.collect(), "general");
    let maps = files.iter().find(|it| it.path == "maps.md").unwrap();
    assert_eq!(
        maps.markdown,
        "# Maps\n\n## In short\n\nMaps cost nothing.[^1] Maps use tiles.[^2] Maps load \
         \\*slowly\\*.[^3]\n\n[Overview](README.md)\n\n[^1]: Ada, 2026-03-02: “Maps cost nothing.” \
         (`test/m3`)\n\n[^2]: Ada, 2026-03-02: “Maps use tiles.” (`test/m2`)\n\n[^3]: Ada, \
         2026-03-02: “Maps load \\*slowly\\*.” (`test/m1`)\n"
    );
    let hidden = Curation {
        page: wiki
            .pages
            .iter()
            .find(|it| it.slug == "maps")
            .unwrap()
            .id
            .clone(),
        mode: CurationMode::Auto,
        is_hidden: true,
        by: PrincipalId::new("u"),
        reason: "draft".to_owned(),
        at: at(0),
    };
    let shown = listed(wiki.pages.clone(), &[hidden]);
    assert_eq!(shown.len(), wiki.pages.len() - 1);
}
