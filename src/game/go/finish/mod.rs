//! Plays a stopped game to its end: shared points, the moves they force, and
//! the last small gains.
//!
//! Records often stop before these are played, and the margin they give is what
//! came out afterwards. Points that both sides are close to fall into small
//! neighbourhoods, which are read one by one: what each side gains by moving
//! first. Both sides then take the largest gains by turns, those that force an
//! answer first, fill shared points where that costs nothing, and pass.
//!
//! The position is turned so that it, its copies by symmetry and those with
//! exchanged colours are played in the same way.

mod field;
mod read;
mod zone;

use std::collections::HashMap;

use super::{
    board::{Board, Cell, Point},
    dead::canon::Transform,
};
use crate::outcome::{Points, Side};
use field::{Field, Kind, Spot, WHOLE};
use read::{Reader, Reading};
use zone::{Map, Zone};

/// What playing on from a stopped game came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Finished {
    /// By how much the margin differs from the one before, by strict territory:
    /// set by who counts the end.
    pub(super) changed: Points,
    /// The moves made.
    pub(super) moves: Vec<(Side, Point)>,
    /// Whether no group that lived was taken and none that was dead lives.
    pub(super) trusted: bool,
}

/// Plays games to their end, one after the other, in the same memory.
#[derive(Debug, Default)]
pub(super) struct Finisher {
    field: Field,
    map: Map,
    zones: Vec<Zone>,
    reader: Reader,
    known: HashMap<u64, Reading>,
    moves: Vec<(Side, Point)>,
    trusted: bool,
    /// Living stones taken by all moves together.
    lost: usize,
}

/// No more moves are made.
const MOVES: usize = 100;
/// Shared points are tried up to so many before a pass.
const TRIES: usize = 8;
/// More living stones than this that one move takes are a group; all moves
/// together may take a few more.
const FEW_STONES: usize = 2;
const FEW_IN_ALL: usize = 4;
/// A threat counts up to so many points more than the move gains.
const MOST_THREAT: i32 = 8;

/// The board after playing on.
pub(super) struct End {
    pub(super) board: Board,
    /// Its dead stones.
    pub(super) dead: Vec<Point>,
}

impl Finisher {
    /// Plays on from a position, `owners` of which are those of a strict count
    /// row by row. What it changes is left to who counts the end.
    pub(super) fn finish(
        &mut self,
        board: &Board,
        dead: &[Point],
        owners: &[i8],
        first: Side,
    ) -> (Finished, End) {
        let way = self.load(board, dead, owners, first);
        self.play_on();
        let side = |side: Side| if way.swap { side.other() } else { side };
        let (turned_columns, _) = way.size(board.size());
        let source = |point: Point| {
            let stride = u16::from(turned_columns) + 1;
            let place = ((point % stride) as u8 - 1, (point / stride) as u8 - 1);
            let (x, y) = way.source(board.size(), place);
            board.point(x, y)
        };
        let moves = self.moves.iter();
        let finished = Finished {
            changed: Points::ZERO,
            moves: moves
                .map(|(mover, at)| (side(*mover), source(*at)))
                .collect(),
            trusted: self.trusted,
        };
        let mut end = End {
            board: board.clone(),
            dead: Vec::new(),
        };
        for at in self.field.points() {
            let stone = self.field.cell(at).side().map(side);
            let point = source(at);
            if stone != board.cell(point).side() {
                end.board.edit(point, stone);
            }
            if stone.is_some() && !read::is_alive(&mut self.field, at, None) {
                end.dead.push(point);
            }
        }
        end.dead.sort_unstable();
        let taken = [Side::First, Side::Second]
            .map(|of| board.prisoners(of) + self.field.prisoners[side(of).index()]);
        end.board.set_prisoners(taken);
        end.board.find_chains();
        (finished, end)
    }

    /// Takes over a position so that the first player is to move, in the
    /// orientation that comes first; returns how it was turned.
    fn load(&mut self, board: &Board, dead: &[Point], owners: &[i8], first: Side) -> Transform {
        let (columns, _) = board.size();
        let mut is_dead = vec![false; board.length()];
        for point in dead {
            is_dead[usize::from(*point)] = true;
        }
        let turn = |way: Transform| {
            let (turned_columns, turned_rows) = way.size(board.size());
            let mut spots = Vec::with_capacity(owners.len());
            for y in 0..turned_rows {
                for x in 0..turned_columns {
                    let (x, y) = way.source(board.size(), (x, y));
                    let point = board.point(x, y);
                    let owner = owners[usize::from(y) * usize::from(columns) + usize::from(x)];
                    let stone = board.cell(point).side();
                    let kind = match stone {
                        None => Kind::Fresh,
                        Some(_) if is_dead[usize::from(point)] => Kind::Dead,
                        Some(_) => Kind::Alive,
                    };
                    let cell = match stone {
                        Some(side) if way.swap => Cell::stone(side.other()),
                        Some(side) => Cell::stone(side),
                        None => Cell::Empty,
                    };
                    let owner = if way.swap { -owner } else { owner };
                    spots.push(Spot { cell, kind, owner });
                }
            }
            (way.size(board.size()), spots)
        };
        let ways = Transform::all().filter(|way| way.swap == (first == Side::Second));
        let turned = ways.map(|way| (turn(way), way));
        let first = turned.min_by(|one, other| one.0.cmp(&other.0));
        let ((size, spots), way) = first.unwrap_or_else(|| {
            let way = Transform::default();
            (turn(way), way)
        });
        self.field.load(size, &spots);
        self.field.share_out();
        if let Some(ko) = board.ko() {
            let is_ko = |at: &Point| {
                let stride = u16::from(size.0) + 1;
                let place = ((at % stride) as u8 - 1, (at / stride) as u8 - 1);
                let (x, y) = way.source(board.size(), place);
                board.point(x, y) == ko
            };
            self.field.ko = self.field.points().find(is_ko).unwrap_or(0);
        }
        way
    }

