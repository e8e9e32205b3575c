//! What can be wrong with a folder, each with an error that says so.

use std::fs;

use atlas_core::ports::{EmbeddingSpace, MessageStore, Sequence};
use atlas_core::{ErrorKind, Retry};
use atlas_store_sqlite::{SqliteSettings, SqliteStore};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, raw_sql};
use std::path::Path;
use std::time::Duration;

use super::setup::{channel, fill, open, run, settings, space};

/// Runs SQL on a database, as another application might.
async fn sql(file: &Path, script: &str) {
    let mut connection = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .connect()
        .await
        .unwrap();
    raw_sql(AssertSqlSafe(script))
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
}

#[test]
fn another_space_is_refused_by_both_names_and_nothing_is_changed() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await.unwrap();
        fill(&store, &channel("c"), "word").await;
        store.close().await;
        let other = EmbeddingSpace {
            model: "another".to_owned(),
            ..space()
        };
        let error = SqliteStore::open(dir.path(), other.clone())
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        let told = error.to_string();
        assert!(told.contains(&space().to_string()), "{told}");
        assert!(told.contains(&other.to_string()), "{told}");
        assert!(open(dir.path()).await.is_ok());
    });
}

#[test]
fn a_newer_file_is_unsupported_and_left_alone() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        open(dir.path()).await.unwrap().close().await;
        let file = dir.path().join("atlas.db");
        sql(&file, "PRAGMA user_version = 99").await;
        let before = fs::read(&file).unwrap();
        let error = open(dir.path()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().contains("99"), "{error}");
        assert_eq!(fs::read(&file).unwrap(), before);
    });
}

#[test]
fn a_database_of_another_application_is_left_alone() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("atlas.db");
        sql(&file, "CREATE TABLE recipe (name TEXT)").await;
        let before = fs::read(&file).unwrap();
        assert_eq!(
            open(dir.path()).await.unwrap_err().kind(),
            ErrorKind::Invalid
        );
        assert_eq!(fs::read(&file).unwrap(), before);
    });
}

#[test]
fn what_is_no_database_is_corrupt() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        fs::write(
            dir.path().join("atlas.db"),
            "this is text, and long enough ".repeat(200),
        )
        .unwrap();
        assert_eq!(
            open(dir.path()).await.unwrap_err().kind(),
            ErrorKind::Corrupt
        );
    });
}

#[test]
fn a_path_that_is_no_folder_is_invalid() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        for path in [file.clone(), file.join("below")] {
            let error = open(&path).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
            assert!(error.to_string().contains("file"), "{error}");
        }
    });
}

/// On a machine where rights bind nobody, such as in a container, there is nothing to see.
#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_to_is_denied() {
    use std::os::unix::fs::PermissionsExt;
    run(async {
        let dir = tempfile::tempdir().unwrap();
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o555)).unwrap();
        if fs::write(dir.path().join("probe"), "").is_ok() {
            return;
        }
        assert_eq!(
            open(dir.path()).await.unwrap_err().kind(),
            ErrorKind::Denied
        );
    });
}

#[test]
fn a_database_that_another_process_holds_is_unavailable_now_and_open_later() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        let patient = open(dir.path()).await.unwrap();
        let hasty = SqliteSettings {
            busy_timeout: Duration::from_millis(20),
            ..settings()
        };
        let hasty = SqliteStore::open_with(dir.path(), space(), hasty)
            .await
            .unwrap();
        let mut holder = SqliteConnectOptions::new()
            .filename(dir.path().join("atlas.db"))
            .connect()
            .await
            .unwrap();
        let holding = holder.begin_with("BEGIN IMMEDIATE").await.unwrap();
        let c = channel("c");
        let said = [super::setup::message(&c, "1", "word")];
        let error = hasty
            .append(&c, Default::default(), &said)
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unavailable);
        assert_eq!(error.retry(), Retry::Now);
        holding.rollback().await.unwrap();
        assert!(hasty.append(&c, Default::default(), &said).await.is_ok());
        let seen = patient.changes(&c, Sequence(0), 9).await.unwrap();
        assert_eq!(seen.len(), 1);
    });
}

#[test]
fn many_may_open_a_fresh_folder_at_once() {
    const OPENERS: usize = 6;
    let dir = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        let openers: Vec<_> = (0..OPENERS)
            .map(|n| {
                let path = dir.path();
                scope.spawn(move || {
                    run(async {
                        let store = open(path).await.unwrap();
                        fill(&store, &channel(&format!("c{n}")), "word").await;
                        store.close().await;
                    });
                })
            })
            .collect();
        for opener in openers {
            opener.join().unwrap();
        }
    });
    run(async {
        let store = open(dir.path()).await.unwrap();
        for n in 0..OPENERS {
            let seen = store
                .changes(&channel(&format!("c{n}")), Sequence(0), 9)
                .await;
            assert_eq!(seen.unwrap().len(), 1);
        }
    });
}
