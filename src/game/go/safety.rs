//! Static life and death: what a side holds under alternating play although
//! the opponent moves first, found without a search.
//!
//! [`super::life`] finds what lives although its owner always passes. Here the
//! owner may answer each move of the opponent with one of its own. All answers
//! are fixed beforehand, in *reply sets* that have no point in common, so that
//! no move of the opponent asks for two answers:
//!
//! * A *pair* is two empty points both of which join two blocks of chains: if
//!   the opponent takes one, the owner takes the other. Chains joined so are
//!   one block ([`blocks`]), also by two ways that have no point in common.
//!   Pairs cover points that a block does not touch too ([`cover`]).
//! * A *family* of plans makes an eye, or two, or joins a safe block: whatever
//!   the opponent takes of it, a plan is left whose first move is the answer
//!   ([`eyes`], [`plans`]).
//!
//! An eye of a block is a set of points closed by kept chains and played
//! stones, each of them a liberty of the block if it is empty. It cannot be
//! filled: the last stone would be suicide, or the owner's stone that closes
//! the eye takes those in it. Stones of the opponent in it may be taken by an
//! answer, so their points must touch the block too, unless no answer is ever
//! played there and suicide is illegal. A block with two eyes is kept, others
//! are dropped, until nothing changes; what is left is safe:
//!
//! * A chain that is not joined with all of its block yet has both points of
//!   an untouched pair as liberties. All others have the two eyes of the block;
//!   an eye that is still to be made has two untouched liberties at least.
//! * So no move takes a kept chain, and every answer is legal: it is an empty
//!   point next to its block, which has a liberty elsewhere. As no answer
//!   depends on taking back a stone, and each adds a stone that stays, neither
//!   ko nor superko forbids it.
//!
//! After M. Müller, *Playing it safe: recognizing secure territories in
//! computer Go by using static rules and search* (1997), whose 1-vital and
//! 2-vital regions are the eyes of closed regions here.

mod blocks;
mod cover;
mod eyes;
mod hold;
mod plans;

use crate::{
    game::go::{
        board::{Board, Cell, Point},
        dead::Grounds,
        life,
    },
    outcome::Side,
};

/// What is settled of a position, by board array index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settled {
    /// Who holds a point for good.
    pub(crate) owner: Vec<Option<Side>>,
    /// How each was decided.
    pub(crate) grounds: Vec<Grounds>,
}

/// Finds what each side holds. `suicide` says whether suicide of several stones
/// is legal. The chains of the board must be up to date.
#[must_use]
pub(crate) fn settled(board: &Board, suicide: bool) -> Settled {
    let mut settled = Settled {
        owner: vec![None; board.length()],
        grounds: vec![Grounds::Playouts; board.length()],
    };
    for side in [Side::First, Side::Second] {
        let life = life::unconditional(board, side, suicide);
        let mut view = View::new(board, side, suicide);
        view.keep_safe();
        let held = view.hold();
        for point in board.points() {
            let at = usize::from(point);
            if life.holds(point) {
                settled.owner[at] = Some(side);
                settled.grounds[at] = Grounds::Unconditional;
            } else if (view.kept[at] || held[at]) && settled.owner[at].is_none() {
                settled.owner[at] = Some(side);
                // A stone there may be taken, although the point is held.
                let is_inside = board.cell(point) == Cell::stone(side) && !view.kept[at];
                settled.grounds[at] = if is_inside {
                    Grounds::Inside
                } else {
                    Grounds::Static
                };
            }
        }
    }
    settled
}

/// No block, or no region.
const NONE: u16 = u16::MAX;

/// A position as one side sees it.
struct View<'a> {
    board: &'a Board,
    own: Cell,
    suicide: bool,
    /// Stones of chains that may still be safe, by point like all that follow.
    kept: Vec<bool>,
    /// The block of a kept stone.
    block: Vec<u16>,
    /// Number of blocks.
    blocks: u16,
    /// The other point of a pair; 0 is none.
    partner: Vec<Point>,
    /// Points of families that join blocks.
    linked: Vec<bool>,
    /// Points of families that make eyes.
    taken: Vec<bool>,
    /// The region of a point without a kept stone.
    region: Vec<u16>,
    regions: Vec<Vec<Point>>,
    /// By region: whether an eye in it depends on no answer there.
    quiet: Vec<bool>,
    /// By region: whether it is an eye of a block as it is.
    sealed: Vec<bool>,
    /// By region: whether a safe block touches or will touch all of it.
    shut: Vec<bool>,
}

impl<'a> View<'a> {
    fn new(board: &'a Board, side: Side, suicide: bool) -> Self {
        let length = board.length();
        let own = Cell::stone(side);
        let mut kept = vec![false; length];
        for point in board.points() {
            kept[usize::from(point)] = board.cell(point) == own;
        }
        Self {
            board,
            own,
            suicide,
            kept,
            block: vec![NONE; length],
            blocks: 0,
            partner: vec![0; length],
            linked: vec![false; length],
            taken: vec![false; length],
            region: vec![NONE; length],
            regions: Vec::new(),
            quiet: Vec::new(),
            sealed: Vec::new(),
            shut: Vec::new(),
        }
    }

    /// Drops blocks without two eyes until all that are left have them.
    fn keep_safe(&mut self) {
        loop {
            self.find_regions();
            self.find_blocks();
            let safe = self.find_eyes();
            let mut dropped = false;
            for point in self.board.points() {
                let at = usize::from(point);
                if self.kept[at] && !safe[usize::from(self.block[at])] {
                    self.kept[at] = false;
                    dropped = true;
                }
            }
            if !dropped {
                return;
            }
        }
    }

    /// Finds the connected sets of points without a kept stone.
    fn find_regions(&mut self) {
        self.region.fill(NONE);
        self.regions.clear();
        for start in self.board.points() {
            if self.kept[usize::from(start)] || self.region[usize::from(start)] != NONE {
                continue;
            }
            let number = self.regions.len() as u16;
            let mut points = vec![start];
            self.region[usize::from(start)] = number;
            let mut next = 0;
            while let Some(&point) = points.get(next) {
                next += 1;
                for near in self.board.neighbours(point) {
                    let at = usize::from(near);
                    if self.board.cell(near) != Cell::Border
                        && !self.kept[at]
                        && self.region[at] == NONE
                    {
                        self.region[at] = number;
                        points.push(near);
                    }
                }
            }
            self.regions.push(points);
        }
        self.quiet.clear();
        self.quiet.resize(self.regions.len(), false);
        self.sealed.clear();
        self.sealed.resize(self.regions.len(), false);
        self.shut.clear();
        self.shut.resize(self.regions.len(), false);
    }

    /// Whether a point is empty and in no reply set.
    fn is_free(&self, point: Point) -> bool {
        let at = usize::from(point);
        self.board.cell(point) == Cell::Empty
            && self.partner[at] == 0
            && !self.linked[at]
            && !self.taken[at]
    }

    /// The blocks of the kept stones next to a point, without repetition.
    fn blocks_beside(&self, point: Point) -> ([u16; 4], usize) {
        let mut found = [NONE; 4];
        let mut count = 0;
        for near in self.board.neighbours(point) {
            let at = usize::from(near);
            if self.kept[at] && !found[..count].contains(&self.block[at]) {
                found[count] = self.block[at];
                count += 1;
            }
        }
        (found, count)
    }
}

#[cfg(test)]
mod tests;
