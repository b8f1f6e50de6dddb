//! Proof-number search, depth first: A. Nagai, *Df-pn algorithm for searching
//! AND/OR trees and its applications* (2002).
//!
//! One side has to prove that it wins; whatever stands in the way of that, a
//! repetition, the depth or the number of nodes, counts against it. So a proof
//! is one whatever the order of moves that led to a position, and lack of a
//! proof means nothing.

use super::{
    position::{Position, Question},
    zone::bits,
};

/// Moves in a row that are looked at.
const MAX_DEPTH: usize = 60;

/// Entries of the table of positions.
const ENTRIES: usize = 1 << 14;

/// A number that stands for never.
const NEVER: u32 = 1 << 28;

/// How far a position is from a proof, and from the certainty that there is
/// none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Effort {
    proof: u32,
    disproof: u32,
}

impl Effort {
    const PROVED: Self = Self {
        proof: 0,
        disproof: NEVER,
    };
    const LOST: Self = Self {
        proof: NEVER,
        disproof: 0,
    };
}

#[derive(Clone, Copy)]
struct Entry {
    position: Position,
    effort: Effort,
    /// The search that wrote it.
    search: u32,
}

/// Positions seen, for one search after another.
#[derive(Clone, Default)]
pub(in crate::game::go) struct Table {
    entries: Vec<Entry>,
    search: u32,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(formatter, "Table({})", self.search)
    }
}

impl Table {
    fn slot(position: &Position) -> usize {
        let marks = position.mover as u64
            | u64::from(position.taken) << 1
            | u64::from(position.passed) << 2;
        let mut key = position.stones[0].wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key = (key ^ key >> 29 ^ position.stones[1]).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        key = (key ^ key >> 31 ^ position.ban ^ marks << 56).wrapping_mul(0x94d0_49bb_1331_11eb);
        (key >> 40) as usize % ENTRIES
    }

    fn begin(&mut self) {
        let empty = Entry {
            position: Position::default(),
            effort: Effort::LOST,
            search: 0,
        };
        self.search = self.search.wrapping_add(1);
        if self.entries.is_empty() || self.search == 0 {
            self.entries.clear();
            self.entries.resize(ENTRIES, empty);
            self.search = 1;
        }
    }

    fn get(&self, position: &Position) -> Option<Effort> {
        let entry = self.entries.get(Self::slot(position))?;
        (entry.search == self.search && entry.position == *position).then_some(entry.effort)
    }

    fn set(&mut self, position: &Position, effort: Effort) {
        let search = self.search;
        if let Some(entry) = self.entries.get_mut(Self::slot(position)) {
            *entry = Entry {
                position: *position,
                effort,
                search,
            };
        }
    }
}

/// One search.
struct Search<'a> {
    question: Question<'a>,
    table: &'a mut Table,
    /// The positions before the one looked at.
    path: Vec<Position>,
    /// Positions that may still be looked at.
    nodes: u32,
}

/// Whether the prover of a question is shown to win from a position, within
/// some nodes, which are taken off.
pub(super) fn proves(
    question: Question,
    start: &Position,
    table: &mut Table,
    nodes: &mut u32,
) -> bool {
    table.begin();
    let mut search = Search {
        question,
        table,
        path: Vec::new(),
        nodes: *nodes,
    };
    let mut effort = search.first_effort(start);
    while effort.proof != 0 && effort.disproof != 0 && search.nodes > 0 {
        effort = search.look(start, NEVER, NEVER);
    }
    *nodes = search.nodes;
    effort.proof == 0
}

