//! Taking in batches.

use atlas_core::ErrorKind;
use atlas_core::ports::{Cursor, Document, DocumentKind, FactIndex, Leg, Scope};
use futures::join;

use super::documents::{
    document, entry, fill, from_origin, ids, offered, picture, pointing, request,
};
use crate::conformance::Checked;
use crate::conformance::batches::{batch, cursor, cursor_of};
use crate::conformance::corpus::{channel, texts};
use crate::conformance::seen::{refused, same};

pub(super) async fn fi_1_apply_makes_all_findable_and_moves_the_cursor(
    index: impl FactIndex,
) -> Checked {
    let here = channel("c");
    let scope = Scope::from(&here);
    same(
        "what an empty index has applied",
        &index.applied(&here).await?,
        &Cursor::start(),
    )?;
    let (start, one, two, three) = (Cursor::start(), cursor(1), cursor(2), cursor(3));
    let entries = ["1", "2", "3"].map(|id| entry(document(&index, id, "launch")));
    let everything = request(Leg::Recent, 10);
    // A reader beside the batch sees the index as it was or as it is.
    let (hits, applied) = join!(
        index.search(&scope, &everything),
        index.apply(&here, batch(&start, &one, &entries)),
    );
    applied?;
    let hits = hits?;
    let is_whole = hits.is_empty() || hits.len() == entries.len();
    require!(is_whole, "a reader beside the batch saw {hits:?}");
    same("what is applied", &index.applied(&here).await?, &one)?;
    for leg in offered(&index, "launch") {
        let what = format!("found by {leg:?}");
        let hits = index.search(&scope, &request(leg, 10)).await?;
        let mut seen = ids(&hits);
        seen.sort_unstable();
        same(&what, &seen, &vec!["1", "2", "3"])?;
    }
    index.apply(&here, batch(&one, &two, &[])).await?;
    same(
        "what is applied after a batch of nothing",
        &index.applied(&here).await?,
        &two,
    )?;

    // Every text that people write is taken in.
    let hurting: Vec<_> = texts()
        .iter()
        .enumerate()
        .map(|(n, text)| entry(document(&index, &format!("text {n}"), text)))
        .collect();
    index.apply(&here, batch(&two, &three, &hurting)).await?;
    let hits = index.search(&scope, &request(Leg::Recent, 1_000)).await?;
    same(
        "how many are found",
        &hits.len(),
        &(hurting.len() + entries.len()),
    )
}

pub(super) async fn fi_2_a_batch_from_elsewhere_is_conflict(index: impl FactIndex) -> Checked {
    let here = channel("c");
    let (one, two, three, nine) = (cursor(1), cursor(2), cursor(3), cursor(9));
    let other = [entry(document(&index, "other", "other"))];
    let early = index.apply(&here, batch(&one, &two, &other)).await;
    refused(
        "a batch from 1 on an empty index",
        early,
        ErrorKind::Conflict,
    )?;
    same(
        "what is applied",
        &index.applied(&here).await?,
        &Cursor::start(),
    )?;

    fill(&index, &here, vec![document(&index, "1", "launch")]).await?;
    index.apply(&here, batch(&one, &two, &[])).await?;
    let before = picture(&index, &here).await?;
    let elsewhere = [
        ("behind", cursor(1)),
        ("ahead", three),
        ("of another history", cursor_of(2, "another history")),
    ];
    for (what, from) in elsewhere {
        let answer = index.apply(&here, batch(&from, &nine, &other)).await;
        refused(&format!("a batch from {what}"), answer, ErrorKind::Conflict)?;
        same(
            &format!("after a batch from {what}"),
            &picture(&index, &here).await?,
            &before,
        )?;
    }
    index.apply(&here, batch(&two, &nine, &other)).await?;
    same(
        "what is applied in the end",
        &index.applied(&here).await?,
        &nine,
    )
}

