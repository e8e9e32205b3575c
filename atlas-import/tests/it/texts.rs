//! Where the words of a message come from.

use serde_json::{Value, json};

use crate::export::read_one;

fn rich(elements: &Value) -> Value {
    json!([{"type": "rich_text", "elements": elements}])
}

fn text(fields: Value) -> String {
    let mut object = fields;
    object["user"] = json!("U1");
    object["ts"] = json!("1.0");
    read_one(&object).text
}

/// Row 5.
#[test]
fn words_that_are_only_in_blocks_are_taken_from_there() {
    let section =
        |text: &str| json!([{"type": "section", "text": {"type": "mrkdwn", "text": text}}]);
    let rows = [
        (
            json!({"text": "", "blocks": section("Deploy *api* for <@U2>")}),
            "Deploy api for @Morgan Lee",
        ),
        (json!({"blocks": section("only")}), "only"),
        (
            json!({"text": "Deploy api v2", "blocks": section("Deploy *api*")}),
            "Deploy api v2",
        ),
        (
            json!({"text": "This content can't be displayed.", "blocks": section("Deploy *api*")}),
            "Deploy api",
        ),
        (
            json!({"blocks": [
                {"type": "header", "text": {"type": "plain_text", "text": "Report :tada:"}},
                {"type": "section", "fields": [{"type": "mrkdwn", "text": "*Env*"}, {"type": "plain_text", "text": "a_b_c"}]},
                {"type": "context", "elements": [{"type": "mrkdwn", "text": "by <@U1>"}, {"type": "image", "image_url": "https://x.org/i.png"}, {"type": "plain_text", "text": "today"}]},
                {"type": "divider"},
                {"type": "actions", "elements": [{"type": "button", "text": {"type": "plain_text", "text": "OK"}}]},
                null, 7
            ]}),
            "Report 🎉\nEnv\na_b_c\nby @Ana Diaz today",
        ),
    ];
    for (fields, expected) in rows {
        assert_eq!(text(fields.clone()), expected, "{fields}");
    }
}

/// Row 5.
#[test]
fn rich_text_reads_as_it_is_shown() {
    let inline = json!([
        {"type": "text", "text": "a &lt; *b* "},
        {"type": "text", "text": "bold", "style": {"bold": true}},
        {"type": "text", "text": " "},
        {"type": "text", "text": "x = 1", "style": {"code": true}},
        {"type": "text", "text": " "},
        {"type": "user", "user_id": "U2"},
        {"type": "text", "text": " "},
        {"type": "channel", "channel_id": "C1"},
        {"type": "text", "text": " "},
        {"type": "broadcast", "range": "here"},
        {"type": "text", "text": " "},
        {"type": "emoji", "name": "wave", "skin_tone": 4},
        {"type": "emoji", "name": "party_parrot"},
        {"type": "emoji", "name": "from_the_future", "unicode": "1f44d-1f3fb"},
        {"type": "text", "text": " "},
        {"type": "link", "url": "https://x.org/a", "text": "doc"},
        {"type": "text", "text": " "},
        {"type": "date", "timestamp": 1_392_734_382, "fallback": "Feb 18"},
        {"type": "hologram"}
    ]);
    let message = read_one(
        &json!({"user": "U1", "ts": "1.0", "blocks": rich(&json!([{"type": "rich_text_section", "elements": inline}]))}),
    );
    assert_eq!(
        message.text,
        "a &lt; *b* bold `x = 1` @Morgan Lee #general @here 👋🏽(party_parrot)👍🏻 doc Feb 18"
    );
    assert_eq!(message.mentions[0].name, "Morgan Lee");
    assert_eq!(
        (
            message.links[0].url.as_str(),
            message.links[0].title.as_deref()
        ),
        ("https://x.org/a", Some("doc"))
    );

    let section = |words: &str| json!({"type": "rich_text_section", "elements": [{"type": "text", "text": words}]});
    let blocks = rich(&json!([
        section("intro\n"),
        {"type": "rich_text_list", "style": "bullet", "elements": [section("one"), section("two")]},
        {"type": "rich_text_list", "style": "ordered", "indent": 1, "offset": 2, "elements": [section("three")]},
        {"type": "rich_text_quote", "elements": [{"type": "text", "text": "said\nagain"}]},
        {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "let x = 1;\n:tada:"}]}
    ]));
    let expected = "intro\n• one\n• two\n    3. three\n> said\n> again\n```let x = 1;\n:tada:```";
    assert_eq!(text(json!({"blocks": blocks})), expected);
}

