//! Which groups live by themselves, which are in seki, and which surrounded
//! points must be filled: what strict territory counting and taxes ask for.
//!
//! All of it is shape, no reading; dead stones are already known. A side's
//! stones and the points it can walk to fall into *groups*. Points where the
//! opponent can be shut out are not passed, so that a border with small gaps
//! still holds. Inside a group, connected points that the opponent cannot
//! reach are an *eye space*. A point of it is a *false eye* if without it the
//! stones around the space would fall apart. What is left of the space is
//! worth no, one or two eyes; a group with less than two is in *seki*.

use super::{
    bits::{
        Bits, NOWHERE, add, beside, both, contains, first_point, points, spread, touches, without,
    },
    score::Position,
};

/// The groups of both sides in one position.
#[derive(Clone, Debug)]
pub(super) struct Territory {
    seki: [Bits; 2],
    must_fill: [Bits; 2],
    living: [u32; 2],
    spaces: Vec<Space>,
}

/// An eye space of one group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Space {
    pub(super) points: Bits,
    /// False eyes.
    cuts: Bits,
    /// What is left without false eyes and the points that capture in them.
    pub(super) core: Bits,
    /// Eyes that the space is worth.
    eyes: u32,
}

/// One side's view of a position.
pub(super) struct View<'a> {
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) own: &'a Bits,
    /// Dead stones of the opponent.
    pub(super) prey: &'a Bits,
    /// Points that only this side can reach.
    private: Bits,
    /// Own stones and the points that they can walk through.
    ground: Bits,
    /// Points where opponents can be shut out.
    pub(super) blocks: Bits,
}

impl Default for Territory {
    fn default() -> Self {
        Self {
            seki: [NOWHERE; 2],
            must_fill: [NOWHERE; 2],
            living: [0; 2],
            spaces: Vec::new(),
        }
    }
}

impl Territory {
    /// Takes over what was found in another way.
    pub(super) const fn set(&mut self, seki: [Bits; 2], living: [u32; 2]) {
        self.seki = seki;
        self.must_fill = [NOWHERE; 2];
        self.living = living;
    }

    /// Groups of each side that live by themselves.
    pub(super) const fn living_groups(&self) -> [u32; 2] {
        self.living
    }

    /// Points of a side's groups that are in seki.
    pub(super) const fn seki(&self, side: usize) -> &Bits {
        &self.seki[side]
    }

    /// Points that a side must fill to connect its stones.
    pub(super) const fn must_fill(&self, side: usize) -> &Bits {
        &self.must_fill[side]
    }

    /// Finds the groups of a position.
    pub(super) fn analyse(&mut self, position: &Position) {
        let blocks = [0, 1].map(|side| find_blocks(position, side));
        let reached = [0, 1].map(|side| walk(position, side, &blocks[1 - side]));
        for side in 0..2 {
            let view = View::new(position, side, &blocks, &reached);
            self.seki[side] = NOWHERE;
            self.must_fill[side] = NOWHERE;
            self.living[side] = 0;
            let mut left = *view.own;
            while let Some(stone) = first_point(&left, view.rows) {
                let group = view.grow(&stone, &view.ground);
                left = without(&left, &group);
                self.judge(&view, side, &group);
            }
        }
    }

    /// Judges one group.
    fn judge(&mut self, view: &View, side: usize, group: &Bits) {
        view.find_spaces(group, &mut self.spaces);
        let eyes: u32 = self.spaces.iter().map(|space| space.eyes).sum();
        if eyes < 2 {
            add(&mut self.seki[side], group);
        } else {
            self.living[side] += view.lives(group, &self.spaces);
        }
        for space in &self.spaces {
            for point in points(&space.cuts, view.rows) {
                if view.must_fill(&point, space, group, &self.spaces) {
                    add(&mut self.must_fill[side], &view.throw_in(&point, space));
                }
            }
        }
    }
}

