//! Eyes of blocks, and the families of plans that make them.

use super::{NONE, View};
use crate::game::go::{
    board::{Cell, Point},
    life::Life,
};

/// Points on which the owner's stones close an eye, or two, or join a safe
/// block.
struct Edge {
    /// One or two empty points next to the block; of one, both are the same.
    stones: [Point; 2],
    /// The points of the eyes.
    eye: Vec<Point>,
    /// Eyes that the block has more than before; a safe block has two.
    eyes: usize,
}

impl Edge {
    fn is_single(&self) -> bool {
        self.stones[0] == self.stones[1]
    }
}

/// A way to make an eye if the owner moves first: a stone that makes it alone,
/// or one that leaves two others of which either makes it.
struct Plan {
    /// The points that have to be empty; some may be the same.
    support: [Point; 3],
    /// The edges by number; may be the same.
    edges: [usize; 2],
    /// Points of support and eyes, repetitions counted.
    size: usize,
}

/// What is next to the block in question, and a scratch set.
struct Marks {
    /// By point: whether the block touches it.
    beside: Vec<bool>,
    /// By point: the stage at which it was last met.
    met: Vec<u32>,
    stage: u32,
}

/// What is known of a region for a block.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    Open,
    /// It is an eye as it is.
    Eye,
    /// It is an eye as long as the owner never plays in it.
    Quiet,
}

