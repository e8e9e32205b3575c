//! What a reader may see of what a scope holds.

use serde::{Deserialize, Serialize};

use crate::model::{Interval, Timestamp};

/// Which states of facts a reader sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LifecycleView {
    /// Live and disputed facts.
    #[default]
    Current,
    /// These, and those that were superseded, expired or are duplicates.
    History,
    /// Every fact, rejected and retracted ones too.
    All,
}

/// How a document stands, as far as looking for it goes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum DocumentState {
    /// It counts.
    #[default]
    Current,
    /// It counted once.
    Past,
    /// It never should have counted, or nothing says it any longer.
    Void,
}

/// One rule of seeing, applied inside every leg, before the limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Visibility {
    /// Which states.
    pub view: LifecycleView,
    /// Only what was so in the world at that instant; a past state does not hide it then.
    pub as_of: Option<Timestamp>,
    /// Only what Atlas had recorded by then.
    pub known_at: Option<Timestamp>,
}

impl Visibility {
    /// Whether a reader sees a document of the state, validity and recording time.
    pub fn admits(
        &self,
        state: DocumentState,
        validity: &[Interval],
        recorded_at: Timestamp,
    ) -> bool {
        let by_state = match (self.view, state) {
            (_, DocumentState::Current)
            | (LifecycleView::All, _)
            | (LifecycleView::History, DocumentState::Past) => true,
            (LifecycleView::Current, DocumentState::Past) => self.as_of.is_some(),
            (LifecycleView::Current | LifecycleView::History, DocumentState::Void) => false,
        };
        by_state
            && self
                .as_of
                .is_none_or(|at| validity.iter().any(|span| span.contains(at)))
            && self.known_at.is_none_or(|at| recorded_at <= at)
    }
}
