//! What an endpoint takes of the dialect.

mod field;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Mutex, PoisonError};

use crate::failure::Refusal;
pub use field::{Field, ReplyFormat};

/// Words by which a refusal says that it does not know or want something, rather than that its
/// value is wrong.
const NOT_TAKEN: [&str; 19] = [
    "unsupported",
    "not supported",
    "not support",
    "unrecognized",
    "unknown",
    "not permitted",
    "not allowed",
    "extra_forbidden",
    "extra fields",
    "unexpected",
    "unavailable",
    "not available",
    "not implemented",
    "not enabled",
    "not accept",
    "deprecated",
    "not recognized",
    "no such field",
    "cannot be used",
];

/// Further words by which a refusal says that a schema will not do.
const WRONG_SCHEMA: [&str; 5] = ["invalid", "failed", "must be", "cannot", "error"];

/// What an endpoint takes of the dialect, for one model.
///
/// The default takes everything. An endpoint that does not is found out by its refusals: a status
/// 400 or 422 that names a field which was sent steps down once, and is remembered.
///
/// ```
/// use atlas_llm_openai::{Dialect, Field, ReplyFormat};
///
/// // A server that knows no schemas and no seeds.
/// let dialect = Dialect::new(ReplyFormat::JsonObject).without(Field::Seed);
/// assert!(!dialect.takes(Field::Seed) && dialect.takes(Field::Temperature));
/// assert_eq!(dialect.to_string(), "json_object-seed");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    format: ReplyFormat,
    refused: BTreeSet<Field>,
}

impl Dialect {
    /// A dialect with every field, and replies asked for so.
    pub fn new(format: ReplyFormat) -> Self {
        Self {
            format,
            refused: BTreeSet::new(),
        }
    }

    /// The same without a field.
    #[must_use]
    pub fn without(mut self, field: Field) -> Self {
        self.refused.insert(field);
        self
    }

    /// How the schema of a reply is asked for.
    pub fn format(&self) -> ReplyFormat {
        self.format
    }

    /// Whether it has the field.
    pub fn takes(&self, field: Field) -> bool {
        !self.refused.contains(&field)
    }

    /// The dialect without what the refusal names; none if that is nothing that was sent and can
    /// be left out.
    pub(crate) fn step_down(&self, refusal: &Refusal, sent: &[Field]) -> Option<Self> {
        if !matches!(refusal.status, 400 | 422) || refusal.names_window() {
            return None;
        }
        let said = format!("{} {}", refusal.code, refusal.message).to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
        let is_not_taken = says(&NOT_TAKEN);
        let is_no_schema = is_not_taken || says(&WRONG_SCHEMA);
        let is_strict = sent.contains(&Field::Strict) && self.takes(Field::Strict);
        // Before the format: a schema that is not strict enough is a schema all the same.
        let mut strict = Field::Strict.names().iter();
        if is_no_schema && is_strict && strict.any(|name| has_word(&said, name)) {
            return Some(self.clone().without(Field::Strict));
        }
        // The field that it names by itself, and only then what it mentions.
        for text in [refusal.field.to_lowercase(), said.clone()] {
            let names = |names: &[&str]| names.iter().any(|name| has_word(&text, name));
            if is_no_schema
                && names(self.format.names())
                && let Some(format) = self.format.lower()
            {
                return Some(Self {
                    format,
                    ..self.clone()
                });
            }
            let mut left = sent.iter().filter(|field| self.takes(**field));
            if is_not_taken && let Some(field) = left.find(|field| names(field.names())) {
                return Some(self.clone().without(*field));
            }
        }
        None
    }

    /// What two calls side by side found out together.
    fn meet(&mut self, other: Self) {
        self.format = self.format.max(other.format);
        self.refused.extend(other.refused);
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.format.as_str())?;
        for field in &self.refused {
            write!(f, "-{}", field.as_str())?;
        }
        Ok(())
    }
}

/// Whether the text has the words, with none of their letters in a longer word.
fn has_word(text: &str, words: &str) -> bool {
    let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(words).any(|(start, found)| {
        let before = text.get(..start).and_then(|it| it.chars().next_back());
        let after = text
            .get(start + found.len()..)
            .and_then(|it| it.chars().next());
        !before.is_some_and(is_of_word) && !after.is_some_and(is_of_word)
    })
}

/// The dialects of an endpoint's models: set by hand, or found out and remembered.
#[derive(Debug, Default)]
pub(crate) struct Dialects {
    /// What was set by hand.
    pub(crate) fixed: Option<Dialect>,
    found: Mutex<BTreeMap<String, Dialect>>,
}