impl View<'_> {
    /// By block: whether it has two eyes. Sets what families take.
    pub(super) fn find_eyes(&mut self, life: &Life) -> Vec<bool> {
        let blocks = usize::from(self.blocks);
        let mut stones: Vec<Vec<Point>> = vec![Vec::new(); blocks];
        let mut safe = vec![false; blocks];
        for point in self.board.points() {
            let at = usize::from(point);
            if self.kept[at] {
                stones[usize::from(self.block[at])].push(point);
                safe[usize::from(self.block[at])] |= life.alive[at];
            }
        }
        let mut marks = Marks {
            beside: vec![false; self.board.length()],
            met: vec![0; self.board.length()],
            stage: 0,
        };
        let mut waiting = Vec::new();
        for block in 0..blocks {
            if safe[block] {
                continue;
            }
            let uses = self.uses(&stones[block], &mut marks);
            let ready = uses.iter().filter(|(_, it)| *it != Use::Open).count();
            for &(region, it) in &uses {
                self.quiet[usize::from(region)] |= it == Use::Quiet;
                self.sealed[usize::from(region)] |= it != Use::Open;
            }
            if ready >= 2 {
                safe[block] = true;
            } else {
                waiting.push((block, uses));
            }
        }
        // A block that is safe may help those next to it.
        loop {
            let before = waiting.len();
            waiting.retain(|(block, uses)| {
                self.mark_beside(&stones[*block], &mut marks, true);
                safe[*block] = self.make_eyes(uses, &mut marks, &safe);
                self.mark_beside(&stones[*block], &mut marks, false);
                !safe[*block]
            });
            if waiting.len() == before {
                return safe;
            }
        }
    }

    fn mark_beside(&self, stones: &[Point], marks: &mut Marks, to: bool) {
        for &stone in stones {
            for near in self.board.neighbours(stone) {
                marks.beside[usize::from(near)] = to;
            }
        }
    }

    /// The regions next to a block, and what they are to it.
    fn uses(&self, stones: &[Point], marks: &mut Marks) -> Vec<(u16, Use)> {
        self.mark_beside(stones, marks, true);
        let mut uses: Vec<(u16, Use)> = Vec::new();
        for &stone in stones {
            for near in self.board.neighbours(stone) {
                let region = self.region[usize::from(near)];
                if region != NONE && !uses.iter().any(|&(other, _)| other == region) {
                    uses.push((region, self.use_of(region, &marks.beside)));
                }
            }
        }
        self.mark_beside(stones, marks, false);
        uses
    }

    fn use_of(&self, region: u16, beside: &[bool]) -> Use {
        let points = &self.regions[usize::from(region)];
        let mut all = true;
        let mut survives = false;
        let mut has_pair = false;
        let mut has_empty = false;
        for &point in points {
            let at = usize::from(point);
            let cell = self.board.cell(point);
            if !beside[at] && (cell == Cell::Empty || cell == self.own) {
                return Use::Open;
            }
            has_empty |= cell == Cell::Empty;
            all &= beside[at];
            let partner = self.partner[at];
            has_pair |= partner != 0 || self.linked[at];
            survives |= match partner {
                0 => !self.linked[at],
                _ => self.region[usize::from(partner)] == region,
            };
        }
        if all && survives && has_empty {
            Use::Eye
        } else if !has_pair && has_empty && !self.suicide {
            Use::Quiet
        } else {
            Use::Open
        }
    }

    /// Whether families of plans give a block the eyes that it lacks.
    fn make_eyes(&mut self, uses: &[(u16, Use)], marks: &mut Marks, safe: &[bool]) -> bool {
        let ready = uses.iter().filter(|(_, it)| *it != Use::Open).count();
        let mut edges = Vec::new();
        for &(region, it) in uses {
            if !self.quiet[usize::from(region)] {
                let first = edges.len();
                edges.extend(self.edges(region, marks));
                for edge in &mut edges[first..] {
                    edge.eyes = edge.eyes.min(2) - usize::from(it == Use::Eye);
                }
            }
            if !self.sealed[usize::from(region)] {
                self.add_links(region, marks, safe, &mut edges);
            }
        }
        edges.retain(|edge| edge.eyes > 0);
        let Some(points) = find_family(&edges, 2 - ready) else {
            // One eye after the other.
            let Some(first) = find_family(&edges, 1) else {
                return false;
            };
            edges.retain(|edge| {
                !edge.stones.iter().any(|point| first.contains(point))
                    && !edge.eye.iter().any(|point| first.contains(point))
            });
            let Some(second) = find_family(&edges, 1) else {
                return false;
            };
            self.take(&first);
            self.take(&second);
            return true;
        };
        self.take(&points);
        true
    }

    fn take(&mut self, points: &[Point]) {
        for &point in points {
            self.taken[usize::from(point)] = true;
        }
    }

    /// Adds the edges that join a block with a safe one.
    fn add_links(&self, region: u16, marks: &Marks, safe: &[bool], edges: &mut Vec<Edge>) {
        let is_safe = |point: Point| {
            let (blocks, count) = self.blocks_beside(point);
            blocks[..count]
                .iter()
                .any(|block| safe[usize::from(*block)])
        };
        for &point in &self.regions[usize::from(region)] {
            if !marks.beside[usize::from(point)] || !self.is_free(point) {
                continue;
            }
            let mut add = |second: Point| {
                edges.push(Edge {
                    stones: [point, second],
                    eye: Vec::new(),
                    eyes: 2,
                });
            };
            if is_safe(point) {
                add(point);
                continue;
            }
            for second in self.board.neighbours(point) {
                if self.region[usize::from(second)] == region
                    && self.is_free(second)
                    && is_safe(second)
                {
                    add(second);
                }
            }
        }
    }

    /// All edges of one or two stones near each other in a region.
    fn edges(&self, region: u16, marks: &mut Marks) -> Vec<Edge> {
        let board = self.board;
        let mut edges: Vec<Edge> = Vec::new();
        let is_free = |point: Point, marks: &Marks| {
            let at = usize::from(point);
            self.region[at] == region && marks.beside[at] && self.is_free(point)
        };
        let points = &self.regions[usize::from(region)];
        for &point in points {
            if is_free(point, marks) {
                edges.extend(self.edge([point, point], marks));
            }
        }
        let singles = edges.len();
        for &one in points {
            if !is_free(one, marks) {
                continue;
            }
            let [_, _, right, below] = board.neighbours(one);
            let [_, _, lower_left, lower_right] = board.diagonals(one);
            // The second point from a border point would be elsewhere.
            let second = |near: Point, way: usize| match board.cell(near) {
                Cell::Border => near,
                _ => board.neighbours(near)[way],
            };
            let (second_right, second_below) = (second(right, 2), second(below, 3));
            for two in [
                right,
                below,
                lower_left,
                lower_right,
                second_right,
                second_below,
            ] {
                if !is_free(two, marks) {
                    continue;
                }
                let Some(edge) = self.edge([one, two], marks) else {
                    continue;
                };
                // One of the stones may do as much alone.
                let is_needless = edges[..singles]
                    .iter()
                    .any(|other| edge.stones.contains(&other.stones[0]) && other.eyes >= edge.eyes);
                if !is_needless {
                    edges.push(edge);
                }
            }
        }
        edges
    }

    /// The eyes that stones on one or two points close.
    fn edge(&self, stones: [Point; 2], marks: &mut Marks) -> Option<Edge> {
        marks.stage += 1;
        let mut edge = Edge {
            stones,
            eye: Vec::new(),
            eyes: 0,
        };
        for start in stones
            .iter()
            .flat_map(|&stone| self.board.neighbours(stone))
        {
            let length = edge.eye.len();
            if self.flood(start, stones, &mut edge.eye, marks) {
                edge.eyes += 1;
            } else {
                edge.eye.truncate(length);
            }
        }
        (edge.eyes > 0).then_some(edge)
    }

    /// Adds the points of an eye; whether it is one.
    fn flood(
        &self,
        start: Point,
        stones: [Point; 2],
        eye: &mut Vec<Point>,
        marks: &mut Marks,
    ) -> bool {
        let region = self.region[usize::from(stones[0])];
        let stage = marks.stage;
        let is_open =
            |point: Point| self.region[usize::from(point)] == region && !stones.contains(&point);
        if !is_open(start) || marks.met[usize::from(start)] == stage {
            return false;
        }
        marks.met[usize::from(start)] = stage;
        let first = eye.len();
        eye.push(start);
        let mut next = first;
        let mut survives = false;
        while let Some(&point) = eye.get(next) {
            next += 1;
            let at = usize::from(point);
            let neighbours = self.board.neighbours(point);
            let is_touched =
                marks.beside[at] || neighbours.iter().any(|near| stones.contains(near));
            if !is_touched || self.board.cell(point) == self.own {
                return false;
            }
            survives |= self.partner[at] == 0 && !self.linked[at] && !self.taken[at];
            for near in neighbours.into_iter().filter(|near| is_open(*near)) {
                let met = &mut marks.met[usize::from(near)];
                if *met != stage {
                    *met = stage;
                    eye.push(near);
                } else if !eye[first..].contains(&near) {
                    // What was met before was no eye.
                    return false;
                }
            }
        }
        survives
    }
}

