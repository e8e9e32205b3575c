//! A language model provider and an embedder for Atlas that need no model.
//!
//! [`OfflineLlm`] serves every role from the values of its task, by rules: sentences and cue
//! phrases, spotted names, words that are shared. [`OfflineEmbedder`] hashes the words of a text
//! and their parts. Both are deterministic, cost nothing and need no network, so that a first run,
//! a test or a machine without a key has something that works.
//!
//! # What it does
//!
//! | role | how |
//! |---|---|
//! | fact extractor | a sentence is a statement if cues, names, numbers or dates make it worth one; what it is about goes to a slot, so that a changed date or choice meets the first one |
//! | entity extractor | handles, names of the people around, words that are written as names, known technologies, places and organizations; relations where a verb stands between two names |
//! | contradiction detector | two values of one slot that exclude each other, a later choice that takes back an earlier one by name, the same words with a negation |
//! | summarizers, wiki writer | the facts that share most with the others, told in their own words |
//! | answerer | the evidence that covers the words of the question and holds the kind of words it asks for; nothing if none does |
//!
//! # What it cannot do
//!
//! It knows words, not what they mean. It takes a paraphrase for another statement, finds no
//! contradiction between sentences that share no words, and resolves no pronoun but the speaker's
//! own. Irony, hints and what follows from several messages are lost on it. Names in lower case
//! that are not widely known are not seen, and the type of a name is a guess from what stands
//! beside it. English is read best; of German, Spanish, French and Chinese it knows the common
//! cues, and of other languages only names, numbers and ISO dates. Vectors are near each other
//! where words are, not where meanings are. For better, give a model the same roles.
//!
//! # Examples
//!
//! ```
//! use atlas_core::llm::{FactExtractionInput, PromptMessage, serve};
//! use atlas_offline::OfflineLlm;
//!
//! let message = PromptMessage {
//!     label: "m1".to_owned(),
//!     author: "Priya Shah".to_owned(),
//!     sent_at: "2026-03-09T10:00:00Z".parse()?,
//!     text: "We moved the launch to 26 May.".to_owned(),
//!     thread_root: None,
//!     mentions: Vec::new(),
//!     links: Vec::new(),
//! };
//! let task = FactExtractionInput {
//!     context: Vec::new(),
//!     messages: vec![message],
//!     max_facts_per_message: 2,
//! };
//! let found = futures::executor::block_on(serve(&OfflineLlm::new(), &task))?;
//! assert_eq!(found.facts[0]["text"], "We moved the launch to 26 May (2026-05-26).");
//! assert_eq!(found.facts[0]["slot"]["value"], "2026-05-26");
//! # Ok::<(), atlas_core::Error>(())
//! ```
//!
//! # Modules, in reading order
//!
//! `text` (sentences, stems, languages), `names` (names and relations), `facts` (statements),
//! `compare` (verdicts), `write` (summaries, pages, answers), `features` (vectors), and the two
//! doors `provider` and `embedder`.

mod compare;
mod embedder;
mod facts;
mod features;
mod names;
mod provider;
mod text;
mod write;

pub use embedder::OfflineEmbedder;
pub use provider::OfflineLlm;
