//! Who, when, in which thread, and what hangs on it.

use atlas_core::model::AuthorId;
use serde_json::{Value, json};

use crate::export::{CHANNELS, USERS, doubted, folder, read, read_day, read_one, skipped};

/// Row 1.
#[test]
fn a_message_without_a_time_is_skipped_never_dated_today() {
    let day = r#"[
        {"type":"message","user":"U1","text":"c","ts":"1706700002.000100"},
        {"type":"message","user":"U1","text":"no"},
        {"type":"message","user":"U1","text":"no","ts":null},
        {"type":"message","user":"U1","text":"no","ts":"not-a-number"},
        {"type":"message","user":"U1","text":"no","ts":"NaN"},
        {"type":"message","user":"U1","text":"no","ts":"inf"},
        {"type":"message","user":"U1","text":"no","ts":["1"]},
        {"type":"message","user":"U1","text":"b","ts":"1706700001.000100"},
        {"type":"message","user":"U1","text":"a","ts":"1706700000.000100"}
    ]"#;
    let (messages, report) = read_day(day);
    let texts: String = messages
        .iter()
        .map(|message| message.text.as_str())
        .collect();
    assert_eq!(texts, "abc");
    assert_eq!(messages[0].sent_at.as_micros(), 1_706_700_000_000_100);
    assert_eq!(messages[0].id.to_string(), "C1/slack/1706700000.000100");
    assert_eq!(skipped(&report), "no time=2, bad time=4");
}

/// Rows 2, 3 and 18.
#[test]
fn authors_have_their_best_name_and_their_raw_id() {
    // Fields of the message; id, name, handle, whether it is a program; what is doubted.
    let rows = [
        (json!({"user": "U1"}), "U1 Ana Diaz anita -", ""),
        (json!({"user": "U2"}), "U2 Morgan Lee morgan -", ""),
        (
            json!({"user": "U404"}),
            "U404 U404  -",
            "unresolved author=1: C1/1.000001: U404",
        ),
        (json!({"user": "USLACKBOT"}), "USLACKBOT Slackbot  bot", ""),
        (
            json!({"user": "W9", "user_profile": {"real_name": "Guest One", "name": "g1"}}),
            "W9 Guest One g1 -",
            "",
        ),
        (
            json!({"subtype": "bot_message", "username": "deploys"}),
            "deploys deploys  bot",
            "",
        ),
        (
            json!({"subtype": "bot_message", "bot_id": "B1", "username": "deploys"}),
            "B1 deploys  bot",
            "",
        ),
        (
            json!({"bot_id": "B1", "bot_profile": {"name": "CI"}}),
            "B1 CI  bot",
            "",
        ),
        (
            json!({"user": "UB", "bot_id": "B1"}),
            "UB Builder builder bot",
            "",
        ),
        (
            json!({"user": "U1", "bot_id": null, "username": "<@U1|ana>"}),
            "U1 Ana Diaz anita -",
            "",
        ),
        (
            json!({"subtype": "bot_message", "bot_id": "B1"}),
            "B1 B1  bot",
            "unresolved author=1: C1/1.000001: B1",
        ),
        (
            json!({"subtype": "file_comment", "comment": {"user": "U2"}}),
            "U2 Morgan Lee morgan -",
            "",
        ),
        (
            json!({"user": {"id": "U1"}}),
            "unknown unknown  -",
            "no author=1: C1/1.000001: ",
        ),
    ];
    for (fields, expected, doubts) in rows {
        let mut object = fields.clone();
        object["text"] = json!("hi");
        object["ts"] = json!("1.000001");
        let (messages, report) = read_day(&json!([object]).to_string());
        let message = &messages[0];
        let handle = message.metadata.get("handle").cloned().unwrap_or_default();
        let kind = if message.is_bot { "bot" } else { "-" };
        let found = format!(
            "{} {} {handle} {kind}",
            message.author.id, message.author.name
        );
        assert_eq!(
            (found.as_str(), doubted(&report).as_str()),
            (expected, doubts),
            "{fields}"
        );
    }
}

