//! Calls that fail when a test says so.

mod fact_index;
mod faults;
mod graph_store;
mod message_store;
mod models;
mod record_store;

pub use faults::{Fault, Faults};

/// An adapter whose calls fail as [`Faults`] says.
///
/// It wraps any port, a shared trait object too: `Faulty<Arc<dyn RecordStore>>`. Give clones of one
/// [`Faults`] to the wrappers of all ports, and it counts their calls together; a test then fails
/// call 1, call 2 and so on, and demands that a second run reaches what an unbroken one does.
///
/// Calls that do not wait, such as `capabilities`, neither count nor fail.
///
/// ```
/// use std::sync::Arc;
///
/// use atlas_core::ErrorKind;
/// use atlas_core::model::ChannelId;
/// use atlas_core::ports::{Commit, EmbeddingSpace, Partition, RecordStore};
/// use atlas_store_memory::MemoryStore;
/// use atlas_testkit::double::{Fault, Faults, Faulty};
///
/// # let space = EmbeddingSpace {
/// #     model: "none".to_owned(),
/// #     revision: "1".to_owned(),
/// #     dimensions: 4,
/// #     is_normalised: true,
/// # };
/// # futures::executor::block_on(async {
/// let store: Arc<dyn RecordStore> = Arc::new(MemoryStore::new(space));
/// let faults = Faults::default();
/// let store = Faulty::new(store, &faults);
/// faults.set(Fault::at(2, ErrorKind::Unavailable));
///
/// let partition = Partition::Channel(ChannelId::new("c"));
/// assert!(store.head(&partition).await.is_ok());
/// assert!(store.commit(&partition, &Commit::default()).await.is_err());
/// assert!(store.commit(&partition, &Commit::default()).await.is_ok());
/// assert_eq!(faults.n_calls(), 3);
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct Faulty<S> {
    inner: S,
    faults: Faults,
}

impl<S> Faulty<S> {
    /// Wraps an adapter.
    pub fn new(inner: S, faults: &Faults) -> Self {
        Self {
            inner,
            faults: faults.clone(),
        }
    }

    /// The adapter itself, whose calls do not fail.
    pub fn inner(&self) -> &S {
        &self.inner
    }
}
