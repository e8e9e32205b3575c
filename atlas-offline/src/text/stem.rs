//! Words to the stems by which texts are compared.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

use atlas_core::grounding::is_dense_script;
use atlas_core::text::fold;
use rust_stemmers::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

/// Words of English grammar, folded.
const ENGLISH_GRAMMAR: &str = "a about above after again against ago ah all almost along already also although always am \
    among an and another any anybody anymore anyone anything anyway are aren't around as at away \
    back be became because become been before behind being below between both but by came can \
    can't cannot come comes coming could couldn't did didn't do does doesn't doing don't done \
    down during each either else enough etc even ever every everybody everyone everything few \
    for from further get gets getting go goes going gonna got gotta had hadn't has hasn't have \
    haven't having he he's her here here's hers herself hey hi him himself his how however i i'd \
    i'll i'm i've if in instead into is isn't it it's its itself just keep kind know knows last \
    least less let let's like lot lots made make makes making many may maybe me might mine more \
    most much must my myself near need needs neither never next no nobody none nor not nothing \
    now of off often oh ok okay on once one ones only onto or other others our ours ourselves \
    out over own per perhaps please pretty probably put quite rather re really right said same \
    say saying says see seems shall she she's should shouldn't since so some somebody someone \
    something sometimes soon still such sure take than thank thanks that that's the their theirs \
    them themselves then there there's therefore these they they'd they'll they're they've thing \
    things think this those though through thus till to today tomorrow too took toward under \
    unless until up upon us very via want wants was wasn't way we we'd we'll we're we've well \
    were weren't what what's whatever when whenever where whether which while who who's whoever \
    whole whom whose why will with within without won't would wouldn't yeah yep yes yesterday \
    yet you you'd you'll you're you've your yours yourself";

/// Words of German grammar, folded, without those that are English words of matter.
const GERMAN_GRAMMAR: &str = "aber alle als am auch auf aus bei bin bis bist da damit das dass dein dem den der des die \
    dies diese dieser dieses doch dort du durch ein eine einem einen einer eines er es euch fur \
    habe haben hat hatte ich ihm ihn ihr im ins ist ja jede jeder jetzt kann kein keine konnen \
    mal mehr mein mich mir mit muss nach nicht noch nur ob oder ohne schon sehr sein seit sich \
    sie sind soll sollen sollte uber um und uns unser unter vom von vor waren warum was weil \
    wenn wer werden wie wieder wir wird wo wurde zu zum zur";

/// Words of Spanish grammar, folded.
const SPANISH_GRAMMAR: &str = "al algo ante como con contra cual cuando cuanto de del desde donde el ella ellos en entre \
    era es esa ese eso esta estaba estamos estan estar este esto estoy fue ha hace hacer han \
    hasta hay la las le les lo los mas mi muy nos nosotros nuestra nuestro o para pero por \
    porque que quien se ser si sobre somos su sus tambien te tenemos tiene todo todos tu un una \
    uno unos va vamos y ya yo";

/// Words of French grammar, folded.
const FRENCH_GRAMMAR: &str = "au aux avec avons c'est ce ces cette d'un dans des donc du elle elles est et etait ete etre \
    eu il ils j'ai je la le les leur lui ma mais meme mes moi mon n'est ne nos notre nous on ou \
    par pas plus pour qu que qui sa sans ses sont sur ta tes toi tous tout tres un une vos votre \
    vous";

static STOP_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    [
        ENGLISH_GRAMMAR,
        GERMAN_GRAMMAR,
        SPANISH_GRAMMAR,
        FRENCH_GRAMMAR,
    ]
    .into_iter()
    .flat_map(str::split_whitespace)
    .collect()
});

/// Letters of Chinese grammar.
const GRAMMAR_CHINESE: &str =
    "的了是在和与也就都而及或但把被对从到这那个们吗呢吧啊我你他她它们有会要先再还很";

static ENGLISH: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// Past forms that no rule leads back to their stem.
const IRREGULAR: [(&str, &str); 28] = [
    ("sent", "send"),
    ("wrote", "write"),
    ("written", "write"),
    ("built", "build"),
    ("made", "make"),
    ("took", "take"),
    ("taken", "take"),
    ("gave", "give"),
    ("given", "give"),
    ("found", "find"),
    ("began", "begin"),
    ("begun", "begin"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("went", "go"),
    ("gone", "go"),
    ("bought", "buy"),
    ("brought", "bring"),
    ("held", "hold"),
    ("kept", "keep"),
    ("left", "leave"),
    ("led", "lead"),
    ("met", "meet"),
    ("paid", "pay"),
    ("ran", "run"),
    ("said", "say"),
    ("spoke", "speak"),
    ("children", "child"),
];

/// Whether a folded word carries grammar rather than matter.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(word)
}

