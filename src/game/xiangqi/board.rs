//! The game as the search plays it.

use super::{
    evaluate::{Tally, usual},
    piece::{Move, Piece, Square},
    position::Position,
    repetition::History,
};
use crate::{
    outcome::Side,
    search::{Searchable, Verdict},
};

/// A position with the moves that led there, and what it is worth.
///
/// Repetition is in force over all of these: a position that stood before is a
/// draw at once, and lost for a side all of whose moves since then gave check if
/// not all of the other one's did. Who chases for ever is not looked at, nor are
/// moves without a capture counted.
#[derive(Clone, Debug)]
pub struct Board {
    position: Position,
    steps: Vec<Step>,
    tally: Tally,
    in_check: bool,
    /// Whether too little material is a draw.
    material: bool,
}

/// A move made.
#[derive(Clone, Copy, Debug)]
struct Step {
    it: Move,
    captured: Piece,
    /// Before it: the key, whether its mover was in check, and the pieces.
    key: u64,
    in_check: bool,
    tally: Tally,
}

impl Board {
    /// A position of which nothing is known from before.
    #[must_use]
    pub fn new(position: Position) -> Self {
        let pieces = Square::all().map(|square| (square, position.piece(square)));
        Self {
            steps: Vec::new(),
            tally: Tally::of(pieces),
            in_check: position.in_check(position.turn()),
            material: true,
            position,
        }
    }

    /// The end of a game; `material` where too little of it is a draw.
    #[must_use]
    pub fn after(history: &History, material: bool) -> Self {
        let mut board = Self::new(history.start().clone());
        board.material = material;
        for it in history.moves() {
            board.play(it);
        }
        board
    }

    /// The position.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The position, to look at its moves.
    pub(super) const fn position_mut(&mut self) -> &mut Position {
        &mut self.position
    }

    /// Makes a move that is legal; returns what it captured.
    pub(super) fn play(&mut self, it: Move) -> Piece {
        let before = self.tally;
        let key = self.position.key();
        let piece = self.position.piece(it.from);
        let captured = self.position.make(it);
        self.tally.take(it.from, piece);
        self.tally.take(it.to, captured);
        self.tally.put(it.to, piece);
        let step = Step {
            it,
            captured,
            key,
            in_check: self.in_check,
            tally: before,
        };
        // A set-up may have left a check standing.
        self.in_check = (self.steps.is_empty() || self.position.may_check(it))
            && self.position.in_check(self.position.turn());
        self.steps.push(step);
        captured
    }

    fn each(&self, captures: bool, mut each: impl FnMut(Move)) {
        let side = self.position.turn();
        let target = self.position.general(side.other());
        for from in self.position.of(side) {
            self.position.reach(from, |to| {
                let on = self.position.piece(to);
                let fits = match captures {
                    true => on.is_of(side.other()),
                    false => !on.is_of(side),
                };
                if fits && to != target {
                    each(Move { from, to });
                }
            });
        }
    }
}

impl Searchable for Board {
    type Move = Move;

    const PACKED: usize = 90 * 90 + 1;
    const MOST_GAIN: i32 = 16 * 1_000;

    fn pack(it: Move) -> u16 {
        (it.from.index() * 90 + it.to.index() + 1) as u16
    }

    fn turn(&self) -> Side {
        self.position.turn()
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn moves(&self, each: impl FnMut(Move)) {
        self.each(false, each);
    }

    fn captures(&self, each: impl FnMut(Move)) {
        self.each(true, each);
    }

    fn gain(&self, it: Move) -> i32 {
        let worth = |square| self.position.piece(square).kind().map_or(0, usual);
        match worth(it.to) {
            0 => 0,
            // The most valuable victim first, by the least valuable attacker.
            victim => 16 * victim.min(1_000) - worth(it.from).min(1_000),
        }
    }

    fn make(&mut self, it: Move) -> bool {
        let legal = !self.position.exposes_from(it, self.in_check);
        if legal {
            self.play(it);
        }
        legal
    }

    fn unmake(&mut self) {
        if let Some(step) = self.steps.pop() {
            self.position.unmake(step.it, step.captured);
            self.in_check = step.in_check;
            self.tally = step.tally;
        }
    }

    fn evaluate(&self) -> i32 {
        self.tally.value(self.position.turn())
    }

    fn in_check(&self) -> bool {
        self.in_check
    }

    fn ended(&self) -> Option<Verdict> {
        (self.material && self.tally.is_drawn()).then_some(Verdict::Draw)
    }

    fn repeated(&self) -> Option<Verdict> {
        let key = self.position.key();
        // Whether every move of the side to move gave check, and of the other one.
        let (mut own, mut others) = (true, true);
        // What the moves led to: the last one to this position.
        let mut led_to_check = self.in_check;
        for (back, step) in self.steps.iter().rev().enumerate() {
            // A position that stood before a capture cannot come again.
            if !step.captured.is_none() {
                return None;
            }
            let is_own = back % 2 == 1;
            if is_own {
                own &= led_to_check;
            } else {
                others &= led_to_check;
            }
            led_to_check = step.in_check;
            if is_own && step.key == key {
                return Some(match (own, others) {
                    (true, false) => Verdict::LostByRule,
                    (false, true) => Verdict::WonByRule,
                    _ => Verdict::Draw,
                });
            }
        }
        None
    }

    fn stuck(&self) -> Verdict {
        Verdict::Lost
    }
}
