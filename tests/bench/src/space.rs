//! Bytes in memory and on disk.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Where Linux tells the memory of a process.
const STATUS: &str = "/proc/self/status";

/// Bytes of this process that are in memory, mapped files included; none where the system does
/// not tell.
pub(crate) fn resident() -> Option<u64> {
    resident_of(&fs::read_to_string(STATUS).ok()?)
}

fn resident_of(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib.saturating_mul(1024))
}

/// Bytes of a file, or of all files under a folder; nought of what is not there.
///
/// # Errors
///
/// If a folder cannot be read.
pub(crate) fn on_disk(path: &Path) -> Result<u64> {
    let Ok(meta) = fs::symlink_metadata(path) else {
        return Ok(0);
    };
    if !meta.is_dir() {
        return Ok(meta.len());
    }
    let entries = fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut sum = 0;
    for entry in entries {
        sum += on_disk(&entry?.path())?;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_where_it_is_told() {
        let told = resident_of("VmHWM:\t 9 kB\nVmRSS:\t   51234 kB\n");
        assert_eq!(told, Some(51_234 * 1024));
        assert_eq!(resident_of("Name:\tx\n"), None);
    }

    #[test]
    fn a_folder_weighs_what_its_files_do() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("inner")).unwrap();
        fs::write(dir.path().join("a"), [0; 3]).unwrap();
        fs::write(dir.path().join("inner/b"), [0; 4]).unwrap();
        assert_eq!(on_disk(dir.path()).unwrap(), 7);
        assert_eq!(on_disk(&dir.path().join("none")).unwrap(), 0);
    }
}
