//! Measures of what Atlas finds, and checks of what it writes, on any export.
//!
//! | module | what it is |
//! |---|---|
//! | [`load`] | an export to settled channels in memory |
//! | [`questions`] | questions with the messages that answer them |
//! | [`rank`] | at what place the answers are found |
//! | [`lint`](mod@lint) | what is wrong with a written wiki |
//!
//! Ranking and checking are pure: they take values and strings, and read nothing.

pub mod lint;
pub mod load;
pub mod questions;
pub mod rank;
