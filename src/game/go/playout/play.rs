//! What moves change on the board of the playouts.

use super::{
    Arena, Liberties,
    place::{Chain, Directions, opposite},
};
use crate::{
    game::go::board::{Cell, Point},
    outcome::Side,
};

impl Arena {
    pub(super) fn note_empty(&mut self, point: Point) {
        self.now.slots[point] = self.now.empties.len() as u16;
        self.now.empties.push(point);
    }

    fn forget_empty(&mut self, point: Point) {
        let slot = self.now.slots[point];
        if let Some(last) = self.now.empties.pop()
            && last != point
        {
            self.now.empties[usize::from(slot)] = last;
            self.now.slots[last] = slot;
        }
    }

    /// Makes a chain of one stone, counting its empty neighbours.
    pub(super) fn start_chain(&mut self, point: Point) {
        let mut chain = Chain::STONE;
        for near in self.empty_beside(point) {
            chain.add(near);
        }
        self.put_chain(point, chain);
    }

    fn put_chain(&mut self, point: Point, chain: Chain) {
        let place = &mut self.now.places[point];
        place.head = point;
        place.next = point;
        self.now.chains[point] = chain;
    }

    /// Gives a chain liberties on the border, two of them so that it is never
    /// in atari, and so often that they never need be named.
    pub(super) fn make_immortal(&mut self, stone: Point) {
        const TIMES: u16 = 4 * Liberties::MAX as u16 + 1;
        let chain = &mut self.now.chains[stone];
        chain.add_times(0, TIMES);
        chain.add_times(1, TIMES);
    }

    /// Joins the chains of two stones, relabelling the smaller one.
    pub(super) fn join(&mut self, one: Point, two: Point) {
        let (mut keep, mut lose) = (self.head(one), self.head(two));
        if keep == lose {
            return;
        }
        if self.now.chains[keep].stones < self.now.chains[lose].stones {
            std::mem::swap(&mut keep, &mut lose);
        }
        let lost = self.now.chains[lose];
        self.now.chains[keep].absorb(lost);
        let mut at = lose;
        loop {
            let place = &mut self.now.places[at];
            place.head = keep;
            at = place.next;
            if at == lose {
                break;
            }
        }
        let following = self.now.places[keep].next;
        self.now.places[keep].next = std::mem::replace(&mut self.now.places[lose].next, following);
    }

    fn remove_chain(&mut self, stone: Point) {
        let Some(side) = self.cell(stone).side() else {
            return;
        };
        let mut at = stone;
        loop {
            let following = self.now.places[at].next;
            self.now.places[at].cell = Cell::Empty;
            self.note_empty(at);
            self.taken.push(at);
            for direction in 0..self.steps.len() {
                let near = self.step(at, direction);
                self.now.places[near].stones[side.index()] &= !(1 << opposite(direction));
            }
            let place = self.now.places[at];
            for direction in Directions(place.beside(side) | place.beside(side.other())) {
                let head = self.head(self.step(at, direction));
                self.now.chains[head].add(at);
            }
            if following == stone {
                break;
            }
            at = following;
        }
    }

    /// Plays a legal move.
    pub(crate) fn play(&mut self, side: Side, point: Point) {
        self.taken.clear();
        self.forget_empty(point);
        for direction in 0..self.steps.len() {
            let near = self.step(point, direction);
            self.now.places[near].stones[side.index()] |= 1 << opposite(direction);
        }
        self.now.places[point].cell = Cell::stone(side);
        self.start_chain(point);
        let place = self.now.places[point];
        let (own, enemies) = (place.beside(side), place.beside(side.other()));
        for direction in Directions(own | enemies) {
            let head = self.head(self.step(point, direction));
            self.now.chains[head].remove(point);
        }
        for direction in Directions(own) {
            self.join(point, self.step(point, direction));
        }
        for direction in Directions(enemies) {
            let near = self.step(point, direction);
            // A chain may be beside the point twice, and taken already.
            if self.cell(near) != Cell::Empty && self.chain_of(near).libs == 0 {
                self.remove_chain(near);
            }
        }
        let chain = self.chain_of(point);
        self.ko = match self.taken.as_slice() {
            &[taken] if chain.stones == 1 && chain.libs == 1 => taken,
            _ => 0,
        };
    }

    /// A pass.
    pub(crate) fn pass(&mut self) {
        self.ko = 0;
        self.taken.clear();
    }
}
