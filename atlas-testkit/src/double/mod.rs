//! Test doubles: a model that answers by a script, an embedder of planted similarity, a clock that
//! is set by hand, a source of messages that answers by a script, and a wrapper that makes calls fail.
//!
//! None of them waits, looks at the time or draws a random number.

mod clock;
mod embedder;
mod faulty;
mod llm;
mod source;

pub use clock::FixedClock;
pub use embedder::HashEmbedder;
pub use faulty::{Fault, Faults, Faulty};
pub use llm::{Reply, Rule, ScriptedLlm};
pub use source::{Hitch, ScriptedSource};