/// Rows 6 and 9.
#[test]
fn a_reply_names_its_root_wherever_that_is() {
    let first = r#"[
        {"user":"U1","text":"root","ts":"1706600000.000100","thread_ts":"1706600000.000100","reply_count":4,
         "replies":[{"user":"U2","ts":"1706700000.000100"},{"user":"U2"},{"ts":"1"},null,7]},
        {"user":"U2","text":"same day","ts":"1706600001.000100","thread_ts":"1706600000.000100"}]"#;
    let second = r#"[
        {"user":"U2","text":"next day","ts":"1706700000.000100","thread_ts":"1706600000.000100"},
        {"user":"U2","text":"broadcast","subtype":"thread_broadcast","ts":"1706700001.000100",
         "root":{"ts":"1706600000.000100","thread_ts":"1706600000.000100"}},
        {"user":"U2","text":"lone","ts":"1706700002.000100","thread_ts":"1700000000.000100"},
        {"user":"U2","text":"bad root","ts":"1706700003.000100","thread_ts":"soon"}]"#;
    let dir = folder(&[
        ("users.json", USERS),
        ("general/2024-01-30.json", first),
        ("general/2024-01-31.json", second),
    ]);
    let (messages, _) = read(dir.path());
    let threads: Vec<String> = messages
        .iter()
        .map(|message| {
            let root = message
                .thread_root
                .as_ref()
                .map_or("-", |root| root.as_str());
            format!("{}: {root}", message.text)
        })
        .collect();
    let expected = [
        "root: -",
        "same day: 1706600000.000100",
        "next day: 1706600000.000100",
        "broadcast: 1706600000.000100",
        "lone: 1700000000.000100",
        "bad root: -",
    ];
    assert_eq!(threads, expected);
}

/// Row 8.
#[test]
fn a_tombstone_keeps_its_place_and_no_words() {
    let day = r#"[
        {"type":"message","subtype":"tombstone","user":"USLACKBOT","text":"This message was deleted.","hidden":true,
         "ts":"1706700000.000100","thread_ts":"1706700000.000100","reply_count":1},
        {"user":"U2","text":"still here","ts":"1706700001.000100","thread_ts":"1706700000.000100"}]"#;
    let (messages, report) = read_day(day);
    assert_eq!(
        (messages[0].is_deleted, messages[0].text.as_str()),
        (true, "")
    );
    assert_eq!(messages[1].conversation(), messages[0].id);
    assert_eq!((report.messages.kept, skipped(&report).as_str()), (2, ""));
}

#[test]
fn wrappers_carry_later_versions() {
    let said = r#"{"user":"U1","text":"one","ts":"1706700000.000100"}"#;
    let changed = r#"{"type":"message","subtype":"message_changed","hidden":true,"ts":"1706700050.000000",
        "message":{"user":"U1","text":"two","ts":"1706700000.000100","edited":{"user":"U1","ts":"1706700049.000000"}}}"#;
    let deleted = r#"{"type":"message","subtype":"message_deleted","hidden":true,"ts":"1706700090.000000","deleted_ts":"1706700000.000100",
        "previous_message":{"user":"U1","text":"two","ts":"1706700000.000100","thread_ts":"1706600000.000000"}}"#;
    let lost = r#"{"type":"message","subtype":"message_changed","ts":"1706700050.000000"}"#;

    let (messages, report) = read_day(&format!("[{said},{changed},{lost}]"));
    assert_eq!(messages.len(), 1);
    assert_eq!(
        (messages[0].text.as_str(), messages[0].id.native.as_str()),
        ("two", "1706700000.000100")
    );
    assert_eq!(
        messages[0].edited_at.unwrap().as_micros(),
        1_706_700_049_000_000
    );
    assert_eq!(skipped(&report), "malformed=1, older version=1");

    let (messages, _) = read_day(&format!("[{said},{deleted},{changed}]"));
    assert_eq!(messages.len(), 1);
    let message = &messages[0];
    assert_eq!(
        (
            message.is_deleted,
            message.text.as_str(),
            message.author.name.as_str()
        ),
        (true, "", "Ana Diaz")
    );
    assert_eq!(
        message.thread_root.as_ref().unwrap().as_str(),
        "1706600000.000000"
    );

    // On another day the message was already given: the later version follows it.
    let dir = folder(&[
        ("general/2024-01-31.json", &format!("[{said}]")),
        ("general/2024-02-01.json", &format!("[{changed}]")),
    ]);
    let (messages, report) = read(dir.path());
    assert_eq!(messages.len(), 2);
    assert!(messages[1].replaces(&messages[0]));
    assert!(!doubted(&report).contains("same identity"));
}

