//! How records become bytes.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::error::{Error, ErrorKind, Result};
use crate::model::{
    AtomicFact, ChannelSummary, Curation, FactEntities, GraphEntity, GraphRelation, Judgement,
    Membership, MessageOutcome, Standing, TopicCluster, TopicSummary, Turn, WikiPage,
};
use crate::ports::{Collection, Key};

/// A record of the model that has a collection, a schema version and an id.
pub trait Stored: Serialize + DeserializeOwned {
    /// Where its records live.
    const COLLECTION: Collection;
    /// The version of its shape; one more for each change that old readers cannot read.
    const SCHEMA: u32;

    /// Its id within the collection.
    fn record_id(&self) -> String;

    /// Its key.
    fn key(&self) -> Key {
        Key::new(Self::COLLECTION, self.record_id())
    }

    /// The key of the record with the id.
    fn key_of(id: impl Into<String>) -> Key {
        Key::new(Self::COLLECTION, id)
    }

    /// Its bytes: JSON with the schema version in front.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unexpected`] if the value does not serialise.
    fn encode(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(&Envelope {
            v: Self::SCHEMA,
            d: self,
        })
        .map_err(|cause| {
            Error::new(
                ErrorKind::Unexpected,
                "Stored::encode",
                "a record does not serialise",
            )
            .with("collection", Self::COLLECTION.as_str())
            .caused_by(cause)
        })
    }

    /// Reads the bytes of [`Stored::encode`].
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`] for bytes that are no such record, [`ErrorKind::Unsupported`] for a
    /// schema version that this build does not know.
    fn decode(bytes: &[u8]) -> Result<Self> {
        let corrupt = |cause: serde_json::Error| {
            Error::new(
                ErrorKind::Corrupt,
                "Stored::decode",
                "a stored record does not decode",
            )
            .with("collection", Self::COLLECTION.as_str())
            .caused_by(cause)
        };
        let Version { v } = serde_json::from_slice(bytes).map_err(corrupt)?;
        if v != Self::SCHEMA {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "Stored::decode",
                "the record was written by another version of Atlas",
            )
            .with("collection", Self::COLLECTION.as_str())
            .with("schema", v)
            .with("known", Self::SCHEMA));
        }
        let envelope: Envelope<Self> = serde_json::from_slice(bytes).map_err(corrupt)?;
        Ok(envelope.d)
    }
}

#[derive(Serialize, Deserialize)]
struct Envelope<T> {
    v: u32,
    d: T,
}

#[derive(Deserialize)]
struct Version {
    v: u32,
}

macro_rules! stored {
    ($($type:ty, $collection:literal, $schema:literal, |$value:ident| $id:expr;)*) => {
        $(impl Stored for $type {
            const COLLECTION: Collection = Collection::literal($collection);
            const SCHEMA: u32 = $schema;

            fn record_id(&self) -> String {
                let $value = self;
                $id
            }
        })*
    };
}

stored! {
    MessageOutcome, "outcome", 1, |it| it.message.record_id();
    AtomicFact, "fact", 1, |it| it.id.to_string();
    Standing, "standing", 1, |it| it.fact.to_string();
    Judgement, "judgement", 1, |it| it.id.to_string();
    GraphEntity, "entity", 1, |it| it.id.to_string();
    FactEntities, "fact_entities", 1, |it| it.fact.to_string();
    GraphRelation, "relation", 1, |it| it.id.to_string();
    TopicCluster, "topic", 1, |it| it.id.to_string();
    Membership, "membership", 1, |it| it.fact.to_string();
    TopicSummary, "topic_summary", 1, |it| it.topic.to_string();
    ChannelSummary, "channel_summary", 1, |_it| "channel".to_owned();
    WikiPage, "page", 1, |it| it.id.to_string();
    Curation, "curation", 1, |it| it.page.to_string();
    Turn, "turn", 1, |it| it.id.to_string();
}
