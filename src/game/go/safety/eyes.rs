//! Eyes of blocks, and the families of plans that make them.

use super::{
    NONE, View,
    plans::{Edge, Plans},
};
use crate::game::go::board::{Cell, Point};

/// What is next to the block in question, and a scratch set.
struct Marks {
    /// By point: whether the block touches it.
    beside: Vec<bool>,
    /// The empty ones of these points, ascending.
    liberties: Vec<Point>,
    /// By point: the stage at which it was last met.
    met: Vec<u32>,
    stage: u32,
    eye: Vec<Point>,
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
    pub(super) fn find_eyes(&mut self) -> Vec<bool> {
        let blocks = usize::from(self.blocks);
        let mut stones: Vec<Vec<Point>> = vec![Vec::new(); blocks];
        let mut safe = vec![false; blocks];
        for point in self.board.points() {
            let at = usize::from(point);
            if self.kept[at] {
                stones[usize::from(self.block[at])].push(point);
            }
        }
        let mut marks = Marks {
            beside: vec![false; self.board.length()],
            liberties: Vec::new(),
            met: vec![0; self.board.length()],
            stage: 0,
            eye: Vec::new(),
        };
        let mut waiting = Vec::new();
        for block in 0..blocks {
            // Also of a block that lives by passing: an answer that joins it to
            // others may take one of its eyes.
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
        marks.liberties.clear();
        for &stone in stones {
            for near in self.board.neighbours(stone) {
                if marks.beside[usize::from(near)] != to {
                    marks.beside[usize::from(near)] = to;
                    if self.board.cell(near) == Cell::Empty {
                        marks.liberties.push(near);
                    }
                }
            }
        }
        marks.liberties.sort_unstable();
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
        if let Some(points) = self.find_families(&mut edges, 2 - ready, marks, safe) {
            self.take(&points);
            return true;
        }
        self.make_covered_eyes(uses, 2 - ready, marks, safe)
    }

    fn take(&mut self, points: &[Point]) {
        for &point in points {
            self.taken[usize::from(point)] = true;
        }
    }

    /// Whether covered regions give a block a number of eyes, all but one of
    /// them perhaps.
    fn make_covered_eyes(
        &mut self,
        uses: &[(u16, Use)],
        mut eyes: usize,
        marks: &mut Marks,
        safe: &[bool],
    ) -> bool {
        let mut covered: Vec<(u16, Vec<[Point; 2]>)> = Vec::new();
        for &(region, it) in uses {
            if it != Use::Open || self.quiet[usize::from(region)] || eyes == 0 {
                continue;
            }
            if let Some(pairs) = self.cover(region, &marks.beside) {
                covered.push((region, pairs));
                eyes -= 1;
            }
        }
        let mut points = Vec::new();
        if eyes > 0 {
            if covered.is_empty() {
                return false;
            }
            let mut edges = Vec::new();
            for &(region, it) in uses {
                if it == Use::Open && covered.iter().all(|(other, _)| *other != region) {
                    if !self.quiet[usize::from(region)] {
                        edges.extend(self.edges(region, marks));
                    }
                    if !self.sealed[usize::from(region)] {
                        self.add_links(region, marks, safe, &mut edges);
                    }
                }
            }
            let Some(found) = self.find_families(&mut edges, eyes, marks, safe) else {
                return false;
            };
            points = found;
        }
        self.take(&points);
        for (region, pairs) in covered {
            self.shut[usize::from(region)] = true;
            self.sealed[usize::from(region)] = true;
            for [one, two] in pairs {
                self.partner[usize::from(one)] = two;
                self.partner[usize::from(two)] = one;
            }
        }
        true
    }

    /// The points of one or two families that make a number of eyes.
    fn find_families(
        &self,
        edges: &mut Vec<Edge>,
        eyes: usize,
        marks: &Marks,
        safe: &[bool],
    ) -> Option<Vec<Point>> {
        // Where a stone of the owner is joined to the block or a safe one.
        let is_joined =
            |point: Point| marks.beside[usize::from(point)] || self.is_beside_safe(point, safe);
        let near = |one: Point, two: Point| self.board.neighbours(one).contains(&two);
        let plans = Plans {
            is_joined: &is_joined,
            near: &near,
        };
        if let Some(points) = plans.find_family(edges, eyes) {
            return Some(points);
        }
        if eyes < 2 {
            return None;
        }
        // One eye after the other.
        let mut points = plans.find_family(edges, 1)?;
        edges.retain(|edge| {
            !edge.stones.iter().any(|point| points.contains(point))
                && !edge.eye.iter().any(|point| points.contains(point))
        });
        points.extend(plans.find_family(edges, 1)?);
        Some(points)
    }

    fn is_beside_safe(&self, point: Point, safe: &[bool]) -> bool {
        let (blocks, count) = self.blocks_beside(point);
        blocks[..count]
            .iter()
            .any(|block| safe[usize::from(*block)])
    }

    /// Adds the edges that join a block with a safe one.
    fn add_links(&self, region: u16, marks: &Marks, safe: &[bool], edges: &mut Vec<Edge>) {
        let is_safe = |point: Point| self.is_beside_safe(point, safe);
        for &point in &marks.liberties {
            if self.region[usize::from(point)] != region || !self.is_free(point) {
                continue;
            }
            let mut add = |stones: Vec<Point>| {
                edges.push(Edge {
                    stones,
                    eye: Vec::new(),
                    eyes: 2,
                });
            };
            if is_safe(point) {
                add(vec![point]);
                continue;
            }
            for second in self.board.neighbours(point) {
                if self.region[usize::from(second)] == region
                    && self.is_free(second)
                    && is_safe(second)
                {
                    add(vec![point, second]);
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
        let mut points = marks.liberties.clone();
        points.retain(|point| is_free(*point, marks));
        for &point in &points {
            edges.extend(self.edge(&[point], marks));
        }
        let singles = edges.len();
        for &one in &points {
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
                let Some(edge) = self.edge(&[one, two], marks) else {
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
    fn edge(&self, stones: &[Point], marks: &mut Marks) -> Option<Edge> {
        marks.stage += 1;
        let mut eye = std::mem::take(&mut marks.eye);
        eye.clear();
        let mut eyes = 0;
        for start in stones
            .iter()
            .flat_map(|&stone| self.board.neighbours(stone))
        {
            let length = eye.len();
            if self.flood(start, stones, &mut eye, marks) {
                eyes += 1;
            } else {
                eye.truncate(length);
            }
        }
        let edge = (eyes > 0).then(|| Edge {
            stones: stones.to_vec(),
            eye: eye.clone(),
            eyes,
        });
        marks.eye = eye;
        edge
    }

    /// Adds the points of an eye; whether it is one.
    fn flood(
        &self,
        start: Point,
        stones: &[Point],
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