/// Row 11.
#[test]
fn the_same_time_twice_is_one_message() {
    let one = r#"{"user":"U1","text":"one","ts":"1706700000.000100"}"#;
    let two = r#"{"user":"U1","text":"two","ts":"1706700000.000100"}"#;
    let rows = [
        (format!("[{one},{one}]"), "one", "duplicate=1", ""),
        (
            format!("[{one},{two}]"),
            "two",
            "older version=1",
            "same identity, other content=1: C1/slack/1706700000.000100",
        ),
        (
            format!("[{two},{one},{one}]"),
            "one",
            "duplicate=1, older version=1",
            "same identity, other content=1: C1/slack/1706700000.000100",
        ),
    ];
    for (day, text, skips, doubts) in rows {
        let (messages, report) = read_day(&day);
        assert_eq!(messages.len(), 1);
        assert_eq!(
            (
                messages[0].text.as_str(),
                skipped(&report).as_str(),
                doubted(&report).as_str()
            ),
            (text, skips, doubts)
        );
    }
    let dir = folder(&[
        ("users.json", USERS),
        ("general/2024-01-31.json", &format!("[{one}]")),
        (
            "general/2024-02-01.json",
            &format!("[{one},{}]", one.replace(".000100", ".000200")),
        ),
    ]);
    let (messages, report) = read(dir.path());
    assert_eq!(
        (messages.len(), skipped(&report).as_str()),
        (2, "duplicate=1")
    );
}

/// Row 14.
#[test]
fn reactions_keep_raw_ids_and_show_emoji() {
    let message = read_one(
        &json!({"user": "U1", "text": "x", "ts": "1.0", "reactions": [
            {"name": "+1::skin-tone-2", "users": ["U404", "U1", 7], "count": 2},
            {"name": "party_parrot", "users": ["U2"]},
            {"name": "tada"},
            {"users": ["U1"]},
            null
        ]}),
    );
    let reactions: Vec<String> = message
        .reactions
        .iter()
        .map(|reaction| {
            format!(
                "{} {:?}",
                reaction.name,
                reaction
                    .users
                    .iter()
                    .map(AuthorId::as_str)
                    .collect::<Vec<_>>()
            )
        })
        .collect();
    assert_eq!(
        reactions,
        ["👍🏻 [\"U404\", \"U1\"]", "party_parrot [\"U2\"]", "🎉 []"]
    );
}

#[test]
fn files_are_attachments_without_tokens() {
    let message = read_one(&json!({"user": "U1", "text": "", "ts": "1.0", "files": [
        {"id": "F1", "name": "plan.pdf", "title": "The Plan", "mimetype": "application/pdf", "url_private": "https://files.example.org/F1?t=xoxe-1-2"},
        {"id": "F2", "mode": "tombstone"},
        {"mode": "hidden_by_limit"}
    ]}));
    let files: Vec<String> = message
        .attachments
        .iter()
        .map(|file| {
            format!(
                "{} {:?} {:?}",
                file.name,
                file.media_type.as_deref(),
                file.url.as_deref()
            )
        })
        .collect();
    let expected = [
        r#"The Plan Some("application/pdf") Some("https://files.example.org/F1")"#,
        "F2 None None",
    ];
    assert_eq!(files, expected);
}

