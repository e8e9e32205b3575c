//! Search by time alone, and the limit of every leg.

use atlas_core::ErrorKind;
use atlas_core::ports::{Document, DocumentKind, FactIndex, Leg, Scope};

use super::documents::{document, fill, offered, request};
use crate::conformance::Checked;
use crate::conformance::batches::across;
use crate::conformance::corpus::{at, channel};
use crate::conformance::seen::{refused, same};

pub(super) async fn fi_8_recent_goes_by_said_time(index: impl FactIndex) -> Checked {
    use DocumentKind::{Fact, Message, Section};
    let (here, there) = (channel("a"), channel("b"));
    let said = |kind, id: &str, seconds| Document {
        kind,
        said_at: at(seconds),
        // Neither the time of recording nor the order of arrival counts.
        recorded_at: at(1_000 - seconds),
        vector: None,
        ..document(&index, id, "said")
    };
    let mut expected = Vec::new();
    for channel in [&there, &here] {
        let documents = vec![
            said(Section, "10", 5),
            said(Fact, "old", -100_000_000),
            said(Message, "a", 5),
            said(Fact, "9", 5),
            // One second apart: a score of few digits cannot tell them.
            said(Fact, "earlier", 4),
            said(Fact, "latest", 6),
            said(Fact, "10", 5),
            said(Message, "B", 5),
            said(Fact, "é", 5),
        ];
        for it in &documents {
            let place = (channel.channel().clone(), it.kind, it.id.clone());
            expected.push((std::cmp::Reverse(it.said_at), place));
        }
        fill(&index, channel, documents).await?;
    }
    expected.sort();
    let both = across(&[&here, &there]).await?;
    for limit in [1, 2, 3, 7, 100] {
        let hits = index.search(&both, &request(Leg::Recent, limit)).await?;
        let seen: Vec<_> = hits
            .into_iter()
            .map(|it| (it.channel, it.kind, it.id))
            .collect();
        let best = expected.iter().take(limit).map(|(_, place)| place.clone());
        same(&format!("for a limit of {limit}"), &seen, &best.collect())?;
    }
    Ok(())
}

pub(super) async fn fi_15_a_limit_of_nought_is_invalid(index: impl FactIndex) -> Checked {
    let here = channel("c");
    for _ in 0..2 {
        for leg in offered(&index, "launch") {
            let what = format!("search by {leg:?}");
            let answer = index.search(&Scope::from(&here), &request(leg, 0)).await;
            refused(&what, answer, ErrorKind::Invalid)?;
        }
        // Once for an empty index, once for one with a document.
        fill(&index, &here, vec![document(&index, "1", "launch")]).await?;
    }
    Ok(())
}
