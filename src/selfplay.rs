//! Plays games by themselves, in parallel and in order.

use std::{
    io,
    sync::{Mutex, PoisonError},
};

use rayon::prelude::*;

use crate::game::{Match, Played, Player, SelfPlay};

/// Games that are played before any of them is handed over, for each thread: it
/// bounds the memory.
const AHEAD: u64 = 32;

/// Plays some games and hands each over as it is written, in the order of the
/// rounds; what comes does not depend on the number of threads.
///
/// # Errors
/// Where the match cannot be played (invalid input), threads cannot be had, or
/// `each` fails.
pub fn play(
    game: &dyn SelfPlay,
    plan: &Match,
    games: u64,
    jobs: usize,
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
    let one = |round: u64| {
        let waiting = idle().pop();
        let mut player = match waiting {
            Some(player) => player,
            None => player()?,
        };
        let mut text = Vec::new();
        let played = player.play(round, &mut text);
        idle().push(player);
        Ok((text, played))
    };
    let ahead = AHEAD * jobs as u64;
    let mut done = 0;
    while done < games {
        let until = games.min(done.saturating_add(ahead));
        let rounds: Vec<u64> = (done + 1..=until).collect();
        let batch: io::Result<Vec<(Vec<u8>, Played)>> =
            pool.install(|| rounds.into_par_iter().with_max_len(1).map(one).collect());
        for (text, played) in batch? {
            each(&text, played)?;
        }
        done = until;
    }
    Ok(())
}
