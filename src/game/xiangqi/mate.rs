//! Mates by force: each move of the attacker gives check, the last one may also
//! leave the defender without a move.

use std::collections::HashSet;

use super::{piece::Move, position::Position};

/// Moves of the attacker in a mate that are looked for, at most.
const MOST_MOVES: u32 = 16;

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A mate: the moves of both sides in turn, one line of several.
    Mate(Vec<Move>),
    /// There is none that short, each move a check.
    None,
    /// The limit of nodes was met before all was searched.
    Unknown,
}

/// Looks for mates.
#[derive(Debug, Default)]
pub struct MateSearch {
    /// Positions with the attacker to move, and how many moves of his lead to
    /// nothing there.
    failed: HashSet<(u64, u32)>,
    nodes: u32,
}

impl MateSearch {
    /// Looks for the shortest mate by the side to move, in so many positions in
    /// which the defender is to move.
    ///
    /// The position is as before when it returns.
    pub fn search(&mut self, position: &mut Position, nodes: u32) -> Found {
        self.failed.clear();
        self.nodes = nodes;
        for moves in 1..=MOST_MOVES {
            let mut line = Vec::new();
            let before = self.nodes;
            match self.attack(position, moves, &mut line) {
                Some(true) => return Found::Mate(line),
                // No check is left to be given, however many more moves.
                Some(false) if moves > 1 && self.nodes == before => return Found::None,
                Some(false) => {}
                None => return Found::Unknown,
            }
        }
        Found::None
    }

    /// Whether the side to move mates in so many moves; nothing where the nodes
    /// ran out. Goes as deep as [`MOST_MOVES`].
    fn attack(
        &mut self,
        position: &mut Position,
        moves: u32,
        line: &mut Vec<Move>,
    ) -> Option<bool> {
        let key = (position.key(), moves);
        if self.failed.contains(&key) {
            return Some(false);
        }
        let defender = position.turn().other();
        for it in position.legal() {
            let captured = position.make(it);
            // The last move need not be a check.
            let tries = moves == 1 || position.in_check(defender);
            let length = line.len();
            line.push(it);
            let won = match tries {
                true => self.defend(position, moves - 1, line),
                false => Some(false),
            };
            position.unmake(it, captured);
            match won {
                Some(true) => return Some(true),
                Some(false) => line.truncate(length),
                None => return None,
            }
        }
        self.failed.insert(key);
        Some(false)
    }

    /// Whether the side to move is mated in so many moves of the attacker.
    fn defend(
        &mut self,
        position: &mut Position,
        moves: u32,
        line: &mut Vec<Move>,
    ) -> Option<bool> {
        if moves == 0 {
            return Some(!position.can_move());
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let length = line.len();
        let mut longest: Vec<Move> = Vec::new();
        for it in position.legal() {
            let captured = position.make(it);
            line.push(it);
            let won = self.attack(position, moves, line);
            position.unmake(it, captured);
            if won == Some(true) && line.len() - length > longest.len() {
                longest = line[length..].to_vec();
            }
            line.truncate(length);
            if won != Some(true) {
                return won;
            }
        }
        line.append(&mut longest);
        Some(true)
    }
}
