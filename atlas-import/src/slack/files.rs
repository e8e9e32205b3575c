//! Files and pictures that hang on a message.

use atlas_core::model::Attachment;
use serde_json::Value;

use super::mrkdwn;
use crate::json::{list_of, object_of, text_of};

/// The files, then the pictures of blocks and of attachments.
pub(super) fn of(message: &Value) -> Vec<Attachment> {
    let mut attachments: Vec<Attachment> = Vec::new();
    let files = object_of(message, "file")
        .into_iter()
        .chain(list_of(message, "files"));
    let pictures = list_of(message, "blocks").iter().filter_map(block_picture);
    let unfurled = list_of(message, "attachments").iter().filter_map(picture);
    for attachment in files.filter_map(file).chain(pictures).chain(unfurled) {
        if !attachments.contains(&attachment) {
            attachments.push(attachment);
        }
    }
    attachments
}

/// A file; one that was deleted or is beyond the plan's limit has only its id.
fn file(file: &Value) -> Option<Attachment> {
    let field = |name| text_of(file, name);
    let name = field("title").or(field("name")).or(field("id"))?;
    let url = field("url_private")
        .or(field("permalink"))
        .or(field("url_private_download"));
    Some(Attachment {
        name: mrkdwn::decode(name),
        media_type: field("mimetype").map(str::to_owned),
        url: url.map(without_token),
    })
}

/// A URL without the token that lets whoever has it read the workspace's files.
fn without_token(url: &str) -> String {
    match url.split_once("?t=") {
        Some((bare, _)) => bare.to_owned(),
        None => url.to_owned(),
    }
}

fn block_picture(block: &Value) -> Option<Attachment> {
    let url = text_of(block, "image_url")?;
    let title = object_of(block, "title").and_then(|title| text_of(title, "text"));
    Some(image(title.or(text_of(block, "alt_text")), url))
}

/// A picture that a program posted, not the one of a page's preview.
fn picture(attachment: &Value) -> Option<Attachment> {
    let is_preview = text_of(attachment, "from_url").is_some();
    let url = text_of(attachment, "image_url").filter(|_| !is_preview)?;
    Some(image(
        text_of(attachment, "title").or(text_of(attachment, "fallback")),
        url,
    ))
}

fn image(name: Option<&str>, url: &str) -> Attachment {
    Attachment {
        name: mrkdwn::decode(name.unwrap_or(url)),
        media_type: None,
        url: Some(url.to_owned()),
    }
}
