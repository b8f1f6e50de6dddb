//! A search that somebody waits for: with a clock, on several threads.

use std::{sync::Arc, thread};

use super::{
    Searchable,
    engine::{Found, Limits, MAX_PLIES, Parts, Search, Stop},
    table::Table,
};

/// Searches on several threads that share a table (lazy SMP): each searches the
/// whole tree, and what one finds shortens the work of the others. What comes of
/// it depends on how the threads run, unless there is one.
pub struct Live<G: Searchable> {
    table: Arc<Table>,
    megabytes: usize,
    searches: Vec<Search<G>>,
}

/// A table takes so many megabytes unless more are asked for.
pub const MEGABYTES: usize = 16;

/// More threads are not started.
pub const MAX_THREADS: usize = 64;

impl<G: Searchable + Clone + Send> Live<G>
where
    G::Move: Send + Sync,
{
    /// So many threads, at least one and at most [`MAX_THREADS`], with a table of
    /// so many megabytes.
    ///
    /// # Errors
    /// One sentence where there is no memory for the table.
    pub fn new(threads: usize, megabytes: usize) -> Result<Self, String> {
        let table = Table::new(megabytes)
            .ok_or_else(|| format!("no memory for a table of {megabytes} megabytes"))?;
        Ok(Self::on(Arc::new(table), threads, megabytes))
    }

    fn on(table: Arc<Table>, threads: usize, megabytes: usize) -> Self {
        let threads = threads.clamp(1, MAX_THREADS);
        // Half of the others are a depth ahead, which is where what they find is of
        // use.
        let search = |number| Search::on(Arc::clone(&table), Parts::ALL, 1 + number % 2);
        Self {
            searches: (0..threads as u32).map(search).collect(),
            table,
            megabytes,
        }
    }

    /// Another number of threads, and a table of another size.
    ///
    /// # Errors
    /// One sentence where there is no memory for the table; then all is as it was, if
    /// there still is memory for that, else there is no table.
    pub fn resize(&mut self, threads: usize, megabytes: usize) -> Result<(), String> {
        // The old table goes first, as there may be no room for both.
        let (old_threads, old_megabytes) = (self.searches.len(), self.megabytes);
        *self = Self::on(Arc::default(), old_threads, old_megabytes);
        let made = Self::new(threads, megabytes);
        let (made, done) = match made {
            Ok(made) => (Ok(made), Ok(())),
            Err(why) => (Self::new(old_threads, old_megabytes), Err(why)),
        };
        if let Ok(made) = made {
            *self = made;
        }
        done
    }

    /// Searches a position until a limit is met or it is to stop; nodes are those
    /// of the first thread, as far as they are limited. Moves that are `banned`
    /// are not made first. What each depth came to is handed over.
    pub fn search(
        &mut self,
        game: &G,
        limits: Limits,
        banned: &[G::Move],
        stop: &Stop,
        each: &mut dyn FnMut(&Found<G::Move>),
    ) -> Found<G::Move> {
        self.table.restart();
        let Some((first, others)) = self.searches.split_first_mut() else {
            return Found::default();
        };
        // The others run until the first one is done, or until it would have to be:
        // it may wait for a processor.
        let done = Stop {
            at: stop.at,
            ..Stop::default()
        };
        thread::scope(|scope| {
            for search in others {
                let mut game = game.clone();
                let stop = done.clone();
                let started = thread::Builder::new().spawn_scoped(scope, move || {
                    let limits = Limits::depth(MAX_PLIES as u32);
                    search.think(&mut game, limits, banned, stop, &mut |_| {});
                });
                // Without the thread it only takes longer.
                if started.is_err() {
                    break;
                }
            }
            let mut game = game.clone();
            let found = first.think(&mut game, limits, banned, stop.clone(), each);
            done.ask();
            found
        })
    }
}
