//! What is printed of a run, and whether it is good enough.

use crate::kills::Tally;

/// Of a hundred kills, at least so many must fall into something that had begun and was not
/// acknowledged: a kill between two operations shows less.
pub const WITHIN_PER_CENT: usize = 60;

/// How many lines of what is wrong are told.
const MOST: usize = 40;

/// The lines of a run, the first of them the whole of it.
pub fn lines(tally: &Tally) -> Vec<String> {
    let found = &tally.findings;
    let marks: Vec<String> = tally
        .by_mark
        .iter()
        .map(|(mark, n)| format!("{mark} {n}"))
        .collect();
    vec![
        format!(
            "kills {} reopened {} lost {} duplicated {} violated {}",
            tally.kills,
            tally.reopened,
            found.lost.len(),
            found.duplicated.len(),
            found.violated.len(),
        ),
        format!(
            "of {} operations {} were sent again; {} kills fell within something: {}",
            tally.acknowledged,
            tally.sent_again,
            tally.n_within(),
            marks.join(", "),
        ),
    ]
}

/// Why a run of so many kills is not good enough; empty if it is.
pub fn faults(tally: &Tally, asked: usize) -> Vec<String> {
    let mut faults: Vec<String> = tally.findings.lines();
    faults.truncate(MOST);
    if tally.kills < asked {
        faults.push(format!("{asked} kills were asked for"));
    }
    if tally.reopened < tally.kills {
        faults.push("a folder was not read after its last kill".to_owned());
    }
    if tally.n_within() * 100 < tally.kills * WITHIN_PER_CENT {
        faults.push(format!(
            "fewer than {WITHIN_PER_CENT} % of the kills fell within something"
        ));
    }
    faults
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn tally(within: usize, after: usize) -> Tally {
        Tally {
            kills: within + after,
            reopened: within + after,
            by_mark: BTreeMap::from([
                ("settle/wiki".to_owned(), within),
                ("after settle".to_owned(), after),
            ]),
            ..Tally::default()
        }
    }

    #[test]
    fn a_run_needs_its_kills_and_most_of_them_within_something() {
        assert_eq!(faults(&tally(8, 2), 10), Vec::<String>::new());
        assert_eq!(faults(&tally(8, 2), 11).len(), 1);
        assert_eq!(faults(&tally(5, 5), 10).len(), 1);
        let mut lossy = tally(8, 2);
        lossy.findings.lost.push("a message".to_owned());
        assert_eq!(faults(&lossy, 10), ["lost: a message"]);
    }
}
