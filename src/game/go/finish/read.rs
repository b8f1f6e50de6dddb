//! Reads a neighbourhood: who gets how much in it, whoever moves first.

use std::collections::HashMap;

use super::{
    field::{Field, Kind, WHOLE},
    zone::Zone,
};
use crate::{
    game::go::board::{Cell, Point},
    outcome::Side,
};

/// What reading a neighbourhood with one side to move first found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    /// Best value compared with the static count, from the first player's view.
    pub(super) value: i32,
    /// The move that gets it, if any is better than none.
    pub(super) best: Option<Point>,
    /// What a second move in a row would gain, for the side that moves.
    pub(super) threat: i32,
}

/// What reading a neighbourhood found, by who moves first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reading {
    pub(super) lines: [Line; 2],
}

impl Reading {
    /// What a side gains by moving first instead of second.
    pub(super) const fn gain(&self) -> i32 {
        self.lines[0].value - self.lines[1].value
    }
}

/// Reads neighbourhoods.
#[derive(Clone, Debug, Default)]
pub(super) struct Reader {
    /// The moves tried, passes left out.
    line: Vec<(Side, Point)>,
    /// Which stones of the line live.
    lives: Vec<(Point, bool)>,
    /// Whether dead stones may live by the line.
    risen: bool,
    /// What first moves were found to gain.
    known: HashMap<u64, i32>,
    /// Points looked at in one count.
    seen: Vec<u32>,
    /// Marks what was seen in the count that goes on.
    stamp: u32,
    /// Points of the region that is looked at.
    ring: Vec<Point>,
    /// Positions that may still be looked at.
    left: u32,
}

/// Moves and passes read after the first move.
const DEPTH: u32 = 3;
/// Positions looked at after a first move; what takes more is not believed.
const NODES: u32 = 250;
/// Beyond any value.
const LOTS: i32 = 10_000;
/// A side that was not answered goes on so many times.
const RUN: usize = 1;
/// Regions of more points are not searched for who reaches them.
const REGION: usize = 8;

/// Moves considered at one point of a line.
#[derive(Clone, Copy, Debug)]
struct Moves {
    points: [Point; Self::MAX],
    count: usize,
}

impl Moves {
    const MAX: usize = 14;

    const fn new() -> Self {
        Self {
            points: [0; Self::MAX],
            count: 0,
        }
    }