impl<'a> View<'a> {
    fn new(position: &'a Position, side: usize, blocks: &[Bits; 2], reached: &[Bits; 2]) -> Self {
        let own = &position.stones[side];
        let mut ground = without(&reached[side], &blocks[1 - side]);
        add(&mut ground, own);
        Self {
            columns: position.columns,
            rows: position.rows,
            own,
            prey: &position.dead[1 - side],
            private: without(&reached[side], &reached[1 - side]),
            ground,
            blocks: both(&blocks[side], &reached[1 - side]),
        }
    }

    pub(super) fn grow(&self, seed: &Bits, mask: &Bits) -> Bits {
        let mut set = *seed;
        spread(&mut set, mask, self.columns, self.rows);
        set
    }

    /// Points next to a set, some of which may be in it.
    pub(super) fn around(&self, set: &Bits) -> Bits {
        let mut around = NOWHERE;
        for (row, points) in around.iter_mut().enumerate().take(self.rows) {
            *points = beside(set, row, self.rows);
        }
        around
    }

    /// Finds the eye spaces of a group and what they are worth.
    fn find_spaces(&self, group: &Bits, spaces: &mut Vec<Space>) {
        spaces.clear();
        let mut left = both(group, &self.private);
        while let Some(point) = first_point(&left, self.rows) {
            let points = self.grow(&point, &self.private);
            left = without(&left, &points);
            spaces.push(self.space(points, group));
        }
    }

    fn space(&self, space: Bits, group: &Bits) -> Space {
        let walls = both(&self.around(&space), self.own);
        let mut cuts = NOWHERE;
        for point in points(&both(&space, &self.pinched(group)), self.rows) {
            if self.is_cut(&point, &walls, group) {
                add(&mut cuts, &point);
            }
        }
        let mut thrown = both(&cuts, self.prey);
        let captures = both(&self.around(&thrown), &space);
        add(&mut thrown, &captures);
        let core = without(&without(&space, &cuts), &thrown);
        let mut space = Space {
            points: space,
            cuts,
            core,
            eyes: 0,
        };
        space.eyes = self.eyes(&space, &thrown);
        space
    }

    /// Whether walls would fall apart without a point.
    fn is_cut(&self, point: &Bits, walls: &Bits, group: &Bits) -> bool {
        let Some(wall) = first_point(walls, self.rows) else {
            return false;
        };
        !contains(&self.grow(&wall, &without(group, point)), walls)
    }

    /// Points where a set is divided as far as their eight neighbours show:
    /// only these can be cut points of it.
    pub(super) fn pinched(&self, set: &Bits) -> Bits {
        std::array::from_fn(|row| {
            if row >= self.rows {
                return 0;
            }
            let above = if row > 0 { set[row - 1] } else { 0 };
            let below = set.get(row + 1).copied().unwrap_or(0);
            let (left, right) = (set[row] << 1, set[row] >> 1);
            // A neighbour counts unless the next one around is reached from it.
            let ends = [
                right & !(above >> 1 & above),
                above & !(above << 1 & left),
                left & !(below << 1 & below),
                below & !(below >> 1 & right),
            ];
            let (mut once, mut twice) = (0, 0);
            for end in ends {
                twice |= once & end;
                once |= end;
            }
            set[row] & twice
        })
    }

    /// How many parts of a living group live without the others: parts that
    /// only neutral points join.
    fn lives(&self, group: &Bits, spaces: &[Space]) -> u32 {
        let mut solid = self.private;
        add(&mut solid, self.own);
        let mut left = both(group, self.own);
        let mut lives = 0;
        while let Some(stone) = first_point(&left, self.rows) {
            let part = self.grow(&stone, &solid);
            left = without(&left, &part);
            let inside = spaces.iter().filter(|space| touches(&space.points, &part));
            lives += u32::from(inside.map(|space| space.eyes).sum::<u32>() > 1);
        }
        lives.max(1)
    }

    /// A false eye, and if an opponent's dead stone is in it the points next to
    /// it as well: the stone has to be captured first.
    fn throw_in(&self, point: &Bits, space: &Space) -> Bits {
        let mut lost = *point;
        if touches(point, self.prey) {
            add(&mut lost, &both(&self.around(point), &space.points));
        }
        lost
    }

