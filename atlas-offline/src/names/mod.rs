//! Messages to names and the relations between them.

pub(crate) mod extract;
pub(crate) mod known;
pub(crate) mod relation;
pub(crate) mod spot;
