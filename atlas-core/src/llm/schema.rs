//! The JSON schema of a reply, in the part of JSON Schema that every endpoint takes.
//!
//! Endpoints that keep to a schema know few of its words: one type a value, enumerations, objects
//! in which every property is required and no other is allowed, and `null` for what is not there.
//! [`strict`] writes a type's schema in those words and no others. [`shape`] is the same with what
//! a reply may leave out left out of `required`: that is what replies are read by.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The words of JSON Schema that are written, and no others.
const WORDS: [&str; 7] = [
    "type",
    "description",
    "properties",
    "required",
    "items",
    "enum",
    "anyOf",
];

/// The schema of a type as endpoints take it.
pub fn strict<T: JsonSchema>() -> Value {
    let mut schema = shape::<T>();
    demand_all(&mut schema);
    schema
}

/// The schema of a type as replies are read by it.
pub fn shape<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    plain(
        settings
            .into_generator()
            .into_root_schema_for::<T>()
            .as_value(),
    )
}

/// Keeps the words that are known, and writes alternatives of constants as an enumeration.
fn plain(schema: &Value) -> Value {
    let Value::Object(words) = schema else {
        // `true` and `false` are schemas too: of anything, and of nothing.
        return json!({});
    };
    let mut kept = Map::new();
    for (word, value) in words
        .iter()
        .filter(|(word, _)| WORDS.contains(&word.as_str()))
    {
        let value = match (word.as_str(), value) {
            ("properties", Value::Object(properties)) => properties
                .iter()
                .map(|(name, property)| (name.clone(), plain(property)))
                .collect(),
            ("items", items) => plain(items),
            ("anyOf", Value::Array(variants)) => variants.iter().map(plain).collect(),
            ("description", Value::String(text)) => Value::String(unwrapped(text)),
            (_, value) => value.clone(),
        };
        kept.insert(word.clone(), value);
    }
    if let Some(Value::Array(variants)) = words.get("oneOf") {
        let (names, rest) = constants(variants);
        if rest.is_empty() {
            kept.insert("type".to_owned(), json!("string"));
            kept.insert("enum".to_owned(), Value::Array(names));
        } else {
            kept.insert("anyOf".to_owned(), rest.into_iter().map(plain).collect());
        }
    }
    apart(kept)
}

/// Writes an object or a list that may be null as one of two: some endpoints know several types
/// only for plain values.
fn apart(mut words: Map<String, Value>) -> Value {
    let is_plain = !words.contains_key("properties") && !words.contains_key("items");
    let Some(Value::Array(types)) = words.get("type").filter(|_| !is_plain) else {
        return Value::Object(words);
    };
    let (nulls, others): (Vec<_>, Vec<_>) = types.iter().cloned().partition(|it| *it == "null");
    match others.as_slice() {
        [only] if !nulls.is_empty() => {
            words.insert("type".to_owned(), only.clone());
            json!({"anyOf": [words, {"type": "null"}]})
        }
        _ => Value::Object(words),
    }
}

/// A description on one line, as it was before it was wrapped.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The names among the variants, and the variants that are more than a name.
fn constants(variants: &[Value]) -> (Vec<Value>, Vec<&Value>) {
    let mut names = Vec::new();
    let mut rest = Vec::new();
    for variant in variants {
        match (variant.get("const"), variant.get("enum")) {
            (Some(name), _) => names.push(name.clone()),
            (None, Some(Value::Array(several))) => names.extend(several.iter().cloned()),
            (None, _) => rest.push(variant),
        }
    }
    (names, rest)
}

/// Requires every property of every object and allows no other.
fn demand_all(schema: &mut Value) {
    let Value::Object(words) = schema else { return };
    if let Some(Value::Object(properties)) = words.get_mut("properties") {
        properties.values_mut().for_each(demand_all);
        let names: Vec<Value> = properties.keys().map(|it| json!(it)).collect();
        words.insert("required".to_owned(), Value::Array(names));
        words.insert("additionalProperties".to_owned(), json!(false));
    }
    if let Some(items) = words.get_mut("items") {
        demand_all(items);
    }
    if let Some(Value::Array(variants)) = words.get_mut("anyOf") {
        variants.iter_mut().for_each(demand_all);
    }
}

/// What keeps a schema from being taken by an endpoint that is strict: each with its path; nothing
/// if it is sound.
pub fn faults(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    look(schema, "$", &mut found);
    if schema.get("type") != Some(&json!("object")) {
        found.push("$: the whole is no object".to_owned());
    }
    found
}

