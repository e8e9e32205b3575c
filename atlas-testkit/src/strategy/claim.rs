//! Claims.

use atlas_core::model::{
    ActionItem, ActionStatus, Claim, FactKind, GlossaryTerm, Importance, Mention, Modality,
    Polarity, Quantity, Sentiment, Slot, Span, UnitScore,
};
use proptest::prelude::*;
use proptest::sample::select;

use super::{
    arb_entity_type, arb_fact_id, arb_language, arb_link, arb_name, arb_text, arb_timestamp, maybe,
    some_of,
};

/// A kind of fact.
pub fn arb_fact_kind() -> impl Strategy<Value = FactKind> {
    use FactKind::{ActionItem, Decision, Observation, Opinion, Question};
    select(vec![Decision, Opinion, Observation, ActionItem, Question])
}

/// A score: the edges, or anywhere between.
pub fn arb_unit_score() -> impl Strategy<Value = UnitScore> {
    prop_oneof![
        1 => Just(UnitScore::ZERO),
        1 => Just(UnitScore::ONE),
        6 => (0.0_f32..=1.0).prop_map(UnitScore::clamped),
    ]
}

/// A place in a text, which begins before it ends.
pub fn arb_span() -> impl Strategy<Value = Span> {
    (0..1_000_usize, 1..1_000_usize).prop_map(|(start, length)| Span {
        start,
        end: start + length,
    })
}

pub(super) fn arb_polarity() -> impl Strategy<Value = Polarity> {
    select(vec![Polarity::Positive, Polarity::Negative])
}

/// What a statement is about.
pub fn arb_slot() -> impl Strategy<Value = Slot> {
    use Modality::{Asked, Asserted, Planned, Possible};
    let modality = select(vec![Asserted, Planned, Possible, Asked]);
    (arb_name(), arb_name(), arb_text(), arb_polarity(), modality).prop_map(
        |(subject, family, value, polarity, modality)| Slot {
            subject,
            family,
            value,
            polarity,
            modality,
        },
    )
}

fn arb_action() -> impl Strategy<Value = ActionItem> {
    use ActionStatus::{Blocked, Done, Dropped, InProgress, Open};
    let status = select(vec![Open, InProgress, Blocked, Done, Dropped]);
    (maybe(arb_name()), maybe(arb_timestamp()), status)
        .prop_map(|(owner, due, status)| ActionItem { owner, due, status })
}

fn arb_importance() -> impl Strategy<Value = Importance> {
    use Importance::{Critical, High, Low, Medium};
    select(vec![Low, Medium, High, Critical])
}

fn arb_sentiment() -> impl Strategy<Value = Sentiment> {
    select(vec![
        Sentiment::Positive,
        Sentiment::Neutral,
        Sentiment::Concerned,
    ])
}

fn arb_mention() -> impl Strategy<Value = Mention> {
    (arb_name(), arb_entity_type()).prop_map(|(name, kind)| Mention { name, kind })
}

fn arb_quantity() -> impl Strategy<Value = Quantity> {
    (arb_name(), arb_text()).prop_map(|(number, unit)| Quantity { number, unit })
}

fn arb_term() -> impl Strategy<Value = GlossaryTerm> {
    (arb_name(), arb_text()).prop_map(|(term, definition)| GlossaryTerm { term, definition })
}

/// A claim in which every field may say something.
///
/// Its quote does not stand in any message: a test that needs a grounded claim makes one.
pub fn arb_claim() -> impl Strategy<Value = Claim> {
    let says = (
        arb_text(),
        arb_span(),
        arb_text(),
        arb_fact_kind(),
        maybe(arb_slot()),
        maybe(arb_action()),
        arb_importance(),
        arb_unit_score(),
    );
    let about = (
        some_of(arb_name()),
        some_of(arb_name()),
        some_of(arb_mention()),
        arb_language(),
        arb_timestamp(),
        maybe(arb_timestamp()),
    );
    let reasons = (
        maybe(arb_text()),
        some_of(arb_text()),
        some_of(arb_text()),
        some_of(arb_quantity()),
        maybe(arb_sentiment()),
        some_of(arb_term()),
        some_of(arb_link()),
        maybe(arb_fact_id()),
    );
    (says, about, reasons).prop_map(|(says, about, reasons)| {
        let (text, span, quote, kind, slot, action, importance, quality) = says;
        let (topic_tags, action_tags, mentions, language, occurred_at, valid_until) = about;
        let (rationale, alternatives, consequences, numbers, sentiment, glossary, links, answers) =
            reasons;
        Claim {
            text,
            span,
            quote,
            kind,
            slot,
            action,
            importance,
            quality,
            topic_tags,
            action_tags,
            mentions,
            language,
            occurred_at,
            valid_until,
            rationale,
            alternatives,
            consequences,
            numbers,
            sentiment,
            glossary,
            links,
            answers,
        }
    })
}
