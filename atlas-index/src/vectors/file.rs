//! The vectors of one generation in two files: codes to scan, and the vectors themselves.
//!
//! Each file is a header and rows of one length, each behind its checksum. Rows are only added at
//! the end, so a reader that knows how many rows were committed is never disturbed.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::codes::Codes;
use super::quantised::Quantised;
use crate::disk::{Disk, read_at};

const MAGIC: [u8; 8] = *b"ATLASVEC";
const VERSION: u32 = 1;
const HEADER: usize = 32;
const SUM: usize = 4;
/// The bytes of a row of codes that are not codes: number, scale, error.
const FRONT: usize = 16;
/// Codes are read so many rows at a time.
const AT_A_TIME: usize = 1024;

/// Which of the two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Codes,
    Vectors,
}

/// The two files, open for reading.
#[derive(Debug)]
pub(crate) struct VectorFiles {
    width: usize,
    codes: File,
    vectors: File,
}

impl VectorFiles {
    /// Opens the files of a generation that have to hold so many rows.
    pub(crate) fn open(
        folder: &Path,
        generation: u64,
        width: usize,
        n_rows: u64,
    ) -> io::Result<Self> {
        let open = |sort| -> io::Result<File> {
            let file = File::open(path(folder, generation, sort))?;
            let mut header = [0; HEADER];
            read_at(&file, &mut header, 0)?;
            let is_whole = file.metadata()?.len() >= end_of(sort, width, n_rows);
            if header != header_of(sort, generation, width) || !is_whole {
                return Err(broken(
                    "a file of vectors is not the one that was committed",
                ));
            }
            Ok(file)
        };
        Ok(Self {
            width,
            codes: open(Sort::Codes)?,
            vectors: open(Sort::Vectors)?,
        })
    }

    /// Reads the codes of the rows that are not there yet, up to so many.
    pub(crate) fn read_codes(&self, into: &mut Codes, n_rows: u64) -> io::Result<()> {
        let length = length_of(Sort::Codes, self.width);
        let mut bytes = Vec::new();
        loop {
            let from = into.n_rows() as u64;
            let n = usize::try_from(n_rows.saturating_sub(from))
                .unwrap_or(usize::MAX)
                .min(AT_A_TIME);
            if n == 0 {
                return Ok(());
            }
            bytes.resize(n * length, 0);
            read_at(
                &self.codes,
                &mut bytes,
                end_of(Sort::Codes, self.width, from),
            )?;
            for row in bytes.chunks_exact(length) {
                let (id, quantised) = read_code_row(row)?;
                into.push(id, &quantised, None);
            }
        }
    }

    /// Reads the vectors of neighbouring rows, whose numbers are given.
    pub(crate) fn read_vectors(
        &self,
        first: u64,
        ids: &[u64],
        mut take: impl FnMut(usize, &[f32]),
    ) -> io::Result<()> {
        let length = length_of(Sort::Vectors, self.width);
        let mut bytes = vec![0; length * ids.len()];
        read_at(
            &self.vectors,
            &mut bytes,
            end_of(Sort::Vectors, self.width, first),
        )?;
        let mut vector = Vec::with_capacity(self.width);
        for (at, (row, id)) in bytes.chunks_exact(length).zip(ids).enumerate() {
            let (numbers, sum) = row
                .split_last_chunk::<SUM>()
                .ok_or_else(|| broken("a row without a checksum"))?;
            if u32::from_le_bytes(*sum) != sum_of_vector(*id, numbers) {
                return Err(broken("a vector does not have its checksum"));
            }
            let (numbers, _) = numbers.as_chunks::<4>();
            vector.clear();
            vector.extend(numbers.iter().map(|it| f32::from_le_bytes(*it)));
            take(at, &vector);
        }
        Ok(())
    }
}

/// Adds rows behind those that were committed, or begins the files of a generation.
#[derive(Debug)]
pub(crate) struct VectorWriter {
    width: usize,
    codes: File,
    vectors: File,
    code_bytes: Vec<u8>,
    vector_bytes: Vec<u8>,
    disk: Disk,
}

/// So many bytes are written at once.
const BUFFER: usize = 1 << 20;

