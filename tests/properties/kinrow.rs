//! Games of k in a row: what does not change who has won, and what turns it.

use std::collections::BTreeSet;

use kifu::{
    game::{
        Judgement,
        kinrow::{Blocked, Fouls, Overline, Rules},
    },
    outcome::{Ending, Outcome, Side},
    pipeline::{Cut, Labeller, Plan, RecordFile},
};
use proptest::{collection::vec, prelude::*, sample::select};

use super::{
    cases,
    common::{judge, plan, sgf, split},
};

/// A game, before it is written down.
#[derive(Clone, Debug)]
struct Game {
    rules: String,
    size: (u8, u8),
    /// Sides and points; no point is a pass.
    moves: Vec<(Side, Option<(u8, u8)>)>,
}

impl Game {
    fn text(&self) -> String {
        let (columns, rows) = self.size;
        let mut text = format!("(;GM[4]FF[4]SZ[{columns}:{rows}]RU[{}]", self.rules);
        for (side, point) in &self.moves {
            let name = ["B", "W"][side.index()];
            let letter = |at: u8| char::from(b'a' + at);
            let point = point.map(|(column, row)| [letter(column), letter(row)]);
            let point = String::from_iter(point.into_iter().flatten());
            text.push_str(&format!(";{name}[{point}]"));
        }
        text + ")"
    }

    /// The game with every point and the board turned.
    fn turned(&self, symmetry: u8) -> Self {
        let mut turned = self.clone();
        if symmetry & 4 != 0 {
            turned.size = (self.size.1, self.size.0);
        }
        for (_, point) in &mut turned.moves {
            *point = point.map(|point| turn(symmetry, self.size, point));
        }
        turned
    }

    /// The game with the sides changed.
    fn swapped(&self) -> Self {
        let mut swapped = self.clone();
        for (side, _) in &mut swapped.moves {
            *side = side.other();
        }
        swapped
    }

    /// Who makes the first line and with which move, found by walking from
    /// every stone in all directions. There are no fouls.
    fn first_line(&self, rules: &Rules) -> Option<(Side, usize)> {
        let (columns, rows) = (i32::from(self.size.0), i32::from(self.size.1));
        let mut cells = vec![None; (columns * rows) as usize];
        for (number, (side, point)) in (1..).zip(&self.moves) {
            let Some((column, row)) = point.map(|(column, row)| (column.into(), row.into())) else {
                continue;
            };
            let place = |column: i32, row: i32| {
                let inside = (0..columns).contains(&column) && (0..rows).contains(&row);
                inside.then_some((row * columns + column) as usize)
            };
            cells[place(column, row).expect("a point")] = Some(*side);
            for (right, down) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let walk = |sign: i32| {
                    let mut at = (column + sign * right, row + sign * down);
                    let mut count = 0;
                    let stone = |at: (i32, i32)| place(at.0, at.1).and_then(|place| cells[place]);
                    while stone(at) == Some(*side) {
                        count += 1;
                        at = (at.0 + sign * right, at.1 + sign * down);
                    }
                    (count, stone(at) == Some(side.other()))
                };
                let ((one, stopped), (other, also)) = (walk(1), walk(-1));
                let length = one + other + 1;
                let blocked = rules.blocked == Blocked::Both && stopped && also;
                let wins = match length.cmp(&i32::from(rules.line)) {
                    std::cmp::Ordering::Less => false,
                    std::cmp::Ordering::Equal => !blocked,
                    std::cmp::Ordering::Greater => rules.overline[side.index()] == Overline::Wins,
                };
                if wins {
                    return Some((*side, number));
                }
            }
        }
        None
    }
}

/// A point under one of the eight symmetries.
fn turn(symmetry: u8, size: (u8, u8), (column, row): (u8, u8)) -> (u8, u8) {
    let column = if symmetry & 1 == 0 {
        column
    } else {
        size.0 - 1 - column
    };
    let row = if symmetry & 2 == 0 {
        row
    } else {
        size.1 - 1 - row
    };
    if symmetry & 4 == 0 {
        (column, row)
    } else {
        (row, column)
    }
}

/// Rules in which both sides have the same chances.
const EVEN: &[&str] = &[
    "tictactoe",
    "freestyle",
    "standard",
    "caro",
    "caro-standard",
    "kinrow,line=4",
    "kinrow,line=4,overline=ignored",
    "kinrow,line=3,blocked=both",
    "kinrow,line=4,blocked=both,overline=ignored",
    "freestyle,draw_at=9",
];

const UNEVEN: &[&str] = &[
    "renju",
    "renju,fouls=claimed",
    "renju,fouls=off",
    "renju,five_eye=counts",
];

/// Games on small boards: most points are played, in any order. A side may
/// move twice, as lines are more frequent then.
fn game(rules: impl Strategy<Value = &'static str>) -> impl Strategy<Value = Game> {
    let size = (3..12_u8, 3..12_u8);
    (rules, size).prop_flat_map(|(rules, size)| {
        let points: Vec<(u8, u8)> = (0..size.1)
            .flat_map(|row| (0..size.0).map(move |column| (column, row)))
            .collect();
        let all = points.len();
        let order = Just(points).prop_shuffle();
        let passes = vec(proptest::bool::weighted(0.03), all);
        let sides = prop_oneof![
            3 => Just(vec![Side::First, Side::Second]),
            1 => vec(select(&[Side::First, Side::First, Side::Second]), 1..40),
        ];
        (order, passes, sides, 0..=all).prop_map(move |(order, passes, sides, count)| {
            let moves = sides.into_iter().cycle().zip(order.into_iter().zip(passes));
            Game {
                rules: rules.to_owned(),
                size,
                moves: moves
                    .take(count)
                    .map(|(side, (point, pass))| (side, (!pass).then_some(point)))
                    .collect(),
            }
        })
    })
}

