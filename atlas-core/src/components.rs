//! The parts that an Atlas is made of.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::llm::router::DEFAULT_PROVIDER;
use crate::ports::{
    Authorizer, Clock, Embedder, FactIndex, GraphStore, LlmProvider, MessageStore, RecordStore,
};

/// The parts that an Atlas is made of. Required parts are fields; tunables are in
/// [`Settings`](crate::Settings).
#[derive(Clone)]
pub struct Components {
    /// The truth: messages.
    pub messages: Arc<dyn MessageStore>,
    /// The truth: every other record.
    pub records: Arc<dyn RecordStore>,
    /// What can be found.
    pub facts: Arc<dyn FactIndex>,
    /// What can be walked.
    pub graph: Arc<dyn GraphStore>,
    /// Serves tasks: the provider that is named `default` in the settings of models.
    pub llm: Arc<dyn LlmProvider>,
    /// More providers, by the names that the settings of models give them.
    pub providers: BTreeMap<String, Arc<dyn LlmProvider>>,
    /// Embeds texts; its space is that of the index.
    pub embedder: Arc<dyn Embedder>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Makes principals and scopes.
    pub authorizer: Authorizer,
}

impl Components {
    /// The parts, where one store implements all four store ports. Nobody may read across
    /// channels until an [`Authorizer`] is set.
    pub fn new<S>(
        store: S,
        llm: impl LlmProvider + 'static,
        embedder: impl Embedder + 'static,
        clock: impl Clock + 'static,
    ) -> Self
    where
        S: MessageStore + RecordStore + FactIndex + GraphStore + 'static,
    {
        let store = Arc::new(store);
        Self {
            messages: Arc::clone(&store) as Arc<dyn MessageStore>,
            records: Arc::clone(&store) as Arc<dyn RecordStore>,
            facts: Arc::clone(&store) as Arc<dyn FactIndex>,
            graph: store,
            llm: Arc::new(llm),
            providers: BTreeMap::new(),
            embedder: Arc::new(embedder),
            clock: Arc::new(clock),
            authorizer: Authorizer::default(),
        }
    }

    /// Registers one more provider, under the name that the settings of models give it.
    #[must_use]
    pub fn with_provider(
        mut self,
        name: impl Into<String>,
        provider: impl LlmProvider + 'static,
    ) -> Self {
        let (name, provider) = (name.into(), Arc::new(provider));
        if name == DEFAULT_PROVIDER {
            self.llm = provider;
        } else {
            self.providers.insert(name, provider);
        }
        self
    }

    /// Sets who may read across channels.
    #[must_use]
    pub fn with_authorizer(mut self, authorizer: Authorizer) -> Self {
        self.authorizer = authorizer;
        self
    }
}

impl fmt::Debug for Components {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Components")
            .field("space", &self.embedder.space())
            .field("providers", &self.providers.keys())
            .finish_non_exhaustive()
    }
}
