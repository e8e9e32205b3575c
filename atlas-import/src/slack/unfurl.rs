//! Slack's "attachments": what programs add below a text, previews of pages, shared messages.

use serde_json::Value;

use super::blocks::{self, joined, quote};
use super::mrkdwn;
use super::saying::says;
use super::scribe::Scribe;
use crate::json::{bool_of, list_of, object_of, text_of};

/// Adds to a text what its attachments say beyond it.
///
/// A preview of a linked page is not what the author said: it gives its title to the link, and
/// its words only if there are no others. The words of a shared message are quoted.
pub(super) fn add_to(text: String, attachments: &[Value], scribe: &mut Scribe<'_>) -> String {
    let mut whole = text;
    for attachment in attachments
        .iter()
        .filter(|attachment| attachment.is_object())
    {
        link(attachment, scribe);
        let is_shared = bool_of(attachment, "is_share");
        if is_preview(attachment) && !is_shared && !whole.trim().is_empty() {
            continue;
        }
        let added = pieces(attachment, scribe)
            .into_iter()
            .filter(|piece| !says(&whole, piece));
        let mut added = joined(added.collect::<Vec<_>>(), "\n");
        if added.is_empty() {
            continue;
        }
        if is_shared || bool_of(attachment, "is_msg_unfurl") {
            added = quote(&added);
        }
        whole = joined([whole, added], "\n");
    }
    whole
}

fn is_preview(attachment: &Value) -> bool {
    ["from_url", "original_url"]
        .iter()
        .any(|field| text_of(attachment, field).is_some())
        || bool_of(attachment, "is_msg_unfurl")
        || bool_of(attachment, "is_app_unfurl")
}

fn link(attachment: &Value, scribe: &mut Scribe<'_>) {
    let title = text_of(attachment, "title").map(|raw| mrkdwn::in_plain_text(&mrkdwn::decode(raw)));
    for field in ["original_url", "from_url", "title_link"] {
        let Some(url) = text_of(attachment, field) else {
            continue;
        };
        let url = mrkdwn::decode(url);
        let is_known = scribe.named.links.iter().any(|link| link.url == url);
        // One page is one link: another address of it is added only if the text has none.
        if is_known || field == "title_link" && !is_preview(attachment) || field == "from_url" {
            scribe.named.link(&url, title.as_deref());
            return;
        }
    }
}

/// What an attachment shows, from top to bottom; the fallback only if that is nothing.
fn pieces(attachment: &Value, scribe: &mut Scribe<'_>) -> Vec<String> {
    let mut pieces = Vec::new();
    for field in ["pretext", "author_name", "title", "text"] {
        if let Some(raw) = text_of(attachment, field) {
            pieces.push(mrkdwn::render(raw, scribe));
        }
    }
    for field in list_of(attachment, "fields") {
        let parts = ["title", "value"]
            .iter()
            .filter_map(|part| text_of(field, part));
        let parts: Vec<String> = parts.map(|raw| mrkdwn::render(raw, scribe)).collect();
        pieces.push(joined(parts, ": "));
    }
    pieces.push(blocks::text(list_of(attachment, "blocks"), scribe));
    for message in list_of(attachment, "message_blocks") {
        if let Some(message) = object_of(message, "message") {
            pieces.push(blocks::text(list_of(message, "blocks"), scribe));
        }
    }
    // A shared message has its words both as text and as blocks.
    let mut shown: Vec<String> = Vec::new();
    for piece in pieces.into_iter().filter(|piece| !piece.trim().is_empty()) {
        if !shown.iter().any(|earlier| says(earlier, &piece)) {
            shown.push(piece);
        }
    }
    if shown.is_empty()
        && let Some(fallback) = text_of(attachment, "fallback")
    {
        shown.push(mrkdwn::render(fallback, scribe));
    }
    shown
}
