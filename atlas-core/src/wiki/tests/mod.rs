//! Tests of whole wikis.

mod given;
mod joining;
mod planning;
mod rendering;
mod writing;
