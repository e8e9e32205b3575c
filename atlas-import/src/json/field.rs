//! Fields of objects in which any field may be missing or of another type.

use serde_json::Value;

/// The field's text, if it is a string that is not blank.
pub(crate) fn text_of<'a>(object: &'a Value, field: &str) -> Option<&'a str> {
    let text = object.get(field)?.as_str()?;
    (!text.trim().is_empty()).then_some(text)
}

/// The field's list; none if it is anything else.
pub(crate) fn list_of<'a>(object: &'a Value, field: &str) -> &'a [Value] {
    match object.get(field) {
        Some(Value::Array(list)) => list,
        _ => &[],
    }
}

/// The field's object.
pub(crate) fn object_of<'a>(object: &'a Value, field: &str) -> Option<&'a Value> {
    object.get(field).filter(|value| value.is_object())
}

/// Whether the field is `true`.
pub(crate) fn bool_of(object: &Value, field: &str) -> bool {
    object.get(field) == Some(&Value::Bool(true))
}
