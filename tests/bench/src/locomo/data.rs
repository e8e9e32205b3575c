//! The conversations as they come.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use atlas_core::model::Timestamp;
use serde::Deserialize;
use serde_json::Value;

const MINUTE: i64 = 60 * 1_000_000;
/// A conversation has fewer sessions than this.
const MAX_SESSIONS: usize = 200;

/// A conversation with its questions.
#[derive(Debug)]
pub(crate) struct Conversation {
    /// Its place in the file, from 1.
    pub(crate) number: usize,
    /// Its turns, in order.
    pub(crate) turns: Vec<Turn>,
    pub(crate) questions: Vec<Question>,
}

/// A turn.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) id: String,
    pub(crate) session: usize,
    pub(crate) speaker: String,
    /// Its words, and the caption of its image.
    pub(crate) text: String,
    /// The session's date as the file has it.
    pub(crate) date: String,
    pub(crate) at: Timestamp,
}

/// A question.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) category: u8,
    /// The places of the turns that answer it; never empty.
    pub(crate) gold: BTreeSet<usize>,
}

impl Conversation {
    /// The sessions of turns, each once, in order of their first turn.
    pub(crate) fn sessions_of(&self, turns: &[usize]) -> Vec<usize> {
        let mut sessions = Vec::new();
        for turn in turns.iter().filter_map(|it| self.turns.get(*it)) {
            if !sessions.contains(&turn.session) {
                sessions.push(turn.session);
            }
        }
        sessions
    }

    /// The sessions that answer a question.
    pub(crate) fn gold_sessions(&self, question: &Question) -> BTreeSet<usize> {
        let turns = question.gold.iter().filter_map(|it| self.turns.get(*it));
        turns.map(|it| it.session).collect()
    }
}

#[derive(Deserialize)]
struct RawConversation {
    conversation: BTreeMap<String, Value>,
    qa: Vec<RawQuestion>,
}

#[derive(Deserialize)]
struct RawTurn {
    speaker: String,
    dia_id: String,
    text: String,
    #[serde(default)]
    blip_caption: Option<String>,
}

#[derive(Deserialize)]
struct RawQuestion {
    question: String,
    #[serde(default)]
    evidence: Vec<String>,
    category: u8,
}

/// Reads the file. Questions without a turn that is there are left out.
///
/// # Errors
///
/// What does not have the form of `LoCoMo`.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Conversation>> {
    let raw: Vec<RawConversation> = serde_json::from_slice(bytes)?;
    raw.into_iter()
        .zip(1..)
        .map(|(raw, number)| {
            conversation(number, raw).with_context(|| format!("conversation {number}"))
        })
        .collect()
}

fn conversation(number: usize, mut raw: RawConversation) -> Result<Conversation> {
    let mut turns = Vec::new();
    for session in 1..MAX_SESSIONS {
        let Some(said) = raw.conversation.remove(&format!("session_{session}")) else {
            continue;
        };
        let date: String = raw
            .conversation
            .get(&format!("session_{session}_date_time"))
            .and_then(Value::as_str)
            .context("a session without a date")?
            .to_owned();
        let start = instant(&date)?;
        let said: Vec<RawTurn> = serde_json::from_value(said)?;
        for (turn, minute) in said.into_iter().zip(0..) {
            let caption = turn.blip_caption.map(|it| format!(" {it}"));
            turns.push(Turn {
                id: turn.dia_id,
                session,
                speaker: turn.speaker,
                text: turn.text + &caption.unwrap_or_default(),
                date: date.clone(),
                at: start.saturating_add_micros(minute * MINUTE),
            });
        }
    }
    let places: BTreeMap<&str, usize> = turns
        .iter()
        .enumerate()
        .map(|(at, turn)| (turn.id.as_str(), at))
        .collect();
    let questions = raw.qa.into_iter().map(|it| Question {
        text: it.question,
        category: it.category,
        gold: it
            .evidence
            .iter()
            .flat_map(|text| turn_ids(text))
            .filter_map(|id| places.get(id.as_str()).copied())
            .collect(),
    });
    let questions = questions.filter(|it| !it.gold.is_empty()).collect();
    Ok(Conversation {
        number,
        turns,
        questions,
    })
}

/// The turn ids in a text, however they are put together: `D8:6; D9:17`, `D30:05`.
fn turn_ids(text: &str) -> Vec<String> {
    let runs = text.split(|c: char| !c.is_ascii_digit() && c != 'D' && c != ':');
    let id = |run: &str| {
        let (session, turn) = run.trim_start_matches('D').split_once(':')?;
        let session: u32 = session.parse().ok()?;
        let turn: u32 = turn.parse().ok()?;
        Some(format!("D{session}:{turn}"))
    };
    runs.filter_map(id).collect()
}

/// `1:56 pm on 8 May, 2023`, taken for UTC.
fn instant(text: &str) -> Result<Timestamp> {
    let civil = jiff::civil::DateTime::strptime("%I:%M %p on %d %B, %Y", text)
        .with_context(|| format!("not a date: {text}"))?;
    let instant = jiff::tz::Offset::UTC.to_timestamp(civil)?;
    Ok(Timestamp::from_micros(instant.as_microsecond())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_however_they_are_put_together() {
        for (text, expected) in [
            ("D1:3", vec!["D1:3"]),
            ("D8:6; D9:17", vec!["D8:6", "D9:17"]),
            ("D9:1 D4:4 D4:6", vec!["D9:1", "D4:4", "D4:6"]),
            ("D30:05", vec!["D30:5"]),
            ("D", vec![]),
            ("D:11:26", vec![]),
        ] {
            assert_eq!(turn_ids(text), expected, "{text}");
        }
    }

    #[test]
    fn a_conversation_is_read_with_its_captions_and_minutes() {
        let text = r#"[{"conversation": {"session_2_date_time": "12:05 am on 8 May, 2023",
            "session_2": [{"speaker": "A", "dia_id": "D2:1", "text": "Hi"},
                {"speaker": "B", "dia_id": "D2:2", "text": "See", "blip_caption": "a dog"}]},
            "qa": [{"question": "What?", "evidence": ["D2:2"], "category": 4},
                {"question": "Nothing?", "evidence": ["D7:1"], "category": 1}]}]"#;
        let all = read(text.as_bytes()).unwrap();
        let read = all.first().unwrap();
        let turn = read.turns.get(1).unwrap();
        assert_eq!((turn.text.as_str(), turn.session), ("See a dog", 2));
        assert_eq!(turn.at, "2023-05-08T00:06:00Z".parse().unwrap());
        let gold: Vec<_> = read.questions.iter().map(|it| it.gold.clone()).collect();
        assert_eq!(gold, [BTreeSet::from([1])]);
    }
}
