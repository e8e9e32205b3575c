//! Pages and their curation.

use atlas_core::model::{Curation, CurationMode, PageKind, Section, WikiPage};
use proptest::prelude::*;
use proptest::sample::select;

use super::{
    arb_cited_sentence, arb_content_hash, arb_fingerprint, arb_language, arb_name, arb_page_id,
    arb_principal_id, arb_text, arb_timestamp, arb_topic_id, some_of,
};

/// Any kind of page.
pub fn arb_page_kind() -> impl Strategy<Value = PageKind> {
    let fixed = select(vec![
        PageKind::Overview,
        PageKind::People,
        PageKind::Decisions,
        PageKind::ActionItems,
        PageKind::OpenQuestions,
        PageKind::Glossary,
    ]);
    prop_oneof![
        2 => fixed,
        1 => arb_topic_id().prop_map(PageKind::Topic),
        1 => arb_name().prop_map(PageKind::Theme),
        1 => arb_name().prop_map(PageKind::Notes),
    ]
}

/// A section in which every field may say something.
pub fn arb_section() -> impl Strategy<Value = Section> {
    (
        arb_name(),
        arb_text(),
        arb_content_hash(),
        some_of(arb_cited_sentence()),
        some_of(arb_page_id()),
    )
        .prop_map(|(id, title, made_from, sentences, links)| Section {
            id,
            title,
            made_from,
            sentences,
            links,
        })
}

/// A page in which every field may say something.
pub fn arb_page() -> impl Strategy<Value = WikiPage> {
    (
        arb_page_id(),
        arb_page_kind(),
        arb_language(),
        arb_text(),
        arb_name(),
        some_of(arb_name()),
        any::<u64>(),
        arb_content_hash(),
        arb_fingerprint(),
        some_of(arb_section()),
    )
        .prop_map(|it| WikiPage {
            id: it.0,
            kind: it.1,
            language: it.2,
            title: it.3,
            slug: it.4,
            old_slugs: it.5,
            revision: it.6,
            made_from: it.7,
            writer: it.8,
            sections: it.9,
        })
}

/// What people decided about a page.
pub fn arb_curation() -> impl Strategy<Value = Curation> {
    let mode = select(vec![
        CurationMode::Auto,
        CurationMode::Manual,
        CurationMode::Frozen,
    ]);
    (
        arb_page_id(),
        mode,
        any::<bool>(),
        arb_principal_id(),
        arb_text(),
        arb_timestamp(),
    )
        .prop_map(|(page, mode, is_hidden, by, reason, at)| Curation {
            page,
            mode,
            is_hidden,
            by,
            reason,
            at,
        })
}
