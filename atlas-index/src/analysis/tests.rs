//! A question finds what a document says.

use std::collections::BTreeSet;

use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::{of_document, of_question};

const LANGUAGES: [&str; 23] = [
    "ar", "da", "de", "el", "en", "es", "fi", "fr", "hi", "hu", "it", "ja", "nl", "no", "pl", "pt",
    "ro", "ru", "sv", "ta", "tr", "und", "zh",
];

fn terms(text: &str, language: &str) -> BTreeSet<String> {
    of_document(text, language)
        .into_iter()
        .flat_map(super::Word::into_terms)
        .collect()
}

/// Whether a question finds a document in the language, asked among documents of all of these.
fn finds(document: &str, question: &str, languages: &[&str]) -> bool {
    let terms = terms(document, languages.first().unwrap());
    of_question(question, &languages.iter().copied().collect())
        .iter()
        .flat_map(super::Word::terms)
        .any(|term| terms.contains(term))
}

#[track_caller]
fn check(language: &str, document: &str, question: &str) {
    assert!(
        finds(document, question, &[language, "fr", "zh"]),
        "{question:?} does not find {document:?}: {:?} against {:?}",
        of_question(question, &BTreeSet::from([language])),
        terms(document, language)
    );
}

#[track_caller]
fn check_not(language: &str, document: &str, question: &str) {
    assert!(
        !finds(document, question, &[language]),
        "{question:?} finds {document:?}: {:?}",
        terms(document, language)
    );
}

#[test]
fn names_are_found_whole_and_by_parts() {
    for (document, questions) in [
        ("the pre-edit hook,", &["pre-edit", "edit", "preedit"][..]),
        ("writes 3 GB/s.", &["GB/s", "gb", "3"]),
        ("(memory:safe)", &["memory:safe", "memory", "safe"]),
        (
            "set snake_case here",
            &["snake_case", "snake", "case", "snakecase"],
        ),
        ("on v1.2.3!", &["v1.2.3", "V1.2.3"]),
        ("in C++, not C#", &["C++", "c#", "c"]),
        ("see #general", &["#general", "general"]),
        (
            "mail bob.lee@example.com",
            &["bob.lee@example.com", "example.com", "bob.lee", "lee"],
        ),
        ("our GitHub org", &["github", "hub", "GITHUB"]),
        ("Alice\u{2019}s plan", &["alice's", "Alice", "plan"]),
        ("pay 1,000 now", &["1,000", "1000"]),
        ("the U.S.A.", &["usa", "U.S.A"]),
        (
            "https://example.com/a/b?q=1",
            &["https://example.com/a/b?q=1", "example.com"],
        ),
    ] {
        for question in questions {
            check("en", document, question);
        }
    }
}

#[test]
fn case_accents_and_forms_do_not_matter() {
    for (language, document, question) in [
        ("fr", "Café à Zürich", "cafe zurich"),
        ("fr", "cafe\u{301}", "CAFÉ"),
        ("ja", "ｆｕｌｌ１２", "full12"),
        ("und", "room 12", "１２"),
        ("tr", "İstanbul", "istanbul"),
        ("tr", "Iğdır", "igdir"),
        ("de", "Straße", "STRASSE"),
        ("pl", "Łódź", "lodz"),
        ("el", "ΟΔΟΣ", "οδός"),
        ("ar", "كِتَاب", "كتاب"),
        ("fa", "کتاب", "كتاب"),
        ("ar", "٢٠٢٥", "2025"),
        ("ru", "Ёлка", "елка"),
        ("hi", "हिन्दी में", "हिन्दी"),
        ("hi", "कीमत ३०", "30"),
        ("en", "ship it 🚀🏽", "🚀"),
        ("en", "soft\u{AD}ware", "software"),
        ("ja", "ｶﾞｲﾄﾞ", "ガイド"),
    ] {
        check(language, document, question);
    }
}

#[test]
fn inflection_does_not_matter() {
    for (language, document, question) in [
        ("en", "we deployed it", "deploying"),
        ("en", "two releases", "release"),
        ("de", "die Häuser", "Haus"),
        ("fr", "les décisions prises", "decision"),
        ("es", "las decisiones", "decisión"),
        ("ru", "новые задачи", "задача"),
        ("ru", "большой", "большая"),
        ("sv", "bilarna", "bilar"),
        ("zh", "我们 deployed 了", "deploying"),
    ] {
        check(language, document, question);
    }
}

