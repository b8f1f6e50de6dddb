//! Shapes of playouts: vital points of small eye spaces, which self-ataris make
//! sense, what is a seki, and where a false eye must be filled.

use super::Arena;
use crate::{
    game::go::board::{Cell, Point},
    outcome::Side,
};

/// The largest eye space that one move can make or break.
pub(crate) const MAX_SPACE: usize = 6;

/// A small connected set of points.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Space {
    points: [Point; MAX_SPACE],
    count: usize,
    /// Whose stones touch it.
    pub(crate) touches: [bool; 2],
}

impl Space {
    pub(crate) fn as_slice(&self) -> &[Point] {
        &self.points[..self.count]
    }

    fn has(&self, point: Point) -> bool {
        // A plain loop: it is faster than a search made for long slices.
        for &member in self.as_slice() {
            if member == point {
                return true;
            }
        }
        false
    }

    fn push(&mut self, point: Point) -> bool {
        if self.has(point) {
            return true;
        }
        if self.count == MAX_SPACE {
            return false;
        }
        self.points[self.count] = point;
        self.count += 1;
        true
    }

    /// How many members are beside a point: of a whole space those are its empty
    /// neighbours.
    fn degree(&self, arena: &Arena, point: Point) -> usize {
        let near = arena.neighbours(point);
        near.iter().filter(|&&p| self.has(p)).count()
    }

    /// The point that decides how many eyes the space gives, if one does.
    ///
    /// For spaces of one piece this is the point with most neighbours inside;
    /// of two points, the one that `side`'s opponent presses on.
    pub(crate) fn vital(&self, arena: &Arena, side: Side) -> Option<Point> {
        if self.count == 2 && self.touches == [true, true] {
            let enemy = side.other();
            let pressed = |&p: &Point| arena.touches(p)[enemy.index()];
            let mut points = self.as_slice().iter().copied().filter(pressed);
            let only = points.next()?;
            return points.next().is_none().then_some(only);
        }
        if self.count < 3 {
            return None;
        }
        let (mut most, mut best) = (0, None);
        for &point in self.as_slice() {
            let degree = arena.empty_count(point);
            if degree > most {
                (most, best) = (degree, Some(point));
            } else if degree == most {
                best = None;
            }
        }
        best
    }

    /// The point to play instead of one inside: a most central one.
    pub(crate) fn centre(&self, arena: &Arena, point: Point) -> Point {
        let mut best = (arena.empty_count(point), point);
        for &other in self.as_slice() {
            let degree = arena.empty_count(other);
            if degree > best.0 {
                best = (degree, other);
            }
        }
        best.1
    }

    /// Whether an eye space of this shape can be reduced to one eye by its
    /// attacker moving first.
    fn is_killable(&self, arena: &Arena) -> bool {
        let mut most = 0;
        let mut pairs = 0;
        for &point in self.as_slice() {
            let degree = self.degree(arena, point);
            most = most.max(degree);
            pairs += degree;
        }
        match self.count {
            0..=3 => true,
            // A square, a pyramid, or a bent four in the corner.
            4 => pairs == 8 || most == 3 || self.is_corner_bend(arena),
            // A bulky five or a cross.
            5 => pairs == 10 || most == 4,
            // A rabbity six.
            _ => pairs >= 12 && most == 4,
        }
    }

    /// Whether no stone added at one of some points leaves a space that its
    /// attacker can reduce to one eye.
    fn is_spoilt_by(&self, arena: &Arena, points: [Point; 2]) -> bool {
        points.into_iter().all(|point| {
            let mut larger = *self;
            !(larger.push(point) && larger.is_killable(arena))
        })
    }

    /// Whether four points in a row have the board's corner as an inner bend.
    fn is_corner_bend(&self, arena: &Arena) -> bool {
        self.as_slice().iter().any(|&point| {
            let near = arena.neighbours(point);
            let borders = near.iter().filter(|&&p| arena.cell(p) == Cell::Border);
            borders.count() == 2 && self.degree(arena, point) == 2
        })
    }
}

/// The connected empty points around one, if there are at most [`MAX_SPACE`].
pub(crate) fn empty_space(arena: &Arena, start: Point) -> Option<Space> {
    flood(arena, start, |_| true)
}

/// The same, if the stones of one side alone touch the space.
pub(crate) fn sole_space(arena: &Arena, start: Point) -> Option<Space> {
    let space = flood(arena, start, |space| space.touches != [true, true])?;
    space.touches.contains(&true).then_some(space)
}

/// Fills a space from a point for as long as it suits.
fn flood(arena: &Arena, start: Point, suits: impl Fn(&Space) -> bool) -> Option<Space> {
    let mut space = Space::default();
    space.push(start);
    let mut next = 0;
    while next < space.count {
        let point = space.points[next];
        next += 1;
        let touches = arena.touches(point);
        space.touches[0] |= touches[0];
        space.touches[1] |= touches[1];
        if !suits(&space) {
            return None;
        }
        for near in arena.empty_beside(point) {
            if !space.push(near) {
                return None;
            }
        }
    }
    Some(space)
}

/// Whether a legal move puts its own chain into atari without a point to it.
///
/// Sensible are captures, and sacrifices that leave the enemy around in atari
/// on the very point where it captures, if what it gains is a shape that gives
/// one eye only (nakade, throw-in, snapback). Others would break a seki.
pub(crate) fn is_bad_self_atari(arena: &Arena, side: Side, point: Point) -> bool {
    if breaks_nakade_seki(arena, side, point) {
        return true;
    }
    if arena.is_roomy(side, point) {
        return false;
    }
    if arena.takes(side, point) {
        return false;
    }
    let Some(escape) = arena.atari_after(side, point) else {
        return false;
    };
    let Some(lump) = lump(arena, side, point) else {
        return true;
    };
    !(lump.is_killable(arena) && puts_in_atari(arena, side, &lump, point, escape))
}