impl Search<'_> {
    /// The effort for a position that has not been looked at.
    fn first_effort(&self, position: &Position) -> Effort {
        match self.question.winner(position) {
            Some(winner) if winner == self.question.prover => Effort::PROVED,
            Some(_) => Effort::LOST,
            None => self.guess(position),
        }
    }

    /// A chain with few liberties is nearer to being taken.
    fn guess(&self, position: &Position) -> Effort {
        let (question, zone) = (&self.question, self.question.zone);
        if position.taken {
            return Effort {
                proof: 1,
                disproof: 1,
            };
        }
        let chain = zone.flood(question.target, position.stones[super::zone::DEFENDER]);
        let liberties = zone.around_set(chain) & question.empty(position);
        let liberties = liberties.count_ones().max(1);
        if question.prover == super::zone::ATTACKER {
            Effort {
                proof: liberties,
                disproof: 1,
            }
        } else {
            Effort {
                proof: 1,
                disproof: liberties,
            }
        }
    }

    /// The positions that one move leads to.
    fn children(&mut self, position: &Position) -> Vec<(Position, Effort)> {
        let question = self.question;
        let mut children = Vec::with_capacity(20);
        let mut add = |after: Position, effort: Option<Effort>| {
            let known = effort.or_else(|| {
                let stuck = self.path.len() >= MAX_DEPTH || self.path.contains(&after);
                stuck.then_some(Effort::LOST)
            });
            let known = known.or_else(|| self.table.get(&after));
            let effort = known.unwrap_or_else(|| {
                let effort = self.first_effort(&after);
                self.table.set(&after, effort);
                effort
            });
            children.push((after, effort));
        };
        for bit in bits(question.empty(position)) {
            if let Some(after) = question.play(position, bit) {
                add(after, None);
            }
        }
        if question.may_pass(position) {
            let end = position.passed.then(|| {
                if question.winner_at_end(position) == question.prover {
                    Effort::PROVED
                } else {
                    Effort::LOST
                }
            });
            add(question.pass(position), end);
        }
        children
    }

    /// Looks at a position until its effort reaches one of two bounds.
    fn look(&mut self, position: &Position, proof: u32, disproof: u32) -> Effort {
        self.nodes = self.nodes.saturating_sub(1);
        self.path.push(*position);
        let mut children = self.children(position);
        let proves = position.mover == self.question.prover;
        let effort = loop {
            let effort = sum(&children, proves);
            if effort.proof >= proof || effort.disproof >= disproof || self.nodes == 0 {
                break effort;
            }
            let Some((index, second)) = nearest(&children, proves) else {
                break effort;
            };
            let Some(child) = children.get_mut(index) else {
                break effort;
            };
            // Stay with a child a little longer than until another is nearer.
            let second = second.saturating_add(second / 4 + 1);
            let (bound, other) = if proves {
                (
                    proof.min(second),
                    disproof.saturating_sub(effort.disproof.saturating_sub(child.1.disproof)),
                )
            } else {
                (
                    proof.saturating_sub(effort.proof.saturating_sub(child.1.proof)),
                    disproof.min(second),
                )
            };
            child.1 = self.look(&child.0.clone(), bound, other);
        };
        self.path.pop();
        self.table.set(position, effort);
        effort
    }
}

/// The effort of a position from those after each move. A side without a move
/// has not won.
fn sum(children: &[(Position, Effort)], proves: bool) -> Effort {
    let proofs = children.iter().map(|child| child.1.proof);
    let disproofs = children.iter().map(|child| child.1.disproof);
    let total = |sum: u32, one: u32| (sum + one).min(NEVER);
    if proves {
        Effort {
            proof: proofs.min().unwrap_or(NEVER),
            disproof: disproofs.fold(0, total),
        }
    } else {
        Effort {
            proof: proofs.fold(0, total),
            disproof: disproofs.min().unwrap_or(NEVER),
        }
    }
}

/// The child that is nearest to the aim of the side to move, and how far the
/// next one is.
fn nearest(children: &[(Position, Effort)], proves: bool) -> Option<(usize, u32)> {
    let mut best: Option<(usize, u32)> = None;
    let mut second = NEVER;
    for (index, (_, effort)) in children.iter().enumerate() {
        let far = if proves {
            effort.proof
        } else {
            effort.disproof
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
