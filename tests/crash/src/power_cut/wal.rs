//! How much of a write-ahead log a power cut must leave.
//!
//! # Source
//!
//! The `SQLite` file format, sections 4.1 to 4.3 (log header, frames, commit records), and "WAL-mode
//! file format" for the index of the log in shared memory.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};

/// Bytes before the first frame.
const HEADER: u64 = 32;
/// Bytes before the page of a frame.
const FRAME_HEADER: u64 = 24;
/// Where the index of the log tells how many frames a checkpoint may have copied.
const ATTEMPTED: usize = 128;

/// A log at the moment of a simulated sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Synced {
    /// Tells one life of the file from the next, which begins at its start again.
    salt: [u8; 8],
    /// The end of the last commit.
    end: u64,
}

/// Where the last commit of the log ends; none if there is no log or nothing in it.
pub(super) fn committed(dir: &Path) -> Result<Option<Synced>> {
    Ok(read(&dir.join("atlas.db-wal"))?.and_then(|bytes| last_commit(&bytes)))
}

/// What a power cut must leave of the log, in bytes: the commits up to the last sync, and what a
/// checkpoint may have copied, since the log is synced before that.
pub(super) fn floor(dir: &Path, synced: Option<Synced>) -> Result<u64> {
    let Some(bytes) = read(&dir.join("atlas.db-wal"))? else {
        return Ok(0);
    };
    let Some(now) = last_commit(&bytes) else {
        return Ok(0);
    };
    let copied = match read(&dir.join("atlas.db-shm"))? {
        Some(index) => attempted(&index),
        None => 0,
    };
    let frame = frame_bytes(&bytes).unwrap_or_default();
    let copied_end = match copied {
        0 => 0,
        frames => HEADER + u64::from(frames) * frame,
    };
    let synced_end = match synced {
        Some(synced) if synced.salt == now.salt => synced.end,
        // The log began again, which it does only once all of it is in the database and synced.
        _ => 0,
    };
    Ok(synced_end.max(copied_end))
}

fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
    }
}

fn last_commit(bytes: &[u8]) -> Option<Synced> {
    let salt: [u8; 8] = bytes.get(16..24)?.try_into().ok()?;
    let frame = usize::try_from(frame_bytes(bytes)?).ok()?;
    let mut synced = None;
    let mut at = usize::try_from(HEADER).ok()?;
    while let Some(header) = bytes.get(at..at + frame) {
        if header.get(8..16) != Some(salt.as_slice()) {
            break;
        }
        at += frame;
        // The frame that ends a commit tells the size of the database after it.
        if number(header, 4)? > 0 {
            let end = u64::try_from(at).ok()?;
            synced = Some(Synced { salt, end });
        }
    }
    synced
}

fn frame_bytes(bytes: &[u8]) -> Option<u64> {
    Some(FRAME_HEADER + u64::from(number(bytes, 8)?))
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    Some(u32::from_be_bytes(four))
}

fn attempted(index: &[u8]) -> u32 {
    let four = index
        .get(ATTEMPTED..ATTEMPTED + 4)
        .and_then(|it| it.try_into().ok());
    four.map_or(0, u32::from_ne_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A log of frames, each with its salt and whether it ends a commit.
    fn log(frames: &[(u8, bool)]) -> Vec<u8> {
        let mut bytes = vec![0; 32];
        bytes[8..12].copy_from_slice(&512_u32.to_be_bytes());
        bytes[16..24].fill(1);
        for (salt, ends) in frames {
            let mut frame = vec![0; 24 + 512];
            frame[4..8].copy_from_slice(&u32::from(*ends).to_be_bytes());
            frame[8..16].fill(*salt);
            bytes.extend(frame);
        }
        bytes
    }

    #[track_caller]
    fn check(frames: &[(u8, bool)], cut: usize, expected: Option<u64>) {
        let mut bytes = log(frames);
        bytes.truncate(bytes.len() - cut);
        assert_eq!(last_commit(&bytes).map(|it| it.end), expected);
    }

    #[test]
    fn a_log_ends_with_its_last_whole_commit() {
        check(&[], 0, None);
        check(&[(1, false), (1, true)], 0, Some(32 + 2 * 536));
        check(&[(1, true), (1, false)], 0, Some(32 + 536));
        check(&[(1, true), (1, true)], 1, Some(32 + 536));
        // What is behind it is of an earlier life of the file.
        check(&[(1, true), (9, true)], 0, Some(32 + 536));
    }
}