/// Whether a move captures stones in its side's last eye space for no gain.
///
/// The side is enclosed around a few stones with two liberties. Taking them
/// would leave a shape that gives one eye only, while the enemy, by adding a
/// stone to them, would give up one that gives two: neither should move there.
fn breaks_nakade_seki(arena: &Arena, side: Side, point: Point) -> bool {
    arena.stones_beside(point, side.other()).any(|near| {
        (NAKADE..=MAX_SPACE).contains(&usize::from(arena.stones(near)))
            && match *arena.liberties(near).as_slice() {
                [one, two] => is_nakade_seki(arena, side, near, [one, two]),
                _ => false,
            }
    })
}

/// The fewest stones that make a nakade seki: two and one more are still a
/// killing shape.
const NAKADE: usize = 3;

fn is_nakade_seki(arena: &Arena, side: Side, prey: Point, libs: [Point; 2]) -> bool {
    let mut lump = Space::default();
    for stone in arena.chain(prey) {
        lump.push(stone);
    }
    if !lump.is_killable(arena) || !lump.is_spoilt_by(arena, libs) {
        return false;
    }
    let own = Cell::stone(side);
    let is_shut = |point: Point| {
        arena.neighbours(point).into_iter().all(|near| {
            arena.cell(near) == own
                || arena.cell(near) == Cell::Border
                || libs.contains(&near)
                || lump.has(near)
        })
    };
    if !libs.into_iter().all(is_shut) {
        return false;
    }
    // Chains around, by their heads; more than six are not enclosed for sure.
    let mut walls = Space::default();
    for &stone in lump.as_slice() {
        for near in arena.neighbours(stone) {
            if arena.cell(near) == own && !walls.push(arena.head(near)) {
                return false;
            }
        }
    }
    walls.as_slice().iter().all(|&wall| {
        let mut touched = [false; 2];
        for stone in arena.chain(wall) {
            for near in arena.neighbours(stone) {
                match arena.cell(near) {
                    Cell::Empty if near == libs[0] => touched[0] = true,
                    Cell::Empty if near == libs[1] => touched[1] = true,
                    Cell::Empty if gives_room(arena, side, near, &walls) => return false,
                    cell if cell == Cell::stone(side.other()) && arena.atari(near).is_some() => {
                        return false;
                    }
                    _ => {}
                }
            }
        }
        // A wall that touches one of them only can be taken by playing there.
        touched == [true, true]
    })
}

/// Whether a liberty of walls may give them an eye or a way out.
fn gives_room(arena: &Arena, side: Side, liberty: Point, walls: &Space) -> bool {
    let own = Cell::stone(side);
    let enemy = Cell::stone(side.other());
    let near = |point: Point| arena.neighbours(point).into_iter();
    match empty_space(arena, liberty) {
        Some(space) => {
            !space.touches[side.other().index()]
                || space
                    .as_slice()
                    .iter()
                    .flat_map(|&point| near(point))
                    .any(|p| arena.cell(p) == own && !walls.has(arena.head(p)))
        }
        None => !near(liberty).any(|p| arena.cell(p) == enemy),
    }
}

/// The chain that a move would make, if it is small.
fn lump(arena: &Arena, side: Side, point: Point) -> Option<Space> {
    let mut lump = Space::default();
    lump.push(point);
    for near in arena.stones_beside(point, side) {
        if usize::from(arena.stones(near)) >= MAX_SPACE {
            return None;
        }
        for member in arena.chain(near) {
            if !lump.push(member) {
                return None;
            }
        }
    }
    Some(lump)
}

/// Whether the move leaves an enemy chain around the lump without a liberty
/// other than the one where it would capture the lump. A lump of three or more
/// is worth that only if no other chain is around it: that one would be joined.
fn puts_in_atari(arena: &Arena, side: Side, lump: &Space, point: Point, escape: Point) -> bool {
    let needs_all = lump.count >= NAKADE;
    let mut found = false;
    for &member in lump.as_slice() {
        for near in arena.stones_beside(member, side.other()) {
            let caught = !arena.has_liberty_besides(near, [point, escape]);
            if caught && !needs_all {
                return true;
            }
            if !caught && needs_all {
                return false;
            }
            found |= caught;
        }
    }
    found
}

/// Whether a point is a false eye where a chain without another eye joins one
/// that has two others: sooner or later it must, and loses nothing by it.
pub(crate) fn joins_at(arena: &Arena, side: Side, point: Point) -> bool {
    if arena.is_eye(side, point, false)
        || !arena.is_eye(side, point, true)
        || !arena.is_legal(side, point)
    {
        return false;
    }
    let own = Cell::stone(side);
    let (mut needs, mut lives) = (false, false);
    for near in arena.neighbours(point) {
        if arena.cell(near) == own {
            let eyes = other_eyes(arena, side, near, point);
            needs |= eyes == 0;
            lives |= eyes >= 2;
        }
    }
    needs && lives && !is_bad_self_atari(arena, side, point)
}

/// How many eyes, true or false, a chain has apart from one: up to two.
fn other_eyes(arena: &Arena, side: Side, chain: Point, except: Point) -> usize {
    let mut first = None;
    for near in arena.chain(chain).flat_map(|stone| arena.neighbours(stone)) {
        if near != except
            && first != Some(near)
            && arena.cell(near) == Cell::Empty
            && arena.is_eye(side, near, true)
        {
            if first.is_some() {
                return 2;
            }
            first = Some(near);
        }
    }
    usize::from(first.is_some())
}

#[cfg(test)]
mod tests;
