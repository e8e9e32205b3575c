//! The wiki of the sample keeps the rules that readers may rely on.

use atlas_eval::lint::{WikiFile, lint};

use crate::sample::{CHANNELS, sample, wait};

fn files() -> Vec<WikiFile> {
    let mut files = Vec::new();
    for channel in CHANNELS {
        let rendered = wait(sample().channel(channel).export(channel)).unwrap();
        files.extend(rendered.into_iter().map(|it| WikiFile {
            path: format!("{channel}/{}", it.path),
            markdown: it.markdown,
        }));
    }
    files
}

#[test]
fn the_wiki_keeps_every_rule() {
    let verdict = lint(&files(), &sample().export.messages);
    let told: Vec<String> = verdict.findings.iter().map(ToString::to_string).collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
    assert!(verdict.pages >= 6, "{}", verdict.pages);
    assert!(verdict.citations >= verdict.sentences);
}

#[test]
fn the_reversed_decision_and_its_reversal_are_both_told() {
    let files = files();
    let page = files
        .iter()
        .find(|it| it.path == "engineering/decisions.md");
    let page = &page.unwrap().markdown;
    for ts in ["1773309746.378973", "1776159744.988736"] {
        let id = sample().message("engineering", ts).record_id();
        assert!(page.contains(&id), "{id} is not cited in\n{page}");
    }
}

#[test]
fn settling_again_changes_no_page() {
    for channel in CHANNELS {
        let channel = sample().channel(channel);
        let before = wait(channel.pages()).unwrap();
        assert!(wait(channel.settle()).unwrap().is_complete());
        assert_eq!(wait(channel.pages()).unwrap(), before);
    }
}
