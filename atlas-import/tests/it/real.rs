//! A real export, if one lies beside the workspace.

use std::path::Path;

use atlas_import::SkipReason;

use crate::export::read;

#[test]
fn a_real_export_is_accounted_for() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/slack/houstondatavis");
    if !path.exists() {
        println!("skipped: there is no {}", path.display());
        return;
    }
    let (messages, report) = read(&path);
    assert_eq!(report.messages.read, 1382);
    assert_eq!(
        report.messages.skipped[&SkipReason::System("channel_join".to_owned())],
        320
    );
    assert_eq!(
        messages.len() as u64 + report.messages.skipped_in_all(),
        1382
    );
    assert!(
        messages
            .iter()
            .all(|message| !message.text.contains("<@") && !message.text.contains("<#"))
    );
    assert_eq!(read(&path).0, messages);
}
