//! Statements that only tell that somebody spoke.

use crate::text::words;

/// Verbs of sharing and speaking, in the forms that a narrator uses.
const SPEAKING: [&str; 16] = [
    "shared",
    "posted",
    "sent",
    "uploaded",
    "mentioned",
    "linked",
    "replied",
    "responded",
    "reacted",
    "greeted",
    "thanked",
    "joined",
    "asked",
    "provided",
    "commented",
    "wrote",
];

/// What was shared or said, where no more is told of it.
const OBJECTS: [&str; 18] = [
    "link",
    "links",
    "file",
    "files",
    "image",
    "images",
    "photo",
    "screenshot",
    "message",
    "video",
    "document",
    "url",
    "post",
    "gif",
    "channel",
    "question",
    "comment",
    "picture",
];

/// Whether a statement tells only that somebody shared or said something, not what it says.
///
/// It does if a verb of speaking is among its first five words and every word after it is short
/// or names a carrier: "Thomas shared a link to it" is narration, "Thomas shared a link to the
/// March budget" is not.
pub fn is_narration(text: &str) -> bool {
    let words = words(text);
    let Some(at) = words
        .iter()
        .take(5)
        .position(|word| SPEAKING.contains(&word.as_str()))
    else {
        return false;
    };
    let mut names_object = false;
    for word in words.iter().skip(at + 1) {
        if OBJECTS.contains(&word.as_str()) {
            names_object = true;
        } else if word.chars().count() > 4 {
            return false;
        }
    }
    names_object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telling_that_somebody_spoke_is_no_statement() {
        for text in [
            "Thomas shared a link to it.",
            "Ana posted an image",
            "Bo uploaded a file",
        ] {
            assert!(is_narration(text), "{text}");
        }
        let statements = [
            "Thomas shared a link to the March budget",
            "We shared costs equally",
            "Ana leads it",
        ];
        for text in statements {
            assert!(!is_narration(text), "{text}");
        }
    }
}
