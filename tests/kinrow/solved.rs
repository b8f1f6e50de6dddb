//! Proven wins on small boards, held against looking at everything.

use super::{common, records::play, search::Random};

/// A small board, and what wins on it.
#[derive(Clone)]
struct Small {
    rows: Vec<Vec<char>>,
    line: usize,
    /// Whether longer rows win, and whether one between two stones of the opponent is
    /// none.
    more: bool,
    blocked: bool,
    draw_at: usize,
}

impl Small {
    fn get(&self, row: i32, column: i32) -> char {
        let row = usize::try_from(row).ok().and_then(|at| self.rows.get(at));
        let at = usize::try_from(column).ok();
        *row.zip(at)
            .and_then(|(row, at)| row.get(at))
            .unwrap_or(&'#')
    }

    fn empty(&self) -> Vec<(usize, usize)> {
        let size = self.rows.len();
        let all = (0..size * size).map(|at| (at / size, at % size));
        all.filter(|(row, column)| self.rows[*row][*column] == '.')
            .collect()
    }

    /// Whether the stone on a point makes a line that wins.
    fn wins(&self, (row, column): (usize, usize)) -> bool {
        let own = self.rows[row][column];
        let other = if own == 'X' { 'O' } else { 'X' };
        [(0, 1), (1, 0), (1, 1), (1, -1)]
            .iter()
            .any(|(down, right)| {
                let ray = |by: i32| {
                    let at = |steps: i32| {
                        self.get(
                            row as i32 + by * steps * down,
                            column as i32 + by * steps * right,
                        )
                    };
                    let count = (1..).take_while(|steps| at(*steps) == own).count();
                    (count, at(count as i32 + 1) == other)
                };
                let ((before, shut), (after, shut_too)) = (ray(-1), ray(1));
                match before + 1 + after {
                    length if length == self.line => !(self.blocked && shut && shut_too),
                    length => length > self.line && self.more,
                }
            })
    }

    /// 1 where the side to move wins, -1 where it loses, 0 for a draw.
    fn solve(&mut self, side: char) -> i32 {
        let mut best = -1;
        for at in self.empty() {
            self.rows[at.0][at.1] = side;
            let worth = match self.wins(at) {
                true => 1,
                false if self.empty().len() <= self.draw_at => 0,
                false => -self.solve(if side == 'X' { 'O' } else { 'X' }),
            };
            self.rows[at.0][at.1] = '.';
            best = best.max(worth);
            if best == 1 {
                break;
            }
        }
        best
    }
}

/// Rules, and the sides of boards on which games of them are played to near their end.
const RULES: [(&str, usize); 5] = [
    ("tictactoe", 3),
    ("kinrow,line=3", 4),
    ("kinrow,line=3,overline=ignored", 4),
    ("kinrow,line=3,blocked=both", 4),
    ("kinrow,line=4,overline=ignored,blocked=both", 4),
];

#[test]
fn what_is_proven_is_so() {
    let mut random = Random(31);
    let mut proven = [0; 3];
    for game in 0..600 {
        let (rules, size) = RULES[game % RULES.len()];
        let mut board = Small {
            rows: vec![vec!['.'; size]; size],
            line: if rules.contains("line=4") { 4 } else { 3 },
            more: !rules.contains("ignored"),
            blocked: rules.contains("both"),
            draw_at: game / 5 % 4,
        };
        let left = board.draw_at + 1 + random.below(5);
        let mut moves = String::new();
        let mut sides = "XO".chars().cycle();
        let mut side = 'X';
        let mut is_over = false;
        while !is_over && board.empty().len() > left {
            side = sides.next().unwrap();
            let empty = board.empty();
            let at = empty[random.below(empty.len())];
            board.rows[at.0][at.1] = side;
            moves += &play(if side == 'X' { 'B' } else { 'W' }, at.1, at.0);
            is_over = board.wins(at);
        }
        if is_over {
            continue;
        }
        let turn = if side == 'X' { 'O' } else { 'X' };
        let worth = board.solve(turn) * if turn == 'X' { 1 } else { -1 };
        let rules = format!("{rules},draw_at={}", board.draw_at);
        let record = format!("(;GM[4]FF[4]SZ[{size}]RU[{rules}]{moves})");
        for search in ["vcf", "vct", "eval"] {
            let mut plan = common::plan();
            plan.settings.search = Some(search.to_owned());
            let judged = common::judge(&plan, &record);
            assert_eq!(judged.outcome, None, "{record}");
            let said = judged.proven.map(|it| i32::from(it.value()));
            assert!(
                said.is_none_or(|said| said == worth),
                "{search} {record}: {said:?}"
            );
            if let Some(said) = said {
                proven[(said + 1) as usize] += 1;
            }
        }
    }
    assert!(proven[0] > 30 && proven[2] > 30, "{proven:?}");
}
