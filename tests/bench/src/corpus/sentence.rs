//! Sentences and questions.

use fastrand::Rng;

use super::vocabulary::{Zipf, word};

/// Words that any sentence may hold.
pub(super) const COMMON_WORDS: u32 = 20_000;
/// Topics that are spoken of.
const TOPICS: usize = 40;
/// Words of each topic, beside the common ones.
const TOPIC_WORDS: usize = 40;
/// People who speak and are spoken of.
const PEOPLE: usize = 30;
/// The number of the first word of the first topic.
const FIRST_TOPIC_WORD: usize = 20_000;
/// The number of the first name.
const FIRST_NAME: usize = 30_000;
/// What is done.
const VERBS: [&str; 8] = [
    "uses", "moved", "chose", "reviewed", "dropped", "shipped", "tested", "planned",
];

/// One statement.
#[derive(Debug)]
pub(super) struct Sentence {
    pub(super) text: String,
    pub(super) person: usize,
    pub(super) verb: &'static str,
    pub(super) subject: String,
    pub(super) value: String,
}

impl Sentence {
    /// Draws a sentence; its number stands in it, so that no other is the same.
    pub(super) fn draw(rng: &mut Rng, zipf: &Zipf, number: usize) -> Self {
        let topic = rng.usize(..TOPICS);
        let person = rng.usize(..PEOPLE);
        let verb = rng.choice(VERBS).unwrap_or("uses");
        let subject = topic_word(rng, topic);
        let value = topic_word(rng, topic);
        let text = format!(
            "{} {verb} the {subject} {value} for {} and {} because {} {} needs {} in ticket {number}.",
            self::person(person),
            common(rng, zipf),
            common(rng, zipf),
            topic_word(rng, topic),
            common(rng, zipf),
            common(rng, zipf),
        );
        Self {
            text,
            person,
            verb,
            subject,
            value,
        }
    }
}

/// Draws a question: on two words of a topic, a common word and sometimes a person.
pub(super) fn question(rng: &mut Rng, zipf: &Zipf) -> String {
    let topic = rng.usize(..TOPICS);
    let verb = rng.choice(VERBS).unwrap_or("uses");
    let [first, second] = [(); 2].map(|()| topic_word(rng, topic));
    let common = common(rng, zipf);
    if rng.bool() {
        let person = person(rng.usize(..PEOPLE));
        format!("What did {person} say of the {first} {second} for {common}?")
    } else {
        format!("Who {verb} the {first} {second} for {common}?")
    }
}

/// The name of a person.
pub(super) fn person(number: usize) -> String {
    let mut letters = word(FIRST_NAME + number).chars().collect::<Vec<_>>();
    if let Some(first) = letters.first_mut() {
        first.make_ascii_uppercase();
    }
    letters.into_iter().collect()
}

fn common(rng: &mut Rng, zipf: &Zipf) -> String {
    word(zipf.at(rng.f64()))
}

/// A word of the topic, the first ones more often.
fn topic_word(rng: &mut Rng, topic: usize) -> String {
    let place = rng.usize(..TOPIC_WORDS).min(rng.usize(..TOPIC_WORDS));
    word(FIRST_TOPIC_WORD + topic * TOPIC_WORDS + place)
}
