//! Facts and topics to pages.

/// The tunables of this stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WikiSettings {}
