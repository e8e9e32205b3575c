//! How something stands: done, down, blocked, live.

use atlas_core::llm::ProposedSlot;
use atlas_core::model::Polarity;

use super::clause::Clause;
use super::slot::{modality, polarity};
use super::subject::subject;
use crate::text::cue::{Cue, group};

static IS: Cue = Cue::new(
    r"(?i)(?:^|[,;:.!—–-] |\b(?:and|but|that|so|because) )(?P<np>[\p{L}\p{N}`][\p{L}\p{N}'/ .`_+-]{1,50}?)(?P<verb>\s(?:is|are|was|were|has been|have been|got|isn't|aren't)|'s)(?P<between>(?: (?:now|still|finally|officially|all|fully|not|no longer|currently|back|already|almost|just|yet|completely))*) (?P<value>done|complete|completed|finished|ready|live|up and running|up|online|offline|down|broken|failing|blocked|stuck|fixed|resolved|solved|shipped|deployed|merged|released|launched|published|approved|rejected|cancelled|canceled|delayed|paused|on hold|in progress|underway|open|closed|reopened|working|stable|unstable|green|red|signed|postponed|dropped|available|deprecated|removed|sent|uploaded|updated|set up|added|implemented|enabled|disabled|locked|frozen|submitted|confirmed|accepted|signed off)\b",
);
static DID: Cue = Cue::new(
    r"(?i)^(?:(?:ok|okay|update|done|yes|so|i|we|i've|we've|i have|we have|just|already|finally|also)[,:]? )*(?P<value>fixed|merged|deployed|shipped|released|finished|completed|closed|resolved|approved|cancelled|canceled|reverted|launched|published|paused|deprecated|removed) (?P<np>(?:the |our |a )?[\p{L}\p{N}`][\p{L}\p{N}'/.`_+-]*(?: [\p{L}\p{N}`][\p{L}\p{N}'/.`_+-]*){0,4}?)(?:\s+(?:on|in|to|at|for|with|by|and|but|so|because|today|yesterday|this|last|now|from|after|before)\b|[,.;!?()]|$)",
);
static CHINESE: Cue = Cue::new(
    r"(?:^|[，,。；])(?P<np>[\p{Han}\p{L}\p{N}]{2,16}?)(?:都|也|已经|已|现在|刚)*(?P<value>完成|上线|修复|修好|发布|取消|搞定|就绪|通过|通了|暂停|阻塞|失败|挂了|解决)",
);
static MEANS: Cue = Cue::new(
    r#"(?i)^(?:(?:fyi|note|btw)[,:] )?(?P<term>"?[\p{L}\p{N}][\p{L}\p{N}.+/-]*(?: [\p{L}\p{N}.+/-]+){0,2}?"?)\s+(?:stands for|is short for|is an? (?:acronym|abbreviation) (?:for|of)|means|refers to|is defined as|steht für|bedeutet|significa|signifie)\s+(?P<meaning>[^.;!?]+)"#,
);

/// The slot of a state or of a meaning.
pub(super) fn slot(clause: &Clause<'_>) -> Option<ProposedSlot> {
    let text = clause.plain.as_str();
    if let Some((term, meaning)) = meaning(text) {
        return Some(ProposedSlot {
            subject: subject(term)?,
            family: "meaning".to_owned(),
            value: meaning.to_lowercase(),
            polarity: Polarity::Positive,
            modality: modality(text),
        });
    }
    let captures = IS
        .captures(text)
        .or_else(|| DID.captures(text))
        .or_else(|| CHINESE.captures(text))?;
    // `上线前` is before it went live.
    let after = captures
        .get(0)
        .and_then(|it| text.get(it.end()..))
        .and_then(|it| it.chars().next());
    let np = group(&captures, "np");
    let is_before = after.is_some_and(|c| matches!(c, '前' | '后' | '时' | '的' | '率' | '度'));
    let is_time = np.ends_with(['时', '天', '钟', '内'])
        || captures.name("np").is_some_and(|np| {
            let overlaps = |it: &atlas_core::extract::when::TimeExpression| {
                it.span.start < np.end() && np.start() < it.span.end
            };
            np.as_str()
                .chars()
                .any(atlas_core::grounding::is_dense_script)
                && clause.times.iter().any(overlaps)
        });
    if is_before || is_time {
        return None;
    }
    let between = captures.name("between").map_or("", |it| it.as_str());
    let verb = captures.name("verb").map_or("", |it| it.as_str());
    Some(ProposedSlot {
        subject: subject(group(&captures, "np"))?,
        family: "status".to_owned(),
        value: group(&captures, "value").to_lowercase(),
        polarity: polarity(&format!("{verb}{between}")),
        modality: modality(text),
    })
}

/// A term and what it is said to mean.
pub(super) fn meaning(text: &str) -> Option<(&str, &str)> {
    let captures = MEANS.captures(text)?;
    let term = captures.name("term")?.as_str().trim_matches('"');
    let meaning = captures.name("meaning")?.as_str().trim();
    let folded = term.to_lowercase();
    let points = [
        "it", "this", "that", "which", "what", "he", "she", "they", "yes", "no",
    ];
    (!points.contains(&folded.as_str())
        && meaning.split_whitespace().count() >= 2
        && !meaning.to_lowercase().starts_with("that ")
        && !meaning.to_lowercase().starts_with("we "))
    .then_some((term, meaning))
}
