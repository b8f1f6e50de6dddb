//! Too little material to win.

use super::{piece::Kind, position::Position};
use crate::outcome::{Side, words};

words! {
    /// When too little material is a draw.
    Material {
        /// Never.
        None = "none",
        /// Neither side has a piece that crosses the river: the UCCI engine league
        /// (2007, section 4.5) and others.
        NoAttackers = "no-attackers",
        /// By a table, as below; Pikafish has it.
        Table = "table",
    }
}

impl Material {
    /// Whether a position is drawn because neither side can win.
    ///
    /// The table, for positions without soldiers, both sides taken together:
    ///
    /// | chariots, horses, cannons | advisors | elephants | |
    /// |---|---|---|---|
    /// | none | any | any | draw |
    /// | one cannon | its owner none, the other none | any | draw |
    /// | one cannon | its owner none, the other one | its owner none | draw |
    /// | one cannon | its owner none, the other one | its owner some | draw, unless |
    /// | one cannon | its owner none, the other two | its owner none | draw, unless |
    /// | a cannon each | none | none | draw |
    /// | a cannon each | none | some | draw, unless |
    ///
    /// *Unless* the side to move wins with its next move, or cannot move at all. The
    /// last soldiers count even where they stand on the last rank. Others are
    /// stricter: Fairy-Stockfish takes every cannon to be enough to win.
    ///
    /// The position is left as it was.
    #[must_use]
    pub fn is_drawn(self, position: &mut Position) -> bool {
        if self == Self::None {
            return false;
        }
        let men = [Side::First, Side::Second].map(|side| Men::of(position, side));
        if men.iter().all(|men| men.attackers == 0) {
            return true;
        }
        if self == Self::NoAttackers || men.iter().any(|men| men.attackers != men.cannons) {
            return false;
        }
        let sure = match men {
            [owner, other] | [other, owner] if owner.cannons == 1 && other.cannons == 0 => {
                match (owner.advisors, other.advisors, owner.elephants) {
                    (0, 0, _) | (0, 1, 0) => true,
                    (0, 1, _) | (0, 2, 0) => false,
                    _ => return false,
                }
            }
            [one, two] if one.cannons == 1 && two.cannons == 1 => {
                if one.advisors + two.advisors > 0 {
                    return false;
                }
                one.elephants + two.elephants == 0
            }
            _ => return false,
        };
        sure || !is_won_at_once(position)
    }
}

/// Pieces of a side.
#[derive(Clone, Copy, Default)]
struct Men {
    /// All that cross the river.
    attackers: u32,
    cannons: u32,
    advisors: u32,
    elephants: u32,
}

impl Men {
    fn of(position: &Position, side: Side) -> Self {
        let mut men = Self::default();
        for square in position.of(side) {
            match position.piece(square).kind() {
                Some(Kind::Advisor) => men.advisors += 1,
                Some(Kind::Elephant) => men.elephants += 1,
                Some(Kind::Cannon) => {
                    men.attackers += 1;
                    men.cannons += 1;
                }
                Some(Kind::Horse | Kind::Chariot | Kind::Soldier) => men.attackers += 1,
                Some(Kind::General) | None => {}
            }
        }
        men
    }
}

/// Whether the side to move has no move, or one after which the other has none.
fn is_won_at_once(position: &mut Position) -> bool {
    let moves = position.legal();
    moves.is_empty()
        || moves.into_iter().any(|it| {
            let captured = position.make(it);
            let mates = !position.can_move();
            position.unmake(it, captured);
            mates
        })
}