fn any_game() -> impl Strategy<Value = Game> {
    game(prop_oneof![select(EVEN), select(UNEVEN)])
}

/// What does not depend on how the board lies.
fn essence(judged: &Judgement) -> impl PartialEq + std::fmt::Debug {
    (
        judged.outcome,
        judged.ended,
        judged.basis,
        judged.plies,
        judged.moves,
        judged.canonical_hash,
        judged.rules.clone(),
        judged.warnings.clone(),
    )
}

/// The points forbidden to Black, as columns and rows.
fn forbidden(judged: &Judgement) -> BTreeSet<(u8, u8)> {
    let names = judged.forbidden.as_deref().expect("it was asked for");
    let point = |name: &str| {
        let (letter, number) = name.split_at(1);
        let row: u8 = number.parse().expect("a row");
        (letter.as_bytes()[0] - b'a', judged.size.1 - row)
    };
    names.split_whitespace().map(point).collect()
}

/// Judges records one after the other with the same memory.
fn judge_all(plan: &Plan, texts: &[String]) -> Vec<String> {
    let mut labeller = Labeller::new(plan);
    let file = RecordFile::new("test.sgf", sgf(), plan);
    let mut judged = Vec::new();
    for text in texts {
        let cut = Cut {
            file: &file,
            window: text.as_bytes(),
            piece: split(text.as_bytes()).0.remove(0),
            index: 1,
            before: 0,
        };
        labeller.label(cut, &mut |label, _| {
            judged.push(format!("{:?} {:?}", label.judgement, label.reasons));
        });
    }
    judged
}

proptest! {
    #![proptest_config(cases(1500))]

    /// What was judged before leaves no trace.
    #[test]
    fn replays_are_pure(games in vec(any_game(), 2..5)) {
        let texts: Vec<String> = games.iter().map(Game::text).collect();
        let twice: Vec<String> = texts.iter().chain(&texts).cloned().collect();
        let together = judge_all(&plan(), &twice);
        let alone = texts.iter().map(|text| judge_all(&plan(), std::slice::from_ref(text)));
        let alone: Vec<String> = alone.flatten().collect();
        prop_assert_eq!(&together[..texts.len()], &alone[..]);
        prop_assert_eq!(&together[texts.len()..], &alone[..]);
    }

    /// What follows the end changes nothing.
    #[test]
    fn games_end_where_they_end(game in any_game()) {
        let judged = judge(&plan(), &game.text());
        if judged.ended == Ending::Line {
            let mut cut = game.clone();
            cut.moves.truncate(judged.plies as usize);
            let again = judge(&plan(), &cut.text());
            prop_assert_eq!(again.outcome, judged.outcome);
            prop_assert_eq!(again.plies, judged.plies);
            prop_assert_eq!(again.board, judged.board);
            // One move less and nobody has a line.
            cut.moves.pop();
            let before = judge(&plan(), &cut.text());
            prop_assert!(before.ended != Ending::Line);
        }
    }

    #[test]
    fn symmetries_change_nothing(game in any_game()) {
        let judged = judge(&plan(), &game.text());
        for symmetry in 1..8 {
            let mut turned = judge(&plan(), &game.turned(symmetry).text());
            // Boards of other sides are other boards.
            if turned.size != judged.size {
                turned.canonical_hash = judged.canonical_hash;
            }
            prop_assert_eq!(essence(&turned), essence(&judged), "{}", symmetry);
            let points = forbidden(&judged).into_iter();
            let points = points.map(|point| turn(symmetry, judged.size, point)).collect();
            prop_assert_eq!(forbidden(&turned), points, "{}", symmetry);
        }
    }

    #[test]
    fn colours_do_not_matter_in_even_games(game in game(select(EVEN))) {
        let judged = judge(&plan(), &game.text());
        let swapped = judge(&plan(), &game.swapped().text());
        let expected = judged.outcome.map(|outcome| match outcome {
            Outcome::Win(side) => Outcome::Win(side.other()),
            Outcome::Draw => Outcome::Draw,
        });
        prop_assert_eq!(swapped.outcome, expected);
        prop_assert_eq!(swapped.ended, judged.ended);
        prop_assert_eq!(swapped.plies, judged.plies);
        prop_assert_eq!(judged.forbidden.as_deref(), Some(""));
    }

    /// The first line against one found by walking over the board.
    #[test]
    fn the_first_line_wins(
        game in game(prop_oneof![select(EVEN), Just("renju,fouls=off")]),
    ) {
        let rules = Rules::parse(&game.rules).unwrap();
        prop_assert_eq!(rules.fouls, Fouls::Off);
        let judged = judge(&plan(), &game.text());
        let line = game.first_line(&rules);
        let ended = (judged.ended == Ending::Line).then_some(judged.plies as usize);
        prop_assert_eq!(ended, line.map(|(_, number)| number));
        if let Some((side, _)) = line {
            prop_assert_eq!(judged.outcome, Some(Outcome::Win(side)));
        }
    }
}
