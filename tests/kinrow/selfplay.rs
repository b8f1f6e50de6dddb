//! Games that the search plays against itself, looked over by a judge that knows
//! no patterns: it puts stones down and counts.

use kifu::{
    game::{
        self, Match,
        kinrow::{FiveEye, Found, Rules, Vcf},
    },
    outcome::{Ending, Outcome, Side},
};

use super::naive::{self, Naive};

type At = (i32, i32);
const DIRECTIONS: [At; 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// A game and what its player says of it.
struct Told {
    moves: Vec<At>,
    ending: Ending,
    outcome: Option<Outcome>,
}

/// The games of some rounds.
fn games(name: &str, rounds: u64, nodes: u32) -> Vec<Told> {
    let plan = Match {
        nodes,
        plies: 400,
        seed: 7,
        form: "sgf",
        notation: None,
        rules: None,
        size: None,
        openings: None,
    };
    let player = game::find(name).unwrap().selfplay().unwrap();
    let mut player = player.player(&plan).unwrap();
    let game = |round| {
        let mut text = Vec::new();
        let played = player.play(round, &mut text);
        let text = String::from_utf8(text).unwrap();
        let moves = text.split(';').skip(2).map(|node| {
            let letters = node.as_bytes();
            (i32::from(letters[3] - b'a'), i32::from(letters[2] - b'a'))
        });
        let moves: Vec<At> = moves.collect();
        assert_eq!(moves.len() as u32, played.plies);
        Told {
            moves,
            ending: played.ending,
            outcome: played.outcome,
        }
    };
    (1..=rounds).map(game).collect()
}

/// A board of stones, to count on.
#[derive(Clone)]
struct Grid {
    rows: Vec<Vec<char>>,
    rules: &'static str,
    /// Stones in a row that win, and whether more do, for Black and White.
    line: usize,
    more: [bool; 2],
    /// Whether a line between two stones of the opponent is none.
    blocked: bool,
    has_fouls: bool,
}

impl Grid {
    fn new(name: &str) -> Self {
        let size = if name == "tictactoe" { 3 } else { 15 };
        Self {
            rules: match name {
                "renju" => "renju",
                "caro" => "caro",
                _ => "freestyle",
            },
            rows: vec![vec!['.'; size]; size],
            line: if name == "tictactoe" { 3 } else { 5 },
            more: [name != "renju", true],
            blocked: name == "caro",
            has_fouls: name == "renju",
        }
    }

    fn get(&self, (row, column): At) -> char {
        let row = usize::try_from(row).ok().and_then(|row| self.rows.get(row));
        let cell = row.zip(usize::try_from(column).ok());
        cell.and_then(|(row, column)| row.get(column).copied())
            .unwrap_or('#')
    }

    fn set(&mut self, (row, column): At, sign: char) {
        self.rows[row as usize][column as usize] = sign;
    }

    fn empty(&self) -> Vec<At> {
        let size = self.rows.len() as i32;
        let all = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        all.filter(|at| self.get(*at) == '.').collect()
    }

    /// Whether a stone makes a line that wins.
    fn wins(&self, sign: char, at: At) -> bool {
        let mut directions = DIRECTIONS.iter();
        directions.any(|direction| self.wins_along(sign, at, *direction))
    }

    fn wins_along(&self, sign: char, at: At, (down, right): At) -> bool {
        let other = if sign == 'X' { 'O' } else { 'X' };
        let ray = |by: i32| {
            let step = |steps: i32| (at.0 + by * steps * down, at.1 + by * steps * right);
            let own = (1..).take_while(|steps| self.get(step(*steps)) == sign);
            let own = own.count();
            (own, self.get(step(own as i32 + 1)) == other)
        };
        let ((before, shut), (after, shut_too)) = (ray(-1), ray(1));
        let length = before + 1 + after;
        match length == self.line {
            true => !(self.blocked && shut && shut_too),
            false => length > self.line && self.more[usize::from(sign == 'O')],
        }
    }

    /// Empty points on which a stone wins.
    fn fives(&self, sign: char) -> Vec<At> {
        let empty = self.empty().into_iter();
        empty.filter(|at| self.wins(sign, *at)).collect()
    }

    fn is_foul(&self, sign: char, at: At) -> bool {
        let rows: Vec<String> = self.rows.iter().map(|row| row.iter().collect()).collect();
        self.has_fouls && sign == 'X' && Naive::new(&rows).judge(at, FiveEye::Rif).is_foul()
    }

    /// Points on which a stone makes a four that no stone on its line stops.
    fn straight_fours(&self, sign: char) -> Vec<At> {
        let other = if sign == 'X' { 'O' } else { 'X' };
        let is_straight = |at: &At| {
            let mut after = self.clone();
            after.set(*at, sign);
            let is_straight_along = |(down, right): At| {
                let points = (-6..=6).map(|by| (at.0 + by * down, at.1 + by * right));
                let empty: Vec<At> = points.filter(|to| after.get(*to) == '.').collect();
                let wins = |grid: &Self, to: &At| {
                    grid.get(*to) == '.' && grid.wins_along(sign, *to, (down, right))
                };
                let stops = |to: &At| {
                    let mut stopped = after.clone();
                    stopped.set(*to, other);
                    !empty.iter().any(|to| wins(&stopped, to))
                };
                empty.iter().any(|to| wins(&after, to)) && !empty.iter().any(stops)
            };
            // Few moves threaten anything: what is forbidden is looked at last.
            DIRECTIONS.into_iter().any(is_straight_along) && !self.is_foul(sign, *at)
        };
        let empty = self.empty().into_iter();
        empty.filter(is_straight).collect()
    }

    /// Whether a side loses by a move that another would have avoided: a line left
    /// open, or a straight four.
    fn overlooked(&self, sign: char, at: At) -> Option<&'static str> {
        let other = if sign == 'X' { 'O' } else { 'X' };
        if !self.fives(sign).is_empty() {
            return (!self.wins(sign, at)).then_some("its own line");
        }
        let mut after = self.clone();
        after.set(at, sign);
        let moves = || {
            self.empty()
                .into_iter()
                .filter(|to| !self.is_foul(sign, *to))
        };
        let with = |to: At| {
            let mut after = self.clone();
            after.set(to, sign);
            after
        };
        let is_open = |after: &Self| !after.fives(other).is_empty();
        if is_open(&after) && moves().any(|to| !is_open(&with(to))) {
            return Some("the other's line");
        }
        let is_forced = !self.fives(other).is_empty() || !after.fives(sign).is_empty();
        if self.line < 5 || is_forced || after.straight_fours(other).is_empty() {
            return None;
        }
        // Where the other side wins by fours whatever is done, nothing was overlooked.
        let saves = |to| {
            let after = with(to);
            after.straight_fours(other).is_empty() && !after.wins_by_fours(other)
        };
        moves().any(saves).then_some("a straight four")
    }

    /// Whether a side that is to move wins by fours alone, or may do.
    fn wins_by_fours(&self, sign: char) -> bool {
        let rows: Vec<String> = self.rows.iter().map(|row| row.iter().collect()).collect();
        let side = if sign == 'X' {
            Side::First
        } else {
            Side::Second
        };
        let rules = Rules::preset(self.rules).unwrap();
        let mut board = naive::board(&rows);
        Vcf::default().search(&mut board, &rules, side, 50_000) != Found::None
    }
}

