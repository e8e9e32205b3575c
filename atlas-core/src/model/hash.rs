//! Hashes of content.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind, Result};

/// A BLAKE3 hash in lower-case hexadecimal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentHash(String);

impl ContentHash {
    /// Hashes bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(blake3::hash(bytes).to_hex().to_string())
    }

    /// Hashes parts so that their borders count: `["ab", "c"]` and `["a", "bc"]` differ.
    pub fn of_parts<S: AsRef<str>>(parts: &[S]) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            let part = part.as_ref();
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        Self(hasher.finalize().to_hex().to_string())
    }

    /// The whole hash as text, 64 characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first 32 characters (128 bits): enough to name a thing within a channel.
    pub fn short(&self) -> String {
        self.0.chars().take(32).collect()
    }
}

impl FromStr for ContentHash {
    type Err = Error;

    /// Reads what [`ContentHash::as_str`] gives.
    fn from_str(text: &str) -> Result<Self> {
        match blake3::Hash::from_hex(text) {
            Ok(hash) => Ok(Self(hash.to_hex().to_string())),
            Err(cause) => {
                Err(
                    Error::new(ErrorKind::Corrupt, "ContentHash::from_str", "not a hash")
                        .caused_by(cause),
                )
            }
        }
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({})", self.short())
    }
}
