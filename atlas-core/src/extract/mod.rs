//! Messages to claims.

/// The tunables of this stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExtractSettings {}
