use proptest::prelude::*;

use super::{
    Finished, Finisher,
    field::{Field, Kind, Spot},
    zone::{Map, Zone},
};
use crate::{
    game::go::{
        board::{Board, Cell, Point},
        rules::JAPANESE,
        score::{Convention, Counter, Play},
    },
    outcome::{Points, Side},
};

/// A board from rows: `X` first player, `O` second; small letters are dead.
fn board(rows: &[String]) -> (Board, Vec<Point>) {
    let mut board = Board::new(rows[0].len() as u8, rows.len() as u8);
    let mut dead = Vec::new();
    for (y, row) in (0..).zip(rows) {
        for (x, cell) in (0..).zip(row.chars()) {
            let stone = match cell.to_ascii_uppercase() {
                'X' => Some(Side::First),
                'O' => Some(Side::Second),
                _ => None,
            };
            let point = board.point(x, y);
            board.edit(point, stone);
            if cell.is_ascii_lowercase() {
                dead.push(point);
            }
        }
    }
    board.find_chains();
    (board, dead)
}

/// Plays on; with the margin at the end.
fn finish(rows: &[String], first: Side) -> (Finished, Points) {
    let (board, dead) = board(rows);
    let mut counter = Counter::new();
    let strict = Convention::TerritoryStrict;
    counter.count(&board, &dead, strict, &JAPANESE, Play::default());
    let owners: Vec<i8> = counter.owner().collect();
    let (finished, end) = Finisher::default().finish(&board, &dead, &owners, first);
    let points = counter.count(&end.board, &end.dead, strict, &JAPANESE, Play::default());
    (finished, points.points[0] - points.points[1])
}

fn owned(rows: &[&str]) -> Vec<String> {
    rows.iter().map(|row| (*row).to_owned()).collect()
}

/// The margin, and the moves as column and row.
fn play(rows: &[&str], first: Side) -> (i32, Vec<(u8, u8)>) {
    let rows = owned(rows);
    let (finished, margin) = finish(&rows, first);
    assert!(finished.trusted);
    let (board, _) = board(&rows);
    let moves = finished.moves.iter();
    let moves = moves.map(|(_, at)| board.place(*at)).collect();
    (margin.in_quarters() / 4, moves)
}

#[test]
fn nothing_is_played_where_nothing_is_left() {
    let rows = [".XO..", ".XO..", ".XO..", ".XO..", ".XO.."];
    for first in [Side::First, Side::Second] {
        assert_eq!(play(&rows, first), (-5, vec![]));
    }
}

#[test]
fn a_shared_point_with_atari_forces_a_connection() {
    // The white stone at the top hangs on the point at its right.
    let rows = ["..X.O..", "...XXO.", "....XO.", "....XO.", "....XO."];
    // Black has 17 points; White has 6 and fills one of them.
    assert_eq!(play(&rows, Side::First), (12, vec![(3, 0), (5, 0)]));
    let (margin, _) = play(&rows, Side::Second);
    assert_eq!(margin, 12);
}

#[test]
fn the_mover_takes_the_last_point() {
    // Black closes the corridor at the top, or White makes it nobody's.
    let rows = [".X..O..", ".XXXO..", "...XO.."];
    assert_eq!(play(&rows, Side::First), (0, vec![(3, 0)]));
    let (margin, moves) = play(&rows, Side::Second);
    assert_eq!((margin, moves.first()), (-1, Some(&(3, 0))));
}

#[test]
fn a_hane_on_the_first_line_is_blocked_and_connected() {
    let rows = [
        ".........",
        "...XO....",
        "...XO....",
        "...XO....",
        "...XO....",
    ];
    // 15 points against 19, or 14 against 20.
    let (margin, moves) = play(&rows, Side::First);
    assert_eq!((margin, &moves[..]), (-4, &[(4, 0), (5, 0), (3, 0)][..]));
    let (margin, moves) = play(&rows, Side::Second);
    assert_eq!((margin, &moves[..]), (-6, &[(3, 0), (2, 0), (4, 0)][..]));
}

#[test]
fn a_push_is_answered() {
    let rows = ["..X......", "..XOOOOO.", "..XO.....", "..XO....."];
    // 8 points against 15 after push and block, against 16 if White blocks.
    assert_eq!(play(&rows, Side::First), (-7, vec![(3, 0), (4, 0)]));
    assert_eq!(play(&rows, Side::Second), (-8, vec![(3, 0)]));
}

#[test]
fn many_small_losses_are_not_believed() {
    // White's pairs can connect at the right or are taken there, by turns.
    for (pairs, is_believed) in [(3, true), (5, false)] {
        let mut rows = owned(&[".XXXXXO..."]);
        for _ in 0..pairs {
            rows.extend(owned(&[".XOO.OO...", ".XXXXXO..."]));
        }
        let (finished, _) = finish(&rows, Side::First);
        assert!(finished.moves.len() >= pairs, "{:?}", finished.moves);
        assert_eq!(finished.trusted, is_believed, "{pairs} pairs");
    }
}

