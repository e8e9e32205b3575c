//! What an extractor proposes, and what is admitted of it, by rows.

mod admit;
mod assemble;
