//! Where requests go.

use std::fmt;
use std::time::Duration;

use atlas_core::{Error, ErrorKind, Result};
use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};

use crate::secret::Secrets;

const OP: &str = "Endpoint::new";

/// How an endpoint learns who asks.
#[derive(Clone)]
pub(crate) enum Credential {
    /// Not at all.
    None,
    /// By `authorization: Bearer …`.
    Bearer(SecretString),
    /// By `api-key: …`.
    ApiKey(SecretString),
}

/// An endpoint: its address, what it is told with every request, and how long it may take.
///
/// `Debug` prints no key, no header value and no value of the query.
///
/// ```
/// use atlas_llm_openai::Endpoint;
///
/// # fn endpoints(key: &str) -> atlas_core::Result<[Endpoint; 3]> {
/// let openai = Endpoint::new("https://api.openai.com/v1")?.with_key(key);
/// let azure = Endpoint::new("https://example.openai.azure.com/openai/deployments/gpt-4o")?
///     .with_api_key(key)
///     .with_query("api-version", "2024-10-21");
/// let local = Endpoint::new("http://127.0.0.1:8080/v1")?;
/// # Ok([openai, azure, local])
/// # }
/// ```
#[derive(Clone)]
pub struct Endpoint {
    base: Url,
    pub(crate) credential: Credential,
    pub(crate) headers: Vec<(String, SecretString)>,
    query: Vec<(String, SecretString)>,
    pub(crate) proxy: Option<SecretString>,
    pub(crate) connect_timeout: Duration,
    pub(crate) idle_timeout: Duration,
    pub(crate) call_timeout: Duration,
}

