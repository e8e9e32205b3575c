//! Newtypes for every id.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::hash::ContentHash;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps the text of an id.
            pub fn new(raw: impl Into<String>) -> Self {
                Self(raw.into())
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({:?})"), self.0)
            }
        }
    };
}

id!(
    /// A channel: the unit of containment.
    ChannelId
);
id!(
    /// Where messages come from, such as `slack` or `person`.
    SourceId
);
id!(
    /// A message's id in its own platform.
    NativeId
);
id!(
    /// An author's id in the author's own platform.
    AuthorId
);
id!(
    /// The user on whose behalf something is read or written.
    PrincipalId
);
id!(
    /// A fact: a hash of the channel and the normalised claim.
    FactId
);
id!(
    /// An entity: a hash of the channel, the type and the normalised name.
    EntityId
);
id!(
    /// A relation: a hash of its ends and its verb family.
    RelationId
);
id!(
    /// A judgement: a hash of its pair, verdict and detector.
    JudgementId
);
id!(
    /// A topic: a hash of the channel and its first member.
    TopicId
);
id!(
    /// A wiki page: opaque and stable; the slug is presentation.
    PageId
);
id!(
    /// A turn of a chat session.
    TurnId
);
id!(
    /// What made a value: extractor, detector or writer, with its version and settings.
    Fingerprint
);

impl FactId {
    /// The id of a normalised claim in a channel.
    pub fn of(channel: &ChannelId, normalised_claim: &str) -> Self {
        Self(ContentHash::of_parts(&["fact", channel.as_str(), normalised_claim]).short())
    }
}

/// A message's identity: source, channel and native id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MessageId {
    /// Where it comes from.
    pub source: SourceId,
    /// The channel that it was said in.
    pub channel: ChannelId,
    /// Its id in its own platform.
    pub native: NativeId,
}

impl MessageId {
    /// Names a message.
    pub fn new(source: SourceId, channel: ChannelId, native: NativeId) -> Self {
        Self {
            source,
            channel,
            native,
        }
    }

    /// The id within its channel as one string: two different ids never give the same string.
    pub fn record_id(&self) -> String {
        format!(
            "{}/{}",
            escape(self.source.as_str()),
            escape(self.native.as_str())
        )
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", escape(self.channel.as_str()), self.record_id())
    }
}

/// Escapes `%` and `/`, so that parts joined by `/` can be told apart.
fn escape(part: &str) -> String {
    part.replace('%', "%25").replace('/', "%2F")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_with_slashes_stay_apart() {
        let id = |source: &str, native: &str| {
            MessageId::new(
                SourceId::new(source),
                ChannelId::new("c"),
                NativeId::new(native),
            )
            .record_id()
        };
        assert_ne!(id("a/b", "c"), id("a", "b/c"));
        assert_ne!(id("a%2Fb", "c"), id("a/b", "c"));
    }
}
