//! How well a statement is said.

use atlas_core::model::FactKind;

use super::clause::Clause;
use crate::text::cue::Cue;

static POINTS_AWAY: Cue = Cue::new(
    r"(?i)^(?:(?:and|but|so|ok|yes|no|yeah|then|also|maybe|because)[,]? )*(?:it|this|that|these|those|they|he|she|them|one|both|es|er|sie|esto|eso|ça)(?:'s|'re|'ll|'d)?\b|^[这那它他她]",
);
static HEDGES: Cue = Cue::new(
    r"(?i)\b(?:maybe|perhaps|i guess|not sure|no idea|kinda|sort of|kind of|somehow|whatever|idk|dunno)\b|也许|不确定|不知道",
);
static VERB: Cue = Cue::new(
    r"(?i)\b(?:is|are|was|were|am|be|been|has|have|had|do|does|did|will|would|can|could|should|must|may|might|need|needs|'s|'re|'ll|'ve|'m|went|got|set|put|cut|hit|let|cost|costs|made|took|came|saw|gave|said|told|knew|thought|found|left|felt|kept|held|began|wrote|ran|met|paid|sold|spent|built|bought|brought|caught|chose|lost|sent|won|work|works|use|uses|want|wants|think|love|loves|like|likes|hate|hates|know|knows|get|gets|go|goes|run|runs|make|makes|take|takes|see|look|looks|mean|means|help|helps|own|owns|live|lives|lead|leads|start|starts|ship|ships|launch|launches|\p{L}{3,}(?:ed|ing))\b|(?:n't|'s|'re|'ll|'ve|'m)\b",
);

/// What the quality of a statement is judged by, besides its words.
#[derive(Clone, Copy)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one thing that holds or not, in any combination"
)]
pub(super) struct Traits {
    pub(super) kind: FactKind,
    pub(super) has_slot: bool,
    pub(super) has_number: bool,
    pub(super) has_owner_or_due: bool,
    pub(super) is_weak: bool,
    pub(super) language_has_cues: bool,
    pub(super) answers: bool,
    /// Whether it asks for a time, a person, a number, a place or a reason.
    pub(super) wants_something: bool,
    pub(super) wants_yes_or_no: bool,
}

/// A score from nought to one: how complete the statement is, how specific, and whether it can be
/// understood alone.
pub(super) fn quality(clause: &Clause<'_>, traits: Traits) -> f32 {
    let n_matter = clause.stems.len();
    let is_dense = clause
        .plain
        .chars()
        .any(atlas_core::grounding::is_dense_script);
    let n_matter = if is_dense { n_matter / 2 + 1 } else { n_matter };
    let base: f32 = match traits.kind {
        FactKind::Decision => 0.55,
        FactKind::ActionItem if traits.is_weak => 0.36,
        FactKind::ActionItem => 0.46,
        FactKind::Opinion => 0.4,
        FactKind::Question => 0.42,
        FactKind::Observation => 0.28,
    };
    let is_specific = !clause.times.is_empty() || traits.has_number;
    let mut score = base;
    score += match n_matter {
        0 => -0.3,
        1 => -0.1,
        2 => 0.04,
        3 => 0.1,
        4 => 0.14,
        5 => 0.18,
        _ => 0.22,
    };
    let is_statement = traits.kind != FactKind::Question;
    let speaks_of_self =
        clause.says(&["i", "i'm", "i've", "i'll", "my"]) || clause.plain.contains('我');
    for (holds, bonus) in [
        (traits.has_slot && is_statement, 0.2),
        (traits.wants_something && n_matter > 0, 0.19),
        (traits.wants_yes_or_no && n_matter > 1, 0.06),
        (is_specific, 0.09),
        (!clause.names.is_empty(), 0.09),
        (traits.has_owner_or_due, 0.08),
        (traits.answers, 0.12),
        (speaks_of_self && is_statement, 0.06),
    ] {
        if holds {
            score += bonus;
        }
    }
    let speaks_to_somebody = clause.says(&["you", "your", "you're", "you've"])
        && matches!(traits.kind, FactKind::Observation | FactKind::Opinion);
    let has_verb = is_dense || traits.language_has_cues || VERB.is_in(&clause.plain);
    let cannot_stand_alone =
        POINTS_AWAY.is_in(&clause.plain) && !traits.has_slot && !traits.answers;
    for (holds, malus) in [
        (!has_verb && !traits.has_slot, 0.2),
        (cannot_stand_alone, 0.2),
        (speaks_to_somebody && !traits.has_slot, 0.12),
        (HEDGES.is_in(&clause.plain), 0.08),
        (clause.words.len() > 70, 0.1),
        (
            clause.plain.ends_with(':') || clause.plain.ends_with('：'),
            0.2,
        ),
    ] {
        if holds {
            score -= malus;
        }
    }
    score.clamp(0.0, 1.0)
}