/// Finds plans for a number of eyes of which one is left whatever single point
/// is lost; returns all their points.
fn find_family(edges: &[Edge], eyes: usize) -> Option<Vec<Point>> {
    let mut plans = plans(edges, eyes);
    plans.sort_by_key(|plan| (plan.size, plan.support));
    let family = (0..plans.len()).find_map(|first| {
        let mut family = vec![first];
        for lost in plans[first].support {
            let avoids = |plan: &usize| !plans[*plan].support.contains(&lost);
            if !family.iter().any(avoids) {
                family.push((0..plans.len()).find(avoids)?);
            }
        }
        Some(family)
    })?;
    let mut points = Vec::new();
    for plan in family {
        points.extend(plans[plan].support);
        for edge in plans[plan].edges {
            points.extend(&edges[edge].eye);
        }
    }
    Some(points)
}

fn plans(edges: &[Edge], eyes: usize) -> Vec<Plan> {
    let mut plans = Vec::new();
    let enough = |edge: &(usize, &Edge)| edge.1.eyes >= eyes;
    for (i, one) in edges.iter().enumerate().filter(enough) {
        let [a, b] = one.stones;
        if one.is_single() {
            plans.push(Plan {
                support: [a; 3],
                edges: [i; 2],
                size: 1 + one.eye.len(),
            });
            continue;
        }
        for (j, two) in edges.iter().enumerate().skip(i + 1).filter(enough) {
            let [c, d] = two.stones;
            let has_common = [a, b].contains(&c) || [a, b].contains(&d);
            if two.is_single() || !has_common {
                continue;
            }
            let support = if [a, b].contains(&c) {
                [a, b, d]
            } else {
                [a, b, c]
            };
            plans.push(Plan {
                support,
                edges: [i, j],
                size: 3 + one.eye.len() + two.eye.len(),
            });
        }
    }
    plans
}
