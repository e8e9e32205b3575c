//! A sentence with what is known of it.

use std::collections::BTreeSet;

use atlas_core::extract::when::{self, TimeExpression};
use atlas_core::model::{EntityType, Timestamp};

use crate::names::spot::{Spotted, spot};
use crate::text::plain::{plain, without_links};
use crate::text::sentence::Sentence;
use crate::text::stem::{content_stems, folded_words};

/// Who speaks, when, and among whom.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) speaker: &'a str,
    pub(crate) sent_at: Timestamp,
    /// Seconds that local clocks are ahead of UTC.
    pub(crate) offset: i32,
    /// The names by which the people of the conversation go.
    pub(crate) people: &'a BTreeSet<String>,
}

/// A sentence with what is known of it.
pub(crate) struct Clause<'m> {
    /// The words as they stand in the message.
    pub(crate) quote: &'m str,
    /// The words without marks; all places in this struct are places in it.
    pub(crate) plain: String,
    /// Its words, folded, without web addresses.
    pub(crate) words: Vec<String>,
    /// The stems of its words of matter, in order.
    pub(crate) stems: Vec<String>,
    pub(crate) times: Vec<TimeExpression>,
    pub(crate) names: Vec<Spotted>,
    pub(crate) is_ticked: Option<bool>,
    pub(crate) is_question: bool,
}

impl<'m> Clause<'m> {
    /// Reads a sentence of a message; none if it has no words.
    ///
    /// `times` are those of the whole message.
    pub(crate) fn read(
        message: &'m str,
        sentence: Sentence,
        times: &[TimeExpression],
        scene: Scene<'_>,
    ) -> Option<Self> {
        let quote = sentence.span.of(message)?;
        let plain = plain(quote);
        let bare = without_links(&plain);
        let words = folded_words(&bare);
        if words.is_empty() {
            return None;
        }
        Some(Self {
            quote,
            times: within(message, sentence, times, &plain, scene),
            names: spot(&plain, scene.people),
            stems: content_stems(&bare),
            is_question: super::question::is_question(&plain, &words),
            words,
            plain,
            is_ticked: sentence.is_ticked,
        })
    }

    /// Whether one of the words, folded, stands in it.
    pub(crate) fn says(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Whether the name is that of a person whom the sentence or the conversation knows.
    pub(crate) fn is_person(&self, name: &str, people: &BTreeSet<String>) -> bool {
        people.contains(name)
            || self
                .names
                .iter()
                .any(|it| it.kind == EntityType::Person && it.name.trim_start_matches('@') == name)
    }
}

/// The times of a sentence at their places in its plain form, with the meaning that they have in
/// the whole message: what stands around a sentence may tell whether a date is past or to come.
fn within(
    message: &str,
    sentence: Sentence,
    times: &[TimeExpression],
    plain: &str,
    scene: Scene<'_>,
) -> Vec<TimeExpression> {
    let mut whole = times
        .iter()
        .filter(|it| sentence.span.start <= it.span.start && it.span.end <= sentence.span.end);
    when::find(plain, scene.sent_at, scene.offset)
        .into_iter()
        .map(|own| {
            let words = own.span.of(plain).unwrap_or_default();
            let same = whole.find(|it| it.span.of(message).is_some_and(|it| it == words));
            same.map_or(own, |it| TimeExpression {
                span: own.span,
                ..*it
            })
        })
        .collect()
}
