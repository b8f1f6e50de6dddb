//! Victory by continuous threats: each move of the attacker makes a four, or
//! threatens a win by continuous fours, of which an open three is one case.
//!
//! Depth-first proof-number search: A. Nagai, *Df-pn algorithm for searching
//! AND/OR trees and its applications* (2002). Stones are never taken off, so
//! that positions do not repeat, and one position is always as deep as itself.
//! What is not proven counts as lost: a win found is one against every defence,
//! and that none was found means little.

mod defence;
mod line;
mod table;

use super::{
    board::{Board, Point},
    foul,
    rules::{Fouls, Rules},
    vcf::{Found, Vcf, hash, key, lacking, stops, winning},
};
use crate::outcome::Side;
use table::{Effort, NEVER, Table};

/// Moves of both sides in a row that are looked at, those of continuous fours
/// at the end not counted.
const MAX_DEPTH: usize = 64;

/// Positions that one search for continuous fours may look at.
const FOURS_NODES: u32 = 500;

/// Looks for wins by continuous threats.
#[derive(Debug, Default)]
pub struct Vct {
    vcf: Vcf,
    table: Table,
    nodes: u32,
}

impl Vct {
    /// Looks for a win of `attacker` where `to_move` is to move, in so many
    /// nodes. Where the defender is to move, the attacker has to threaten
    /// something already.
    ///
    /// The line ends as that of [`Vcf::search`] does; it may be cut off where
    /// it could not be found again in the memory there is. Where the search
    /// ends with nothing found, other moves than threats may still win.
    ///
    /// The board is as before when it returns.
    pub fn search(
        &mut self,
        board: &mut Board,
        rules: &Rules,
        attacker: Side,
        to_move: Side,
        nodes: u32,
    ) -> Found {
        self.table.begin();
        self.nodes = nodes;
        let key = key(board);
        let mut attack = Attack {
            search: self,
            board,
            rules,
            side: attacker,
            depth: 0,
            key,
        };
        let attacks = attacker == to_move;
        let mut effort = attack.effort(attacks);
        while effort.is_open() && attack.search.nodes > 0 {
            effort = attack.look(attacks, NEVER, NEVER);
        }
        match effort {
            Effort::PROVED => Found::Win(attack.line(attacks)),
            _ if attack.search.nodes == 0 => Found::Unknown,
            _ => Found::None,
        }
    }

    /// Nodes that the last search did not need.
    pub fn left(&self) -> u32 {
        self.nodes
    }
}

/// A move and how far the position after it is from a proof.
#[derive(Clone, Copy, Debug)]
struct Child {
    at: Point,
    effort: Effort,
}

/// A search for one attacker on one board.
struct Attack<'a> {
    search: &'a mut Vct,
    board: &'a mut Board,
    rules: &'a Rules,
    side: Side,
    /// Moves made since the position asked about.
    depth: usize,
    key: u64,
}

