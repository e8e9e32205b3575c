//! Languages.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A BCP 47 primary language tag in lower case, such as `en` or `zh`; `und` where it is unknown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Language(String);

impl Language {
    /// Wraps a tag.
    pub fn new(tag: impl Into<String>) -> Self {
        Self(tag.into().to_lowercase())
    }

    /// The language that is not known.
    pub fn unknown() -> Self {
        Self::new("und")
    }

    /// The tag.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
