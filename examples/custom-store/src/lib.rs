//! A store of your own.
