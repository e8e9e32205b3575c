//! What an endpoint answers, and how it fails to.

use std::io::{self, Write};

use serde_json::{Value, json};

/// How a body says where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// By its length.
    Length,
    /// By chunks, of which the last is empty.
    Chunked,
    /// By the end of the connection: a body that is cut off looks like one that ended.
    Close,
}

/// Where an answer goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It waits before its first byte until the server lets it go on.
    Held,
    /// It never has a first byte.
    Silent,
    /// It never goes on after so many bytes of its body.
    StalledAt(usize),
    /// The connection ends before its first byte.
    HungUp,
    /// The connection ends after so many bytes of its body.
    CutAt(usize),
}

/// An answer, and how it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    framing: Framing,
    piece: usize,
    pub(super) fault: Option<Fault>,
}

impl Answer {
    /// A body of the type, with status 200.
    pub fn new(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type".to_owned(), content_type.to_owned())],
            body: body.into(),
            framing: Framing::Length,
            piece: usize::MAX,
            fault: None,
        }
    }

    /// A JSON value, with status 200.
    pub fn json(value: &Value) -> Self {
        Self::new("application/json", value.to_string())
    }

    /// Server-sent events: each value one event, and the word `[DONE]` at the end.
    pub fn events<'a>(events: impl IntoIterator<Item = &'a Value>) -> Self {
        let mut events: Vec<String> = events.into_iter().map(Value::to_string).collect();
        events.push("[DONE]".to_owned());
        let body = format!("data: {}\n\n", events.join("\n\ndata: "));
        Self::new("text/event-stream", body).framed(Framing::Chunked)
    }

    /// A failure in the form that the dialect gives it.
    pub fn failure(status: u16, code: &str, message: &str) -> Self {
        let error =
            json!({"error": {"message": message, "type": code, "code": code, "param": null}});
        Self::json(&error).with_status(status)
    }

    /// Sets the status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Sets how the body says where it ends.
    #[must_use]
    pub fn framed(mut self, framing: Framing) -> Self {
        self.framing = framing;
        self
    }

    /// Sends the body in pieces of so many bytes, each as a write of its own.
    #[must_use]
    pub fn in_pieces_of(mut self, bytes: usize) -> Self {
        self.piece = bytes.max(1);
        self
    }

    /// Waits before its first byte until [`release`](super::LoopbackServer::release).
    #[must_use]
    pub fn held(mut self) -> Self {
        self.fault = Some(Fault::Held);
        self
    }

    /// Never sends a byte, and keeps the connection.
    #[must_use]
    pub fn silent(mut self) -> Self {
        self.fault = Some(Fault::Silent);
        self
    }

    /// Sends so many bytes of the body, then none, and keeps the connection.
    #[must_use]
    pub fn stalled_at(mut self, bytes: usize) -> Self {
        self.fault = Some(Fault::StalledAt(bytes));
        self
    }

    /// Ends the connection before the first byte.
    #[must_use]
    pub fn hung_up(mut self) -> Self {
        self.fault = Some(Fault::HungUp);
        self
    }

    /// Ends the connection after so many bytes of the body.
    #[must_use]
    pub fn cut_at(mut self, bytes: usize) -> Self {
        self.fault = Some(Fault::CutAt(bytes));
        self
    }

    /// How many bytes its body has.
    pub fn body_length(&self) -> usize {
        self.body.len()
    }

    /// Whether the connection ends with it.
    pub(super) fn ends_connection(&self) -> bool {
        self.framing == Framing::Close
            || matches!(self.fault, Some(Fault::HungUp | Fault::CutAt(_)))
    }

    /// Writes status, headers and as much of the body as its fault lets through.
    pub(super) fn write(&self, stream: &mut impl Write) -> io::Result<()> {
        write!(stream, "HTTP/1.1 {} -\r\n", self.status)?;
        for (name, value) in &self.headers {
            write!(stream, "{name}: {value}\r\n")?;
        }
        match self.framing {
            Framing::Length => write!(stream, "content-length: {}\r\n\r\n", self.body.len())?,
            Framing::Chunked => write!(stream, "transfer-encoding: chunked\r\n\r\n")?,
            Framing::Close => write!(stream, "connection: close\r\n\r\n")?,
        }
        let most = match self.fault {
            Some(Fault::StalledAt(bytes) | Fault::CutAt(bytes)) => bytes,
            Some(Fault::Held | Fault::Silent | Fault::HungUp) | None => usize::MAX,
        };
        let is_whole = most >= self.body.len();
        let body = self.body.get(..most).unwrap_or(&self.body);
        for piece in body.chunks(self.piece) {
            if self.framing == Framing::Chunked {
                write!(stream, "{:x}\r\n", piece.len())?;
                stream.write_all(piece)?;
                stream.write_all(b"\r\n")?;
            } else {
                stream.write_all(piece)?;
            }
            stream.flush()?;
        }
        if self.framing == Framing::Chunked && is_whole {
            stream.write_all(b"0\r\n\r\n")?;
        }
        stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: &Answer, expected: &str) {
        let mut written = Vec::new();
        answer.write(&mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }

    #[test]
    fn an_answer_is_written_as_it_is_framed_and_cut() {
        let answer = Answer::new("text/plain", "hello").with_header("x", "1");
        let head = "HTTP/1.1 200 -\r\ncontent-type: text/plain\r\nx: 1\r\n";
        check(&answer, &format!("{head}content-length: 5\r\n\r\nhello"));
        let cut = answer.clone().cut_at(2);
        assert!(cut.ends_connection());
        check(&cut, &format!("{head}content-length: 5\r\n\r\nhe"));
        let chunked = answer.clone().framed(Framing::Chunked).in_pieces_of(3);
        let pieces = "transfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n";
        check(&chunked, &format!("{head}{pieces}0\r\n\r\n"));
        check(&chunked.stalled_at(5), &format!("{head}{pieces}0\r\n\r\n"));
        let open = answer.framed(Framing::Close);
        check(&open, &format!("{head}connection: close\r\n\r\nhello"));
    }
}