impl Dialects {
    /// The dialect of the model, as far as it is known.
    pub(crate) fn of(&self, model: &str) -> Dialect {
        let found = || {
            let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            found.get(model).cloned()
        };
        self.fixed.clone().or_else(found).unwrap_or_default()
    }

    /// Remembers what was found out of the model.
    pub(crate) fn remember(&self, model: &str, dialect: Dialect) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.entry(model.to_owned()).or_default().meet(dialect);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(code: &str, field: &str, message: &str) -> Refusal {
        Refusal {
            status: 400,
            code: code.to_owned(),
            field: field.to_owned(),
            message: message.to_owned(),
            ..Refusal::default()
        }
    }

    #[track_caller]
    fn check(code: &str, field: &str, message: &str, expected: Option<&str>) {
        let lower = Dialect::default().step_down(&refusal(code, field, message), &Field::ALL);
        let lower = lower.map(|dialect| dialect.to_string());
        assert_eq!(lower.as_deref(), expected, "{code} {field} {message}");
    }

    #[test]
    fn a_refusal_steps_down_by_what_it_names() {
        let parameter = "unsupported_parameter";
        check(parameter, "seed", "", Some("json_schema-seed"));
        check(
            parameter,
            "max_tokens",
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use \
             'max_completion_tokens' instead.",
            Some("json_schema-max_tokens"),
        );
        check(
            "unsupported_value",
            "temperature",
            "'temperature' does not support 0 with this model.",
            Some("json_schema-temperature"),
        );
        check(
            "",
            "body.stream_options",
            "extra_forbidden Extra",
            Some("json_schema-stream_options"),
        );
        check("", "", "Unknown field: top_p", Some("json_schema-top_p"));
        check(
            "",
            "",
            "System role not supported",
            Some("json_schema-system"),
        );
        check(
            "",
            "",
            "streaming is not supported",
            Some("json_schema-stream"),
        );
        check(
            "",
            "",
            "This response_format type is unavailable now",
            Some("json_object"),
        );
        check(
            "",
            "response_format",
            "Invalid schema for response_format",
            Some("json_object"),
        );
        check("", "", "Failed to parse grammar", Some("json_object"));
        check(
            "invalid_json_schema",
            "response_format",
            "'additionalProperties' is required to be supplied and to be false",
            Some("json_schema-strict"),
        );
        check(
            parameter,
            "reasoning_effort",
            "",
            Some("json_schema-reasoning_effort"),
        );
    }

    #[test]
    fn what_is_merely_wrong_is_not_left_out() {
        check(
            "decimal_above_max_value",
            "temperature",
            "Invalid 'temperature'",
            None,
        );
        check("", "", "max_tokens is too large: 5000", None);
        check(
            "",
            "",
            "'max_tokens' is not supported: the maximum context length is 9",
            None,
        );
        check(
            "",
            "",
            "the limit was exceeded, which is not supported",
            None,
        );
        check("", "", "the model is unknown", None);
        check("", "", "", None);
        let mut other = refusal("unsupported_parameter", "seed", "");
        assert!(
            Dialect::default()
                .step_down(&other, &[Field::Temperature])
                .is_none()
        );
        other.status = 500;
        assert!(Dialect::default().step_down(&other, &Field::ALL).is_none());
    }

    #[test]
    fn it_ends_whatever_is_refused() {
        let mut dialect = Dialect::default();
        let names: Vec<&str> = Field::ALL
            .iter()
            .flat_map(|field| field.names())
            .copied()
            .collect();
        let said = format!("unsupported: response_format {}", names.join(" "));
        let mut n_steps = 0;
        while let Some(lower) = dialect.step_down(&refusal("", "", &said), &Field::ALL) {
            assert_ne!(lower, dialect);
            dialect = lower;
            n_steps += 1;
        }
        assert_eq!(n_steps, Field::ALL.len() + 2);
        assert_eq!(dialect.format(), ReplyFormat::Stated);
    }

    #[test]
    fn what_is_found_out_adds_up_and_what_is_set_stays() {
        let mut dialects = Dialects::default();
        dialects.remember("a", Dialect::default().without(Field::Seed));
        dialects.remember("a", Dialect::new(ReplyFormat::JsonObject));
        assert_eq!(dialects.of("a").to_string(), "json_object-seed");
        assert_eq!(dialects.of("b"), Dialect::default());
        dialects.fixed = Some(Dialect::new(ReplyFormat::Tool));
        assert_eq!(dialects.of("a").to_string(), "tool");
    }
}
