//! What a judge tells of the record it judged last: everything that is shown of
//! it, as text, JSON, picture or SGF, is made from this.

use super::Candidate;
use crate::outcome::{Points, Side, words};

/// A column and a row, both from 0, origin top left.
pub type Spot = (u8, u8);

/// How much is to be told, and in which signs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Telling {
    /// Everything that was judged.
    pub verbose: bool,
    /// Letters for pieces, and moves in coordinates.
    pub letters: bool,
    /// So many moves that could be made at the end, with what they are worth.
    pub candidates: usize,
}

/// The end of a record: the position, what was judged of it, and why.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// The final position; none where there is no position.
    pub board: Option<Diagram>,
    /// Sentences for people: why it ended, and what is known beside.
    pub lines: Vec<String>,
    /// Chains whose fate is not that they live.
    pub chains: Vec<Chain>,
    /// What each group of stones adds to the count.
    pub groups: Vec<Group>,
    /// Whatever else is added to the count, for both sides.
    pub others: Vec<(&'static str, [Points; 2])>,
    /// What gives reason to doubt the margin.
    pub doubt: Option<String>,
    /// The count under every convention.
    pub counts: Vec<ConventionCount>,
    /// Whether more than the rules said by which convention it is counted.
    pub is_set: bool,
    /// What playing on from the position came to.
    pub playing_on: Option<PlayingOn>,
    /// Stones that each side has captured.
    pub prisoners: Option<[u32; 2]>,
    /// Stones of both sides on the board, where those tell something.
    pub stones: Option<[u32; 2]>,
    /// A forbidden move that was made.
    pub foul: Option<Foul>,
    /// A win that a search found where the board does not decide.
    pub forced: Option<Forced>,
    /// Moves that could be made at an undecided end, the best one first.
    pub candidates: Vec<Candidate>,
    /// The position as the game writes positions, where it does.
    pub position: Option<String>,
    /// The side to move, where that is known.
    pub to_move: Option<Side>,
    /// Legal moves of that side, and whether it is in check.
    pub legal: Option<(u32, bool)>,
    /// A repetition that was met.
    pub repetition: Option<Repeated>,
    /// What was set up and played.
    pub play: Play,
}

impl Explanation {
    /// Says why there are no candidates, where some were asked for.
    pub(super) fn note_no_candidates(&mut self, telling: Telling, why: &str) {
        if telling.candidates > 0 && self.candidates.is_empty() {
            self.lines.push(format!("no candidates: {why}"));
        }
    }
}

/// A position as it is drawn.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// What stands on it.
    pub style: Style,
    /// Names of the columns, from the left; with that of its row behind it, one
    /// is the name of a point.
    pub columns: Vec<String>,
    /// Names of the rows, from the top.
    pub rows: Vec<String>,
    /// What is on each point, row by row from the top left.
    pub cells: Vec<Cell>,
    /// Whether points have owners.
    pub is_counted: bool,
    /// The last move: where from, for a piece that was on the board; where to.
    pub last: Option<(Option<Spot>, Spot)>,
    /// The line that wins, in order.
    pub line: Vec<Spot>,
    /// What the signs of a board in letters mean; empty where they need not be
    /// told.
    pub legend: String,
}

impl Diagram {
    /// Marks the points that moves lead to with letters, in order.
    pub(super) fn mark_candidates(&mut self, candidates: &[Candidate]) {
        let columns = self.columns.len();
        for (candidate, letter) in candidates.iter().zip('a'..='z') {
            if let Some((column, row)) = candidate.at
                && let Some(cell) = self
                    .cells
                    .get_mut(usize::from(row) * columns + usize::from(column))
                // Several may lead to one point.
                && cell.candidate.is_none()
            {
                cell.candidate = Some(letter);
            }
        }
    }

    /// The name of a point.
    #[must_use]
    pub fn name(&self, (column, row): Spot) -> String {
        let column = self.columns.get(usize::from(column));
        let row = self.rows.get(usize::from(row));
        [column, row].into_iter().flatten().cloned().collect()
    }

