//! Games that played themselves, as SGF and PSQ.

use super::{rules::Rules, selfplay::Game};
use crate::{
    game::Match,
    outcome::{Outcome, Side},
    record::sgf_point,
};

/// Moves on a line of SGF.
const MOVES_PER_LINE: usize = 12;

/// How games are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// SGF, `GM[4]`: any number of games one after the other.
    Sgf,
    /// Piskvork's form: one game, without rules or result.
    Psq,
}

/// A game that played itself.
pub(super) struct Written<'a> {
    pub(super) plan: &'a Match,
    pub(super) rules: &'a Rules,
    pub(super) round: u64,
    /// The line of its opening in the list, from 1.
    pub(super) line: Option<usize>,
    /// Random stones behind that.
    pub(super) stones: usize,
    pub(super) game: &'a Game,
}

impl Written<'_> {
    /// Writes the game behind what is there.
    pub(super) fn write(&self, form: Form, out: &mut Vec<u8>) {
        match form {
            Form::Sgf => self.sgf(out),
            Form::Psq => self.psq(out),
        }
    }

    fn sgf(&self, out: &mut Vec<u8>) {
        let result = match self.game.ended.map(|(_, outcome)| outcome) {
            Some(Outcome::Win(Side::First)) => "B+",
            Some(Outcome::Win(Side::Second)) => "W+",
            Some(Outcome::Draw) => "0",
            None => "?",
        };
        let opening = match (self.line, self.stones) {
            (Some(line), 0) => format!("opening of line {line}"),
            (Some(line), stones) => {
                format!(
                    "opening of line {line}, random stones: {stones}, seed {}",
                    self.plan.seed
                )
            }
            (None, stones) => format!("random stones: {stones}, seed {}", self.plan.seed),
        };
        let nodes = self.plan.nodes;
        let head = format!(
            "(;FF[4]GM[4]CA[UTF-8]AP[kifu:{}]SZ[{}]RU[{}]EV[kifu selfplay]RO[{}]\n\
             PB[kifu, {nodes} nodes]PW[kifu, {nodes} nodes]RE[{result}]GC[{opening}]",
            env!("CARGO_PKG_VERSION"),
            self.game.board.size().0,
            self.rules,
            self.round,
        );
        out.extend_from_slice(head.as_bytes());
        for (number, at) in self.game.moves.iter().enumerate() {
            if number.is_multiple_of(MOVES_PER_LINE) {
                out.push(b'\n');
            }
            out.extend_from_slice(if number.is_multiple_of(2) {
                b";B["
            } else {
                b";W["
            });
            if let Some(at) = at {
                out.extend_from_slice(sgf_point(at.column, at.row));
            }
            out.push(b']');
        }
        out.extend_from_slice(b")\n\n");
    }

    fn psq(&self, out: &mut Vec<u8>) {
        let size = self.game.board.size().0;
        let mut text = format!("Piskvorky {size}x{size}, 11:11, 0\n");
        for at in self.game.moves.iter().flatten() {
            text += &format!("{},{},0\n", at.column + 1, at.row + 1);
        }
        text += "kifu\nkifu\n-1\n";
        out.extend_from_slice(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::{super::board::Point, *};

    /// Where every point is forbidden to Black, Black passes; PSQ has no passes.
    #[test]
    fn a_pass_is_an_empty_move() {
        let rules = Rules::preset("renju").unwrap();
        let plan = Match {
            nodes: 1,
            plies: 9,
            seed: 1,
            form: "sgf",
            notation: None,
            rules: None,
            size: None,
            openings: None,
        };
        let mut game = Game::new(15);
        game.play(&rules, Point { row: 7, column: 7 });
        game.play(&rules, Point { row: 6, column: 7 });
        game.moves.push(None);
        game.play(&rules, Point { row: 5, column: 7 });
        let written = Written {
            plan: &plan,
            rules: &rules,
            round: 1,
            line: None,
            stones: 0,
            game: &game,
        };
        let text = |form| {
            let mut out = Vec::new();
            written.write(form, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert!(text(Form::Sgf).contains("\n;B[hh];W[hg];B[];W[hf])"));
        assert!(text(Form::Psq).contains("\n8,8,0\n8,7,0\n8,6,0\nkifu\n"));
    }
}
