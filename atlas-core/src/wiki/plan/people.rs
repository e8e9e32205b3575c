//! Who is there, and what each does and says.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Draft;
use super::sections::told;
use crate::model::{AuthorId, EntityType, GraphEntity, PageKind};
use crate::text::normalise_name;
use crate::topic::sentence::clean;
use crate::topic::summarize::{by_weight, in_order};
use crate::topic::telling::SeenFact;

/// Somebody, with the facts that are told of them.
struct Person<'a> {
    name: String,
    facts: Vec<SeenFact<'a>>,
}

/// Plans the people's page: those with the most facts first, each fact with one person only.
pub(super) fn page(draft: &mut Draft<'_>) {
    let people = people(draft);
    let mut sections = Vec::new();
    let mut titles: BTreeMap<String, usize> = BTreeMap::new();
    for (id, person) in people.into_iter().take(draft.settings.max_people) {
        let mut facts = by_weight(&person.facts);
        facts.truncate(draft.settings.max_facts_a_person);
        let n_same = titles.entry(normalise_name(&person.name)).or_default();
        *n_same += 1;
        // Two people of one name are told apart, and never taken for one.
        let title = if *n_same == 1 {
            person.name
        } else {
            format!("{} ({n_same})", person.name)
        };
        sections.push(told(&id, &title, &in_order(&facts)));
    }
    draft.add(PageKind::People, draft.labels.people, sections);
}

fn people<'a>(draft: &Draft<'a>) -> Vec<(String, Person<'a>)> {
    let known = Known::new(&draft.sources.entities);
    let mut people: BTreeMap<String, Person<'a>> = BTreeMap::new();
    for seen in draft.sources.calm() {
        let Some((id, name)) = known.of_fact(&seen) else {
            continue;
        };
        let person = people.entry(id).or_insert_with(|| Person {
            name,
            facts: Vec::new(),
        });
        person.facts.push(seen);
    }
    let mut people: Vec<(String, Person<'a>)> = people.into_iter().collect();
    people.sort_by(|(a_id, a), (b_id, b)| {
        let key = |it: &Person<'_>| Reverse(it.facts.len());
        (key(a), &a.name, a_id).cmp(&(key(b), &b.name, b_id))
    });
    people
}

/// The people of the graph, by name and by the platform's id.
struct Known<'a> {
    by_name: BTreeMap<&'a str, Vec<&'a GraphEntity>>,
    by_author: BTreeMap<&'a AuthorId, &'a GraphEntity>,
}

impl<'a> Known<'a> {
    fn new(entities: &[&'a GraphEntity]) -> Self {
        let mut known = Self {
            by_name: BTreeMap::new(),
            by_author: BTreeMap::new(),
        };
        let people = entities.iter().filter(|it| it.kind == EntityType::Person);
        for person in people {
            for alias in &person.aliases {
                known.by_name.entry(alias).or_default().push(person);
            }
            for author in &person.authors {
                known.by_author.entry(author).or_insert(person);
            }
        }
        known
    }

    /// Whose fact it is: who is to do it, else whom it speaks of, else who said it.
    fn of_fact(&self, seen: &SeenFact<'_>) -> Option<(String, String)> {
        let claim = &seen.fact.claim;
        let owner = claim.action.as_ref().and_then(|it| it.owner.as_deref());
        let subject = claim.slot.as_ref().map(|it| it.subject.as_str());
        let mut named = [owner, subject].into_iter().flatten();
        if let Some(person) = named.find_map(|name| self.named(name)) {
            return Some((format!("e-{}", person.id), shown(&person.name)?));
        }
        let author = &seen.fact.first()?.author;
        match self.by_author.get(&author.id) {
            Some(person) => Some((format!("e-{}", person.id), shown(&person.name)?)),
            None => Some((format!("a-{}", author.id), shown(&author.name)?)),
        }
    }

    /// The one person of that name; none if there are several.
    fn named(&self, name: &str) -> Option<&'a GraphEntity> {
        match self.by_name.get(normalise_name(name).as_str())?.as_slice() {
            [person] => Some(person),
            _ => None,
        }
    }
}

/// A name as a heading.
fn shown(name: &str) -> Option<String> {
    clean(name)
}
