//! Questions, and what would answer them.

use super::clause::Clause;
use crate::text::cue::Cue;

static ASKS: Cue = Cue::new(
    r"(?i)^(?:(?:so|and|but|ok|okay|hey|hi|also|quick question|question)[,:]?\s+)*(?:who(?:'s|se)?|what(?:'s)?|when(?:'s)?|where(?:'s)?|why|how(?:'s)?|which|is there|are there|does any(?:one|body)|do any(?:one|body)|has any(?:one|body)|can any(?:one|body)|could any(?:one|body)|is any(?:one|body)|any(?:one|body) (?:know|knows|have|has|tried|using|else)|any idea|do we|should we|did we|are we|have we|can we|wer|wann|wo|warum|wie|welche[rs]?|quién|cuándo|dónde|cómo|cuál|por qué|qui|quand|où|comment|pourquoi|combien)\b",
);
static CHINESE: Cue = Cue::new(
    r"(?:吗|呢|什么时候|谁|哪里|哪个|哪些|为什么|怎么|怎样|多少|几点|是否|要不要|能不能|有没有)[^。！]{0,12}[？?]?$",
);
static STATEMENT: Cue = Cue::new(
    r"(?i)^(?:when(?:ever)? (?:we|you|i|it|the)\b.*,|how(?:ever)\b|what (?:a|an)\b|which means)",
);

/// Whether a sentence asks.
pub(super) fn is_question(plain: &str, words: &[String]) -> bool {
    let bare = plain.trim_end_matches(['"', ')', ' ', '!', '.']);
    if bare.ends_with('?') || bare.ends_with('？') {
        return true;
    }
    if STATEMENT.is_in(plain) {
        return false;
    }
    let is_dense = plain.chars().any(atlas_core::grounding::is_dense_script);
    if is_dense {
        return CHINESE.is_in(plain) && plain.chars().count() < 40;
    }
    // Without its mark a question must look like one and be no clause of a longer sentence.
    ASKS.is_in(plain)
        && words.len() >= 4
        && words.len() <= 25
        && !plain.contains(", ")
        && !plain.ends_with(':')
        && plain.ends_with(|c: char| c.is_alphanumeric())
        && words
            .iter()
            .skip(1)
            .take(3)
            .any(|word| AUXILIARY.contains(&word.as_str()))
}

const AUXILIARY: [&str; 27] = [
    "is", "are", "was", "were", "do", "does", "did", "can", "could", "should", "would", "will",
    "has", "have", "any", "anyone", "anybody", "we", "you", "knows", "know", "there", "ist",
    "sind", "es", "est", "much",
];

/// What kind of words answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Time,
    Person,
    Number,
    Place,
    Reason,
    YesOrNo,
    Anything,
}

static WHEN: Cue = Cue::new(
    r"(?i)\b(?:when|what time|what date|which day|what day|how soon|deadline|due|wann|cuándo|quand)\b|什么时候|几点|哪天|何时",
);
static WHO: Cue =
    Cue::new(r"(?i)\b(?:who|whom|whose|which (?:person|team)|wer|wem|quién|qui)\b|谁");
static HOW_MANY: Cue = Cue::new(
    r"(?i)\bhow (?:many|much|big|large|fast|old|high|tall|far)\b|\b(?:wie viele?|cuántos?|cuántas?|cuánto|combien)\b|多少|几个|\bwhat (?:is|was|are) the (?:\w+ )?(?:price|cost|budget|limit|size|number|percentage|rate|count|version|score|target)\b",
);
static WHERE: Cue = Cue::new(r"(?i)\b(?:where|wo|dónde|où)\b|哪里|在哪");
static WHY: Cue = Cue::new(
    r"(?i)\b(?:why|how come|what(?:'s| is| was) the reason|warum|por qué|pourquoi)\b|为什么",
);
static YES_NO: Cue = Cue::new(
    r"(?i)^(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had)\b|吗[？?]?$|是否|要不要",
);

/// What kind of words would answer the question.
pub(crate) fn wanted(question: &str) -> Wanted {
    if WHEN.is_in(question) {
        Wanted::Time
    } else if WHO.is_in(question) {
        Wanted::Person
    } else if HOW_MANY.is_in(question) {
        Wanted::Number
    } else if WHY.is_in(question) {
        Wanted::Reason
    } else if WHERE.is_in(question) {
        Wanted::Place
    } else if YES_NO.is_in(question) {
        Wanted::YesOrNo
    } else {
        Wanted::Anything
    }
}

static YES_OR_NO: Cue = Cue::new(
    r"(?i)^(?:yes|yep|yeah|yup|no|nope|not yet|correct|exactly|sure|definitely|ja|nein|sí|oui|non)\b|^(?:是|对|不|没|可以|可|有|好)",
);
static CHINESE_DOER: Cue = Cue::new(r"^\p{Han}{2,4}?(?:来|会|在)?(?:负责|处理|跟进|主导|做|写)");
static BECAUSE: Cue = Cue::new(
    r"(?i)\b(?:because|since|due to|so that|as a result|weil|porque|parce que)\b|因为|由于|为了",
);

/// Whether a sentence has the kind of words that are wanted.
pub(super) fn fits(clause: &Clause<'_>, wanted: Wanted) -> bool {
    use atlas_core::model::EntityType;
    match wanted {
        Wanted::Time => !clause.times.is_empty(),
        Wanted::Person => {
            clause
                .names
                .iter()
                .any(|it| matches!(it.kind, EntityType::Person | EntityType::Team))
                || clause.says(&["i", "i'll", "i'm", "me", "we"])
                || clause.plain.contains('我')
                || CHINESE_DOER.is_in(&clause.plain)
        }
        Wanted::Number => clause
            .words
            .iter()
            .any(|word| word.chars().any(|c| c.is_ascii_digit())),
        Wanted::Place => {
            clause.names.iter().any(|it| it.kind == EntityType::Place) || clause.says(&["in", "at"])
        }
        Wanted::Reason => BECAUSE.is_in(&clause.plain),
        Wanted::YesOrNo => YES_OR_NO.is_in(&clause.plain),
        Wanted::Anything => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::stem::folded_words;

    #[test]
    fn questions_are_told_by_mark_or_by_form() {
        for (text, expected) in [
            ("When is the launch?", true),
            ("does anyone know where the logs are", true),
            ("How it works", false),
            ("When we ship, we celebrate", false),
            ("我们什么时候上线？", true),
            ("谁负责这个模块", true),
            ("我们决定下周上线", false),
            ("Wann ist das Treffen?", true),
            ("The launch is on Friday.", false),
        ] {
            assert_eq!(is_question(text, &folded_words(text)), expected, "{text}");
        }
    }

    #[test]
    fn the_form_of_a_question_tells_what_is_wanted() {
        for (text, expected) in [
            ("When do we ship?", Wanted::Time),
            ("Who owns billing?", Wanted::Person),
            ("How many users are there?", Wanted::Number),
            ("Why did it fail?", Wanted::Reason),
            ("Where is the office?", Wanted::Place),
            ("Do we ship?", Wanted::YesOrNo),
            ("谁负责？", Wanted::Person),
            ("What is the plan?", Wanted::Anything),
        ] {
            assert_eq!(wanted(text), expected, "{text}");
        }
    }
}
