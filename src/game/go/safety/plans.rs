//! Plans: which eyes can be made whatever the opponent takes first.

use crate::game::go::board::Point;

/// Points on which the owner's stones close an eye, or two, or join a safe
/// block.
pub(super) struct Edge {
    /// Empty points, all of which the owner's stones need.
    pub(super) stones: Vec<Point>,
    /// The points of the eyes.
    pub(super) eye: Vec<Point>,
    /// Eyes that the block has more than before; a safe block has two.
    pub(super) eyes: usize,
}

/// An edge without the stones that were played.
#[derive(Clone)]
struct Threat {
    left: Vec<Point>,
    edge: usize,
}

/// The points that a plan, or a family of them, depends on.
#[derive(Clone, Default)]
struct Plan {
    support: Vec<Point>,
    edges: Vec<usize>,
}

/// Where stones may be played.
pub(super) struct Plans<'a> {
    /// Whether a stone on a point is joined to the block, or to a safe one.
    pub(super) is_joined: &'a dyn Fn(Point) -> bool,
    pub(super) near: &'a dyn Fn(Point, Point) -> bool,
}

/// Steps of a search for a family.
const MOST_STEPS: u32 = 64;

impl Plans<'_> {
    /// Finds plans for a number of eyes of which one is left whatever single
    /// point is lost; returns all their points.
    pub(super) fn find_family(&self, edges: &[Edge], eyes: usize) -> Option<Vec<Point>> {
        let threats: Vec<Threat> = edges
            .iter()
            .enumerate()
            .filter(|(_, edge)| edge.eyes >= eyes)
            .map(|(number, edge)| Threat {
                left: edge.stones.clone(),
                edge: number,
            })
            .collect();
        if threats.len() < 2 {
            return None;
        }
        let mut steps = MOST_STEPS;
        let family = self.moving_second(&threats, &mut Vec::new(), &mut steps)?;
        let mut points = family.support;
        for edge in family.edges {
            points.extend(&edges[edge].eye);
        }
        Some(points)
    }

    /// What the owner depends on if the opponent moves first.
    fn moving_second(
        &self,
        threats: &[Threat],
        played: &mut Vec<Point>,
        steps: &mut u32,
    ) -> Option<Plan> {
        let mut plans = vec![self.moving_first(threats, None, played, steps)?];
        for lost in plans[0].support.clone() {
            if plans.iter().all(|plan| plan.support.contains(&lost)) {
                plans.push(self.moving_first(threats, Some(lost), played, steps)?);
            }
        }
        let mut family = Plan::default();
        for plan in plans {
            family.support.extend(plan.support);
            family.edges.extend(plan.edges);
        }
        Some(family)
    }

    /// What the owner depends on if it moves first after the opponent has taken
    /// a point, `lost`, if any.
    fn moving_first(
        &self,
        threats: &[Threat],
        lost: Option<Point>,
        played: &mut Vec<Point>,
        steps: &mut u32,
    ) -> Option<Plan> {
        let has = |threat: &Threat, point: Point| threat.left.contains(&point);
        // By point: the stones missing where it is played next, at the least, and
        // the number of threats with it.
        let mut counts: Vec<(usize, usize, Point)> = Vec::new();
        for threat in threats {
            if lost.is_some_and(|lost| has(threat, lost)) {
                continue;
            }
            for &point in &threat.left {
                let size = threat.left.len();
                match counts.iter_mut().find(|(.., it)| *it == point) {
                    Some((least, count, _)) => {
                        *least = (*least).min(size);
                        *count += 1;
                    }
                    None => counts.push((size, 1, point)),
                }
            }
        }
        // Two ways on are the least that a move must leave.
        counts.retain(|&(least, count, _)| least == 1 || count > 1);
        counts.sort_unstable_by_key(|&(least, count, point)| (least, usize::MAX - count, point));
        for (_, _, point) in counts {
            let is_joined =
                (self.is_joined)(point) || played.iter().any(|&stone| (self.near)(stone, point));
            if !is_joined {
                continue;
            }
            if *steps == 0 {
                return None;
            }
            *steps -= 1;
            let mut next: Vec<Threat> = Vec::new();
            for threat in threats {
                if has(threat, point) && !lost.is_some_and(|lost| has(threat, lost)) {
                    let mut threat = threat.clone();
                    threat.left.retain(|it| *it != point);
                    if threat.left.is_empty() {
                        return Some(Plan {
                            support: vec![point],
                            edges: vec![threat.edge],
                        });
                    }
                    next.push(threat);
                }
            }
            played.push(point);
            let family = self.moving_second(&next, played, steps);
            played.pop();
            if let Some(mut family) = family {
                family.support.push(point);
                return Some(family);
            }
        }
        None
    }
}
