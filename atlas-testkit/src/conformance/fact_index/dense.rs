//! Search by meaning.

use atlas_core::ErrorKind;
use atlas_core::ports::DocumentKind::{Fact, Message, Section};
use atlas_core::ports::{Cursor, Document, FactIndex, Leg, Scope};

use super::documents::{document, entry, fill, ids, offered, picture, pointing, request, words};
use crate::conformance::Checked;
use crate::conformance::batches::{across, batch, cursor};
use crate::conformance::corpus::channel;
use crate::conformance::seen::{refused, same};

/// Numbers that look like chance, in `-1.0..1.0`.
fn scattered(seed: u32) -> impl Iterator<Item = f32> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let high = u16::try_from(state >> 16).unwrap_or_default();
        f32::from(high) / 32_768.0 - 1.0
    })
}

fn normalised(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|part| part * part).sum::<f32>().sqrt();
    for part in &mut vector {
        *part /= length.max(f32::MIN_POSITIVE);
    }
    vector
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) async fn fi_7_dense_search_is_exact(index: impl FactIndex) -> Checked {
    let here = channel("a");
    let query = pointing(&index, 0.0);
    let leg = || Leg::Dense {
        vector: query.clone(),
    };
    if !index.capabilities().dense {
        let answer = index.search(&Scope::from(&here), &request(leg(), 5)).await;
        return refused("search by meaning", answer, ErrorKind::Unsupported);
    }
    // Far more documents than are asked for, and the nearest are found by looking at all of them.
    let width = index.space().dimensions;
    let crowd: Vec<Document> = (0..300)
        .map(|n| Document {
            vector: Some(normalised(scattered(n).take(width).collect())),
            ..document(&index, &format!("crowd {n}"), "crowd")
        })
        .collect();
    let mut nearest: Vec<(f32, &str)> = crowd
        .iter()
        .filter_map(|it| Some((cosine(it.vector.as_ref()?, &query), it.id.as_str())))
        .collect();
    nearest.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    fill(&index, &here, crowd.clone()).await?;
    let hits = index
        .search(&Scope::from(&here), &request(leg(), 20))
        .await?;
    same("how many are found for a limit of 20", &hits.len(), &20)?;
    for (hit, (score, id)) in hits.iter().zip(&nearest) {
        // Two scores that differ by rounding only may change places.
        let is_near = (hit.score - score).abs() < 1e-4;
        require!(
            is_near,
            "{} with {} where {id} has {score}",
            hit.id,
            hit.score
        );
        let own = nearest.iter().find(|(_, id)| *id == hit.id);
        let is_own = own.is_some_and(|(own, _)| (own - hit.score).abs() < 1e-4);
        require!(
            is_own,
            "the score of {} is {} and not {own:?}",
            hit.id,
            hit.score
        );
    }

    ties_go_by_place(&index, leg).await
}

/// Equal vectors: ties by channel, kind and id.
async fn ties_go_by_place(index: &impl FactIndex, leg: impl Fn() -> Leg) -> Checked {
    let (here, there) = (channel("tied a"), channel("tied b"));
    let tied = |kind, id: &str, radians| Document {
        kind,
        vector: Some(pointing(index, radians)),
        ..document(index, id, "tie")
    };
    let mut expected = Vec::new();
    for channel in [&there, &here] {
        let documents = vec![
            tied(Section, "10", 0.3),
            tied(Message, "a", 0.3),
            tied(Fact, "9", 0.3),
            tied(Fact, "near", 0.1),
            tied(Fact, "10", 0.3),
            tied(Message, "B", 0.3),
            tied(Fact, "opposite", std::f32::consts::PI),
            tied(Fact, "é", 0.3),
        ];
        for it in &documents {
            expected.push((channel.channel().clone(), it.kind, it.id.clone()));
        }
        fill(index, channel, documents).await?;
    }
    let rank = |id: &str| match id {
        "near" => 0,
        "opposite" => 2,
        _ => 1,
    };
    expected.sort_by(|a, b| rank(&a.2).cmp(&rank(&b.2)).then_with(|| a.cmp(b)));
    let both = across(&[&here, &there]).await?;
    for limit in [1, 5, 8, 100] {
        let hits = index.search(&both, &request(leg(), limit)).await?;
        let seen: Vec<_> = hits
            .into_iter()
            .map(|it| (it.channel, it.kind, it.id))
            .collect();
        let best: Vec<_> = expected.iter().take(limit).cloned().collect();
        same(&format!("ties for a limit of {limit}"), &seen, &best)?;
    }
    Ok(())
}