/// Living stones and nobody's points.
fn field(rows: &[String]) -> Field {
    let spots: Vec<Spot> = rows
        .iter()
        .flat_map(|row| row.chars())
        .map(|cell| {
            let cell = match cell {
                'X' => Cell::First,
                'O' => Cell::Second,
                _ => Cell::Empty,
            };
            let kind = match cell {
                Cell::Empty => Kind::Fresh,
                _ => Kind::Alive,
            };
            Spot {
                cell,
                kind,
                owner: 0,
            }
        })
        .collect();
    let mut field = Field::default();
    field.load((rows[0].len() as u8, rows.len() as u8), &spots);
    field
}

#[test]
fn chains_with_hundreds_of_liberties_are_whole() {
    // A comb over all of the board: its back and a tooth in every other column.
    let back = "X".repeat(52);
    let teeth = "X.".repeat(26);
    let rows: Vec<String> = (0..52)
        .map(|row| {
            if row == 0 {
                back.clone()
            } else {
                teeth.clone()
            }
        })
        .collect();
    let mut field = field(&rows);
    let first = field.points().next().unwrap();
    assert_eq!(field.whole_chain(first), 26 * 51);
    assert_eq!(field.stones().len(), 52 + 26 * 51);
}

#[test]
fn what_is_past_the_edge_is_not_near() {
    let keys = |rows: &[&str]| {
        let mut zones: Vec<Zone> = Vec::new();
        Map::default().zones(&mut field(&owned(rows)), &mut zones);
        let at_the_left = |zone: &Zone| zone.moves.iter().all(|point| point % 10 < 4);
        let left: Vec<u64> = zones
            .iter()
            .filter(|zone| at_the_left(zone))
            .map(|zone| zone.key)
            .collect();
        assert!(!left.is_empty());
        left
    };
    let rows = ["X.O......", "X.O......", "X.O......", "X.O......"];
    let other = ["X.O......", "X.O.....O", "X.O......", "X.O......"];
    let near = ["X.O......", "X.O.O....", "X.O......", "X.O......"];
    assert_eq!(keys(&rows), keys(&other));
    assert_ne!(keys(&rows), keys(&near));
}

/// Mirrored, turned by a right angle, and with exchanged colours.
fn copies(rows: &[String]) -> [(Vec<String>, bool); 4] {
    let mirror: Vec<String> = rows.iter().map(|row| row.chars().rev().collect()).collect();
    let turn: Vec<String> = (0..rows[0].len())
        .map(|x| {
            rows.iter()
                .rev()
                .filter_map(|row| row.chars().nth(x))
                .collect()
        })
        .collect();
    let swap = |row: &String| {
        row.chars()
            .map(|cell| match cell {
                'X' => 'O',
                'O' => 'X',
                'x' => 'o',
                'o' => 'x',
                other => other,
            })
            .collect()
    };
    let swapped: Vec<String> = rows.iter().map(swap).collect();
    let both: Vec<String> = turn.iter().map(swap).collect();
    [
        (mirror, false),
        (turn, false),
        (swapped, true),
        (both, true),
    ]
}

proptest! {
    #[test]
    fn copies_are_played_in_the_same_way(
        cells in proptest::collection::vec(0..8usize, 42),
        white in any::<bool>(),
    ) {
        let letters: Vec<char> = cells.iter().map(|cell| ['.', '.', '.', 'X', 'X', 'O', 'O', 'x'][*cell]).collect();
        let rows: Vec<String> = letters.chunks(7).map(|row| row.iter().collect()).collect();
        let first = if white { Side::Second } else { Side::First };
        check_copies(&rows, first);
    }
}

fn check_copies(rows: &[String], first: Side) {
    let (known, known_margin) = finish(rows, first);
    for (copy, swapped) in copies(rows) {
        let (finished, margin) = finish(&copy, if swapped { first.other() } else { first });
        let margin = if swapped {
            Points::ZERO - margin
        } else {
            margin
        };
        assert_eq!(margin, known_margin, "{rows:#?}");
        assert_eq!(finished.moves.len(), known.moves.len(), "{rows:#?}");
        assert_eq!(finished.trusted, known.trusted, "{rows:#?}");
    }
}

#[test]
fn an_open_end_costs_a_point_of_the_owners_choice() {
    // White's eye space has an open end beside two points of it.
    let rows = [
        "X.XX.X.", "X..xX..", "X..X.XX", "X.OO.X.", ".O.OX..", "...xOX.",
    ];
    check_copies(&owned(&rows), Side::First);
    check_copies(&owned(&rows), Side::Second);
}