/// The stem of a folded word.
pub(crate) fn stem(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word);
    if let Some((_, base)) = IRREGULAR.iter().find(|(form, _)| *form == word) {
        return (*base).to_owned();
    }
    if word.is_ascii() && !word.bytes().any(|b| b.is_ascii_digit()) {
        ENGLISH.stem(word).into_owned()
    } else {
        word.to_owned()
    }
}

/// The folded words of a text with numbers and names kept whole: `v2.3`, `node.js`, `don't`.
pub(crate) fn folded_words(text: &str) -> Vec<String> {
    fold(text)
        .replace('’', "'")
        .unicode_words()
        .map(str::to_owned)
        .collect()
}

/// The stems of the words that carry matter, in order, with repetitions. Scripts without spaces
/// give pairs of letters.
pub(crate) fn content_stems(text: &str) -> Vec<String> {
    let mut stems = Vec::new();
    let mut dense: Vec<char> = Vec::new();
    for word in folded_words(text) {
        if word.chars().any(is_dense_script) {
            dense.extend(word.chars());
            continue;
        }
        flush(&mut dense, &mut stems);
        if !is_stop_word(&word) && !is_contraction(&word) {
            stems.push(stem(&word));
        }
    }
    flush(&mut dense, &mut stems);
    stems
}

/// Whether a word is grammar joined to grammar, such as `we'll`.
fn is_contraction(word: &str) -> bool {
    word.split_once('\'').is_some_and(|(first, rest)| {
        rest != "s"
            && (is_stop_word(first) || rest == "t" || rest == "ll" || rest == "re" || rest == "ve")
    }) || matches!(
        word,
        "let's" | "it's" | "that's" | "what's" | "here's" | "there's" | "who's"
    )
}

fn flush(dense: &mut Vec<char>, stems: &mut Vec<String>) {
    match dense.as_slice() {
        [] => {}
        [one] if GRAMMAR_CHINESE.contains(*one) => {}
        [one] => stems.push(one.to_string()),
        many => stems.extend(
            many.windows(2)
                .filter(|pair| !pair.iter().all(|c| GRAMMAR_CHINESE.contains(*c)))
                .map(|pair| pair.iter().collect::<String>()),
        ),
    }
    dense.clear();
}

/// The stems of a text, each once.
pub(crate) fn stem_set(text: &str) -> BTreeSet<String> {
    content_stems(text).into_iter().collect()
}

/// In how many of the sets each stem stands.
pub(crate) fn frequencies(sets: &[BTreeSet<String>]) -> BTreeMap<&str, usize> {
    let mut frequencies = BTreeMap::new();
    for stem in sets.iter().flatten() {
        *frequencies.entry(stem.as_str()).or_insert(0) += 1;
    }
    frequencies
}

/// The share of what both have in what either has; nought for two empty sets.
pub(crate) fn overlap(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f32 {
    let both = a.intersection(b).count();
    let either = a.len() + b.len() - both;
    ratio(both, either)
}

/// A share as a number; nought of nought.
pub(crate) fn ratio(part: usize, whole: usize) -> f32 {
    if whole == 0 {
        return 0.0;
    }
    let small = |n: usize| f32::from(u16::try_from(n).unwrap_or(u16::MAX));
    small(part) / small(whole)
}

/// The word as people write it for one thing: `migrations` to `migration`.
pub(crate) fn singular(word: &str) -> String {
    let n = word.chars().count();
    if n < 4 || !word.is_ascii() || crate::names::known::known(word).is_some() {
        return word.to_owned();
    }
    if let Some(start) = word.strip_suffix("ies").filter(|_| n > 4) {
        return format!("{start}y");
    }
    for ending in ["sses", "shes", "ches", "xes"] {
        if word.ends_with(ending) {
            return word.strip_suffix("es").unwrap_or(word).to_owned();
        }
    }
    let keeps = ["ss", "us", "is", "js", "ics", "news", "ops", "as", "'s"];
    if word.ends_with('s') && !keeps.iter().any(|ending| word.ends_with(ending)) {
        return word.strip_suffix('s').unwrap_or(word).to_owned();
    }
    word.strip_suffix("'s").unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matter_is_kept_and_forms_meet() {
        assert_eq!(
            content_stems("We'll be sending the decks"),
            ["send", "deck"]
        );
        assert_eq!(content_stems("She sent a deck"), ["send", "deck"]);
        assert_eq!(content_stems("汇率换算"), ["汇率", "率换", "换算"]);
        assert_eq!(singular("policies"), "policy");
        assert_eq!(singular("status"), "status");
    }
}