pub(super) async fn fi_12_a_wrong_vector_is_invalid(index: impl FactIndex) -> Checked {
    let here = channel("c");
    fill(&index, &here, vec![document(&index, "1", "launch")]).await?;
    let before = picture(&index, &here).await?;
    let right = pointing(&index, 0.0);
    let with_first = |first: f32| {
        let mut vector = right.clone();
        if let Some(place) = vector.first_mut() {
            *place = first;
        }
        vector
    };
    let mut wide = right.clone();
    wide.push(0.0);
    let mut narrow = right.clone();
    narrow.pop();
    let wrong = [
        ("too wide", wide),
        ("too narrow", narrow),
        ("of no width", Vec::new()),
        ("not a number", with_first(f32::NAN)),
        ("infinite", with_first(f32::INFINITY)),
        ("minus infinite", with_first(f32::NEG_INFINITY)),
    ];
    for (what, vector) in wrong {
        let bad = Document {
            vector: Some(vector.clone()),
            ..document(&index, "bad", "launch")
        };
        let entries = [
            entry(document(&index, "2", "launch")),
            entry(bad),
            entry(document(&index, "3", "launch")),
        ];
        for from in [&cursor(1), &Cursor::start()] {
            let answer = index.apply(&here, batch(from, &cursor(2), &entries)).await;
            refused(
                &format!("a batch with a vector {what}"),
                answer,
                ErrorKind::Invalid,
            )?;
            same(
                &format!("after a vector {what}"),
                &picture(&index, &here).await?,
                &before,
            )?;
        }
        if index.capabilities().dense {
            let leg = Leg::Dense { vector };
            let answer = index.search(&Scope::from(&here), &request(leg, 5)).await;
            refused(
                &format!("search with a vector {what}"),
                answer,
                ErrorKind::Invalid,
            )?;
        }
    }
    Ok(())
}

pub(super) async fn fi_17_what_has_no_feature_finds_nothing(index: impl FactIndex) -> Checked {
    let here = channel("c");
    let scope = Scope::from(&here);
    let zero = vec![0.0; index.space().dimensions];
    let blank = Document {
        vector: Some(zero.clone()),
        ..document(&index, "blank", " \u{200b}…!? ")
    };
    let unseen = Document {
        vector: None,
        ..document(&index, "unseen", "")
    };
    fill(
        &index,
        &here,
        vec![blank, unseen, document(&index, "1", "launch")],
    )
    .await?;
    if index.capabilities().lexical {
        for text in ["", " ", "\n\t", "…!?", "\"\" () * : -", "\0", "\u{200b}"] {
            let hits = index.search(&scope, &request(words(text), 5)).await?;
            same(&format!("found by {text:?}"), &hits, &Vec::new())?;
        }
    }
    if index.capabilities().dense {
        let leg = Leg::Dense { vector: zero };
        let hits = index.search(&scope, &request(leg, 5)).await?;
        same("found by a vector of noughts", &hits, &Vec::new())?;
    }
    for leg in offered(&index, "launch") {
        let what = format!("found by {leg:?}");
        let hits = index.search(&scope, &request(leg, 5)).await?;
        require!(ids(&hits).contains(&"1"), "{what}: {hits:?}");
        let is_finite = hits.iter().all(|hit| hit.score.is_finite());
        require!(is_finite, "{what} with a score that is no number: {hits:?}");
    }
    Ok(())
}