#[test]
fn what_slack_wrote_is_skipped_and_counted() {
    let subtypes = [
        "channel_join",
        "channel_join",
        "channel_topic",
        "group_leave",
        "pinned_item",
        "bot_add",
        "huddle_thread",
        "message_replied",
    ];
    let day: Vec<Value> = subtypes
        .iter()
        .enumerate()
        .map(|(at, subtype)| json!({"type": "message", "subtype": subtype, "user": "U1", "text": "x", "ts": format!("{at}.000001")}))
        .chain([
            json!({"type": "channel_marked", "ts": "20.0", "text": "x"}),
            json!({"type": "message", "user": "U1", "hidden": true, "ts": "21.0", "text": "x"}),
            json!({"type": "message", "user": "U1", "ts": "22.0", "text": " "}),
        ])
        .collect();
    let (messages, report) = read_day(&Value::from(day).to_string());
    assert!(messages.is_empty());
    let expected = "not a message=1, system: bot_add=1, system: channel_join=2, system: channel_topic=1, \
        system: group_leave=1, system: huddle_thread=1, system: message_replied=1, system: pinned_item=1, hidden=1, empty=1";
    assert_eq!(skipped(&report), expected);
    assert_eq!(doubted(&report), "");
}

#[test]
fn what_people_said_is_kept_whatever_the_subtype() {
    for subtype in [
        "me_message",
        "thread_broadcast",
        "reply_broadcast",
        "file_share",
        "file_comment",
        "bot_message",
        "slackbot_response",
    ] {
        let message = read_one(
            &json!({"subtype": subtype, "user": "U1", "text": "x", "ts": "1.0", "edited": {"ts": "2.5"}}),
        );
        assert_eq!(message.metadata["subtype"], subtype);
        assert_eq!(message.edited_at.unwrap().as_micros(), 2_500_000);
    }
    let (messages, report) =
        read_day(r#"[{"subtype":"hologram","user":"U1","text":"x","ts":"1.0"}]"#);
    assert_eq!(messages.len(), 1);
    assert_eq!(
        doubted(&report),
        "unknown kind of message=1: C1/1.0: hologram"
    );
}

/// T19.
#[test]
fn nul_and_separators_stay_and_lone_surrogates_are_replaced() {
    let day = r#"[{"user":"U1","text":"a\u0000b\u2028c","ts":"1.0"},{"user":"U1","text":"half \ud83d","ts":"2.0"},{"user":"U1","text":"whole","ts":"3.0"}]"#;
    let (messages, report) = read_day(&format!("\u{feff}{day}"));
    let texts: Vec<&str> = messages
        .iter()
        .map(|message| message.text.as_str())
        .collect();
    assert_eq!(texts, ["a\0b\u{2028}c", "half \u{fffd}", "whole"]);
    assert_eq!(
        doubted(&report),
        "repaired text=1: general/2024-01-31.json[1]"
    );
}

/// Row 17.
#[test]
fn a_long_message_is_kept_whole() {
    let text = "word ".repeat(400_000);
    let message = read_one(&json!({"user": "U1", "text": text, "ts": "1.0"}));
    assert_eq!(message.text, text);
}

#[test]
fn lists_are_read_leniently_too() {
    let users = r#"[{"id":"U1","real_name":"Ana"},{"id":"U2","real_name":},{"real_name":"nobody"},{"id":"U3","real_name":"Bo"}]"#;
    let day = r#"[{"user":"U3","text":"<@U1>","ts":"1.0"}]"#;
    let dir = folder(&[
        ("users.json", users),
        ("channels.json", "<html>"),
        ("groups.json", CHANNELS),
        ("general/2024-01-31.json", day),
    ]);
    let (messages, report) = read(dir.path());
    assert_eq!(
        (messages[0].author.name.as_str(), messages[0].text.as_str()),
        ("Bo", "@Ana")
    );
    assert_eq!(
        doubted(&report),
        "file that cannot be read=2: users.json: read in part; channels.json: not a list"
    );
}
