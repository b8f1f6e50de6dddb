//! One process that speaks GTP, within a time limit whatever it does.
//!
//! It is written to and read from on threads of their own, so that neither a
//! process that reads nothing nor one that says nothing holds up a worker.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::{
    ANSWER, CRASH, TIMEOUT, Trouble,
    command::Command,
    reply::{self, Cut, Reply},
    running,
};

/// How long a process may take to end after `quit`.
const FAREWELL: Duration = Duration::from_millis(500);

/// How long an interrupt goes unnoticed.
const NAP: Duration = Duration::from_millis(100);

/// How long the last words of a process may be on their way.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Replies that are read before they are asked for.
const READ_AHEAD: usize = 16;

/// More bytes of a complaint are not kept.
const MAX_COMPLAINT: usize = 200;

/// A process, which ends with this.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Taken away before the process is ended.
    to: Option<SyncSender<String>>,
    from: Receiver<Cut>,
    /// The last line it printed for people.
    complaint: Arc<Mutex<String>>,
    /// They end with the process, but where something that it has started, and
    /// that has left its group, holds its pipes.
    threads: Vec<JoinHandle<()>>,
}

impl Process {
    /// Starts an engine.
    ///
    /// # Errors
    /// Where it, or a thread for it, cannot be started.
    pub(super) fn start(command: &Command) -> io::Result<Self> {
        let mut child = running::start(
            std::process::Command::new(&command.program)
                .args(&command.arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped()),
        )?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let pipes = pipes.zip(child.stderr.take());
        let (to, texts) = mpsc::sync_channel(1);
        let (cuts, from) = mpsc::sync_channel(READ_AHEAD);
        let complaint = Arc::default();
        // Whatever fails from here on, the process is ended with this.
        let mut process = Self {
            child,
            to: Some(to),
            from,
            complaint: Arc::clone(&complaint),
            threads: Vec::new(),
        };
        let ((stdin, stdout), stderr) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        process.spawn("gtp in", move || write_all(stdin, &texts))?;
        process.spawn("gtp out", move || read_all(stdout, &cuts))?;
        process.spawn("gtp err", move || keep_last_line(stderr, &complaint))?;
        Ok(process)
    }

    fn spawn(&mut self, name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let builder = thread::Builder::new().name(name.to_owned());
        self.threads.push(builder.spawn(work)?);
        Ok(())
    }

    /// Sends commands; gives the time by which they should be answered.
    ///
    /// # Errors
    /// Where it has not yet read what was sent before, or reads no more.
    pub(super) fn send(&self, text: String, limit: Duration) -> Result<Instant, Trouble> {
        let to = self.to.as_ref().ok_or(CRASH)?;
        to.try_send(text).map_err(|error| match error {
            // It has answered what it has not read.
            mpsc::TrySendError::Full(_) => ANSWER,
            mpsc::TrySendError::Disconnected(_) => CRASH,
        })?;
        Ok(Instant::now() + limit)
    }

    /// Waits for the reply to the command with an id.
    ///
    /// # Errors
    /// Where there is none in time, or one to something else, or the run is
    /// asked to stop.
    pub(super) fn reply(
        &self,
        id: u32,
        deadline: Instant,
        stop: &AtomicBool,
    ) -> Result<Reply, Trouble> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.from.recv_timeout(left.min(NAP)) {
                Ok(Cut::Reply(reply)) => return reply::parse(&reply, id).ok_or(ANSWER),
                Ok(Cut::TooLong) => return Err(ANSWER),
                Ok(Cut::End) | Err(RecvTimeoutError::Disconnected) => return Err(CRASH),
                Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => {
                    return Err(Trouble::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if left <= NAP => return Err(TIMEOUT),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Ends it without a farewell.
    pub(super) fn kill(mut self) -> Remains {
        self.to = None;
        Remains {
            complaint: Arc::clone(&self.complaint),
            threads: std::mem::take(&mut self.threads),
        }
        // The rest is done by the drop.
    }

    /// Says good-bye, and waits a little for the end of the output.
    fn quit(&self, to: &SyncSender<String>) {
        if to.try_send("quit\n".to_owned()).is_err() {
            return;
        }
        let deadline = Instant::now() + FAREWELL;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            // What is there already would be given after the deadline too.
            if left.is_zero() {
                return;
            }
            match self.from.recv_timeout(left) {
                Ok(Cut::Reply(_)) => {}
                Ok(Cut::End | Cut::TooLong) | Err(_) => return,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(to) = self.to.take() {
            self.quit(&to);
        }
        running::end(&mut self.child);
    }
}

/// What is left of a process that was killed.
#[derive(Debug, Default)]
pub(super) struct Remains {
    complaint: Arc<Mutex<String>>,
    threads: Vec<JoinHandle<()>>,
}

impl Remains {
    /// How many threads still wait for its pipes to be closed.
    pub(super) fn threads(&self) -> usize {
        let threads = self.threads.iter();
        threads.filter(|thread| !thread.is_finished()).count()
    }

    /// The last line it printed for people; empty where it printed none.
    pub(super) fn complaint(&self) -> String {
        // What it printed before its end may still be on its way.
        let deadline = Instant::now() + LAST_WORDS;
        while self.threads() > 0 && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        let complaint = self.complaint.lock();
        complaint.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Writes what comes until nobody sends or reads any more.
fn write_all(mut stdin: ChildStdin, texts: &Receiver<String>) {
    while let Ok(text) = texts.recv() {
        let written = stdin.write_all(text.as_bytes());
        if written.and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Hands over reply after reply until nobody prints or listens any more.
fn read_all(stdout: ChildStdout, cuts: &SyncSender<Cut>) {
    let mut output = BufReader::new(stdout);
    loop {
        let cut = reply::cut(&mut output).unwrap_or(Cut::End);
        let is_last = !matches!(cut, Cut::Reply(_));
        if cuts.send(cut).is_err() || is_last {
            return;
        }
    }
}

/// Reads what is printed for people to its end, and keeps the last line.
fn keep_last_line(stderr: impl Read, last: &Mutex<String>) {
    let mut output = BufReader::new(stderr);
    let mut line = Vec::new();
    loop {
        let bytes = match output.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        let is_end = bytes.is_empty();
        let end: &[u8] = if is_end { b"\n" } else { b"" };
        for &byte in bytes.iter().chain(end) {
            if byte != b'\n' {
                if line.len() < MAX_COMPLAINT {
                    line.push(byte);
                }
                continue;
            }
            if !line.trim_ascii().is_empty() {
                let text = String::from_utf8_lossy(line.trim_ascii()).into_owned();
                *last.lock().unwrap_or_else(PoisonError::into_inner) = text;
            }
            line.clear();
        }
        if is_end {
            return;
        }
        let used = bytes.len();
        output.consume(used);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_kept() {
        let long = "x".repeat(MAX_COMPLAINT);
        for (printed, expected) in [
            ("", ""),
            ("\n \n", ""),
            ("unknown option\n", "unknown option"),
            ("one\ntwo\r\n\n  \n", "two"),
            ("one\ntwo", "two"),
            (&*format!("one\n{long}yz\n"), &*long),
        ] {
            let last = Mutex::default();
            keep_last_line(printed.as_bytes(), &last);
            assert_eq!(*last.lock().unwrap(), expected, "{printed:?}");
        }
    }
}
