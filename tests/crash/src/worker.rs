//! The parent's side of a child process, and the shot that ends it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::pace::Pace;
use crate::wire::{Reply, Request};

/// How long a child may be silent before it counts as hanging.
const PATIENCE: Duration = Duration::from_mins(3);

/// The moment of a kill: some way into what begins at a mark.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// What must have begun, such as `open`, `ingest` or `settle/wiki`.
    pub mark: String,
    /// Which part of its usual duration passes before the kill; more than 1 is past its end.
    pub fraction: f64,
}

/// How an exchange with a child ended.
#[derive(Debug)]
pub enum Exchange {
    /// It answered.
    Answered(Reply),
    /// It was killed.
    Killed {
        /// The last mark that it came to.
        mark: String,
        /// The answer that it gave before the signal came, if it did.
        answered: Option<Reply>,
    },
}

impl Exchange {
    /// The answer of a child that nobody shot at.
    fn answered(self) -> Result<Reply> {
        match self {
            Self::Answered(reply) => Ok(reply),
            Self::Killed { mark, .. } => bail!("a kill that nobody aimed, in {mark}"),
        }
    }
}

/// How a child is to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// The greatest size of a file, in bytes.
    pub file_limit: Option<u64>,
    /// Whether it acknowledges before it performs: a defect that must be found.
    pub is_hasty: bool,
}

/// A running child.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    stdin: Option<ChildStdin>,
    replies: Receiver<Reply>,
}

impl Worker {
    /// Starts a child on a folder. It opens the folder at once.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn start(program: &Path, dir: &Path, manner: Manner) -> Result<Self> {
        let mut command = Command::new(program);
        command.arg("child").arg("--dir").arg(dir);
        if let Some(bytes) = manner.file_limit {
            command.arg("--file-limit").arg(bytes.to_string());
        }
        if manner.is_hasty {
            command.arg("--hasty");
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("starting a child")?;
        let stdin = child.stdin.take().context("a child without stdin")?;
        let stdout = child.stdout.take().context("a child without stdout")?;
        let (tell, replies) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                // A kill may cut the last line in two: what is no reply was never said.
                let Ok(reply) = serde_json::from_str(&line) else {
                    break;
                };
                if tell.send(reply).is_err() {
                    break;
                }
            }
        });
        Ok(Self {
            child,
            stdin: Some(stdin),
            replies,
        })
    }

    /// Waits until the folder is open.
    ///
    /// # Errors
    ///
    /// See [`Worker::exchange`].
    pub fn opened(&mut self, shot: Option<&Shot>, pace: &mut Pace) -> Result<Exchange> {
        self.wait("open", shot, pace)
    }

    /// Sends a request and waits for its answer, or until the shot falls.
    ///
    /// # Errors
    ///
    /// If the child ends by itself or is silent for too long.
    pub fn exchange(
        &mut self,
        (label, request): (&str, &Request),
        shot: Option<&Shot>,
        pace: &mut Pace,
    ) -> Result<Exchange> {
        let mut line = serde_json::to_vec(request)?;
        line.push(b'\n');
        let stdin = self.stdin.as_mut().context("a child that was let go")?;
        stdin.write_all(&line).context("sending a request")?;
        stdin.flush()?;
        self.wait(label, shot, pace)
    }

    /// Waits until the folder is open, or cannot be opened, without a shot.
    ///
    /// # Errors
    ///
    /// See [`Worker::exchange`].
    pub fn open(&mut self, pace: &mut Pace) -> Result<Reply> {
        self.opened(None, pace)?.answered()
    }

    /// Sends a request and waits for its answer, without a shot.
    ///
    /// # Errors
    ///
    /// See [`Worker::exchange`].
    pub fn ask(&mut self, request: (&str, &Request), pace: &mut Pace) -> Result<Reply> {
        self.exchange(request, None, pace)?.answered()
    }

    /// Kills it without a warning.
    ///
    /// # Errors
    ///
    /// If the system refuses.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Lets it end by itself.
    ///
    /// # Errors
    ///
    /// If it ends in another way than by success.
    pub fn finish(mut self) -> Result<()> {
        self.stdin = None;
        let status = self.child.wait()?;
        if status.success() {
            Ok(())
        } else {
            bail!("a child ended with {status}")
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the moment of a kill is one of the machine's clock"
    )]
    fn wait(&mut self, label: &str, shot: Option<&Shot>, pace: &mut Pace) -> Result<Exchange> {
        let mut mark = label.to_owned();
        let mut since = Instant::now();
        loop {
            let aimed = shot.filter(|it| it.mark == mark);
            let reply = match aimed {
                Some(shot) => {
                    let after = pace.usual(&mark).mul_f64(shot.fraction.max(0.0));
                    let left = after.saturating_sub(since.elapsed());
                    match self.replies.recv_timeout(left) {
                        Err(RecvTimeoutError::Timeout) => return self.shoot(label, mark),
                        other => other,
                    }
                }
                None => self.replies.recv_timeout(PATIENCE),
            };
            match reply {
                Ok(Reply::Reached(stage)) => {
                    pace.learn(&mark, since.elapsed());
                    mark = format!("{label}/{stage}");
                    since = Instant::now();
                }
                Ok(reply) => {
                    pace.learn(&mark, since.elapsed());
                    return Ok(Exchange::Answered(reply));
                }
                Err(RecvTimeoutError::Timeout) => bail!("a child hangs in {mark}"),
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.child.wait()?;
                    bail!("a child ended by itself in {mark}: {status}")
                }
            }
        }
    }

    /// Kills it, and reads what it said before the signal came.
    fn shoot(&mut self, label: &str, mut mark: String) -> Result<Exchange> {
        self.kill()?;
        let mut answered = None;
        while let Ok(reply) = self.replies.recv() {
            if let Reply::Reached(stage) = reply {
                mark = format!("{label}/{stage}");
            } else {
                answered = Some(reply);
            }
        }
        Ok(Exchange::Killed { mark, answered })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // One that has ended is not there to be killed, which is as it should be.
        let _gone = self.child.kill();
        let _status = self.child.wait();
    }
}
