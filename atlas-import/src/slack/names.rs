//! Who and what the ids of an export stand for.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::json::{bool_of, object_of, text_of};

/// Slack's own voice, which few lists of users have.
const SLACKBOT: &str = "USLACKBOT";

/// A member, guest or bot user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct User {
    /// The real name, else the display name, else the handle.
    pub(super) name: String,
    /// The name to type after `@`, if it is known.
    pub(super) handle: Option<String>,
    pub(super) is_bot: bool,
}

impl User {
    /// Reads an entry of the list of users, or the profile that a message carries.
    pub(super) fn read(entry: &Value) -> Option<Self> {
        let profile = object_of(entry, "profile").unwrap_or(&Value::Null);
        let display_name = text_of(profile, "display_name").or(text_of(entry, "display_name"));
        let user_name = text_of(entry, "name");
        let real_name = text_of(profile, "real_name").or(text_of(entry, "real_name"));
        let name = real_name.or(display_name).or(user_name)?;
        Some(Self {
            name: name.trim().to_owned(),
            handle: display_name
                .or(user_name)
                .map(|handle| handle.trim().to_owned()),
            is_bot: bool_of(entry, "is_bot"),
        })
    }
}

/// The names of the people and channels of an export.
#[derive(Clone, Debug)]
pub(super) struct Names {
    users: BTreeMap<String, User>,
    channels: BTreeMap<String, String>,
}

impl Default for Names {
    fn default() -> Self {
        let slackbot = User {
            name: "Slackbot".to_owned(),
            handle: None,
            is_bot: true,
        };
        Self {
            users: BTreeMap::from([(SLACKBOT.to_owned(), slackbot)]),
            channels: BTreeMap::new(),
        }
    }
}

impl Names {
    /// Adds an entry of `users.json`.
    pub(super) fn add_user(&mut self, entry: &Value) {
        if let (Some(id), Some(mut user)) = (text_of(entry, "id"), User::read(entry)) {
            user.is_bot |= id == SLACKBOT;
            self.users.insert(id.to_owned(), user);
        }
    }

    /// Adds a channel.
    pub(super) fn add_channel(&mut self, id: &str, name: &str) {
        self.channels.insert(id.to_owned(), name.to_owned());
    }

    /// The user of the id.
    pub(super) fn user(&self, id: &str) -> Option<&User> {
        self.users.get(id)
    }

    /// The name of the channel, without `#`.
    pub(super) fn channel(&self, id: &str) -> Option<&str> {
        self.channels.get(id).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_real_name_goes_before_the_handle() {
        let rows = [
            (
                json!({"name": "morgan", "profile": {"real_name": "Morgan Lee", "display_name": "mo"}}),
                "Morgan Lee mo",
            ),
            (
                json!({"name": "morgan", "real_name": "Morgan Lee", "profile": null}),
                "Morgan Lee morgan",
            ),
            (
                json!({"name": "morgan", "real_name": "", "profile": {"real_name": " "}}),
                "morgan morgan",
            ),
            (
                json!({"profile": {"display_name": "mo"}, "name": 7}),
                "mo mo",
            ),
            (json!({"id": "U1"}), ""),
            (json!([]), ""),
        ];
        for (entry, expected) in rows {
            let found = User::read(&entry)
                .map(|user| format!("{} {}", user.name, user.handle.unwrap_or_default()));
            assert_eq!(found.unwrap_or_default(), expected, "{entry}");
        }
    }
}
