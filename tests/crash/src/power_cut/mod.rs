//! Copies of a folder as a power cut would leave it.
//!
//! A killed process leaves everything that it wrote to the system; a power cut leaves what was
//! synced, and any part of the rest. So a folder is copied where its process was killed, and in the
//! copy the write-ahead log is cut somewhere behind the last simulated sync, and files of the index,
//! which is never synced for truth's sake, anywhere. The copy must open on every acknowledged
//! operation, and answer what the truth answers.

mod cut;
mod wal;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use atlas_core::ports::ChannelScope;
use atlas_core::project::catch_up;
use atlas_store_sqlite::SqliteSettings;
use fastrand::Rng;

use self::cut::{Cut, copy_folder};
use self::wal::Synced;
use crate::answers::answers;
use crate::compare::Findings;
use crate::kills::Witness;
use crate::ops::{Op, kind, perform};
use crate::state::inspect;
use crate::truth::Truth;
use crate::world::{World, runtime};

/// Copies that are cut after each kill.
pub const COPIES: usize = 2;

/// Cuts copies of the folder after every kill, and looks at what they hold.
#[derive(Debug)]
pub struct PowerCut {
    rng: Rng,
    /// Where copies are made.
    dir: PathBuf,
    /// The write-ahead log at the last acknowledgement.
    synced: Option<Synced>,
    synced_too: bool,
    /// What was done.
    pub tally: CutTally,
}

/// What was cut, and what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CutTally {
    /// Copies that were opened.
    pub copies: usize,
    /// Copies whose write-ahead log lost its end.
    pub logs: usize,
    /// Bytes that write-ahead logs lost.
    pub log_bytes: u64,
    /// Files of an index that lost their end.
    pub index_files: usize,
    /// Documents that were put into an index again.
    pub documents: usize,
    /// Copies that were asked, and answered what the truth answers.
    pub answered: usize,
}

impl PowerCut {
    /// Makes its copies in a folder of its own.
    ///
    /// What was synced stays, unless it is cut, too: then something must be found.
    pub fn new(dir: &Path, seed: u64, synced_too: bool) -> Self {
        Self {
            rng: Rng::with_seed(seed ^ 0x0063_7574),
            dir: dir.to_path_buf(),
            synced: None,
            synced_too,
            tally: CutTally::default(),
        }
    }

    /// Opens a copy that was cut and compares it with the truth, before and after the operation
    /// that was open is performed again.
    async fn look(&mut self, copy: &Path, truth: &Truth, open: Option<&Op>) -> Result<Findings> {
        let world = World::open(copy, SqliteSettings::default())
            .await
            .context("the copy does not open")?;
        let channels = truth.channels();
        for channel in &channels {
            let scope = ChannelScope::new(channel.clone());
            let caught_up = catch_up(world.atlas.components(), &scope).await?;
            self.tally.documents += caught_up.documents;
        }
        let mut findings = truth.compare(&inspect(&world, &channels).await?);
        if let Some(op) = open
            && kind(&op.name)?.is_repeatable()
        {
            perform(&world, op, &|_| {})
                .await
                .context("going on in the copy")?;
            let finished = truth.compare_finished(&inspect(&world, &channels).await?);
            findings.extend("going on", finished);
            let channel = self.rng.choice(&channels).context("no channel")?;
            if answers(&world, channel).await? == answers(truth.world(), channel).await? {
                self.tally.answered += 1;
            } else {
                let otherwise = format!("{channel} answers otherwise than the truth");
                findings.violated.push(otherwise);
            }
        }
        world.close().await;
        Ok(findings)
    }
}

impl Witness for PowerCut {
    fn acknowledged(&mut self, dir: &Path) -> Result<()> {
        self.synced = wal::committed(dir)?;
        Ok(())
    }

    fn killed(&mut self, dir: &Path, truth: &Truth, open: Option<&Op>) -> Result<Findings> {
        let mut findings = Findings::default();
        for place in 0..COPIES {
            let copy = self.dir.join(format!("copy-{}", self.tally.copies));
            copy_folder(dir, &copy)?;
            let floor = if self.synced_too {
                0
            } else {
                wal::floor(dir, self.synced)?
            };
            let cut = Cut::draw(&mut self.rng, &copy, floor)?;
            let told = cut.apply()?;
            self.tally.copies += 1;
            self.tally.logs += usize::from(cut.log_bytes() > 0);
            self.tally.log_bytes += cut.log_bytes();
            self.tally.index_files += cut.n_index_files();
            let found = runtime()?.block_on(self.look(&copy, truth, open));
            match found {
                Ok(found) => findings.extend(&format!("copy {place}, {told}"), found),
                Err(error) => findings
                    .violated
                    .push(format!("copy {place}, {told}: {error:#}")),
            }
            fs::remove_dir_all(&copy)?;
        }
        Ok(findings)
    }
}
