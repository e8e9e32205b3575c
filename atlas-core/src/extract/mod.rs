//! Messages to claims.
//!
//! Pure: [`batch`] (conversations to calls), [`admit`] and [`names`] (proposals to checked
//! claims), [`narration`], [`verb`], [`when`], [`assemble`] (outcomes to facts). The one async
//! entry is [`run`].

pub mod admit;
pub mod assemble;
pub mod batch;
mod kept;
mod lease;
pub mod names;
pub mod narration;
mod offer;
mod publish;
mod read;
mod reader;
mod role;
mod run;
mod settings;
#[cfg(test)]
mod tests;
pub mod verb;
pub mod when;

pub use offer::Offer;
pub use run::{ExtractReport, Turn, run};
pub use settings::ExtractSettings;
