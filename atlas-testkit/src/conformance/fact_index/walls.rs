//! Between channels, and between what is offered and what is not.

use atlas_core::ErrorKind;
use atlas_core::ports::{Document, FactIndex, FactIndexStats, Leg, Scope};

use super::documents::{document, fill, ids, offered, picture, pointing, request, words};
use crate::conformance::Checked;
use crate::conformance::batches::across;
use crate::conformance::corpus::{at, channel, confusable_names};
use crate::conformance::seen::{refused, same};

pub(super) async fn fi_10_nothing_outside_the_scope_counts(index: impl FactIndex) -> Checked {
    let here = channel("c");
    let scope = Scope::from(&here);
    let documents = vec![
        document(&index, "1", "the launch is delayed"),
        document(&index, "2", "the pad is ready for a launch"),
        document(&index, "3", "lunch"),
    ];
    fill(&index, &here, documents).await?;
    let mut before = Vec::new();
    for leg in offered(&index, "launch") {
        before.push(index.search(&scope, &request(leg, 2)).await?);
    }
    let own = picture(&index, &here).await?;

    // The neighbours say the word more often, later and nearer.
    let others: Vec<_> = confusable_names()
        .iter()
        .filter(|name| *name != "c")
        .map(|name| channel(name))
        .collect();
    for there in &others {
        let documents = (0..9)
            .map(|n| Document {
                said_at: at(99),
                ..document(&index, &n.to_string(), "launch launch")
            })
            .collect();
        fill(&index, there, documents).await?;
    }
    for (leg, before) in offered(&index, "launch").into_iter().zip(&before) {
        let what = format!("{leg:?} with full neighbours");
        same(
            &what,
            &index.search(&scope, &request(leg, 2)).await?,
            before,
        )?;
    }
    same("the channel", &picture(&index, &here).await?, &own)?;
    let Some(neighbour) = others.first() else {
        return Ok(());
    };
    let both = across(&[&here, neighbour]).await?;
    for leg in offered(&index, "launch") {
        let what = format!("{leg:?} across two channels");
        let hits = index.search(&both, &request(leg, 100)).await?;
        let stray = hits.iter().find(|hit| !both.contains(&hit.channel));
        require!(stray.is_none(), "{what} found {stray:?}");
        for channel in [&here, neighbour] {
            let n = hits
                .iter()
                .filter(|hit| hit.channel == *channel.channel())
                .count();
            require!(n > 0, "{what} found nothing in {}", channel.channel());
        }
    }
    let strange = channel("nobody wrote here");
    let hits = index
        .search(&Scope::from(&strange), &request(Leg::Recent, 5))
        .await?;
    same(
        "found in a channel that nobody wrote to",
        &hits,
        &Vec::new(),
    )?;
    same(
        "its stats",
        &index.stats(&strange).await?,
        &FactIndexStats::default(),
    )
}

pub(super) async fn fi_11_a_leg_that_is_not_offered_is_unsupported(
    index: impl FactIndex,
) -> Checked {
    let here = channel("c");
    let scope = Scope::from(&here);
    let capabilities = index.capabilities();
    let dense = Leg::Dense {
        vector: pointing(&index, 0.0),
    };
    let legs = [
        ("lexical", words("launch"), capabilities.lexical),
        ("dense", dense, capabilities.dense),
        ("recent", Leg::Recent, true),
    ];
    for n_documents in 0..2 {
        for (name, leg, is_offered) in &legs {
            let answer = index.search(&scope, &request(leg.clone(), 5)).await;
            if *is_offered {
                // What is declared is there.
                let hits = answer?;
                same(&format!("the {name} leg"), &ids(&hits).len(), &n_documents)?;
            } else {
                refused(&format!("the {name} leg"), answer, ErrorKind::Unsupported)?;
            }
        }
        fill(&index, &here, vec![document(&index, "1", "launch")]).await?;
    }
    Ok(())
}
