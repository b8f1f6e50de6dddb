//! Records: what does not change their label, and what turns it.

use std::collections::BTreeSet;

use kifu::{
    format::Piece,
    game::Judgement,
    label::Label,
    outcome::{Ending, Points, Side},
    pipeline::{Cut, Labeller, Plan, RecordFile},
};
use proptest::{collection::vec, prelude::*, sample::select};

use super::{
    cases,
    common::{plan, sgf},
    dead_by, side,
};

/// A record, before it is written down.
#[derive(Clone, Debug)]
struct Game {
    size: (u8, u8),
    setup: Vec<(Side, u8, u8)>,
    /// Sides and points; no point is a pass.
    moves: Vec<(Side, Option<(u8, u8)>)>,
    komi: i32,
    rules: &'static str,
}

impl Game {
    fn text(&self) -> String {
        let (columns, rows) = self.size;
        let (komi, rules) = (Points::quarters(2 * self.komi), self.rules);
        let mut text = format!("(;GM[1]FF[4]SZ[{columns}:{rows}]KM[{komi}]RU[{rules}]");
        for (side, column, row) in &self.setup {
            let name = ["AB", "AW"][side.index()];
            text.push_str(&format!("{name}[{}{}]", letter(*column), letter(*row)));
        }
        for (side, point) in &self.moves {
            let name = ["B", "W"][side.index()];
            let point = point.map(|(column, row)| [letter(column), letter(row)]);
            let point = String::from_iter(point.into_iter().flatten());
            text.push_str(&format!(";{name}[{point}]"));
        }
        text + ")"
    }

    /// The same record with every point moved by one of eight symmetries.
    fn turned(&self, symmetry: usize) -> Self {
        let (columns, rows) = self.size;
        let turn = |column, row| turn(symmetry, self.size, (column, row));
        Self {
            size: if symmetry & 4 == 0 {
                (columns, rows)
            } else {
                (rows, columns)
            },
            setup: self
                .setup
                .iter()
                .map(|(side, column, row)| {
                    let (column, row) = turn(*column, *row);
                    (*side, column, row)
                })
                .collect(),
            moves: self
                .moves
                .iter()
                .map(|(side, point)| (*side, point.map(|(column, row)| turn(column, row))))
                .collect(),
            ..*self
        }
    }

    /// The same record with colours exchanged.
    fn swapped(&self) -> Self {
        let mut game = self.clone();
        for (side, ..) in &mut game.setup {
            *side = side.other();
        }
        for (side, _) in &mut game.moves {
            *side = side.other();
        }
        game
    }
}

fn letter(index: u8) -> char {
    char::from(if index < 26 {
        b'a' + index
    } else {
        b'A' + index - 26
    })
}

/// Where a symmetry takes a point.
fn turn(symmetry: usize, (columns, rows): (u8, u8), (column, row): (u8, u8)) -> (u8, u8) {
    let flip = |flipped: usize, size: u8, at: u8| {
        if symmetry & flipped == 0 {
            at
        } else {
            size - 1 - at
        }
    };
    let (column, row) = (flip(1, columns, column), flip(2, rows, row));
    if symmetry & 4 == 0 {
        (column, row)
    } else {
        (row, column)
    }
}