fn look(schema: &Value, path: &str, found: &mut Vec<String>) {
    let mut say = |what: String| found.push(format!("{path}: {what}"));
    let Value::Object(words) = schema else {
        say(format!("{schema} is no schema with words"));
        return;
    };
    for word in words.keys() {
        if !WORDS.contains(&word.as_str()) && word != "additionalProperties" {
            say(format!("`{word}` is not known everywhere"));
        }
    }
    let types = types(schema);
    if types.is_empty() && !words.contains_key("anyOf") {
        say("anything is allowed".to_owned());
    }
    if types.contains("object") {
        let properties: BTreeSet<&String> = match words.get("properties") {
            Some(Value::Object(properties)) => properties.keys().collect(),
            _ => BTreeSet::new(),
        };
        let required: BTreeSet<&str> = match words.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => BTreeSet::new(),
        };
        if properties.is_empty() {
            say("an object without properties".to_owned());
        }
        if words.get("additionalProperties") != Some(&json!(false)) {
            say("other properties are allowed".to_owned());
        }
        for name in &properties {
            if !required.contains(name.as_str()) {
                say(format!("`{name}` is not required"));
            }
        }
    }
    if types.contains("array") && !words.contains_key("items") {
        say("a list of anything".to_owned());
    }
    if let Some(Value::Object(properties)) = words.get("properties") {
        for (name, property) in properties {
            look(property, &format!("{path}.{name}"), found);
        }
    }
    if let Some(items) = words.get("items") {
        look(items, &format!("{path}[]"), found);
    }
    if let Some(Value::Array(variants)) = words.get("anyOf") {
        for variant in variants {
            look(variant, path, found);
        }
    }
}

/// The types that a schema names.
pub(super) fn types(schema: &Value) -> BTreeSet<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => BTreeSet::from([name.as_str()]),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => BTreeSet::new(),
    }
}

/// Whether a value is one of the schema. What is not required may be missing.
pub(super) fn conforms(value: &Value, schema: &Value) -> bool {
    if let Some(Value::Array(variants)) = schema.get("anyOf") {
        return variants.iter().any(|it| conforms(value, it));
    }
    if let Some(Value::Array(names)) = schema.get("enum") {
        return names.contains(value);
    }
    let types = types(schema);
    match value {
        Value::Null => types.contains("null"),
        Value::Bool(_) => types.contains("boolean"),
        Value::Number(number) => {
            types.contains("number") || (types.contains("integer") && number.is_i64())
        }
        Value::String(_) => types.contains("string"),
        Value::Array(items) => {
            let of = schema.get("items");
            types.contains("array")
                && items
                    .iter()
                    .all(|item| of.is_none_or(|of| conforms(item, of)))
        }
        Value::Object(fields) => {
            types.contains("object")
                && required(schema).all(|name| fields.contains_key(name))
                && properties(schema).all(|(name, property)| {
                    fields.get(name).is_none_or(|it| conforms(it, property))
                })
        }
    }
}

/// The properties of an object's schema.
pub(super) fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten()
}

/// The properties that must be there.
pub(super) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word.
    #[derive(JsonSchema)]
    #[serde(rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum Word {
        /// One.
        OneWord,
        /// Two.
        Two,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Inner {
        n: f32,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Outer {
        /// A text
        /// of two lines.
        text: String,
        word: Word,
        #[serde(default)]
        words: Vec<Word>,
        perhaps: Option<Word>,
        inner: Option<Inner>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Loose {
        pair: (String, String),
        any: Value,
    }

    #[test]
    fn a_strict_schema_has_few_words_and_no_choice() {
        let word = json!({"type": "string", "enum": ["one_word", "two"], "description": "A word."});
        let expected = json!({
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "A text of two lines."},
                "word": word,
                "words": {"type": "array", "items": word},
                "perhaps": {"anyOf": [word, {"type": "null"}]},
                "inner": {"anyOf": [
                    {
                        "type": "object",
                        "properties": {"n": {"type": "number"}},
                        "required": ["n"],
                        "additionalProperties": false,
                    },
                    {"type": "null"},
                ]},
            },
            "required": ["text", "word", "words", "perhaps", "inner"],
            "additionalProperties": false,
        });
        assert_eq!(strict::<Outer>(), expected);
        assert_eq!(faults(&expected), [""; 0]);
        assert_eq!(shape::<Outer>()["required"], json!(["text", "word"]));
    }

    #[test]
    fn what_no_strict_endpoint_takes_is_told() {
        let found = faults(&strict::<Loose>());
        assert_eq!(found.len(), 2, "{found:?}");
        let rows = [
            (json!(true), 2),
            (json!({"type": "string"}), 1),
            (
                json!({"type": "object", "properties": {"a": {"type": "string"}}}),
                2,
            ),
            (json!({"type": "object", "$ref": "#/$defs/A"}), 3),
        ];
        for (schema, n_faults) in rows {
            let found = faults(&schema);
            assert_eq!(found.len(), n_faults, "{schema}: {found:?}");
        }
    }
}
