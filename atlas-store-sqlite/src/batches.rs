//! Rows at a time: a statement through the driver costs more than the row that it writes.

/// Sizes of batches, greatest first. Few sizes mean few statements, which stay prepared.
const SIZES: [usize; 3] = [64, 8, 1];

/// Cuts a slice into batches of a few sizes, in order.
pub(crate) fn batches<T>(mut rest: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = SIZES.into_iter().find(|size| *size <= rest.len())?;
        let (batch, tail) = rest.split_at_checked(size)?;
        rest = tail;
        Some(batch)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_out_and_the_order_stays() {
        for length in [0, 1, 7, 8, 9, 63, 64, 65, 200] {
            let all: Vec<usize> = (0..length).collect();
            assert_eq!(batches(&all).flatten().copied().collect::<Vec<_>>(), all);
            assert!(batches(&all).all(|batch| SIZES.contains(&batch.len())));
        }
    }
}
