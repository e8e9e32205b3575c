//! Files of older versions are opened, and keep what they hold.

use std::path::Path;

use atlas_core::ports::{
    Collection, Cursor, Epoch, Feed, Key, MessageStore, Partition, RecordStore,
};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Row, raw_sql};

use super::setup::{channel, fill, log, message, open, put, record, run};

/// A store of each version, as SQL, with the number of the version.
const FIXTURES: [(usize, &str); 1] = [(1, include_str!("../fixtures/1.sql"))];

async fn restore(file: &Path, script: &str) {
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
fn a_store_of_every_version_opens_with_all_that_it_held() {
    run(async {
        for (version, script) in FIXTURES {
            let dir = tempfile::tempdir().unwrap();
            restore(&dir.path().join("atlas.db"), script).await;
            let store = open(dir.path()).await.unwrap();
            let c = channel("fixture");
            let seen = log(&store, &c).await;
            let texts: Vec<&str> = seen.iter().map(|it| it.message.text.as_str()).collect();
            assert_eq!(
                texts,
                ["kept since the first version", ""],
                "version {version}"
            );
            let partition = Partition::of(&c);
            let head = store.head(&partition).await.unwrap();
            assert_eq!(
                (head.epoch, head.revision.0),
                (Epoch(0), 2),
                "version {version}"
            );
            let key = Key::new(Collection::new("thing"), "1");
            let found = record(&store, &partition, key).await;
            assert_eq!(found.value, b"changed");
            let feed = RecordStore::changes(&store, &partition, &Cursor::start(), 9).await;
            assert!(matches!(feed.unwrap(), Feed::Page { entries, .. } if entries.len() == 1));
            assert!(store.verify().await.unwrap().is_sound());
            // It takes in more.
            fill(&store, &channel("more"), "word").await;
            let late = message(&c, "3", "late");
            store.append(&c, Epoch(0), &[late]).await.unwrap();
        }
    });
}

/// Writes the fixture of the version that this code makes: run it once, when the version rises.
///
/// `ATLAS_FIXTURE=path cargo test -p atlas-store-sqlite --test it fixture_of_this_version`
#[test]
fn fixture_of_this_version() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await.unwrap();
        let c = channel("fixture");
        let said = [
            message(&c, "1", "kept since the first version"),
            message(&c, "2", "a word that was forgotten"),
        ];
        store.append(&c, Epoch(0), &said).await.unwrap();
        store
            .forget(&c, Epoch(0), &[said[1].id.clone()])
            .await
            .unwrap();
        let partition = Partition::of(&c);
        store.commit(&partition, &put("1", "new")).await.unwrap();
        store
            .commit(&partition, &put("1", "changed"))
            .await
            .unwrap();
        store.close().await;
        let script = dump(&dir.path().join("atlas.db")).await;
        // A dump that is restored holds what was dumped.
        let copy = dir.path().join("copy");
        std::fs::create_dir(&copy).unwrap();
        restore(&copy.join("atlas.db"), &script).await;
        assert_eq!(dump(&copy.join("atlas.db")).await, script);
        if let Ok(path) = std::env::var("ATLAS_FIXTURE") {
            std::fs::write(path, script).unwrap();
        }
    });
}

/// A database as SQL that makes it again.
async fn dump(file: &Path) -> String {
    let mut connection = SqliteConnectOptions::new()
        .filename(file)
        .connect()
        .await
        .unwrap();
    let mut script = String::new();
    for pragma in ["application_id", "user_version"] {
        let row = sqlx::query(AssertSqlSafe(format!("PRAGMA {pragma}")))
            .fetch_one(&mut connection)
            .await
            .unwrap();
        let value: i64 = row.get(0);
        script.push_str(&format!("PRAGMA {pragma} = {value};\n"));
    }
    let objects = sqlx::query(
        "SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    for object in &objects {
        script.push_str(&object.get::<String, _>(2));
        script.push_str(";\n");
    }
    for object in objects
        .iter()
        .filter(|it| it.get::<String, _>(1) == "table")
    {
        let table: String = object.get(0);
        let columns = sqlx::query(AssertSqlSafe(format!(
            "SELECT name FROM pragma_table_info('{table}')"
        )))
        .fetch_all(&mut connection)
        .await
        .unwrap();
        let quoted: Vec<String> = columns
            .iter()
            .map(|it| format!("quote(\"{}\")", it.get::<String, _>(0)))
            .collect();
        let rows = sqlx::query(AssertSqlSafe(format!(
            "SELECT {} AS row FROM {table} ORDER BY row",
            quoted.join(" || ', ' || ")
        )))
        .fetch_all(&mut connection)
        .await
        .unwrap();
        for row in rows {
            let values: String = row.get(0);
            script.push_str(&format!("INSERT INTO {table} VALUES ({values});\n"));
        }
    }
    connection.close().await.unwrap();
    script
}
