//! Where the kills fall. The seed decides what each one aims at; the exact instant is the machine's.

use fastrand::Rng;

use crate::ops::Kind;
use crate::worker::Shot;

/// What one life of a child ends with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// While it opens the folder.
    Open(f64),
    /// While it reads everything back and its index catches up.
    Inspect(f64),
    /// Within an operation, after some others were acknowledged.
    Within {
        /// Acknowledgements before it.
        after: usize,
    },
    /// At the moment of an acknowledgement.
    Acknowledged {
        /// Acknowledgements before it.
        after: usize,
    },
}

/// Where kills may fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Anywhere.
    Everywhere,
    /// Within operations only.
    Operations,
}

/// Draws aims.
#[derive(Debug)]
pub struct Aimer(Rng, Range);

impl Aimer {
    /// Draws by the seed, independently of the history that has the same seed.
    pub fn new(seed: u64, range: Range) -> Self {
        Self(Rng::with_seed(seed ^ 0x6b69_6c6c), range)
    }

    /// Draws the aim of the next life, so that the kills that are left spread over the operations
    /// that are left.
    pub fn next(&mut self, n_kills: usize, n_ops: usize) -> Aim {
        let fraction = self.0.f64();
        let drawn = match self.1 {
            Range::Everywhere => self.0.u8(0..100),
            Range::Operations => u8::MAX,
        };
        if n_ops == 0 || drawn < 10 {
            return if self.0.bool() {
                Aim::Open(fraction)
            } else {
                Aim::Inspect(fraction)
            };
        }
        let share = n_ops.checked_div(n_kills.max(1)).unwrap_or_default();
        let after = self.0.usize(0..=share.saturating_mul(2)).min(n_ops - 1);
        if drawn < 22 {
            Aim::Acknowledged { after }
        } else {
            Aim::Within { after }
        }
    }

    /// Where within an operation the kill falls. What missed before aims earlier.
    pub fn within(&mut self, kind: &dyn Kind, n_missed: u32) -> Shot {
        let stage = self.0.choice(kind.stages());
        let mark = stage.map_or_else(
            || kind.name().to_owned(),
            |stage| format!("{}/{stage}", kind.name()),
        );
        let earlier = 0.5_f64.powi(i32::try_from(n_missed).unwrap_or(i32::MAX));
        Shot {
            mark,
            fraction: self.0.f64() * earlier,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kills_spread_over_what_is_left() {
        let mut aimer = Aimer::new(7, Range::Everywhere);
        let mut n_ops: usize = 360;
        for n_kills in (1..=300).rev() {
            let after = match aimer.next(n_kills, n_ops) {
                Aim::Open(_) | Aim::Inspect(_) => 0,
                Aim::Within { after } => after,
                Aim::Acknowledged { after } => after + 1,
            };
            assert!(after <= n_ops);
            n_ops -= after;
        }
        assert!(n_ops < 120, "{n_ops} operations are never killed");
    }
}
