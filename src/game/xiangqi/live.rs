//! A game that goes on, and a player for it.

use super::{
    board::Board,
    notation::{Ranks, coordinates, read},
    opening::Opening,
    piece::Move,
    repetition::History,
    rules::Rules,
};
use crate::{
    outcome::{Ending, Outcome, Side},
    search::{Found, Limits, Live, Searchable, Stop},
};

/// A game that goes on.
#[derive(Clone)]
pub(super) struct Game {
    pub(super) board: Board,
    pub(super) history: History,
}

impl Game {
    /// The game after an opening.
    pub(super) fn after(opening: &Opening) -> Self {
        let mut game = Self {
            board: Board::new(opening.start.clone()),
            history: History::new(opening.start.clone()),
        };
        for it in &opening.moves {
            game.play(*it);
        }
        game
    }

    /// Makes a legal move.
    pub(super) fn play(&mut self, it: Move) {
        let captured = self.board.play(it);
        let key = self.board.position().key();
        self.history.push(it, captured, key, self.board.in_check());
    }

    /// How it has ended, if it has: as a label says it.
    pub(super) fn over(&mut self, rules: &Rules) -> Option<(Ending, Outcome)> {
        let position = self.board.position_mut();
        if !position.can_move() {
            let turn = position.turn();
            let ending = match position.in_check(turn) {
                true => Ending::Mate,
                false => Ending::Stalemate,
            };
            return Some((ending, Outcome::Win(turn.other())));
        }
        let repeated = self.history.verdict(rules.repetition);
        rules.judge(position, &self.history, repeated.as_ref())
    }

    pub(super) fn legal(&mut self) -> Vec<Move> {
        self.board.position_mut().legal()
    }
}

/// Plays a game with somebody else: knows its moves so far, and thinks.
pub struct LivePlayer {
    game: Game,
    search: Live<Board>,
    /// How the other side counts ranks, as far as moves told.
    ranks: Ranks,
}

impl LivePlayer {
    /// A player at the start of a game, which thinks on so many threads and with so
    /// many megabytes. Ranks are counted from 0 or from 1 until moves tell.
    ///
    /// # Errors
    /// One sentence where there is not that much memory.
    pub fn new(threads: usize, megabytes: usize, ranks: Ranks) -> Result<Self, String> {
        Ok(Self {
            game: Game::after(&Opening::usual()?),
            search: Live::new(threads, megabytes)?,
            ranks,
        })
    }

    /// Takes a position: `startpos` or `fen FEN`, then perhaps `moves` and moves,
    /// as UCI has it. Ranks are counted from 0 or 1, whichever makes sense of all
    /// moves, the way they were counted before first.
    ///
    /// # Errors
    /// One sentence, and the position is what it was.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        let (position, moves) = text.split_once("moves").unwrap_or((text, ""));
        let other = match self.ranks {
            Ranks::FromZero => Ranks::FromOne,
            Ranks::FromOne => Ranks::FromZero,
        };
        let (opening, ranks) = match Opening::read(position, moves, self.ranks) {
            Ok(opening) => (opening, self.ranks),
            Err(why) => match Opening::read(position, moves, other) {
                Ok(opening) => (opening, other),
                Err(_) => return Err(why),
            },
        };
        self.game = Game::after(&opening);
        self.ranks = ranks;
        Ok(())
    }

    /// Thinks on so many threads and with so many megabytes from now on.
    ///
    /// # Errors
    /// One sentence where there is not that much memory; nothing has changed then.
    pub fn resize(&mut self, threads: usize, megabytes: usize) -> Result<(), String> {
        self.search.resize(threads, megabytes)
    }

    /// Every legal move.
    #[must_use]
    pub fn legal(&mut self) -> Vec<Move> {
        self.game.legal()
    }

    /// Moves of the position, read from text; words that are none are left out.
    #[must_use]
    pub fn moves<'w>(&mut self, words: impl Iterator<Item = &'w str>) -> Vec<Move> {
        let (position, ranks) = (self.game.board.position_mut(), self.ranks);
        words
            .filter_map(|word| read(position, word, ranks).ok())
            .collect()
    }

    /// Counts ranks from 0 or from 1, until moves tell something else.
    pub const fn count_ranks(&mut self, ranks: Ranks) {
        self.ranks = ranks;
    }

    /// Whether Red is to move.
    #[must_use]
    pub fn is_first_to_move(&self) -> bool {
        self.game.board.turn() == Side::First
    }

    /// Looks for the best move that is not `banned`, and hands over what each depth
    /// came to.
    pub fn think(
        &mut self,
        limits: Limits,
        banned: &[Move],
        stop: &Stop,
        each: &mut dyn FnMut(&Found<String>),
    ) -> Found<String> {
        let ranks = self.ranks;
        let named = |found: &Found<Move>| found.map(|it| coordinates(*it, ranks));
        let (search, board) = (&mut self.search, &self.game.board);
        let found = search.search(board, limits, banned, stop, &mut |found| {
            each(&named(found));
        });
        let mut found = named(&found);
        // Drawn, as too little is left to win with: there are moves all the same.
        if found.line.is_empty() {
            let mut left = self.legal().into_iter().filter(|it| !banned.contains(it));
            found
                .line
                .extend(left.next().map(|it| coordinates(it, ranks)));
        }
        found
    }
}
