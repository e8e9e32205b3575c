//! Which model serves which role: plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::llm::Role;
use crate::ports::{ModelChoice, ModelParameters, Usage};

/// The name of the provider that [`Components::llm`](crate::Components::llm) is.
pub const DEFAULT_PROVIDER: &str = "default";
/// The name of the embedder's endpoint, if none is set.
pub const EMBEDDER_ENDPOINT: &str = "embedder";

/// Which model serves which role, and how its endpoint is treated.
///
/// Nothing set: the provider of the components serves every role, each call is tried three times at
/// most, nothing is limited, and an endpoint that failed three times in a row is left alone for a
/// minute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelSettings {
    /// Who serves a role.
    pub roles: BTreeMap<Role, Assignment>,
    /// Who serves a role that is not among them.
    pub default: Assignment,
    /// How the embedder is treated and billed.
    pub embedder: EmbedderSettings,
    /// How an endpoint is treated, by the name of its provider.
    pub endpoints: BTreeMap<String, EndpointSettings>,
    /// How often a call is tried at most, over all endpoints that serve its role; at least once.
    pub attempts: u32,
    /// Seconds that a call waits at most before it is tried again at the same endpoint. One that
    /// asks for more has failed.
    pub max_wait_seconds: u32,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            roles: BTreeMap::new(),
            default: Assignment::default(),
            embedder: EmbedderSettings::default(),
            endpoints: BTreeMap::new(),
            attempts: 3,
            max_wait_seconds: 60,
        }
    }
}

impl ModelSettings {
    /// Sets who serves a role.
    #[must_use]
    pub fn with_role(mut self, role: Role, assignment: Assignment) -> Self {
        self.roles.insert(role, assignment);
        self
    }

    /// Sets who serves the roles that are not set one by one.
    #[must_use]
    pub fn with_default(mut self, assignment: Assignment) -> Self {
        self.default = assignment;
        self
    }

    /// Sets how an endpoint is treated.
    #[must_use]
    pub fn with_endpoint(mut self, name: impl Into<String>, endpoint: EndpointSettings) -> Self {
        self.endpoints.insert(name.into(), endpoint);
        self
    }

    /// Sets how often a call is tried at most.
    #[must_use]
    pub fn with_attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts;
        self
    }

    /// Who serves the role.
    pub fn assignment(&self, role: Role) -> &Assignment {
        self.roles.get(&role).unwrap_or(&self.default)
    }
}

/// Who serves a role: one, and others in turn for what another endpoint can cure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Assignment {
    /// Who serves it.
    #[serde(flatten)]
    pub target: Target,
    /// Who serves it where that one cannot, in order.
    #[serde(default)]
    pub fallback: Vec<Target>,
}

impl Assignment {
    /// Sets one more that serves it where those before cannot.
    #[must_use]
    pub fn with_fallback(mut self, target: Target) -> Self {
        self.fallback.push(target);
        self
    }

    /// All that serve it, in order.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        [&self.target].into_iter().chain(&self.fallback)
    }
}

impl From<Target> for Assignment {
    fn from(target: Target) -> Self {
        Self {
            target,
            fallback: Vec::new(),
        }
    }
}

/// A model at a provider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Target {
    /// The name under which the provider is registered.
    pub provider: String,
    /// The model's name at the endpoint; none for the provider's own.
    pub model: Option<String>,
    /// How it is asked.
    pub parameters: ModelParameters,
    /// What it costs; none if that is not known.
    pub price: Option<Price>,
}

impl Default for Target {
    fn default() -> Self {
        Self::new(DEFAULT_PROVIDER)
    }
}

impl Target {
    /// The provider's own model, as it comes.
    pub fn new(provider: impl Into<String>) -> Self {
        Self {
            provider: provider.into(),
            model: None,
            parameters: ModelParameters::default(),
            price: None,
        }
    }

    /// Sets the model.
    #[must_use]
    pub fn with_model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// Sets how it is asked.
    #[must_use]
    pub fn with_parameters(mut self, parameters: ModelParameters) -> Self {
        self.parameters = parameters;
        self
    }

    /// Sets what it costs.
    #[must_use]
    pub fn with_price(mut self, price: Price) -> Self {
        self.price = Some(price);
        self
    }

    /// What a request says of it.
    pub fn choice(&self) -> ModelChoice {
        ModelChoice {
            model: self.model.clone(),
            parameters: self.parameters.clone(),
        }
    }
}

/// What a million tokens cost, in millionths of whatever currency is counted in: 0.15 a million is
/// 150,000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Price {
    /// A million tokens of prompts.
    pub input_micros: u64,
    /// A million tokens of replies.
    pub output_micros: u64,
}

impl Price {
    /// What a call cost, in millionths, rounded up.
    pub fn of(self, usage: Usage) -> u64 {
        let of = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
        let (prompt, reply) = (
            of(usage.input_tokens, self.input_micros),
            of(usage.output_tokens, self.output_micros),
        );
        let all = prompt.saturating_add(reply);
        u64::try_from(all.div_ceil(1_000_000)).unwrap_or(u64::MAX)
    }
}

/// How the embedder is treated and billed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EmbedderSettings {
    /// The name of its endpoint; that of a provider where one server is behind both, so that they
    /// share its limits.
    pub endpoint: String,
}

impl Default for EmbedderSettings {
    fn default() -> Self {
        Self {
            endpoint: EMBEDDER_ENDPOINT.to_owned(),
        }
    }
}

/// How an endpoint is treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EndpointSettings {
    /// Requests in a minute at most; none for no limit.
    pub requests_per_minute: Option<u64>,
    /// Tokens of prompts and replies in a minute at most; none for no limit. They are guessed
    /// before a call and set right after it, as far as the server counts.
    pub tokens_per_minute: Option<u64>,
    /// Requests at the same time at most; none for no limit.
    pub max_concurrent: Option<usize>,
    /// When it is left alone.
    pub breaker: BreakerSettings,
}

/// When an endpoint is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BreakerSettings {
    /// After that many failures in a row; never for none.
    pub failures: u32,
    /// For that many seconds; then one request finds out whether it answers again.
    pub open_seconds: u32,
}

impl Default for BreakerSettings {
    fn default() -> Self {
        Self {
            failures: 3,
            open_seconds: 60,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_plain_data_and_say_only_what_differs() {
        let text = r#"{
            "roles": {
                "answerer": {
                    "provider": "large",
                    "model": "l-1",
                    "parameters": {"temperature": 0.5},
                    "price": {"input_micros": 3000000},
                    "fallback": [{"provider": "small"}]
                }
            },
            "endpoints": {"small": {"requests_per_minute": 30}}
        }"#;
        let read: ModelSettings = serde_json::from_str(text).unwrap();
        let parameters = ModelParameters {
            temperature: Some(0.5),
            ..ModelParameters::default()
        };
        let price = Price {
            input_micros: 3_000_000,
            output_micros: 0,
        };
        let large = Target::new("large")
            .with_model("l-1")
            .with_parameters(parameters)
            .with_price(price);
        let small = EndpointSettings {
            requests_per_minute: Some(30),
            ..EndpointSettings::default()
        };
        let expected = ModelSettings::default()
            .with_role(
                Role::Answerer,
                Assignment::from(large).with_fallback(Target::new("small")),
            )
            .with_endpoint("small", small);
        assert_eq!(read, expected);
        let written = serde_json::to_string(&expected).unwrap();
        assert_eq!(
            serde_json::from_str::<ModelSettings>(&written).unwrap(),
            expected
        );
        assert_eq!(
            read.assignment(Role::WikiWriter).target.provider,
            DEFAULT_PROVIDER
        );
    }
}
