//! The index in a folder.

mod damage;
mod equal;
mod kind;
#[path = "../legs.rs"]
#[expect(clippy::duplicate_mod, reason = "the same tests for both indexes")]
mod legs;
mod reopen;
#[path = "../setup.rs"]
#[expect(clippy::duplicate_mod, reason = "the same tests for both indexes")]
mod setup;
mod sharing;
mod traces;
#[path = "../writing.rs"]
#[expect(clippy::duplicate_mod, reason = "the same tests for both indexes")]
mod writing;
