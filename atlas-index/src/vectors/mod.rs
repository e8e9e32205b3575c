//! The vectors of one channel: quantised to be scanned, whole to be compared.

mod codes;
mod cosine;
mod file;
mod floor;
mod product;
mod quantised;

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) use codes::{Codes, NO_ROW};
pub(crate) use cosine::Direction;
pub(crate) use file::sweep;
use file::{VectorFiles, VectorWriter};
pub(crate) use floor::{Floor, SharedFloor};
pub(crate) use product::Lanes;
use quantised::Quantised;
pub(crate) use quantised::{Bounds, Probe};

use crate::channel::Extent;
use crate::disk::Disk;

/// Rows this far apart are read in one go: that is cheaper than to ask the disk again.
const NEAR: u32 = 2;
/// Rows that are read in one go at most.
const AT_A_TIME: usize = 64;
/// More than so many rows have to be dead before they are worth writing the others anew.
const FEW_DEAD: u64 = 1024;

/// Where the vectors of a channel are kept.
#[derive(Clone, Debug)]
pub(crate) enum Shelf {
    Memory,
    Folder(PathBuf, Disk),
}

/// The vectors of a channel as of one commit.
#[derive(Debug)]
pub(crate) struct Vectors {
    width: usize,
    extent: Extent,
    rows: Rows,
}

#[derive(Debug)]
enum Rows {
    Memory(Arc<Codes>),
    Files {
        files: Arc<VectorFiles>,
        /// The codes as far as they were read, by this commit or an earlier one.
        codes: Mutex<Arc<Codes>>,
    },
}

/// A vector that comes in, with its number.
pub(crate) type NewRow<'a> = (u64, &'a [f32]);

impl Vectors {
    /// No vectors.
    pub(crate) fn empty(width: usize) -> Self {
        Self {
            width,
            extent: Extent::default(),
            rows: Rows::Memory(Arc::new(Codes::new(width))),
        }
    }

    /// The same.
    fn again(&self) -> Self {
        let rows = match &self.rows {
            Rows::Memory(codes) => Rows::Memory(Arc::clone(codes)),
            Rows::Files { files, codes } => {
                let codes = codes.lock().unwrap_or_else(PoisonError::into_inner);
                Rows::Files {
                    files: Arc::clone(files),
                    codes: Mutex::new(Arc::clone(&codes)),
                }
            }
        };
        Self {
            width: self.width,
            extent: self.extent,
            rows,
        }
    }

    pub(crate) fn extent(&self) -> Extent {
        self.extent
    }

    /// Whether so many rows in use leave enough dead ones to write the others anew: more than
    /// half.
    pub(crate) fn is_worn(n_rows: u64, n_kept: u64) -> bool {
        let n_dead = n_rows.saturating_sub(n_kept);
        n_dead > FEW_DEAD && n_dead > n_rows / 2
    }

    /// The codes of all rows; read when they are first asked for.
    pub(crate) fn codes(&self) -> io::Result<Arc<Codes>> {
        match &self.rows {
            Rows::Memory(codes) => Ok(Arc::clone(codes)),
            Rows::Files { files, codes } => {
                let mut codes = codes.lock().unwrap_or_else(PoisonError::into_inner);
                if (codes.n_rows() as u64) < self.extent.n_rows {
                    let mut longer = Codes::clone(&codes);
                    files.read_codes(&mut longer, self.extent.n_rows)?;
                    *codes = Arc::new(longer);
                }
                Ok(Arc::clone(&codes))
            }
        }
    }

    /// The cosines of rows, given in rising order.
    pub(crate) fn cosines(&self, rows: &[u32], to: &Direction<'_>) -> io::Result<Vec<f32>> {
        let mut cosines = Vec::with_capacity(rows.len());
        self.each(rows, |_, vector| cosines.push(to.cosine(vector)))?;
        Ok(cosines)
    }

    /// What does not hold: every vector in use is there, and every row's codes are those of its
    /// vector. Reads all rows.
    pub(crate) fn faults(&self, in_use: &BTreeSet<u64>) -> io::Result<Vec<String>> {
        let codes = self.codes()?;
        let mut faults = Vec::new();
        if let Some(id) = in_use.iter().find(|id| codes.row_of(**id).is_none()) {
            faults.push(format!("the vector {id} is not there"));
        }
        let n_rows = u32::try_from(codes.n_rows()).unwrap_or(u32::MAX);
        let rows: Vec<u32> = (0..n_rows).collect();
        let mut strange = None;
        self.each(&rows, |row, vector| {
            let quantised = Direction::of(vector).map(|it| Quantised::of(&it.unit()));
            let is_same = codes
                .row(row)
                .zip(quantised)
                .is_some_and(|(coded, quantised)| coded.is(&quantised));
            if !is_same {
                strange = Some(row);
            }
        })?;
        if let Some(row) = strange {
            faults.push(format!(
                "the codes of row {row} are not those of its vector"
            ));
        }
        Ok(faults)
    }

