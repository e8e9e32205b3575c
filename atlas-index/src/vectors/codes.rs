//! The quantised vectors of a channel, in memory.

use std::sync::Arc;

use super::quantised::{CodedRow, Quantised};

/// The place of a document's vector that has none.
pub(crate) const NO_ROW: u32 = u32::MAX;

/// Rows that are held together; so many are copied at most when a row is added beside a reader.
const CHUNK: usize = 1024;

/// Quantised vectors by row. Copies share what they have in common.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    width: usize,
    n_rows: usize,
    chunks: Vec<Arc<Chunk>>,
}

/// Up to [`CHUNK`] rows.
#[derive(Clone, Debug, Default)]
struct Chunk {
    /// The numbers of the vectors, rising.
    ids: Vec<u64>,
    scales: Vec<f32>,
    errors: Vec<f32>,
    codes: Vec<i8>,
    /// The vectors themselves, where they are held in memory.
    vectors: Vec<f32>,
}

impl Codes {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            n_rows: 0,
            chunks: Vec::new(),
        }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Adds a row. Its number is above that of every other, and its vector is given for all rows
    /// or for none.
    pub(crate) fn push(&mut self, id: u64, row: &Quantised, vector: Option<&[f32]>) {
        if self.n_rows.is_multiple_of(CHUNK) {
            self.chunks.push(Arc::default());
        }
        let Some(chunk) = self.chunks.last_mut().map(Arc::make_mut) else {
            return;
        };
        chunk.ids.push(id);
        chunk.scales.push(row.scale);
        chunk.errors.push(row.error);
        chunk.codes.extend_from_slice(&row.codes);
        chunk.vectors.extend_from_slice(vector.unwrap_or_default());
        self.n_rows += 1;
    }

    /// The row of a place.
    pub(crate) fn row(&self, row: u32) -> Option<CodedRow<'_>> {
        let (chunk, at) = self.place(row)?;
        Some(CodedRow {
            codes: chunk.codes.get(at * self.width..(at + 1) * self.width)?,
            scale: *chunk.scales.get(at)?,
            error: *chunk.errors.get(at)?,
        })
    }

    /// The vector of a place, if vectors are held in memory.
    pub(crate) fn vector(&self, row: u32) -> Option<&[f32]> {
        let (chunk, at) = self.place(row)?;
        chunk.vectors.get(at * self.width..(at + 1) * self.width)
    }

    /// The number of the vector at a place.
    pub(crate) fn id(&self, row: u32) -> Option<u64> {
        let (chunk, at) = self.place(row)?;
        chunk.ids.get(at).copied()
    }

    /// The place of a vector by its number.
    pub(crate) fn row_of(&self, id: u64) -> Option<u32> {
        let after = self
            .chunks
            .partition_point(|chunk| chunk.ids.first().is_some_and(|first| *first <= id));
        let at = after.checked_sub(1)?;
        let within = self.chunks.get(at)?.ids.binary_search(&id).ok()?;
        u32::try_from(at * CHUNK + within).ok()
    }

    fn place(&self, row: u32) -> Option<(&Chunk, usize)> {
        let row = usize::try_from(row).ok()?;
        Some((self.chunks.get(row / CHUNK)?, row % CHUNK))
    }
}
