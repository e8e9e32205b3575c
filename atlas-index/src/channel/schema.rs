//! What tantivy keeps of a document.

use std::sync::LazyLock;

use tantivy::schema::{
    FAST, Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};

/// The names of the columns.
pub(crate) mod column {
    pub(crate) const KEY: &str = "key";
    pub(crate) const ID: &str = "id";
    pub(crate) const LANGUAGE: &str = "language";
    pub(crate) const TAGS: &str = "tags";
    pub(crate) const AUTHORS: &str = "authors";
    pub(crate) const ENTITIES: &str = "entities";
    pub(crate) const NATURE: &str = "nature";
    pub(crate) const SAID_AT: &str = "said_at";
    pub(crate) const RECORDED_AT: &str = "recorded_at";
    pub(crate) const FROM: &str = "from";
    pub(crate) const UNTIL: &str = "until";
    pub(crate) const VECTOR: &str = "vector";
    pub(crate) const N_TERMS: &str = "n_terms";
}

/// The fields of a document.
#[derive(Debug)]
pub(crate) struct Fields {
    pub(crate) schema: Schema,
    /// Its terms, cut already; only indexed.
    pub(crate) body: Field,
    /// The hash of its origin, by which it is taken out; only indexed.
    pub(crate) origin: Field,
    /// Its origin.
    pub(crate) key: Field,
    pub(crate) id: Field,
    /// The language that its words were taken in.
    pub(crate) language: Field,
    pub(crate) tags: Field,
    pub(crate) authors: Field,
    pub(crate) entities: Field,
    /// What it is and how it stands; see [`Nature`](super::nature::Nature).
    pub(crate) nature: Field,
    pub(crate) said_at: Field,
    pub(crate) recorded_at: Field,
    /// Where its intervals of validity begin, and where they end, in one order.
    pub(crate) from: Field,
    pub(crate) until: Field,
    /// The number of its vector; nought for a vector without length, none for none.
    pub(crate) vector: Field,
    pub(crate) n_terms: Field,
}

/// The fields of every channel.
pub(crate) fn fields() -> &'static Fields {
    static FIELDS: LazyLock<Fields> = LazyLock::new(declare);
    &FIELDS
}

fn declare() -> Fields {
    // The tokenizer's name has to be one that exists; terms come in cut already.
    let indexing = TextFieldIndexing::default().set_tokenizer("raw");
    let words = indexing
        .clone()
        .set_fieldnorms(true)
        .set_index_option(IndexRecordOption::WithFreqs);
    let exact = indexing
        .set_fieldnorms(false)
        .set_index_option(IndexRecordOption::Basic);
    let text = || TextOptions::default().set_fast("raw");
    let number = || NumericOptions::from(FAST);
    let mut schema = Schema::builder();
    let body = schema.add_text_field("body", TextOptions::default().set_indexing_options(words));
    let origin =
        schema.add_text_field("origin", TextOptions::default().set_indexing_options(exact));
    Fields {
        body,
        origin,
        key: schema.add_text_field(column::KEY, text()),
        id: schema.add_text_field(column::ID, text()),
        language: schema.add_text_field(column::LANGUAGE, text()),
        tags: schema.add_text_field(column::TAGS, text()),
        authors: schema.add_text_field(column::AUTHORS, text()),
        entities: schema.add_text_field(column::ENTITIES, text()),
        nature: schema.add_u64_field(column::NATURE, number()),
        said_at: schema.add_i64_field(column::SAID_AT, number()),
        recorded_at: schema.add_i64_field(column::RECORDED_AT, number()),
        from: schema.add_i64_field(column::FROM, number()),
        until: schema.add_i64_field(column::UNTIL, number()),
        vector: schema.add_u64_field(column::VECTOR, number()),
        n_terms: schema.add_u64_field(column::N_TERMS, number()),
        schema: schema.build(),
    }
}
