//! Questions to printed answers.

use atlas_core::answer::Answer;
use atlas_core::model::{AbstentionReason, AnswerOutcome, ChannelId, Evidence, PrincipalId};
use atlas_core::{Across, Atlas};

use crate::failure::Failure;
use crate::load::Loaded;
use crate::print::{cited, one_line};

/// On whose behalf the questions are asked.
const READER: &str = "team-memory";

/// All channels that were read, to be asked together.
///
/// # Errors
///
/// What the rule on access fails with.
pub(crate) async fn open(atlas: &Atlas, loaded: &Loaded) -> Result<Across, Failure> {
    let authorizer = &atlas.components().authorizer;
    let reader = authorizer.principal(PrincipalId::new(READER));
    let channels: Vec<ChannelId> = loaded
        .channels
        .iter()
        .map(|it| it.channel.id.clone())
        .collect();
    if channels.is_empty() {
        return Err(Failure::Input("the export has no channel".to_owned()));
    }
    Ok(atlas.across(&reader, &channels).await?)
}

/// A question with its answer, each sentence with what it stands on, or why there is none.
pub(crate) fn told(answer: &Answer, loaded: &Loaded) -> String {
    let mut lines = vec![format!("Question  {}", one_line(&answer.turn.question))];
    match answer.outcome() {
        AnswerOutcome::Answered { sentences } => {
            let mut sources: Vec<&Evidence> = Vec::new();
            for sentence in sentences {
                let mut told = one_line(&sentence.text);
                for citation in &sentence.citations {
                    let known = sources.iter().position(|it| **it == citation.evidence);
                    let place = known.unwrap_or_else(|| {
                        sources.push(&citation.evidence);
                        sources.len() - 1
                    });
                    told = format!("{told} [{}]", place + 1);
                }
                lines.push(format!("          {told}"));
            }
            for (place, source) in sources.iter().enumerate() {
                lines.push(format!("      [{}] {}", place + 1, cited(source, loaded)));
            }
        }
        AnswerOutcome::Abstained { reason } => {
            lines.push(format!("          No answer: {}", why(*reason)));
        }
    }
    for degraded in &answer.degraded {
        lines.push(format!("          (incomplete: {})", degraded.reason));
    }
    lines.join("\n") + "\n\n"
}

fn why(reason: AbstentionReason) -> &'static str {
    match reason {
        AbstentionReason::EmptyQuestion => "the question has no words to look for.",
        AbstentionReason::NothingFound => "nothing was found.",
        AbstentionReason::NotAnswered => "what was found does not answer it.",
        AbstentionReason::NotVerified => "no sentence stood the check against its sources.",
        AbstentionReason::CouldNotLook => "a part that is needed did not respond.",
    }
}
