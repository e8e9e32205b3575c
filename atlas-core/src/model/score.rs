//! Scores between nought and one.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Error, ErrorKind, Result};

/// A number in `0.0..=1.0`, never NaN.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitScore(f32);

impl UnitScore {
    /// Nought.
    pub const ZERO: Self = Self(0.0);
    /// One.
    pub const ONE: Self = Self(1.0);

    /// Checks that `raw` is a number in `0.0..=1.0`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] for NaN or a number outside the range.
    pub fn new(raw: f32) -> Result<Self> {
        if (0.0..=1.0).contains(&raw) {
            // Minus nought would compare as another value than nought.
            Ok(Self(raw + 0.0))
        } else {
            Err(
                Error::new(ErrorKind::Invalid, "UnitScore::new", "not between 0 and 1")
                    .with("raw", raw),
            )
        }
    }

    /// Cuts `raw` to the range; NaN becomes nought.
    pub fn clamped(raw: f32) -> Self {
        if raw.is_nan() {
            Self::ZERO
        } else {
            Self(raw.clamp(0.0, 1.0) + 0.0)
        }
    }

    /// The number.
    pub fn get(self) -> f32 {
        self.0
    }
}

impl PartialEq for UnitScore {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for UnitScore {}

impl Ord for UnitScore {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for UnitScore {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for UnitScore {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl Serialize for UnitScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_f32(self.0)
    }
}

impl<'de> Deserialize<'de> for UnitScore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        Self::new(f32::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_in_the_range_are_scores() {
        for bad in [f32::NAN, -0.1, 1.1, f32::INFINITY] {
            assert_eq!(UnitScore::new(bad).unwrap_err().kind(), ErrorKind::Invalid);
        }
        assert_eq!(UnitScore::new(-0.0).unwrap(), UnitScore::ZERO);
        assert_eq!(UnitScore::clamped(f32::NAN), UnitScore::ZERO);
        assert_eq!(UnitScore::clamped(7.0), UnitScore::ONE);
    }
}
