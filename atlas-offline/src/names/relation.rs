//! Two names in a sentence to the relation that the words between them state.

use atlas_core::model::Polarity;

use super::spot::Spotted;
use crate::text::cue::{Cue, group};

/// Bytes between two names across which a verb still joins them.
const REACH: usize = 60;

/// A relation between two names of one sentence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Related {
    pub(crate) source: String,
    pub(crate) verb: String,
    pub(crate) target: String,
    pub(crate) polarity: Polarity,
    pub(crate) confidence: f32,
}

static VERB: Cue = Cue::new(
    r"(?ix)\b(?P<verb>
      (?:is|are|was|am|'s|'m)\s+(?:now\s+|currently\s+|still\s+)?(?:working\s+on|assigned\s+to|responsible\s+for|in\s+charge\s+of|part\s+of|a\s+member\s+of|based\s+in|blocked\s+by|waiting\s+(?:for|on)|built\s+on|written\s+in|leading|using|reporting\s+to|replacing|owned\s+by|maintained\s+by|led\s+by|on|at)
     |works?\s+(?:on|at|for|with|in)|working\s+on|worked\s+on|assigned\s+to
     |owns?|owned|maintains?|leads?|manages?|heads|runs(?:\s+on)?
     |uses?|using|used|depends?\s+on|requires?|needs|relies\s+on
     |joined|joins|left|reports?\s+to|belongs\s+to|lives?\s+in
     |moved\s+to|moves\s+to|moving\s+to|switched\s+to|migrated?\s+to|migrating\s+to|migrates\s+to
     |replaces?|replaced|instead\s+of|blocks|blocked\s+by
     |decided(?:\s+(?:on|to\s+use))?|chose|approved|picked|prefers?|likes?|loves?|hates?
     |built|builds|created|wrote|fixed|reviewed|reviews|tested|presented|presents|organizes
     |supports?|acquired|hired|hosts|sponsors
    )\b",
);
static PASSIVE: Cue = Cue::new(
    r"(?i)\b(?P<verb>(?:was |is |were |are )?(?:owned|led|built|maintained|created|written|reviewed|approved|managed) by)\b",
);
static NOT: Cue = Cue::new(
    r"(?i)\b(?:not|never|no longer|n't|doesn't|don't|didn't|isn't|aren't|won't|stopped)\b",
);
static UNSURE: Cue =
    Cue::new(r"(?i)\b(?:might|maybe|may|could|perhaps|if|should|would|wants? to|considering)\b");
static BREAKS: Cue = Cue::new(r"[.;!?]\s|\b(?:but|because|while|which)\b|,\s+(?:and|so|then)\b");
static CHINESE: Cue = Cue::new(r"(?P<verb>负责|使用|用|加入|依赖|领导|管理|喜欢|迁移到|换成|搭)");

/// The relations that a sentence states between the names in it, each name with its nearest
/// follower at most.
pub(crate) fn relations(text: &str, names: &[Spotted]) -> Vec<Related> {
    let mut found = Vec::new();
    for (source, target) in names.iter().zip(names.iter().skip(1)) {
        let between = text
            .get(source.span.end..target.span.start)
            .unwrap_or_default();
        if between.len() > REACH || BREAKS.is_in(between) {
            continue;
        }
        let passive = PASSIVE.captures(between);
        let is_passive = passive.is_some();
        let Some(captures) = passive
            .or_else(|| VERB.captures(between))
            .or_else(|| CHINESE.captures(between))
        else {
            continue;
        };
        let verb = group(&captures, "verb");
        if source.name == target.name || verb.is_empty() {
            continue;
        }
        // A verb that is not the last of the stretch may speak of something between.
        let rest = captures
            .get(0)
            .and_then(|it| between.get(it.end()..))
            .unwrap_or_default();
        let is_close = rest.split_whitespace().count() <= 3;
        let confidence = match (UNSURE.is_in(between), is_close) {
            (true, _) => 0.5,
            (false, true) => 0.85,
            (false, false) => 0.65,
        };
        let polarity = if NOT.is_in(between) {
            Polarity::Negative
        } else {
            Polarity::Positive
        };
        let (from, to) = (source.name.clone(), target.name.clone());
        let (source, target) = (from, to);
        // Passive verbs keep their direction and their form: `is owned by` is said of the first.
        let verb = if is_passive {
            verb.to_owned()
        } else {
            verb.trim_start_matches('\'').to_owned()
        };
        found.push(Related {
            source,
            verb,
            target,
            polarity,
            confidence,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::names::spot::spot;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, &str, &str, Polarity)>) {
        let related = relations(text, &spot(text, &BTreeSet::new()));
        let found = related.first().map(|it| {
            (
                it.source.as_str(),
                it.verb.as_str(),
                it.target.as_str(),
                it.polarity,
            )
        });
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn verbs_between_names_relate_them() {
        use Polarity::{Negative, Positive};
        check(
            "Kiran is on project Atlas",
            Some(("Kiran", "is on", "Atlas", Positive)),
        );
        check(
            "Dana leads the Growth team",
            Some(("Dana", "leads", "Growth", Positive)),
        );
        check(
            "Acme Labs no longer uses Redis",
            Some(("Acme Labs", "uses", "Redis", Negative)),
        );
        check(
            "FastGraph depends on Postgres",
            Some(("FastGraph", "depends on", "Postgres", Positive)),
        );
        check("Redis, Kafka and Postgres", None);
        check(
            "Kiran left. Dana uses Redis",
            Some(("Dana", "uses", "Redis", Positive)),
        );
    }
}
