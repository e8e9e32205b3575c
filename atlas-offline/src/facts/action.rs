//! Who is to do what, and where it stands.

use atlas_core::llm::ProposedSlot;
use atlas_core::model::{ActionStatus, EntityType, Modality, Polarity};
use atlas_core::text::fold;
use regex::Captures;

use super::clause::{Clause, Scene};
use super::person::full_name;
use crate::text::cue::{Cue, Words, group};
use crate::text::stem::{content_stems, is_stop_word, stem};

/// A task that a sentence hands out or reports on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Action {
    pub(super) owner: Option<String>,
    pub(super) status: ActionStatus,
    /// The task in the words of the sentence.
    pub(super) task: String,
    /// Whether the sentence asks somebody: then it is told as `X to do it`.
    pub(super) is_request: bool,
    /// Whether the words leave open that it is a task.
    pub(super) is_weak: bool,
}

static I_WILL: Cue = Cue::new(
    r"(?:^|[,;:.!—–-] |\b(?i:and|but|so|then|ok|okay|today|tomorrow) )(?:I'll|I will|I'm going to|I am going to|I'm gonna|I need to|I have to|I've got to|I must|I shall|I plan to|I'm planning to|I can|[Ll]et me)(?: (?:also|then|just|now|first|try to|try and|go ahead and|conveniently|start by|still))* (?P<task>(?P<verb>[a-z]+)\b.*)$",
);
static CAN_YOU: Cue = Cue::new(
    r"(?:(?:^|[,;:.!—–-] )@?(?P<who>\p{Lu}[\p{L}'._-]*(?: \p{Lu}[\p{L}'-]+)?|@[\p{L}\p{N}._-]+)\s?[,:]?\s+)?\b(?i:(?:can|could|would|will) (?:you|u)(?: also)?(?: please)?|please|pls|plz)\s+(?P<task>(?P<verb>\p{L}+)\b.*?)\??$",
);
static SHE_WILL: Cue = Cue::new(
    r"(?:^|[,;:.!—–-] |\b(?:and|but|so|that) )@?(?P<who>[\p{L}][\p{L}'._-]*(?: \p{Lu}[\p{L}'-]+)?)(?: (?:will|to|needs to|has to|is going to|should|must|is to|shall|can)|'ll) (?P<task>(?P<verb>[a-z]+)\b.*)$",
);
static ASSIGNED: Cue = Cue::new(
    r"(?P<task>[\p{L}\p{N}][\p{L}\p{N}' ._/-]{2,60}?)(?: is| was| has been)? (?:assigned to|owned by|goes to) @?(?P<who>\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)",
);
static WE_NEED: Cue = Cue::new(
    r"(?i)\b(?:we|team|someone|somebody|everyone|everybody)(?: (?:also|still|really|just))* (?:need(?:s)? to|ha(?:ve|s) to|must|should|ought to)(?: also)? (?P<task>(?P<verb>[a-z]+)\b.*)$",
);
static TODO: Cue = Cue::new(
    r"(?i)^(?:to-?do|action(?: items?)?|tasks?|next steps?|follow[- ]?ups?|ai)\s?[:：–-]\s*(?:@?(?P<who>(?-i:\p{Lu})[\p{L}'._-]+(?: (?-i:\p{Lu})[\p{L}'-]+)?)\s*(?::|\bto\b|\bwill\b|–|-)\s*)?(?P<task>.{4,})$",
);
static REMEMBER: Cue = Cue::new(
    r"(?i)^(?:don't forget to|remember to|make sure (?:to|that|you)|be sure to|kindly|we still need to|need to|have to)\s+(?P<task>(?P<verb>[a-z]+)\b.*)$",
);
static IMPERATIVE: Cue = Cue::new(
    r"^(?P<task>(?P<verb>Add|Fix|Update|Send|Review|Check|Deploy|Merge|Write|Create|Remove|Move|Prepare|Schedule|Book|Order|Finish|Test|Investigate|Document|Upload|Clean|Refactor|Implement|Set up|Follow up|Contact|Email|Ask|Draft|Publish|Rename|Replace|Migrate|Verify|Ping|Submit|Share|Organi[sz]e|Invite|Increase|Reduce|Perform|Complete|Design|Build|Collect|Confirm) [^:]{6,})$",
);
static I_DID: Cue = Cue::new(
    r"(?:^|[,;:.!—–-] |\b(?i:and|but|so|ok|okay) )I(?:'ve| have)?(?: (?:just|already|now|finally|also))* (?P<task>(?P<verb>sent|finished|completed|fixed|merged|deployed|shipped|reviewed|updated|wrote|written|added|created|uploaded|submitted|booked|ordered|scheduled|tested|removed|cleaned|implemented|published|prepared|organi[sz]ed|integrated|released|resolved|closed|drafted|built|migrated|signed|paid|refactored|documented)\b .{3,})$",
);
static BLOCKED: Cue = Cue::new(
    r"(?i)\b(?:i'm|i am|we're|we are|still) (?:blocked|stuck) (?:on|by|with) (?P<task>.{3,})$|\b(?:i'm|i am|we're|we are) (?:still )?waiting (?:for|on) (?P<wait>.{3,})$",
);
static DOING: Cue = Cue::new(
    r"(?:^|[,;:.!—–-] )I(?:'m| am)(?: (?:still|currently|now|already|also))* (?P<task>(?P<verb>fixing|writing|reviewing|updating|testing|building|preparing|drafting|deploying|migrating|investigating|debugging|implementing|cleaning|adding|finishing|designing) .{3,})$",
);
static GERMAN: Cue = Cue::new(
    r"(?i)\b(?P<i>ich (?:werde|mache|schicke|kümmere mich|erledige|schreibe|prüfe)|kannst du|könntest du|könnt ihr|bitte|wir müssen|wir sollten|muss noch|müssen noch)\s+(?P<task>.{4,})$",
);
static SPANISH: Cue = Cue::new(
    r"(?i)\b(?P<i>voy a|tengo que|(?:yo )?me encargo de|hay que|puedes|podrías|por favor|necesitamos|tenemos que)\s+(?P<task>.{4,})$",
);
static FRENCH: Cue = Cue::new(
    r"(?i)\b(?P<i>je vais|je m'occupe de|je dois|il faut|peux-tu|pouvez-vous|pourrais-tu|nous devons|on doit)\s+(?P<task>.{4,})$",
);
static CHINESE: Cue = Cue::new(
    r"(?:(?P<i>我(?:来|会|先|再|去|得|要|负责|今晚|明天|下周|晚些|顺手|催|安排|将)|@?(?P<who>[A-Za-z][A-Za-z ]*?)\s?(?:来|负责|请|你|要|需要|帮忙)|(?:请(?:大家|各位|你|帮忙|先|把|尽快|在|于)|麻烦|需要|必须|记得|待办[:：]?|别忘了|帮忙|给我|帮我)))(?P<task>.{2,})$",
);

