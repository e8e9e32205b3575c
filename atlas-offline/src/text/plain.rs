//! The words of a sentence without the marks of its platform.

use super::cue::Cue;

static LABELLED: Cue = Cue::new(r"<(?:https?|mailto):[^<>|\s]+\|([^<>]+)>");
static ANGLED: Cue = Cue::new(r"<((?:https?|mailto):[^<>|\s]+)>");
static NAMED: Cue = Cue::new(r"<[@#!][A-Za-z0-9_^-]+\|([^<>]+)>");
static UNNAMED: Cue = Cue::new(r"<[@#!][A-Za-z0-9_^-]+>");
static SHORTCODE: Cue = Cue::new(r"(^|\s):[a-z0-9_+-]{2,}:");
static LINK: Cue = Cue::new(r"(?i)\b(?:https?://|www\.)[^\s<>]+");
static MARKDOWN_LINK: Cue = Cue::new(r"\[([^\]\[]+)\]\((?:https?:)[^()\s]+\)");

/// The sentence as it reads: entities and marks resolved, emoji and repeated spaces gone.
pub(crate) fn plain(quote: &str) -> String {
    let mut text = quote.to_owned();
    if text.contains('<') {
        for (cue, with) in [
            (&LABELLED, "$1"),
            (&ANGLED, "$1"),
            (&NAMED, "@$1"),
            (&UNNAMED, ""),
        ] {
            text = cue.replace_all(&text, with);
        }
    }
    if text.contains("](") {
        text = MARKDOWN_LINK.replace_all(&text, "$1");
    }
    if text.contains(':') {
        text = SHORTCODE.replace_all(&text, "$1");
    }
    if text.contains('&') {
        for (entity, mark) in [("&gt;", ">"), ("&lt;", "<"), ("&amp;", "&")] {
            text = text.replace(entity, mark);
        }
    }
    let kept: String = text
        .chars()
        .filter(|c| !is_emoji(*c))
        .map(|c| match c {
            '’' | '‘' => '\'',
            '“' | '”' => '"',
            other => other,
        })
        .collect();
    let kept = kept.replace("**", "").replace("__", "");
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text without web addresses.
pub(crate) fn without_links(text: &str) -> String {
    if text.contains("://") || text.contains("www.") || text.contains("WWW.") {
        LINK.replace_all(text, "")
    } else {
        text.to_owned()
    }
}

/// The text with spaces in place of web addresses, so that places in it stay what they are.
pub(crate) fn blank_links(text: &str) -> String {
    let mut blank = text.to_owned();
    for captures in LINK.all(text).into_iter().flatten() {
        if let Some(link) = captures.get(0) {
            blank.replace_range(link.range(), &" ".repeat(link.len()));
        }
    }
    blank
}

fn is_emoji(c: char) -> bool {
    matches!(u32::from(c),
        0x200D | 0xFE0F | 0x20E3 | 0x2600..=0x27BF | 0x1F000..=0x1FAFF | 0xE0020..=0xE007F)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_and_words_stay() {
        assert_eq!(
            plain("<@U1> see <https://a.io/x|the plan> :tada: now 🎉"),
            "see the plan now"
        );
        assert_eq!(plain("I’m   **sure**: a &gt; b"), "I'm sure: a > b");
        assert_eq!(plain("at 10:30:15 sharp"), "at 10:30:15 sharp");
        assert_eq!(
            without_links("read https://a.io/x?y=1 now")
                .split_whitespace()
                .count(),
            2
        );
    }
}
