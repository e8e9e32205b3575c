//! Data that hurts: texts, ids and times that careless stores get wrong.

use atlas_core::model::{
    Attachment, Author, AuthorId, ChannelId, Link, Message, MessageId, NativeId, Reaction,
    SourceId, Timestamp,
};
use atlas_core::ports::ChannelScope;

/// Texts of every awkward sort.
pub fn texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "",
        " ",
        "\n\t",
        "plain words",
        // One family, four people, seven code points; a flag of two letters.
        "👨‍👩‍👧‍👦 and 🇵🇹",
        // A letter with its accent apart, and the same in one piece.
        "cafe\u{301}",
        "café",
        "שלום עולם",
        "مرحبا بالعالم",
        // Marks that turn the direction of the text around.
        "\u{202e}desrever\u{202c}",
        "a\0b",
        "it's \"quoted\" `so` -- and; DROP TABLE messages",
        "100%_done",
        "back\\slash",
        "東京で会議をします",
        "ประชุมที่กรุงเทพ",
        "\u{feff}marked",
        "\r\nlines\r\n",
        "<script>alert(1)</script>",
        "\u{10ffff}",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.push("x".repeat(64 * 1024));
    texts.push("é👍".repeat(8 * 1024));
    texts
}

/// Ids in the order of their bytes. None is empty, and all are different.
///
/// They sort differently as numbers, without case, and by a language's rules, and some are
/// patterns of others to a careless query.
pub fn ids() -> Vec<String> {
    let mut ids: Vec<String> = [
        "1",
        "10",
        "2",
        "9",
        "A",
        "B",
        "a",
        "a ",
        "a\0",
        "a\0b",
        "a!",
        "a%",
        "a'b",
        "a*",
        "a/b",
        "a_",
        "aa",
        "ab",
        "b",
        "cafe\u{301}",
        "café",
        "z",
        "É",
        "é",
        "ß",
        "ß\u{10ffff}",
        "ตก",
        "東",
        "👍",
        "👍🏽",
        "\u{10ffff}",
    ]
    .map(str::to_owned)
    .to_vec();
    ids.push("long".repeat(200));
    ids.sort();
    ids
}

/// The ids in an order that is neither theirs nor its reverse.
pub fn shuffled<T: Clone>(values: &[T]) -> Vec<T> {
    let (odd, even): (Vec<_>, Vec<_>) = values
        .iter()
        .enumerate()
        .partition(|(place, _)| place % 2 == 1);
    let odd = odd.into_iter().rev();
    odd.chain(even).map(|(_, value)| value.clone()).collect()
}

/// Names that are taken for each other by a query that is not exact.
pub fn confusable_names() -> Vec<String> {
    [
        "c", "C", "c ", "c%", "c_", "c/", "c/c", "cc", "c\0", "c'", "ç", "c\u{327}", "%", "10", "9",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// A channel.
pub fn channel(name: &str) -> ChannelScope {
    ChannelScope::new(ChannelId::new(name))
}

/// An instant, in seconds after 9 March 2026.
pub fn at(seconds: i64) -> Timestamp {
    const NINTH_OF_MARCH: i64 = 1_773_014_400_000_000;
    Timestamp::from_micros(NINTH_OF_MARCH)
        .unwrap_or(Timestamp::MAX)
        .saturating_add_micros(seconds.saturating_mul(1_000_000))
}

/// The id of a message of the source `chat`.
pub fn message_id(channel: &ChannelScope, native: &str) -> MessageId {
    MessageId::new(
        SourceId::new("chat"),
        channel.channel().clone(),
        NativeId::new(native),
    )
}

/// A plain message.
pub fn message(channel: &ChannelScope, native: &str, sent_at: Timestamp, text: &str) -> Message {
    let author = Author {
        id: AuthorId::new("U1"),
        name: "Ada".to_owned(),
    };
    Message::new(message_id(channel, native), author, sent_at, text)
}

/// A message in which every field says something, and says it in words that begin with `mark`.
pub fn full_message(
    channel: &ChannelScope,
    native: &str,
    sent_at: Timestamp,
    mark: &str,
) -> Message {
    let word = |what: &str| format!("{mark}-{what}");
    Message {
        id: message_id(channel, native),
        author: Author {
            id: AuthorId::new(word("author")),
            name: word("Zoë 👩🏽‍💻"),
        },
        sent_at,
        text: word("text"),
        thread_root: Some(NativeId::new("root")),
        mentions: vec![
            Author {
                id: AuthorId::new(word("named")),
                name: word("Kiran"),
            },
            Author {
                id: AuthorId::new(word("other")),
                name: String::new(),
            },
        ],
        attachments: vec![
            Attachment {
                name: word("plan.pdf"),
                media_type: Some("application/pdf".to_owned()),
                url: Some(format!("https://example.org/{mark}")),
            },
            Attachment {
                name: word("bare"),
                media_type: None,
                url: None,
            },
        ],
        reactions: vec![Reaction {
            name: word("👍🏽"),
            users: vec![AuthorId::new(word("fan")), AuthorId::new("U9")],
        }],
        links: vec![
            Link {
                url: format!("https://example.org/?q={mark}&x=%20"),
                title: Some(word("title")),
            },
            Link {
                url: format!("https://example.org/{mark}/bare"),
                title: None,
            },
        ],
        edited_at: Some(sent_at.saturating_add_micros(1)),
        is_bot: true,
        is_deleted: false,
        system: Some(word("topic")),
        metadata: [
            ("k'1", word("v%1")),
            ("", String::new()),
            ("clé", word("👍")),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ids_differ_and_stand_in_the_order_of_their_bytes() {
        let ids = ids();
        assert!(
            ids.windows(2)
                .all(|pair| pair[0].as_bytes() < pair[1].as_bytes())
        );
        assert_ne!(shuffled(&ids), ids);
        assert_eq!(
            shuffled(&ids).into_iter().collect::<BTreeSet<_>>().len(),
            ids.len()
        );
    }

    #[test]
    fn a_full_message_leaves_no_field_empty() {
        let full = full_message(&channel("c"), "1", at(0), "w");
        let bare = message(&channel("c"), "1", at(0), "");
        let fields = |message: &Message| {
            serde_json::to_value(message)
                .unwrap()
                .as_object()
                .unwrap()
                .clone()
        };
        let (full, bare) = (fields(&full), fields(&bare));
        for name in full
            .keys()
            .filter(|name| !["id", "sent_at", "is_deleted"].contains(&name.as_str()))
        {
            assert_ne!(full[name], bare[name], "{name}");
        }
    }
}
