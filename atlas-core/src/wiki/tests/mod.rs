//! Tests of whole wikis.
