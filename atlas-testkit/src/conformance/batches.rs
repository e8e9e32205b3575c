//! Scopes and feeds for the checks of what follows a feed.

use atlas_core::model::{ChannelId, ContentHash, PrincipalId};
use atlas_core::ports::{
    Access, AllowAll, Authorizer, Batch, ChannelScope, Cursor, Epoch, Revision, Scope,
};

use super::Seen;

/// The place in a feed after its `revision`th commit; the start for nought.
pub(crate) fn cursor(revision: u64) -> Cursor {
    cursor_of(revision, "one history")
}

/// The same number in another history.
pub(crate) fn cursor_of(revision: u64, history: &str) -> Cursor {
    if revision == 0 {
        return Cursor::start();
    }
    Cursor {
        revision: Revision(revision),
        digest: ContentHash::of_parts(&[history, &revision.to_string()]),
    }
}

/// A batch of epoch nought between two places.
pub(crate) fn batch<'a, E>(from: &'a Cursor, to: &'a Cursor, entries: &'a [E]) -> Batch<'a, E> {
    Batch {
        epoch: Epoch(0),
        from,
        to,
        entries,
    }
}

/// The scope of several channels.
pub(crate) async fn across(channels: &[&ChannelScope]) -> Result<Scope, Seen> {
    let authorizer = Authorizer::new(AllowAll);
    let reader = authorizer.principal(PrincipalId::new("reader"));
    let channels: Vec<ChannelId> = channels.iter().map(|it| it.channel().clone()).collect();
    Ok(authorizer.scope(&reader, &channels, Access::Read).await?)
}