impl VectorWriter {
    /// Opens the files behind so many rows; what stands there was never committed and goes.
    pub(crate) fn open(
        disk: &Disk,
        folder: &Path,
        generation: u64,
        width: usize,
        n_rows: u64,
    ) -> io::Result<Self> {
        let open = |sort| -> io::Result<File> {
            let path = path(folder, generation, sort);
            let mut options = OpenOptions::new();
            options.read(true).write(true);
            if n_rows == 0 {
                options.create(true).truncate(true);
            }
            let mut file = disk.open(&path, &options)?;
            if n_rows == 0 {
                disk.write(&mut file, &path, &header_of(sort, generation, width))?;
            } else {
                let end = end_of(sort, width, n_rows);
                if file.metadata()?.len() < end {
                    return Err(broken("a file of vectors is shorter than was committed"));
                }
                file.set_len(end)?;
                file.seek(SeekFrom::Start(end))?;
            }
            Ok(file)
        };
        Ok(Self {
            width,
            codes: open(Sort::Codes)?,
            vectors: open(Sort::Vectors)?,
            code_bytes: Vec::new(),
            vector_bytes: Vec::new(),
            disk: disk.clone(),
        })
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, id: u64, row: &Quantised, vector: &[f32]) -> io::Result<()> {
        let from = self.code_bytes.len();
        self.code_bytes.extend(id.to_le_bytes());
        self.code_bytes.extend(row.scale.to_le_bytes());
        self.code_bytes.extend(row.error.to_le_bytes());
        self.code_bytes
            .extend(row.codes.iter().map(|code| code.cast_unsigned()));
        let sum = crc32fast::hash(self.code_bytes.get(from..).unwrap_or_default());
        self.code_bytes.extend(sum.to_le_bytes());

        let from = self.vector_bytes.len();
        for number in vector {
            self.vector_bytes.extend(number.to_le_bytes());
        }
        let sum = sum_of_vector(id, self.vector_bytes.get(from..).unwrap_or_default());
        self.vector_bytes.extend(sum.to_le_bytes());
        debug_assert_eq!(vector.len(), self.width);
        if self.vector_bytes.len() > BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    /// Brings everything to the disk; only what is there then may be committed.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.disk.sync(&self.codes)?;
        self.disk.sync(&self.vectors)
    }

    fn flush(&mut self) -> io::Result<()> {
        let name = Path::new("vectors");
        self.disk.write(&mut self.codes, name, &self.code_bytes)?;
        self.disk
            .write(&mut self.vectors, name, &self.vector_bytes)?;
        self.code_bytes.clear();
        self.vector_bytes.clear();
        Ok(())
    }
}

/// Removes the files of every other generation, as far as they can be removed.
pub(crate) fn sweep(folder: &Path, generation: u64) {
    let kept = [Sort::Codes, Sort::Vectors].map(|sort| path(folder, generation, sort));
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours = name
            .to_str()
            .is_some_and(|name| name.starts_with("vectors-"));
        if is_ours && !kept.contains(&entry.path()) {
            // What cannot be removed yet is removed by a later writer.
            drop(std::fs::remove_file(entry.path()));
        }
    }
}

fn path(folder: &Path, generation: u64, sort: Sort) -> PathBuf {
    let ending = match sort {
        Sort::Codes => "codes",
        Sort::Vectors => "rows",
    };
    folder.join(format!("vectors-{generation}.{ending}"))
}

fn header_of(sort: Sort, generation: u64, width: usize) -> [u8; HEADER] {
    let mut bytes = Vec::with_capacity(HEADER);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(match sort {
        Sort::Codes => *b"code",
        Sort::Vectors => *b"rows",
    });
    bytes.extend(generation.to_le_bytes());
    bytes.extend(u32::try_from(width).unwrap_or(u32::MAX).to_le_bytes());
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    let mut header = [0; HEADER];
    for (place, byte) in header.iter_mut().zip(bytes) {
        *place = byte;
    }
    header
}

fn length_of(sort: Sort, width: usize) -> usize {
    match sort {
        Sort::Codes => FRONT + width + SUM,
        Sort::Vectors => 4 * width + SUM,
    }
}

/// Where the row after so many rows begins.
fn end_of(sort: Sort, width: usize, n_rows: u64) -> u64 {
    let length = length_of(sort, width) as u64;
    length.saturating_mul(n_rows).saturating_add(HEADER as u64)
}

fn sum_of_vector(id: u64, numbers: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&id.to_le_bytes());
    hasher.update(numbers);
    hasher.finalize()
}

fn read_code_row(row: &[u8]) -> io::Result<(u64, Quantised)> {
    let short = || broken("a row of codes is too short");
    let (body, sum) = row.split_last_chunk::<SUM>().ok_or_else(short)?;
    if u32::from_le_bytes(*sum) != crc32fast::hash(body) {
        return Err(broken("a row of codes does not have its checksum"));
    }
    let mut front = body;
    let mut id = [0; 8];
    let mut scale = [0; 4];
    let mut error = [0; 4];
    front.read_exact(&mut id)?;
    front.read_exact(&mut scale)?;
    front.read_exact(&mut error)?;
    Ok((
        u64::from_le_bytes(id),
        Quantised {
            codes: front.iter().map(|byte| byte.cast_signed()).collect(),
            scale: f32::from_le_bytes(scale),
            error: f32::from_le_bytes(error),
        },
    ))
}

fn broken(message: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
