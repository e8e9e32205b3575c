//! Whatever an export holds, everything is accounted for.

use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::export::{USERS, doubted, folder, read, read_day, skipped};

const SAID: &str = r#"{"user":"U1","text":"fine","ts":"1706700000.000100"}"#;

#[test]
fn a_bad_element_costs_only_itself() {
    let rows = [
        (format!("[{SAID}, {{\"ts\":}}]"), 1, "malformed=1"),
        (format!("[7, null, \"x\", [], {SAID}]"), 1, "malformed=4"),
        (format!("[{SAID}, {{\"user\":\"U1\",\"te"), 1, "malformed=1"),
        (format!("[{{\"a\": [}}, {SAID}]"), 1, "malformed=1"),
        (format!("[{SAID},]"), 1, ""),
        (
            format!("[{},{SAID}]", "[".repeat(500) + &"]".repeat(500)),
            1,
            "malformed=1",
        ),
        ("[]".to_owned(), 0, ""),
    ];
    for (day, kept, skips) in rows {
        let (messages, report) = read_day(&day);
        assert_eq!(
            (messages.len(), skipped(&report).as_str()),
            (kept, skips),
            "{day}"
        );
    }
}

#[test]
fn a_bad_file_costs_only_itself() {
    for bad in ["", "{}", "not json", "<html></html>", "{\"messages\": []}"] {
        let dir = folder(&[
            ("general/2024-01-30.json", bad),
            ("general/2024-01-31.json", &format!("[{SAID}]")),
        ]);
        let (messages, report) = read(dir.path());
        assert_eq!(messages.len(), 1);
        assert!(
            doubted(&report).contains("general/2024-01-30.json: not a list"),
            "{bad}"
        );
    }
    let dir = folder(&[("general/2024-01-31.json", "")]);
    fs::write(
        dir.path().join("general/2024-01-31.json"),
        b"[{\"user\":\"U1\",\"text\":\"a\xffb\",\"ts\":\"1.0\"}]",
    )
    .unwrap();
    let (messages, report) = read(dir.path());
    assert_eq!(messages[0].text, "a\u{fffd}b");
    assert!(doubted(&report).contains("repaired text=1"));
}

#[test]
fn reading_twice_gives_the_same() {
    let dir = folder(&[
        ("users.json", USERS),
        (
            "b/2024-01-31.json",
            &format!("[{SAID},{}]", SAID.replace("fine", "other")),
        ),
        ("a/2024-01-31.json", &format!("[{SAID},7]")),
    ]);
    assert_eq!(read(dir.path()), read(dir.path()));
}

/// Any JSON, with the names that the reader looks at more likely than others.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        prop::sample::select(vec![
            "message",
            "U1",
            "1706700000.000100",
            "rich_text",
            "rich_text_list",
            "text",
            "mrkdwn",
            "section",
            "emoji",
            "tada",
            "message_changed",
            "message_deleted",
            "tombstone",
            "bot_message",
            "<@U1>",
            "*a* :b: `c`",
            "ordered",
        ])
        .prop_map(Value::from),
    ];
    let field = prop::sample::select(vec![
        "type",
        "subtype",
        "user",
        "ts",
        "text",
        "thread_ts",
        "edited",
        "blocks",
        "elements",
        "attachments",
        "files",
        "reactions",
        "name",
        "users",
        "message",
        "previous_message",
        "deleted_ts",
        "bot_profile",
        "fields",
        "indent",
        "offset",
        "title",
        "url",
        "user_id",
        "fallback",
        "unicode",
        "timestamp",
        "skin_tone",
        "style",
        "root",
        "x",
    ]);
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(field.clone().prop_map(str::to_owned), inner, 0..7)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_is_accounted_for(elements in prop::collection::vec(any_json(), 0..6), fields in any_json()) {
        let mut known = json!({"user": "U1", "ts": "5.0", "text": "x"});
        if let Value::Object(fields) = fields {
            known.as_object_mut().unwrap().extend(fields);
        }
        let mut day = elements;
        day.push(known);
        let n = day.len() as u64;
        let (_, report) = read_day(&Value::from(day).to_string());
        prop_assert_eq!(report.messages.read, n);
    }

    #[test]
    fn any_bytes_are_accounted_for(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let dir = folder(&[("general/2024-01-31.json", "")]);
        let list: Vec<u8> = [b"[{", bytes.as_slice(), b"]"].concat();
        for day in [bytes, list] {
            fs::write(dir.path().join("general/2024-01-31.json"), day).unwrap();
            read(dir.path());
        }
    }
}
