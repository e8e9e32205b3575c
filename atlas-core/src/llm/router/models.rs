//! The router: who serves which role, and what that came to.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::endpoint::Endpoint;
use super::route::{ModelSettings, Price, Target};
use crate::error::{Error, ErrorKind, Result};
use crate::llm::Role;
use crate::model::{Bill, BillKey, ModelRole, Tally, Timestamp};
use crate::ports::{Clock, LlmProvider, ModelChoice, Partition};

/// Sends each request to the model that serves its role.
///
/// A call is tried as often as the settings allow: again where the endpoint did not answer, and at
/// the next endpoint of the role for what another one can cure. An endpoint that fails again and
/// again is left alone for a while; then one request finds out whether it answers. Limits are kept
/// before a request is sent, and whoever waits for one keeps nobody else from being served.
///
/// What a request says of model and parameters goes before what the settings say.
///
/// It is cheap to clone. A handle writes on the account that it was made for; all handles share
/// endpoints, limits and the ledger.
#[derive(Clone)]
pub struct Router {
    pub(super) shared: Arc<Shared>,
    account: Option<Partition>,
    bill: Arc<Mutex<Bill>>,
}

pub(super) struct Shared {
    pub(super) routes: BTreeMap<Role, Vec<Stop>>,
    endpoints: BTreeMap<String, Arc<Endpoint>>,
    embedder: Arc<Endpoint>,
    pub(super) settings: ModelSettings,
    pub(super) clock: Arc<dyn Clock>,
    sums: Mutex<Sums>,
}

#[derive(Default)]
struct Sums {
    bill: Bill,
    accounts: BTreeMap<Partition, Bill>,
}

/// A model of a role, with its endpoint.
pub(super) struct Stop {
    pub(super) provider: Arc<dyn LlmProvider>,
    pub(super) choice: ModelChoice,
    pub(super) place: Place,
}

/// Where a request goes, and what is written on the bill for it.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) endpoint: Arc<Endpoint>,
    model: String,
    pub(super) price: Option<Price>,
}

/// What calls came to since the router was made, and how its endpoints are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Everything.
    pub bill: Bill,
    /// By account: a channel, or the principal who asked across channels.
    pub accounts: BTreeMap<Partition, Bill>,
    /// The endpoints, by name.
    pub endpoints: BTreeMap<String, EndpointState>,
}

/// How an endpoint is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndpointState {
    /// How often it was left alone because it failed.
    pub opened: u64,
    /// How often it was found to answer again.
    pub closed: u64,
    /// How long it is left alone still; none if it is asked.
    pub left_alone_for: Option<Duration>,
}

impl Router {
    /// A router over providers by name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] if the settings name a provider or an endpoint that there is none of.
    pub fn new(
        providers: &BTreeMap<String, Arc<dyn LlmProvider>>,
        clock: Arc<dyn Clock>,
        settings: ModelSettings,
    ) -> Result<Self> {
        let unknown = |what: &str, name: &str| {
            Error::new(
                ErrorKind::Invalid,
                "Router::new",
                "the settings name what is not registered",
            )
            .with("for", what)
            .with("name", name)
        };
        let now = clock.now();
        let endpoint = |name: &String| {
            let treated = settings.endpoints.get(name).copied().unwrap_or_default();
            let endpoint = Endpoint::new(name.clone(), treated, now);
            (name.clone(), Arc::new(endpoint))
        };
        let mut endpoints: BTreeMap<String, Arc<Endpoint>> =
            providers.keys().map(endpoint).collect();
        let (name, its_own) = endpoint(&settings.embedder.endpoint);
        let embedder = Arc::clone(endpoints.entry(name).or_insert(its_own));
        if let Some(name) = settings
            .endpoints
            .keys()
            .find(|it| !endpoints.contains_key(*it))
        {
            return Err(unknown("endpoint", name));
        }
        let mut routes = BTreeMap::new();
        for role in Role::ALL {
            let stop = |target: &Target| {
                let name = target.provider.as_str();
                let found = providers.get(name).zip(endpoints.get(name));
                let (provider, endpoint) = found.ok_or_else(|| unknown(role.as_str(), name))?;
                Ok(Stop {
                    provider: Arc::clone(provider),
                    choice: target.choice(),
                    place: Place {
                        endpoint: Arc::clone(endpoint),
                        model: target.model.clone().unwrap_or_default(),
                        price: target.price,
                    },
                })
            };
            let stops: Result<Vec<Stop>> = settings.assignment(role).targets().map(stop).collect();
            routes.insert(role, stops?);
        }
        Ok(Self {
            shared: Arc::new(Shared {
                routes,
                endpoints,
                embedder,
                settings,
                clock,
                sums: Mutex::default(),
            }),
            account: None,
            bill: Arc::default(),
        })
    }

    /// A handle that writes on an account, with a bill of its own that begins at nothing.
    #[must_use]
    pub fn on_account(&self, account: Partition) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            account: Some(account),
            bill: Arc::default(),
        }
    }

    /// What was called through this handle.
    pub fn bill(&self) -> Bill {
        lock(&self.bill).clone()
    }

    /// What was called through all handles, and how the endpoints are.
    pub fn ledger(&self) -> Ledger {
        let now = self.shared.clock.now();
        let states = self.shared.endpoints.iter().map(|(name, endpoint)| {
            let ((opened, closed), left_alone_for) = endpoint.state(now);
            let state = EndpointState {
                opened,
                closed,
                left_alone_for,
            };
            (name.clone(), state)
        });
        let endpoints = states.collect();
        let sums = lock(&self.shared.sums);
        Ledger {
            bill: sums.bill.clone(),
            accounts: sums.accounts.clone(),
            endpoints,
        }
    }

    /// Where requests to the embedder go.
    pub(super) fn place_of_embedder(&self, model: String) -> Place {
        Place {
            endpoint: Arc::clone(&self.shared.embedder),
            model,
            price: None,
        }
    }

    pub(super) fn route(&self, role: Role) -> &[Stop] {
        self.shared.routes.get(&role).map_or(&[], Vec::as_slice)
    }

    pub(super) fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }

    pub(super) fn charge(&self, role: ModelRole, place: &Place, tally: &Tally) {
        let key = BillKey {
            role,
            endpoint: place.endpoint.name.clone(),
            model: place.model.clone(),
        };
        lock(&self.bill).charge(key.clone(), tally);
        let mut sums = lock(&self.shared.sums);
        if let Some(account) = &self.account {
            let bill = sums.accounts.entry(account.clone()).or_default();
            bill.charge(key.clone(), tally);
        }
        sums.bill.charge(key, tally);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Router {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Router")
            .field("account", &self.account)
            .field("settings", &self.shared.settings)
            .finish_non_exhaustive()
    }
}
