//! Plays games by themselves, in parallel and in order.

use std::{
    io,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use rayon::prelude::*;

use crate::game::{Match, Played, Player, SelfPlay};

/// Games that are played before any of them is handed over, for each thread: it
/// bounds the memory.
const AHEAD: u64 = 32;

/// A game as it is written, and how it went.
type Game = (Vec<u8>, Played);

/// Plays some games and hands each over as it is written, in the order of the
/// rounds; what comes does not depend on the number of threads. `goes_on` is asked
/// after each game, in any order; when it says no, those that go on are the last ones.
///
/// # Errors
/// Where the match cannot be played (invalid input), threads cannot be had, or
/// `each` fails.
pub fn play(
    game: &dyn SelfPlay,
    plan: &Match,
    games: u64,
    jobs: usize,
    goes_on: &(dyn Fn() -> bool + Sync),
    each: &mut dyn FnMut(&[u8], Played) -> io::Result<()>,
) -> io::Result<()> {
    let player = || {
        let player = game.player(plan);
        player.map_err(|sentence| io::Error::new(io::ErrorKind::InvalidInput, sentence))
    };
    let idle: Mutex<Vec<Box<dyn Player>>> = Mutex::new(vec![player()?]);
    let idle = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build()
        .map_err(io::Error::other)?;
    let is_over = AtomicBool::new(false);
    let one = |round: u64| {
        if is_over.load(Relaxed) {
            return Ok(None);
        }
        let waiting = idle().pop();
        let mut player = match waiting {
            Some(player) => player,
            None => player()?,
        };
        let mut text = Vec::new();
        let played = player.play(round, &mut text);
        idle().push(player);
        if !goes_on() {
            is_over.store(true, Relaxed);
        }
        Ok(Some((text, played)))
    };
    let ahead = AHEAD * jobs as u64;
    let mut done = 0;
    while done < games {
        let until = games.min(done.saturating_add(ahead));
        let rounds: Vec<u64> = (done + 1..=until).collect();
        let batch: io::Result<Vec<Option<Game>>> =
            pool.install(|| rounds.into_par_iter().with_max_len(1).map(one).collect());
        for game in batch? {
            // Those behind the first that was not played are not in order.
            let Some((text, played)) = game else {
                return Ok(());
            };
            each(&text, played)?;
        }
        done = until;
    }
    Ok(())
}