/// Verbs after `I'll` that promise nothing.
static NO_TASKS: Words = Words::new(
    "be have see think know let say guess admit wait miss love like want never not always \
    probably maybe still stay go come get live believe remember understand agree feel imagine assume join \
    hear tell die stop pass bet leave sleep eat drink watch enjoy only just relate use",
);

/// Words before `to` or `will` that are no doer.
static NO_DOERS: Words = Words::new(
    "i it this that they he she you we there which who what everyone someone nobody nothing \
    everything something one going want wants wanted need needs needed have has had able used way time how \
    back up due try trying tried like love order plan plans hope here when where not and or",
);

/// The task in a sentence, if there is one.
pub(super) fn action(clause: &Clause<'_>, scene: Scene<'_>) -> Option<Action> {
    let text = clause.plain.trim_end_matches(['.', '!', '。', '！', ' ']);
    ticked(clause, text, scene)
        .or_else(|| named_task(text, scene))
        .or_else(|| asked(clause, text, scene))
        .or_else(|| {
            if clause.is_question {
                return None;
            }
            of_speaker(text, scene)
                .or_else(|| of_others(clause, text, scene))
                .or_else(|| abroad(text, scene))
                .or_else(|| bare(text))
        })
}

fn task(owner: Option<String>, status: ActionStatus, task: &str) -> Action {
    Action {
        owner,
        status,
        task: task.trim().to_owned(),
        is_request: false,
        is_weak: false,
    }
}