impl Attack<'_> {
    /// Makes a move.
    fn play(&mut self, side: Side, at: Point) {
        self.board.put(side, at);
        self.depth += 1;
        self.key ^= hash(side, at);
    }

    /// Takes a move back.
    fn undo(&mut self, side: Side, at: Point) {
        self.board.take(side, at);
        self.depth -= 1;
        self.key ^= hash(side, at);
    }

    /// Whether a move is forbidden to a side.
    fn is_forbidden(&mut self, side: Side, at: Point) -> bool {
        side == Side::First
            && self.rules.fouls != Fouls::Off
            && foul::shape(self.board, at, self.rules.five_eye).is_foul()
    }

    /// A win of the attacker, as if to move, by continuous fours.
    fn fours(&mut self) -> Found {
        let limit = self.search.nodes.min(FOURS_NODES);
        let found = self
            .search
            .vcf
            .search(self.board, self.rules, self.side, limit);
        self.search.nodes -= limit - self.search.vcf.left();
        found
    }

    /// How far the position is from a proof, as known or at first sight.
    fn effort(&mut self, attacks: bool) -> Effort {
        if let Some(effort) = self.search.table.get(self.key) {
            return effort;
        }
        let Some(nodes) = self.search.nodes.checked_sub(1) else {
            return Effort::UNKNOWN;
        };
        self.search.nodes = nodes;
        let effort = if attacks {
            self.first_attack()
        } else {
            self.first_defence()
        };
        self.search.table.set(self.key, effort);
        effort
    }

    /// The attacker is to move: a win by fours, or none yet.
    fn first_attack(&mut self) -> Effort {
        if let Found::Win(_) = self.fours() {
            return Effort::PROVED;
        }
        // Two lines of the defender cannot both be stopped.
        let lost = winning(self.board, self.rules, self.side.other()).len() > 1;
        if lost || self.depth >= MAX_DEPTH {
            return Effort::LOST;
        }
        Effort::at(self.depth)
    }

    /// The defender is to move: there is a threat, or no proof.
    fn first_defence(&mut self) -> Effort {
        let defender = self.side.other();
        let is_drawn = self.board.empty() < u32::from(self.rules.draw_at) + 2;
        if is_drawn || !winning(self.board, self.rules, defender).is_empty() {
            return Effort::LOST;
        }
        match self.stops().as_deref() {
            None if self.threat().is_some() => Effort::at(self.depth),
            None => Effort::LOST,
            Some([]) => Effort::PROVED,
            Some([only]) if self.is_forbidden(defender, *only) => Effort::PROVED,
            // Fours that come to nothing can be made at any time: a threat is
            // worth one move more.
            Some(_) => Effort::at(self.depth + 1),
        }
    }

    /// The points that stop every line the attacker threatens to make at once;
    /// nothing where there is no such threat.
    fn stops(&mut self) -> Option<Vec<Point>> {
        let fives = winning(self.board, self.rules, self.side);
        stops(self.board, self.rules, self.side, fives)
    }

    /// Where the attacker would win by fours if the defender passed: every move
    /// of the defender that may change that. Some of them may be forbidden.
    fn threat(&mut self) -> Option<Vec<Point>> {
        let Found::Win(line) = self.fours() else {
            return None;
        };
        // The line is as long after a defence elsewhere, and two more moves may
        // be needed to make it good.
        let needed = u32::from(self.rules.draw_at) + line.len() as u32 + 2;
        (self.board.empty() > needed)
            .then(|| defence::defences(self.board, self.rules, self.side, &line))
    }

    /// The threats that the attacker can make.
    fn attacks(&mut self) -> Vec<Child> {
        let defender = self.side.other();
        let candidates = match winning(self.board, self.rules, defender)[..] {
            [] => {
                // A move that helps a later four lacks no more than four
                // stones of a line.
                let length = u32::from(self.rules.line);
                let mut points = Vec::new();
                for missing in 2..=4 {
                    points.extend(lacking(self.board, self.side, length, missing));
                }
                points.sort_unstable();
                points.dedup();
                points
            }
            [only] => vec![only],
            _ => Vec::new(),
        };
        let mut children = Vec::new();
        for at in candidates {
            if self.is_forbidden(self.side, at) {
                continue;
            }
            self.play(self.side, at);
            let effort = self.effort(false);
            self.undo(self.side, at);
            // What threatens nothing is no move.
            if effort != Effort::LOST {
                children.push(Child { at, effort });
            }
            if effort == Effort::PROVED {
                break;
            }
        }
        children
    }

    /// Every move of the defender that may help. All others lose: see
    /// [`defence`].
    fn defences(&mut self) -> Vec<Point> {
        let defender = self.side.other();
        let stops = self.stops();
        let mut points = stops.unwrap_or_else(|| self.threat().unwrap_or_default());
        points.retain(|at| !self.is_forbidden(defender, *at));
        points
    }

    /// The defender's moves with the effort of each.
    fn answers(&mut self) -> Vec<Child> {
        let defender = self.side.other();
        let mut children = Vec::new();
        for at in self.defences() {
            self.play(defender, at);
            let effort = self.effort(true);
            self.undo(defender, at);
            children.push(Child { at, effort });
            // One that is good enough decides.
            if effort == Effort::LOST {
                break;
            }
        }
        children
    }

    /// Looks at an open position until its effort reaches one of two bounds, or
    /// no nodes are left. Goes as deep as [`MAX_DEPTH`].
    fn look(&mut self, attacks: bool, proof: u32, disproof: u32) -> Effort {
        let mover = if attacks {
            self.side
        } else {
            self.side.other()
        };
        let mut children = if attacks {
            self.attacks()
        } else {
            self.answers()
        };
        let effort = loop {
            // Without nodes the moves may not be complete.
            if self.search.nodes == 0 {
                return Effort::UNKNOWN;
            }
            let effort = sum(&children, attacks);
            if effort.proof >= proof || effort.disproof >= disproof || !effort.is_open() {
                break effort;
            }
            let Some((index, second)) = nearest(&children, attacks) else {
                break effort;
            };
            let Some(child) = children.get_mut(index) else {
                break effort;
            };
            // Stay with a move a little longer than until another is nearer.
            let second = second.saturating_add(second / 4 + 1);
            let rest = |all: u32, one: u32| all.saturating_sub(one);
            let (proof, disproof) = if attacks {
                let others = rest(effort.disproof, child.effort.disproof);
                (proof.min(second), rest(disproof, others))
            } else {
                let others = rest(effort.proof, child.effort.proof);
                (rest(proof, others), disproof.min(second))
            };
            let at = child.at;
            self.play(mover, at);
            let effort = self.look(!attacks, proof, disproof);
            self.undo(mover, at);
            if let Some(child) = children.get_mut(index) {
                child.effort = effort;
            }
        };
        self.search.table.set(self.key, effort);
        effort
    }
}

/// The effort of a position from those after each move. An attacker without a
/// threat has not won, a defender without a defence has lost.
fn sum(children: &[Child], attacks: bool) -> Effort {
    let proofs = children.iter().map(|child| child.effort.proof);
    let disproofs = children.iter().map(|child| child.effort.disproof);
    let total = |sum: u32, one: u32| (sum + one).min(NEVER);
    let effort = if attacks {
        Effort {
            proof: proofs.min().unwrap_or(NEVER),
            disproof: disproofs.fold(0, total),
        }
    } else {
        Effort {
            proof: proofs.fold(0, total),
            disproof: disproofs.min().unwrap_or(NEVER),
        }
    };
    match effort {
        Effort { proof: 0, .. } => Effort::PROVED,
        Effort { disproof: 0, .. } => Effort::LOST,
        _ => effort,
    }
}

/// The move that is nearest to the aim of the side to move, and how far the
/// next one is.
fn nearest(children: &[Child], attacks: bool) -> Option<(usize, u32)> {
    let mut best: Option<(usize, u32)> = None;
    let mut second = NEVER;
    for (index, child) in children.iter().enumerate() {
        let far = if attacks {
            child.effort.proof
        } else {
            child.effort.disproof
        };
        match best {
            Some((_, least)) if far >= least => second = second.min(far),
            _ => {
                second = best.map_or(NEVER, |(_, least)| least);
                best = Some((index, far));
            }
        }
    }
    best.map(|(index, _)| (index, second))
}