    /// Both sides move by turns until both pass.
    fn play_on(&mut self) {
        self.known.clear();
        self.reader.reset(self.field.owners.len());
        self.moves.clear();
        self.trusted = true;
        self.lost = 0;
        let mut side = Side::First;
        let mut passes = 0;
        while passes < 2 && self.moves.len() < MOVES {
            match self.choose(side) {
                Some(point) if self.make(side, point) => passes = 0,
                _ => {
                    passes += 1;
                    self.field.ko = 0;
                }
            }
            side = side.other();
        }
    }

    /// Makes a move; whether it was legal.
    fn make(&mut self, side: Side, point: Point) -> bool {
        let ko = std::mem::take(&mut self.field.ko);
        if point == ko || !self.field.play(side, point) {
            return false;
        }
        let taken = self.field.last_taken().iter();
        let alive = taken.filter(|taken| taken.2 == Kind::Alive).count();
        self.lost += alive;
        self.trusted &= alive <= FEW_STONES && self.lost <= FEW_IN_ALL;
        let chain = self.field.chain(point, WHOLE);
        if chain.alive {
            for index in 0..self.field.stones().len() {
                let stone = self.field.stones()[index];
                self.trusted &= self.field.kind(stone) != Kind::Dead;
                self.field.set_kind(stone, Kind::Alive);
            }
        } else if read::is_alive(&mut self.field, point, None) {
            self.field.set_kind(point, Kind::Alive);
        }
        self.field.settle();
        self.moves.push((side, point));
        true
    }

    /// The move of a side: the largest gain, else a shared point.
    fn choose(&mut self, side: Side) -> Option<Point> {
        self.map.zones(&mut self.field, &mut self.zones);
        let mut best = None;
        let mut most = 0;
        for zone in &self.zones {
            let reading = match self.known.get(&zone.key) {
                Some(reading) => *reading,
                None => {
                    let reading = self.reader.read(&mut self.field, zone);
                    self.known.insert(zone.key, reading);
                    reading
                }
            };
            let gain = reading.gain();
            let [own, other] = [side, side.other()].map(|side| reading.lines[side.index()]);
            let Some(point) = own.best.filter(|point| gain > 0 && *point != self.field.ko) else {
                continue;
            };
            let mut worth = 2 * gain;
            if own.threat > gain {
                // Sente: it must be answered, the sooner the larger the threat.
                worth += 2 * (own.threat - gain).min(MOST_THREAT);
            } else if other.threat > gain {
                // Reverse sente: the opponent, who would play it as sente, had
                // all of the gain without losing its turn, so it is worth twice
                // as much as a move that either side pays with a turn.
                worth *= 2;
            }
            if worth > most {
                most = worth;
                best = Some(point);
            }
        }
        best.or_else(|| self.shared(side))
    }

    /// A shared point that costs nothing to fill.
    fn shared(&mut self, side: Side) -> Option<Point> {
        let mut tries = 0;
        for index in 0..self.zones.len() {
            let known = self.known.get(&self.zones[index].key);
            let before = known.map_or(0, |known| known.lines[side.index()].value * side.sign());
            for at in 0..self.zones[index].moves.len() {
                let point = self.zones[index].moves[at];
                if !self.is_shared(point) {
                    continue;
                }
                if tries == TRIES {
                    return None;
                }
                tries += 1;
                let after = self.reader.after(&mut self.field, side, point);
                if after.is_some_and(|value| value >= before.min(0)) {
                    return Some(point);
                }
            }
        }
        None
    }

    /// Whether living stones of both sides are beside an empty point.
    fn is_shared(&self, point: Point) -> bool {
        let field = &self.field;
        let is_beside = |side| {
            field.near(point).into_iter().any(|near| {
                field.cell(near) == Cell::stone(side) && field.kind(near) == Kind::Alive
            })
        };
        field.cell(point) == Cell::Empty && is_beside(Side::First) && is_beside(Side::Second)
    }
}

#[cfg(test)]
mod tests;
