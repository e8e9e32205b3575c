//! All measurements of one store at one shape.

use anyhow::Result;

use crate::corpus::Corpus;
use crate::figures::{Disk, Figures, Reopened};
use crate::load::load;
use crate::plan::Plan;
use crate::reopened::in_own_process;
use crate::searches::{Floors, searches};
use crate::space::{on_disk, resident};
use crate::tell;
use crate::tens::tens;

/// Writes, searches, adds, closes and, where that can be, opens again.
///
/// # Errors
///
/// What the store or a floor fails with.
pub(crate) async fn measure(plan: &Plan) -> Result<Figures> {
    let note = |what: &str| tell(&format!("{} {}: {what}", plan.store, plan.shape));
    let corpus = Corpus::new(plan.seed);
    let before = resident();
    let opened = plan.store.open(&plan.store_dir(), plan.durability).await?;
    let parts = &opened.parts;
    let load = load(parts, plan, &corpus).await?;
    let resident = before
        .zip(resident())
        .map(|(before, after)| after.saturating_sub(before));
    note(&format!("written, {:.0} facts a second", load.rate()));
    let mut floors = Floors::build(parts.embedder.as_ref(), plan, &corpus).await?;
    let searched = searches(parts, plan, &corpus, &mut floors).await?;
    drop(floors);
    note("searched");
    let tens = tens(parts, plan, &corpus).await?;
    opened.close().await;
    let is_durable = plan.store.is_durable();
    let disk = is_durable.then(|| disk(plan)).transpose()?;
    let reopened = is_durable
        .then(|| in_own_process::<Reopened>("reopened", plan))
        .transpose()?;
    Ok(Figures {
        store: plan.store,
        shape: plan.shape,
        load,
        ways: searched.ways,
        recall: searched.recall,
        tens,
        resident,
        disk,
        reopened,
    })
}

fn disk(plan: &Plan) -> Result<Disk> {
    let store = plan.store_dir();
    Ok(Disk {
        all: on_disk(&store)?,
        index: on_disk(&store.join("index"))?,
        raw: on_disk(&plan.raw_file())?,
    })
}
