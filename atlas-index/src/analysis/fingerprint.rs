//! What tells this analysis of texts from others.

use std::sync::LazyLock;

use atlas_core::model::{ContentHash, Language};

/// Texts that touch every rule: scripts, accents, stems, compounds, signs, emoji, tables of
/// Unicode.
const SAMPLES: [(&str, &str); 22] = [
    (
        "en",
        "The deployments were running quickly; don't re-deploy C++ or GitHub's snake_case at 3 GB/s!",
    ),
    (
        "de",
        "Die Häuser wurden größer, Straßenbahnen fuhren häufiger",
    ),
    (
        "fr",
        "Les décisions étaient prises rapidement, l'équipe continuait",
    ),
    ("es", "Las reuniones aplazadas continuarán mañana"),
    ("it", "Le riunioni rimandate continueranno domani"),
    ("pt", "As reuniões adiadas continuarão amanhã"),
    ("nl", "De vergaderingen werden uitgesteld tot maandag"),
    ("sv", "Mötena sköts upp till fredagen"),
    ("no", "Møtene ble utsatt til fredagen"),
    ("da", "Møderne blev udskudt til fredagen"),
    ("fi", "Kokoukset siirrettiin perjantaille"),
    ("hu", "A megbeszéléseket péntekre halasztották"),
    ("ro", "Întâlnirile au fost amânate până vineri"),
    ("tr", "Toplantılar cumaya ertelendi, İstanbul'da"),
    ("ru", "Релизы перенесли на пятницу, ёлки стояли"),
    ("el", "Οι συναντήσεις αναβλήθηκαν για την Παρασκευή"),
    ("ar", "تم تأجيل الاجتماعات إلى يوم الجمعة"),
    ("ta", "கூட்டங்கள் ஒத்திவைக்கப்பட்டன"),
    (
        "und",
        "请检查汇率换算功能 会議は金曜日に延期 회의는 금요일로 เราจะประชุมกันพรุ่งนี้",
    ),
    (
        "und",
        "नई कीमत तय हुई שלום עולם cafe\u{301} ﬁne ① Ⅷ ｆｕｌｌ",
    ),
    (
        "und",
        "👩🏽‍💻 🎉 #channel @name $VAR 1,000.5 a/b https://example.org/?q=1",
    ),
    (
        "und",
        "The language of this sentence is to be guessed from its letters alone",
    ),
];

/// A hash of what the analysis makes of samples: another one means that words were cut otherwise.
pub(crate) fn fingerprint() -> &'static str {
    static FINGERPRINT: LazyLock<String> = LazyLock::new(|| {
        let mut parts = Vec::new();
        for (language, text) in SAMPLES {
            let language = super::resolve(&Language::new(language), text);
            for word in super::of_document(text, &language) {
                parts.push(word.terms().join("\n"));
            }
            parts.push(language);
        }
        ContentHash::of_parts(&parts).short()
    });
    &FINGERPRINT
}
