//! Which stones of a finished position are dead.
//!
//! Playouts go on from the position, half of them with either side to move
//! first, after what needs no playouts has been settled. A chain is dead
//! if the opponent holds its points in most of them, unless a search of what
//! they leave unclear proves its status. The position is first
//! brought to a canonical orientation and colouring, from which the random
//! numbers follow too, so that a turned, mirrored or colour-swapped position
//! has the turned, mirrored or colour-swapped verdict.

pub(super) mod canon;
mod decide;

use crate::{
    game::go::{
        board::{Board, Point},
        local,
        playout::{
            Arena, Random,
            policy::{self, Game},
        },
        safety::{self, Settled},
    },
    outcome::Side,
};
use canon::{Canonical, canonical};
use decide::Decision;
pub(super) use decide::mean_of;

/// Playouts after which to look for the first time whether more are wanted,
/// then each time as many more.
const ROUND: u32 = 8;

/// The most playouts.
const MAX_PLAYOUTS: u32 = 256;

/// The mean of each chain must be so many standard errors of an even chance
/// away from nothing for the playouts to stop.
const ERRORS: f32 = 2.0;

/// Moves after which no new round is begun. On a 19x19 board where much is
/// unclear, playouts of some two hundred moves come to this before there are
/// [`MAX_PLAYOUTS`] of them.
const MAX_MOVES: usize = 50_000;

/// How it was decided who holds a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grounds {
    /// It is held even if its owner always passes.
    Unconditional,
    /// It is held if its owner answers the opponent's moves.
    Static,
    /// The point is held so, but not the stone on it: it stands in territory of
    /// its own side, where it may be taken.
    Inside,
    /// A search proved that a chain is taken, or that it is not.
    Search,
    /// Most playouts ended so.
    #[default]
    Playouts,
}

/// What is judged of a finished position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Stones judged dead, as points, ascending.
    pub dead: Vec<Point>,
    /// Stones whose status stayed unclear (left alive), one stone per chain.
    pub unsure: Vec<Point>,
    /// Mean owner by playouts per board array index: -1.0 second player .. 1.0
    /// first player. Settled points are ±1.
    pub ownership: Vec<f32>,
    /// How each point was decided, by board array index.
    pub grounds: Vec<Grounds>,
    /// How clear the status of the chains is.
    pub clarity: Clarity,
}

/// How clear the status of the chains of a position is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clarity {
    /// How much of the playouts the least clear chain keeps or loses its points:
    /// 0.0 in half of them, 1.0 in all.
    pub least: f32,
    /// What chains lack of 1.0, times their stones, summed up.
    pub weak: f32,
    /// Stones of chains that are not clear by far.
    pub unsettled: u32,
    /// Living chains with one liberty.
    pub atari: u32,
}

impl Default for Clarity {
    /// Nothing is unclear.
    fn default() -> Self {
        Self {
            least: 1.0,
            weak: 0.0,
            unsettled: 0,
            atari: 0,
        }
    }
}

/// Judge of dead stones with its scratch memory: one per worker.
#[derive(Clone, Debug, Default)]
pub struct DeadStones {
    arena: Arena,
    log: Sums,
    table: local::Table,
}

/// Owners of points summed over playouts.
#[derive(Clone, Debug, Default)]
struct Sums {
    by_point: Vec<i32>,
    playouts: u32,
    /// Moves of all playouts together.
    moves: usize,
}

impl Verdict {
    /// Why a chain is left alive although most playouts lose it, if that is so.
    pub(super) fn alive_because(&self, board: &Board, head: Point) -> Option<&'static str> {
        let mean = |stone: Point| mean_of(board, &self.ownership, stone);
        if mean(head) >= 0.0 || self.dead.binary_search(&head).is_ok() {
            None
        } else if decide::connects(board, head, mean) {
            Some("can connect")
        } else {
            let near = board.chain(head).flat_map(|stone| board.neighbours(stone));
            let mut dead = near.filter(|near| self.dead.binary_search(near).is_ok());
            dead.next().map(|_| "beside dead stones")
        }
    }
}

impl DeadStones {
    /// A judge without any memory of a position yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Judges a position whose chains are up to date.
    ///
    /// `suicide` says whether suicide of several stones is legal. The ko point
    /// and whose turn it is do not matter: the position is finished.
    #[must_use]
    pub fn judge(&mut self, board: &Board, suicide: bool) -> Verdict {
        let turned = canonical(board);
        let mut settled = settled(board, &turned, suicide);
        self.sample(&turned.board, &settled.owner);
        let owners = self.owners(board, &turned, &settled.owner);
        let found = self.read(&turned, &settled.owner, &owners, suicide);
        for &(stone, _) in &found {
            for member in turned.board.chain(stone) {
                settled.grounds[usize::from(member)] = Grounds::Search;
            }
        }
        let decision = decide::decide(&turned.board, &owners, &found);
        map_back(board, &turned, &owners, &settled.grounds, &decision)
    }

    /// What a search proves of the chains that playouts leave unclear.
    ///
    /// How far it comes depends on the order of points, so it is left alone
    /// where a symmetry maps points of the position to each other.
    fn read(
        &mut self,
        turned: &Canonical,
        settled: &[Option<Side>],
        owners: &[f32],
        suicide: bool,
    ) -> Vec<(Point, local::Status)> {
        if turned.ways.len() > 1 {
            return Vec::new();
        }
        let view = local::View::new(&turned.board, suicide, settled, owners);
        view.read(&mut self.table)
    }

