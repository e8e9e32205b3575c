//! Search by words.

use atlas_core::ErrorKind;
use atlas_core::model::Language;
use atlas_core::ports::{Document, FactIndex, Scope};

use super::documents::{document, fill, ids, request, words};
use crate::conformance::Checked;
use crate::conformance::corpus::channel;
use crate::conformance::seen::{refused, same};

/// Language, text, and what has to find it.
const ROWS: [(&str, &str, &[&str]); 16] = [
    (
        "en",
        "The deployment was DELAYED again",
        &["delayed", "Deployment", "DELAYED"],
    ),
    (
        "en",
        "Ada launches three rockets",
        &["launch", "rocket", "launches", "ROCKETS"],
    ),
    ("en", "They decided on Postgres", &["deciding", "postgres"]),
    (
        "fr",
        "Le résumé du café est prêt",
        &["resume", "RÉSUMÉ", "cafe", "café", "cafe\u{301}"],
    ),
    (
        "fr",
        "Les décisions sont prises",
        &["décision", "decisions"],
    ),
    (
        "de",
        "Drei Entscheidungen zur Größe",
        &["Entscheidung", "größe"],
    ),
    (
        "es",
        "Las reuniones de mañana",
        &["reunión", "reuniones", "MAÑANA"],
    ),
    (
        "ru",
        "Встречи перенесены на пятницу",
        &["встреча", "ПЯТНИЦУ"],
    ),
    ("el", "Ο ΛΌΓΟΣ είναι σαφής", &["λόγος"]),
    ("ar", "الاجتماع غدا", &["غدا"]),
    ("he", "הפגישה מחר", &["מחר"]),
    ("hi", "बैठक कल होगी", &["बैठक"]),
    ("ko", "회의는 내일 입니다", &["내일"]),
    ("ja", "東京で会議をします", &["東京", "会議"]),
    ("zh", "我们决定使用数据库", &["数据库", "决定"]),
    ("th", "ประชุมที่กรุงเทพพรุ่งนี้", &["กรุงเทพ"]),
];

pub(super) async fn fi_5_words_are_found_in_any_form_and_script(index: impl FactIndex) -> Checked {
    let here = channel("c");
    let scope = Scope::from(&here);
    let documents = ROWS
        .iter()
        .enumerate()
        .map(|(n, (language, text, _))| Document {
            language: Language::new(*language),
            ..document(&index, &n.to_string(), text)
        })
        .collect();
    fill(&index, &here, documents).await?;
    if !index.capabilities().lexical {
        let answer = index.search(&scope, &request(words("launch"), 5)).await;
        return refused("search by words", answer, ErrorKind::Unsupported);
    }
    for (n, (language, text, queries)) in ROWS.iter().enumerate() {
        for query in *queries {
            let hits = index.search(&scope, &request(words(query), 5)).await?;
            require!(
                ids(&hits).contains(&n.to_string().as_str()),
                "{query:?} does not find {text:?} ({language}), but {:?}",
                ids(&hits)
            );
        }
    }
    let hits = index.search(&scope, &request(words("zeppelin"), 5)).await?;
    same("found by a word that no document says", &hits, &Vec::new())?;
    let hits = index
        .search(&scope, &request(words("rocket deployment"), 5))
        .await?;
    let mut seen = ids(&hits);
    seen.sort_unstable();
    same("found by words of two documents", &seen, &vec!["0", "1"])?;
    let is_falling = hits.is_sorted_by(|a, b| a.score >= b.score);
    require!(is_falling, "the best is not first: {hits:?}");
    Ok(())
}

pub(super) async fn fi_6_query_language_is_text(index: impl FactIndex) -> Checked {
    let here = channel("c");
    let scope = Scope::from(&here);
    let documents = vec![
        document(&index, "launch", "the launch"),
        document(&index, "pad", "the pad"),
    ];
    fill(&index, &here, documents).await?;
    let finding = [
        "text:launch",
        "-launch",
        "NOT launch",
        "pad AND launch",
        "launch AND zeppelin",
        "+zeppelin launch",
        "\"launch",
        "\"launch pad\"",
        "\"zeppelin launch\"",
        "launch~2",
        "launch^0",
        "(launch",
        "launch)",
        "[launch TO",
        "{launch}",
        "launch:",
        "/launch/",
        "launch\\",
        "launch\0",
        "'; DROP TABLE documents; launch",
        "%launch_",
        "launch OR",
        "<launch>",
        "launch && || !",
    ];
    let long = format!("launch {}", "( \" : ".repeat(1_000));
    let only_marks = [
        "\"", "(", ")", ":", "*", "?", "AND", "OR NOT", "[a TO b", "\\", "~", "^", "-",
    ];
    let is_offered = index.capabilities().lexical;
    for text in finding.iter().copied().chain([long.as_str()]) {
        let answer = index.search(&scope, &request(words(text), 5)).await;
        if !is_offered {
            refused(text, answer, ErrorKind::Unsupported)?;
            continue;
        }
        let hits = answer?;
        require!(
            ids(&hits).contains(&"launch"),
            "{text:?} does not find what says launch, but {:?}",
            ids(&hits)
        );
    }
    for text in only_marks {
        let answer = index.search(&scope, &request(words(text), 5)).await;
        if is_offered {
            answer?;
        } else {
            refused(text, answer, ErrorKind::Unsupported)?;
        }
    }
    Ok(())
}
