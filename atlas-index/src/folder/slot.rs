//! One channel in the folder: how it stands, and what it holds.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use atlas_core::model::ChannelId;
use atlas_core::ports::{Cursor, EmbeddingSpace, Epoch, FactIndexStats, Key, Residue};
use atlas_core::{Error, ErrorKind, Result};

use super::layout::{self, CURRENT, Current, DAMAGED};
use super::settings::FolderSettings;
use super::verification::Verification;
use super::verify;
use crate::analysis;
use crate::channel::{Trust, View, committed};
use crate::disk::{Disk, read_small};
use crate::failure::{damage, of_disk, of_tantivy};
use crate::progress::Progress;
use crate::vectors::Shelf;

/// How often a build that is taken away under a reader is looked for again.
const TRIES: usize = 8;

/// The folder, and how its index behaves.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) dir: PathBuf,
    pub(super) space: EmbeddingSpace,
    pub(super) settings: FolderSettings,
    pub(super) disk: Disk,
}

/// One channel in the folder.
#[derive(Debug)]
pub(super) struct Slot {
    channel: ChannelId,
    pub(super) folder: PathBuf,
    pub(super) site: Arc<Site>,
    opened: Mutex<Opened>,
    /// Held by the writer of this process.
    pub(super) writing: Mutex<()>,
}

/// What this process has open of a channel.
#[derive(Debug, Default)]
pub(super) struct Opened {
    /// The bytes that said which build counts.
    pub(super) current: Vec<u8>,
    pub(super) build: u64,
    pub(super) view: Option<Arc<View>>,
}

/// How the index of a channel is found.
#[derive(Debug)]
pub(super) enum Standing {
    /// Nothing was written, or all of it was erased.
    Absent,
    Sound(Arc<View>),
    /// It has to be built again; why.
    Damaged(Error),
}

impl Slot {
    pub(super) fn new(channel: ChannelId, site: Arc<Site>) -> Self {
        Self {
            folder: site.dir.join(layout::folder_of(&channel)),
            channel,
            site,
            opened: Mutex::default(),
            writing: Mutex::default(),
        }
    }

    pub(super) fn channel(&self) -> &ChannelId {
        &self.channel
    }

    /// The index as of its last commit, whichever process made it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unsupported`] for an index of a later format; [`ErrorKind::Unavailable`] and
    /// [`ErrorKind::Denied`] if the folder cannot be read. A damaged index is no error.
    pub(super) fn look(&self, op: &'static str) -> Result<Standing> {
        let mut opened = self.opened();
        let path = self.folder.join(CURRENT);
        let mut found = None;
        for _ in 0..TRIES {
            let current = read_small(&path).map_err(|failure| of_disk(op, failure))?;
            let Some(current) = current else {
                *opened = Opened::default();
                return Ok(Standing::Absent);
            };
            match self.reopen(&mut opened, &current, op) {
                Ok(view) => return Ok(Standing::Sound(view)),
                Err(error) if error.kind() == ErrorKind::Corrupt => {
                    // What is known to be damaged stays known, though the disk may not take it.
                    opened.view.take_if(|view| !view.is_damaged());
                    // Another process may have put another build in its place meanwhile.
                    let is_same = found.as_ref().is_some_and(|(of, _)| *of == current);
                    found = Some((current, error));
                    if is_same {
                        break;
                    }
                }
                Err(error) => return Err(error),
            }
        }
        let error = found.map_or_else(
            || damage(op, "the index changes all the time"),
            |(_, error)| error,
        );
        Ok(Standing::Damaged(error.with("channel", &self.channel)))
    }

    /// The index; none if there is none.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`] for a damaged one, and what [`look`](Self::look) fails with.
    pub(super) fn view(&self, op: &'static str) -> Result<Option<Arc<View>>> {
        match self.look(op)? {
            Standing::Absent => Ok(None),
            Standing::Sound(view) => Ok(Some(view)),
            Standing::Damaged(error) => Err(error),
        }
    }

    pub(super) fn applied(&self, op: &'static str) -> Result<Cursor> {
        Ok(match self.look(op)? {
            Standing::Sound(view) => view.totals.applied.clone(),
            Standing::Absent | Standing::Damaged(_) => Cursor::start(),
        })
    }

    pub(super) fn stats(&self, op: &'static str) -> Result<FactIndexStats> {
        let view = self.view(op)?;
        Ok(view.map_or_else(FactIndexStats::default, |view| view.totals.to_stats()))
    }

    pub(super) fn origins(&self, op: &'static str) -> Result<Vec<Key>> {
        let Some(view) = self.view(op)? else {
            return Ok(Vec::new());
        };
        view.origins().map_err(|failure| {
            let error = of_tantivy(op, failure).with("channel", &self.channel);
            if error.kind() == ErrorKind::Corrupt {
                self.mark(&view);
            }
            error
        })
    }

