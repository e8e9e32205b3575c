//! Markdown to what a reader sees of a page.

use std::collections::BTreeMap;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A page as a reader sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The text of its first heading of the first rank.
    pub title: String,
    /// The source of that heading.
    pub title_source: String,
    /// What it tells, in order.
    pub sentences: Vec<Sentence>,
    /// Its footnotes by label, each piece of evidence apart.
    pub notes: BTreeMap<String, Vec<Note>>,
    /// Where its links lead.
    pub links: Vec<String>,
    /// Where code stands in the source: byte ranges in order.
    pub code: Vec<Range<usize>>,
}

/// A sentence with the labels of the footnotes that follow it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    /// What it says.
    pub text: String,
    /// The labels, in order.
    pub notes: Vec<String>,
}

/// A piece of evidence in a footnote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// It has the shape.
    Evidence(Evidence),
    /// It has not: what stands there.
    Unreadable(String),
}

/// Who said which words when, in which message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Who.
    pub author: String,
    /// The day in UTC, such as `2026-03-09`.
    pub date: String,
    /// The words.
    pub quote: String,
    /// The message's id within its channel.
    pub message: String,
}

impl Page {
    /// Reads a page.
    ///
    /// What is told between two groups of footnote marks is one sentence; so is what is told in a
    /// paragraph or an item of a list without any. What consists of links only tells nothing.
    pub fn read(markdown: &str) -> Self {
        let options = Options::ENABLE_FOOTNOTES | Options::ENABLE_TABLES;
        let mut reader = Reader::default();
        for (event, at) in Parser::new_ext(markdown, options).into_offset_iter() {
            reader.take(event, at, markdown);
        }
        reader.page
    }
}

#[derive(Debug, Default)]
struct Reader {
    page: Page,
    place: Place,
    /// What was told since the last block or group of marks began.
    told: Sentence,
    /// How many links enclose what comes next.
    links: usize,
    /// The pieces of the footnote that is being read.
    pieces: Vec<Piece>,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Body,
    Title,
    Heading,
    Note(String),
}

#[derive(Debug)]
enum Piece {
    Text(String),
    Code(String),
}

impl Reader {
    fn take(&mut self, event: Event<'_>, at: Range<usize>, markdown: &str) {
        match event {
            Event::Start(tag) => self.start(&tag, &at, markdown),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(code) => {
                self.page.code.push(at);
                match self.place {
                    Place::Note(_) => self.pieces.push(Piece::Code(code.into_string())),
                    Place::Body | Place::Title | Place::Heading => self.text(&code),
                }
            }
            Event::FootnoteReference(label) => self.told.notes.push(label.into_string()),
            Event::SoftBreak | Event::HardBreak => self.text(" "),
            // Markup of another kind is shown as what it is: nobody's words.
            Event::Html(html) | Event::InlineHtml(html) => self.text(&html),
            Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "whatever else the parser knows neither begins nor ends what is told"
    )]
    fn start(&mut self, tag: &Tag<'_>, at: &Range<usize>, markdown: &str) {
        match tag {
            Tag::Heading { level, .. } => {
                self.tell();
                let is_title = *level as usize == 1 && self.page.title_source.is_empty();
                self.place = if is_title {
                    let source = markdown.get(at.clone()).unwrap_or_default();
                    source.trim().clone_into(&mut self.page.title_source);
                    Place::Title
                } else {
                    Place::Heading
                };
            }
            Tag::FootnoteDefinition(label) => {
                self.tell();
                self.place = Place::Note(label.to_string());
            }
            Tag::Paragraph | Tag::Item | Tag::BlockQuote(_) | Tag::TableCell => self.tell(),
            Tag::CodeBlock(_) => {
                self.tell();
                self.page.code.push(at.clone());
            }
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.page.links.push(dest_url.to_string());
                // An address that shows itself is a part of what is said.
                let source = markdown.get(at.clone()).unwrap_or_default();
                self.links += usize::from(!source.starts_with('<'));
            }
            _ => {}
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "whatever else the parser knows neither begins nor ends what is told"
    )]
    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => self.place = Place::Body,
            TagEnd::FootnoteDefinition => {
                if let Place::Note(label) = std::mem::take(&mut self.place) {
                    let notes = evidence(std::mem::take(&mut self.pieces));
                    self.page.notes.insert(label, notes);
                }
            }
            TagEnd::Link | TagEnd::Image => self.links = self.links.saturating_sub(1),
            TagEnd::Paragraph
            | TagEnd::Item
            | TagEnd::BlockQuote(_)
            | TagEnd::CodeBlock
            | TagEnd::TableCell => self.tell(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        match &self.place {
            Place::Title => self.page.title.push_str(text),
            Place::Heading => {}
            Place::Note(_) => self.pieces.push(Piece::Text(text.to_owned())),
            Place::Body => {
                let is_next =
                    !self.told.notes.is_empty() && text.chars().any(char::is_alphanumeric);
                if is_next {
                    self.tell();
                }
                if self.links == 0 {
                    self.told.text.push_str(text);
                }
            }
        }
    }

    /// Ends the sentence that is being read, if it tells anything.
    fn tell(&mut self) {
        let told = std::mem::take(&mut self.told);
        if told.text.chars().any(char::is_alphanumeric) || !told.notes.is_empty() {
            self.page.sentences.push(Sentence {
                text: told.text.trim().to_owned(),
                notes: told.notes,
            });
        }
    }
}

/// The pieces of evidence of a footnote: `Name, 2026-03-09: “words” (`id`)`, joined by `; `.
fn evidence(pieces: Vec<Piece>) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut told = String::new();
    let mut pieces = pieces.into_iter().peekable();
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Text(text) => told.push_str(&text),
            Piece::Code(code) => {
                let closes = |next: &Piece| matches!(next, Piece::Text(it) if it.starts_with(')'));
                if !(told.ends_with("” (") && pieces.peek().is_some_and(closes)) {
                    told.push_str(&code);
                    continue;
                }
                notes.push(one(&told, &code));
                told.clear();
                if let Some(Piece::Text(after)) = pieces.next() {
                    let after = after.strip_prefix(')').unwrap_or(&after);
                    after.trim_start_matches([';', ' ']).clone_into(&mut told);
                }
            }
        }
    }
    if !told.trim().is_empty() || notes.is_empty() {
        notes.push(Note::Unreadable(told));
    }
    notes
}

fn one(told: &str, message: &str) -> Note {
    let read = || {
        let (head, quote) = told.strip_suffix("” (")?.split_once(": “")?;
        let (author, date) = head.rsplit_once(", ")?;
        Some(Evidence {
            author: author.to_owned(),
            date: date.to_owned(),
            quote: quote.to_owned(),
            message: message.to_owned(),
        })
    };
    read().map_or_else(|| Note::Unreadable(told.to_owned()), Note::Evidence)
}
