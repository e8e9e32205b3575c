//! The index as its callers see it.

mod legs;
mod setup;
mod writing;
