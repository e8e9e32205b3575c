//! What the table of a port expands to.

/// Makes the list of checks of a port from its table.
macro_rules! checks_from_table {
    ([$port:ident] $($name:ident: $clause:literal;)*) => {
        /// The checks of this port one by one, named as their tests are.
        #[doc(hidden)]
        pub mod check {
            $(
                /// The check of this clause.
                pub fn $name<S: atlas_core::ports::$port + 'static>() -> $crate::conformance::Check<S> {
                    $crate::conformance::Check::new(stringify!($name), $clause, |store| {
                        Box::pin(super::$name(store))
                    })
                }
            )*
        }

        /// The checks of this port, in the order of its clauses.
        pub fn checks<S: atlas_core::ports::$port + 'static>() -> Vec<$crate::conformance::Check<S>> {
            vec![$(check::$name()),*]
        }
    };
}

/// Makes one test a clause, and one that runs all of them through `Arc<dyn Port>`.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_tests {
    ([$module:ident, $port:ident, $fresh:ident, $factory:expr] $($name:ident: $clause:literal;)*) => {
        #[cfg(test)]
        #[doc(hidden)]
        fn $fresh()
        -> impl $crate::conformance::Factory<Store: $crate::__atlas_core::ports::$port + 'static> {
            $factory
        }

        #[cfg(test)]
        mod $module {
            $(
                #[test]
                fn $name() {
                    $crate::conformance::test(
                        &super::$fresh(),
                        &$crate::conformance::$module::check::$name(),
                    );
                }
            )*

            #[test]
            fn every_clause_through_a_shared_trait_object() {
                let factory = super::$fresh();
                $crate::conformance::test_all(
                    &|| async {
                        let store = $crate::conformance::Factory::fresh(&factory).await;
                        let shared: ::std::sync::Arc<dyn $crate::__atlas_core::ports::$port> =
                            ::std::sync::Arc::new(store);
                        shared
                    },
                    $crate::conformance::$module::checks(),
                );
            }
        }
    };
}
