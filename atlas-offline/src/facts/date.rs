//! When something is: `the launch is on 12 May`, `we moved the launch to 26 May`.

use atlas_core::extract::when::{Granularity, TimeExpression};
use atlas_core::llm::ProposedSlot;
use atlas_core::model::Polarity;

use super::clause::{Clause, Scene};
use super::slot::modality;
use super::subject::subject;
use crate::text::cue::{Cue, group};

// Each pattern reads what stands before a time, up to it.
static MOVED: Cue = Cue::new(
    r"(?i)\b(?:mov(?:e|ed|ing)|push(?:ed|ing)?|postpon(?:e|ed|ing)|delay(?:ed|ing)?|reschedul(?:e|ed|ing)|shift(?:ed|ing)?|bring|brought|set|schedul(?:e|ed|ing)|plan(?:ned)?|pull(?:ed)?)\s+(?P<np>(?:the |our )?[\p{L}\p{N}][\p{L}\p{N}' .-]{1,40}?)\s+(?:back |forward |out |up |in )?(?:from .{1,40}? )?(?:to|until|till|for|on)\s+(?:the )?$",
);
static IS_AT: Cue = Cue::new(
    r"(?i)(?:^|[,;:.!—–-] |\b(?:and|but|that|so|because|then) )(?P<np>[\p{L}\p{N}][\p{L}\p{N}'/ .+-]{1,50}?)(?:\s(?:is|are|will be|was|'s|has been|have been|got|gets|is being)(?: (?:now|currently|still|officially|tentatively|on))?(?: (?:set|scheduled|planned|due|moved|postponed|delayed|pushed|rescheduled|confirmed|expected|happening|going live|launching|starting|targeted|slated|out|fixed))*(?: back)?|'s|\s(?:moves?|moved|slips?|slipped|slides?|starts?|begins?|ends?|happens?|launches|ships|goes live|opens|closes|takes place|lands|kicks off|finishes|will (?:start|begin|end|happen|launch|ship|go live|open|close|take place|land|move|slip))|:|\s=|\s→|\s->)(?: from .{1,40}?)?\s*(?:on|by|for|to|until|till|at|in|around)?\s*(?:the )?$",
);
static WE_EVENT: Cue = Cue::new(
    r"(?i)\b(?:we|they|team)(?:'ll|'re| will| are| should| can)?\s+(?:going to |plan(?:ning)? to |aim(?:ing)? to |want to )?(?P<verb>launch|ship|release|go(?:ing)? live|deploy|demo|migrate|publish|start|finish)(?:ing|ed|es|d|s)?(?:\s(?P<np>[\p{L}\p{N}' .-]{2,40}?))?\s*(?:on|by|in|at|until|before)?\s*(?:the )?$",
);
static CHINESE: Cue = Cue::new(
    r"(?:^|[，,。；：])(?:我们|大家)?(?:决定|把|将|确定)*(?P<np>[\p{Han}\p{L}\p{N}]{2,14}?)(?:的)?(?:时间|日期)?(?:已经|已|将|会)?(?:改到|改成|改为|推迟到|延期到|延到|提前到|挪到|定在|定到|定于|安排在|是在|是|在|：)\s*$",
);
static GERMAN: Cue = Cue::new(
    r"(?i)(?:^|[,;] |wir haben )(?P<np>(?:der|die|das|den|unser[en]?) [\p{L}\p{N} -]{2,40}?)\s+(?:ist|wird|findet|wurde|startet|beginnt|verschiebt sich|auf|vom .{1,30}?)(?: jetzt| nun)?\s*(?:am|auf den|auf|bis zum|im|zum)?\s*(?:den )?$",
);
static SPANISH: Cue = Cue::new(
    r"(?i)(?:^|[,;] |movimos |aplazamos )(?P<np>(?:el|la|nuestro|nuestra) [\p{L}\p{N} -]{2,40}?)\s+(?:es|será|se mueve|se aplaza|se pospone|empieza|comienza|para|al)\s*(?:el|al|para el|hasta el|en)?\s*$",
);

/// The slot of a date; the last time that the sentence ties to a subject counts.
pub(super) fn slot(clause: &Clause<'_>, scene: Scene<'_>) -> Option<ProposedSlot> {
    clause.times.iter().rev().find_map(|time| {
        let before = clause.plain.get(..time.span.start)?;
        if before.trim_end().to_lowercase().ends_with(" from") {
            return None;
        }
        let subject = what(before)?;
        // A person is not a thing that has a date.
        if clause.names.iter().any(|it| {
            it.kind == atlas_core::model::EntityType::Person && it.name.to_lowercase() == subject
        }) {
            return None;
        }
        Some(ProposedSlot {
            subject,
            family: "date".to_owned(),
            value: value(time, scene.offset),
            polarity: Polarity::Positive,
            modality: modality(&clause.plain),
        })
    })
}

fn what(before: &str) -> Option<String> {
    if let Some(captures) = WE_EVENT.captures(before) {
        let verb = group(&captures, "verb").to_lowercase();
        let verb = if verb.starts_with("go") {
            "launch"
        } else {
            verb.as_str()
        };
        return subject(group(&captures, "np")).or_else(|| Some(verb.to_owned()));
    }
    [&MOVED, &IS_AT, &CHINESE, &GERMAN, &SPANISH]
        .into_iter()
        .find_map(|cue| subject(group(&cue.captures(before)?, "np")))
}

/// The local date, with the time of day if it is said.
pub(super) fn value(time: &TimeExpression, offset: i32) -> String {
    let local = time
        .start
        .saturating_add_micros(i64::from(offset) * 1_000_000)
        .to_string();
    let length = match time.granularity {
        Granularity::Minute | Granularity::Hour => 16,
        Granularity::Day | Granularity::Week => 10,
        Granularity::Month | Granularity::Quarter => 7,
        Granularity::Year => 4,
    };
    local.chars().take(length).collect()
}
