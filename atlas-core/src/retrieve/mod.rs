//! Questions to evidence.

/// The tunables of this stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RetrieveSettings {}
