//! The handle.

use std::sync::Arc;

use crate::answer::{Answer, AskOptions, ask};
use crate::channel::Channel;
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::model::ChannelId;
use crate::ports::{Access, ChannelScope, Principal, Scope};
use crate::retrieve::{SearchOptions, SearchOutcome, search};
use crate::settings::Settings;

/// Memory for chat channels, made of parts that can each be replaced.
///
/// It is cheap to clone and starts nothing by itself: the caller drives.
#[derive(Clone, Debug)]
pub struct Atlas {
    inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) parts: Components,
    pub(crate) settings: Settings,
}

impl Atlas {
    /// Puts the parts together.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] if the embedder's space is not the index's: both are named.
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
            inner: Arc::new(Inner { parts, settings }),
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

    /// The parts.
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
        let Inner { parts, settings } = &*self.inner;
        search(parts, &self.scope, text, options, &settings.retrieve).await
    }

    /// Answers a question from all of the channels.
    ///
    /// # Errors
    ///
    /// See [`ask`].
    pub async fn ask(&self, question: &str) -> Result<Answer> {
        let Inner { parts, settings } = &*self.inner;
        let tunables = (&settings.retrieve, &settings.answer);
        ask(
            parts,
            &self.scope,
            question,
            &AskOptions::default(),
            tunables,
        )
        .await
    }
}
