//! The index of one channel: words and columns by tantivy, and vectors beside them, under one
//! commit.

mod batch;
mod columns;
mod nature;
mod schema;
mod sieve;
mod totals;
mod view;
mod writer;

pub(crate) use batch::{Prepared, check_entry, check_vector, prepare};
pub(crate) use columns::text_of;
pub(crate) use schema::fields;
pub(crate) use sieve::Sieve;
pub(crate) use totals::{Extent, Totals};
pub(crate) use view::{Segment, Trust, View, committed};
pub(crate) use writer::{Change, write};
