//! Sentences that are not worth remembering.

use atlas_core::extract::narration::is_narration;

use super::clause::Clause;
use crate::text::cue::{Cue, Words};

/// Words of greeting, thanks and assent, folded; matter besides them makes a statement.
static SMALL_TALK: Words = Words::new(
    "thanks thank thx ty tnx cheers ok okay k kk lgtm sgtm yes yep yeah yup no nope nah sure \
    right great nice cool awesome amazing perfect excellent good fine lovely sweet wow oh ah ha haha \
    hahaha hehe lol rofl lmao hmm hm uh um ouch oops whoops yay hooray bravo congrats congratulations hi hello hey hiya \
    morning afternoon evening night everyone everybody all folks guys team bye goodbye cu later welcome \
    sorry apologies pls agreed agree same ditto exactly indeed definitely absolutely totally correct \
    true noted understood roger ack received gotcha sounds makes sense sense love fun works deal done \
    happy glad birthday weekend idea job work stuff point one dude man mate buddy pal nicely well much very really \
    danke bitte gut prima super hallo moin tschuss klar gerne genau gracias hola vale bueno bien claro \
    merci bonjour salut oui d'accord parfait cool",
);

/// The same in Chinese.
const SMALL_TALK_CHINESE: &[&str] = &[
    "收到",
    "好的",
    "好",
    "谢谢",
    "多谢",
    "可以",
    "同意",
    "没问题",
    "辛苦了",
    "大家早",
    "早",
    "早上好",
    "你好",
    "嗯",
    "哈哈",
    "哈哈哈",
    "明白",
    "了解",
    "赞",
    "行",
    "对",
    "是的",
    "晚安",
    "再见",
];

static JOINED: Cue = Cue::new(
    r"(?i)^\s*@?[\w .-]{1,40}\s(?:has |have )?(?:joined|left|set|changed|renamed|archived|pinned|uploaded|cleared) (?:the |this )?(?:#?[\w-]+|channel|group|room|conversation|server|topic|purpose|a file|a message)(?: (?:channel|group|room|topic|purpose|description|name).*)?[.!]?$",
);
static LAUGHTER: Cue = Cue::new(r"(?i)^(?:(?:ha|he|hi|lo|ja)+[hl]*)+$");
static OFFER_OF_TALK: Cue = Cue::new(
    r"(?i)^(?:let me know|feel free|see you|talk (?:soon|later)|good luck|have a (?:good|nice|great)|take care|no (?:worries|problem|rush)|of course|my pleasure|you(?:'re| are) welcome|hope (?:you|that|this|it)|looking forward|sounds? (?:good|great|like a plan)|i (?:totally |completely |fully )?(?:see|know|agree|understand|got it|think so|guess so|hope so)\b[^,;]{0,12}$|(?:thanks|thank you|thx|ty)(?:,? \p{L}+)?,? (?:so much|a lot|for|again|everyone|all|very much)\b|(?:sounds|looks|seems) like (?:you|your|a (?:great|good|lovely|nice|fun))\b|you(?:'re|'ve| are| have| look| must| both| guys| really)\b[^0-9@]{0,80}!$|wish(?:ing)? you\b|(?:that|it)(?:'s| is| was| sounds| looks) (?:so |very |really |just |pretty |super |quite |such )*(?:a )?(?:good|great|nice|cool|awesome|amazing|fantastic|fine|perfect|true|right|fun|funny|beautiful|wonderful|interesting|incredible)\b[^,;]{0,25}$)",
);

/// Whether the sentence is a greeting, thanks, assent, laughter, a bare link, or a note that
/// somebody joined or shared something.
pub(super) fn is_chatter(clause: &Clause<'_>) -> bool {
    let bare: String = clause.words.concat();
    if SMALL_TALK_CHINESE.contains(&bare.as_str()) {
        return true;
    }
    let has_matter = clause.words.iter().any(|word| {
        word.chars().any(char::is_alphabetic)
            && !SMALL_TALK.has(word)
            && !LAUGHTER.is_in(word)
            && clause.stems.contains(&crate::text::stem::stem(word))
    });
    let has_dense = clause
        .words
        .iter()
        .any(|word| word.chars().any(atlas_core::grounding::is_dense_script));
    let has_number = clause
        .words
        .iter()
        .any(|word| word.chars().any(|c| c.is_ascii_digit()));
    let says_something = has_matter || has_dense || (has_number && clause.words.len() > 1);
    if !says_something {
        return true;
    }
    JOINED.is_in(&clause.plain) || is_narration(&clause.plain) || OFFER_OF_TALK.is_in(&clause.plain)
}
