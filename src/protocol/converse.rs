//! Listening beside thinking: a line that stops a search is heard while it runs.

use std::{
    io::{self, BufRead},
    sync::{
        Arc,
        mpsc::{self, SendError, TrySendError},
    },
    thread::Builder,
};

use super::read_line;
use crate::search::Stop;

/// The stack of the thread that thinks, in bytes.
const STACK: usize = 8 << 20;

/// Lines that wait for their turn; where more do, searches are stopped.
const MOST_WAITING: usize = 4096;

/// What a line is to whoever listens.
pub(super) enum Kind {
    /// It is done in its turn.
    Plain,
    /// It begins a search, which ends by itself or does not.
    Search { is_bounded: bool },
    /// It stops every search that was asked for.
    Stop,
    /// It stops every search, and nothing is heard behind it.
    End,
}

/// See [`Worker::aside`].
pub(super) type Aside = Box<dyn Fn(&str) -> io::Result<bool>>;

/// Who does what lines say, one after the other.
pub(super) trait Worker: Send + 'static {
    /// What a line is.
    fn kind(line: &str) -> Kind;

    /// What answers a line at once, where a search would keep it waiting; `false` for
    /// a line that has to wait.
    fn aside(&self) -> Aside {
        Box::new(|_| Ok(false))
    }

    /// Does what a line says; a search ends when `stop` asks for it.
    ///
    /// # Errors
    /// Where an answer cannot be written.
    fn obey(&mut self, line: &str, stop: &Stop) -> io::Result<()>;
}

/// Reads lines until their end, or one that ends them, and lets a worker do what
/// they say, on a thread of its own and in their order. At the end of the input, what
/// would end by itself is done first.
///
/// # Errors
/// Where the input cannot be read, an answer cannot be written, or there can be no
/// thread.
pub(super) fn converse<W: Worker>(input: &mut impl BufRead, mut worker: W) -> io::Result<()> {
    let (sender, lines) = mpsc::sync_channel::<(String, Stop)>(MOST_WAITING);
    let aside = worker.aside();
    let thread = Builder::new().stack_size(STACK).spawn(move || {
        lines
            .into_iter()
            .try_for_each(|(line, stop)| worker.obey(&line, &stop))
    })?;
    // Searches that are not over, and whether they end by themselves.
    let mut searches: Vec<(Stop, bool)> = Vec::new();
    let listened = loop {
        let line = match read_line(input) {
            Ok(Some(line)) => line,
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        };
        let stop = Stop::default();
        // Its worker lets go of it when it is over.
        searches.retain(|(stop, _)| Arc::strong_count(&stop.asked) > 1);
        let kind = W::kind(&line);
        match kind {
            // Those that were stopped are over soon, and answers come in order.
            Kind::Plain if searches.iter().any(|(stop, _)| !stop.is_asked()) => {
                match aside(&line) {
                    Ok(true) => continue,
                    Ok(false) => {}
                    Err(error) => break Err(error),
                }
            }
            Kind::Plain => {}
            Kind::Search { is_bounded } => searches.push((stop.clone(), is_bounded)),
            Kind::Stop | Kind::End => searches.iter().for_each(|(stop, _)| stop.ask()),
        }
        let sent = sender.try_send((line, stop)).or_else(|error| match error {
            TrySendError::Full(it) => {
                searches.iter().for_each(|(stop, _)| stop.ask());
                sender.send(it).map_err(|SendError(it)| it)
            }
            TrySendError::Disconnected(it) => Err(it),
        });
        // Where it cannot be written any more, nobody takes lines: see below.
        if sent.is_err() || matches!(kind, Kind::End) {
            break Ok(());
        }
    };
    for (stop, is_bounded) in searches {
        if !is_bounded {
            stop.ask();
        }
    }
    drop(sender);
    let done = thread
        .join()
        .map_err(|_| io::Error::other("the search failed"))?;
    listened.and(done)
}
