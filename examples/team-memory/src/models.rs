//! Which models serve the run: rules, or models behind an OpenAI-compatible endpoint.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use atlas_core::extract::ExtractSettings;
use atlas_core::llm::Role;
use atlas_core::llm::router::{Assignment, ModelSettings, Target};
use atlas_core::ports::{
    AllowAll, Authorizer, Embedder, LlmProvider, ModelParameters, SystemClock,
};
use atlas_core::{Atlas, Components, Settings};
use atlas_llm_openai::{EmbedderSettings, Endpoint, OpenAiEmbedder, OpenAiLlm};
use atlas_offline::{OfflineEmbedder, OfflineLlm};
use atlas_store_memory::MemoryStore;
use atlas_store_sqlite::SqliteStore;

use crate::failure::Failure;

/// The name of the rules beside a model.
const RULES: &str = "rules";
/// Seeds a model that takes one, so that a run can be repeated as far as the endpoint lets it.
const SEED: u64 = 7;

/// Which models serve the run. Without an endpoint, rules do.
#[derive(Debug, clap::Args)]
pub(crate) struct ModelArgs {
    /// An OpenAI-compatible endpoint, such as `http://127.0.0.1:8080/v1`. Without it, rules serve
    /// every role.
    #[arg(long, value_name = "URL", requires = "model")]
    llm: Option<String>,
    /// The language model at the endpoint.
    #[arg(long, value_name = "NAME", requires = "llm")]
    model: Option<String>,
    /// The roles that the model serves, such as `fact_extractor`; rules serve the others. Without
    /// it, the model serves all.
    #[arg(long, value_name = "ROLE", value_delimiter = ',', value_parser = role, requires = "llm")]
    roles: Vec<Role>,
    /// The model that embeds. Without it, rules do.
    #[arg(long, value_name = "NAME", requires = "llm")]
    embed_model: Option<String>,
    /// The endpoint that embeds, if it is another one.
    #[arg(long, value_name = "URL", requires = "embed_model")]
    embed_url: Option<String>,
    /// The key of the endpoints.
    #[arg(
        long,
        value_name = "KEY",
        env = "ATLAS_LLM_KEY",
        hide_env_values = true
    )]
    key: Option<String>,
    /// Tokens of messages in one call: no more than the model's window has room for.
    #[arg(long, value_name = "N")]
    batch_tokens: Option<usize>,
    /// The most tokens of a reply.
    #[arg(long, value_name = "N", requires = "llm")]
    reply_tokens: Option<u32>,
    /// Seconds that an endpoint may stay silent, and a whole call may take: a model on a slow machine
    /// reads long before it writes.
    #[arg(long, value_name = "SECONDS", requires = "llm")]
    timeout: Option<u64>,
}

impl ModelArgs {
    /// Whether a model is called that may cost something.
    pub(crate) fn is_billed(&self) -> bool {
        self.llm.is_some()
    }

    /// Puts the run's Atlas together. Everybody may read every channel: whoever holds an export
    /// could read all of it anyway.
    ///
    /// # Errors
    ///
    /// If an endpoint cannot be used or the folder cannot be opened.
    pub(crate) async fn atlas(&self, store: Option<&Path>) -> Result<Atlas, Failure> {
        let embedder = self.embedder().await?;
        let rules = OfflineLlm::default();
        let llm: Arc<dyn LlmProvider> = match (&self.llm, &self.model) {
            (Some(url), Some(model)) => {
                Arc::new(OpenAiLlm::new(&self.endpoint(url)?, model.as_str())?)
            }
            _ => Arc::new(rules),
        };
        let space = embedder.space();
        let parts = match store {
            Some(dir) => {
                let store = SqliteStore::open(dir, space).await?;
                Components::new(store, llm, embedder, SystemClock)
            }
            None => Components::new(MemoryStore::new(space), llm, embedder, SystemClock),
        };
        let parts = parts
            .with_provider(RULES, rules)
            .with_authorizer(Authorizer::new(AllowAll));
        Ok(Atlas::new(parts, self.settings())?)
    }

    async fn embedder(&self) -> Result<Arc<dyn Embedder>, Failure> {
        let Some(model) = &self.embed_model else {
            return Ok(Arc::new(OfflineEmbedder::default()));
        };
        let url = self.embed_url.as_ref().or(self.llm.as_ref());
        let url = url.map(String::as_str).unwrap_or_default();
        let settings = EmbedderSettings::default();
        let embedder = OpenAiEmbedder::connect(&self.endpoint(url)?, model, settings).await?;
        Ok(Arc::new(embedder))
    }

    fn endpoint(&self, url: &str) -> Result<Endpoint, Failure> {
        let mut endpoint = Endpoint::new(url)?;
        if let Some(timeout) = self.timeout.map(Duration::from_secs) {
            endpoint = endpoint
                .with_idle_timeout(timeout)
                .with_call_timeout(timeout);
        }
        Ok(match &self.key {
            Some(key) => endpoint.with_key(key),
            None => endpoint,
        })
    }

    fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        if let Some(tokens) = self.batch_tokens {
            settings.extract = ExtractSettings {
                batch_tokens: tokens,
                ..settings.extract
            };
        }
        if self.llm.is_some() {
            settings.models = self.model_settings();
        }
        settings
    }

    fn model_settings(&self) -> ModelSettings {
        let model = Target::default().with_parameters(ModelParameters {
            temperature: Some(0.0),
            seed: Some(SEED),
            max_output_tokens: self.reply_tokens,
            ..ModelParameters::default()
        });
        let model = Assignment::from(model);
        if self.roles.is_empty() {
            return ModelSettings::default().with_default(model);
        }
        let rules = ModelSettings::default().with_default(Target::new(RULES).into());
        self.roles.iter().fold(rules, |settings, role| {
            settings.with_role(*role, model.clone())
        })
    }
}

fn role(name: &str) -> Result<Role, String> {
    let found = Role::ALL.into_iter().find(|role| role.as_str() == name);
    found.ok_or_else(|| {
        let known = Role::ALL.map(Role::as_str).join(", ");
        format!("there is no such role; there are {known}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        models: ModelArgs,
    }

    fn parsed(line: &str) -> Result<ModelArgs, clap::Error> {
        Line::try_parse_from(["x"].into_iter().chain(line.split_whitespace())).map(|it| it.models)
    }

    #[test]
    fn roles_that_are_not_named_are_served_by_rules() {
        let line = "--llm http://127.0.0.1:1/v1 --model m --roles fact_extractor,answerer";
        let settings = parsed(line).unwrap().settings().models;
        for role in Role::ALL {
            let served = settings.assignment(role).target.provider.as_str();
            let is_named = matches!(role, Role::FactExtractor | Role::Answerer);
            let expected = if is_named { "default" } else { RULES };
            assert_eq!(served, expected, "{role:?}");
        }
    }

    #[test]
    fn half_an_endpoint_is_refused() {
        assert!(parsed("").is_ok_and(|it| !it.is_billed()));
        for line in [
            "--llm http://127.0.0.1:1/v1",
            "--model m",
            "--embed-model m",
            "--llm http://127.0.0.1:1/v1 --model m --roles nobody",
        ] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }
}
