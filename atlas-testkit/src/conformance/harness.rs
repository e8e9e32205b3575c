//! Where the stores of a suite come from.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use atlas_core::Result;

/// Makes stores, and opens them again.
///
/// A closure such as `|| async { MyStore::new() }` is a harness of stores that are gone with their
/// process. A durable store needs one that says where a store keeps what it holds:
///
/// ```
/// use atlas_core::Result;
/// use atlas_store_memory::MemoryStore;
/// use atlas_testkit::conformance::Harness;
///
/// # use std::sync::atomic::{AtomicU64, Ordering};
/// # struct MyStore;
/// # impl MyStore {
/// #     fn open(_: &std::path::Path) -> Result<Self> { Ok(Self) }
/// # }
/// # struct TempFolder(std::path::PathBuf);
/// # impl TempFolder {
/// #     fn new() -> Self { Self(std::path::PathBuf::new()) }
/// # }
/// struct Folders;
///
/// impl Harness for Folders {
///     type Store = MyStore;
///     type Place = TempFolder;
///
///     async fn fresh_place(&self) -> TempFolder {
///         TempFolder::new()
///     }
///
///     async fn open(&self, place: &TempFolder) -> Result<MyStore> {
///         MyStore::open(&place.0)
///     }
/// }
/// ```
pub trait Harness: Send + Sync + 'static {
    /// What it makes.
    type Store: Send + Sync + 'static;

    /// Where a store keeps what it holds, and whatever has to live as long as the store: the guard
    /// of a folder, the name of a schema. It is dropped after the store.
    type Place: Send + Sync + 'static;

    /// A place that holds nothing and that no other store uses.
    fn fresh_place(&self) -> impl Future<Output = Self::Place> + Send;

    /// Opens a store at a place, where another may have been open and was closed.
    fn open(&self, place: &Self::Place) -> impl Future<Output = Result<Self::Store>> + Send;

    /// Closes a store, so that its place can be opened again.
    ///
    /// Dropping it is enough where that frees all that it holds.
    fn close(&self, _place: &Self::Place, store: Self::Store) -> impl Future<Output = ()> + Send {
        async move { drop(store) }
    }

    /// Whether a place that is opened again is the same place.
    ///
    /// Only a harness of stores that are not durable may say no.
    fn can_reopen(&self) -> bool {
        true
    }
}

impl<F, Made> Harness for F
where
    F: Fn() -> Made + Send + Sync + 'static,
    Made: Future<Output: Send + Sync + 'static> + Send,
{
    type Store = Made::Output;
    type Place = ();

    async fn fresh_place(&self) {}

    async fn open(&self, (): &()) -> Result<Made::Output> {
        Ok(self().await)
    }

    fn can_reopen(&self) -> bool {
        false
    }
}

/// A harness whose stores are handed out behind a pointer that others can share.
#[doc(hidden)]
pub struct Shared<H: Harness, T> {
    harness: H,
    share: fn(Arc<H::Store>) -> T,
}

impl<H: Harness, T> Shared<H, T> {
    /// Wraps what the harness makes.
    pub fn new(harness: H, share: fn(Arc<H::Store>) -> T) -> Self {
        Self { harness, share }
    }
}

impl<H: Harness, T> fmt::Debug for Shared<H, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

/// A place, and the store that is open there.
#[doc(hidden)]
pub struct SharedPlace<H: Harness> {
    // Dropped before the place.
    opened: Mutex<Option<Arc<H::Store>>>,
    place: H::Place,
}

impl<H: Harness> fmt::Debug for SharedPlace<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedPlace").finish_non_exhaustive()
    }
}

impl<H: Harness> SharedPlace<H> {
    fn replace(&self, opened: Option<Arc<H::Store>>) -> Option<Arc<H::Store>> {
        let mut slot = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut slot, opened)
    }
}

impl<H: Harness, T: Send + Sync + 'static> Harness for Shared<H, T> {
    type Store = T;
    type Place = SharedPlace<H>;

    async fn fresh_place(&self) -> SharedPlace<H> {
        SharedPlace {
            opened: Mutex::default(),
            place: self.harness.fresh_place().await,
        }
    }

    async fn open(&self, place: &SharedPlace<H>) -> Result<T> {
        let store = Arc::new(self.harness.open(&place.place).await?);
        place.replace(Some(Arc::clone(&store)));
        Ok((self.share)(store))
    }

    async fn close(&self, place: &SharedPlace<H>, store: T) {
        drop(store);
        if let Some(store) = place.replace(None).and_then(Arc::into_inner) {
            self.harness.close(&place.place, store).await;
        }
    }

    fn can_reopen(&self) -> bool {
        self.harness.can_reopen()
    }
}
