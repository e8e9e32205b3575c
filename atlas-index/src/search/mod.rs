//! Looks through the channels of a scope.

mod bm25;
mod dense;
mod lexical;
mod places;
mod recent;
mod spread;

use atlas_core::model::ChannelId;
use atlas_core::ports::{EmbeddingSpace, Filter, IndexHit, Leg, SearchRequest};
use atlas_core::{Error, ErrorKind, Result};

use crate::channel::{Segment, Sieve, View, check_vector};
use crate::failure::of_tantivy;
pub(crate) use spread::Spread;

/// A channel of the scope, as of one commit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Looked<'a> {
    pub(crate) channel: &'a ChannelId,
    pub(crate) view: &'a View,
}

/// Checks a request.
///
/// # Errors
///
/// [`ErrorKind::Invalid`] for a limit of nought, and for a vector that does not belong to the
/// space.
pub(crate) fn check(
    space: &EmbeddingSpace,
    request: &SearchRequest,
    op: &'static str,
) -> Result<()> {
    if request.limit == 0 {
        return Err(Error::new(ErrorKind::Invalid, op, "the limit is nought"));
    }
    match &request.leg {
        Leg::Dense { vector } => check_vector(space, vector, op),
        Leg::Lexical { .. } | Leg::Recent => Ok(()),
    }
}

/// Answers a request that was checked. The channels come in their order.
pub(crate) fn search(
    channels: &[Looked<'_>],
    request: &SearchRequest,
    spread: Spread,
    op: &'static str,
) -> Result<Vec<IndexHit>> {
    let request = &SearchRequest {
        filter: with_lower_tags(&request.filter),
        ..request.clone()
    };
    match &request.leg {
        Leg::Lexical { text } => lexical::search(channels, text, request, spread, op),
        Leg::Dense { vector } => dense::search(channels, vector, request, spread, op),
        Leg::Recent => recent::search(channels, request, op),
    }
}

/// A segment of a channel, and what a reader sees of it.
struct Sieved<'a> {
    /// The place of the channel in the scope, and of the segment in the channel.
    place: (u32, u32),
    looked: Looked<'a>,
    segment: &'a Segment,
    sieve: Sieve<'a>,
}

/// The segments of all channels of which a reader may see anything.
fn sieved<'a>(
    channels: &[Looked<'a>],
    request: &SearchRequest,
    op: &'static str,
) -> Result<Vec<Sieved<'a>>> {
    let mut all = Vec::new();
    for (looked, channel) in channels.iter().zip(0..) {
        for (segment, at) in looked.view.segments.iter().zip(0..) {
            let sieve = Sieve::new(&segment.columns, &request.visibility, &request.filter);
            let sieve = sieve.map_err(|failure| looked.blame(op, failure))?;
            if !sieve.is_shut() {
                all.push(Sieved {
                    place: (channel, at),
                    looked: *looked,
                    segment: segment.as_ref(),
                    sieve,
                });
            }
        }
    }
    Ok(all)
}

impl Looked<'_> {
    /// The error of a channel of which something could not be read.
    fn blame(&self, op: &'static str, failure: tantivy::TantivyError) -> Error {
        let error = of_tantivy(op, failure).with("channel", self.channel);
        if error.kind() == ErrorKind::Corrupt {
            self.view.blame();
        }
        error
    }
}

fn with_lower_tags(filter: &Filter) -> Filter {
    Filter {
        tags: filter.tags.iter().map(|tag| tag.to_lowercase()).collect(),
        ..filter.clone()
    }
}
