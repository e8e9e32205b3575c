//! The command `scale`: every store at every shape, each in a process of its own.

use anyhow::{Context, Result};

use crate::args::ScaleArgs;
use crate::figures::Figures;
use crate::plan::{Plan, shapes};
use crate::reopened::in_own_process;
use crate::{aims, say, table};

/// Measures and prints.
///
/// # Errors
///
/// If a measurement fails or the output cannot be written.
pub(crate) fn run(args: &ScaleArgs) -> Result<()> {
    let mut all = Vec::new();
    for shape in shapes(args) {
        for store in &args.store {
            let dir = match &args.dir {
                Some(dir) => tempfile::tempdir_in(dir),
                None => tempfile::tempdir(),
            };
            let dir = dir.context("cannot make a folder")?;
            let plan = Plan {
                store: *store,
                shape,
                durability: args.durability,
                seed: args.seed,
                searches: args.searches.max(1),
                batch: args.batch,
                dir: dir.path().to_owned(),
            };
            all.push(in_own_process::<Figures>("cell", &plan)?);
        }
    }
    say(&table::tables(&all))?;
    say(&aims::told(&all))
}
