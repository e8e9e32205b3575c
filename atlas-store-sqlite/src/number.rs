//! Numbers as SQL has them: signed, 64 bits.

use sqlx::Row;
use sqlx::sqlite::SqliteRow;

/// A count or a number of Atlas for a column.
pub(crate) fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A limit or a place in a list for a column.
pub(crate) fn place(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A column that holds a count or a number of Atlas.
pub(crate) fn read(row: &SqliteRow, column: usize) -> sqlx::Result<u64> {
    let number: i64 = row.try_get(column)?;
    Ok(u64::try_from(number).unwrap_or(0))
}
