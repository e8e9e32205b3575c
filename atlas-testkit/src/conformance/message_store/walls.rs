//! Between channels.

use atlas_core::model::{Message, NativeId};
use atlas_core::ports::{Epoch, MessageStore, MessageStoreExt, Residue, Sequence};

use crate::conformance::Checked;
use crate::conformance::corpus::{at, channel, confusable_names, message, message_id};
use crate::conformance::seen::same;

const E0: Epoch = Epoch(0);

pub(super) async fn ms_11_channels_do_not_see_each_other(store: impl MessageStore) -> Checked {
    let here = channel("c");
    let root = message(&here, "1", at(0), "root");
    let reply = Message {
        thread_root: Some(NativeId::new("1")),
        ..message(&here, "2", at(1), "reply")
    };
    store
        .append(&here, E0, &[root.clone(), reply.clone()])
        .await?;

    for name in confusable_names().iter().filter(|name| *name != "c") {
        let there = channel(name);
        let what = |call: &str| format!("{call} through channel {name:?}");
        let foreign = [root.id.clone(), reply.id.clone()];
        let natives = ["1", "2"].map(|native| message_id(&there, native));
        for ids in [&foreign, &natives] {
            same(
                &what("get"),
                &store.get(&there, ids).await?,
                &vec![None, None],
            )?;
            for id in ids {
                same(
                    &what("versions"),
                    &store.versions(&there, id).await?,
                    &Vec::new(),
                )?;
                let thread = store.thread(&there, id, None, 10).await?;
                same(&what("thread"), &thread, &Vec::new())?;
            }
            same(&what("forget"), &store.forget(&there, E0, ids).await?, &0)?;
        }
        same(
            &what("read"),
            &store.read(&there, None, 10).await?,
            &Vec::new(),
        )?;
        let changes = store.changes(&there, Sequence(0), 10).await?;
        same(&what("changes"), &changes, &Vec::new())?;
        same(
            &what("residue"),
            &store.residue(&there).await?,
            &Residue::default(),
        )?;
        store.fence(&there, Epoch(7)).await?;
    }
    same(
        "the epoch of a channel whose neighbours are fenced",
        &store.epoch(&here).await?,
        &E0,
    )?;
    let kept = store.get_one(&here, &root.id).await?;
    same("the message", &kept.map(|it| it.message), &Some(root))?;

    // Each channel under the same native id says its own.
    for name in confusable_names() {
        let there = channel(&name);
        let said = message(&there, "same", at(5), &name);
        store.append(&there, Epoch(7), &[said]).await?;
    }
    for name in confusable_names() {
        let there = channel(&name);
        let after = (at(4), message_id(&there, ""));
        let texts: Vec<String> = store
            .read(&there, Some(&after), 100)
            .await?
            .into_iter()
            .map(|it| it.message.text)
            .collect();
        same("what a channel reads", &texts, &vec![name])?;
    }
    Ok(())
}
