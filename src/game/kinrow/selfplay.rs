//! k-in-a-row played by itself.

use super::{
    KInRow,
    board::{Board, MAX_SIZE, Point},
    foul,
    opening::{self, Opening},
    rules::{Fouls, Rules},
    searcher::Searcher,
    written::{Form, Written},
};
use crate::{
    game::{Match, Played, Player, Random, SelfPlay, balanced},
    outcome::{Ending, Outcome, Side},
    search::Limits,
};

/// The board, in points: of tic-tac-toe, and of all other games.
const SMALL: u8 = 3;
const SIZE: u8 = 15;

/// Random stones where no openings are given: one more or less by chance.
const STONES: [usize; 3] = [3, 4, 5];
/// The same on a small board.
const SMALL_STONES: [usize; 2] = [1, 2];
/// They lie no further than this from the middle, in rows and columns.
const REACH: u8 = 3;
/// Random stones for each time that a list of openings was gone through before.
const MORE_STONES: u64 = 1;
/// Random stones behind an opening, at most.
const MOST_STONES: u64 = 10;

/// Random openings are drawn until neither side is further ahead than this, in
/// hundredths of the evaluation …
const BALANCED: i32 = 60;
/// … by a search of so many positions.
const BALANCE_NODES: u64 = 1_000;

impl SelfPlay for KInRow {
    fn forms(&self) -> &'static [&'static str] {
        &["sgf", "psq"]
    }

    fn player(&self, plan: &Match) -> Result<Box<dyn Player>, String> {
        if let Some(word) = &plan.notation {
            return Err(format!(
                "unknown notation '{word}': moves of {} are written in one way",
                self.name
            ));
        }
        let rules = match &plan.rules {
            None => self.preset(),
            Some(text) => Rules::parse(text)?,
        };
        if ![rules.game(), "kinrow"].contains(&self.name) {
            return Err(format!(
                "{rules} are no rules of {}: play them as {}",
                self.name,
                rules.game()
            ));
        }
        let usual = if rules.line < 4 { SMALL } else { SIZE };
        let size = plan.size.unwrap_or(usual);
        if !(rules.line.max(SMALL)..=MAX_SIZE).contains(&size) {
            return Err(format!(
                "unusable size {size}: it can be {} to {MAX_SIZE}, as lines have {} points",
                rules.line, rules.line
            ));
        }
        Ok(Box::new(KInRowPlayer {
            rules,
            size,
            form: if plan.form == "psq" {
                Form::Psq
            } else {
                Form::Sgf
            },
            openings: match &plan.openings {
                None => vec![Opening::default()],
                Some(text) => opening::read(text, size, &rules)?,
            },
            plan: plan.clone(),
            searcher: Searcher::default(),
        }))
    }
}

struct KInRowPlayer {
    rules: Rules,
    /// Columns, and rows.
    size: u8,
    form: Form,
    /// One at least.
    openings: Vec<Opening>,
    plan: Match,
    searcher: Searcher,
}

/// A game that goes on.
#[derive(Clone)]
pub(super) struct Game {
    pub(super) board: Board,
    /// Points, or a pass of Black where every point is forbidden.
    pub(super) moves: Vec<Option<Point>>,
    /// How it has ended, if it has.
    pub(super) ended: Option<(Ending, Outcome)>,
}

impl Game {
    pub(super) fn new(size: u8) -> Self {
        Self {
            board: Board::new(size, size),
            moves: Vec::new(),
            ended: None,
        }
    }

    pub(super) const fn turn(&self) -> Side {
        match self.moves.len().is_multiple_of(2) {
            true => Side::First,
            false => Side::Second,
        }
    }

    /// Plays on an empty point.
    pub(super) fn play(&mut self, rules: &Rules, at: Point) {
        let side = self.turn();
        self.moves.push(Some(at));
        if self.board.play(rules, side, at).is_some() {
            self.ended = Some((Ending::Line, Outcome::Win(side)));
        } else if self.board.empty() == 0 {
            self.ended = Some((Ending::Full, Outcome::Draw));
        } else if self.board.empty() <= rules.draw_at.into() {
            self.ended = Some((Ending::Limit, Outcome::Draw));
        }
    }

    /// Whether the side to move may play on a point.
    pub(super) fn may(&mut self, rules: &Rules, at: Point) -> bool {
        let is_free = rules.fouls == Fouls::Off || self.turn() == Side::Second;
        self.board.is_empty(at)
            && (is_free || !foul::shape(&mut self.board, at, rules.five_eye).is_foul())
    }
}

impl KInRowPlayer {
    /// A game after so many more stones near the middle, which decide nothing yet.
    fn begin(&mut self, opening: usize, stones: usize, random: &mut Random) -> Game {
        let start = self.openings[opening].game(self.size, &self.rules);
        if stones == 0 {
            return start;
        }
        let middle = self.size / 2;
        let is_near = |at: &Point| at.row.abs_diff(middle).max(at.column.abs_diff(middle)) <= REACH;
        let near: Vec<Point> = start.board.points().filter(is_near).collect();
        let drawn = balanced(BALANCED, || {
            let mut game = start.clone();
            for _ in 0..stones {
                let allowed = near.iter().copied().filter(|at| game.may(&self.rules, *at));
                let allowed: Vec<Point> = allowed.collect();
                if let Some(at) = random.choose(&allowed) {
                    game.play(&self.rules, at);
                }
            }
            if game.ended.is_some() {
                return None;
            }
            let (limits, turn) = (Limits::nodes(BALANCE_NODES), game.turn());
            let found = self.searcher.search(&game.board, &self.rules, turn, limits);
            Some((found.score.value().abs(), game))
        });
        drawn.unwrap_or(start)
    }
}

impl Player for KInRowPlayer {
    fn play(&mut self, round: u64, out: &mut Vec<u8>) -> Played {
        let mut random = Random::new(self.plan.seed, round);
        let count = self.openings.len() as u64;
        let earlier = round.saturating_sub(1);
        let (times, opening) = (earlier / count, (earlier % count) as usize);
        let most = self.plan.plies as usize;
        let stones = match (&self.plan.openings, self.size) {
            (Some(_), _) => times.saturating_mul(MORE_STONES).min(MOST_STONES) as usize,
            (None, SMALL) => random.choose(&SMALL_STONES).unwrap_or(0),
            (None, _) => random.choose(&STONES).unwrap_or(0),
        };
        let stones = stones.min(most);
        let mut game = self.begin(opening, stones, &mut random);
        // Fewer where so many could not be played.
        let stones = game.moves.len() - self.openings[opening].len();
        while game.ended.is_none() && game.moves.len() < most {
            let limits = Limits::nodes(self.plan.nodes.into());
            let turn = game.turn();
            let found = self.searcher.search(&game.board, &self.rules, turn, limits);
            match (found.line.first(), self.form) {
                (Some(Some(at)), _) => game.play(&self.rules, *at),
                (Some(None), Form::Sgf) => game.moves.push(None),
                // There are no passes in PSQ: broken off.
                (Some(None), Form::Psq) | (None, _) => break,
            }
        }
        let written = Written {
            plan: &self.plan,
            rules: &self.rules,
            round,
            line: self.openings[opening].line,
            stones,
            game: &game,
        };
        written.write(self.form, out);
        Played {
            outcome: game.ended.map(|(_, outcome)| outcome),
            ending: game.ended.map_or(Ending::Open, |(ending, _)| ending),
            plies: game.moves.len() as u32,
        }
    }
}
