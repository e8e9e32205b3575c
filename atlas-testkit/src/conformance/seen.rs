//! What a check saw that its clause does not allow.

use std::fmt;

use atlas_core::{Error, ErrorKind, Result};

/// The most characters that a report quotes: a text of 64 KiB tells no more than its beginning.
const LONGEST: usize = 2_000;

/// What a check saw that its clause does not allow, in words.
#[derive(Clone, PartialEq, Eq)]
pub struct Seen(String);

/// What a check comes to.
pub type Checked = std::result::Result<(), Seen>;

impl Seen {
    /// Tells what was seen; what is too long to read is cut.
    pub fn new(what: impl Into<String>) -> Self {
        let mut what = what.into();
        if let Some((end, _)) = what.char_indices().nth(LONGEST) {
            what.truncate(end);
            what.push('…');
        }
        Self(what)
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A call that had to succeed failed.
impl From<Error> for Seen {
    fn from(error: Error) -> Self {
        let mut what = format!("a call failed: {error}");
        let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(&error);
        while let Some(deeper) = cause {
            what.push_str(": ");
            what.push_str(&deeper.to_string());
            cause = deeper.source();
        }
        Self::new(what)
    }
}

/// Demands that a call is refused, and with that kind.
pub(crate) fn refused<T: fmt::Debug>(call: &str, answer: Result<T>, kind: ErrorKind) -> Checked {
    match answer {
        Err(error) if error.kind() == kind => Ok(()),
        Err(error) => Err(Seen::new(format!(
            "{call}: refused, but not as {}: {error}",
            kind.as_str()
        ))),
        Ok(value) => Err(Seen::new(format!(
            "{call}: not refused as {}, but answered {value:?}",
            kind.as_str()
        ))),
    }
}

/// Demands that two values are equal.
pub(crate) fn same<T: PartialEq + fmt::Debug>(what: &str, seen: &T, expected: &T) -> Checked {
    if seen == expected {
        return Ok(());
    }
    let brief = |value: &T| {
        let text = format!("{value:?}");
        match text.char_indices().nth(LONGEST / 3) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
            None => text,
        }
    };
    Err(Seen::new(format!(
        "{what}: expected {}, got {}",
        brief(expected),
        brief(seen)
    )))
}

/// Demands that a condition holds; the words tell what was seen if it does not.
macro_rules! require {
    ($holds:expr, $($seen:tt)+) => {
        match $holds {
            true => {}
            false => return Err($crate::conformance::Seen::new(format!($($seen)+))),
        }
    };
}
