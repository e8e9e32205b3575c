//! Records to documents and graph items.

use crate::error::Result;
use crate::model::{
    AtomicFact, EntityId, FactEntities, FactState, GraphEntity, GraphRelation, Interval, Language,
    MessageOutcome, OutcomeStage, SkipReason, Standing, Stored, Timestamp, WikiPage,
};
use crate::ports::{
    Change, Document, DocumentKind, DocumentState, GraphEntry, GraphItem, StoredMessage,
};

/// How a fact's state looks to a search.
pub fn document_state(state: &FactState) -> DocumentState {
    match state {
        FactState::Live | FactState::Disputed { .. } => DocumentState::Current,
        FactState::Superseded { .. }
        | FactState::Duplicate { .. }
        | FactState::Expired
        | FactState::Withdrawn => DocumentState::Past,
        FactState::Rejected | FactState::Retracted => DocumentState::Void,
    }
}

/// When a fact is so before anybody has judged it: since it was said first, until it says.
pub fn unjudged_validity(fact: &AtomicFact) -> Vec<Interval> {
    let start = fact.first().map_or(fact.claim.occurred_at, |it| it.sent_at);
    let end = fact.claim.valid_until.filter(|end| *end > start);
    vec![Interval { start, end }]
}

/// The words to find something by: its own, who said it, and the day.
fn findable(authors: &[&str], said_at: Timestamp, text: &str) -> String {
    let day = said_at.to_jiff().strftime("%-d %B %Y").to_string();
    format!("{text}\n{} {day}", authors.join(" "))
}

/// The document of a fact. A fact without a standing has not been judged and counts.
pub fn fact_document(
    fact: &AtomicFact,
    standing: Option<&Standing>,
    entities: Option<&FactEntities>,
    vector: Option<Vec<f32>>,
) -> Document {
    let mut authors: Vec<_> = fact
        .evidence
        .iter()
        .map(|it| it.author.id.clone())
        .collect();
    authors.sort();
    authors.dedup();
    let mut names: Vec<&str> = fact
        .evidence
        .iter()
        .map(|it| it.author.name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    let said_at = fact
        .latest()
        .map_or(fact.claim.occurred_at, |it| it.sent_at);
    Document {
        kind: DocumentKind::Fact,
        id: fact.id.to_string(),
        text: findable(&names, said_at, &fact.claim.text),
        language: fact.claim.language.clone(),
        vector,
        state: standing.map_or(DocumentState::Current, |it| document_state(&it.state)),
        validity: standing.map_or_else(|| unjudged_validity(fact), |it| it.validity.clone()),
        recorded_at: fact.recorded_at,
        said_at,
        fact_kind: Some(fact.claim.kind),
        tags: fact.claim.topic_tags.clone(),
        authors,
        entities: entities.map_or_else(Vec::<EntityId>::new, |it| it.entities.clone()),
    }
}

/// The document of a message; none if it has no words that a person or program wrote.
pub fn message_document(
    stored: &StoredMessage,
    outcome: &MessageOutcome,
    vector: Option<Vec<f32>>,
) -> Option<Document> {
    let is_out = matches!(
        outcome.stage,
        OutcomeStage::Skipped {
            reason: SkipReason::Empty | SkipReason::System | SkipReason::Deleted
        }
    );
    let message = &stored.message;
    if is_out || message.is_deleted || message.text.is_empty() {
        return None;
    }
    let language = outcome
        .claims
        .first()
        .map_or_else(Language::unknown, |it| it.claim.language.clone());
    Some(Document {
        kind: DocumentKind::Message,
        id: message.id.record_id(),
        text: findable(&[&message.author.name], message.sent_at, &message.text),
        language,
        vector,
        state: DocumentState::Current,
        validity: vec![Interval::since(message.sent_at)],
        recorded_at: outcome
            .extraction
            .as_ref()
            .map_or(message.sent_at, |it| it.recorded_at),
        said_at: message.sent_at,
        fact_kind: None,
        tags: Vec::new(),
        authors: vec![message.author.id.clone()],
        entities: Vec::new(),
    })
}

/// The documents of a page: one a section.
pub fn page_documents(page: &WikiPage) -> Vec<Document> {
    let document = |section: &crate::model::Section| {
        let body: Vec<&str> = section
            .sentences
            .iter()
            .map(|it| it.text.as_str())
            .collect();
        Document {
            kind: DocumentKind::Section,
            id: format!("{}/{}", page.id, section.id),
            text: format!("{} {} {}", page.title, section.title, body.join(" ")),
            language: page.language.clone(),
            vector: None,
            state: DocumentState::Current,
            validity: vec![Interval::since(Timestamp::MIN)],
            recorded_at: Timestamp::MIN,
            said_at: Timestamp::MIN,
            fact_kind: None,
            tags: Vec::new(),
            authors: Vec::new(),
            entities: Vec::new(),
        }
    };
    page.sections
        .iter()
        .filter(|it| !it.sentences.is_empty())
        .map(document)
        .collect()
}

/// The graph entry of a change; none if the record is neither an entity nor a relation.
///
/// # Errors
///
/// [`crate::ErrorKind::Corrupt`] if the record does not decode.
pub fn graph_entry(change: &Change) -> Result<Option<GraphEntry>> {
    let collection = &change.key.collection;
    let value = change.value.as_deref();
    let item = if *collection == GraphEntity::COLLECTION {
        value
            .map(GraphEntity::decode)
            .transpose()?
            .map(GraphItem::Entity)
    } else if *collection == GraphRelation::COLLECTION {
        value
            .map(GraphRelation::decode)
            .transpose()?
            .map(GraphItem::Relation)
    } else {
        return Ok(None);
    };
    Ok(Some(GraphEntry {
        origin: change.key.clone(),
        item,
    }))
}
