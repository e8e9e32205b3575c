//! Names to entities and relations.

/// The tunables of this stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphSettings {}
