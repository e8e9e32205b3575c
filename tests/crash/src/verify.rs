//! What the store finds wrong with its own folder.

use atlas_core::Result;
use atlas_store_sqlite::SqliteStore;

/// Everything that `verify` finds, a line each.
///
/// # Errors
///
/// What the store fails with.
pub async fn problems(store: &SqliteStore) -> Result<Vec<String>> {
    let verified = store.verify().await?;
    let findings = verified.findings.into_iter();
    Ok(findings.map(|it| format!("{it:?}")).collect())
}
