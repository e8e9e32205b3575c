//! Which language a document's words are taken to be in.

use atlas_core::model::Language;
use whatlang::Lang;

/// The tag of the language that the text is treated as: the document's own primary tag, a reliable
/// guess where the document does not know it, `und` where the guess is none.
pub(crate) fn resolve(language: &Language, text: &str) -> String {
    let tag = language.as_str();
    let primary = tag.split(['-', '_']).next().unwrap_or(tag);
    match primary {
        "" | "und" | "mul" | "zxx" => guess(text).unwrap_or("und").to_owned(),
        "nb" | "nn" => "no".to_owned(),
        known => known.to_owned(),
    }
}

/// The languages that have suffix rules here.
const KNOWN: [(Lang, &str); 18] = [
    (Lang::Ara, "ar"),
    (Lang::Dan, "da"),
    (Lang::Nld, "nl"),
    (Lang::Eng, "en"),
    (Lang::Fin, "fi"),
    (Lang::Fra, "fr"),
    (Lang::Deu, "de"),
    (Lang::Ell, "el"),
    (Lang::Hun, "hu"),
    (Lang::Ita, "it"),
    (Lang::Nob, "no"),
    (Lang::Por, "pt"),
    (Lang::Ron, "ro"),
    (Lang::Rus, "ru"),
    (Lang::Spa, "es"),
    (Lang::Swe, "sv"),
    (Lang::Tam, "ta"),
    (Lang::Tur, "tr"),
];

/// The language of a text by its letters, if it has suffix rules here and there is enough to go by.
fn guess(text: &str) -> Option<&'static str> {
    let info = whatlang::detect(text).filter(whatlang::Info::is_reliable)?;
    KNOWN
        .iter()
        .find(|(lang, _)| *lang == info.lang())
        .map(|(_, tag)| *tag)
}
