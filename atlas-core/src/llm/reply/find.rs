//! Where in a reply the value stands.

use serde_json::{Map, Value};

use super::cut::whole_part;
use super::fit::{fit, letters};
use crate::llm::schema::{conforms, properties, types};

/// The value of a reply, turned towards its schema.
pub(super) struct Found {
    pub(super) value: Value,
    pub(super) is_cut: bool,
}

/// Finds the value in what was said after thinking: the first whole one of the schema, else the
/// whole part of the one that broke off.
pub(super) fn find(text: &str, schema: &Value) -> Option<Found> {
    let said = after_thoughts(text)?;
    let mut from = 0;
    let mut broken: Option<&str> = None;
    while let Some(at) = said.get(from..)?.find(['{', '[']) {
        let start = from + at;
        let rest = said.get(start..)?;
        // A stream deserialiser stops at the end of the first value: prose after it is no matter.
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                let reading = if broken.is_none() { meant } else { named };
                if let Some(value) = reading(value, schema) {
                    let is_cut = false;
                    return Some(Found { value, is_cut });
                }
                from = start + stream.byte_offset();
            }
            Some(Err(error)) => {
                let sound = sound_part(rest, &error);
                // What begins like a value and goes wrong later is the value, gone wrong.
                if broken.is_none() && whole_part(sound).is_some_and(|it| it.contains('"')) {
                    broken = Some(sound);
                }
                if error.is_eof() {
                    break;
                }
                from = start + 1;
            }
            None => break,
        }
    }
    let value = serde_json::from_str(&whole_part(broken?)?).ok()?;
    Some(Found {
        value: meant(value, schema)?,
        is_cut: true,
    })
}

/// What was said after thinking aloud; none if the thoughts never end.
fn after_thoughts(text: &str) -> Option<&str> {
    const TAGS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    for (opens, closes) in TAGS {
        if text.starts_with(opens) {
            return text
                .find(closes)
                .and_then(|at| text.get(at + closes.len()..));
        }
        // The prompt of some models opens the thoughts, so that the reply only closes them.
        let closed = text
            .find(closes)
            .and_then(|at| text.get(at + closes.len()..));
        if let Some(rest) = closed.filter(|it| it.contains(['{', '['])) {
            return Some(rest);
        }
    }
    Some(text)
}

/// The text before the place where it stops being JSON.
fn sound_part<'a>(text: &'a str, error: &serde_json::Error) -> &'a str {
    if error.is_eof() {
        return text;
    }
    let before: usize = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    let mut end = (before + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// The value that is meant, under its own names or others.
fn meant(value: Value, schema: &Value) -> Option<Value> {
    if let Some(value) = named(value.clone(), schema) {
        return Some(value);
    }
    match value {
        Value::Array(mut items) => {
            let Some(name) = list_for(&items, schema) else {
                // The one value, in a list of its own.
                return items
                    .pop()
                    .filter(|_| items.is_empty())
                    .and_then(|it| named(it, schema));
            };
            let mut fields = Map::new();
            fields.insert(name.to_owned(), Value::Array(items));
            Some(fit(Value::Object(fields), schema))
        }
        Value::Object(said) if is_schema(&said) => None,
        Value::Object(said) => renamed(said, schema),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// The value under its own names, spelt in whatever way; in a likeness of the schema too.
fn named(value: Value, schema: &Value) -> Option<Value> {
    let Value::Object(mut said) = value else {
        return None;
    };
    if is_schema(&said) {
        // What was asked for may stand beside the words of the schema, or in their place.
        let inner = match said.remove("properties") {
            Some(Value::Object(inner)) => inner,
            _ => Map::new(),
        };
        let has_lists = |fields: &Map<String, Value>| {
            properties(schema).any(|(name, _)| fields.get(name).is_some_and(Value::is_array))
        };
        return [said, inner]
            .into_iter()
            .find(has_lists)
            .map(|it| fit(Value::Object(it), schema));
    }
    let is_named = said
        .keys()
        .any(|said| properties(schema).any(|(name, _)| letters(name) == letters(said)));
    is_named.then(|| fit(Value::Object(said), schema))
}

fn is_schema(said: &Map<String, Value>) -> bool {
    let says = |word: &str| said.contains_key(word);
    says("$defs") || says("$schema") || (says("properties") && says("type"))
}

/// The value under other names: in an envelope, or with its lists called otherwise.
fn renamed(said: Map<String, Value>, schema: &Value) -> Option<Value> {
    let mut fields = Map::new();
    let mut inner = Vec::new();
    for (_, value) in said {
        match value {
            Value::Array(items) => {
                let name = list_for(&items, schema)?.to_owned();
                if fields.insert(name, Value::Array(items)).is_some() {
                    return None;
                }
            }
            Value::Object(_) => inner.push(value),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    match (fields.is_empty(), inner.pop()) {
        (false, None) => Some(fit(Value::Object(fields), schema)),
        (true, Some(only)) if inner.is_empty() => meant(only, schema),
        _ => None,
    }
}

/// The list of the schema that the items belong to: the one of which most of them are.
fn list_for<'a>(items: &[Value], schema: &'a Value) -> Option<&'a str> {
    let lists = properties(schema).filter(|(_, it)| types(it).contains("array"));
    let counted = lists.map(|(name, list)| {
        let of = list.get("items");
        let fitting = items
            .iter()
            .filter(|item| of.is_none_or(|of| conforms(&fit((*item).clone(), of), of)));
        (fitting.count(), name.as_str())
    });
    // Of equals the first, so that the order of the reply does not matter.
    let best = counted.reduce(|best, it| if it.0 > best.0 { it } else { best })?;
    (best.0 > 0 || items.is_empty()).then_some(best.1)
}
