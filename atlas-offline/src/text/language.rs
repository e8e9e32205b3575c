//! Which language a text is in.

use atlas_core::grounding::is_dense_script;

/// Letters below which a text in Latin script is too short to tell languages apart by statistics.
const LONG: usize = 40;

/// Words that only one of the languages has, for short texts.
const TELLTALES: [(&str, &[&str]); 3] = [
    (
        "de",
        &[
            "der", "die", "das", "und", "ist", "nicht", "wir", "ich", "ein", "eine", "für", "wird",
            "auf", "mit", "werden", "wer", "wann", "bis", "haben", "am",
        ],
    ),
    (
        "es",
        &[
            "el",
            "los",
            "las",
            "que",
            "es",
            "en",
            "una",
            "por",
            "con",
            "para",
            "está",
            "vamos",
            "quién",
            "cuándo",
            "hasta",
            "decidimos",
            "usar",
            "del",
        ],
    ),
    (
        "fr",
        &[
            "le", "les", "des", "est", "nous", "une", "pour", "avec", "pas", "dans", "qui",
            "quand", "je", "et", "avons", "du", "au",
        ],
    ),
];

/// The primary tag of a text's language: by script, by statistics where it is long, by telltale
/// words where it is short; English where nothing speaks against it.
pub(crate) fn language(text: &str) -> &'static str {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    if letters == 0 {
        return "und";
    }
    let share = |fits: fn(char) -> bool| text.chars().filter(|c| fits(*c)).count() * 5 >= letters;
    if share(|c| matches!(u32::from(c), 0x3040..=0x30FF)) {
        return "ja";
    }
    if share(|c| matches!(u32::from(c), 0xAC00..=0xD7AF | 0x1100..=0x11FF)) {
        return "ko";
    }
    if share(|c| matches!(u32::from(c), 0x0E00..=0x0E7F)) {
        return "th";
    }
    if share(is_dense_script) {
        return "zh";
    }
    let has_other_script = text.chars().any(|c| c.is_alphabetic() && !is_latin(c));
    if (has_other_script || letters >= LONG)
        && let Some(found) = whatlang::detect(text).filter(whatlang::Info::is_reliable)
    {
        return tag(found.lang());
    }
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphabetic())
        .map(str::to_lowercase)
        .collect();
    let hits = |telltales: &[&str]| {
        words
            .iter()
            .filter(|word| telltales.contains(&word.as_str()))
            .count()
    };
    TELLTALES
        .iter()
        .map(|(language, telltales)| (hits(telltales), *language))
        .filter(|(hits, _)| *hits >= 2)
        .max_by_key(|(hits, _)| *hits)
        .map_or("en", |(_, language)| language)
}

fn is_latin(c: char) -> bool {
    matches!(u32::from(c), 0x41..=0x24F | 0x1E00..=0x1EFF)
}

fn tag(lang: whatlang::Lang) -> &'static str {
    use whatlang::Lang;
    const TAGS: [(Lang, &str); 26] = [
        (Lang::Eng, "en"),
        (Lang::Deu, "de"),
        (Lang::Spa, "es"),
        (Lang::Fra, "fr"),
        (Lang::Ita, "it"),
        (Lang::Por, "pt"),
        (Lang::Nld, "nl"),
        (Lang::Swe, "sv"),
        (Lang::Dan, "da"),
        (Lang::Nob, "nb"),
        (Lang::Fin, "fi"),
        (Lang::Pol, "pl"),
        (Lang::Ces, "cs"),
        (Lang::Hun, "hu"),
        (Lang::Ron, "ro"),
        (Lang::Tur, "tr"),
        (Lang::Rus, "ru"),
        (Lang::Ukr, "uk"),
        (Lang::Ell, "el"),
        (Lang::Ara, "ar"),
        (Lang::Heb, "he"),
        (Lang::Hin, "hi"),
        (Lang::Vie, "vi"),
        (Lang::Ind, "id"),
        (Lang::Kor, "ko"),
        (Lang::Jpn, "ja"),
    ];
    TAGS.iter()
        .find(|(known, _)| *known == lang)
        .map_or("und", |(_, tag)| tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_and_telltales_name_the_language() {
        for (text, expected) in [
            ("ok", "en"),
            ("We ship on Friday", "en"),
            ("Wir haben uns für die neue Lösung entschieden", "de"),
            ("Vamos con el nuevo plan para la web", "es"),
            ("Nous avons choisi le nouveau plan", "fr"),
            ("我们决定用新方案", "zh"),
            ("明日リリースします", "ja"),
            ("내일 배포합니다", "ko"),
            ("Мы решили использовать новую систему для всех", "ru"),
            ("👍", "und"),
        ] {
            assert_eq!(language(text), expected, "{text}");
        }
    }
}
