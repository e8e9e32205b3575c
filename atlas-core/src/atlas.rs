//! The handle.

use std::sync::Arc;

use crate::answer::{Answer, AskOptions, ask};
use crate::channel::Channel;
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::llm::router::{DEFAULT_PROVIDER, Ledger, RoutedEmbedder, Router};
use crate::maintain::{WorkerReport, WorkerSettings, work};
use crate::model::ChannelId;
use crate::ports::{Access, ChannelScope, Partition, Principal, Scope};
use crate::retrieve::{SearchOptions, SearchOutcome, search};
use crate::settings::Settings;

/// Memory for chat channels, made of parts that can each be replaced.
///
/// It is cheap to clone and starts nothing by itself: the caller drives.
#[derive(Clone, Debug)]
pub struct Atlas {
    inner: Arc<Inner>,
}

/// The parts, of which the models are behind the router.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) parts: Components,
    pub(crate) router: Router,
    pub(crate) settings: Settings,
    embedder: RoutedEmbedder,
}

impl Inner {
    fn new(parts: Components, settings: Settings) -> Result<Self> {
        let mut providers = parts.providers.clone();
        providers.insert(DEFAULT_PROVIDER.to_owned(), Arc::clone(&parts.llm));
        let router = Router::new(
            &providers,
            Arc::clone(&parts.clock),
            settings.models.clone(),
        )?;
        let embedder = RoutedEmbedder::new(Arc::clone(&parts.embedder), router.clone());
        Ok(Self {
            parts: behind(&router, &embedder, &parts),
            router,
            settings,
            embedder,
        })
    }

    /// The parts and the router with models whose calls are written on that account.
    pub(crate) fn on_account(&self, account: Partition) -> (Components, Router) {
        let router = self.router.on_account(account);
        (behind(&router, &self.embedder, &self.parts), router)
    }
}

fn behind(router: &Router, embedder: &RoutedEmbedder, parts: &Components) -> Components {
    Components {
        llm: Arc::new(router.clone()),
        embedder: Arc::new(embedder.on(router.clone())),
        ..parts.clone()
    }
}

impl Atlas {
    /// Puts the parts together.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] if the embedder's space is not the index's: both are named; or if the
    /// settings of models name a provider that is not among the parts.
    pub fn new(parts: Components, settings: Settings) -> Result<Self> {
        let (embeds, indexes) = (parts.embedder.space(), parts.facts.space());
        if embeds != indexes {
            return Err(Error::new(
                ErrorKind::Invalid,
                "Atlas::new",
                "the index and the embedder have different spaces",
            )
            .with("embedder", embeds)
            .with("index", indexes));
        }
        Ok(Self {
            inner: Arc::new(Inner::new(parts, settings)?),
        })
    }

    /// A channel. It need not exist yet; nothing is written until messages are.
    pub fn channel(&self, id: ChannelId) -> Channel {
        Channel::new(Arc::clone(&self.inner), ChannelScope::new(id))
    }

    /// Several channels at once, for a principal who may read all of them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Denied`] if one of them may not be read, [`ErrorKind::Invalid`] for none.
    pub async fn across(&self, principal: &Principal, channels: &[ChannelId]) -> Result<Across> {
        let authorizer = &self.inner.parts.authorizer;
        let scope = authorizer.scope(principal, channels, Access::Read).await?;
        Ok(Across {
            inner: Arc::clone(&self.inner),
            scope,
        })
    }

    /// Drives channels until told to stop: what is due in each is read, and all that is derived is
    /// brought up to it. Channels get turns, so that neither a large nor a failing one keeps
    /// another waiting. It waits by the clock that came in, and starts nothing by itself.
    ///
    /// A turn that fails is no error: the report tells, and the channel gets its next turn later.
    /// What has begun when it is told to stop is finished.
    ///
    /// # Cancel safety
    ///
    /// Safe: dropping it leaves claims that end by themselves.
    pub async fn worker(
        &self,
        channels: &[ChannelId],
        settings: &WorkerSettings,
        stop: impl Future<Output = ()> + Send,
    ) -> WorkerReport {
        let channels = channels.iter().map(|it| self.channel(it.clone())).collect();
        work(channels, self.inner.parts.clock.as_ref(), settings, stop).await
    }

    /// What models were asked and what that came to since this handle was made: by role, endpoint
    /// and model, and by channel. What a channel came to on each day is kept:
    /// [`Channel::bills`].
    pub fn ledger(&self) -> Ledger {
        self.inner.router.ledger()
    }

    /// The parts; the models among them are behind the router.
    pub fn components(&self) -> &Components {
        &self.inner.parts
    }

    /// The tunables.
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }
}

/// Several channels that a principal reads together.
#[derive(Clone, Debug)]
pub struct Across {
    inner: Arc<Inner>,
    scope: Scope,
}

impl Across {
    /// Searches all of the channels.
    ///
    /// # Errors
    ///
    /// See [`search`].
    pub async fn search(&self, text: &str, options: &SearchOptions) -> Result<SearchOutcome> {
        let (parts, _) = self.inner.on_account(self.account());
        let settings = &self.inner.settings;
        search(&parts, &self.scope, text, options, &settings.retrieve).await
    }

    /// Answers a question from all of the channels.
    ///
    /// # Errors
    ///
    /// See [`ask`].
    pub async fn ask(&self, question: &str) -> Result<Answer> {
        let (parts, router) = self.inner.on_account(self.account());
        let settings = &self.inner.settings;
        let tunables = (&settings.retrieve, &settings.answer);
        ask(
            (&parts, &router),
            &self.scope,
            question,
            &AskOptions::default(),
            tunables,
        )
        .await
    }

    /// Whose bill it is: the principal's, since it is of no single channel.
    fn account(&self) -> Partition {
        let user = self.scope.principal().cloned();
        user.map_or(Partition::Installation, Partition::Principal)
    }
}
