//! A value towards its schema: what is meant is kept, and nothing is made up.

use serde_json::{Map, Value};

use crate::llm::schema::{conforms, properties, required, types};

/// Turns a value towards a schema: names in other spellings, one item for a list, words in other
/// cases, text for an object that is hardly more than a text, numbers in quotes. Items of an inner
/// list that cannot be meant are left out; what else cannot be meant stays as it is.
pub(super) fn fit(value: Value, schema: &Value) -> Value {
    turn(value, schema, Depth::Whole)
}

/// Leaves out the items of the outer lists that are not of the schema; how many they are.
pub(super) fn prune(mut value: Value, schema: &Value) -> (Value, usize) {
    let mut n_pruned = 0;
    if let Value::Object(fields) = &mut value {
        for (name, property) in properties(schema) {
            let (Some(Value::Array(items)), Some(of)) =
                (fields.get_mut(name), property.get("items"))
            else {
                continue;
            };
            let before = items.len();
            items.retain(|item| conforms(item, of));
            n_pruned += before - items.len();
        }
    }
    (value, n_pruned)
}

/// Where a value lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// It is the whole reply, or one of its lists.
    Whole,
    /// It lies within an item of such a list.
    Item,
}

fn turn(value: Value, schema: &Value, depth: Depth) -> Value {
    if let Some(Value::Array(variants)) = schema.get("anyOf") {
        return choose(value, variants, depth);
    }
    if let Some(Value::Array(names)) = schema.get("enum") {
        let name = value.as_str().and_then(|said| name_of(said, names));
        return name.cloned().unwrap_or(value);
    }
    let types = types(schema);
    if types.contains("array") {
        return list(value, schema, depth);
    }
    if types.contains("object") {
        return object(value, schema, depth);
    }
    match &value {
        Value::Number(number) if types.contains("string") => Value::String(number.to_string()),
        Value::Bool(truth) if types.contains("string") => Value::String(truth.to_string()),
        Value::String(text) if types.contains("number") => number(text).unwrap_or(value),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => value,
    }
}

/// The first variant that the turned value is of, else the value as it is.
fn choose(value: Value, variants: &[Value], depth: Depth) -> Value {
    for variant in variants {
        let turned = turn(value.clone(), variant, depth);
        if conforms(&turned, variant) {
            return turned;
        }
    }
    value
}

fn list(value: Value, schema: &Value, depth: Depth) -> Value {
    let items = match value {
        Value::Array(items) => items,
        Value::Null => Vec::new(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => vec![value],
    };
    let Some(of) = schema.get("items") else {
        return Value::Array(items);
    };
    let turned = items.into_iter().filter_map(|item| {
        let turned = turn(item.clone(), of, Depth::Item);
        match depth {
            _ if conforms(&turned, of) => Some(turned),
            // It is told as it was said why it cannot be read.
            Depth::Whole => Some(item),
            Depth::Item => None,
        }
    });
    Value::Array(turned.collect())
}

fn object(value: Value, schema: &Value, depth: Depth) -> Value {
    let mut said = match value {
        Value::Object(said) => said,
        Value::String(text) => return only_text(text, schema),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return value,
    };
    let mut fields = Map::new();
    for (name, property) in properties(schema) {
        let is_list = types(property).contains("array");
        let is_nullable = conforms(&Value::Null, property);
        let value = match said.remove(name).or_else(|| by_spelling(&mut said, name)) {
            Some(Value::Null) | None if is_list => Value::Array(Vec::new()),
            Some(Value::Null) | None if is_nullable => Value::Null,
            // A null that is not meant is as good as nothing.
            Some(Value::Null) | None => continue,
            Some(value) => value,
        };
        let turned = turn(value, property, depth);
        // What is there and cannot be meant is no more than nothing, where nothing is allowed.
        let may_go = is_nullable && !conforms(&turned, property);
        fields.insert(name.clone(), if may_go { Value::Null } else { turned });
    }
    Value::Object(fields)
}

/// Takes the field whose name is the same but for case, spaces, hyphens and underscores.
fn by_spelling(said: &mut Map<String, Value>, name: &str) -> Option<Value> {
    let other = said.keys().find(|it| letters(it) == letters(name))?.clone();
    said.remove(&other)
}

/// An object that needs nothing but one text, from that text.
fn only_text(text: String, schema: &Value) -> Value {
    let fields: Map<String, Value> = properties(schema)
        .filter(|(_, property)| types(property).contains("array"))
        .map(|(name, _)| (name.clone(), Value::Array(Vec::new())))
        .collect();
    let mut needed = required(schema).filter(|name| !fields.contains_key(*name));
    let (Some(name), None) = (needed.next(), needed.next()) else {
        return Value::String(text);
    };
    let mut fields = fields;
    fields.insert(name.to_owned(), Value::String(text.clone()));
    let fields = Value::Object(fields);
    if conforms(&fields, schema) {
        fields
    } else {
        Value::String(text)
    }
}

fn number(text: &str) -> Option<Value> {
    let number: serde_json::Number = serde_json::from_str(text.trim()).ok()?;
    Some(Value::Number(number))
}

fn name_of<'a>(said: &str, names: &'a [Value]) -> Option<&'a Value> {
    names.iter().find(|it| {
        it.as_str()
            .is_some_and(|name| letters(name) == letters(said))
    })
}

/// A name without what spellings differ in.
pub(super) fn letters(name: &str) -> String {
    name.chars()
        .filter(|it| it.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}