fn promises(captures: &Captures<'_>) -> bool {
    !NO_TASKS.has(&group(captures, "verb").to_lowercase())
}

fn named(who: &str, scene: Scene<'_>) -> Option<String> {
    let who = who.trim_start_matches('@');
    (!who.is_empty()).then(|| full_name(who, scene).to_owned())
}

/// An item of a list of tasks.
fn ticked(clause: &Clause<'_>, text: &str, scene: Scene<'_>) -> Option<Action> {
    let status = if clause.is_ticked? {
        ActionStatus::Done
    } else {
        ActionStatus::Open
    };
    let first = clause.names.first();
    let owner = first
        .filter(|it| it.kind == EntityType::Person)
        .and_then(|it| named(&it.name, scene));
    Some(task(owner, status, text))
}

fn named_task(text: &str, scene: Scene<'_>) -> Option<Action> {
    let captures = TODO.captures(text)?;
    let owner = named(group(&captures, "who"), scene);
    Some(task(owner, ActionStatus::Open, group(&captures, "task")))
}

/// What somebody is asked to do.
fn asked(clause: &Clause<'_>, text: &str, scene: Scene<'_>) -> Option<Action> {
    let captures = CAN_YOU.captures(text).filter(promises)?;
    let who = group(&captures, "who");
    let owner = if who.is_empty() {
        addressee(clause, scene)
    } else {
        named(who, scene)
    };
    let owner = owner.filter(|it| {
        clause.is_person(it, scene.people) || who.starts_with('@') || !is_stop_word(&fold(it))
    });
    let is_known = owner.is_some();
    Some(Action {
        is_request: is_known,
        is_weak: !is_known,
        ..task(owner, ActionStatus::Open, group(&captures, "task"))
    })
}

/// What the speaker did, does or will do.
fn of_speaker(text: &str, scene: Scene<'_>) -> Option<Action> {
    let me = || Some(scene.speaker.to_owned());
    if let Some(captures) = I_DID.captures(text) {
        return Some(task(me(), ActionStatus::Done, group(&captures, "task")));
    }
    if let Some(captures) = BLOCKED.captures(text) {
        let words = [group(&captures, "task"), group(&captures, "wait")].concat();
        return Some(task(me(), ActionStatus::Blocked, &words));
    }
    if let Some(captures) = DOING.captures(text) {
        let words = group(&captures, "task");
        return Some(task(me(), ActionStatus::InProgress, words));
    }
    let captures = I_WILL.captures(text).filter(promises)?;
    Some(task(me(), ActionStatus::Open, group(&captures, "task")))
}

/// What somebody else, or nobody in particular, is to do.
fn of_others(clause: &Clause<'_>, text: &str, scene: Scene<'_>) -> Option<Action> {
    if let Some(captures) = SHE_WILL.captures(text).filter(promises) {
        let who = group(&captures, "who");
        if !NO_DOERS.has(&who.to_lowercase()) && clause.is_person(who, scene.people) {
            let owner = named(who, scene);
            return Some(task(owner, ActionStatus::Open, group(&captures, "task")));
        }
    }
    if let Some(captures) = ASSIGNED.captures(text) {
        let owner = named(group(&captures, "who"), scene);
        return Some(task(owner, ActionStatus::Open, group(&captures, "task")));
    }
    [&WE_NEED, &REMEMBER]
        .into_iter()
        .find_map(|cue| cue.captures(text).filter(promises))
        .map(|captures| task(None, ActionStatus::Open, group(&captures, "task")))
}

