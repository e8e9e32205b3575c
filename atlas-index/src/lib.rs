//! The local FactIndex of Atlas.

mod progress;

pub use progress::{Admission, Progress};
