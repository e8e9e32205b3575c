//! Numbers: with their units, and what they are the numbers of.

use atlas_core::llm::ProposedSlot;
use atlas_core::model::{Polarity, Quantity};

use super::clause::Clause;
use super::slot::modality;
use super::subject::subject;
use crate::text::cue::{Cue, group};

static NUMBER: Cue = Cue::new(
    r"(?P<before>[$€£¥₹]\s?)?(?P<number>\d+(?:[.,]\d+)*)(?P<unit>\s?(?:%|‰|°C|°F|€|£|元|(?i:percent|k|m|bn|million|billion|thousand|万|亿|usd|eur|gbp|dollars?|euros?|cents?|ms|milliseconds?|s|sec|seconds?|min|minutes?|h|hours?|hrs?|days?|weeks?|months?|years?|kb|mb|gb|tb|pb|kg|g|km|m|cm|mm|miles?|px|fps|rps|qps|tokens?|users?|customers?|people|requests?|rows?|files?|tickets?|bugs?|tests?|messages?|points?|seats?|nodes?|servers?|pages?|items?|entries|times|x)\b|个|条|人|天|小时|分钟|秒|倍|次|页))?",
);
static IS: Cue = Cue::new(
    r"(?i)(?:^|[,;:.!—–-] |\b(?:and|but|that|so|because) )(?P<np>[\p{L}\p{N}@][\p{L}\p{N}'/ .@_+-]{0,50}?)(?:\s*[=≈≤≥:]|\s(?:is|are|was|costs?|takes|equals|will be|stays at|remains|remains at|went up to|went down to|grew to|dropped to|rose to|fell to|increased to|decreased to|reduced to|set to|is set to|is now|are now|is at|at|has|have|to)) ?(?:now |about |around |approximately |roughly |only |at |just |up to |exactly |~|≈|[$€£¥₹])*$",
);

/// The numbers of a sentence, without those of times and names.
pub(super) fn numbers(clause: &Clause<'_>) -> Vec<Quantity> {
    found(clause)
        .into_iter()
        .map(|(quantity, _)| quantity)
        .collect()
}

fn found(clause: &Clause<'_>) -> Vec<(Quantity, usize)> {
    let text = clause.plain.as_str();
    let mut quantities = Vec::new();
    for captures in NUMBER.all(text).into_iter().flatten() {
        let (Some(whole), Some(number)) = (captures.get(0), captures.name("number")) else {
            continue;
        };
        let is_time = clause
            .times
            .iter()
            .any(|it| whole.start() < it.span.end && it.span.start < whole.end());
        let before = text
            .get(..whole.start())
            .and_then(|it| it.chars().next_back());
        let after = text.get(whole.end()..).and_then(|it| it.chars().next());
        let joins = |c: Option<char>| {
            c.is_some_and(|c| {
                c.is_alphabetic() && c.is_ascii() || matches!(c, '_' | '/' | '.' | '#' | '@')
            })
        };
        let is_inside = joins(before)
            || after
                .is_some_and(|c| c.is_alphabetic() && c.is_ascii() || matches!(c, '_' | '/' | ':'));
        let is_item = whole.start() == 0 && after.is_some_and(|c| matches!(c, ')' | '）' | '、'));
        if is_time || is_inside || is_item {
            continue;
        }
        let currency = captures.name("before").map(|it| it.as_str().trim());
        let unit = captures.name("unit").map(|it| it.as_str().trim());
        // A currency and a magnitude are both part of the unit.
        let unit = [currency, unit].into_iter().flatten().collect::<String>();
        quantities.push((
            Quantity {
                number: number.as_str().to_owned(),
                unit,
            },
            whole.start(),
        ));
    }
    quantities
}

/// The slot of a number that is said to be the number of something.
pub(super) fn slot(clause: &Clause<'_>) -> Option<ProposedSlot> {
    found(clause).into_iter().find_map(|(quantity, start)| {
        let before = clause.plain.get(..start)?;
        let captures = IS.captures(before)?;
        let subject = subject(group(&captures, "np"))?;
        let is_person = clause.names.iter().any(|it| {
            it.kind == atlas_core::model::EntityType::Person && it.name.to_lowercase() == subject
        });
        if is_person {
            return None;
        }
        Some(ProposedSlot {
            subject,
            family: family(&quantity.unit).to_owned(),
            value: format!("{} {}", quantity.number, quantity.unit.to_lowercase())
                .trim()
                .to_owned(),
            polarity: Polarity::Positive,
            modality: modality(&clause.plain),
        })
    })
}

fn family(unit: &str) -> &'static str {
    let unit = unit.to_lowercase();
    let has = |marks: &[&str]| marks.iter().any(|mark| unit.contains(mark));
    if has(&["$", "€", "£", "¥", "₹", "usd", "eur", "gbp", "dollar", "元"]) {
        "price"
    } else if has(&["%", "percent", "‰"]) {
        "share"
    } else {
        "amount"
    }
}
