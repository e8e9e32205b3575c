//! Writes down whom and what a text names while it is rendered.

use atlas_core::model::{Author, AuthorId, Link};

use super::names::Names;

/// What a text names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// The people addressed, each once, in the order of the text.
    pub(super) mentions: Vec<Author>,
    /// The pages linked, each once.
    pub(super) links: Vec<Link>,
    /// The ids that are in no list.
    pub(super) unresolved: Vec<String>,
}

impl Named {
    /// Adds a link, or the title that an earlier one lacks.
    pub(super) fn link(&mut self, url: &str, title: Option<&str>) {
        let title = title.map(str::trim).filter(|title| !title.is_empty());
        match self.links.iter_mut().find(|link| link.url == url) {
            Some(link) if link.title.is_none() => link.title = title.map(str::to_owned),
            Some(_) => {}
            None => self.links.push(Link {
                url: url.to_owned(),
                title: title.map(str::to_owned),
            }),
        }
    }
}

/// Renders references with the names of the export and keeps what they name.
#[derive(Debug)]
pub(super) struct Scribe<'a> {
    names: &'a Names,
    pub(super) named: Named,
}

impl<'a> Scribe<'a> {
    pub(super) fn new(names: &'a Names) -> Self {
        Self {
            names,
            named: Named::default(),
        }
    }

    /// A person: `@` and the name as the export knows it, else the label, else the id.
    pub(super) fn user(&mut self, id: &str, label: Option<&str>) -> String {
        let known = self.names.user(id).map(|user| user.name.as_str());
        let name = known.or(label).unwrap_or_else(|| {
            self.named.unresolved.push(id.to_owned());
            id
        });
        if !self
            .named
            .mentions
            .iter()
            .any(|author| author.id.as_str() == id)
        {
            self.named.mentions.push(Author {
                id: AuthorId::new(id),
                name: name.to_owned(),
            });
        }
        format!("@{name}")
    }

    /// A channel: `#` and the label, else the name as the export knows it, else the id.
    pub(super) fn channel(&mut self, id: &str, label: Option<&str>) -> String {
        let name = label.or_else(|| self.names.channel(id)).unwrap_or_else(|| {
            self.named.unresolved.push(id.to_owned());
            id
        });
        format!("#{}", name.trim_start_matches('#'))
    }

    /// A group of people; exports have no list of them.
    pub(super) fn group(&mut self, id: &str, label: Option<&str>) -> String {
        let name = label.unwrap_or_else(|| {
            self.named.unresolved.push(id.to_owned());
            id
        });
        format!("@{}", name.trim_start_matches('@'))
    }

    /// A link as it is read: its label, or the address. Pages are kept, mail and telephone are
    /// not.
    pub(super) fn link(&mut self, url: &str, label: Option<&str>) -> String {
        let label = label.map(str::trim).filter(|label| !label.is_empty());
        if let Some(address) = address(url) {
            return label.unwrap_or(address).to_owned();
        }
        let title = label.filter(|label| bare(label) != bare(url));
        self.named.link(url, title);
        label.unwrap_or(url).to_owned()
    }
}

/// What follows `mailto:` and its like.
fn address(url: &str) -> Option<&str> {
    ["mailto:", "tel:", "sms:"]
        .iter()
        .find_map(|scheme| url.strip_prefix(scheme))
}

/// A URL without what a reader would not type.
fn bare(url: &str) -> &str {
    let url = url
        .strip_prefix("https://")
        .or(url.strip_prefix("http://"))
        .unwrap_or(url);
    url.trim_end_matches('/')
}
