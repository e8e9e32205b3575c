//! What a document is and how it stands, in one byte.

use atlas_core::model::FactKind;
use atlas_core::ports::{Document, DocumentKind, DocumentState};

/// How many natures there are.
pub(crate) const N_NATURES: usize = 128;

const KINDS: [DocumentKind; 3] = [
    DocumentKind::Fact,
    DocumentKind::Message,
    DocumentKind::Section,
];
const STATES: [DocumentState; 3] = [
    DocumentState::Current,
    DocumentState::Past,
    DocumentState::Void,
];
const FACT_KINDS: [FactKind; 5] = [
    FactKind::Decision,
    FactKind::Opinion,
    FactKind::Observation,
    FactKind::ActionItem,
    FactKind::Question,
];

/// Kind, state and kind of fact of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nature {
    pub(crate) kind: DocumentKind,
    pub(crate) state: DocumentState,
    pub(crate) fact_kind: Option<FactKind>,
}

impl Nature {
    pub(crate) fn of(document: &Document) -> Self {
        Self {
            kind: document.kind,
            state: document.state,
            fact_kind: document.fact_kind,
        }
    }

    /// Two bits for the kind, two for the state, three for the kind of fact.
    pub(crate) fn to_byte(self) -> u8 {
        let kind = match self.kind {
            DocumentKind::Fact => 0,
            DocumentKind::Message => 1,
            DocumentKind::Section => 2,
        };
        let state = match self.state {
            DocumentState::Current => 0,
            DocumentState::Past => 1,
            DocumentState::Void => 2,
        };
        let fact_kind = match self.fact_kind {
            None => 0,
            Some(FactKind::Decision) => 1,
            Some(FactKind::Opinion) => 2,
            Some(FactKind::Observation) => 3,
            Some(FactKind::ActionItem) => 4,
            Some(FactKind::Question) => 5,
        };
        kind | state << 2 | fact_kind << 4
    }

    /// The nature that a byte stands for.
    pub(crate) fn from_byte(byte: u8) -> Option<Self> {
        let fact_kind = match usize::from(byte >> 4).checked_sub(1) {
            None => None,
            Some(at) => Some(*FACT_KINDS.get(at)?),
        };
        Some(Self {
            kind: *KINDS.get(usize::from(byte & 3))?,
            state: *STATES.get(usize::from(byte >> 2 & 3))?,
            fact_kind,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_nature_comes_back_from_its_byte() {
        for kind in KINDS {
            for state in STATES {
                for fact_kind in FACT_KINDS.map(Some).into_iter().chain([None]) {
                    let nature = Nature {
                        kind,
                        state,
                        fact_kind,
                    };
                    assert!(usize::from(nature.to_byte()) < N_NATURES);
                    assert_eq!(Nature::from_byte(nature.to_byte()), Some(nature));
                }
            }
        }
        assert_eq!(Nature::from_byte(3), None);
        assert_eq!(Nature::from_byte(255), None);
    }
}
