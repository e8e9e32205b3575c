//! What is said in a channel: messages that give facts, contradict and repeat each other, and are
//! edited, deleted and forgotten.

use atlas_core::model::{
    Author, AuthorId, ChannelId, Message, MessageId, NativeId, SourceId, Timestamp,
};
use fastrand::Rng;

const PEOPLE: [&str; 5] = [
    "Ana Ruiz",
    "Ben Okafor",
    "Cem Aksoy",
    "Dora Lind",
    "Eli Park",
];
const PROJECTS: [&str; 5] = ["Heron", "Otter", "Lynx", "Marten", "Plover"];
const TOOLS: [&str; 6] = [
    "Postgres",
    "Redis",
    "Kafka",
    "Elasticsearch",
    "ClickHouse",
    "RabbitMQ",
];
const PURPOSES: [&str; 4] = [
    "parts search",
    "the event log",
    "session storage",
    "billing reports",
];
const SERVICES: [&str; 4] = ["staging", "billing", "search", "login"];
const PAPERS: [&str; 4] = ["runbook", "migration plan", "test report", "price list"];
const MONTHS: [&str; 6] = ["April", "May", "June", "July", "August", "September"];
const CHATTER: [&str; 4] = ["thanks!", "👍", "sounds good to me", "back in ten minutes"];

/// A channel as it was talked in so far.
#[derive(Debug)]
pub struct Talk {
    channel: ChannelId,
    prefix: String,
    said: Vec<Said>,
    n: u64,
    /// Whether it was settled and nothing came after that.
    pub is_settled: bool,
    /// Whether it was ever settled.
    pub is_known: bool,
}

/// A message with everything that it was.
#[derive(Debug)]
struct Said {
    versions: Vec<Message>,
    is_open: bool,
}

impl Talk {
    /// A channel in which nothing was said. Ids of messages begin with the prefix, so that several
    /// can talk in one channel.
    pub fn new(channel: ChannelId, prefix: &str) -> Self {
        Self {
            channel,
            prefix: prefix.to_owned(),
            said: Vec::new(),
            n: 0,
            is_settled: false,
            is_known: false,
        }
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.said.is_empty()
    }

    /// The next thing that comes from the channel.
    pub fn next(&mut self, rng: &mut Rng, at: Timestamp) -> Message {
        let later = match rng.u8(0..20) {
            0..=1 => self.edit(rng, at),
            2 => self.delete(rng),
            3..=4 => self.send_again(rng),
            _ => None,
        };
        later.unwrap_or_else(|| self.say(rng, at))
    }

    /// Chooses a message that is to be forgotten.
    pub fn forget(&mut self, rng: &mut Rng) -> Option<MessageId> {
        let said = self.open(rng)?;
        said.is_open = false;
        said.versions.last().map(|it| it.id.clone())
    }

    /// A question about what is talked of here.
    pub fn question(&self, rng: &mut Rng) -> String {
        let project = one(rng, &PROJECTS);
        match rng.u8(0..5) {
            0 => format!("When is the {project} launch?"),
            1 => format!("What do we use for {}?", one(rng, &PURPOSES)),
            2 => format!("Who owns the {project} cluster?"),
            3 => format!(
                "Which port does the {} database listen on?",
                one(rng, &SERVICES)
            ),
            _ => format!("Who writes the {}?", one(rng, &PAPERS)),
        }
    }