    /// Plays until every chain is clear or there have been enough playouts.
    fn sample(&mut self, board: &Board, settled: &[Option<Side>]) {
        self.arena.load(board, settled);
        self.log.by_point.clear();
        self.log.by_point.resize(board.length(), 0);
        self.log.playouts = 0;
        self.log.moves = 0;
        let points: Vec<Point> = board
            .points()
            .filter(|&point| settled[usize::from(point)].is_none())
            .collect();
        if points
            .iter()
            .all(|&point| board.cell(point).side().is_none())
        {
            return;
        }
        let mut random = Random::new(board.hash());
        while self.log.playouts < MAX_PLAYOUTS && self.log.moves < MAX_MOVES {
            for _ in 0..ROUND / 2 {
                // Each side has the first move once.
                self.play_out(&mut random, &points, Side::First);
                self.play_out(&mut random, &points, Side::Second);
            }
            let enough = ERRORS / (self.log.playouts as f32).sqrt();
            let mean = |stone: Point| match (settled[usize::from(stone)], board.cell(stone).side())
            {
                (Some(owner), Some(side)) => (owner.sign() * side.sign()) as f32,
                (None, Some(side)) => side.sign() as f32 * self.log.mean_of_chain(board, stone),
                (_, None) => 0.0,
            };
            let is_unclear = |point: &Point| {
                board.cell(*point).side().is_some()
                    && board.head(*point) == *point
                    && mean(*point).abs() < enough
                    && !decide::connects(board, *point, mean)
            };
            if !points.iter().any(is_unclear) {
                return;
            }
        }
    }

    /// One playout with a side to move first.
    fn play_out(&mut self, random: &mut Random, points: &[Point], first: Side) {
        self.arena.reset();
        let mut game = Game::new(random);
        self.log.moves +=
            policy::play_out(&mut self.arena, random, &mut game, first, 3 * points.len());
        for &point in points {
            let sign = self.arena.owner(point).map_or(0, Side::sign);
            self.log.by_point[usize::from(point)] += sign;
        }
        self.log.playouts += 1;
    }

    /// Mean owners, the same for points that a symmetry of the position maps
    /// to each other.
    fn owners(&self, board: &Board, turned: &Canonical, settled: &[Option<Side>]) -> Vec<f32> {
        let mut sums = vec![0i32; board.length()];
        for way in &turned.ways {
            for (to, from) in way.sources(board, &turned.board) {
                sums[usize::from(from)] += way.sign() * self.log.by_point[usize::from(to)];
            }
        }
        let games = self.log.playouts.max(1) as f32 * turned.ways.len() as f32;
        let mut owners = vec![0.0; turned.board.length()];
        if let Some(way) = turned.ways.first() {
            for (to, from) in way.sources(board, &turned.board) {
                owners[usize::from(to)] = match settled[usize::from(to)] {
                    Some(side) => side.sign() as f32,
                    None => (way.sign() * sums[usize::from(from)]) as f32 / games,
                };
            }
        }
        owners
    }
}

impl Sums {
    /// Mean owner of the points of a chain.
    fn mean_of_chain(&self, board: &Board, stone: Point) -> f32 {
        let sum: i32 = board
            .chain(stone)
            .map(|member| self.by_point[usize::from(member)])
            .sum();
        sum as f32 / (f32::from(board.stones(stone)) * self.playouts.max(1) as f32)
    }
}

/// By array index of the turned board: who holds a point without playouts.
///
/// What is found depends on the order of points, so a point that a symmetry of
/// the position maps to one that is not settled alike is left to playouts.
fn settled(board: &Board, turned: &Canonical, suicide: bool) -> Settled {
    let mut settled = safety::settled(&turned.board, suicide);
    if turned.ways.len() < 2 {
        return settled;
    }
    let mut signs: Vec<Option<i32>> = vec![None; board.length()];
    let mut uneven: Vec<bool> = vec![false; board.length()];
    for way in &turned.ways {
        for (to, from) in way.sources(board, &turned.board) {
            let sign = way.sign() * settled.owner[usize::from(to)].map_or(0, Side::sign);
            let first = *signs[usize::from(from)].get_or_insert(sign);
            uneven[usize::from(from)] |= first != sign;
        }
    }
    for way in &turned.ways {
        for (to, from) in way.sources(board, &turned.board) {
            if uneven[usize::from(from)] {
                settled.owner[usize::from(to)] = None;
                settled.grounds[usize::from(to)] = Grounds::Playouts;
            }
        }
    }
    settled
}

/// The verdict on the original board from the decision on the turned one.
fn map_back(
    board: &Board,
    turned: &Canonical,
    owners: &[f32],
    grounds: &[Grounds],
    decision: &Decision,
) -> Verdict {
    let mut verdict = Verdict {
        ownership: vec![0.0; board.length()],
        grounds: vec![Grounds::default(); board.length()],
        clarity: decision.clarity,
        ..Verdict::default()
    };
    let Some(way) = turned.ways.first() else {
        return verdict;
    };
    for (to, from) in way.sources(board, &turned.board) {
        verdict.ownership[usize::from(from)] = way.sign() as f32 * owners[usize::from(to)];
        verdict.grounds[usize::from(from)] = grounds[usize::from(to)];
        if decision.dead[usize::from(to)] {
            verdict.dead.push(from);
        }
        if decision.unsure[usize::from(to)] {
            verdict.unsure.push(from);
        }
    }
    verdict.dead.sort_unstable();
    verdict.unsure.sort_unstable();
    keep_one_of_each_chain(board, &mut verdict.unsure);
    verdict
}

/// Keeps the first stone of each chain.
fn keep_one_of_each_chain(board: &Board, stones: &mut Vec<Point>) {
    let mut seen = vec![false; board.length()];
    stones.retain(|&stone| !std::mem::replace(&mut seen[usize::from(board.head(stone))], true));
}

#[cfg(test)]
mod tests;
