//! Committing.

use atlas_core::ErrorKind;
use atlas_core::ports::{Collection, Commit, Cursor, Expect, Head, RecordStore, Revision};
use futures::join;

use super::wire::{
    QUEUE, deletes, expecting, key, listing, page, partition, picture, puts, takes, values, writes,
};
use crate::conformance::seen::{refused, same};
use crate::conformance::{Checked, Seen};
use atlas_core::ports::{Epoch, Key};

fn at(id: &str, revision: u64) -> Expect {
    Expect::At(key(id), Revision(revision))
}

fn absent(id: &str) -> Expect {
    Expect::Absent(key(id))
}

pub(super) async fn rs_4_commit_writes_all_or_nothing(store: impl RecordStore) -> Checked {
    let here = partition("c");
    store
        .commit(&here, &puts(&["old 1", "old 2", "kept"]))
        .await?;
    let private = Key::new(QUEUE, "job");
    let mut mixed = puts(&["new 1", "new 2", "new 3"]);
    mixed.puts.push((private.clone(), b"job".to_vec()));
    mixed.deletes = ["old 1", "old 2"].map(key).to_vec();
    let mut asked = ["old 1", "old 2", "kept", "new 1", "new 2", "new 3"]
        .map(key)
        .to_vec();
    asked.push(private);
    let bytes = |text: &str| Some(text.as_bytes().to_vec());
    let before = vec![
        bytes("old 1"),
        bytes("old 2"),
        bytes("kept"),
        None,
        None,
        None,
        None,
    ];
    let after = vec![
        None,
        None,
        bytes("kept"),
        bytes("new 1"),
        bytes("new 2"),
        bytes("new 3"),
        bytes("job"),
    ];
    // A reader beside the writer sees the partition as it was or as it is.
    let (seen, wrote) = join!(values(&store, &here, &asked), store.commit(&here, &mixed),);
    wrote?;
    let seen = seen?;
    require!(
        seen == before || seen == after,
        "a reader beside the commit saw {seen:?}"
    );
    same(
        "after the commit",
        &values(&store, &here, &asked).await?,
        &after,
    )
}

pub(super) async fn rs_5_commits_are_numbered_without_a_gap(store: impl RecordStore) -> Checked {
    let (here, there) = (partition("here"), partition("there"));
    let nothing = Head {
        revision: Revision(0),
        epoch: Epoch(0),
        cursor: Cursor::start(),
    };
    same(
        "a partition that nobody wrote to",
        &store.head(&here).await?,
        &nothing,
    )?;
    takes(&store, &here, &puts(&["a", "b"]), 1).await?;
    takes(&store, &here, &puts(&["a"]), 2).await?;
    takes(&store, &there, &puts(&["a"]), 1).await?;
    // What is refused takes no number.
    let conflict = expecting(puts(&["a"]), &[absent("a")]);
    refused(
        "commit",
        store.commit(&here, &conflict).await,
        ErrorKind::Conflict,
    )?;
    // What is private takes one.
    let private = writes([(Key::new(QUEUE, "job"), Vec::new())]);
    takes(&store, &here, &private, 3).await?;
    takes(&store, &here, &deletes(&["b"]), 4).await?;
    takes(&store, &here, &puts(&["c"]), 5).await?;
    // Two at once take two.
    let (left, right) = (puts(&["left"]), puts(&["right"]));
    let (left, right) = join!(store.commit(&here, &left), store.commit(&here, &right));
    let mut numbers = [left?, right?];
    numbers.sort();
    same("two commits at once", &numbers, &[Revision(6), Revision(7)])?;

    let asked = [key("a"), key("b"), key("c"), Key::new(QUEUE, "job")];
    let slots = store.get(&here, &asked).await?;
    let seen: Vec<Option<u64>> = slots
        .iter()
        .map(|slot| slot.as_ref().map(|record| record.revision.0))
        .collect();
    same(
        "revisions of a, b, c and job",
        &seen,
        &vec![Some(2), None, Some(5), Some(3)],
    )?;
    let last = store.head(&here).await?.revision;
    same("the last commit", &last, &Revision(7))
}

pub(super) async fn rs_6_a_broken_expect_is_conflict(store: impl RecordStore) -> Checked {
    let here = partition("c");
    takes(&store, &here, &puts(&["a", "b", "gone"]), 1).await?;
    takes(&store, &here, &puts(&["a"]), 2).await?;
    takes(&store, &here, &deletes(&["gone"]), 3).await?;
    let before = picture(&store, &here).await?;
    let broken = [
        ("an older revision", at("a", 1)),
        ("a newer revision", at("a", 3)),
        ("revision nought", at("a", 0)),
        ("a revision of what never was", at("none", 1)),
        ("a revision of what is gone", at("gone", 1)),
        ("the revision of a tombstone", at("gone", 3)),
        ("absence of what is there", absent("a")),
    ];
    for (what, expect) in broken {
        let held = [at("b", 1), absent("new"), expect];
        let mut commit = expecting(puts(&["a", "b", "none", "gone", "new"]), &held);
        commit.puts.retain(|(key, _)| key.id != "b");
        commit.deletes = vec![key("b")];
        let answer = store.commit(&here, &commit).await;
        refused(
            &format!("a commit that expects {what}"),
            answer,
            ErrorKind::Conflict,
        )?;
        same(
            &format!("after a refusal for {what}"),
            &picture(&store, &here).await?,
            &before,
        )?;
    }
    let held = [at("a", 2), at("b", 1), absent("gone"), absent("none")];
    let commit = expecting(puts(&["a", "b", "gone", "none"]), &held);
    takes(&store, &here, &commit, 4).await
}

