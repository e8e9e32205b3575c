//! How long things usually take, so that a kill falls within them.

use std::collections::BTreeMap;
use std::time::Duration;

/// What something is taken to need before it was seen once.
const GUESS: Duration = Duration::from_millis(5);

/// The usual duration of what begins at each mark.
#[derive(Debug, Default)]
pub struct Pace {
    usual: BTreeMap<String, Duration>,
}

impl Pace {
    /// How long it usually takes.
    pub fn usual(&self, mark: &str) -> Duration {
        self.usual.get(mark).copied().unwrap_or(GUESS)
    }

    /// It took so long this time: later ones count more than earlier ones.
    pub fn learn(&mut self, mark: &str, took: Duration) {
        let usual = self.usual.entry(mark.to_owned()).or_insert(took);
        *usual = (*usual * 3 + took) / 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_follows_what_is_seen() {
        let mut pace = Pace::default();
        assert_eq!(pace.usual("open"), GUESS);
        pace.learn("open", Duration::from_millis(40));
        assert_eq!(pace.usual("open"), Duration::from_millis(40));
        pace.learn("open", Duration::from_millis(80));
        assert_eq!(pace.usual("open"), Duration::from_millis(50));
    }
}
