//! Facts to judgements.

/// The tunables of this stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LifecycleSettings {}