fn abroad(text: &str, scene: Scene<'_>) -> Option<Action> {
    let me = || Some(scene.speaker.to_owned());
    for cue in [&GERMAN, &SPANISH, &FRENCH] {
        if let Some(captures) = cue.captures(text) {
            let says = group(&captures, "i").to_lowercase();
            let is_mine = ["ich ", "voy", "tengo", "me enc", "je "]
                .iter()
                .any(|it| says.starts_with(it));
            let owner = if is_mine { me() } else { None };
            return Some(task(owner, ActionStatus::Open, group(&captures, "task")));
        }
    }
    let captures = CHINESE.captures(text)?;
    let owner = if group(&captures, "i").starts_with('我') {
        me()
    } else {
        named(group(&captures, "who"), scene)
    };
    Some(task(owner, ActionStatus::Open, group(&captures, "task")))
}

/// A sentence that begins with what is to be done.
fn bare(text: &str) -> Option<Action> {
    let captures = IMPERATIVE.captures(text)?;
    Some(Action {
        is_weak: true,
        ..task(None, ActionStatus::Open, group(&captures, "task"))
    })
}

/// The only person whom the sentence names, who is then the one who is asked.
fn addressee(clause: &Clause<'_>, scene: Scene<'_>) -> Option<String> {
    let mut people = clause.names.iter().filter(|it| {
        it.kind == EntityType::Person && (it.name.starts_with('@') || it.span.start < 3)
    });
    match (people.next(), people.next()) {
        (Some(one), None) => Some(full_name(one.name.trim_start_matches('@'), scene).to_owned()),
        _ => None,
    }
}

/// The slot of a task: the verb and its object in stems, and where it stands.
pub(super) fn slot(action: &Action, due: Option<&str>) -> Option<ProposedSlot> {
    let words = action
        .task
        .split([',', ';', '(', '.'])
        .next()
        .unwrap_or_default();
    let bounded = bound(words);
    let mut stems: Vec<String> = Vec::new();
    let verb = crate::text::stem::folded_words(&bounded)
        .into_iter()
        .next()?;
    let first = stem(&verb);
    if !verb.chars().any(atlas_core::grounding::is_dense_script) {
        stems.push(first.clone());
    }
    stems.extend(
        content_stems(&bounded)
            .into_iter()
            .filter(|it| *it != first)
            .take(4),
    );
    let status = match action.status {
        ActionStatus::Open => "open",
        ActionStatus::InProgress => "in progress",
        ActionStatus::Blocked => "blocked",
        ActionStatus::Done => "done",
        ActionStatus::Dropped => "dropped",
    };
    let value = match due.filter(|_| action.status == ActionStatus::Open) {
        Some(due) => format!("{status} {due}"),
        None => status.to_owned(),
    };
    (stems.len() >= 2).then(|| ProposedSlot {
        subject: stems.join(" "),
        family: "task".to_owned(),
        value,
        polarity: Polarity::Positive,
        modality: if action.status == ActionStatus::Open {
            Modality::Planned
        } else {
            Modality::Asserted
        },
    })
}

static BOUND: Cue = Cue::new(
    r"(?i)\s(?:by|on|before|until|till|in|at|to|for|with|from|today|tomorrow|tonight|yesterday|this|next|last|because|since|so|and|if|when|asap|first|now|again|as soon)\b",
);

/// The verb and its object, without what stands beside them.
fn bound(task: &str) -> String {
    match BOUND.find(task) {
        Some(it) if it.start() > 8 => task.get(..it.start()).unwrap_or(task).to_owned(),
        _ => task.to_owned(),
    }
}
