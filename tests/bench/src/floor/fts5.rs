//! Floor: texts in `SQLite`'s FTS5.

use std::path::Path;

use anyhow::Result;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};

use super::terms;

/// A table of FTS5 that keeps no texts.
#[derive(Debug)]
pub(crate) struct Fts5 {
    connection: SqliteConnection,
}

impl Fts5 {
    /// Writes texts to a file of their own.
    ///
    /// # Errors
    ///
    /// What `SQLite` fails with.
    pub(crate) async fn create(file: &Path, texts: &[String]) -> Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true);
        let mut connection = SqliteConnection::connect_with(&options).await?;
        let table = "CREATE VIRTUAL TABLE words USING fts5(body, content='',
            tokenize='porter unicode61')";
        sqlx::query(table).execute(&mut connection).await?;
        let mut transaction = connection.begin().await?;
        for text in texts {
            sqlx::query("INSERT INTO words (body) VALUES (?)")
                .bind(text.clone())
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(Self { connection })
    }

    /// Counts the best by any of the question's words, at most so many.
    ///
    /// # Errors
    ///
    /// What `SQLite` fails with.
    pub(crate) async fn search(&mut self, question: &str, limit: i64) -> Result<usize> {
        let quoted: Vec<String> = terms(question)
            .iter()
            .map(|term| format!("\"{term}\""))
            .collect();
        let found =
            sqlx::query("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?")
                .bind(quoted.join(" OR "))
                .bind(limit)
                .fetch_all(&mut self.connection)
                .await?;
        Ok(found.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floor::RawWords;

    #[test]
    fn both_floors_find_any_of_the_words() {
        let dir = tempfile::tempdir().unwrap();
        let texts = ["the launch", "a picnic", "launch and picnic", "nothing"];
        let texts: Vec<String> = texts.map(str::to_owned).to_vec();
        let words = RawWords::create(&dir.path().join("words")).unwrap();
        words.write(&texts).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut fts5 = Fts5::create(&dir.path().join("fts5"), &texts)
                .await
                .unwrap();
            for (question, expected) in [("Launch? picnic!", 3), ("launch", 2), ("gone", 0)] {
                assert_eq!(fts5.search(question, 20).await.unwrap(), expected);
                assert_eq!(words.search(question, 20).unwrap(), expected);
            }
            assert_eq!(fts5.search("launch picnic", 1).await.unwrap(), 1);
        });
    }
}
