//! Who tests the tests: each broken adapter is caught by the checks that its row names, and by no
//! other, and for each check there is one that it alone catches: without the check it would pass.

#![expect(
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    reason = "a defect is spelled out where it strikes, and nowhere else"
)]

use atlas_core::Result;
use atlas_store_memory::MemoryStore;
use atlas_testkit::conformance::Harness;

use crate::memory::store;

/// A defect by name, and the checks that catch it.
type Row = (&'static str, &'static [&'static str]);

/// A harness of adapters over a store that outlives them, as a file outlives who opened it.
struct Kept<F>(F);

impl<F, A> Harness for Kept<F>
where
    F: Fn(MemoryStore) -> A + Send + Sync + 'static,
    A: Send + Sync + 'static,
{
    type Store = A;
    type Place = MemoryStore;

    async fn fresh_place(&self) -> MemoryStore {
        store()
    }

    async fn open(&self, place: &MemoryStore) -> Result<A> {
        Ok((self.0)(place.clone()))
    }
}

/// One test a defect: the defect, and the checks that it is caught by.
///
/// The first rows are of adapters that are gone with their process, the second of adapters that
/// say that they are durable and are opened again.
macro_rules! defects {
    (
        $port:ident: [$($name:ident: $defect:ident => [$($check:ident),*];)*]
        opened again: [$($kept:ident: $forgets:ident => [$($sees:ident),*];)*]
    ) => {
        /// Every defect of this port.
        pub(super) const ROWS: &[super::Row] = &[
            $((stringify!($name), &[$(stringify!($check)),*]),)*
            $((stringify!($kept), &[$(stringify!($sees)),*]),)*
        ];

        /// The checks of this port.
        pub(super) fn checks() -> Vec<&'static str> {
            let checks = atlas_testkit::conformance::$port::checks::<fn() -> std::future::Ready<Broken>>();
            checks.iter().map(|it| it.name()).collect()
        }

        $(
            #[test]
            fn $name() {
                let broken = || async { Broken::of(Defect::$defect) };
                defects!(@caught $port, broken, [$($check),*]);
            }
        )*
        $(
            #[test]
            fn $kept() {
                let broken = crate::self_test::Kept(|store| Broken::over(store, Defect::$forgets));
                defects!(@caught $port, broken, [$($sees),*]);
            }
        )*
    };
    (@caught $port:ident, $broken:expr, [$($check:ident),*]) => {
        use atlas_testkit::conformance::{$port, run_all};
        let findings = futures::executor::block_on(run_all($broken, $port::checks()));
        let caught: Vec<&str> = findings.iter().map(|it| it.check).collect();
        let expected: [&str; _] = [$(stringify!($check)),*];
        assert_eq!(caught, expected, "{findings:#?}");
    };
}

mod coverage;
mod embedder;
mod fact_index;
mod graph_store;
mod llm_provider;
mod message_store;
mod record_store;
