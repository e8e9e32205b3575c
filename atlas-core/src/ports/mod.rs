//! The traits that adapters implement, and what passes through them.
//!
//! Truth: [`MessageStore`] and [`RecordStore`]. Derived, and built again from the feeds at any
//! time: [`FactIndex`] and [`GraphStore`]. Models: [`LlmProvider`] and [`Embedder`]. Platforms:
//! [`MessageSource`].
//!
//! Every port is object-safe, takes `&self`, works in batches, takes the partition or the scope
//! first, and lists its contract in numbered clauses. Those of stores and models are each one check
//! of the suite in `atlas-testkit`.

mod arrival;
pub mod check;
mod clock;
mod embedder;
mod epoch;
mod fact_index;
mod graph_store;
mod llm_provider;
mod message_source;
mod message_store;
mod record_ext;
mod record_store;
mod scope;
mod visibility;

pub use arrival::{Arrival, Held};
pub use clock::{Clock, SystemClock};
pub use embedder::{Embedder, EmbedderExt, EmbeddingSpace, Purpose};
pub use epoch::{Cursor, Epoch, Residue, Revision, Sequence};
pub use fact_index::{
    Batch, Document, DocumentKind, FactIndex, FactIndexCapabilities, FactIndexStats, Filter,
    IndexEntry, IndexHit, Leg, SearchRequest,
};
pub use graph_store::{
    GraphEntry, GraphItem, GraphStats, GraphStore, GraphStoreCapabilities, NameQuery, Neighbour,
    Walk,
};
pub use llm_provider::{
    Completion, CompletionEvent, CompletionRequest, CompletionStream, FinishReason,
    LlmCapabilities, LlmProvider, ModelChoice, ModelParameters, Usage,
};
pub use message_source::{
    HistoryCursor, MessageSource, SourceCapabilities, SourceGap, SourcePage, ThreadHead,
};
pub use message_store::{
    Appended, MessageStore, MessageStoreCapabilities, MessageStoreExt, ReadCursor, StoredMessage,
};
pub use record_ext::{CommitBuilder, RecordStoreExt, Versioned};
pub use record_store::{
    Change, Collection, Commit, Expect, Feed, GoneReason, Head, Key, Listing, Partition,
    PartitionKind, Record, RecordStore, RecordStoreCapabilities,
};
pub use scope::{
    Access, AccessPolicy, AllowAll, Authorizer, ChannelScope, DenyAll, Principal, Scope,
};
pub use visibility::{DocumentState, LifecycleView, Visibility};
