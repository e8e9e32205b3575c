//! Bytes to a request.

use std::io::{self, Read};

use serde_json::Value;

/// A request as it came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// Its method, such as `POST`.
    pub method: String,
    /// Its target as it stood on the wire: path and query, or a whole address for a proxy.
    pub target: String,
    /// Its headers in order, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: Vec<u8>,
}

impl Received {
    /// The first header of the name, which is given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// The path of the target, without its query.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// The body as JSON; null where it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// The longest request that is read.
const MOST_BYTES: usize = 64 << 20;
/// The most headers that a request may have.
const MOST_HEADERS: usize = 64;

/// Reads one request; none if the peer left.
///
/// `pending` holds what was read beyond the last request.
pub(super) fn read(stream: &mut impl Read, pending: &mut Vec<u8>) -> io::Result<Option<Received>> {
    loop {
        if let Some((received, length)) = parse(pending)? {
            pending.drain(..length);
            return Ok(Some(received));
        }
        if pending.len() > MOST_BYTES {
            return Err(invalid("the request is too long"));
        }
        let mut part = [0; 16 * 1024];
        let n_read = stream.read(&mut part)?;
        if n_read == 0 {
            return Ok(None);
        }
        pending.extend_from_slice(part.get(..n_read).unwrap_or_default());
    }
}

/// The request at the start of the bytes and how long it is; none if it is not whole.
fn parse(bytes: &[u8]) -> io::Result<Option<(Received, usize)>> {
    let mut slots = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut head = httparse::Request::new(&mut slots);
    let status = head
        .parse(bytes)
        .map_err(|error| invalid(&error.to_string()))?;
    let httparse::Status::Complete(head_length) = status else {
        return Ok(None);
    };
    let headers: Vec<(String, String)> = head
        .headers
        .iter()
        .map(|header| {
            let value = String::from_utf8_lossy(header.value).into_owned();
            (header.name.to_ascii_lowercase(), value)
        })
        .collect();
    let mut received = Received {
        method: head.method.unwrap_or_default().to_owned(),
        target: head.path.unwrap_or_default().to_owned(),
        headers,
        body: Vec::new(),
    };
    let body_length = match received.header("content-length") {
        Some(length) => length.parse().map_err(|_| invalid("no length"))?,
        None if received.header("transfer-encoding").is_some() => {
            return Err(invalid("a body has to state its length"));
        }
        None => 0,
    };
    let length = head_length.saturating_add(body_length);
    let Some(body) = bytes.get(head_length..length) else {
        return Ok(None);
    };
    received.body = body.to_vec();
    Ok(Some((received, length)))
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_one_after_the_other_whatever_the_parts() {
        const WIRE: &[u8] =
            b"POST /v1/x?y=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\n\r\n{\"a\":1}GET / HTTP/1.1\r\n\r\n";
        let mut wire = WIRE;
        let mut pending = Vec::new();
        let first = read(&mut wire, &mut pending).unwrap().unwrap();
        assert_eq!(first.path(), "/v1/x");
        assert_eq!(first.header("host"), Some("h"));
        assert_eq!(first.json(), serde_json::json!({"a": 1}));
        let second = read(&mut wire, &mut pending).unwrap().unwrap();
        assert_eq!((second.method.as_str(), second.body.len()), ("GET", 0));
        assert_eq!(read(&mut wire, &mut pending).unwrap(), None);
        for cut in 1..60 {
            assert!(matches!(parse(&WIRE[..cut]), Ok(None)), "{cut}");
        }
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for wire in [
            &b"\x00\x01\r\n\r\n"[..],
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        ] {
            assert!(read(&mut &*wire, &mut Vec::new()).is_err());
        }
    }
}
