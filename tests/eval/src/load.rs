//! An export to settled channels in memory.

use std::collections::BTreeMap;
use std::path::Path;

use atlas_core::maintain::Settled;
use atlas_core::model::{ChannelId, Message, PrincipalId};
use atlas_core::ports::{AllowAll, Authorizer, Embedder, SystemClock};
use atlas_core::{Across, Atlas, Components, Result, Settings};
use atlas_import::{ExportChannel, ExportReader, Report, SlackExport};
use atlas_offline::{OfflineEmbedder, OfflineLlm};
use atlas_store_memory::MemoryStore;

/// Everything that an export says, before anything is made of it.
#[derive(Debug)]
pub struct Export {
    /// The channels, in the order of their ids.
    pub channels: Vec<ExportChannel>,
    /// The messages of each channel, in the order in which the export gives them.
    pub messages: BTreeMap<ChannelId, Vec<Message>>,
    /// The account of the import.
    pub report: Report,
}

impl Export {
    /// Reads a Slack export, a folder or a zip.
    ///
    /// # Errors
    ///
    /// See [`SlackExport::open`].
    pub fn read(path: &Path) -> Result<Self> {
        let export = SlackExport::open(path)?;
        let mut report = export.opening().clone();
        let mut all = BTreeMap::new();
        for channel in export.channels() {
            let mut messages = export.messages(&channel.id)?;
            let read: Vec<Message> = messages.by_ref().collect();
            report.merge(messages.report());
            all.insert(channel.id.clone(), read);
        }
        Ok(Self {
            channels: export.channels().to_vec(),
            messages: all,
            report,
        })
    }

    /// The channel of the name or the id.
    pub fn channel(&self, name: &str) -> Option<&ChannelId> {
        let is_it = |it: &&ExportChannel| it.name == name || it.id.as_str() == name;
        self.channels.iter().find(is_it).map(|it| &it.id)
    }
}

/// Stores in memory and rules instead of a model, in which everybody may read everything.
pub fn parts() -> Components {
    let embedder = OfflineEmbedder::default();
    let store = MemoryStore::new(embedder.space());
    Components::new(store, OfflineLlm::default(), embedder, SystemClock)
        .with_authorizer(Authorizer::new(AllowAll))
}

/// Takes in all messages of an export and settles each channel.
///
/// # Errors
///
/// What the parts fail with.
pub async fn settled(parts: Components, export: &Export) -> Result<(Atlas, Vec<Settled>)> {
    let atlas = Atlas::new(parts, Settings::default())?;
    let mut reports = Vec::new();
    for (channel, messages) in &export.messages {
        let (_, settled) = atlas.channel(channel.clone()).remember(messages).await?;
        reports.push(settled);
    }
    Ok((atlas, reports))
}

/// All channels of an export, to be asked together.
///
/// # Errors
///
/// [`Denied`](atlas_core::ErrorKind::Denied) if the parts do not let everybody in,
/// [`Invalid`](atlas_core::ErrorKind::Invalid) for an export without a channel.
pub async fn across(atlas: &Atlas, export: &Export) -> Result<Across> {
    let authorizer = &atlas.components().authorizer;
    let reader = authorizer.principal(PrincipalId::new("atlas-eval"));
    let channels: Vec<ChannelId> = export.messages.keys().cloned().collect();
    atlas.across(&reader, &channels).await
}
