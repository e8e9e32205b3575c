//! Each rule finds what breaks it, and nothing in a page that keeps it.

use std::collections::BTreeMap;

use atlas_core::model::{Author, AuthorId, ChannelId, Message, MessageId, NativeId, SourceId};

use super::{Rule, WikiFile, lint};

const PAGE: &str = "# Search engine\n\n\
    ## In short\n\n\
    Search runs on `Postgres`.[^1] It was <https://es.example/a_b> before.[^2]\n\n\
    - The bill was high.[^1][^2]\n\n\
    → [Overview](README.md)\n\n\
    [Overview](README.md)\n\n\
    [^1]: Ana \\*Diaz, 2026-03-09: “we use `Postgres`” (`slack/1.1`); Bo, 2026-03-09: “high \\[bill\\]” (`slack/1.2`)\n\n\
    [^2]: Bo, 2026-03-09: “high \\[bill\\]” (`slack/1.2`)\n";

fn messages() -> BTreeMap<ChannelId, Vec<Message>> {
    let said = |channel: &str, ts: &str, who: &str, text: &str| {
        let id = MessageId::new(
            SourceId::new("slack"),
            ChannelId::new(channel),
            NativeId::new(ts),
        );
        let author = Author {
            id: AuthorId::new(who),
            name: who.to_owned(),
        };
        let at = "2026-03-09T10:00:00Z".parse().unwrap();
        Message::new(id, author, at, text)
    };
    BTreeMap::from([
        (
            ChannelId::new("C1"),
            vec![
                said("C1", "1.1", "Ana *Diaz", "yes:\nwe use `Postgres`, really"),
                said("C1", "1.2", "Bo", "a high  [bill] again"),
            ],
        ),
        (
            ChannelId::new("C2"),
            vec![said("C2", "2.1", "Bo", "something else")],
        ),
    ])
}

fn wiki(page: &str) -> Vec<WikiFile> {
    let file = |path: &str, markdown: &str| WikiFile {
        path: path.to_owned(),
        markdown: markdown.to_owned(),
    };
    let readme = PAGE.replace("Search engine", "product");
    vec![
        file(
            "README.md",
            "# Channels\n\n- [product](product/README.md)\n",
        ),
        file("product/README.md", &readme),
        file("product/search.md", page),
    ]
}

#[track_caller]
fn check(from: &str, to: &str, expected: Option<Rule>) {
    assert!(PAGE.contains(from), "{from}");
    let verdict = lint(&wiki(&PAGE.replace(from, to)), &messages());
    let mut rules: Vec<Rule> = verdict.findings.iter().map(|it| it.rule).collect();
    rules.dedup();
    let expected: Vec<Rule> = expected.into_iter().collect();
    assert_eq!(rules, expected, "{:?}", verdict.findings);
}

#[test]
fn a_page_that_keeps_the_rules_has_no_finding() {
    let verdict = lint(&wiki(PAGE), &messages());
    assert_eq!(verdict.findings, []);
    assert_eq!(
        (verdict.pages, verdict.sentences, verdict.citations),
        (2, 6, 6)
    );
}

#[test]
fn remains_of_markup_are_found_outside_code_only() {
    for remain in ["<@U1> ", "<#C1> ", "a &amp; b ", ":tada: ", "&lt;@U1&gt; "] {
        check("The bill", &format!("{remain}The bill"), Some(Rule::Markup));
        check("The bill", &format!("`{remain}`The bill"), None);
    }
    check("The bill", "At 12:30:45 and 1:2: the bill", None);
}

#[test]
fn a_sentence_without_a_citation_is_found() {
    check(
        "high.[^1][^2]",
        "high.[^1][^2]\n- It rained.",
        Some(Rule::Cited),
    );
    check("Postgres`.[^1] It", "Postgres`.[^1] It", None);
    check("before.[^2]", "before.[^2] And then?", Some(Rule::Cited));
    // A mark without a footnote is shown as it stands.
    check("high.[^1][^2]", "high.[^1][^2] Why?[^3]", Some(Rule::Cited));
}

#[test]
fn a_citation_that_proves_nothing_is_found() {
    let found = Some(Rule::Proven);
    check("“we use", "“we never use", found);
    check("slack/1.1", "slack/2.1", found);
    check("slack/1.1", "slack/9.9", found);
    check("2026-03-09: “we", "2026-03-10: “we", found);
    check("Ana \\*Diaz,", "Bo,", found);
    check("(`slack/1.1`)", "", found);
    check("[^1]: Ana", "[^3]: It rained.\n\n[^1]: Ana", found);
}

#[test]
fn a_page_that_tells_too_little_is_found() {
    check(
        " It was <https://es.example/a_b> before.[^2]",
        "",
        Some(Rule::Full),
    );
}

#[test]
fn titles_that_name_nothing_or_show_markup_are_found() {
    for title in ["", "2024", "The and of", "a", "\\<b\\>", "`code`"] {
        let to = format!("# {title}\n\n## In");
        let expected = if title == "`code`" {
            None
        } else {
            Some(Rule::Title)
        };
        check("# Search engine\n\n## In", &to, expected);
    }
    for title in ["C", "搜索", "Notes from 2024"] {
        check("Search engine", title, None);
    }
}

#[test]
fn two_pages_of_one_title_are_found() {
    let mut files = wiki(PAGE);
    files.push(WikiFile {
        path: "product/other.md".to_owned(),
        markdown: PAGE.replace("Search", "SEARCH"),
    });
    let verdict = lint(&files, &messages());
    let rules: Vec<Rule> = verdict.findings.iter().map(|it| it.rule).collect();
    assert_eq!(rules, [Rule::OneTitle]);
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    check(
        "→ [Overview](README.md)",
        "→ [Gone](gone.md)",
        Some(Rule::Link),
    );
    check(
        "→ [Overview](README.md)",
        "→ [Up](../README.md#channels)",
        None,
    );
    check(
        "→ [Overview](README.md)",
        "→ [Out](../../etc.md)",
        Some(Rule::Link),
    );
}
