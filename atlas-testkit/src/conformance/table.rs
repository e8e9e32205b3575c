//! What the table of a port expands to.

/// Makes the list of checks of a port from its table.
macro_rules! checks_from_table {
    ([$port:ident, store] $($name:ident: $clause:literal;)*) => {
        checks_from_table! {
            [
                $port,
                |store| atlas_core::ports::$port::capabilities(store).durable,
                |fixture, check| Box::pin(check(fixture)),
            ]
            $($name: $clause;)*
        }
    };
    ([$port:ident, model] $($name:ident: $clause:literal;)*) => {
        checks_from_table! {
            [
                $port,
                |_| false,
                |fixture, check| Box::pin(fixture.with_store(check)),
            ]
            $($name: $clause;)*
        }
    };
    ([$port:ident, $is_durable:expr, |$fixture:ident, $check:ident| $body:expr,] $($name:ident: $clause:literal;)*) => {
        /// The checks of this port one by one, named as their tests are.
        #[doc(hidden)]
        pub mod check {
            use $crate::conformance::{Check, Harness};

            $(
                /// The check of this clause.
                pub fn $name<H: Harness<Store: atlas_core::ports::$port>>() -> Check<H> {
                    Check::new((stringify!($name), $clause), $is_durable, |$fixture| {
                        let $check = super::$name;
                        $body
                    })
                }
            )*
        }

        /// The checks of this port, in the order of its clauses.
        pub fn checks<H: $crate::conformance::Harness<Store: atlas_core::ports::$port>>()
        -> Vec<$crate::conformance::Check<H>> {
            vec![$(check::$name()),*]
        }
    };
}

/// Makes one test a clause, and one that runs all of them through `Arc<dyn Port>`.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_tests {
    ([$module:ident, $port:ident, $harness:ident, $made:expr] $($name:ident: $clause:literal;)*) => {
        #[cfg(test)]
        #[doc(hidden)]
        fn $harness()
        -> impl $crate::conformance::Harness<Store: $crate::__atlas_core::ports::$port> {
            $made
        }

        #[cfg(test)]
        mod $module {
            $(
                #[test]
                fn $name() {
                    $crate::conformance::test(
                        super::$harness(),
                        &$crate::conformance::$module::check::$name(),
                    );
                }
            )*

            #[test]
            fn every_clause_through_a_shared_trait_object() {
                type Object = ::std::sync::Arc<dyn $crate::__atlas_core::ports::$port>;
                $crate::conformance::test_all(
                    $crate::conformance::Shared::new(super::$harness(), |store| -> Object {
                        store
                    }),
                    $crate::conformance::$module::checks(),
                );
            }
        }
    };
}
