//! Emoji codes: `:tada:` is one, `10:30:45` has none.

mod names;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use emojis::SkinTone;
use names::NAMES;

/// The emoji of a name as Slack writes it, without colons; `+1::skin-tone-3` carries a tone.
///
/// Slack's names are those of GitHub, or the names of Unicode with `_` between the words, or
/// older names of its own.
pub(super) fn named(name: &str) -> Option<String> {
    match name.split_once("::") {
        Some((base, tone)) => Some(toned(&single(base)?, skin_tone(tone)?)),
        None => swatch(name).map(str::to_owned).or_else(|| single(name)),
    }
}

/// The emoji in the tone, or as it is if it comes in no tones.
fn toned(emoji: &str, tone: SkinTone) -> String {
    emojis::get(emoji)
        .and_then(|plain| plain.with_skin_tone(tone))
        .map_or_else(|| emoji.to_owned(), |toned| toned.as_str().to_owned())
}

/// The emoji with the number of its tone, 2 to 6 as Slack counts them.
pub(super) fn with_tone(emoji: &str, number: u64) -> String {
    match skin_tone(&format!("skin-tone-{number}")) {
        Some(tone) => toned(emoji, tone),
        None => emoji.to_owned(),
    }
}

fn single(name: &str) -> Option<String> {
    if let Ok(at) = NAMES.binary_search_by_key(&name, |(known, _)| known) {
        return NAMES.get(at).map(|(_, emoji)| (*emoji).to_owned());
    }
    if let Some(flag) = name.strip_prefix("flag-").and_then(country_flag) {
        return Some(flag);
    }
    let name = name.replace('-', "_");
    let name = match (name.strip_prefix("female_"), name.strip_prefix("male_")) {
        (Some(role), _) => format!("woman_{role}"),
        (_, Some(role)) => format!("man_{role}"),
        (None, None) => name,
    };
    emojis::get_by_shortcode(&name)
        .map(emojis::Emoji::as_str)
        .or_else(|| UNICODE_NAMES.get(&name).copied())
        .map(str::to_owned)
}

static UNICODE_NAMES: LazyLock<BTreeMap<String, &'static str>> = LazyLock::new(|| {
    let name = |emoji: &emojis::Emoji| {
        let words = emoji.name().split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<String> = words
            .filter(|word| !word.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        words.join("_")
    };
    emojis::iter()
        .map(|emoji| (name(emoji), emoji.as_str()))
        .collect()
});

fn country_flag(code: &str) -> Option<String> {
    let letters = code.bytes().map(|letter| match letter {
        b'a'..=b'z' => char::from_u32(0x1f1e6 + u32::from(letter - b'a')),
        _ => None,
    });
    let flag: String = letters.collect::<Option<String>>()?;
    emojis::get(&flag).map(|flag| flag.as_str().to_owned())
}

fn skin_tone(name: &str) -> Option<SkinTone> {
    match name {
        "skin-tone-2" => Some(SkinTone::Light),
        "skin-tone-3" => Some(SkinTone::MediumLight),
        "skin-tone-4" => Some(SkinTone::Medium),
        "skin-tone-5" => Some(SkinTone::MediumDark),
        "skin-tone-6" => Some(SkinTone::Dark),
        _ => None,
    }
}

/// The modifier by itself, which is shown as a patch of colour.
fn swatch(name: &str) -> Option<&'static str> {
    match name {
        "skin-tone-2" => Some("\u{1f3fb}"),
        "skin-tone-3" => Some("\u{1f3fc}"),
        "skin-tone-4" => Some("\u{1f3fd}"),
        "skin-tone-5" => Some("\u{1f3fe}"),
        "skin-tone-6" => Some("\u{1f3ff}"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_in_order() {
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn slacks_names_lead_to_unicode() {
        let rows = [
            ("tada", "🎉"),
            ("+1", "👍"),
            ("thumbsup", "👍"),
            ("+1::skin-tone-3", "👍🏼"),
            ("tada::skin-tone-3", "🎉"),
            ("skin-tone-6", "🏿"),
            ("hugging_face", "🤗"),
            ("thinking_face", "🤔"),
            ("rolling_on_the_floor_laughing", "🤣"),
            ("face_with_rolling_eyes", "🙄"),
            ("man-shrugging", "🤷‍♂️"),
            ("female-technologist", "👩‍💻"),
            ("flag-de", "🇩🇪"),
            ("flag-zz", ""),
            ("100", "💯"),
            ("simple_smile", "🙂"),
            ("party_parrot", ""),
            ("", ""),
        ];
        for (name, expected) in rows {
            assert_eq!(named(name).unwrap_or_default(), expected, "{name}");
        }
    }
}
