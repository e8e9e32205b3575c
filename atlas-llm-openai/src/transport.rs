//! Requests out, answers in.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use atlas_core::{Error, ErrorKind, Result};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Proxy, Response, Url, redirect};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use secrecy::ExposeSecret;

use crate::endpoint::{Credential, Endpoint};
use crate::failure::{About, Failure, Refusal, Tried};
use crate::wait;

/// The most that is read of an answer that is no success.
const MOST_OF_REFUSAL: usize = 64 * 1024;

/// Sends requests to one address of an endpoint.
pub(crate) struct Transport {
    client: Client,
    url: Url,
    pub(crate) about: Arc<About>,
    n_sent: AtomicU64,
}

impl Transport {
    /// Makes what sends to the path below the endpoint's address. Nothing is sent.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] for a key, a header or a proxy that cannot be sent or used;
    /// [`ErrorKind::Unavailable`] if the system trusts no certificate.
    pub(crate) fn new(endpoint: &Endpoint, path: &[&str]) -> Result<Self> {
        let about = About {
            endpoint: endpoint.shown(),
            secrets: endpoint.secrets(),
        };
        let unmade =
            |cause: &dyn StdError| Failure::Unmade(chain(cause)).into_error("Endpoint", &about, "");
        let mut builder = Client::builder()
            .default_headers(headers(endpoint)?)
            .connect_timeout(endpoint.connect_timeout)
            .read_timeout(endpoint.idle_timeout)
            .timeout(endpoint.call_timeout)
            // What is sent along is for this address and no other.
            .redirect(redirect::Policy::none())
            .tls_backend_preconfigured(tls(endpoint)?)
            .no_proxy();
        if let Some(proxy) = &endpoint.proxy {
            let proxy = Proxy::all(proxy.expose_secret());
            builder = builder.proxy(proxy.map_err(|cause| unmade(&cause.without_url()))?);
        }
        Ok(Self {
            client: builder
                .build()
                .map_err(|cause| unmade(&cause.without_url()))?,
            url: endpoint.url(path),
            about: Arc::new(about),
            n_sent: AtomicU64::new(0),
        })
    }

    /// How many requests were sent.
    pub(crate) fn n_sent(&self) -> u64 {
        self.n_sent.load(Ordering::Relaxed)
    }

    /// Sends a body of JSON, and answers what came back with a status of success.
    pub(crate) async fn post(&self, body: Vec<u8>) -> Tried<Response> {
        self.n_sent.fetch_add(1, Ordering::Relaxed);
        let request = self.client.post(self.url.clone());
        let request = request.header(CONTENT_TYPE, "application/json").body(body);
        let response = request.send().await?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let wait = wait::asked(response.headers());
        // What the endpoint says to it is worth little: the status stands without it.
        let said = whole(response, MOST_OF_REFUSAL).await.unwrap_or_default();
        let refusal = Refusal::of_answer(status.as_u16(), wait, &said);
        Err(Failure::Refused(refusal))
    }
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Client and address would tell proxies and queries.
        f.debug_struct("Transport")
            .field("endpoint", &self.about.endpoint)
            .field("n_sent", &self.n_sent())
            .finish_non_exhaustive()
    }
}

/// The body as a whole, if it is no longer than `most` bytes.
pub(crate) async fn whole(mut response: Response, most: usize) -> Tried<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(part) = response.chunk().await? {
        body.extend_from_slice(&part);
        if body.len() > most {
            return Err(Failure::TooLong(most));
        }
    }
    Ok(body)
}

/// Whether the answer says that its body is of the type.
pub(crate) fn is_of_type(response: &Response, kind: &str) -> bool {
    let said = response.headers().get(CONTENT_TYPE);
    let said = said.and_then(|value| value.to_str().ok());
    said.is_some_and(|said| said.trim_start().starts_with(kind))
}

impl From<reqwest::Error> for Failure {
    fn from(error: reqwest::Error) -> Self {
        // The address holds the query.
        let error = error.without_url();
        let why = chain(&error);
        if error.is_timeout() {
            Self::TimedOut(why)
        } else if error.is_connect() {
            Self::Unreached(why)
        } else if error.is_builder() {
            Self::Unmade(why)
        } else {
            Self::Broken(why)
        }
    }
}

/// An error and its causes in a line.
fn chain(error: &dyn StdError) -> String {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    let words: Vec<String> = causes.map(ToString::to_string).collect();
    words.join(": ")
}

fn headers(endpoint: &Endpoint) -> Result<HeaderMap> {
    let invalid = |name: &str| {
        Error::new(ErrorKind::Invalid, "Endpoint", "a header cannot be sent").with("name", name)
    };
    let value = |name: &str, text: &str| {
        let mut value = HeaderValue::from_str(text).map_err(|_| invalid(name))?;
        value.set_sensitive(true);
        Ok(value)
    };
    let mut headers = HeaderMap::new();
    match &endpoint.credential {
        Credential::None => {}
        Credential::Bearer(key) => {
            let text = format!("Bearer {}", key.expose_secret());
            headers.insert(AUTHORIZATION, value("authorization", &text)?);
        }
        Credential::ApiKey(key) => {
            let name = HeaderName::from_static("api-key");
            headers.insert(name, value("api-key", key.expose_secret())?);
        }
    }
    for (name, text) in &endpoint.headers {
        let key: HeaderName = name.parse().map_err(|_| invalid(name))?;
        headers.append(key, value(name, text.expose_secret())?);
    }
    Ok(headers)
}

/// TLS that trusts what the system trusts; nobody, where nothing on the way speaks TLS, so that
/// such an endpoint works on a system without certificates.
fn tls(endpoint: &Endpoint) -> Result<ClientConfig> {
    let failed = |cause: rustls::Error| {
        let message = "TLS cannot be set up: does the system trust any certificate?";
        Error::new(ErrorKind::Unavailable, "Endpoint", message).caused_by(cause)
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(failed)?;
    Ok(if endpoint.needs_tls() {
        builder
            .with_platform_verifier()
            .map_err(failed)?
            .with_no_client_auth()
    } else {
        builder
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth()
    })
}
