//! From mean owners to dead chains and a confidence.

use crate::{
    game::go::{
        board::{Board, Cell, Point},
        local::Status,
    },
    outcome::Side,
};

/// A chain is called unsure if it is left alive although the opponent holds
/// it in at least a third of the playouts.
const SURE: f32 = 1.0 / 3.0;

/// The decision on a board, tables by array index.
pub(super) struct Decision {
    /// Dead stones.
    pub(super) dead: Vec<bool>,
    /// Stones of chains that are left alive without being sure.
    pub(super) unsure: Vec<bool>,
    /// Probability that the score is the agreed one.
    pub(super) confidence: f32,
}

/// A chain and how much of the playouts it keeps its points: -1 to 1.
#[derive(Clone, Copy)]
struct Fate {
    head: Point,
    mean: f32,
}

/// Decides which chains are dead.
///
/// `found` is what a search proved of some, by their heads.
pub(super) fn decide(board: &Board, owners: &[f32], found: &[(Point, Status)]) -> Decision {
    let mut fates: Vec<Fate> = board
        .points()
        .filter_map(|point| fate(board, owners, point))
        .collect();
    // The most certainly dead first.
    fates.sort_by(|one, two| one.mean.total_cmp(&two.mean));
    let mut decision = Decision {
        dead: vec![false; board.length()],
        unsure: vec![false; board.length()],
        confidence: 0.0,
    };
    let mut means = vec![0.0; board.length()];
    for fate in &fates {
        means[usize::from(fate.head)] = fate.mean;
    }
    let mut least = 1.0f32;
    for fate in &fates {
        least = least.min(fate.mean.abs());
        // Dead is only what dies even if it moves first; and of two chains of
        // different colours that touch, one lives.
        let proved = found.iter().find(|(head, _)| *head == fate.head);
        let (dead, unsure) = match proved {
            Some((_, Status::Dead)) => (true, false),
            Some((_, Status::Alive)) => (false, false),
            None => {
                let dead = fate.mean < 0.0
                    && !connects(board, fate.head, |stone| {
                        means[usize::from(board.head(stone))]
                    })
                    && !touches_dead_enemy(board, &decision.dead, fate.head);
                (dead, !dead && fate.mean < SURE)
            }
        };
        for stone in board.chain(fate.head) {
            decision.dead[usize::from(stone)] = dead;
            decision.unsure[usize::from(stone)] = unsure;
        }
    }
    decision.confidence = confidence(least);
    decision
}

/// The fate of a chain, if a point is its head.
fn fate(board: &Board, owners: &[f32], point: Point) -> Option<Fate> {
    let side = board.cell(point).side()?;
    (board.head(point) == point).then(|| {
        let sum: f32 = board
            .chain(point)
            .map(|member| owners[usize::from(member)])
            .sum();
        Fate {
            head: point,
            mean: side.sign() as f32 * sum / f32::from(board.stones(point)),
        }
    })
}

/// Whether a chain reaches a living one of its side by one move, as stones in
/// atari at a border do. Playouts lose these in half of the games. `mean` says
/// how much the chain of an own stone keeps its points: -1 to 1.
pub(super) fn connects(board: &Board, head: Point, mean: impl Fn(Point) -> f32) -> bool {
    let own = board.cell(head);
    let lives = |stone: Point| {
        board.cell(stone) == own
            && mean(stone) > SURE
            // With two left when the move has taken one.
            && board.liberties(stone, 3) > 2
    };
    let empty = board
        .chain(head)
        .flat_map(|member| board.neighbours(member))
        .filter(|near| board.cell(*near) == Cell::Empty);
    let mut beyond = empty.flat_map(|point| board.neighbours(point));
    beyond.any(|stone| lives(stone) && board.head(stone) != head)
}

/// Whether a stone of the opponent next to a chain is dead.
fn touches_dead_enemy(board: &Board, dead: &[bool], head: Point) -> bool {
    let enemy = board.cell(head).side().map(Side::other);
    board.chain(head).any(|member| {
        board
            .neighbours(member)
            .into_iter()
            .any(|near| dead[usize::from(near)] && board.cell(near).side() == enemy)
    })
}

/// By the certainty of the least certain chain, the share of positions whose
/// dead stones were all as agreed: on half of 3,156 counted records, next to
/// those that were clear.
const RATES: [(f32, f32); 4] = [
    (0.2, 0.70),
    (0.4, 0.83),
    (0.6, 0.95),
    (f32::INFINITY, 0.997),
];

/// The probability that goes with the certainty of the least certain chain.
fn confidence(least: f32) -> f32 {
    RATES
        .into_iter()
        .find(|&(below, _)| least < below)
        .map_or(0.0, |(_, rate)| rate)
}