/// Random games, legal or not; most go on for a while.
fn game(largest: u8) -> impl Strategy<Value = Game> {
    let rules = select(&[
        "Japanese",
        "Chinese",
        "New Zealand",
        "aga-button",
        "ancient-area",
        "japanese,pass_stones=yes",
    ]);
    let sizes = prop_oneof![
        (1..=largest).prop_map(|size| (size, size)),
        (1..=largest, 1..=largest),
    ];
    let setup = vec((side(), any::<u8>(), any::<u8>()), 0..20);
    let moves = vec(
        (
            any::<u8>(),
            proptest::option::weighted(0.95, any::<(u8, u8)>()),
        ),
        0..60,
    );
    (sizes, setup, moves, -20..20, rules).prop_map(
        |((columns, rows), setup, moves, komi, rules)| {
            let mut taken = BTreeSet::new();
            let setup = setup
                .into_iter()
                .map(|(side, column, row)| (side, column % columns, row % rows))
                .filter(|(_, column, row)| taken.insert((*column, *row)))
                .collect();
            // Turns alternate but for a slip; few points are taken twice.
            let moves = moves
                .into_iter()
                .zip([Side::First, Side::Second].into_iter().cycle())
                .map(|((slip, point), turn)| {
                    let side = if slip == 0 { turn.other() } else { turn };
                    (
                        side,
                        point.map(|(column, row)| (column % columns, row % rows)),
                    )
                })
                .filter(|(_, point)| point.is_none_or(|point| taken.insert(point)))
                .collect();
            Game {
                size: (columns, rows),
                setup,
                moves,
                komi,
                rules,
            }
        },
    )
}

fn judged(labeller: &mut Labeller<'_>, text: &str) -> Judgement {
    let mut judged = None;
    label_one(labeller, text, &mut |label| {
        assert_eq!(label.error, None, "{text}");
        judged = label.judgement.clone();
    });
    judged.expect("a record")
}

/// Labels a text that is one record.
fn label_one(labeller: &mut Labeller<'_>, text: &str, each: &mut dyn FnMut(&Label<'_>)) {
    let piece = Piece {
        start: 0,
        end: text.len(),
        ..Piece::default()
    };
    let file = RecordFile::new("test.sgf", sgf(), &plan());
    let cut = Cut {
        file: &file,
        window: text.as_bytes(),
        piece,
        index: 1,
        before: 0,
    };
    labeller.label(cut, &mut |label, _| each(label));
}

fn row(labeller: &mut Labeller<'_>, text: &str) -> String {
    let mut row = String::new();
    label_one(labeller, text, &mut |label| row = format!("{label:?}"));
    row
}

/// The words of the warnings of a replay.
fn words(judgement: &Judgement) -> Vec<&'static str> {
    judgement
        .warnings
        .iter()
        .map(|warning| warning.word)
        .collect()
}

/// A table by point of a turned record, as it was before turning.
fn unturned(symmetry: usize, (columns, rows): (u8, u8), table: &[i8]) -> Vec<i8> {
    let width = usize::from(if symmetry & 4 == 0 { columns } else { rows });
    (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (column, row)))
        .map(|point| {
            let (column, row) = turn(symmetry, (columns, rows), point);
            table[usize::from(row) * width + usize::from(column)]
        })
        .collect()
}

/// Holds that turning a record turns its label and changes nothing else.
fn assert_turns(plan: &Plan, game: &Game) {
    let mut labeller = Labeller::new(plan);
    let upright = judged(&mut labeller, &game.text());
    for symmetry in 1..8 {
        let turned = judged(&mut labeller, &game.turned(symmetry).text());
        assert_eq!(turned.margin, upright.margin, "{symmetry}");
        assert_eq!(turned.points, upright.points, "{symmetry}");
        assert_eq!(turned.dead, upright.dead, "{symmetry}");
        assert_eq!(turned.neutral, upright.neutral, "{symmetry}");
        assert_eq!(turned.confidence, upright.confidence, "{symmetry}");
        assert_eq!(turned.ended, upright.ended, "{symmetry}");
        assert_eq!((turned.moves, turned.plies), (upright.moves, upright.plies));
        assert_eq!(words(&turned), words(&upright), "{symmetry}");
        for (turned, upright) in [
            (&turned.ownership, &upright.ownership),
            (&turned.board, &upright.board),
        ] {
            let back = turned
                .as_ref()
                .map(|table| unturned(symmetry, game.size, table));
            assert_eq!(&back, upright, "{symmetry}");
        }
        // A rectangle on its side is another game.
        if game.size.0 == game.size.1 || symmetry & 4 == 0 {
            assert_eq!(turned.canonical_hash, upright.canonical_hash, "{symmetry}");
        }
    }
}

