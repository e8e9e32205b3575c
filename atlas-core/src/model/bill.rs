//! What calls of models came to.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::llm::Role;

/// Who is asked: a role of a language model, or the embedder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum ModelRole {
    /// A task's.
    Task(Role),
    /// The embedder's.
    Embedder,
}

impl ModelRole {
    /// The role's name in settings and ledgers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Task(role) => role.as_str(),
            Self::Embedder => "embedder",
        }
    }
}

impl fmt::Display for ModelRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<ModelRole> for String {
    fn from(role: ModelRole) -> Self {
        role.as_str().to_owned()
    }
}

impl TryFrom<String> for ModelRole {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let tasks = Role::ALL.into_iter().map(Self::Task);
        let found = tasks.chain([Self::Embedder]).find(|it| it.as_str() == name);
        found.ok_or_else(|| format!("no role is called {name:?}"))
    }
}

/// What a line of a bill is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BillKey {
    /// Who was asked.
    pub role: ModelRole,
    /// The endpoint, by the name of its provider.
    pub endpoint: String,
    /// The model; empty for the provider's own.
    pub model: String,
}

/// Sums over calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tally {
    /// Calls that came to an end here, well or badly.
    pub calls: u64,
    /// Requests that were sent for them, or given up while they were sent.
    pub attempts: u64,
    /// Requests that failed.
    pub failures: u64,
    /// Calls that were turned away because the endpoint is left alone.
    pub turned_away: u64,
    /// Tokens of prompts, as servers count.
    pub input_tokens: u64,
    /// Tokens of replies, as servers count.
    pub output_tokens: u64,
    /// Requests that were answered or given up without a word on tokens: the sums lack theirs.
    pub uncounted: u64,
    /// The cost in millionths, of what was counted and has a price.
    pub cost_micros: u64,
    /// Requests that used tokens of no known price: the cost lacks theirs.
    pub unpriced: u64,
    /// How long requests took.
    pub latency: Latency,
}

/// How long requests took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Latency {
    /// All together, in microseconds.
    pub sum_micros: u64,
    /// The longest, in microseconds.
    pub max_micros: u64,
}

impl Tally {
    /// Adds the sums of others.
    pub fn add(&mut self, other: &Self) {
        let sums = [
            (&mut self.calls, other.calls),
            (&mut self.attempts, other.attempts),
            (&mut self.failures, other.failures),
            (&mut self.turned_away, other.turned_away),
            (&mut self.input_tokens, other.input_tokens),
            (&mut self.output_tokens, other.output_tokens),
            (&mut self.uncounted, other.uncounted),
            (&mut self.cost_micros, other.cost_micros),
            (&mut self.unpriced, other.unpriced),
            (&mut self.latency.sum_micros, other.latency.sum_micros),
        ];
        for (sum, more) in sums {
            *sum = sum.saturating_add(more);
        }
        self.latency.max_micros = self.latency.max_micros.max(other.latency.max_micros);
    }
}

/// What calls came to, by role, endpoint and model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<BillLine>", from = "Vec<BillLine>")]
pub struct Bill(BTreeMap<BillKey, Tally>);

/// A line of a bill as it is stored.
#[derive(Serialize, Deserialize)]
struct BillLine {
    #[serde(flatten)]
    key: BillKey,
    #[serde(flatten)]
    tally: Tally,
}

impl From<Bill> for Vec<BillLine> {
    fn from(bill: Bill) -> Self {
        let lines = bill.0.into_iter();
        lines.map(|(key, tally)| BillLine { key, tally }).collect()
    }
}

impl From<Vec<BillLine>> for Bill {
    fn from(lines: Vec<BillLine>) -> Self {
        let mut bill = Self::default();
        for line in lines {
            bill.charge(line.key, &line.tally);
        }
        bill
    }
}

impl Bill {
    /// Whether nothing was called.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The lines, in order of their keys.
    pub fn lines(&self) -> impl Iterator<Item = (&BillKey, &Tally)> {
        self.0.iter()
    }

    /// The sums over everything.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.0.values().for_each(|it| total.add(it));
        total
    }

    /// The sums by role.
    pub fn by_role(&self) -> BTreeMap<ModelRole, Tally> {
        self.by(|key| key.role)
    }

    /// The sums by endpoint.
    pub fn by_endpoint(&self) -> BTreeMap<String, Tally> {
        self.by(|key| key.endpoint.clone())
    }

    /// Adds to a line.
    pub fn charge(&mut self, key: BillKey, tally: &Tally) {
        self.0.entry(key).or_default().add(tally);
    }

    /// Adds every line of another bill.
    pub fn add(&mut self, other: &Self) {
        for (key, tally) in &other.0 {
            self.charge(key.clone(), tally);
        }
    }

    fn by<K: Ord>(&self, name: impl Fn(&BillKey) -> K) -> BTreeMap<K, Tally> {
        let mut sums: BTreeMap<K, Tally> = BTreeMap::new();
        for (key, tally) in &self.0 {
            sums.entry(name(key)).or_default().add(tally);
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(role: ModelRole, endpoint: &str) -> BillKey {
        BillKey {
            role,
            endpoint: endpoint.to_owned(),
            model: "m".to_owned(),
        }
    }

    fn tally(calls: u64, max_micros: u64) -> Tally {
        Tally {
            calls,
            latency: Latency {
                sum_micros: max_micros,
                max_micros,
            },
            ..Tally::default()
        }
    }

    #[test]
    fn sums_are_the_same_whichever_way_they_are_cut() {
        let answerer = ModelRole::Task(Role::Answerer);
        let mut bill = Bill::default();
        assert!(bill.is_empty());
        bill.charge(key(answerer, "a"), &tally(1, 5));
        bill.charge(key(answerer, "b"), &tally(2, 3));
        bill.charge(key(ModelRole::Embedder, "b"), &tally(4, 9));
        let mut twice = bill.clone();
        twice.add(&bill);
        assert_eq!(twice.total().calls, 14);
        assert_eq!(bill.by_role()[&answerer].calls, 3);
        assert_eq!(bill.by_endpoint()["b"].calls, 6);
        let total = bill.total();
        assert_eq!(
            (total.latency.sum_micros, total.latency.max_micros),
            (17, 9)
        );
        let sum = |of: Vec<Tally>| {
            let mut sum = Tally::default();
            for it in &of {
                sum.add(it);
            }
            sum
        };
        assert_eq!(sum(bill.by_role().into_values().collect()), total);
        assert_eq!(sum(bill.by_endpoint().into_values().collect()), total);
    }

    #[test]
    fn a_bill_is_stored_line_by_line() {
        let mut bill = Bill::default();
        bill.charge(key(ModelRole::Embedder, "a"), &tally(1, 5));
        let json = serde_json::to_value(&bill).unwrap();
        assert_eq!(json[0]["role"], "embedder");
        assert_eq!(json[0]["calls"], 1);
        assert_eq!(serde_json::from_value::<Bill>(json).unwrap(), bill);
        let unknown = r#"[{"role": "painter", "endpoint": "a", "model": "m"}]"#;
        assert!(serde_json::from_str::<Bill>(unknown).is_err());
    }
}
