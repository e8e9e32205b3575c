//! Verbs to families.

use crate::text::words;

/// Families of verbs, each with the forms that belong to it; the first that fits counts.
///
/// The list is closed on purpose: what is not in it is `relates_to`, so that the number of
/// families does not grow with the ways of saying things.
const FAMILIES: [(&str, &[&str]); 18] = [
    (
        "works_on",
        &[
            "work on",
            "works on",
            "working on",
            "worked on",
            "assigned to",
            "joined",
        ],
    ),
    (
        "owns",
        &[
            "own",
            "owns",
            "owned",
            "maintains",
            "maintain",
            "responsible for",
            "in charge of",
        ],
    ),
    (
        "leads",
        &[
            "lead", "leads", "leading", "manages", "manage", "heads", "runs",
        ],
    ),
    ("reports_to", &["report to", "reports to", "reporting to"]),
    (
        "member_of",
        &[
            "member of",
            "belongs to",
            "works at",
            "works for",
            "part of",
        ],
    ),
    (
        "depends_on",
        &[
            "depend on",
            "depends on",
            "needs",
            "requires",
            "relies on",
            "built on",
        ],
    ),
    ("blocks", &["block", "blocks", "blocking"]),
    ("blocked_by", &["blocked by", "waiting for", "waiting on"]),
    (
        "replaces",
        &[
            "replace",
            "replaces",
            "replaced",
            "instead of",
            "supersedes",
        ],
    ),
    (
        "uses",
        &[
            "use",
            "uses",
            "using",
            "used",
            "runs on",
            "written in",
            "switched to",
        ],
    ),
    (
        "moves_to",
        &[
            "move to",
            "moves to",
            "moved to",
            "migrate to",
            "migrated to",
            "migrates to",
        ],
    ),
    (
        "creates",
        &[
            "build", "builds", "built", "create", "created", "wrote", "write", "made",
        ],
    ),
    ("fixes", &["fix", "fixes", "fixed", "solved", "resolved"]),
    (
        "decides",
        &[
            "decide", "decides", "decided", "chose", "approved", "picked",
        ],
    ),
    (
        "reviews",
        &["review", "reviews", "reviewed", "test", "tests", "tested"],
    ),
    (
        "located_in",
        &[
            "located in",
            "based in",
            "lives in",
            "held at",
            "takes place",
        ],
    ),
    (
        "prefers",
        &["prefer", "prefers", "like", "likes", "love", "loves"],
    ),
    (
        "presents",
        &[
            "present",
            "presents",
            "presented",
            "speaks",
            "talks",
            "gave",
            "organizes",
        ],
    ),
];

/// The family of verbs that are not in any other.
pub const OTHER: &str = "relates_to";

/// The canonical family of a verb as said.
pub fn family(verb: &str) -> &'static str {
    let said = format!(" {} ", words(verb).join(" "));
    let of_family = |forms: &[&str]| forms.iter().any(|form| said.contains(&format!(" {form} ")));
    // Passive and longer forms first: "blocked by" is not "block".
    FAMILIES
        .iter()
        .filter(|(_, forms)| of_family(forms))
        .max_by_key(|(_, forms)| {
            let fits = forms
                .iter()
                .filter(|form| said.contains(&format!(" {form} ")));
            fits.map(|form| form.len()).max()
        })
        .map_or(OTHER, |(family, _)| family)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(verb: &str, expected: &str) {
        assert_eq!(family(verb), expected, "{verb}");
    }

    #[test]
    fn ways_of_saying_meet_in_a_family() {
        check("is working on", "works_on");
        check("Depends on", "depends_on");
        check("blocked by", "blocked_by");
        check("has moved to", "moves_to");
        check("frobnicates", OTHER);
        check("", OTHER);
    }
}
