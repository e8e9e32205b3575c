//! Tests of the whole path; they are in `tests/it`. The README's code runs as a test of this crate;
//! that of the guide to models is compiled as one.
#![cfg_attr(doctest, doc = include_str!("../../../README.md"))]
#![cfg_attr(doctest, doc = include_str!("../../../docs/models.md"))]
