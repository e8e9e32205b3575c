//! Pushed events to the log: who sent it, what it says, and that it counts once.
//!
//! Pure: [`verify`] and [`sign`], [`read`]. Async entry: [`receive`]. There is no server here: an
//! application hands over the header, the body and the key that it was sent.

mod event;
mod receive;
mod signature;

pub use event::{EventResult, PushLimits, PushRefusal, PushRequest, PushedEvent, read};
pub use receive::{KEPT_FOR, PushAnswer, Pushed, drop_old_keys, receive};
pub use signature::{PushSource, SigningSecret, TOLERANCE, sign, verify};
