//! Unconditional life: chains that live even if their owner always passes.
//!
//! D. B. Benson, *Life in the game of Go*, Information Sciences 10 (1976),
//! 17-29. Regions are the connected sets of points without an own stone. A
//! region is vital to a chain if each of its empty points is a liberty of the
//! chain; where suicide of several stones is legal, each of its points must
//! touch the chain, stones of the opponent included. Chains with fewer than two
//! vital regions are dropped, then regions that touch a dropped chain, until
//! nothing changes. What is left lives.

use crate::{
    game::go::board::{Board, Cell, Point},
    outcome::Side,
};

/// What one side holds whatever happens.
#[derive(Clone, Debug, Default)]
pub struct Life {
    /// By board array index: stones that live unconditionally.
    pub alive: Vec<bool>,
    /// By board array index: empty points and opposing stones that can only
    /// end as points of this side.
    pub territory: Vec<bool>,
}

impl Life {
    /// Whether a point is settled for the side.
    #[must_use]
    pub fn holds(&self, point: Point) -> bool {
        self.alive[usize::from(point)] || self.territory[usize::from(point)]
    }
}

/// A connected set of points without an own stone.
#[derive(Default)]
struct Region {
    points: Vec<Point>,
    /// Own chains around it, by head, with the number of the region's
    /// decisive points that touch each of them.
    around: Vec<(Point, u32)>,
    /// Points that must all touch a chain for the region to be vital to it.
    decisive: u32,
    /// Points that touch no own stone.
    interior: u32,
    kept: bool,
}

impl Region {
    fn is_vital_to(&self, head: Point) -> bool {
        self.decisive > 0
            && self
                .around
                .iter()
                .any(|&(chain, touching)| chain == head && touching == self.decisive)
    }
}

/// Finds the chains of a side that live unconditionally and what they hold.
///
/// `suicide` says whether suicide of several stones is legal. The chains of the
/// board must be up to date.
#[must_use]
pub fn unconditional(board: &Board, side: Side, suicide: bool) -> Life {
    let own = Cell::stone(side);
    let mut regions = regions(board, own, suicide);
    let mut chains: Vec<Point> = board
        .points()
        .filter(|&point| board.cell(point) == own && board.head(point) == point)
        .collect();
    let mut dropped = vec![false; board.length()];
    loop {
        let before = chains.len();
        let vital = count_vital(&regions, board.length());
        chains.retain(|&head| {
            let lives = vital[usize::from(head)] >= 2;
            dropped[usize::from(head)] |= !lives;
            lives
        });
        if chains.len() == before {
            break;
        }
        for region in &mut regions {
            region.kept &= !region
                .around
                .iter()
                .any(|&(head, _)| dropped[usize::from(head)]);
        }
    }
    let mut life = Life {
        alive: vec![false; board.length()],
        territory: vec![false; board.length()],
    };
    for &head in &chains {
        for stone in board.chain(head) {
            life.alive[usize::from(stone)] = true;
        }
    }
    // An eye needs a point that no living stone touches, and life needs two
    // eyes: with one such point or none the opponent cannot live inside.
    for region in &regions {
        if region.kept && !region.around.is_empty() && region.interior <= 1 {
            for &point in &region.points {
                life.territory[usize::from(point)] = true;
            }
        }
    }
    life
}

/// By head point: in how many kept regions a chain has a vital one.
fn count_vital(regions: &[Region], length: usize) -> Vec<u16> {
    let mut vital = vec![0u16; length];
    for region in regions.iter().filter(|region| region.kept) {
        for &(head, _) in &region.around {
            if region.is_vital_to(head) {
                vital[usize::from(head)] += 1;
            }
        }
    }
    vital
}

/// All regions of points without an own stone.
fn regions(board: &Board, own: Cell, suicide: bool) -> Vec<Region> {
    let mut seen = vec![false; board.length()];
    let mut found = Vec::new();
    for start in board.points() {
        if seen[usize::from(start)] || board.cell(start) == own {
            continue;
        }
        seen[usize::from(start)] = true;
        let mut region = Region {
            points: vec![start],
            kept: true,
            ..Region::default()
        };
        let mut next = 0;
        while let Some(&point) = region.points.get(next) {
            next += 1;
            for near in board.neighbours(point) {
                let cell = board.cell(near);
                if cell != own && cell != Cell::Border && !seen[usize::from(near)] {
                    seen[usize::from(near)] = true;
                    region.points.push(near);
                }
            }
            note_chains(board, own, suicide, point, &mut region);
        }
        found.push(region);
    }
    found
}

/// Counts one point of a region for the own chains that it touches.
fn note_chains(board: &Board, own: Cell, suicide: bool, point: Point, region: &mut Region) {
    let decisive = u32::from(suicide || board.cell(point) == Cell::Empty);
    region.decisive += decisive;
    let mut touched: [Point; 4] = [0; 4];
    let mut count = 0;
    for near in board.neighbours(point) {
        if board.cell(near) != own {
            continue;
        }
        let head = board.head(near);
        if touched[..count].contains(&head) {
            continue;
        }
        touched[count] = head;
        count += 1;
        match region.around.iter_mut().find(|(chain, _)| *chain == head) {
            Some((_, touching)) => *touching += decisive,
            None => region.around.push((head, decisive)),
        }
    }
    region.interior += u32::from(count == 0);
}