pub(super) async fn fi_3_a_batch_from_the_start_empties_first(index: impl FactIndex) -> Checked {
    let (here, there) = (channel("c"), channel("other"));
    for channel in [&here, &there] {
        let documents = ["1", "2"].map(|id| document(&index, id, "launch")).to_vec();
        fill(&index, channel, documents).await?;
    }
    let neighbour = picture(&index, &there).await?;
    let again = cursor_of(1, "another history");
    let entries = ["2", "3"].map(|id| entry(document(&index, id, "launch")));
    index
        .apply(&here, batch(&Cursor::start(), &again, &entries))
        .await?;
    same("what is applied", &index.applied(&here).await?, &again)?;
    for leg in offered(&index, "launch") {
        let what = format!("found by {leg:?}");
        let hits = index.search(&Scope::from(&here), &request(leg, 10)).await?;
        let mut seen = ids(&hits);
        seen.sort_unstable();
        same(&what, &seen, &vec!["2", "3"])?;
    }
    same(
        "the other channel",
        &picture(&index, &there).await?,
        &neighbour,
    )
}

pub(super) async fn fi_4_documents_replace_all_of_their_origin(index: impl FactIndex) -> Checked {
    let here = channel("c");
    let scope = Scope::from(&here);
    let section = |id: &str, text: &str| Document {
        kind: DocumentKind::Section,
        ..document(&index, id, text)
    };
    let page = |sections| from_origin("page", sections);
    let other = entry(document(&index, "other", "launch"));
    let sections = vec![
        section("1", "launch"),
        section("2", "launch"),
        section("3", "launch"),
    ];
    // The same id of another kind is another document.
    let fact = from_origin("fact of id 1", vec![document(&index, "1", "launch")]);
    let cursors = [0, 1, 2, 3].map(cursor);
    let [start, one, two, three] = &cursors;
    index
        .apply(&here, batch(start, one, &[page(sections), other, fact]))
        .await?;

    let moved = Document {
        vector: Some(pointing(&index, 0.5)),
        ..section("2", "delay")
    };
    let sections = vec![moved, section("4", "launch")];
    index
        .apply(&here, batch(one, two, &[page(sections)]))
        .await?;
    for leg in offered(&index, "launch") {
        let is_by_words = matches!(leg, Leg::Lexical { .. });
        let what = format!("found by {leg:?} after the page has changed");
        let hits = index.search(&scope, &request(leg, 10)).await?;
        let mut seen: Vec<_> = hits.iter().map(|hit| (hit.kind, hit.id.as_str())).collect();
        seen.sort_unstable();
        let mut expected = vec![
            (DocumentKind::Fact, "1"),
            (DocumentKind::Fact, "other"),
            (DocumentKind::Section, "2"),
            (DocumentKind::Section, "4"),
        ];
        // Section 2 says another word.
        expected.retain(|(_, id)| !is_by_words || *id != "2");
        same(&what, &seen, &expected)?;
    }
    index
        .apply(&here, batch(two, three, &[page(Vec::new())]))
        .await?;
    for leg in offered(&index, "launch") {
        let what = format!("found by {leg:?} after the page is gone");
        let hits = index.search(&scope, &request(leg, 10)).await?;
        let mut seen = ids(&hits);
        seen.sort_unstable();
        same(&what, &seen, &vec!["1", "other"])?;
    }
    Ok(())
}

pub(super) async fn fi_19_a_document_without_an_id_refuses_its_batch(
    index: impl FactIndex,
) -> Checked {
    let here = channel("c");
    let launch = |id: &str| document(&index, id, "launch");
    fill(&index, &here, vec![launch("1")]).await?;
    let before = picture(&index, &here).await?;
    let wrong = [
        from_origin("nameless", vec![launch("2"), launch("")]),
        from_origin("twice", vec![launch("2"), launch("2")]),
    ];
    let (one, two) = (cursor(1), cursor(2));
    for wrong in wrong {
        let what = format!("a batch with a document that is {}", wrong.origin.id);
        let entries = [
            entry(document(&index, "1", "said otherwise")),
            wrong,
            entry(launch("3")),
        ];
        let answer = index.apply(&here, batch(&one, &two, &entries)).await;
        refused(&what, answer, ErrorKind::Invalid)?;
        same(&what, &picture(&index, &here).await?, &before)?;
    }
    // Of two kinds, or of two records, the same id is two documents.
    let message = Document {
        kind: DocumentKind::Message,
        ..launch("4")
    };
    let apart = [from_origin("both", vec![launch("4"), message])];
    index.apply(&here, batch(&one, &two, &apart)).await?;
    let stats = index.stats(&here).await?;
    same("documents", &stats.n_documents, &3)
}
