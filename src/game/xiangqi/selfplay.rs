//! Xiangqi played by itself.

use super::{
    board::Board,
    live::Game,
    opening::{Opening, openings},
    pgn::{self, NOTATIONS, Notation},
    rules::Rules,
};
use crate::{
    game::{Match, Played, Player, Random, SelfPlay, balanced},
    outcome::Ending,
    search::{Limits, Search},
};

/// The rules that games are played by.
pub(super) const RULES: Rules = Rules::DEFAULT;

/// Random plies where no openings are given.
const RANDOM_PLIES: u64 = 6;
/// Random plies for each time that a list of openings was gone through before.
const MORE_PLIES: u64 = 2;
/// Random plies behind an opening, at most.
const MOST_RANDOM_PLIES: u64 = 20;

/// Random openings are drawn until neither side is further ahead than this, in
/// hundredths of a soldier …
const BALANCED: i32 = 100;
/// … by a search of so many positions.
const BALANCE_NODES: u64 = 1_000;

impl SelfPlay for super::Xiangqi {
    fn forms(&self) -> &'static [&'static str] {
        &["pgn"]
    }

    fn player(&self, plan: &Match) -> Result<Box<dyn Player>, String> {
        // PGN has no word for others.
        if plan.rules.is_some() || plan.size.is_some() {
            return Err("xiangqi is played on 9x10 points, by the rules axf".to_owned());
        }
        let notation = match plan.notation.as_deref() {
            None => Notation::default(),
            Some(word) => Notation::of_word(word).ok_or_else(|| {
                let known = NOTATIONS.join(", ");
                format!("unknown notation '{word}'; known are {known}")
            })?,
        };
        Ok(Box::new(XiangqiPlayer {
            openings: match &plan.openings {
                None => vec![Opening::usual()?],
                Some(text) => openings(text)?,
            },
            notation,
            plan: plan.clone(),
            search: Search::default(),
        }))
    }
}

struct XiangqiPlayer {
    /// One at least.
    openings: Vec<Opening>,
    notation: Notation,
    plan: Match,
    search: Search<Board>,
}

impl XiangqiPlayer {
    /// A game after so many random moves, which decide nothing yet.
    fn begin(&mut self, opening: usize, plies: usize, random: &mut Random) -> Game {
        let start = Game::after(&self.openings[opening]);
        if plies == 0 {
            return start;
        }
        let drawn = balanced(BALANCED, || {
            let mut game = start.clone();
            for _ in 0..plies {
                if let Some(it) = random.choose(&game.legal()) {
                    game.play(it);
                }
            }
            if game.over(&RULES).is_some() {
                return None;
            }
            let limits = Limits::nodes(BALANCE_NODES);
            let found = self.search.search(&mut game.board, limits);
            Some((found.score.value().abs(), game))
        });
        drawn.unwrap_or(start)
    }
}

impl Player for XiangqiPlayer {
    fn play(&mut self, round: u64, out: &mut Vec<u8>) -> Played {
        let mut random = Random::new(self.plan.seed, round);
        let count = self.openings.len() as u64;
        let earlier = round.saturating_sub(1);
        let (times, opening) = (earlier / count, (earlier % count) as usize);
        let random_plies = match self.plan.openings {
            Some(_) => times.saturating_mul(MORE_PLIES),
            None => RANDOM_PLIES,
        };
        let random_plies = random_plies
            .min(MOST_RANDOM_PLIES)
            .min(self.plan.plies.into()) as usize;
        let mut game = self.begin(opening, random_plies, &mut random);
        // Fewer where so many could not be played.
        let random_plies = game.history.plies() - self.openings[opening].moves.len();
        let ended = loop {
            let ended = game.over(&RULES);
            if ended.is_some() || game.history.plies() >= self.plan.plies as usize {
                break ended;
            }
            let limits = Limits::nodes(self.plan.nodes.into());
            let found = self.search.search(&mut game.board, limits);
            match found.line.first() {
                Some(it) => game.play(*it),
                // There is a move, or the game would be over.
                None => break None,
            }
        };
        let written = pgn::Written {
            plan: &self.plan,
            round,
            opening: &self.openings[opening],
            random_plies,
            history: &game.history,
            ended,
        };
        written.write(self.notation, out);
        Played {
            outcome: ended.map(|(_, outcome)| outcome),
            ending: ended.map_or(Ending::Open, |(ending, _)| ending),
            plies: game.history.plies() as u32,
        }
    }
}
