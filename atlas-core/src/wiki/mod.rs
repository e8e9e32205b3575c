//! Facts and topics to pages.
//!
//! Pure: `labels` (the pages' own words), [`brief`] (what is to stand on a page), [`plan`], `write`
//! (briefs to sections), [`slug`], [`merge`] (what was written and what stays), `escape` and
//! [`render()`]. The one async entry is [`run()`].

pub mod brief;
mod escape;
mod labels;
pub mod merge;
pub mod plan;
mod render;
mod run;
mod settings;
pub mod slug;
pub mod write;

pub use render::{RenderedFile, listed, render};
pub use run::{WikiReport, run};
pub use settings::WikiSettings;

#[cfg(test)]
mod tests;
