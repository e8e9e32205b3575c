//! The embedder.

use atlas_core::model::ContentHash;
use atlas_core::ports::{Embedder, EmbeddingSpace, Purpose};
use atlas_core::{Error, ErrorKind, Result, async_trait};
use serde::Serialize;

use crate::endpoint::Endpoint;
use crate::failure::{Failure, Tried};
use crate::slices::{cut, runs};
use crate::transport::{Transport, is_of_type, whole};
use crate::vectors::{normalised, read};

const OP: &str = "OpenAiEmbedder::embed";

/// The longest reply that is read.
const MOST_REPLY_BYTES: usize = 256 << 20;

/// How texts are put to an embedding model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbedderSettings {
    /// What stands in front of a text that is to be found, such as `passage: `.
    pub document_prefix: String,
    /// What stands in front of a text that is to find, such as `query: `.
    pub query_prefix: String,
    /// The most texts of one call, at least one.
    pub max_batch: usize,
    /// The most bytes of the texts of one request: a call is split in order. A text that is longer
    /// is a request of its own.
    pub max_request_bytes: usize,
    /// The most bytes of one text with its prefix: it is cut to the model's window. A token has
    /// about four bytes of English, and fewer of other languages.
    pub max_text_bytes: usize,
    /// The width to ask the model for, where it has several; none for its own.
    pub dimensions: Option<usize>,
    /// Whether vectors come in base64, which is shorter than numbers in words.
    pub is_encoded: bool,
    /// The revision of the model, which no endpoint tells. Count it up when the model behind the
    /// name is exchanged.
    pub revision: String,
}

impl Default for EmbedderSettings {
    fn default() -> Self {
        Self {
            document_prefix: String::new(),
            query_prefix: String::new(),
            max_batch: 128,
            max_request_bytes: 256 * 1024,
            max_text_bytes: 8 * 1024,
            dimensions: None,
            is_encoded: false,
            revision: "1".to_owned(),
        }
    }
}

impl EmbedderSettings {
    fn prefix(&self, purpose: Purpose) -> &str {
        match purpose {
            Purpose::Document => &self.document_prefix,
            Purpose::Query => &self.query_prefix,
        }
    }

    /// The revision of the space: vectors under other prefixes are of another.
    fn space_revision(&self) -> String {
        let prefixes = [self.document_prefix.as_str(), &self.query_prefix];
        if prefixes.iter().all(|prefix| prefix.is_empty()) {
            return self.revision.clone();
        }
        let digest = ContentHash::of_parts(&prefixes).to_string();
        let short: String = digest.chars().take(8).collect();
        format!("{}+{short}", self.revision)
    }
}

/// Embeds texts by a model behind an endpoint.
///
/// Vectors are brought to length one, unless the space says that they have none. A text of white
/// space alone is the zero vector and is not sent: many endpoints refuse it.
///
/// # Cancel safety
///
/// A call that is dropped ends its connection. What the endpoint did for it may be billed.
#[derive(Debug)]
pub struct OpenAiEmbedder {
    transport: Transport,
    space: EmbeddingSpace,
    settings: EmbedderSettings,
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    input: &'a [String],
    encoding_format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

impl OpenAiEmbedder {
    /// An embedder of a space that is known. Nothing is sent; a model of another width is found
    /// out by the first call.
    ///
    /// # Errors
    ///
    /// As [`OpenAiLlm::new`](crate::OpenAiLlm::new).
    pub fn new(
        endpoint: &Endpoint,
        space: EmbeddingSpace,
        settings: EmbedderSettings,
    ) -> Result<Self> {
        Ok(Self {
            transport: Transport::new(endpoint, &["embeddings"])?,
            space,
            settings,
        })
    }

    /// An embedder of the model, whose width is found out by one text.
    ///
    /// # Errors
    ///
    /// As [`OpenAiEmbedder::new`], and what the call fails with.
    pub async fn connect(
        endpoint: &Endpoint,
        model: impl Into<String>,
        settings: EmbedderSettings,
    ) -> Result<Self> {
        let space = EmbeddingSpace {
            model: model.into(),
            revision: settings.space_revision(),
            dimensions: 0,
            is_normalised: true,
        };
        let mut embedder = Self::new(endpoint, space, settings)?;
        let width = embedder.settings.dimensions;
        let vectors = embedder.send(&["width".to_owned()], width).await;
        let vectors = vectors.map_err(|failure| embedder.error(failure))?;
        embedder.space.dimensions = vectors.first().map_or(0, Vec::len);
        Ok(embedder)
    }

    /// How many requests were sent.
    pub fn n_requests(&self) -> u64 {
        self.transport.n_sent()
    }

    /// The vectors of texts as they are, in one request.
    async fn send(&self, texts: &[String], width: Option<usize>) -> Tried<Vec<Vec<f32>>> {
        let body = Body {
            model: &self.space.model,
            input: texts,
            encoding_format: if self.settings.is_encoded {
                "base64"
            } else {
                "float"
            },
            dimensions: self.settings.dimensions,
        };
        let body = serde_json::to_vec(&body).map_err(|cause| Failure::Unmade(cause.to_string()))?;
        let response = self.transport.post(body).await?;
        if is_of_type(&response, "text/html") {
            return Err(Failure::Page);
        }
        let reply = whole(response, MOST_REPLY_BYTES).await?;
        read(&reply, texts.len(), width)
    }

    fn error(&self, failure: Failure) -> Error {
        let error = failure.into_error(OP, &self.transport.about, &self.space.model);
        error.with("space", &self.space)
    }
}

#[async_trait]
impl Embedder for OpenAiEmbedder {
    fn space(&self) -> EmbeddingSpace {
        self.space.clone()
    }

    fn max_batch(&self) -> usize {
        self.settings.max_batch.max(1)
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        if texts.len() > self.max_batch() {
            let message = "more texts than a batch may have";
            return Err(Error::new(ErrorKind::Invalid, OP, message)
                .with("texts", texts.len())
                .with("max_batch", self.max_batch()));
        }
        let prefix = self.settings.prefix(purpose);
        let said = texts.iter().filter(|text| !text.trim().is_empty());
        let said: Vec<String> = said
            .map(|text| cut(&format!("{prefix}{text}"), self.settings.max_text_bytes).to_owned())
            .collect();
        let lengths: Vec<usize> = said.iter().map(String::len).collect();
        let width = self.space.dimensions;
        let mut vectors = Vec::with_capacity(said.len());
        for run in runs(&lengths, self.max_batch(), self.settings.max_request_bytes) {
            let texts = said.get(run).unwrap_or_default();
            let sent = self.send(texts, Some(width)).await;
            vectors.extend(sent.map_err(|failure| self.error(failure))?);
        }
        let mut vectors = vectors.into_iter();
        let in_order = texts.iter().map(|text| {
            let vector = if text.trim().is_empty() {
                vec![0.0; width]
            } else {
                vectors.next().unwrap_or_default()
            };
            if self.space.is_normalised {
                normalised(vector)
            } else {
                vector
            }
        });
        Ok(in_order.collect())
    }
}
