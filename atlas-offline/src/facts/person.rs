//! What is said of a person: liking, work, role, place; and who owns or leads what.

use atlas_core::llm::ProposedSlot;
use atlas_core::model::Polarity;

use super::clause::{Clause, Scene};
use super::slot::modality;
use super::subject::subject;
use crate::text::cue::{Cue, group};

static LIKES: Cue = Cue::new(
    r"(?:^|[,;:.!—–-] |\b(?:and|but|so|because|that) )(?P<who>I|\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)(?:'m| am| is)? (?:(?i:really|absolutely|also|still|actually|totally|just|definitely|always|honestly|personally|truly) )*(?P<verb>(?i:loves?|likes?|enjoys?|adores?|prefers?|hates?|dislikes?|detests?|can't stand|cannot stand|don't like|doesn't like|do not like|don't enjoy|don't love|(?:not )?an? (?:big |huge )?fan of|not fond of|fond of|no longer likes?|allergic to))\s+(?P<value>[^,.;!?()]+)",
);
static LIKES_CHINESE: Cue = Cue::new(
    r"(?P<who>我|[\p{Han}]{2,3}?)(?:真的|非常|特别|很|最|也|都)*(?P<verb>不喜欢|喜欢|讨厌|爱吃|爱|偏好|更喜欢)(?P<value>[\p{Han}A-Za-z0-9]{1,12})",
);
static LIKES_SPANISH: Cue = Cue::new(
    r"(?i)\b(?P<not>no )?me (?P<verb>gustan?|encantan?) (?P<value>[^,.;!?()]+)|\bodio (?P<hated>[^,.;!?()]+)",
);
static LIKES_GERMAN: Cue =
    Cue::new(r"(?i)\bich (?P<verb>liebe|mag|hasse|bevorzuge) (?P<value>[^,.;!?()]+)");
static WORKS_ON: Cue = Cue::new(
    r"(?:^|[,;:.!—–-] |\b(?:and|but|so|that) )(?P<who>I|\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)(?:'m| am| is|'s| has| will| was)?(?: (?:now|currently|still|no longer|also))* (?P<verb>on|working on|works on|work on|moved to|moving to|moves to|switched to|switching to|assigned to|joined|joining|joins|move to|join) (?P<value>(?:the |our )?(?:[Pp]roject [\p{L}\p{N}-]+|[\p{L}\p{N}][\p{L}\p{N}-]*(?: [\p{L}\p{N}-]+){0,2}? (?:project|team|squad|guild|crew|workstream)))\b",
);
static WORKING_ON: Cue = Cue::new(
    r"(?:^|[,;:.!—–-] )(?P<who>I|\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)(?:'m| am| is|'s)?(?: (?:now|currently|still))* (?:working on|works on|work on) (?P<value>(?:the |our )?[\p{L}\p{N}][\p{L}\p{N}.+-]*(?: [\p{L}\p{N}][\p{L}\p{N}.+-]*){0,3})",
);
static ROLE: Cue = Cue::new(
    r"(?:^|[,;:.!—–-] |\b(?:and|but|so|that) )(?P<who>I|\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)(?:'m| am| is|'s| joined as| joins as| will be| becomes| became| was promoted to| works as| work as)(?: (?:now|currently|no longer|the|our|a|an|new|next))* (?P<role>(?:[\p{L}-]+ ){0,3}(?i:engineer|designer|manager|lead|director|developer|analyst|architect|scientist|researcher|intern|cto|ceo|cfo|coo|officer|founder|consultant|writer|recruiter|president|chair|owner|nurse|teacher|doctor|lawyer|accountant|student|head of [\p{L}]+))\b",
);
static OWNS: Cue = Cue::new(
    r"(?:^|[,;:.!—–-] |\b(?:and|but|so|that) )(?P<who>I|(?:[Tt]he )?[\p{L}][\p{L}'-]*(?: [\p{L}'-]+){0,2}?)(?:'m| am| is| are|'s|'ll| will)?(?: (?:now|currently|still|no longer))* (?P<verb>owns?|maintains?|responsible for|in charge of|taking over|takes over|took over|take over|leads?|leading|heads|heading|manages|managing) (?P<what>(?:the |our )?[\p{L}\p{N}][\p{L}\p{N}.+-]*(?: [\p{L}\p{N}][\p{L}\p{N}.+-]*){0,2}?)(?:\s+(?:since|from|for|now|until|and|but|so|because|at|in|on|as|with|this|next|starting|again)\b|[,.;!?()]|$)",
);
static OWNS_CHINESE: Cue = Cue::new(
    r"(?:^|[，,。；])(?P<who>[\p{Han}A-Za-z]{1,10}?)(?:来|会|将|现在)?(?:负责|主导|牵头)(?P<what>[\p{Han}A-Za-z0-9]{2,12})",
);
static LIVES: Cue = Cue::new(
    r"(?:^|[,;:.!—–-] |\b(?:and|but|so|that) )(?P<who>I|\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)(?:'m| am| is|'s| have| has|'ve)?(?: (?:now|just|currently|recently))* (?:lives? in|living in|moved to|moving to|relocated to|relocating to|based in|staying in) (?P<value>\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)",
);
static NO_LONGER: Cue =
    Cue::new(r"(?i)\b(?:no longer|not|isn't|aren't|doesn't|don't|stopped|left)\b");

/// Words that are no subject's owner.
const NOBODY: [&str; 14] = [
    "that",
    "this",
    "it",
    "which",
    "who",
    "what",
    "he",
    "she",
    "they",
    "there",
    "you",
    "we",
    "everything",
    "one",
];