/// Looks all games over; how many Black won.
fn look_over(name: &str, rounds: u64, nodes: u32) -> usize {
    let mut won = 0;
    for (round, told) in games(name, rounds, nodes).into_iter().enumerate() {
        let mut grid = Grid::new(name);
        let mut end = None;
        // The opening is not the search's.
        let opening = if name == "tictactoe" { 2 } else { 5 };
        for (number, at) in told.moves.iter().enumerate() {
            let about = format!(
                "{name} {}, move {} of {:?}",
                round + 1,
                number + 1,
                told.moves
            );
            let sign = if number % 2 == 0 { 'X' } else { 'O' };
            assert_eq!(grid.get(*at), '.', "{about}: taken");
            assert!(end.is_none(), "{about}: it was over");
            assert!(!grid.is_foul(sign, *at), "{about}: forbidden");
            if number >= opening {
                assert_eq!(grid.overlooked(sign, *at), None, "{about}");
            }
            let winner = if sign == 'X' {
                Side::First
            } else {
                Side::Second
            };
            let wins = grid.wins(sign, *at);
            grid.set(*at, sign);
            end = match wins {
                true => Some((Ending::Line, Outcome::Win(winner))),
                false if grid.empty().is_empty() => Some((Ending::Full, Outcome::Draw)),
                false => None,
            };
        }
        let said = told.outcome.map(|outcome| (told.ending, outcome));
        assert_eq!(said, end, "{name} {}", round + 1);
        won += usize::from(told.outcome == Some(Outcome::Win(Side::First)));
    }
    won
}

const GAMES: [&str; 5] = ["renju", "gomoku", "caro", "kinrow", "tictactoe"];

#[test]
fn nothing_is_overlooked() {
    for name in GAMES {
        look_over(name, 3, 1000);
    }
}

/// Takes some minutes.
#[test]
#[ignore = "slow"]
fn nothing_is_overlooked_in_forty_games() {
    for name in GAMES {
        let won = look_over(name, 40, 1000);
        println!("{name}: Black won {won} of 40");
    }
}
