//! What the testkit promises, tested.

mod contract_pages;
mod memory;
