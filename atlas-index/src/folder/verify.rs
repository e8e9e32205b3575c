//! Everything that a channel's index stores, against what was committed.

use std::collections::BTreeSet;

use atlas_core::{ErrorKind, Result};

use super::verification::Verification;
use crate::channel::{Totals, View};
use crate::failure::{of_disk, of_tantivy};

/// Reads all documents and vectors of a view whose files' checksums are right.
///
/// # Errors
///
/// [`ErrorKind::Unavailable`] if something cannot be read at this moment.
pub(super) fn verify(view: &View, op: &'static str) -> Result<Verification> {
    let mut found = Verification::default();
    match recount(view) {
        Ok((totals, ids)) => {
            found.n_documents = totals.n_documents;
            found.n_vectors = totals.n_vectors;
            if totals != view.totals {
                found
                    .faults
                    .push("the documents are not those that were committed".to_owned());
            }
            match view.vectors.faults(&ids) {
                Ok(faults) => found.faults.extend(faults),
                Err(failure) => fault(&mut found, of_disk(op, failure))?,
            }
        }
        Err(failure) => fault(&mut found, of_tantivy(op, failure))?,
    }
    match view.origins() {
        Ok(_) => {}
        Err(failure) => fault(&mut found, of_tantivy(op, failure))?,
    }
    Ok(found)
}

/// Counts the documents again. Answers the numbers of their vectors too.
fn recount(view: &View) -> tantivy::Result<(Totals, BTreeSet<u64>)> {
    let mut totals = Totals {
        applied: view.totals.applied.clone(),
        vectors: view.totals.vectors,
        ..Totals::default()
    };
    let mut ids = BTreeSet::new();
    for segment in &view.segments {
        for document in segment.alive() {
            let share = segment.share(document)?;
            ids.extend(share.vector.filter(|id| *id > 0));
            totals.add(share);
        }
    }
    Ok((totals, ids))
}

fn fault(found: &mut Verification, error: atlas_core::Error) -> Result<()> {
    if error.kind() != ErrorKind::Corrupt {
        return Err(error);
    }
    found.faults.push(error.message().to_owned());
    Ok(())
}