    fn say(&mut self, rng: &mut Rng, at: Timestamp) -> Message {
        self.n += 1;
        let native = NativeId::new(format!("{}{}", self.prefix, self.n));
        let id = MessageId::new(SourceId::new("chat"), self.channel.clone(), native);
        let name = one(rng, &PEOPLE);
        let author = Author {
            id: AuthorId::new(name.to_lowercase().replace(' ', ".")),
            name: name.to_owned(),
        };
        let micros = i64::try_from(self.n % 1_000).unwrap_or_default();
        let text = match rng.u8(0..10) {
            // The same words of another message are more evidence for one fact.
            0 => self.some_text(rng).unwrap_or_else(|| sentence(rng)),
            1 => format!("{} {}", sentence(rng), sentence(rng)),
            _ => sentence(rng),
        };
        let mut message = Message::new(id, author, at.saturating_add_micros(micros), text);
        if rng.u8(0..3) == 0 {
            message.thread_root = self.some_root(rng);
        }
        if rng.u8(0..25) == 0 {
            message.is_bot = true;
            message.thread_root = None;
            message.text = format!("Build {} of {} passed.", self.n, one(rng, &PROJECTS));
        }
        self.said.push(Said {
            versions: vec![message.clone()],
            // What a program says stands alone and stays as it is.
            is_open: !message.is_bot,
        });
        message
    }

    fn edit(&mut self, rng: &mut Rng, at: Timestamp) -> Option<Message> {
        let text = sentence(rng);
        let said = self.open(rng)?;
        let last = said.versions.last()?;
        // Two edits at one instant have no order of their own.
        let after = last
            .edited_at
            .unwrap_or(last.sent_at)
            .saturating_add_micros(1);
        let mut edited = last.clone();
        edited.text = text;
        edited.edited_at = Some(at.max(after));
        said.versions.push(edited.clone());
        Some(edited)
    }

    fn delete(&mut self, rng: &mut Rng) -> Option<Message> {
        let said = self.open(rng)?;
        let last = said.versions.last()?;
        let mut deleted = last.without_words();
        deleted.author = last.author.clone();
        said.is_open = false;
        said.versions.push(deleted.clone());
        Some(deleted)
    }

    /// Some version of some message, as a platform sends it twice or late.
    fn send_again(&self, rng: &mut Rng) -> Option<Message> {
        let said = rng.choice(&self.said)?;
        rng.choice(&said.versions).cloned()
    }

    fn open(&mut self, rng: &mut Rng) -> Option<&mut Said> {
        rng.choice(
            self.said
                .iter_mut()
                .filter(|it| it.is_open)
                .collect::<Vec<_>>(),
        )
    }

    fn some_text(&self, rng: &mut Rng) -> Option<String> {
        let last = rng.choice(&self.said)?.versions.last()?;
        (!last.text.is_empty() && !last.is_bot).then(|| last.text.clone())
    }

    /// The root of an earlier conversation of people.
    fn some_root(&self, rng: &mut Rng) -> Option<NativeId> {
        let first = rng.choice(&self.said)?.versions.first()?;
        (!first.is_bot).then(|| first.conversation().native)
    }
}

/// A statement with values drawn for it: the same subject comes back with other values.
fn sentence(rng: &mut Rng) -> String {
    let project = one(rng, &PROJECTS);
    let tool = one(rng, &TOOLS);
    let purpose = one(rng, &PURPOSES);
    let date = format!("{} {} 2026", rng.u8(1..=28), one(rng, &MONTHS));
    match rng.u8(0..10) {
        0 | 1 => format!("The {project} launch is on {date}."),
        2 => format!("We decided to use {tool} for {purpose}."),
        3 => {
            let instead = one(rng, &TOOLS);
            format!("We decided to use {tool} for {purpose} instead of {instead}.")
        }
        4 => format!(
            "{} owns the {project} cluster until {date}.",
            one(rng, &PEOPLE)
        ),
        5 => {
            let port = rng.u16(5_000..5_040);
            format!(
                "The {} database listens on port {port}.",
                one(rng, &SERVICES)
            )
        }
        6 => format!("I will write the {} by {date}.", one(rng, &PAPERS)),
        7 => format!(
            "{project} costs {} € a month since {date}.",
            rng.u16(1..20) * 50
        ),
        8 => format!("Which tool do we use for {purpose}?"),
        _ => one(rng, &CHATTER).to_owned(),
    }
}

fn one(rng: &mut Rng, of: &[&'static str]) -> &'static str {
    rng.choice(of).copied().unwrap_or_default()
}