#[test]
fn scripts_without_spaces_are_found_by_what_is_inside() {
    for (document, question) in [
        ("请检查汇率换算功能是否正常", "汇率换算"),
        ("请检查汇率换算功能", "汇率"),
        ("请检查汇率", "汇"),
        ("東京タワーに行く", "タワー"),
        ("서울에서 만나요", "서울"),
        ("เราจะประชุมกันพรุ่งนี้", "ประชุม"),
        ("ព្រះរាជាណាចក្រ", "រាជា"),
        ("用GB/s测速度", "GB/s"),
        ("用GB/s测速度", "速度"),
    ] {
        check("zh", document, question);
    }
    check_not("zh", "请检查汇率换算功能", "天气");
    check_not("hi", "किताब", "कतब");
}

#[test]
fn stop_words_go_only_if_something_else_stays() {
    let words = |question: &str| -> Vec<String> {
        of_question(question, &BTreeSet::from(["en"]))
            .iter()
            .map(|word| word.surface().to_owned())
            .collect()
    };
    assert_eq!(words("what is the launch date"), ["date", "launch"]);
    assert_eq!(words("to be or not to be"), ["be", "not", "or", "to"]);
    let german = of_question("die launch date", &BTreeSet::from(["en", "de"]));
    assert!(german.iter().all(|word| word.surface() != "die"));
    assert!(finds("die hard", "die", &["en", "de"]));
}

#[test]
fn text_without_words_gives_none() {
    for text in ["", "  \n", "...", "«»—!?", "`", "\u{200B}", "((("] {
        assert_eq!(of_document(text, "en"), []);
    }
}

#[test]
fn a_word_without_end_is_cut_alike_on_both_sides() {
    let long = "a".repeat(100_000);
    check("en", &long, &long);
    assert!(terms(&long, "en").iter().all(|term| term.len() <= 200));
}

proptest! {
    #[test]
    fn any_text_in_any_language_is_cut(text in any::<String>(), language in prop::sample::select(&LANGUAGES[..])) {
        of_document(&text, language);
        of_question(&text, &BTreeSet::from(LANGUAGES));
    }

    /// The suffix rules are given words of their own letters, which random text seldom has.
    #[test]
    fn any_word_has_stems(
        word in "[a-zA-Zäöüßàâçéèêëîïôûùæœñåøıİğş'’]{1,12}|[а-яё]{1,12}|[α-ωά-ώΑ-Ω]{1,12}|[\u{621}-\u{652}]{1,12}|[\u{B85}-\u{BCD}]{1,12}",
    ) {
        for language in LANGUAGES {
            prop_assert!(finds(&word, &word, &[language]) || of_document(&word, language).is_empty());
        }
    }

    #[test]
    fn any_word_of_a_text_finds_it(
        text in "(\\PC| |[a-zA-Z]|[_.'#/-]|[一-十]|[ก-ฮ]|[а-я]){0,40}",
        language in prop::sample::select(&LANGUAGES[..]),
    ) {
        let composed: String = text.nfkc().collect();
        for word in composed.unicode_words() {
            prop_assert!(
                finds(&text, word, &[language]),
                "{:?} does not find {:?}", word, text
            );
        }
    }

    #[test]
    fn any_two_neighbours_of_a_run_find_it(run in "[一-龥ぁ-んァ-ヶ가-힣]{2,20}", at in any::<prop::sample::Index>()) {
        let chars: Vec<char> = run.chars().collect();
        let start = at.index(chars.len() - 1);
        let part: String = chars[start..=start + 1].iter().collect();
        let document = format!("前 {run}。end");
        prop_assert!(finds(&document, &part, &["zh"]), "{:?} does not find {:?}", part, document);
    }

    #[test]
    fn composed_and_decomposed_are_one(text in "\\PC{0,30}") {
        let composed: String = text.nfc().collect();
        let decomposed: String = text.nfd().collect();
        prop_assert_eq!(terms(&composed, "en"), terms(&decomposed, "en"));
    }
}
