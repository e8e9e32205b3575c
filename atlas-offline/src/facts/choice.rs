//! What is used, chosen, dropped or gone back to.

use atlas_core::llm::ProposedSlot;
use atlas_core::model::Polarity;

use super::clause::Clause;
use super::slot::modality;
use super::subject::subject;
use crate::text::cue::{Cue, group};

/// Who chooses where nothing is said of what for.
pub(super) const WE: &str = "we";

static CHOOSES: Cue = Cue::new(
    r"(?ix)(?:\b(?P<who>[\p{L}\p{N}][\p{L}\p{N}.+-]*(?:\s[\p{L}\p{N}.+-]+){0,2}?)\s+(?:now\s+|currently\s+|mostly\s+|still\s+|also\s+)?)?
    \b(?:decided\s+(?:on|to\s+(?:use|go\s+with|adopt|pick|keep|choose|switch\s+to|move\s+to|migrate\s+to|stay\s+(?:on|with)|stick\s+with))
      |agreed\s+(?:on|to\s+(?:use|go\s+with|adopt))|settled\s+on|choose|chose|chosen|picked|pick
      |go(?:ing)?\s+with|went\s+with|opted\s+for|switch(?:ed|ing|es)?\s+(?:back\s+)?to|mov(?:ed|ing|es|e)\s+(?:over\s+|back\s+)?to
      |migrat(?:ed|ing|e)\s+(?:back\s+)?to|(?:go(?:es|ing)?|went|roll(?:s|ing|ed)?|revert(?:s|ing|ed)?)\s+back\s+to|back\s+to
      |use|using|uses|used|adopt(?:ed|ing)?|stick(?:ing)?\s+(?:with|to)|stay(?:ing)?\s+with|standardi[sz](?:e|ed|ing)\s+on)
    \s+(?P<value>(?:the\s+|an?\s+)?[\p{L}\p{N}][\p{L}\p{N}.+\#/'-]*(?:\s[\p{L}\p{N}][\p{L}\p{N}.+\#/'-]*){0,3}?)
    (?:\s+(?:for|as|in)\s+(?P<purpose>(?:the\s+|our\s+|an?\s+)?[\p{L}\p{N}][\p{L}\p{N}.+-]*(?:\s[\p{L}\p{N}.+-]+){0,2}?))?
    (?:\s+(?:instead|rather|because|since|so|over|and|but|from|on|by|at|until|when|if|to|with|starting|due|next|this|now|again|after|before|which|that|today|tomorrow|not|it's|as|in|for|too|then|until)\b|[,.;:!?()]|$|\s[-–—]\s)",
);
static TRANSFERS: Cue = Cue::new(
    r"(?ix)\b(?:mov|migrat|port|shift|switch|bring|put)(?:e|es|ed|ing)?\s+
    (?P<who>(?:the\s+|our\s+|all\s+)?[\p{L}\p{N}][\p{L}\p{N}.+-]*(?:\s[\p{L}\p{N}.+-]+){0,2}?)
    \s+(?:over\s+|back\s+)?(?:to|onto)
    \s+(?P<value>(?:the\s+|an?\s+)?[\p{L}\p{N}][\p{L}\p{N}.+\#/'-]*(?:\s[\p{L}\p{N}][\p{L}\p{N}.+\#/'-]*){0,2}?)
    (?:\s+(?:instead|because|since|so|and|but|from|on|by|at|until|when|if|with|starting|due|next|this|again|after|before|which|that|in|for|too|then)\b|[,.;:!?()]|$|\s[-–—]\s)",
);
static DROPS: Cue = Cue::new(
    r"(?ix)\b(?:(?:no\s+longer|not|don't|do\s+not|won't|will\s+not|stop(?:ped|ping)?|never)\s+(?:use|using|uses|going\s+with|going\s+to\s+use|go\s+with|adopt(?:ing)?|need|needed)
      |drop(?:ped|ping)?|scrap(?:ped|ping)?|ditch(?:ed|ing)?|abandon(?:ed|ing)?|get(?:ting)?\s+rid\s+of|got\s+rid\s+of|decided\s+against|mov(?:ed|ing|e)\s+(?:away\s+from|off)|cancel(?:l?ed|l?ing)?)
    \s+(?P<value>(?:the\s+|an?\s+)?[\p{L}\p{N}][\p{L}\p{N}.+\#/'-]*(?:\s[\p{L}\p{N}][\p{L}\p{N}.+\#/'-]*){0,3}?)
    (?:\s+(?:for|as)\s+(?P<purpose>(?:the\s+|our\s+)?[\p{L}\p{N}][\p{L}\p{N}.+-]*(?:\s[\p{L}\p{N}.+-]+){0,2}?))?
    (?:\s+(?:because|since|so|and|but|from|on|by|at|until|when|if|to|with|any|anymore|we|for|now|in)\b|[,.;:!?()]|$|\s[-–—]\s)",
);
static CHINESE: Cue = Cue::new(
    r"(?:(?P<purpose>[\p{Han}]{2,8}?))?(?P<not>不再|不)?(?:决定)?(?:(?:使用|采用|改用|换成|选用)(?P<value>[A-Za-z][A-Za-z0-9.+#-]*|[\p{Han}]{2,8})|用(?P<latin>[A-Za-z][A-Za-z0-9.+#-]*))(?:[做作当](?P<as>[\p{Han}]{2,8}))?",
);
/// Letters that tell that the words before a verb are no purpose.
const NO_PURPOSE: &str = "我们你他她先也就还都再会要可以目前暂时决定统一引适";
static GERMAN: Cue = Cue::new(
    r"(?i)\b(?:für|nehmen|nutzen|verwenden|wechseln (?:wieder )?zu|bleiben bei)\s+(?P<value>[\p{L}\p{N}][\p{L}\p{N}.+#-]*)(?:\s+für\s+(?P<purpose>(?:die |den |das )?[\p{L}\p{N}-]+))?(?:\s+entschieden\b|\s+(?:statt|weil|und|als)\b|[,.;!?]|$)",
);
static SPANISH: Cue = Cue::new(
    r"(?i)\b(?:(?:decidimos|acordamos|vamos a) usar|usaremos|usamos|elegimos|nous utilisons|(?:avons|a) (?:décidé d'utiliser|choisi)|on part sur)\s+(?P<value>[\p{L}\p{N}][\p{L}\p{N}.+#-]*)(?:\s+(?:para|pour)\s+(?P<purpose>(?:la |el |le |les )?[\p{L}\p{N}-]+))?",
);
static INDIVIDUAL: Cue = Cue::new(
    r"(?i)\bused to\b|\b(?:use|using) (?:it|this|that|them|the same|your|my|his|her)\b|\bpick(?:ed)? up\b|\bback to (?:you|me|work|back|normal|sleep|school|home|the (?:office|topic|point|question))\b|\bgo with (?:you|me|us|them)\b",
);

/// The slot of a choice.
///
/// Its subject is what the thing is chosen for, else who uses it; a choice that was dropped is
/// the same slot with the other polarity.
pub(super) fn slot(clause: &Clause<'_>) -> Option<ProposedSlot> {
    let text = clause.plain.as_str();
    if INDIVIDUAL.is_in(text) {
        return None;
    }
    let dropped = DROPS.captures(text);
    let kept = match dropped.as_ref().and_then(|it| it.get(0)) {
        // `scrap Y, we use X`: what is kept stands after what is dropped.
        Some(it) => CHOOSES.captures(text.get(it.end()..).unwrap_or_default()),
        None => CHOOSES.captures(text),
    };
    if dropped.is_none()
        && let Some(moved) = TRANSFERS.captures(text)
        && let Some(subject_of) = subject(group(&moved, "who"))
    {
        return Some(ProposedSlot {
            subject: subject_of,
            family: "uses".to_owned(),
            value: subject(group(&moved, "value"))?,
            polarity: Polarity::Positive,
            modality: modality(text),
        });
    }
    let (captures, polarity) = match (kept, dropped) {
        (Some(kept), _) => (kept, Polarity::Positive),
        (None, Some(dropped)) => (dropped, Polarity::Negative),
        (None, None) => return abroad(clause).or_else(|| chinese(clause)),
    };
    let value = subject(group(&captures, "value"))?;
    let purpose = subject(group(&captures, "purpose"));
    let who = captures.name("who").and_then(|it| {
        let words: Vec<&str> = it.as_str().split_whitespace().collect();
        let last = words.last()?.to_lowercase();
        let is_grammar = crate::text::stem::is_stop_word(&last)
            || matches!(
                last.as_str(),
                "we've" | "we're" | "we'll" | "i'm" | "decided" | "team" | "let's"
            );
        (!is_grammar).then(|| subject(it.as_str())).flatten()
    });
    Some(ProposedSlot {
        subject: purpose.or(who).unwrap_or_else(|| WE.to_owned()),
        family: "uses".to_owned(),
        value,
        polarity,
        modality: modality(text),
    })
}

fn abroad(clause: &Clause<'_>) -> Option<ProposedSlot> {
    let text = clause.plain.as_str();
    let is_german = text.to_lowercase().contains("wir ");
    let captures = GERMAN
        .captures(text)
        .filter(|_| is_german)
        .or_else(|| SPANISH.captures(text))?;
    Some(ProposedSlot {
        subject: subject(group(&captures, "purpose")).unwrap_or_else(|| WE.to_owned()),
        family: "uses".to_owned(),
        value: subject(group(&captures, "value"))?,
        polarity: super::slot::polarity(text),
        modality: modality(text),
    })
}

fn chinese(clause: &Clause<'_>) -> Option<ProposedSlot> {
    let captures = CHINESE.captures(&clause.plain)?;
    let is_purpose =
        |it: &&str| it.chars().count() >= 2 && !it.chars().any(|c| NO_PURPOSE.contains(c));
    let purpose = [group(&captures, "as"), group(&captures, "purpose")]
        .into_iter()
        .find(is_purpose);
    let value = [group(&captures, "value"), group(&captures, "latin")].concat();
    Some(ProposedSlot {
        subject: purpose.unwrap_or(WE).to_owned(),
        family: "uses".to_owned(),
        value: value.to_lowercase(),
        polarity: if captures.name("not").is_some() {
            Polarity::Negative
        } else {
            Polarity::Positive
        },
        modality: modality(&clause.plain),
    })
}

static ALTERNATIVE: Cue = Cue::new(
    r"(?i)\b(?:instead of|rather than|over|considered|compared (?:with|to|against)|versus|vs\.?|as opposed to|scrap(?:ped)?|drop(?:ped)?|ditch(?:ed)?|statt|en lugar de|au lieu de)\s+(?P<it>(?:the |an? )?[\p{L}\p{N}][\p{L}\p{N}.+#/-]*(?-i: [\p{Lu}\p{N}][\p{L}\p{N}.+#/-]*){0,2})",
);
static CHINESE_ALTERNATIVE: Cue =
    Cue::new(r"(?:不再用|不用|而不是|代替|替换)(?P<it>[A-Za-z][\w.+#-]*|[\p{Han}]{2,6})");

/// What else was considered, in the words of the sentence.
pub(super) fn alternatives(quote: &str) -> Vec<String> {
    let mut found: Vec<String> = [&ALTERNATIVE, &CHINESE_ALTERNATIVE]
        .into_iter()
        .filter_map(|cue| cue.all(quote))
        .flatten()
        .map(|captures| {
            group(&captures, "it")
                .trim_end_matches(['.', '-', '/'])
                .to_owned()
        })
        .filter(|it| {
            let folded = atlas_core::text::fold(it);
            !crate::text::stem::is_stop_word(&folded)
                && it.chars().count() > 1
                && subject(it).is_some()
        })
        .collect();
    found.dedup();
    found
}
