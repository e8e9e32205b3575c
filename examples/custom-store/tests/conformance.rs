//! The store keeps the contract of its port.

#![expect(clippy::expect_used, reason = "a test fails by it")]

use atlas_core::Result;
use atlas_testkit::conformance::Harness;
use custom_store::JsonGraphStore;
use tempfile::TempDir;

/// A folder for each store, which is gone with it.
struct Folders;

impl Harness for Folders {
    type Store = JsonGraphStore;
    type Place = TempDir;

    async fn fresh_place(&self) -> TempDir {
        TempDir::new().expect("a folder for a store")
    }

    async fn open(&self, folder: &TempDir) -> Result<JsonGraphStore> {
        JsonGraphStore::open(folder.path().join("graphs.json"))
    }
}

atlas_testkit::graph_store_conformance!(Folders);
