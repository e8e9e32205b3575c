//! Reasons, consequences, terms and tone, in the words of the sentence.

use atlas_core::model::{GlossaryTerm, Sentiment};

use super::state::meaning;
use crate::text::cue::{Cue, group};

static REASON: Cue = Cue::new(
    r"(?i)(?:\b(?:because of|because|due to|owing to|thanks to|so that|in order to|the reason (?:is|was|being)(?: that)?|since (?:we|it|they|the|our|i|there|he|she|nobody)|weil|damit|porque|ya que|parce qu[e']|car)\b|因为|由于|为了)[\s:,，]*(?P<it>[^.;!?。！？；]{3,})",
);
static SINCE: Cue =
    Cue::new(r"(?i)\bsince (?P<it>(?:we|it|they|the|our|i|there|he|she|nobody)\b[^.;!?]{3,})");
static CONSEQUENCE: Cue = Cue::new(
    r"(?i)(?:\b(?:which means(?: that)?|that means(?: that)?|this means(?: that)?|therefore|as a result|consequently|so (?:we|you|they|i|it|everyone)(?:'ll| will| need to| have to| must| can| can't| cannot| should)|deshalb|por eso|donc)\b|所以|因此)[\s:,，]*(?P<it>[^.;!?。！？；]{3,})",
);
static WORRIED: Cue = Cue::new(
    r"(?i)\b(?:worried|concern(?:ed|s)?|risk(?:y|s)?|afraid|problem(?:s|atic)?|broken|fail(?:ed|ing|s|ure)?|bug(?:s|gy)?|unfortunately|hate|hates|annoying|terrible|awful|bad|worse|worst|down|blocked|stuck|delay(?:ed|s)?|frustrat(?:ed|ing)|can't stand|disappointed|sad|angry|outage|sorge|leider|problema|problème)\b|担心|风险|问题|失败|讨厌|糟糕|告警",
);
static GLAD: Cue = Cue::new(
    r"(?i)\b(?:love|loves|loved|great|awesome|amazing|happy|glad|excited|excellent|fantastic|perfect|wonderful|enjoy(?:ed|s)?|like|likes|success(?:ful(?:ly)?)?|proud|thrilled|works well|toll|encanta|genial|super|génial|adore)\b|喜欢|开心|顺利|成功|很好|太好",
);

/// Why, if the sentence says so. The words stand in the sentence as they are.
pub(super) fn rationale(quote: &str) -> Option<String> {
    let captures = REASON.captures(quote).or_else(|| SINCE.captures(quote))?;
    // The word `since` itself was read with what follows it.
    let whole = captures.get(0)?.as_str();
    let said = if whole.to_lowercase().starts_with("since ") {
        whole.get("since ".len()..).unwrap_or_default().trim()
    } else {
        group(&captures, "it")
    };
    (said.chars().count() >= 3).then(|| said.to_owned())
}

/// What follows from it and is still open.
pub(super) fn consequences(quote: &str) -> Vec<String> {
    CONSEQUENCE
        .captures(quote)
        .map(|captures| group(&captures, "it").to_owned())
        .into_iter()
        .collect()
}

/// The terms that the sentence explains.
pub(super) fn glossary(quote: &str) -> Vec<GlossaryTerm> {
    meaning(quote)
        .map(|(term, definition)| GlossaryTerm {
            term: term.to_owned(),
            definition: definition.to_owned(),
        })
        .into_iter()
        .collect()
}

/// The tone of the sentence, if it has one.
pub(super) fn sentiment(plain: &str) -> Option<Sentiment> {
    match (WORRIED.is_in(plain), GLAD.is_in(plain)) {
        (true, _) => Some(Sentiment::Concerned),
        (false, true) => Some(Sentiment::Positive),
        (false, false) => None,
    }
}
