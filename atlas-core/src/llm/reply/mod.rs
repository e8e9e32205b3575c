//! Replies to values, leniently: models wrap, rename, abbreviate and break off.
//!
//! A reply is looked through for JSON values (`find.rs`); a value is turned, item by item, towards
//! the schema of what was asked for (`fit.rs`); what broke off is cut back to its last whole item
//! (`cut.rs`). What is there is never guessed at: a value that is missing and needed makes its item
//! unreadable, and an unreadable item costs no other.

mod cut;
mod find;
mod fit;
#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::schema;
use crate::error::{Error, ErrorKind, Result};
use find::{Found, find};

/// What was read from a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading<T> {
    /// What was asked for.
    pub value: T,
    /// Whether the reply broke off: what came after the last whole item is missing.
    pub is_cut: bool,
    /// Items that could not be read and are left out.
    pub n_unreadable: usize,
}

/// Reads the value of a whole reply: bare, in a code fence, after thoughts, with prose around it,
/// under another name, or in a likeness of the schema.
///
/// # Errors
///
/// [`ErrorKind::Invalid`] if there is no value of the type in the text, or if it broke off.
pub fn read<T: DeserializeOwned + JsonSchema>(text: &str) -> Result<T> {
    let reading = read_partial::<T>(text)?;
    if reading.is_cut {
        return Err(refusal("the reply broke off"));
    }
    Ok(reading.value)
}

/// Reads the value of a reply, or as much of it as came before it broke off: whole fields, and of
/// its lists whole items.
///
/// The items of what broke off are the first ones of what the whole reply would have had.
///
/// # Errors
///
/// [`ErrorKind::Invalid`] if there is no value of the type in the text, whole or begun.
pub fn read_partial<T: DeserializeOwned + JsonSchema>(text: &str) -> Result<Reading<T>> {
    read_by(text, &schema::shape::<T>())
}

fn read_by<T: DeserializeOwned>(text: &str, shape: &Value) -> Result<Reading<T>> {
    let Found { value, is_cut } =
        find(text, shape).ok_or_else(|| refusal("the reply holds no such value"))?;
    let reading = |value, n_unreadable| Reading {
        value,
        is_cut,
        n_unreadable,
    };
    if let Ok(value) = serde_json::from_value(value.clone()) {
        return Ok(reading(value, 0));
    }
    let (pruned, n_pruned) = fit::prune(value, shape);
    let value = serde_json::from_value(pruned)
        .map_err(|cause| refusal("the reply does not fit").caused_by(cause))?;
    Ok(reading(value, n_pruned))
}

fn refusal(what: &str) -> Error {
    Error::new(ErrorKind::Invalid, "llm::reply", what)
}
