//! Who tests the tests: each broken adapter is caught by the check that names its defect, and by
//! no other.

#![expect(
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    reason = "a defect is spelled out where it strikes, and nowhere else"
)]

/// One test a defect: the defect, and the checks that it is caught by.
macro_rules! defects {
    ($port:ident $($name:ident: $defect:ident => [$($check:ident),*];)*) => {
        $(
            #[test]
            fn $name() {
                use atlas_testkit::conformance::{$port, run_all};
                let broken = || async { Broken::new(Defect::$defect) };
                let findings = futures::executor::block_on(run_all(broken, $port::checks()));
                let caught: Vec<&str> = findings.iter().map(|it| it.check).collect();
                let expected: [&str; _] = [$(stringify!($check)),*];
                assert_eq!(caught, expected, "{findings:#?}");
            }
        )*
    };
}

mod fact_index;
mod graph_store;
mod message_store;
mod record_store;