    /// Hands over the vectors of rows, given in rising order.
    pub(crate) fn each(&self, rows: &[u32], mut take: impl FnMut(u32, &[f32])) -> io::Result<()> {
        let missing = || io::Error::new(io::ErrorKind::UnexpectedEof, "a row is not there");
        let codes = self.codes()?;
        let Rows::Files { files, .. } = &self.rows else {
            for row in rows {
                take(*row, codes.vector(*row).ok_or_else(missing)?);
            }
            return Ok(());
        };
        for run in runs(rows) {
            let (Some(first), Some(last)) = (run.first(), run.last()) else {
                continue;
            };
            let ids: Vec<u64> = (*first..=*last)
                .map(|row| codes.id(row).ok_or_else(missing))
                .collect::<io::Result<_>>()?;
            let mut wanted = run.iter().copied().peekable();
            files.read_vectors(u64::from(*first), &ids, |at, vector| {
                let row = wanted.next_if(|row| (*row - *first) as usize == at);
                if let Some(row) = row {
                    take(row, vector);
                }
            })?;
        }
        Ok(())
    }
}

/// Cuts rising rows where it is better to ask the disk again.
fn runs(rows: &[u32]) -> impl Iterator<Item = &[u32]> {
    rows.chunk_by(|a, b| b.saturating_sub(*a) <= NEAR)
        .flat_map(|run| run.chunks(AT_A_TIME))
}

impl Shelf {
    /// What was committed, which an earlier reader may have read in part.
    pub(crate) fn open(
        &self,
        width: usize,
        extent: Extent,
        before: Option<&Vectors>,
    ) -> io::Result<Vectors> {
        let Self::Folder(folder, _) = self else {
            return Ok(Vectors::empty(width));
        };
        if extent.n_rows == 0 {
            return Ok(Vectors {
                extent,
                ..Vectors::empty(width)
            });
        }
        let files = VectorFiles::open(folder, extent.generation, width, extent.n_rows)?;
        let known = before.filter(|it| {
            it.extent.generation == extent.generation && it.extent.n_rows <= extent.n_rows
        });
        let codes = match known.map(|it| &it.rows) {
            Some(Rows::Files { codes, .. }) => {
                Arc::clone(&codes.lock().unwrap_or_else(PoisonError::into_inner))
            }
            Some(Rows::Memory(_)) | None => Arc::new(Codes::new(width)),
        };
        Ok(Vectors {
            width,
            extent,
            rows: Rows::Files {
                files: Arc::new(files),
                codes: Mutex::new(codes),
            },
        })
    }

    /// Adds rows; where the numbers of those to be kept are given, all rows are written anew.
    /// What is answered counts when it is committed.
    pub(crate) fn add(
        &self,
        before: &Vectors,
        keep: Option<&[u64]>,
        new: &[NewRow<'_>],
    ) -> io::Result<Vectors> {
        if keep.is_none() && new.is_empty() {
            return Ok(before.again());
        }
        let mut extent = before.extent;
        let old = match keep {
            None => Vec::new(),
            Some(ids) => {
                extent.generation = extent.generation.saturating_add(1);
                extent.n_rows = 0;
                rows_of(&*before.codes()?, ids)?
            }
        };
        let mut writer = self.writer(before.width, extent)?;
        let mut codes = match (&before.rows, keep) {
            (Rows::Memory(codes), None) => Codes::clone(codes),
            _ => Codes::new(before.width),
        };
        let mut failed = None;
        let mut push = |id: u64, vector: &[f32]| {
            let Some(direction) = Direction::of(vector) else {
                return;
            };
            let row = Quantised::of(&direction.unit());
            match &mut writer {
                None => codes.push(id, &row, Some(vector)),
                Some(writer) => {
                    if failed.is_none() {
                        failed = writer.push(id, &row, vector).err();
                    }
                }
            }
            extent.n_rows = extent.n_rows.saturating_add(1);
            extent.next_id = extent.next_id.max(id.saturating_add(1));
        };
        if !old.is_empty() {
            let rows: Vec<u32> = old.iter().map(|(row, _)| *row).collect();
            let mut ids = old.iter().map(|(_, id)| *id);
            before.each(&rows, |_, vector| {
                if let Some(id) = ids.next() {
                    push(id, vector);
                }
            })?;
        }
        for (id, vector) in new {
            push(*id, vector);
        }
        if let Some(failure) = failed {
            return Err(failure);
        }
        match writer {
            None => Ok(Vectors {
                width: before.width,
                extent,
                rows: Rows::Memory(Arc::new(codes)),
            }),
            Some(writer) => {
                writer.finish()?;
                self.open(before.width, extent, Some(before))
            }
        }
    }

    fn writer(&self, width: usize, extent: Extent) -> io::Result<Option<VectorWriter>> {
        let Self::Folder(folder, disk) = self else {
            return Ok(None);
        };
        VectorWriter::open(disk, folder, extent.generation, width, extent.n_rows).map(Some)
    }
}

/// The rows of vectors by their numbers, both rising.
fn rows_of(codes: &Codes, ids: &[u64]) -> io::Result<Vec<(u32, u64)>> {
    ids.iter()
        .map(|id| {
            let row = codes.row_of(*id).ok_or_else(|| {
                io::Error::new(io::ErrorKind::InvalidData, "a vector is not there")
            })?;
            Ok((row, *id))
        })
        .collect()
}
