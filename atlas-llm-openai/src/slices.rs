//! Texts to requests.

use std::ops::Range;

/// Splits texts of these lengths into runs, in order, of at most `most_texts` texts and
/// `most_bytes` bytes. A text that is longer makes a run of its own.
pub(crate) fn runs(lengths: &[usize], most_texts: usize, most_bytes: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut n_bytes = 0_usize;
    for (place, length) in lengths.iter().enumerate() {
        n_bytes = n_bytes.saturating_add(*length);
        match runs.last_mut() {
            Some(run) if n_bytes <= most_bytes && run.len() < most_texts => run.end = place + 1,
            _ => {
                runs.push(place..place + 1);
                n_bytes = *length;
            }
        }
    }
    runs
}

/// The beginning of a text, of at most so many bytes.
pub(crate) fn cut(text: &str, most_bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(most_bytes))
        .unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn runs_are_full_and_no_fuller() {
        let check = |lengths: &[usize], expected: &[Range<usize>]| {
            assert_eq!(runs(lengths, 3, 10), expected, "{lengths:?}");
        };
        check(&[], &[]);
        check(&[1, 1, 1, 1], &[0..3, 3..4]);
        check(&[5, 5, 1], &[0..2, 2..3]);
        check(&[99, 1, 99], &[0..1, 1..2, 2..3]);
        check(&[0, 0, 11, 0], &[0..2, 2..3, 3..4]);
    }

    proptest! {
        #[test]
        fn runs_cover_every_text_once(
            lengths in proptest::collection::vec(0_usize..20, 0..40),
            most_texts in 1_usize..6,
            most_bytes in 0_usize..30,
        ) {
            let runs = runs(&lengths, most_texts, most_bytes);
            let places: Vec<usize> = runs.iter().cloned().flatten().collect();
            prop_assert_eq!(places, (0..lengths.len()).collect::<Vec<_>>());
            for run in &runs {
                let n_bytes: usize = lengths[run.clone()].iter().sum();
                prop_assert!(run.len() == 1 || (run.len() <= most_texts && n_bytes <= most_bytes));
            }
        }

        #[test]
        fn a_cut_text_is_a_beginning(text in ".{0,20}", most in 0_usize..40) {
            let cut = cut(&text, most);
            prop_assert!(text.starts_with(cut) && cut.len() <= most);
            prop_assert!(text.len() > most || cut == text);
            prop_assert!(cut.len() + 4 > most.min(text.len()));
        }
    }
}
