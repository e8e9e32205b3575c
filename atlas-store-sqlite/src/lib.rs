//! The durable stores of Atlas.
