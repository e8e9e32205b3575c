//! The process that is killed: opens a folder and performs what it is sent.

use std::io::{self, BufRead, Write};
use std::path::Path;

use anyhow::{Context, Result};
use atlas_store_sqlite::SqliteSettings;
use serde_json::Value;

use crate::limit;
use crate::ops::perform;
use crate::state::inspect;
use crate::wire::{Reply, Request};
use crate::worker::Manner;
use crate::world::{World, runtime};

/// Serves requests until there are no more.
///
/// # Errors
///
/// If a line is no request, or nobody reads the answers. What a request fails with is an answer.
pub fn serve(dir: &Path, manner: Manner) -> Result<()> {
    if let Some(bytes) = manner.file_limit {
        limit::limit_files(bytes)?;
    }
    let runtime = runtime()?;
    let world = match runtime.block_on(World::open(dir, SqliteSettings::default())) {
        Ok(world) => world,
        Err(error) => return say(&Reply::failed(&anyhow::Error::new(error))),
    };
    say(&Reply::Opened)?;
    for line in io::stdin().lock().lines() {
        let request: Request = serde_json::from_str(&line?).context("not a request")?;
        if let (true, Request::Perform(op)) = (manner.is_hasty, &request) {
            let seen = Value::Null;
            say(&Reply::Done { n: op.n, seen })?;
            runtime.block_on(perform(&world, op, &|_| {}))?;
            continue;
        }
        let reply = runtime.block_on(answer(&world, request));
        say(&reply.unwrap_or_else(|error| Reply::failed(&error)))?;
    }
    Ok(())
}

async fn answer(world: &World, request: Request) -> Result<Reply> {
    Ok(match request {
        Request::Perform(op) => {
            let reached = |stage: &str| {
                // Where it cannot be told, the parent is gone, and the next answer fails.
                let _untold = say(&Reply::Reached(stage.to_owned()));
            };
            let seen = perform(world, &op, &reached).await?;
            Reply::Done { n: op.n, seen }
        }
        Request::Inspect(channels) => Reply::Inspected(Box::new(inspect(world, &channels).await?)),
    })
}

fn say(reply: &Reply) -> Result<()> {
    let mut line = serde_json::to_vec(reply)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()?;
    Ok(())
}