impl Endpoint {
    /// An endpoint without a key. The address holds all of the path that is not of the dialect,
    /// such as `/v1`.
    ///
    /// It connects within 10 seconds, says something at least every 120 and ends within 600,
    /// unless it is told otherwise.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] for what is no address of `http` or `https`, and for one with a user
    /// or a fragment.
    pub fn new(base_url: &str) -> Result<Self> {
        // The address itself may hold a secret: it is not told.
        let invalid = |why: &str| Error::new(ErrorKind::Invalid, OP, why);
        let base = Url::parse(base_url)
            .map_err(|cause| invalid("the base URL is no URL").caused_by(cause))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(invalid("the base URL is not of http or https"));
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(invalid("the base URL holds a user: set the key instead"));
        }
        if base.fragment().is_some() {
            return Err(invalid("the base URL has a fragment"));
        }
        Ok(Self {
            base,
            credential: Credential::None,
            headers: Vec::new(),
            query: Vec::new(),
            proxy: None,
            connect_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_mins(2),
            call_timeout: Duration::from_mins(10),
        })
    }

    /// Sets the key, sent as a bearer token.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.credential = Credential::Bearer(key.into().into());
        self
    }

    /// Sets the key, sent in the header `api-key` as Azure wants it.
    #[must_use]
    pub fn with_api_key(mut self, key: impl Into<String>) -> Self {
        self.credential = Credential::ApiKey(key.into().into());
        self
    }

    /// Sends a header with every request.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into().into()));
        self
    }

    /// Names the organisation that is billed.
    #[must_use]
    pub fn with_organization(self, id: impl Into<String>) -> Self {
        self.with_header("openai-organization", id)
    }

    /// Names the project that is billed.
    #[must_use]
    pub fn with_project(self, id: impl Into<String>) -> Self {
        self.with_header("openai-project", id)
    }

    /// Adds to the query of every request, such as `api-version`.
    #[must_use]
    pub fn with_query(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.query.push((name.into(), value.into().into()));
        self
    }

    /// Sends everything through a proxy of `http` or `https`. Without one, none is used, whatever
    /// the environment says.
    #[must_use]
    pub fn with_proxy(mut self, url: impl Into<String>) -> Self {
        self.proxy = Some(url.into().into());
        self
    }

    /// Sets how long a connection may take.
    #[must_use]
    pub fn with_connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// Sets how long nothing may come: before the first byte, and between two.
    #[must_use]
    pub fn with_idle_timeout(mut self, timeout: Duration) -> Self {
        self.idle_timeout = timeout;
        self
    }

    /// Sets how long a call may take as a whole.
    #[must_use]
    pub fn with_call_timeout(mut self, timeout: Duration) -> Self {
        self.call_timeout = timeout;
        self
    }

    /// The address of a path below the base, with the query.
    pub(crate) fn url(&self, path: &[&str]) -> Url {
        let mut url = self.base.clone();
        // An address of http always has a path that can be longer.
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        for (name, value) in &self.query {
            url.query_pairs_mut()
                .append_pair(name, value.expose_secret());
        }
        url
    }

    /// The address as it may be told: without its query.
    pub(crate) fn shown(&self) -> String {
        let mut shown = self.base.clone();
        shown.set_query(None);
        shown.into()
    }

    /// All that must not be told of it.
    pub(crate) fn secrets(&self) -> Secrets {
        /// Shorter values are switches, such as `1` and `on`.
        const SHORTEST: usize = 4;
        let mut secrets = Secrets::default();
        if let Credential::Bearer(key) | Credential::ApiKey(key) = &self.credential {
            secrets.add(key.expose_secret());
        }
        let values = self.headers.iter().chain(&self.query);
        let mut others: Vec<String> = values
            .map(|(_, value)| value.expose_secret().to_owned())
            .collect();
        let url = self.url(&[]);
        others.extend(url.query_pairs().map(|(_, value)| value.into_owned()));
        // As they stand in the address.
        let pairs = url.query().unwrap_or_default().split('&');
        others.extend(pairs.filter_map(|pair| Some(pair.split_once('=')?.1.to_owned())));
        if let Some(proxy) = &self.proxy {
            others.push(proxy.expose_secret().to_owned());
            let url = Url::parse(proxy.expose_secret()).ok();
            let password = url.as_ref().and_then(Url::password);
            others.extend(password.map(str::to_owned));
        }
        for value in others.iter().filter(|value| value.len() >= SHORTEST) {
            secrets.add(value);
        }
        secrets
    }

    /// Whether anything on the way speaks TLS.
    pub(crate) fn needs_tls(&self) -> bool {
        let is_of_https = |proxy: &SecretString| proxy.expose_secret().starts_with("https");
        self.base.scheme() == "https" || self.proxy.as_ref().is_some_and(is_of_https)
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let credential = match self.credential {
            Credential::None => "none",
            Credential::Bearer(_) => "bearer",
            Credential::ApiKey(_) => "api-key",
        };
        let names = |values: &[(String, SecretString)]| -> Vec<String> {
            values.iter().map(|(name, _)| name.clone()).collect()
        };
        f.debug_struct("Endpoint")
            .field("base", &self.shown())
            .field("credential", &credential)
            .field("headers", &names(&self.headers))
            .field("query", &names(&self.query))
            .field("has_proxy", &self.proxy.is_some())
            .field("connect_timeout", &self.connect_timeout)
            .field("idle_timeout", &self.idle_timeout)
            .field("call_timeout", &self.call_timeout)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_queries_are_joined() {
        for (base, expected) in [
            (
                "http://h/v1",
                "http://h/v1/chat/completions?api-version=a+b",
            ),
            (
                "http://h/v1/",
                "http://h/v1/chat/completions?api-version=a+b",
            ),
            ("http://h", "http://h/chat/completions?api-version=a+b"),
            (
                "https://h/x?k=1",
                "https://h/x/chat/completions?k=1&api-version=a+b",
            ),
        ] {
            let endpoint = Endpoint::new(base)
                .unwrap()
                .with_query("api-version", "a b");
            assert_eq!(endpoint.url(&["chat", "completions"]).as_str(), expected);
        }
    }

    #[test]
    fn what_is_no_address_is_refused_without_telling_it() {
        for base in [
            "",
            "h/secret",
            "ftp://h/secret",
            "http://u:secret@h",
            "http://h/#secret",
        ] {
            let error = Endpoint::new(base).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid, "{base}");
            assert!(!format!("{error:?}").contains("secret"), "{error:?}");
        }
    }

    #[test]
    fn no_secret_is_printed_and_each_is_hidden() {
        let endpoint = Endpoint::new("https://h/v1?token=base%20secret")
            .unwrap()
            .with_api_key("key-secret")
            .with_header("x-auth", "header-secret")
            .with_query("sig", "query/secret")
            .with_proxy("http://user:proxy-secret@p:1");
        let printed = format!("{endpoint:?}");
        assert!(!printed.contains("secret"), "{printed}");
        assert!(
            printed.contains("x-auth") && printed.contains("sig"),
            "{printed}"
        );
        let secrets = endpoint.secrets();
        let url = endpoint.url(&[]);
        let said = format!("{url} key-secret header-secret query/secret base secret proxy-secret");
        let hidden = secrets.hide(&said);
        assert!(!hidden.contains("secret"), "{hidden}");
    }
}
