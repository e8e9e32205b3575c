//! The nodes and edges of the graph.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::claim::{Polarity, Span};
use super::hash::ContentHash;
use super::ids::{AuthorId, ChannelId, EntityId, FactId, MessageId, RelationId};
use super::score::UnitScore;
use super::time::{Interval, Timestamp};
use crate::text::normalise_name;

/// What a name names.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum EntityType {
    /// A human being.
    Person,
    /// A group of people within an organisation.
    Team,
    /// A company, association or authority.
    Organization,
    /// A project or piece of work.
    Project,
    /// A product or service that is offered.
    Product,
    /// A tool, language, library or technique.
    Technology,
    /// A place.
    Place,
    /// A meeting, release, incident or other event.
    Event,
    /// A document, page, repository or file.
    Document,
    /// An idea that has a name here.
    Concept,
}

impl EntityType {
    /// The type as a lower-case word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Team => "team",
            Self::Organization => "organization",
            Self::Project => "project",
            Self::Product => "product",
            Self::Technology => "technology",
            Self::Place => "place",
            Self::Event => "event",
            Self::Document => "document",
            Self::Concept => "concept",
        }
    }
}

/// Where in the messages a name or a relation was said.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Sighting {
    /// The message.
    pub message: MessageId,
    /// Where in its text.
    pub span: Span,
    /// When it was said.
    pub sent_at: Timestamp,
}

/// A name that an extractor saw in a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntityClaim {
    /// The name as said.
    pub name: String,
    /// What it names.
    pub kind: EntityType,
    /// Other names that the same words give it.
    pub aliases: Vec<String>,
    /// The platform's id, where the name is a handle or the author.
    pub author: Option<AuthorId>,
    /// Where the name stands.
    pub span: Span,
    /// What the message says of it, by name of the property, such as `role`.
    pub properties: Vec<(String, String)>,
}

/// A relation that an extractor saw in a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RelationClaim {
    /// The name at its start.
    pub source: Mentioned,
    /// The canonical family of the verb, such as `uses` or `works_on`.
    pub family: String,
    /// The verb as said.
    pub verb: String,
    /// The name at its end.
    pub target: Mentioned,
    /// Whether it is said to be so or not so.
    pub polarity: Polarity,
    /// How sure the extractor is.
    pub confidence: UnitScore,
    /// Where it is said.
    pub span: Span,
}

/// A name with its type, as one end of a relation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Mentioned {
    /// The name as said.
    pub name: String,
    /// What it names.
    pub kind: EntityType,
}

/// Something that people name: a node of the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphEntity {
    /// Which entity: [`GraphEntity::id_of`].
    pub id: EntityId,
    /// The channel.
    pub channel: ChannelId,
    /// What it is.
    pub kind: EntityType,
    /// The name that is used most; ties by the name.
    pub name: String,
    /// Every name that it goes by, normalised, in order.
    pub aliases: Vec<String>,
    /// The platform's ids of a person, in order.
    pub authors: Vec<AuthorId>,
    /// What is said of it, each with where.
    pub properties: Vec<Property>,
    /// The facts that mention it, in order of id.
    pub facts: Vec<FactId>,
    /// Where it was named, in order.
    pub sightings: Vec<Sighting>,
}

impl GraphEntity {
    /// The id of the type and the normalised name in a channel.
    pub fn id_of(channel: &ChannelId, kind: EntityType, normalised_name: &str) -> EntityId {
        EntityId::new(
            ContentHash::of_parts(&["entity", channel.as_str(), kind.as_str(), normalised_name])
                .short(),
        )
    }

    /// Every normalised name that it is found by.
    pub fn names(&self) -> BTreeSet<String> {
        let mut names: BTreeSet<String> = self.aliases.iter().cloned().collect();
        names.insert(normalise_name(&self.name));
        names
    }
}

/// What a message says of an entity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Property {
    /// The property, such as `role`.
    pub name: String,
    /// Its value as said.
    pub value: String,
    /// Who says so and when.
    pub sighting: Sighting,
}

/// How two entities are related: an edge of the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphRelation {
    /// Which relation: [`GraphRelation::id_of`].
    pub id: RelationId,
    /// Where it starts.
    pub source: EntityId,
    /// The canonical family of the verb.
    pub family: String,
    /// The verbs as said, in order.
    pub verbs: Vec<String>,
    /// Where it ends.
    pub target: EntityId,
    /// Whether it is said to be so or not so; opposite polarities are two relations.
    pub polarity: Polarity,
    /// The highest confidence of its claims.
    pub confidence: UnitScore,
    /// When it holds: from its first sighting on.
    pub valid: Interval,
    /// Where it is said, in order, never empty.
    pub sightings: Vec<Sighting>,
}

impl GraphRelation {
    /// The id of a relation between two entities of one channel.
    pub fn id_of(
        source: &EntityId,
        family: &str,
        polarity: Polarity,
        target: &EntityId,
    ) -> RelationId {
        let sign = match polarity {
            Polarity::Positive => "+",
            Polarity::Negative => "-",
        };
        RelationId::new(
            ContentHash::of_parts(&["relation", source.as_str(), family, sign, target.as_str()])
                .short(),
        )
    }
}

/// The entities that a fact mentions: the pointer from facts to the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactEntities {
    /// The fact.
    pub fact: FactId,
    /// The entities, in order of id, never none.
    pub entities: Vec<EntityId>,
}