    /// Documents, and files of builds that do not count, which hold words all the same.
    pub(super) fn residue(&self, op: &'static str) -> Result<Residue> {
        let standing = self.look(op)?;
        let (mut residue, counted) = match &standing {
            Standing::Absent => (Residue::default(), None),
            Standing::Damaged(_) => (Residue { items: 0, marks: 1 }, None),
            Standing::Sound(view) => {
                let progress = Progress::at(Epoch::default(), view.totals.applied.clone());
                let residue = Residue {
                    items: view.totals.n_documents,
                    marks: progress.marks(),
                };
                (residue, Some(self.opened().build))
            }
        };
        let count = || -> io::Result<u64> {
            let mut n_files = 0;
            for build in layout::builds(&self.folder)? {
                if Some(build) != counted {
                    n_files +=
                        fs::read_dir(layout::build_folder(&self.folder, build))?.count() as u64;
                }
            }
            Ok(n_files)
        };
        residue.items = residue
            .items
            .saturating_add(count().map_err(|failure| of_disk(op, failure))?);
        Ok(residue)
    }

    pub(super) fn verify(&self, op: &'static str) -> Result<Verification> {
        let view = match self.look(op)? {
            Standing::Absent => return Ok(Verification::default()),
            Standing::Damaged(error) => {
                return Ok(Verification {
                    faults: vec![error.message().to_owned()],
                    ..Verification::default()
                });
            }
            Standing::Sound(view) => view,
        };
        let build = self.opened().build;
        let verification = match self.open_build(build, None, op) {
            Ok(fresh) => verify::verify(&fresh, op)?,
            Err(error) if error.kind() == ErrorKind::Corrupt => Verification {
                faults: vec![error.message().to_owned()],
                ..Verification::default()
            },
            Err(error) => return Err(error),
        };
        if !verification.is_sound() {
            self.mark(&view);
        }
        Ok(verification)
    }

    /// Has the index built again, in every process: something of it could not be read.
    pub(super) fn mark(&self, view: &View) {
        view.blame();
        let opened = self.opened();
        let known = opened.view.as_ref();
        if known.is_some_and(|known| std::ptr::eq(Arc::as_ptr(known), view)) {
            self.mark_build(opened.build);
        }
    }

    fn mark_build(&self, build: u64) {
        let folder = layout::build_folder(&self.folder, build);
        // If this cannot be written, this process at least knows.
        drop(fs::write(folder.join(DAMAGED), b""));
    }

    pub(super) fn opened(&self) -> MutexGuard<'_, Opened> {
        // Whatever was opened whole is stored last.
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Brings what is open to the last commit of the build that counts.
    fn reopen(&self, opened: &mut Opened, current: &[u8], op: &'static str) -> Result<Arc<View>> {
        if opened.current != current {
            let known: Current = layout::parse(current, op)?;
            let expected = self.current(known.build);
            if known != expected {
                return Err(damage(op, "the index was made for something else"));
            }
            *opened = Opened {
                current: current.to_vec(),
                build: known.build,
                view: None,
            };
        }
        let folder = layout::build_folder(&self.folder, opened.build);
        let is_marked = folder
            .join(DAMAGED)
            .try_exists()
            .map_err(|failure| of_disk(op, failure))?;
        let is_damaged = opened.view.as_ref().is_some_and(|it| it.is_damaged());
        if is_damaged && !is_marked {
            self.mark_build(opened.build);
        }
        if is_damaged || is_marked {
            return Err(damage(op, "a part of the index could not be read"));
        }
        let meta = read_small(&folder.join("meta.json"))
            .map_err(|failure| of_disk(op, failure))?
            .ok_or_else(|| damage(op, "the index has no commit"))?;
        if let Some(view) = opened.view.as_ref().filter(|view| view.is_of(&meta)) {
            return Ok(Arc::clone(view));
        }
        let view = Arc::new(self.open_build(opened.build, opened.view.as_deref(), op)?);
        opened.view = Some(Arc::clone(&view));
        Ok(view)
    }

    fn open_build(&self, build: u64, before: Option<&View>, op: &'static str) -> Result<View> {
        let folder = layout::build_folder(&self.folder, build);
        let directory = self
            .site
            .disk
            .directory(&folder)
            .map_err(|failure| of_tantivy(op, failure))?;
        let vectors_at = self.shelf_in(&folder);
        let width = self.site.space.dimensions;
        let vectors = committed(&vectors_at, width, before);
        // What no checksum guards can make tantivy panic.
        catch_unwind(AssertUnwindSafe(|| {
            View::open(&*directory, vectors, before, Trust::Checked, op)
        }))
        .unwrap_or_else(|_| Err(damage(op, "the words of the index are not whole")))
    }

    pub(super) fn shelf_in(&self, folder: &Path) -> Shelf {
        Shelf::Folder(folder.to_path_buf(), self.site.disk.clone())
    }

    pub(super) fn current(&self, build: u64) -> Current {
        Current {
            channel: self.channel.clone(),
            build,
            space: self.site.space.clone(),
            analysis: analysis::fingerprint().to_owned(),
        }
    }

    pub(super) fn progress(&self, op: &'static str) -> Result<Progress> {
        let epoch = layout::load_epoch(&self.folder, op)?;
        Ok(Progress::at(epoch, self.applied(op)?))
    }
}
