//! Ids and hashes.

use atlas_core::model::{
    AuthorId, ChannelId, ContentHash, EntityId, FactId, Fingerprint, JudgementId, MessageId,
    NativeId, PageId, PrincipalId, RelationId, SourceId, TopicId, TurnId,
};
use proptest::prelude::*;

use super::arb_name;

macro_rules! arb_ids {
    ($($(#[$doc:meta])* $vis:vis fn $name:ident -> $id:ty;)*) => {
        $(
            $(#[$doc])*
            $vis fn $name() -> impl Strategy<Value = $id> {
                arb_name().prop_map(<$id>::new)
            }
        )*
    };
}

arb_ids! {
    /// The id of a channel.
    pub fn arb_channel_id -> ChannelId;
    /// The id of an author.
    pub fn arb_author_id -> AuthorId;
    /// The id of a user.
    pub fn arb_principal_id -> PrincipalId;
    /// The id of a fact.
    pub fn arb_fact_id -> FactId;
    /// The id of an entity.
    pub fn arb_entity_id -> EntityId;
    /// The id of a relation.
    pub fn arb_relation_id -> RelationId;
    /// The id of a topic.
    pub fn arb_topic_id -> TopicId;
    /// The id of a page.
    pub fn arb_page_id -> PageId;
    /// The id of a turn.
    pub fn arb_turn_id -> TurnId;
    /// The name of an extractor, detector or writer.
    pub fn arb_fingerprint -> Fingerprint;
    pub(super) fn arb_judgement_id -> JudgementId;
    pub(super) fn arb_native_id -> NativeId;
    fn arb_source_id -> SourceId;
}

/// The id of a message of any channel.
pub fn arb_message_id() -> impl Strategy<Value = MessageId> {
    (arb_source_id(), arb_channel_id(), arb_native_id())
        .prop_map(|(source, channel, native)| MessageId::new(source, channel, native))
}

/// The hash of any content.
pub fn arb_content_hash() -> impl Strategy<Value = ContentHash> {
    any::<[u8; 8]>().prop_map(|bytes| ContentHash::of(&bytes))
}
