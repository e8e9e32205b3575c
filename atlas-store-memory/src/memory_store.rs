//! The store itself: one map a port.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use atlas_core::model::ChannelId;
use atlas_core::ports::{EmbeddingSpace, Partition};
use atlas_core::{Error, ErrorKind, Result};
use atlas_index::MemoryFactIndex;

use crate::graph::Graph;
use crate::message_log::MessageLog;
use crate::shelf::Shelf;

/// All four stores in memory. A clone is another handle on the same stores.
#[derive(Clone, Debug)]
pub struct MemoryStore {
    pub(crate) messages: Arc<Mutex<BTreeMap<ChannelId, MessageLog>>>,
    pub(crate) records: Arc<Mutex<BTreeMap<Partition, Shelf>>>,
    pub(crate) graphs: Arc<Mutex<BTreeMap<ChannelId, Graph>>>,
    pub(crate) index: Arc<MemoryFactIndex>,
}

impl MemoryStore {
    /// Empty stores; the vectors of the index live in the space.
    pub fn new(space: EmbeddingSpace) -> Self {
        Self {
            messages: Arc::default(),
            records: Arc::default(),
            graphs: Arc::default(),
            index: Arc::new(MemoryFactIndex::new(space)),
        }
    }
}

/// Takes the lock of a port.
///
/// # Errors
///
/// [`ErrorKind::Unexpected`] if a thread panicked while it held the lock: what it left behind may
/// be half written.
pub(crate) fn lock<'a, T>(mutex: &'a Mutex<T>, op: &'static str) -> Result<MutexGuard<'a, T>> {
    mutex.lock().map_err(|_poisoned| {
        Error::new(
            ErrorKind::Unexpected,
            op,
            "a thread panicked while it wrote to the store",
        )
    })
}
