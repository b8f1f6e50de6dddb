//! One process that speaks GTP, within a time limit whatever it does.
//!
//! It is written to and read from on threads of their own, so that neither a
//! process that reads nothing nor one that says nothing holds up a worker.

use std::{
    io::{self, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    thread,
    time::{Duration, Instant},
};

use super::{
    ANSWER, CRASH, TIMEOUT, Trouble,
    command::Command,
    reply::{self, Cut, Reply},
};

/// How long a process may take to end after `quit`.
const FAREWELL: Duration = Duration::from_millis(500);

/// Replies that are read before they are asked for.
const READ_AHEAD: usize = 16;

/// A process, which ends with this.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Taken away before the process is ended.
    to: Option<SyncSender<String>>,
    from: Receiver<Cut>,
}

impl Process {
    /// Starts an engine, in a group of its own where there are such.
    ///
    /// # Errors
    /// Where it, or a thread for it, cannot be started.
    pub(super) fn start(command: &Command) -> io::Result<Self> {
        let mut started = std::process::Command::new(&command.program);
        started
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // So that what it starts can be ended with it, and an interrupt, after
        // which rows are still finished, does not reach it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut started, 0);
        let mut child = started.spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (to, texts) = mpsc::sync_channel(1);
        let (cuts, from) = mpsc::sync_channel(READ_AHEAD);
        // Whatever fails from here on, the process is ended with this.
        let process = Self {
            child,
            to: Some(to),
            from,
        };
        let (stdin, stdout) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        let name = |what: &str| thread::Builder::new().name(format!("gtp {what}"));
        name("in").spawn(move || write_all(stdin, &texts))?;
        name("out").spawn(move || read_all(stdout, &cuts))?;
        Ok(process)
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
    /// Where there is none in time, or one to something else.
    pub(super) fn reply(&self, id: u32, deadline: Instant) -> Result<Reply, Trouble> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.from.recv_timeout(left) {
            Ok(Cut::Reply(reply)) => reply::parse(&reply, id).ok_or(ANSWER),
            Ok(Cut::TooLong) => Err(ANSWER),
            Ok(Cut::End) | Err(RecvTimeoutError::Disconnected) => Err(CRASH),
            Err(RecvTimeoutError::Timeout) => Err(TIMEOUT),
        }
    }

    /// Ends it without a farewell.
    pub(super) fn kill(mut self) {
        self.to = None;
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
        // Not yet waited for, so that its number is still its own.
        kill_group(&self.child);
        // Both fail only where it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ends a process and what it has started.
#[cfg(unix)]
fn kill_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}

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
