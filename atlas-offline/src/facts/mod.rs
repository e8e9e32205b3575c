//! Messages to proposed statements.
//!
//! A conversation is read by itself ([`extract`]), a sentence at a time ([`clause`]): small talk is
//! left out ([`chatter`]), the kind is told by cues ([`kind`], [`action`], [`question`]), what the
//! sentence is about goes to a slot ([`slot`] and what it names), and the statement is told so that
//! it stands on its own ([`tell`]).

mod action;
mod amount;
mod chatter;
mod choice;
mod clause;
mod date;
mod detail;
pub(crate) mod extract;
mod kind;
mod person;
mod quality;
pub(crate) mod question;
mod slot;
mod state;
mod subject;
mod tags;
mod tell;