pub(super) async fn rs_7_expects_cover_what_is_only_read(store: impl RecordStore) -> Checked {
    let here = partition("c");
    takes(&store, &here, &puts(&["x", "y"]), 1).await?;
    let broken = [("an old revision", at("x", 9)), ("absence", absent("x"))];
    for (what, expect) in broken {
        let commit = expecting(puts(&["z"]), &[expect]);
        let answer = store.commit(&here, &commit).await;
        refused(
            &format!("{what} of what is not written"),
            answer,
            ErrorKind::Conflict,
        )?;
        let found = values(&store, &here, &[key("z")]).await?;
        same("what was not to be written", &found, &vec![None])?;
    }
    let commit = expecting(puts(&["z"]), &[at("x", 1), absent("none")]);
    takes(&store, &here, &commit, 2).await?;

    // Two writers each read both records and write one: the second has read what is no longer so.
    let read = [at("x", 1), at("y", 1)];
    let (left, right) = (
        expecting(puts(&["x"]), &read),
        expecting(puts(&["y"]), &read),
    );
    let answers = join!(store.commit(&here, &left), store.commit(&here, &right));
    match answers {
        (Ok(_), Err(refusal)) | (Err(refusal), Ok(_)) if refusal.kind() == ErrorKind::Conflict => {
            Ok(())
        }
        answers => Err(Seen::new(format!(
            "two writers who read each other's record: {answers:?}"
        ))),
    }
}

pub(super) async fn rs_9_a_key_named_twice_is_invalid(store: impl RecordStore) -> Checked {
    let here = partition("c");
    takes(&store, &here, &puts(&["a"]), 1).await?;
    let before = picture(&store, &here).await?;
    let both = Commit {
        deletes: vec![key("b")],
        ..puts(&["b", "c"])
    };
    let twice = [
        ("among its puts", puts(&["b", "c", "b"])),
        ("among its deletes", deletes(&["a", "b", "a"])),
        ("in a put and a delete", both),
    ];
    for (what, commit) in twice {
        let answer = store.commit(&here, &commit).await;
        refused(&format!("a key twice {what}"), answer, ErrorKind::Invalid)?;
        same(
            &format!("after a key twice {what}"),
            &picture(&store, &here).await?,
            &before,
        )?;
    }
    // The same id in two collections is two keys.
    let apart = writes([(key("a"), Vec::new()), (Key::new(QUEUE, "a"), Vec::new())]);
    takes(&store, &here, &apart, 2).await
}

pub(super) async fn rs_10_an_empty_commit_only_checks(store: impl RecordStore) -> Checked {
    let here = partition("c");
    takes(&store, &here, &Commit::default(), 0).await?;
    takes(
        &store,
        &here,
        &expecting(Commit::default(), &[absent("a")]),
        0,
    )
    .await?;
    takes(&store, &here, &puts(&["a"]), 1).await?;
    takes(&store, &here, &puts(&["b"]), 2).await?;
    let before = picture(&store, &here).await?;
    takes(&store, &here, &Commit::default(), 2).await?;
    let held = [at("a", 1), absent("none")];
    takes(&store, &here, &expecting(Commit::default(), &held), 2).await?;
    for broken in [at("a", 2), absent("a"), at("none", 1)] {
        let commit = expecting(Commit::default(), &[at("b", 2), broken]);
        let answer = store.commit(&here, &commit).await;
        refused(
            "an empty commit with a broken expect",
            answer,
            ErrorKind::Conflict,
        )?;
    }
    same(
        "the partition afterwards",
        &picture(&store, &here).await?,
        &before,
    )?;
    let (entries, to, has_more) = page(&store, &here, &before.0.cursor, 10).await?;
    let expected = (Vec::new(), before.0.cursor, false);
    same(
        "the feed after empty commits",
        &(entries, to, has_more),
        &expected,
    )
}

pub(super) async fn rs_24_a_key_without_an_id_is_invalid(store: impl RecordStore) -> Checked {
    let here = partition("c");
    takes(&store, &here, &puts(&["a"]), 1).await?;
    let before = picture(&store, &here).await?;
    let kind = ErrorKind::Invalid;
    let nameless = |collection: &str| Key::new(Collection::new(collection), "id");
    for wrong in [key(""), Key::new(QUEUE, ""), nameless(""), nameless(".")] {
        let asked = [key("a"), wrong.clone()];
        refused("get", store.get(&here, &asked).await, kind)?;
        let mut put = puts(&["b"]);
        put.puts.push((wrong.clone(), Vec::new()));
        let mut delete = puts(&["b"]);
        delete.deletes.push(wrong.clone());
        let expect = expecting(puts(&["b"]), &[Expect::Absent(wrong)]);
        for commit in [put, delete, expect] {
            refused("commit", store.commit(&here, &commit).await, kind)?;
        }
    }
    for collection in ["", "."] {
        let listing = listing(Collection::new(collection), "", 10);
        refused("list", store.list(&here, &listing).await, kind)?;
    }
    let after = picture(&store, &here).await?;
    same("the partition afterwards", &after, &before)
}
