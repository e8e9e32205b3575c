//! A task in words, made once: instructions, example and schema, and the name of all of it.

use serde_json::Value;

use super::{Task, prompt, schema};
use crate::model::ContentHash;

/// An input and the reply to it, as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The input, as [`TaskInput`](super::TaskInput).
    pub input: &'static str,
    /// The reply, as the task's output.
    pub reply: &'static str,
}

/// A task in words: what is the same for every input.
#[derive(Clone, Debug, PartialEq)]
pub struct Wording {
    system: String,
    schema: Value,
    fingerprint: String,
}

impl Wording {
    /// The wording of a task.
    pub fn of<T: Task>() -> Self {
        let system = prompt::system(T::INSTRUCTIONS, &T::EXAMPLE);
        let schema = schema::strict::<T::Output>();
        let all = [system.as_str(), &schema.to_string()];
        let fingerprint = ContentHash::of_parts(&all).short();
        Self {
            system,
            schema,
            fingerprint,
        }
    }

    /// What to do: our own words only.
    pub fn system(&self) -> &str {
        &self.system
    }

    /// The JSON schema of the reply, as strict endpoints take it: see [`schema::strict`].
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// Names the wording: another one where anything of it is otherwise.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::llm::Role;

    #[test]
    fn every_role_has_a_wording_of_its_own_and_a_schema_that_strict_endpoints_take() {
        let wordings = Role::ALL.map(Wording::of_role);
        for (role, wording) in Role::ALL.iter().zip(wordings) {
            assert_eq!(schema::faults(wording.schema()), [""; 0], "{role:?}");
        }
        let names: BTreeSet<&str> = wordings.iter().map(|it| it.fingerprint()).collect();
        assert_eq!(names.len(), Role::ALL.len());
    }
}