#[test]
fn text_and_the_same_text_in_blocks_are_said_once() {
    let blocks = rich(&json!([{"type": "rich_text_section", "elements": [
        {"type": "text", "text": "ship it "}, {"type": "user", "user_id": "U2"}, {"type": "emoji", "name": "rocket"}
    ]}]));
    assert_eq!(
        text(json!({"text": "ship *it* <@U2> :rocket:", "blocks": blocks})),
        "ship it @Morgan Lee 🚀"
    );
}

/// Row 5.
#[test]
fn attachments_add_what_the_text_does_not_say() {
    let rows = [
        (
            json!({"text": "", "attachments": [{"fallback": "old", "pretext": "[api] 1 commit", "text": "<https://x.org/c|b698>: fix &amp; go", "title": "T"}]}),
            "[api] 1 commit\nT\nb698: fix & go",
        ),
        (
            json!({"attachments": [{"fallback": "only the <https://x.org|fallback>"}]}),
            "only the fallback",
        ),
        (
            json!({"text": "Build failed", "attachments": [{"title": "Build failed", "fields": [{"title": "Branch", "value": "main"}, {"value": "3 errors"}, 7]}]}),
            "Build failed\nBranch: main\n3 errors",
        ),
        (
            json!({"text": "see <https://x.org/p>", "attachments": [{"from_url": "https://x.org/p", "title": "Page", "text": "words of the page"}]}),
            "see https://x.org/p",
        ),
        (
            json!({"text": "", "attachments": [{"is_share": true, "is_msg_unfurl": true, "from_url": "https://w.slack.com/archives/C1/p1", "author_name": "Jo Park", "text": "we *ship*\nfriday"}]}),
            "> Jo Park\n> we ship\n> friday",
        ),
        (
            json!({"text": "plain", "attachments": [null, 7, {}]}),
            "plain",
        ),
    ];
    for (fields, expected) in rows {
        assert_eq!(text(fields.clone()), expected, "{fields}");
    }
}

#[test]
fn links_get_the_titles_of_their_previews() {
    let message = read_one(&json!({
        "user": "U1", "ts": "1.0",
        "text": "<https://x.org/p?a=1&amp;b=2> and <https://x.org/q|q>",
        "attachments": [
            {"original_url": "https://x.org/p?a=1&amp;b=2", "from_url": "https://x.org/p", "title": "Page &amp; more", "title_link": "https://x.org/p"},
            {"from_url": "https://x.org/r", "title": "Elsewhere"},
            {"title": "Run 7", "title_link": "https://ci.org/7"}
        ]
    }));
    let links: Vec<String> = message
        .links
        .iter()
        .map(|link| format!("{}={}", link.url, link.title.as_deref().unwrap_or_default()))
        .collect();
    let expected = [
        "https://x.org/p?a=1&b=2=Page & more",
        "https://x.org/q=q",
        "https://x.org/r=Elsewhere",
        "https://ci.org/7=Run 7",
    ];
    assert_eq!(links, expected);
}

#[test]
fn an_old_file_share_reads_as_it_was_shown() {
    let shared = "<@U1|ana> uploaded a file: <https://w.slack.com/files/F1/a.png|a.png> and commented: *nice*";
    assert_eq!(
        text(json!({"subtype": "file_share", "text": shared})),
        "@Ana Diaz uploaded a file: a.png and commented: nice"
    );
}
