//! Tests of the whole path; they are in `tests/it`. The README's code runs as a test of this crate.
#![cfg_attr(doctest, doc = include_str!("../../../README.md"))]
