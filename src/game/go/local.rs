//! Search for the status of chains that playouts leave unclear.
//!
//! A *zone* is what is reached from a chain without crossing a stone that is
//! settled or clear. Such stones are taken to stay. In the zone, a proof is
//! looked for that the chain is taken for good although its owner moves first,
//! or that it is not although the opponent does. Taken for good is: the owner
//! has no lasting stone on its points afterwards, so that a snapback is no
//! capture (the Japanese rules of 1989 define dead stones so, article 7).
//!
//! Proofs are exact, and no ko is counted for the side that proves: it never
//! takes back at once, its opponent always may, and a position that comes again
//! proves nothing. Where neither is proved, as in a ko, where the first move
//! decides, or for lack of nodes, nothing is said. A chain that is not taken
//! may have two eyes, or the opponent would be taken itself: a seki.

mod border;
mod position;
mod search;
mod zone;

use crate::{
    game::go::{
        board::{Board, Point},
        dead::mean_of,
    },
    outcome::Side,
};
use position::{Position, Question};
pub(super) use search::Table;
use zone::{ATTACKER, DEFENDER, Zone};

/// Chains whose mean is nearer to nothing than this are asked about.
const UNCLEAR: f32 = 0.6;

/// Positions looked at for a proof of what playouts say, of the contrary, and
/// for one board.
const FEW_NODES: u32 = 150;
const MANY_NODES: u32 = 800;
const MOST_NODES: u32 = 3_000;

/// What is proved of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// It is taken even if it moves first.
    Dead,
    /// It is not taken even if the opponent moves first.
    Alive,
}

/// A position with what is known of it before the search.
pub(super) struct View<'a> {
    board: &'a Board,
    suicide: bool,
    /// Who holds a point for good, by board array index.
    settled: &'a [Option<Side>],
    /// Mean owners, by board array index.
    owners: &'a [f32],
    /// How much the chain of each stone keeps its points: -1 to 1.
    means: Vec<f32>,
}

impl<'a> View<'a> {
    /// A position with who holds points for good, and mean owners, both by board
    /// array index.
    pub(super) fn new(
        board: &'a Board,
        suicide: bool,
        settled: &'a [Option<Side>],
        owners: &'a [f32],
    ) -> Self {
        let mut means = vec![0.0; board.length()];
        for point in board.points() {
            if board.cell(point).side().is_some() && board.head(point) == point {
                let mean = mean_of(board, owners, point);
                for member in board.chain(point) {
                    means[usize::from(member)] = mean;
                }
            }
        }
        Self {
            board,
            suicide,
            settled,
            owners,
            means,
        }
    }
}

impl View<'_> {
    /// Reads the unclear chains: heads with what is proved of them.
    pub(super) fn read(&self, table: &mut Table) -> Vec<(Point, Status)> {
        let board = self.board;
        let mut found = Vec::new();
        let mut left = MOST_NODES;
        for point in board.points() {
            if board.cell(point).side().is_some()
                && board.head(point) == point
                && self.mean(point).abs() < UNCLEAR
                && let Some(status) = self.status(point, table, &mut left)
            {
                found.push((point, status));
            }
        }
        self.drop_dead_neighbours(&mut found);
        found
    }

    /// Of two chains of different colours that touch, one lives: each of them
    /// may be taken at the cost of the other.
    fn drop_dead_neighbours(&self, found: &mut Vec<(Point, Status)>) {
        let board = self.board;
        let dead: Vec<Point> = found
            .iter()
            .filter(|(_, status)| *status == Status::Dead)
            .map(|&(head, _)| head)
            .collect();
        found.retain(|&(head, status)| {
            let mut around = board.chain(head).flat_map(|stone| board.neighbours(stone));
            let touches_dead = around.any(|near| {
                board.cell(near).side() == board.cell(head).side().map(Side::other)
                    && dead.contains(&board.head(near))
            });
            status != Status::Dead || !touches_dead
        });
    }

    /// What is proved of one chain, within some nodes, which are taken off.
    fn status(&self, stone: Point, table: &mut Table, left: &mut u32) -> Option<Status> {
        let zone = self.zone(stone)?;
        let mut proves = |status, most: u32| {
            let mut nodes = most.min(*left);
            *left -= nodes;
            let (prover, mover) = match status {
                Status::Dead => (ATTACKER, DEFENDER),
                Status::Alive => (DEFENDER, ATTACKER),
            };
            let proved = self.proves(&zone, stone, (prover, mover), table, &mut nodes);
            *left += nodes;
            proved.then_some(status)
        };
        // What playouts say is mostly right, and then soon proved.
        let (likely, other) = if self.mean(stone) < 0.0 {
            (Status::Dead, Status::Alive)
        } else {
            (Status::Alive, Status::Dead)
        };
        proves(likely, FEW_NODES).or_else(|| proves(other, MANY_NODES))
    }

    /// Whether one side is shown to win where one side moves first.
    fn proves(
        &self,
        zone: &Zone,
        stone: Point,
        (prover, mover): (usize, usize),
        table: &mut Table,
        nodes: &mut u32,
    ) -> bool {
        let board = self.board;
        let Some(defender) = board.cell(stone).side() else {
            return false;
        };
        let head = board.head(stone);
        let is_target =
            |point: Point| board.cell(point).side() == Some(defender) && board.head(point) == head;
        let target = (0..)
            .zip(&zone.points)
            .filter(|&(_, &point)| is_target(point))
            .fold(0, |set, (bit, _)| set | 1 << bit);
        let question = Question {
            zone,
            target,
            prover,
        };
        let start = Position {
            stones: zone.stones(board, defender),
            mover,
            ..Position::default()
        };
        search::proves(question, &start, table, nodes)
    }
}

#[cfg(test)]
mod tests;
