//! Whether one text already says another.

/// Whether the words of `part` stand in `text`, in order and without gaps; marks do not count.
pub(super) fn says(text: &str, part: &str) -> bool {
    spaced_words(text).contains(&spaced_words(part))
}

fn spaced_words(text: &str) -> String {
    let mut words = String::from(" ");
    for word in text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        words.push_str(&word.to_lowercase());
        words.push(' ');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_do_not_count_and_words_are_whole() {
        let rows = [
            ("Deploy *api* v1.2", "deploy api", true),
            ("anything", "🎉", true),
            ("", "🎉", true),
            ("know it", "no", false),
            ("", "a", false),
        ];
        for (text, part, expected) in rows {
            assert_eq!(says(text, part), expected, "{text} / {part}");
        }
    }
}
