//! [`OpenAiLlm`] and [`OpenAiEmbedder`]: the models of Atlas over HTTP, in the dialect of chat
//! completions and embeddings that OpenAI, Azure, vLLM, llama.cpp, Ollama, LM Studio, LiteLLM, Groq,
//! Mistral, DeepSeek and OpenRouter speak.
//!
//! ```no_run
//! use atlas_llm_openai::{EmbedderSettings, Endpoint, OpenAiEmbedder, OpenAiLlm};
//!
//! # async fn connect(key: String) -> atlas_core::Result<()> {
//! let endpoint = Endpoint::new("https://api.openai.com/v1")?.with_key(key);
//! let llm = OpenAiLlm::new(&endpoint, "gpt-4o-mini")?;
//! let settings = EmbedderSettings::default();
//! let embedder = OpenAiEmbedder::connect(&endpoint, "text-embedding-3-small", settings).await?;
//! # drop((llm, embedder));
//! # Ok(())
//! # }
//! ```
//!
//! - **The dialect is found out.** An endpoint that refuses a field is asked again without it, once
//!   for each field, and what it takes is remembered for the model; see [`Dialect`]. Nothing else
//!   is ever tried again: whoever calls counts attempts and costs.
//! - **Replies are streamed**, so that no long call dies idle, and held against what the endpoint
//!   said: a reply that ended before its end is an error, a limit or a refusal is a value.
//! - **Secrets stay here.** Keys, header values and query values stand in no `Debug`, no error and no
//!   context of an error, not even when the endpoint sends them back.
//!
//! It needs a tokio runtime with time and input and output enabled, starts no task, and reads
//! neither the environment nor the clock. TLS trusts the certificates that the system trusts.
//!
//! | module | what |
//! |---|---|
//! | `endpoint`, `transport`, `secret` | where requests go, how, and what is not told of it |
//! | `dialect`, `request` | which fields there are, and a task as JSON |
//! | `think`, `chunk`, `reading` | what came back: stripped, folded, as a stream |
//! | `wait`, `failure` | what went wrong, and when to ask again |
//! | `provider` | the two calls of a language model |
//! | `slices`, `vectors`, `embedder` | texts in requests, numbers checked, the embedder |

mod chunk;
mod dialect;
mod embedder;
mod endpoint;
mod failure;
mod provider;
mod reading;
mod request;
mod secret;
mod slices;
mod think;
mod transport;
mod vectors;
mod wait;

pub use dialect::{Dialect, Field, ReplyFormat};
pub use embedder::{EmbedderSettings, OpenAiEmbedder};
pub use endpoint::Endpoint;
pub use provider::OpenAiLlm;
