//! The tables, and the way from an older version to this one.

use atlas_core::ports::EmbeddingSpace;
use atlas_core::{Error, ErrorKind, Result};
use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection, Row, raw_sql};

use crate::failure::{corrupt, failed};

/// What stands in the header of a database that is a store of Atlas: "Atls".
const APPLICATION: i32 = 0x4174_6c73;

/// What each version changes in the one before; the first makes all.
const STEPS: [&str; 1] = [include_str!("schema/1.sql")];

/// The version that this code reads and writes.
pub(crate) const VERSION: usize = STEPS.len();

/// Brings the database to this version, or refuses it.
///
/// Everything happens in one transaction of SQLite, which keeps the version in its header. A
/// migrator that keeps a table of its own would take no lock here, and two processes may open one
/// folder at once.
pub(crate) async fn bring_up(
    connection: &mut SqliteConnection,
    space: &EmbeddingSpace,
    op: &'static str,
) -> Result<()> {
    let mut writing = connection
        .begin_with("BEGIN IMMEDIATE")
        .await
        .map_err(failed(op))?;
    let stands = stands(&mut writing).await.map_err(failed(op))?;
    let version = match stands {
        Stands::Empty => 0,
        Stands::At(version) => version,
        Stands::Foreign => {
            return Err(Error::new(
                ErrorKind::Invalid,
                op,
                "the database is of another application",
            ));
        }
    };
    let Some(steps) = STEPS.get(version..) else {
        return Err(Error::new(
            ErrorKind::Unsupported,
            op,
            "the database was written by a newer version of Atlas",
        )
        .with("version", version)
        .with("known", VERSION));
    };
    for step in steps {
        raw_sql(*step)
            .execute(&mut *writing)
            .await
            .map_err(failed(op))?;
    }
    if !steps.is_empty() {
        let mark =
            format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}");
        raw_sql(sqlx::AssertSqlSafe(mark))
            .execute(&mut *writing)
            .await
            .map_err(failed(op))?;
    }
    check_space(&mut writing, space, op).await?;
    writing.commit().await.map_err(failed(op))
}

/// What a database is.
enum Stands {
    /// Nothing is in it.
    Empty,
    /// A store of that version.
    At(usize),
    /// Something else.
    Foreign,
}

async fn stands(connection: &mut SqliteConnection) -> sqlx::Result<Stands> {
    let mut header = [0_i64; 3];
    let questions = [
        "PRAGMA application_id",
        "PRAGMA user_version",
        "SELECT count(*) FROM sqlite_schema",
    ];
    for (answer, question) in header.iter_mut().zip(questions) {
        *answer = sqlx::query(question)
            .fetch_one(&mut *connection)
            .await?
            .try_get(0)?;
    }
    let [application, version, n_tables] = header;
    Ok(if application == i64::from(APPLICATION) {
        Stands::At(usize::try_from(version).unwrap_or(usize::MAX))
    } else if application == 0 && version == 0 && n_tables == 0 {
        Stands::Empty
    } else {
        Stands::Foreign
    })
}

/// Refuses a space that is not the one the store was made with.
async fn check_space(
    connection: &mut SqliteConnection,
    space: &EmbeddingSpace,
    op: &'static str,
) -> Result<()> {
    let kept = sqlx::query("SELECT value FROM made_with WHERE name = 'space'")
        .fetch_optional(&mut *connection)
        .await
        .and_then(|row| row.map(|row| row.try_get::<String, _>(0)).transpose())
        .map_err(failed(op))?;
    let Some(kept) = kept else {
        let text =
            serde_json::to_string(space).map_err(corrupt(op, "the space cannot be written"))?;
        return sqlx::query("INSERT INTO made_with (name, value) VALUES ('space', ?)")
            .bind(text)
            .execute(&mut *connection)
            .await
            .map(|_| ())
            .map_err(failed(op));
    };
    let kept: EmbeddingSpace =
        serde_json::from_str(&kept).map_err(corrupt(op, "the space cannot be read"))?;
    if kept != *space {
        return Err(Error::new(
            ErrorKind::Invalid,
            op,
            "the store was made with another embedding space; open it with that one, or make a \
             new store from the messages",
        )
        .with("stored", kept)
        .with("given", space));
    }
    Ok(())
}
