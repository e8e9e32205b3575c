//! What every store refuses, so that adapters refuse it alike.
//!
//! An adapter calls these before it touches what it holds. Each takes the name of the operation
//! for its error.

use std::collections::BTreeSet;

use super::{ChannelScope, Collection, Commit, Epoch, Expect, GraphEntry, GraphItem, Key};
use crate::error::{Error, ErrorKind, Result};
use crate::model::Message;

/// Refuses a limit of nought.
///
/// # Errors
///
/// [`ErrorKind::Invalid`].
pub fn limit(limit: usize, op: &'static str) -> Result<()> {
    if limit == 0 {
        return Err(Error::new(ErrorKind::Invalid, op, "the limit is nought"));
    }
    Ok(())
}

/// Refuses what comes from a lower epoch than the current one.
///
/// # Errors
///
/// [`ErrorKind::Fenced`].
pub fn epoch(current: Epoch, given: Epoch, op: &'static str) -> Result<()> {
    if given < current {
        return Err(fenced(current, given, op));
    }
    Ok(())
}

/// The refusal of a writer of another epoch.
pub fn fenced(current: Epoch, given: Epoch, op: &'static str) -> Error {
    Error::new(
        ErrorKind::Fenced,
        op,
        "what was written to is of another epoch",
    )
    .with("epoch", given)
    .with("current", current)
}

/// Refuses a message that does not belong to the channel or has no id.
///
/// # Errors
///
/// [`ErrorKind::Invalid`].
pub fn message(channel: &ChannelScope, message: &Message, op: &'static str) -> Result<()> {
    let id = &message.id;
    let fault = if id.channel != *channel.channel() {
        "a message of another channel"
    } else if id.native.as_str().is_empty() || id.source.as_str().is_empty() {
        "a message without an id"
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::Invalid, op, fault).with("message", id))
}

/// Refuses a key without a collection or an id.
///
/// # Errors
///
/// [`ErrorKind::Invalid`].
pub fn key(key: &Key, op: &'static str) -> Result<()> {
    collection(&key.collection, op)?;
    if key.id.is_empty() {
        return Err(Error::new(ErrorKind::Invalid, op, "a key without an id").with("key", key));
    }
    Ok(())
}

/// Refuses a collection without a name.
///
/// # Errors
///
/// [`ErrorKind::Invalid`].
pub fn collection(collection: &Collection, op: &'static str) -> Result<()> {
    if collection.as_str().trim_start_matches('.').is_empty() {
        return Err(Error::new(
            ErrorKind::Invalid,
            op,
            "a collection without a name",
        ));
    }
    Ok(())
}

/// Refuses a commit that writes a key twice, or names a key without a collection or an id.
///
/// # Errors
///
/// [`ErrorKind::Invalid`].
pub fn commit(commit: &Commit, op: &'static str) -> Result<()> {
    let mut written = BTreeSet::new();
    let puts = commit.puts.iter().map(|(key, _)| key);
    for name in puts.chain(&commit.deletes) {
        key(name, op)?;
        if !written.insert(name) {
            return Err(
                Error::new(ErrorKind::Invalid, op, "a key is written twice").with("key", name)
            );
        }
    }
    commit
        .expects
        .iter()
        .map(Expect::key)
        .try_for_each(|name| key(name, op))
}

/// Refuses a node of another channel, and what has no id.
///
/// # Errors
///
/// [`ErrorKind::Invalid`].
pub fn graph_entry(channel: &ChannelScope, entry: &GraphEntry, op: &'static str) -> Result<()> {
    let fault = match &entry.item {
        Some(GraphItem::Entity(entity)) if entity.channel != *channel.channel() => {
            "an entity of another channel"
        }
        Some(GraphItem::Entity(entity)) if entity.id.as_str().is_empty() => {
            "an entity without an id"
        }
        Some(GraphItem::Relation(relation))
            if [&relation.source, &relation.target]
                .iter()
                .any(|end| end.as_str().is_empty())
                || relation.id.as_str().is_empty() =>
        {
            "a relation without an id or an end"
        }
        Some(_) | None => return Ok(()),
    };
    Err(Error::new(ErrorKind::Invalid, op, fault).with("origin", &entry.origin))
}
