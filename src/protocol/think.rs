//! Thinking beside listening: whoever asked can stop it.

use std::{
    io,
    thread::{Builder, JoinHandle},
};

use crate::search::Stop;

/// The stack of a thread that thinks, in bytes.
const STACK: usize = 8 << 20;

/// A player that thinks on a thread of its own, or waits for a question.
pub(super) struct Thinker<P> {
    player: Option<P>,
    thinking: Option<Thinking<P>>,
}

struct Thinking<P> {
    thread: JoinHandle<P>,
    stop: Stop,
    /// Whether it would end by itself.
    is_bounded: bool,
}

impl<P: Send + 'static> Thinker<P> {
    pub(super) const fn new(player: P) -> Self {
        Self {
            player: Some(player),
            thinking: None,
        }
    }

    /// The player, once it has ended what it does: asked to, where it would not end
    /// by itself.
    ///
    /// # Errors
    /// Where its thread failed.
    pub(super) fn player(&mut self) -> io::Result<&mut P> {
        if let Some(thinking) = self.thinking.take() {
            if !thinking.is_bounded {
                thinking.stop.ask();
            }
            let player = thinking.thread.join();
            self.player = Some(player.map_err(|_| io::Error::other("the search failed"))?);
        }
        self.player
            .as_mut()
            .ok_or_else(|| io::Error::other("there is no player"))
    }

    /// The player, which stops thinking at once.
    ///
    /// # Errors
    /// Where its thread failed.
    pub(super) fn stopped(&mut self) -> io::Result<&mut P> {
        if let Some(thinking) = &self.thinking {
            thinking.stop.ask();
        }
        self.player()
    }

    /// Lets it think until it is done, or stopped.
    ///
    /// # Errors
    /// Where there can be no thread.
    pub(super) fn think(
        &mut self,
        stop: Stop,
        is_bounded: bool,
        work: impl FnOnce(&mut P, &Stop) + Send + 'static,
    ) -> io::Result<()> {
        self.stopped()?;
        let Some(mut player) = self.player.take() else {
            return Ok(());
        };
        let its_stop = stop.clone();
        let thread = Builder::new().stack_size(STACK).spawn(move || {
            work(&mut player, &its_stop);
            player
        })?;
        self.thinking = Some(Thinking {
            thread,
            stop,
            is_bounded,
        });
        Ok(())
    }
}
