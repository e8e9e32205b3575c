//! What a statement is about, in lower-case words.

use std::collections::HashSet;
use std::sync::LazyLock;

use atlas_core::grounding::is_dense_script;
use atlas_core::text::fold;

use super::clause::Clause;
use crate::text::stem::{folded_words, is_stop_word, singular, stem};

/// Tags of one statement at most.
const MOST: usize = 5;

/// Words that tell nothing of the matter: common verbs, measures and judgements.
const PALE: &str = "work use need want go get make take see look say tell think know try start stop find give ask keep put \
    set run call help show mean happen become seem feel leave bring talk turn move play add change follow \
    let's good great nice new old big small long short high low early late bad better best worse first last next sure \
    fine able ready done possible different same more less many much few today tomorrow yesterday week day month \
    year hour minute time thing way lot bit part kind people guy everyone someone monday tuesday wednesday thursday \
    friday saturday sunday january february march april may june july august september october november december \
    am pm please thank actually really also still already again soon maybe probably decided decide agreed agree \
    going send sent finish done meet talk chat message read write wrote check love like hate prefer enjoy longer two three four five six seven eight nine ten stand land own told \
    went saw live mention seem notice everything little real idea question answer note update weekend \
    不再 决定 因为 需要 可以 我们 已经 现在 喜欢 没有 什么 怎么 谁 完成 改 负责";

static PALE_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| PALE.split_whitespace().map(stem).collect());

/// What is done, by the stems of verbs.
const DONE: &[&str] = &[
    "launch",
    "ship",
    "release",
    "deploy",
    "merge",
    "fix",
    "review",
    "test",
    "decide",
    "agree",
    "choose",
    "move",
    "postpone",
    "delay",
    "cancel",
    "migrate",
    "replace",
    "switch",
    "adopt",
    "drop",
    "scrap",
    "build",
    "write",
    "send",
    "update",
    "add",
    "remove",
    "create",
    "approve",
    "reject",
    "block",
    "hire",
    "join",
    "leave",
    "lead",
    "own",
    "meet",
    "plan",
    "schedule",
    "start",
    "finish",
    "complete",
    "close",
    "open",
    "investigate",
    "prepare",
    "book",
    "order",
    "buy",
    "sell",
    "pay",
    "sign",
    "use",
    "prefer",
    "love",
    "hate",
    "like",
    "ask",
    "answer",
    "report",
    "publish",
];

/// The tags of a statement: its subject, the names in it and its words of matter, then those of
/// the root of its thread.
pub(super) fn topic_tags(
    clause: &Clause<'_>,
    subject: Option<&str>,
    root: Option<&Clause<'_>>,
) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    let mut add = |tag: String, most: usize| {
        if tags.len() < most && tag.chars().count() > 1 && !tags.contains(&tag) {
            tags.push(tag);
        }
    };
    if let Some(subject) = subject {
        for word in matter(subject) {
            add(word, MOST);
        }
    }
    let is_thing = |kind| kind != atlas_core::model::EntityType::Person;
    for name in clause.names.iter().filter(|it| is_thing(it.kind)) {
        add(fold(name.name.trim_matches('`')), MOST);
    }
    let people: Vec<String> = clause
        .names
        .iter()
        .filter(|it| !is_thing(it.kind))
        .flat_map(|it| folded_words(&it.name))
        .collect();
    let bare = timeless(clause);
    for word in matter(&bare).into_iter().filter(|it| !people.contains(it)) {
        add(word, MOST);
    }
    if let Some(root) = root {
        let bare = timeless(root);
        for word in matter(&bare).into_iter().take(2) {
            add(word, MOST + 2);
        }
    }
    tags
}

/// The words of the clause without its times and web addresses.
fn timeless(clause: &Clause<'_>) -> String {
    let mut kept = String::new();
    let mut from = 0;
    for time in &clause.times {
        kept.push_str(clause.plain.get(from..time.span.start).unwrap_or_default());
        kept.push_str(" , ");
        from = time.span.end;
    }
    kept.push_str(clause.plain.get(from..).unwrap_or_default());
    crate::text::plain::without_links(&kept)
}

/// The words of matter, each for one thing. Scripts without spaces give their runs between words
/// of grammar.
fn matter(text: &str) -> Vec<String> {
    let is_break = |c: char| {
        matches!(
            c,
            ',' | ';'
                | '('
                | ')'
                | '，'
                | '。'
                | '；'
                | '：'
                | '、'
                | '（'
                | '）'
                | '！'
                | '？'
                | '“'
                | '”'
        )
    };
    text.split(is_break).flat_map(matter_of_stretch).collect()
}

fn matter_of_stretch(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut run = String::new();
    let flush = |run: &mut String, found: &mut Vec<String>| {
        let n = run.chars().count();
        if (2..=8).contains(&n) && !PALE_STEMS.contains(run.as_str()) {
            found.push(run.clone());
        }
        run.clear();
    };
    for word in folded_words(text) {
        if word.chars().any(is_dense_script) {
            for c in word.chars() {
                if DENSE_GRAMMAR.contains(c) {
                    flush(&mut run, &mut found);
                } else {
                    run.push(c);
                }
            }
            continue;
        }
        flush(&mut run, &mut found);
        let is_number =
            word.chars().any(char::is_numeric) && !word.chars().any(char::is_alphabetic);
        let one = singular(&word);
        let is_pale =
            is_stop_word(&word) || word.contains('\'') || PALE_STEMS.contains(&stem(&word));
        if !is_number && !is_pale && word.chars().count() > 1 {
            found.push(one);
        }
    }
    flush(&mut run, &mut found);
    found
}

const DENSE_GRAMMAR: &str = "的了是在和与也就都而及或但把被对从到这那个们吗呢吧啊我你他她它有会要先再还很不没去来上下说想能可以用做给让年月日号点";

/// What is done in the statement, as verbs.
pub(super) fn action_tags(clause: &Clause<'_>) -> Vec<String> {
    let stems: Vec<String> = clause.words.iter().map(|word| stem(word)).collect();
    DONE.iter()
        .filter(|verb| stems.contains(&stem(verb)))
        .map(|verb| (*verb).to_owned())
        .collect()
}