/// Holds that exchanging colours without komi turns the score round; but for
/// White's last pass, which is White's whatever the colours.
fn assert_swaps(plan: &Plan, game: &Game) {
    if game.rules.contains("pass_stones=yes") {
        return;
    }
    let mut labeller = Labeller::new(plan);
    let one = judged(&mut labeller, &game.text());
    let other = judged(&mut labeller, &game.swapped().text());
    assert_eq!(other.margin, one.margin.map(|margin| -margin));
    assert_eq!(
        other.points,
        one.points.map(|[first, second]| [second, first])
    );
    assert_eq!(other.dead, one.dead.map(|[first, second]| [second, first]));
    assert_eq!(other.neutral, one.neutral);
    assert_eq!(other.confidence, one.confidence);
    assert_eq!((other.ended, other.plies), (one.ended, one.plies));
    let negated = |table: &Option<Vec<i8>>| -> Option<Vec<i8>> {
        table
            .as_ref()
            .map(|table| table.iter().map(|owner| -owner).collect())
    };
    assert_eq!(negated(&other.ownership), one.ownership);
    assert_eq!(negated(&other.board), one.board);
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn a_label_is_a_function_of_its_record(games in vec(game(9), 1..6), again in any::<usize>()) {
        let plan = dead_by("none");
        let texts: Vec<String> = games.iter().map(Game::text).collect();
        let fresh_rows: Vec<String> = texts
            .iter()
            .map(|text| row(&mut Labeller::new(&plan), text))
            .collect();
        let mut labeller = Labeller::new(&plan);
        for (text, fresh) in texts.iter().zip(&fresh_rows) {
            prop_assert_eq!(&row(&mut labeller, text), fresh);
            prop_assert_eq!(&row(&mut labeller, text), fresh);
            let other = again % texts.len();
            let repeated = row(&mut labeller, &texts[other]);
            prop_assert_eq!(repeated.as_str(), fresh_rows[other].as_str());
        }
    }

    #[test]
    fn the_replay_plays_what_it_can(game in game(9)) {
        let judged = judged(&mut Labeller::new(&dead_by("none")), &game.text());
        prop_assert_eq!(judged.moves as usize, game.moves.len());
        prop_assert!(judged.plies <= judged.moves);
        prop_assert_eq!(judged.plies < judged.moves, judged.ended == Ending::Illegal);
        prop_assert_eq!(judged.error.is_some(), judged.ended == Ending::Illegal);
        prop_assert_eq!(judged.margin.is_none(), judged.ended == Ending::Illegal);
        // Points and neutral points are all there are.
        if let Some(ownership) = judged.ownership {
            let nobody = ownership.iter().filter(|owner| **owner == 0).count();
            prop_assert_eq!(Some(nobody as u32), judged.neutral);
        }
    }

    #[test]
    fn symmetric_records_have_symmetric_labels(game in game(9)) {
        assert_turns(&dead_by("none"), &game);
    }

    #[test]
    fn exchanged_colours_turn_the_score_round(game in game(9)) {
        let game = Game { komi: 0, ..game };
        assert_swaps(&dead_by("none"), &game);
    }
}

proptest! {
    #![proptest_config(cases(12))]

    /// The playouts that judge dead stones see no colour and no direction.
    #[test]
    fn dead_stones_are_symmetric(game in game(7)) {
        assert_turns(&plan(), &game);
        assert_swaps(&plan(), &Game { komi: 0, ..game });
    }

    #[test]
    fn dead_stones_do_not_depend_on_records_before(games in vec(game(7), 2..4)) {
        let plan = plan();
        let mut labeller = Labeller::new(&plan);
        for game in games.iter().chain(&games) {
            let fresh = row(&mut Labeller::new(&plan), &game.text());
            prop_assert_eq!(row(&mut labeller, &game.text()), fresh);
        }
    }
}