    /// Whether a false eye must be filled: without it, some of the stones
    /// around it would have no eye.
    fn must_fill(&self, point: &Bits, space: &Space, group: &Bits, spaces: &[Space]) -> bool {
        let rest = without(group, point);
        let mut walls = both(&self.around(&space.points), self.own);
        while let Some(wall) = first_point(&walls, self.rows) {
            let part = self.grow(&wall, &rest);
            walls = without(&walls, &part);
            let has_eye = |space: &Space| space.eyes > 0 && touches(&space.core, &part);
            if !spaces.iter().any(has_eye) {
                return true;
            }
        }
        false
    }
}

/// What a side reaches if it does not pass the points where it is shut out.
fn walk(position: &Position, side: usize, blocks: &Bits) -> Bits {
    let (columns, rows) = (position.columns, position.rows);
    let stones = &position.stones[side];
    let reached = &position.reached[side];
    let passable = without(reached, blocks);
    let mut set = NOWHERE;
    for row in 0..rows {
        set[row] = beside(stones, row, rows) & passable[row];
    }
    spread(&mut set, &passable, columns, rows);
    let mut walked = set;
    for row in 0..rows {
        let near = beside(&set, row, rows) | beside(stones, row, rows);
        walked[row] |= near & blocks[row] & reached[row];
    }
    walked
}

/// Points where a side shuts its opponent out: an opponent's stone there is
/// answered on its far side, and does not get through.
fn find_blocks(position: &Position, side: usize) -> Bits {
    let mut blocks = NOWHERE;
    let look = Look {
        position,
        own: &position.stones[side],
        other: &position.stones[1 - side],
    };
    for (row, blocks) in blocks.iter_mut().enumerate().take(position.rows) {
        let taken = look.own[row] | look.other[row];
        let mut open = position.full_row() & !taken;
        while open != 0 {
            let column = open.trailing_zeros() as usize;
            open &= open - 1;
            if look.is_block(column as i32, row as i32) {
                *blocks |= 1 << column;
            }
        }
    }
    blocks
}

/// Stones seen from a point.
struct Look<'a> {
    position: &'a Position,
    own: &'a Bits,
    other: &'a Bits,
}

impl Look<'_> {
    fn inside(&self, column: i32, row: i32) -> bool {
        (0..self.position.columns as i32).contains(&column)
            && (0..self.position.rows as i32).contains(&row)
    }

    fn is_own(&self, column: i32, row: i32) -> bool {
        self.inside(column, row) && self.own[row as usize] >> column & 1 == 1
    }

    fn is_other(&self, column: i32, row: i32) -> bool {
        self.inside(column, row) && self.other[row as usize] >> column & 1 == 1
    }

    fn is_block(&self, column: i32, row: i32) -> bool {
        [(1, 0), (0, 1), (-1, 0), (0, -1)]
            .into_iter()
            .any(|(dx, dy)| self.is_block_towards(column, row, dx, dy))
    }

    /// Whether an opponent at a point is stopped by an answer in a direction.
    fn is_block_towards(&self, x: i32, y: i32, dx: i32, dy: i32) -> bool {
        let at =
            |ahead: i32, aside: i32| (x + dx * ahead + dy * aside, y + dy * ahead + dx * aside);
        let own = |ahead, aside| {
            let (x, y) = at(ahead, aside);
            self.is_own(x, y)
        };
        let other = |ahead, aside| {
            let (x, y) = at(ahead, aside);
            self.is_other(x, y)
        };
        let edge = |ahead, aside| {
            let (x, y) = at(ahead, aside);
            !self.inside(x, y)
        };
        if other(1, 0) || own(1, 0) || edge(1, 0) || other(1, 1) || other(1, -1) {
            return false;
        }
        let wall = |aside| own(0, aside) || edge(0, aside);
        // Through a gap: between stones, or between a stone and the edge.
        let gap = wall(1) && wall(-1) && (own(0, 1) || own(0, -1));
        // In front of a one-point gap.
        let front = own(1, 1) && own(1, -1) && own(-1, 0) && !other(0, 1) && !other(0, -1);
        (gap && (!other(-1, 0) || own(1, 1) || own(1, -1))) || front
    }
}

#[cfg(test)]
mod tests;
