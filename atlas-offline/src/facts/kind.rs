//! What kind of statement a sentence is, by its cues.

use super::clause::Clause;
use crate::text::cue::Cue;

static DECISION: Cue = Cue::new(
    r"(?ix)\b(?:
      (?:we|i|they|team|everyone)(?:'ve|\s+have|\s+all)?\s+(?:just\s+|finally\s+|also\s+|already\s+)?(?:decided|agreed|chose|settled|picked\s+(?:the|an?|(?-i:\p{Lu}))|opted|went\s+with|resolved\s+to|concluded)
     |decided\s+(?:to|on|that|against|not)|agreed\s+(?:to|on|that)|settled\s+on
     |(?:we're|we\s+are|we\s+were|we'll|we\s+will|let's|let\s+us|then)\s+(?:all\s+|now\s+|just\s+)?(?:going\s+with|go\s+with|going\s+back\s+to|go\s+back\s+to|going\s+to\s+use|use|using|stick\s+with|sticking\s+with|stick\s+to|switching\s+to|switch\s+to|moving\s+(?:[\p{L}\p{N}.+-]+\s+){0,3}to|migrating\s+(?:[\p{L}\p{N}.+-]+\s+){0,3}to|keep(?:ing)?|drop(?:ping)?|scrap(?:ping)?|cancel(?:l?ing)?|skip(?:ping)?|postpone|postponing|adopt(?:ing)?|staying\s+(?:with|on))
     |let's\s+(?:do|move|ship|launch|start|push|stay|make|have|meet|wait|set|settle|pick|choose|call|plan|schedule|reschedule|delay|release)
     |decision\s*(?::|is|was)|the\s+decision|final\s+call|final\s+decision
     |scrap(?:ped)?\s|chang(?:ed|ing)\s+(?:our|my)\s+minds?|no\s+longer\s+(?:use|using|uses|going|doing|planning|supporting|needed)
     |(?:has|have)\s+been\s+(?:approved|cancell?ed|postponed|moved|chosen|selected|rescheduled|delayed|pushed|agreed)
     |(?:is|was|are|were|got)\s+(?:now\s+)?(?:approved|cancell?ed|postponed|rescheduled|pushed\s+back|delayed|moved\s+to)
     |(?:i'm|i\s+am|i'll)\s+(?:going\s+with|go\s+with|switching\s+to|going\s+back\s+to)
     |we(?:'ve|\s+have)?\s+(?:moved\s+(?:the|our|it|to)|pushed|postponed|rescheduled|delayed|cancell?ed|dropped|switched|approved|selected)
     |(?:slips?|slipped|moves)\s+to|(?:going|went|reverting|rolling|switching|moved)\s+back\s+to|back\s+to\s+(?-i:\p{Lu})
     |from\s+now\s+on|effective\s+immediately|(?:is|are|it's|that's)\s+(?:now\s+|finally\s+|all\s+)?(?:decided|settled|agreed|final)\b
     |(?:haben|hat)\s+(?:uns\s+)?.{0,60}?(?:entschieden|beschlossen|geeinigt|gewählt)|wir\s+(?:nehmen|bleiben\s+bei|wechseln)|stattdessen|verschoben|nicht\s+mehr\s+\w*\s*(?:verwenden|nutzen)
     |decidimos|acordamos|hemos\s+(?:decidido|acordado|elegido)|vamos\s+a\s+usar|usaremos|elegimos|aplazamos|movimos|ya\s+no\s+usamos
     |(?:avons|a)\s+(?:décidé|choisi|convenu|reporté)|on\s+part\s+sur|nous\s+n'utilisons\s+plus
    )",
);
static DECISION_CHINESE: Cue = Cue::new(
    r"决定|敲定|定了|定为|定在|改成|改为|改用|改到|不再(?:使用|用|做|支持|需要)|换成|推迟到|提前到|取消|采用|同意用|就用|统一用|先定|维持",
);
static OPINION: Cue = Cue::new(
    r"(?ix)\b(?:i\s+(?:really\s+|also\s+|still\s+|just\s+|personally\s+|do\s+|don't\s+|absolutely\s+|honestly\s+)*(?:think|believe|feel|like|love|hate|prefer|dislike|enjoy|enjoyed|find|found|doubt|recommend|suggest|loved|hated|liked|adore)
     |i'd\s+(?:rather|prefer|suggest|recommend|love|like)|i'm\s+(?:\w+\s+)?(?:worried|concerned|excited|unsure|skeptical|a\s+fan|not\s+a\s+fan|in\s+favou?r|against)
     |in\s+my\s+opinion|imo|imho|(?:better|worse|nicer|easier|faster|slower|cheaper|simpler)\s+than|my\s+favou?rite|can't\s+stand|cannot\s+stand|fan\s+of
     |(?:loves|likes|hates|prefers|enjoys|dislikes|adores)\s
     |ich\s+(?:finde|mag|denke|glaube|liebe|hasse|bevorzuge)|creo\s+que|prefiero|(?:me\s+(?:gusta|encanta|parece))|odio|je\s+(?:pense|préfère|trouve|déteste|crois)|j'(?:aime|adore)
    )\b",
);
static OPINION_CHINESE: Cue = Cue::new(r"喜欢|讨厌|觉得|认为|建议|更好|偏好|最爱|希望");
static FORMAL: Cue = Cue::new(
    r"(?i)\b(?:urgent|critical|asap|outage|incident|security|breach|must|deadline|blocker|blocked|production|launch|budget|legal|contract|release)\b|紧急|必须|风险|上线|截止",
);

/// Whether something is settled in the sentence.
pub(super) fn is_decision(clause: &Clause<'_>) -> bool {
    DECISION.is_in(&clause.plain) || DECISION_CHINESE.is_in(&clause.plain)
}

/// Whether somebody says what they think or prefer.
pub(super) fn is_opinion(clause: &Clause<'_>) -> bool {
    OPINION.is_in(&clause.plain) || OPINION_CHINESE.is_in(&clause.plain)
}

/// Whether much hangs on what the sentence speaks of.
pub(super) fn is_weighty(clause: &Clause<'_>) -> bool {
    FORMAL.is_in(&clause.plain)
}