    /// All points with what is on them, row by row from the top left.
    pub fn points(&self) -> impl Iterator<Item = (Spot, &Cell)> {
        let columns = self.columns.len().max(1);
        self.cells
            .iter()
            .enumerate()
            .map(move |(at, cell)| (((at % columns) as u8, (at / columns) as u8), cell))
    }
}

/// What stands on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Stones of two colours, on the points of a grid.
    Stones,
    /// Pieces of xiangqi, on the points of its board.
    Pieces,
}

/// What is on a point.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    /// The stone or piece.
    pub piece: Option<Piece>,
    /// What becomes of it, where that was judged.
    pub fate: Option<Fate>,
    /// Whose point it was counted as.
    pub owner: Option<Side>,
    /// Why a side may not move here: the sign for it, and the word.
    pub forbidden: Option<(char, &'static str)>,
    /// The letter of a candidate that leads here.
    pub candidate: Option<char>,
}

/// A stone or piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// Its letter.
    pub letter: char,
    /// Its sign, where that is not the letter.
    pub glyph: char,
}

words! {
    /// What becomes of stones.
    Fate {
        /// They stay.
        Alive = "alive",
        /// They are left on the board without being sure to stay.
        Unclear = "unclear",
        /// They stay though they have no territory.
        Seki = "in seki",
        /// They are taken off.
        Dead = "dead",
    }
}

/// Connected stones of one side.
#[derive(Clone, Debug)]
pub struct Chain {
    /// Whose they are.
    pub side: Side,
    /// What becomes of them.
    pub fate: Fate,
    /// The first, row by row from the top left.
    pub at: Spot,
    /// All of them.
    pub stones: Vec<Spot>,
    /// How that was decided.
    pub grounds: String,
}

/// Connected points of one side: living stones and the territory between them;
/// or a chain that is dead.
#[derive(Clone, Debug)]
pub struct Group {
    /// Whose it is, where, and what becomes of it.
    pub chain: Chain,
    /// Points without a living stone.
    pub territory: u32,
    /// Dead stones of the opponent in it.
    pub taken: u32,
    /// What it adds to the count.
    pub points: Points,
}

/// The count under a convention.
#[derive(Clone, Copy, Debug)]
pub struct ConventionCount {
    /// The convention, in the game's own word.
    pub convention: &'static str,
    /// Points of both sides, komi and other compensation included.
    pub points: [Points; 2],
    /// The first player's lead.
    pub margin: Points,
    /// Whether the label is by it.
    pub is_used: bool,
    /// Whether it is what the record claims.
    pub is_recorded: bool,
}

/// What playing on from the final position came to.
#[derive(Clone, Debug)]
pub struct PlayingOn {
    /// The moves.
    pub moves: Vec<(Side, Spot)>,
    /// By how much they change the margin.
    pub changed: Points,
    /// Why it is not believed, where it is not.
    pub disbelieved: Option<&'static str>,
}

/// A forbidden move that was made.
#[derive(Clone, Copy, Debug)]
pub struct Foul {
    /// What is forbidden.
    pub word: &'static str,
    /// Where.
    pub at: Spot,
    /// Its number among the moves, from 1; none where no move is known.
    pub number: Option<u32>,
}

/// A win that a search found.
#[derive(Clone, Debug)]
pub struct Forced {
    /// Who wins.
    pub winner: Side,
    /// The moves that lead there.
    pub moves: Vec<String>,
}

/// A position that came again.
#[derive(Clone, Copy, Debug)]
pub struct Repeated {
    /// How often it stood.
    pub times: usize,
    /// Plies played when it stood for the first time that counts, and the last.
    pub plies: [usize; 2],
    /// What each side did in between.
    pub tiers: [&'static str; 2],
    /// Whether it ends the game.
    pub ends: bool,
}

/// What was set up and played, as far as SGF can hold it.
#[derive(Clone, Debug)]
pub enum Play {
    /// In order.
    Steps(Vec<Step>),
    /// Why SGF cannot hold it.
    Unwritable(String),
}

impl Default for Play {
    fn default() -> Self {
        Self::Steps(Vec::new())
    }
}

/// One element of what was set up and played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A point gets a stone, or is made empty.
    Set(Option<Side>, Spot),
    /// A move, or a pass.
    Play(Side, Option<Spot>),
}
