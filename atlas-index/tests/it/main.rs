//! The index as its callers see it.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod legs;
mod setup;
mod writing;
