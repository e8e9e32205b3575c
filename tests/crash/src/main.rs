//! Kills.

fn main() {}
