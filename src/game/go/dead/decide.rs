//! From mean owners to dead chains and how clear they are.

use super::Clarity;
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

/// The status of a chain that keeps or loses its points by less is unsettled.
const SETTLED: f32 = 0.4;

/// Means are told apart by one such part.
const STEPS: f32 = 4096.0;

/// The decision on a board, tables by array index.
pub(super) struct Decision {
    /// Dead stones.
    pub(super) dead: Vec<bool>,
    /// Stones of chains that are left alive without being sure.
    pub(super) unsure: Vec<bool>,
    pub(super) clarity: Clarity,
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
        clarity: Clarity::default(),
    };
    let mut means = vec![0.0; board.length()];
    for fate in &fates {
        means[usize::from(fate.head)] = fate.mean;
    }
    // Chains of one mean are judged by what was decided before them, so that
    // their order does not matter.
    for fates in fates.chunk_by(|one, other| one.mean == other.mean) {
        let fallen: Vec<bool> = fates
            .iter()
            .map(|fate| falls(board, fate, found, &means, &decision.dead))
            .collect();
        for (fate, falls) in fates.iter().zip(&fallen) {
            let is_proved = found.iter().any(|(head, _)| *head == fate.head);
            let at_once = fates.iter().zip(&fallen).any(|(other, falls)| {
                *falls && touches(board, fate.head, |stone| board.head(stone) == other.head)
            });
            let dead = *falls && (is_proved || !at_once);
            decision.add(board, fate, dead, is_proved);
        }
    }
    decision
}

/// Whether a chain is dead: as a search found, or where playouts lose it even
/// though it moves first, and no dead chain of the opponent touches it.
fn falls(
    board: &Board,
    fate: &Fate,
    found: &[(Point, Status)],
    means: &[f32],
    dead: &[bool],
) -> bool {
    match found.iter().find(|(head, _)| *head == fate.head) {
        Some((_, status)) => *status == Status::Dead,
        None => {
            fate.mean < 0.0
                && !connects(board, fate.head, |stone| {
                    means[usize::from(board.head(stone))]
                })
                && !touches(board, fate.head, |stone| dead[usize::from(stone)])
        }
    }
}

impl Decision {
    /// Takes in what became of a chain.
    fn add(&mut self, board: &Board, fate: &Fate, dead: bool, is_proved: bool) {
        let clear = match (is_proved, dead, fate.mean) {
            (true, ..) => 1.0,
            // Left alive although the playouts lose it.
            (false, false, ..0.0) => 0.0,
            _ => fate.mean.abs(),
        };
        let stones = board.stones(fate.head);
        let clarity = &mut self.clarity;
        clarity.least = clarity.least.min(clear);
        clarity.weak += (1.0 - clear) * f32::from(stones);
        if clear < SETTLED {
            clarity.unsettled += u32::from(stones);
        }
        clarity.atari += u32::from(!dead && board.liberties(fate.head, 2) == 1);
        let unsure = !dead && !is_proved && fate.mean < SURE;
        for stone in board.chain(fate.head) {
            self.dead[usize::from(stone)] = dead;
            self.unsure[usize::from(stone)] = unsure;
        }
    }
}

/// How much the chain of a stone keeps its points, by their mean owners: -1 to 1.
pub(in crate::game::go) fn mean_of(board: &Board, owners: &[f32], stone: Point) -> f32 {
    let sum: f32 = board
        .chain(stone)
        .map(|member| owners[usize::from(member)])
        .sum();
    let sign = board.cell(stone).side().map_or(0, Side::sign);
    sign as f32 * sum / f32::from(board.stones(stone))
}

/// The fate of a chain, if a point is its head.
fn fate(board: &Board, owners: &[f32], point: Point) -> Option<Fate> {
    board.cell(point).side()?;
    (board.head(point) == point).then(|| {
        let mean = mean_of(board, owners, point);
        Fate {
            head: point,
            // Chains alike are so whatever the order of their stones.
            mean: (mean * STEPS).round() / STEPS,
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

/// Whether a stone of the opponent next to a chain is one of some.
fn touches(board: &Board, head: Point, is_one: impl Fn(Point) -> bool) -> bool {
    let enemy = board.cell(head).side().map(Side::other);
    let mut near = board
        .chain(head)
        .flat_map(|member| board.neighbours(member));
    near.any(|stone| board.cell(stone).side() == enemy && is_one(stone))
}
