//! The server.

use std::fmt;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use super::answer::Fault;
use super::{Answer, Received, request};

type Handler = Box<dyn Fn(&Received) -> Answer + Send + Sync>;

#[derive(Default)]
struct State {
    received: Vec<Received>,
    open: Vec<TcpStream>,
    connections: Vec<JoinHandle<()>>,
    n_waiting: usize,
    n_released: usize,
    is_over: bool,
}

struct Shared {
    handler: Handler,
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that an answer waits, and waits until the condition holds or the server is over.
    fn wait_until(&self, holds: impl Fn(&mut State) -> bool) {
        let mut state = self.state();
        state.n_waiting += 1;
        self.changed.notify_all();
        while !state.is_over && !holds(&mut state) {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// An HTTP server on loopback, for as long as it is held.
///
/// ```
/// use atlas_testkit::loopback::{Answer, LoopbackServer};
///
/// let server = LoopbackServer::start(|_| Answer::failure(503, "overloaded", "later"))?;
/// assert!(server.url("/v1").starts_with("http://127.0.0.1:"));
/// assert!(server.received().is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct LoopbackServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

impl LoopbackServer {
    /// Starts a server that answers by the handler, on threads of its own.
    ///
    /// # Errors
    ///
    /// If no port can be listened on.
    pub fn start(
        handler: impl Fn(&Received) -> Answer + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            handler: Box::new(handler),
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let accepting = Arc::clone(&shared);
        let acceptor = thread::Builder::new()
            .name("loopback".to_owned())
            .spawn(move || accept(&listener, &accepting))?;
        Ok(Self {
            address,
            shared,
            acceptor: Some(acceptor),
        })
    }

    /// The address of a path, which begins with a slash or is empty.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Every request so far, in the order in which they came in.
    pub fn received(&self) -> Vec<Received> {
        self.shared.state().received.clone()
    }

    /// How many requests there were.
    pub fn n_received(&self) -> usize {
        self.shared.state().received.len()
    }

    /// Lets the next answer that is [held](Answer::held) go, or the one that is.
    pub fn release(&self) {
        self.shared.state().n_released += 1;
        self.shared.changed.notify_all();
    }

    /// Blocks until so many answers, counted from the start, have come to the point at which they
    /// are held, silent or stalled. All that such an answer lets through has been sent by then.
    ///
    /// In a runtime whose clock stands still, call it on a blocking thread: while that runs, the
    /// clock does not jump ahead.
    pub fn wait_for_waiting(&self, n: usize) {
        let mut state = self.shared.state();
        while state.n_waiting < n {
            state = self
                .shared
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl fmt::Debug for LoopbackServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoopbackServer")
            .field("address", &self.address)
            .field("n_received", &self.n_received())
            .finish_non_exhaustive()
    }
}

impl Drop for LoopbackServer {
    fn drop(&mut self) {
        let connections = {
            let mut state = self.shared.state();
            state.is_over = true;
            for stream in state.open.drain(..) {
                // A peer that left first is as good.
                drop(stream.shutdown(Shutdown::Both));
            }
            std::mem::take(&mut state.connections)
        };
        self.shared.changed.notify_all();
        // The acceptor waits for a connection: this is its last one.
        drop(TcpStream::connect(self.address));
        for thread in self.acceptor.take().into_iter().chain(connections) {
            // A handler that panicked has ended its connection, and its test fails by that.
            drop(thread.join());
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept() {
        let mut state = shared.state();
        if state.is_over {
            return;
        }
        let Ok(twin) = stream.try_clone() else {
            continue;
        };
        let serving = Arc::clone(shared);
        let connection = thread::Builder::new()
            .name("loopback connection".to_owned())
            .spawn(move || serve(stream, &serving));
        state.open.push(twin);
        state.connections.extend(connection);
    }
}

/// Answers the requests of a connection until either side ends it.
fn serve(mut stream: TcpStream, shared: &Shared) {
    // Each piece of an answer is to leave at once.
    drop(stream.set_nodelay(true));
    let mut pending = Vec::new();
    while let Ok(Some(received)) = request::read(&mut stream, &mut pending) {
        shared.state().received.push(received.clone());
        let answer = (shared.handler)(&received);
        match answer.fault {
            Some(Fault::HungUp) => break,
            Some(Fault::Silent) => return shared.wait_until(|_| false),
            Some(Fault::Held) => shared.wait_until(|state| {
                let is_released = state.n_released > 0;
                state.n_released -= usize::from(is_released);
                is_released
            }),
            Some(Fault::StalledAt(_) | Fault::CutAt(_)) | None => {}
        }
        if answer.write(&mut stream).is_err() {
            break;
        }
        if let Some(Fault::StalledAt(_)) = answer.fault {
            return shared.wait_until(|_| false);
        }
        if answer.ends_connection() {
            break;
        }
    }
    // The twin that ends it from outside keeps it open otherwise.
    drop(stream.shutdown(Shutdown::Both));
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    fn connected(server: &LoopbackServer) -> TcpStream {
        TcpStream::connect(server.address).unwrap()
    }

    fn ask(stream: &mut TcpStream, target: &str) {
        write!(stream, "GET {target} HTTP/1.1\r\nhost: h\r\n\r\n").unwrap();
    }

    /// Reads until a whole answer without a body of its own has come, or the end.
    fn read(stream: &mut TcpStream, length: usize) -> String {
        let mut text = vec![0; length];
        let mut n_read = 0;
        while n_read < length {
            match stream.read(&mut text[n_read..]) {
                Ok(0) | Err(_) => break,
                Ok(more) => n_read += more,
            }
        }
        String::from_utf8_lossy(&text[..n_read]).into_owned()
    }

    const WHOLE: &str = "HTTP/1.1 200 -\r\ncontent-type: t\r\ncontent-length: 2\r\n\r\nhi";

    #[test]
    fn a_connection_serves_one_request_after_the_other() {
        let server = LoopbackServer::start(|_| Answer::new("t", "hi")).unwrap();
        let mut stream = connected(&server);
        for target in ["/a", "/b"] {
            ask(&mut stream, target);
            assert_eq!(read(&mut stream, WHOLE.len()), WHOLE);
        }
        let targets: Vec<String> = server.received().into_iter().map(|it| it.target).collect();
        assert_eq!(targets, ["/a", "/b"]);
    }

    #[test]
    fn what_is_held_comes_when_it_is_let_go() {
        let server = LoopbackServer::start(|_| Answer::new("t", "hi").held()).unwrap();
        let mut stream = connected(&server);
        ask(&mut stream, "/");
        server.wait_for_waiting(1);
        server.release();
        assert_eq!(read(&mut stream, WHOLE.len()), WHOLE);
        // Whoever lets the next one go before it is asked for does not wait for it.
        server.release();
        ask(&mut stream, "/");
        assert_eq!(read(&mut stream, WHOLE.len()), WHOLE);
    }

    #[test]
    fn a_server_that_is_dropped_lets_go_of_everybody() {
        let answers = |received: &Received| match received.target.as_str() {
            "/silent" => Answer::new("t", "hi").silent(),
            "/stalled" => Answer::new("t", "hi").stalled_at(1),
            "/cut" => Answer::new("t", "hi").cut_at(1),
            _ => Answer::new("t", "hi").hung_up(),
        };
        let server = LoopbackServer::start(answers).unwrap();
        let cut = WHOLE.strip_suffix('i').unwrap();
        // These are let go of at once.
        for (target, expected) in [("/cut", cut), ("/hung-up", "")] {
            let mut stream = connected(&server);
            ask(&mut stream, target);
            assert_eq!(read(&mut stream, 1_000), expected, "{target}");
        }
        let mut peers = Vec::new();
        for target in ["/silent", "/stalled"] {
            let mut stream = connected(&server);
            ask(&mut stream, target);
            peers.push(stream);
        }
        server.wait_for_waiting(2);
        peers.push(connected(&server));
        drop(server);
        let seen: Vec<String> = peers.iter_mut().map(|peer| read(peer, 1_000)).collect();
        assert_eq!(seen, ["", cut, ""]);
    }
}
