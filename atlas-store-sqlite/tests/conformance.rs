//! The stores keep the contracts of their ports, opened again in between.

use atlas_core::Result;
use atlas_core::ports::EmbeddingSpace;
use atlas_store_sqlite::{Durability, SqliteSettings, SqliteStore};
use atlas_testkit::conformance::Harness;
use tempfile::TempDir;

/// Stores in folders of their own.
struct Folders;

impl Harness for Folders {
    type Store = SqliteStore;
    type Place = TempDir;

    async fn fresh_place(&self) -> TempDir {
        tempfile::tempdir().unwrap()
    }

    async fn open(&self, place: &TempDir) -> Result<SqliteStore> {
        let space = EmbeddingSpace {
            model: "test".to_owned(),
            revision: "1".to_owned(),
            dimensions: 4,
            is_normalised: false,
        };
        // What an acknowledgement promises when the power fails is not seen here, and waiting for
        // the disk is most of the time.
        let settings = SqliteSettings {
            durability: Durability::Normal,
            ..SqliteSettings::default()
        };
        SqliteStore::open_with(place.path(), space, settings).await
    }

    async fn close(&self, _place: &TempDir, store: SqliteStore) {
        store.close().await;
    }
}

atlas_testkit::message_store_conformance!(Folders);
atlas_testkit::record_store_conformance!(Folders);
atlas_testkit::graph_store_conformance!(Folders);
atlas_testkit::fact_index_conformance!(Folders);
