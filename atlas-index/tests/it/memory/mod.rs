//! The index in memory.

mod kind;
#[path = "../legs.rs"]
mod legs;
#[path = "../setup.rs"]
mod setup;
#[path = "../writing.rs"]
mod writing;