/// The slot of a statement about a person, or about who owns or leads something.
pub(super) fn slot(clause: &Clause<'_>, scene: Scene<'_>) -> Option<ProposedSlot> {
    let text = clause.plain.as_str();
    likes(text, scene)
        .or_else(|| {
            let captures = ROLE.captures(text)?;
            of_person(
                text,
                scene,
                group(&captures, "who"),
                "role",
                subject(group(&captures, "role"))?,
            )
        })
        .or_else(|| {
            let captures = WORKS_ON
                .captures(text)
                .or_else(|| WORKING_ON.captures(text))?;
            let value = subject(group(&captures, "value"))?;
            let value = value.strip_prefix("project ").unwrap_or(&value).to_owned();
            of_person(text, scene, group(&captures, "who"), "works_on", value)
        })
        .or_else(|| {
            let captures = LIVES.captures(text)?;
            let value = subject(group(&captures, "value"))?;
            of_person(text, scene, group(&captures, "who"), "lives_in", value)
        })
        .or_else(|| owns(text, scene))
}

fn of_person(
    text: &str,
    scene: Scene<'_>,
    who: &str,
    family: &str,
    value: String,
) -> Option<ProposedSlot> {
    let who = whom(who, scene)?;
    Some(ProposedSlot {
        subject: who,
        family: family.to_owned(),
        value,
        polarity: if NO_LONGER.is_in(text) {
            Polarity::Negative
        } else {
            Polarity::Positive
        },
        modality: modality(text),
    })
}

/// The person who is meant: the speaker for `I`, the full name for a first name.
fn whom(who: &str, scene: Scene<'_>) -> Option<String> {
    if matches!(who, "I" | "我") {
        return Some(scene.speaker.to_lowercase());
    }
    if NOBODY.contains(&who.to_lowercase().as_str())
        || crate::text::stem::is_stop_word(&who.to_lowercase())
    {
        return None;
    }
    Some(full_name(who, scene).to_lowercase())
}

/// The full name of a person of the conversation, if the first name is one person's.
pub(super) fn full_name<'a>(who: &'a str, scene: Scene<'a>) -> &'a str {
    let is_first =
        |name: &&String| name.split_whitespace().next() == Some(who) && name.as_str() != who;
    let mut named = scene.people.iter().filter(is_first);
    match (named.next(), named.next()) {
        (Some(name), None) => name,
        _ => who,
    }
}

fn likes(text: &str, scene: Scene<'_>) -> Option<ProposedSlot> {
    let (who, verb, value) = if let Some(captures) = LIKES.captures(text) {
        let verb = group(&captures, "verb").to_lowercase();
        (
            whom(group(&captures, "who"), scene)?,
            verb,
            group(&captures, "value").to_owned(),
        )
    } else if let Some(captures) = LIKES_CHINESE.captures(text) {
        let verb = group(&captures, "verb").to_owned();
        let value = group(&captures, "value")
            .trim_start_matches(['吃', '用', '的'])
            .trim_end_matches('了');
        (
            whom(group(&captures, "who"), scene)?,
            verb,
            value.to_owned(),
        )
    } else if let Some(captures) = LIKES_SPANISH.captures(text) {
        let hated = group(&captures, "hated");
        let is_negative = !hated.is_empty() || captures.name("not").is_some();
        let value = if hated.is_empty() {
            group(&captures, "value")
        } else {
            hated
        };
        let verb = if is_negative { "hates" } else { "likes" };
        (
            scene.speaker.to_lowercase(),
            verb.to_owned(),
            value.to_owned(),
        )
    } else {
        let captures = LIKES_GERMAN.captures(text)?;
        let verb = if group(&captures, "verb").eq_ignore_ascii_case("hasse") {
            "hates"
        } else {
            "likes"
        };
        (
            scene.speaker.to_lowercase(),
            verb.to_owned(),
            group(&captures, "value").to_owned(),
        )
    };
    let value = value
        .split(" because ")
        .next()
        .and_then(|it| it.split(" but ").next())
        .and_then(|it| it.split(" so much").next())
        .unwrap_or_default()
        .to_owned();
    let value = if value.chars().any(atlas_core::grounding::is_dense_script) {
        value
    } else {
        subject(&value)?
    };
    let is_negative = [
        "hate",
        "dislike",
        "detest",
        "stand",
        "not",
        "n't",
        "no longer",
        "allergic",
        "不",
        "讨厌",
    ]
    .iter()
    .any(|word| verb.contains(word));
    Some(ProposedSlot {
        subject: who,
        family: "likes".to_owned(),
        value,
        polarity: if is_negative {
            Polarity::Negative
        } else {
            Polarity::Positive
        },
        modality: atlas_core::model::Modality::Asserted,
    })
}

fn owns(text: &str, scene: Scene<'_>) -> Option<ProposedSlot> {
    let (who, verb, what) = if let Some(captures) = OWNS.captures(text) {
        (
            group(&captures, "who").to_owned(),
            group(&captures, "verb").to_lowercase(),
            group(&captures, "what").to_owned(),
        )
    } else {
        let captures = OWNS_CHINESE.captures(text)?;
        (
            group(&captures, "who").to_owned(),
            "owns".to_owned(),
            group(&captures, "what").to_owned(),
        )
    };
    let is_lead = ["lead", "head", "manag"]
        .iter()
        .any(|stem| verb.starts_with(stem));
    let owner = if who == "I" || who == "我" {
        scene.speaker.to_lowercase()
    } else {
        let name = full_name(&who, scene);
        subject(name)?
    };
    Some(ProposedSlot {
        subject: subject(&what)?,
        family: if is_lead { "lead" } else { "owner" }.to_owned(),
        value: owner,
        polarity: if NO_LONGER.is_in(text) {
            Polarity::Negative
        } else {
            Polarity::Positive
        },
        modality: modality(text),
    })
}
