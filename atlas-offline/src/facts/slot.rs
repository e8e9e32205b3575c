//! What a sentence is about.

use atlas_core::llm::ProposedSlot;
use atlas_core::model::{Modality, Polarity};

use super::clause::{Clause, Scene};
use super::{amount, choice, date, person, state};
use crate::text::cue::Cue;

static UNSURE: Cue = Cue::new(
    r"(?i)\b(?:maybe|might|perhaps|possibly|probably|could|may be|i guess|not sure|thinking (?:of|about)|considering|what if|would|wish|ideally|should|proposal|propose|suggest|tentative(?:ly)?|vielleicht|könnte|quizás?|tal vez|peut-être)\b|可能|也许|或许|考虑",
);
static TO_COME: Cue = Cue::new(
    r"(?i)\b(?:will|'ll|going to|gonna|plan(?:s|ned|ning)? to|scheduled|due|intend|aim(?:ing)? to|wird|werden|voy a|vamos a|va a|allons)\b|将|会|计划|预计",
);
static NOT: Cue = Cue::new(
    r"(?i)\b(?:not|no longer|never|isn't|aren't|don't|doesn't|didn't|won't|can't|cannot|haven't|hasn't|nicht|kein|keine|nie|no|ya no|nunca|jamais|pas)\b|不|没",
);
static REPORTED: Cue = Cue::new(
    r"^@?\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)? (?:told (?:me|us|\p{Lu}\p{L}+)|said|says|mentioned|claims|claimed|thinks|thought|reported)\b",
);

/// What the sentence is about; none where that is not clear.
pub(super) fn slot(clause: &Clause<'_>, scene: Scene<'_>) -> Option<ProposedSlot> {
    // What somebody is said to have said is not what is so.
    if is_reported(&clause.plain) {
        return None;
    }
    date::slot(clause, scene)
        .or_else(|| person::slot(clause, scene))
        .or_else(|| choice::slot(clause))
        .or_else(|| amount::slot(clause))
        .or_else(|| state::slot(clause))
        .map(|mut slot| {
            if clause.is_question {
                slot.modality = Modality::Asked;
            }
            slot
        })
}

/// Whether the sentence tells what somebody else said.
pub(super) fn is_reported(plain: &str) -> bool {
    REPORTED.is_in(plain)
}

/// How surely the sentence says what it says.
pub(super) fn modality(plain: &str) -> Modality {
    if UNSURE.is_in(plain) {
        Modality::Possible
    } else if TO_COME.is_in(plain) {
        Modality::Planned
    } else {
        Modality::Asserted
    }
}

/// Whether the words say no.
pub(super) fn polarity(words: &str) -> Polarity {
    if NOT.is_in(words) {
        Polarity::Negative
    } else {
        Polarity::Positive
    }
}