    fn add(&mut self, point: Point) {
        if self.count < Self::MAX && !self.as_slice().contains(&point) {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    fn as_slice(&self) -> &[Point] {
        &self.points[..self.count]
    }
}

impl Reader {
    pub(super) fn reset(&mut self, length: usize) {
        self.seen.clear();
        self.seen.resize(length, 0);
        self.stamp = 0;
        self.known.clear();
    }

    /// Reads a neighbourhood with either side to move first.
    pub(super) fn read(&mut self, field: &mut Field, zone: &Zone) -> Reading {
        field.gained = 0;
        let mut lines = [Side::First, Side::Second].map(|side| self.root(field, zone, side, 0));
        // Whoever gains nothing may prevent what the opponent would gain.
        for side in [Side::First, Side::Second] {
            let theirs = lines[side.other().index()].value * side.sign();
            if theirs < 0 && lines[side.index()].best.is_none() {
                lines[side.index()] = self.root(field, zone, side, theirs);
            }
        }
        field.gained = 0;
        Reading { lines }
    }

    /// The best that a side gets by moving first, at least what it has.
    fn root(&mut self, field: &mut Field, zone: &Zone, side: Side, least: i32) -> Line {
        self.line.clear();
        let mut line = Line::default();
        let mut best = least;
        for (&point, key) in zone.moves.iter().zip(&zone.keys) {
            let key = key.wrapping_mul(2) + side.index() as u64;
            let value = match self.known.get(&key) {
                Some(value) if least == 0 => *value,
                _ => {
                    let ko = field.ko;
                    if !self.try_move(field, side, point) {
                        continue;
                    }
                    // Kos are left to who wins them.
                    if field.ko != ko {
                        self.undo(field);
                        continue;
                    }
                    self.left = NODES;
                    let bound = [-LOTS, -least];
                    let value = -self.search(field, side.other(), DEPTH, bound, false);
                    self.undo(field);
                    // What could not be read is not believed.
                    let value = if self.left > 0 { value } else { least };
                    if least == 0 {
                        self.known.insert(key, value);
                    }
                    value
                }
            };
            if value > best {
                best = value;
                line.best = Some(point);
            }
        }
        if let Some(point) = line.best
            && self.try_move(field, side, point)
        {
            self.left = NODES;
            let again = self.search(field, side, DEPTH - 1, [-LOTS, LOTS], true);
            // Nor is a threat that could not be read.
            line.threat = if self.left > 0 { again - best } else { 0 };
            self.undo(field);
        }
        line.value = best * side.sign();
        line
    }

    /// The value of a position for a side to move after a move.
    pub(super) fn after(&mut self, field: &mut Field, side: Side, point: Point) -> Option<i32> {
        self.line.clear();
        field.gained = 0;
        if !self.try_move(field, side, point) {
            return None;
        }
        self.left = NODES;
        let value = -self.search(field, side.other(), DEPTH, [-LOTS, LOTS], false);
        self.undo(field);
        (self.left > 0).then_some(value)
    }

    /// How many moves in a row a side made last.
    fn run(&self, side: Side) -> usize {
        self.line
            .iter()
            .rev()
            .take_while(|(mover, _)| *mover == side)
            .count()
    }

    fn undo(&mut self, field: &mut Field) {
        field.back();
        self.line.pop();
    }

    /// Tries a move unless it is pointless.
    fn try_move(&mut self, field: &mut Field, side: Side, point: Point) -> bool {
        if field.cell(point) != Cell::Empty {
            return false;
        }
        // In an own eye, unless a stone beside it is in danger.
        let own = Cell::stone(side);
        let near = field.near(point);
        let is_own = |near: &Point| field.cell(*near) == own || field.cell(*near) == Cell::Border;
        if near.iter().all(is_own) {
            let in_danger = near
                .iter()
                .any(|near| field.cell(*near) == own && field.chain(*near, 3).liberties < 3);
            if !in_danger {
                return false;
            }
        }
        if !field.play(side, point) {
            return false;
        }
        // No more than two stones are given away.
        let chain = field.chain(point, 2);
        if chain.liberties < 2 && chain.stones > 2 && field.last_taken().is_empty() {
            field.back();
            return false;
        }
        self.line.push((side, point));
        true
    }

    /// The moves worth a try after the moves of the line.
    fn moves(&self, field: &mut Field, side: Side) -> Moves {
        let mut moves = Moves::new();
        let own = Cell::stone(side);
        for &(_, last) in self.line.iter().rev().take(2) {
            if field.cell(last) == Cell::Empty {
                moves.add(last);
                continue;
            }
            let is_own = field.cell(last) == own;
            // Take it, or what it is connected with, or get out.
            Self::add_liberties(field, last, if is_own { 2 } else { 3 }, &mut moves);
            for near in field.near(last) {
                let cell = field.cell(near);
                if cell == Cell::Empty || cell.side().is_none() || cell == field.cell(last) {
                    continue;
                }
                Self::add_liberties(field, near, 2, &mut moves);
                // Stones that can be taken to save others.
                if cell == own && field.chain(near, 2).liberties < 2 {
                    for index in 0..field.stones().len() {
                        let stone = field.stones()[index];
                        for next in field.near(stone) {
                            if field.cell(next) == Cell::stone(side.other()) {
                                let chain = field.peek(next, 2);
                                if chain.liberties == 1 {
                                    moves.add(chain.at[0]);
                                }
                            }
                        }
                    }
                }
            }
        }
        for &(_, last) in self.line.iter().rev().take(1) {
            for near in field.near(last).into_iter().chain(field.diagonals(last)) {
                if field.cell(near) == Cell::Empty {
                    moves.add(near);
                }
            }
        }
        moves
    }

    /// The moves of a side that the opponent did not answer: what takes stones
    /// or threatens to, and what goes on.
    fn follow_ups(&self, field: &mut Field, side: Side) -> Moves {
        let mut moves = Moves::new();
        let own = Cell::stone(side);
        let mut own_moves = self.line.iter().rev().filter(|(mover, _)| *mover == side);
        let Some(&(_, last)) = own_moves.next() else {
            return moves;
        };
        if field.cell(last) == own {
            for near in field.near(last) {
                if field.cell(near) == Cell::stone(side.other()) {
                    Self::add_liberties(field, near, 2, &mut moves);
                }
            }
            Self::add_liberties(field, last, 1, &mut moves);
        } else {
            moves.add(last);
        }
        if self.run(side) < 2 {
            for near in field.near(last) {
                if field.cell(near) == Cell::Empty {
                    moves.add(near);
                }
            }
        }
        moves
    }

    fn add_liberties(field: &mut Field, stone: Point, most: u16, moves: &mut Moves) {
        let chain = field.chain(stone, most + 1);
        if chain.liberties <= most {
            for at in &chain.at[..usize::from(chain.liberties)] {
                moves.add(*at);
            }
        }
    }

    /// The value of a position for the side to move.
    fn search(
        &mut self,
        field: &mut Field,
        side: Side,
        depth: u32,
        [mut alpha, beta]: [i32; 2],
        passed: bool,
    ) -> i32 {
        self.left = self.left.saturating_sub(1);
        if depth == 0 || self.left == 0 || (passed && self.run(side) > RUN) {
            return side.sign() * self.count(field, Some(side));
        }
        let mut best = if passed {
            side.sign() * self.count(field, None)
        } else {
            -self.search(field, side.other(), depth - 1, [-beta, -alpha], true)
        };
        alpha = alpha.max(best);
        if alpha >= beta {
            return best;
        }
        let moves = if passed {
            self.follow_ups(field, side)
        } else {
            self.moves(field, side)
        };
        for &point in moves.as_slice() {
            if !self.try_move(field, side, point) {
                continue;
            }
            let value = -self.search(field, side.other(), depth - 1, [-beta, -alpha], false);
            self.undo(field);
            best = best.max(value);
            alpha = alpha.max(best);
            if alpha >= beta {
                return best;
            }
        }
        best
    }

    /// What the line changed compared with the static count, from the first
    /// player's view. A side to move takes the stone played last if it can.
    fn count(&mut self, field: &mut Field, to_move: Option<Side>) -> i32 {
        let mut value = field.gained;
        self.stamp += 1;
        // Only of the side that moved first it is assumed that it loses what
        // can be taken.
        let to_move =
            to_move.filter(|side| self.line.first().is_some_and(|first| first.0 != *side));
        self.risen = field.risen();
        self.lives.clear();
        for index in 0..self.line.len() {
            let (_, point) = self.line[index];
            if field.cell(point) != Cell::Empty && field.kind(point) == Kind::Fresh {
                let lives = is_alive(field, point, to_move);
                self.lives.push((point, lives));
            }
        }
        for index in 0..self.line.len() {
            let (_, point) = self.line[index];
            let at = usize::from(point);
            if self.seen[at] == self.stamp {
                continue;
            }
            let owner = i32::from(field.owners[at]);
            if field.cell(point) == Cell::Empty {
                value += self.recount(field, point);
            } else {
                self.seen[at] = self.stamp;
                let sign = field.cell(point).side().map_or(0, Side::sign);
                if self.lives_now(field, point) {
                    value -= owner;
                } else {
                    // A prisoner in the opponent's territory.
                    value += -2 * sign - owner;
                    continue;
                }
            }
            for near in field.near(point) {
                if field.cell(near) == Cell::Empty {
                    value += self.recount(field, near);
                }
            }
        }
        let mut index = 0;
        while let Some(point) = field.taken(index).filter(|_| index < 20) {
            index += 1;
            if field.cell(point) == Cell::Empty {
                value += self.recount(field, point);
            }
        }
        // Stones just played that can be taken are no gain.
        if let (Some(side), Some(&(last_side, last))) = (to_move, self.line.last())
            && last_side != side
            && field.cell(last) == Cell::stone(last_side)
        {
            let chain = field.chain(last, 2);
            if chain.liberties == 1 && chain.alive {
                value -= 2 * last_side.sign() * i32::from(chain.stones);
            }
        }
        value
    }

    /// How the owner of an empty point beside a change differs from what it was.
    fn recount(&mut self, field: &mut Field, point: Point) -> i32 {
        let at = usize::from(point);
        if self.seen[at] == self.stamp {
            return 0;
        }
        let owner = field.owners[at];
        // A small region that only one side reaches.
        self.ring.clear();
        self.ring.push(point);
        self.seen[at] = self.stamp;
        let mut next = 0;
        let mut reached = [false; 2];
        let mut sum = 0;
        let mut is_small = true;
        while let Some(&at) = self.ring.get(next) {
            next += 1;
            sum += i32::from(field.owners[usize::from(at)]);
            for near in field.near(at) {
                match field.cell(near).side() {
                    Some(side) => {
                        let sign = if self.lives_now(field, near) {
                            side
                        } else {
                            side.other()
                        };
                        reached[sign.index()] = true;
                    }
                    None if field.cell(near) == Cell::Empty
                        && self.seen[usize::from(near)] != self.stamp =>
                    {
                        if self.ring.len() < REGION {
                            self.seen[usize::from(near)] = self.stamp;
                            self.ring.push(near);
                        } else {
                            is_small = false;
                        }
                    }
                    None => {}
                }
            }
        }
        let size = self.ring.len() as i32;
        if is_small {
            return match reached {
                [true, false] => size - sum,
                [false, true] => -size - sum,
                // Where both reach it, only what is next to living stones of both is lost.
                _ => self.shared(field),
            };
        }
        // In a large region, points next to both sides' stones are nobody's.
        let kept: Vec<Point> = self.ring.drain(..).collect();
        for &other in &kept {
            if other != point {
                self.seen[usize::from(other)] = 0;
            }
        }
        let touched = self.touched(field, point);
        match touched {
            [true, true] => -i32::from(owner),
            _ => 0,
        }
    }

    fn shared(&mut self, field: &mut Field) -> i32 {
        let mut value = 0;
        for index in 0..self.ring.len() {
            let point = self.ring[index];
            let owner = i32::from(field.owners[usize::from(point)]);
            let [first, second] = self.touched(field, point);
            value += match (first, second) {
                (true, true) => -owner,
                (true, false) if owner < 0 => 1,
                (false, true) if owner > 0 => -1,
                _ => 0,
            };
        }
        value
    }

    /// Whether a stone lives in the position that is counted.
    fn lives_now(&self, field: &mut Field, stone: Point) -> bool {
        match field.kind(stone) {
            Kind::Alive => true,
            Kind::Dead => self.risen && is_alive(field, stone, None),
            Kind::Fresh => match self.lives.iter().find(|known| known.0 == stone) {
                Some(known) => known.1,
                None => is_alive(field, stone, None),
            },
        }
    }

    /// Which sides' living stones are beside a point.
    fn touched(&self, field: &mut Field, point: Point) -> [bool; 2] {
        let mut touched = [false; 2];
        for near in field.near(point) {
            if let Some(side) = field.cell(near).side() {
                let side = if self.lives_now(field, near) {
                    side
                } else {
                    side.other()
                };
                touched[side.index()] = true;
            }
        }
        touched
    }
}

/// Whether a stone lives: with stones that do, or one move away from them.
pub(super) fn is_alive(field: &mut Field, point: Point, to_move: Option<Side>) -> bool {
    if field.kind(point) == Kind::Alive {
        return true;
    }
    let own = field.cell(point);
    let is_own =
        |field: &Field, near: Point, kind| field.cell(near) == own && field.kind(near) == kind;
    if field.kind(point) == Kind::Dead {
        if !field.risen() {
            return false;
        }
    } else if field
        .near(point)
        .into_iter()
        .any(|near| is_own(field, near, Kind::Alive))
    {
        return true;
    }
    let chain = field.chain(point, WHOLE);
    if chain.alive {
        return true;
    }
    if let Some(side) = to_move
        && chain.liberties == 1
        && own == Cell::stone(side.other())
    {
        return false;
    }
    for index in 0..field.stones().len() {
        let stone = field.stones()[index];
        if field.kind(stone) == Kind::Dead {
            return false;
        }
        for near in field.near(stone) {
            if field.cell(near) == Cell::Empty
                && field
                    .near(near)
                    .iter()
                    .any(|next| field.cell(*next) == own && field.kind(*next) == Kind::Alive)
            {
                return true;
            }
        }
    }
    false
}
