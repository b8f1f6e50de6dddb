//! Wins by continuous fours: found where they are, never where not, and every
//! line found is held against every defence.

use kifu::{
    game::kinrow::{Board, FiveEye, Fouls, Found, Point, Rules, Vcf, shape},
    outcome::Side,
};

use crate::{
    naive::board,
    suites::{assert_checked, cases, rows, turned},
};

const NODES: u32 = 5_000;

/// Points where a side makes a line at once.
fn winning(board: &Board, rules: &Rules, side: Side) -> Vec<Point> {
    let empty = board.points().filter(|at| board.is_empty(*at));
    empty.filter(|at| board.wins(rules, side, *at)).collect()
}

fn is_forbidden(board: &mut Board, rules: &Rules, side: Side, at: Point) -> bool {
    let has_fouls = side == Side::First && rules.fouls != Fouls::Off;
    has_fouls && shape(board, at, FiveEye::Rif).is_foul()
}

/// Plays a line out and checks that the defender never has another choice.
pub(crate) fn assert_wins(board: &Board, rules: &Rules, side: Side, line: &[Point], id: &str) {
    let mut board = board.clone();
    let other = side.other();
    let mut moves = line.iter();
    while let Some(at) = moves.next() {
        assert!(board.is_empty(*at), "{id}: {at:?} is taken");
        if board.wins(rules, side, *at) {
            assert_eq!(moves.next(), None, "{id}: a line ends it");
            return;
        }
        assert!(
            !is_forbidden(&mut board, rules, side, *at),
            "{id}: {at:?} is forbidden"
        );
        board.put(side, *at);
        // The defender cannot win at once, and has to stop a line.
        assert_eq!(winning(&board, rules, other), [], "{id} after {at:?}");
        let fives = winning(&board, rules, side);
        let answer = match fives[..] {
            [] => panic!("{id}: {at:?} threatens nothing"),
            [only] => only,
            _ => {
                assert_eq!(moves.next(), None, "{id}: two lines end it");
                return;
            }
        };
        if is_forbidden(&mut board, rules, other, answer) {
            assert_eq!(moves.next(), None, "{id}: a forbidden answer ends it");
            return;
        }
        assert_eq!(moves.next(), Some(&answer), "{id}");
        board.put(other, answer);
    }
    panic!("{id}: the line ends without a win");
}

/// What is found in all symmetries, which must be the same.
fn wins(plain: &Board, side: Side, id: &str) -> bool {
    let rules = Rules::preset("renju").unwrap();
    let (size, _) = plain.size();
    let mut vcf = Vcf::default();
    let found: Vec<bool> = (0..8)
        .map(|symmetry| {
            let mut board = Board::new(size, size);
            for point in plain.points() {
                if let Some(stone) = plain.stone(point) {
                    board.put(stone, turned(point, size, symmetry));
                }
            }
            let before = board.clone();
            let found = vcf.search(&mut board, &rules, side, NODES);
            for point in board.points() {
                assert_eq!(
                    board.stone(point),
                    before.stone(point),
                    "{id}: the board is as before"
                );
            }
            match found {
                Found::Win(line) => {
                    assert_wins(&board, &rules, side, &line, id);
                    true
                }
                Found::None => false,
                Found::Unknown => panic!("{id}: {NODES} positions were not enough"),
            }
        })
        .collect();
    assert!(found.iter().all(|win| *win == found[0]), "{id} {found:?}");
    found[0]
}

#[test]
fn positions_of_games() {
    let mut checked = 0;
    for case in cases("vcf_games") {
        checked += 1;
        let id = case["id"].as_str().unwrap();
        let side = match case["side"].as_str().unwrap() {
            "X" => Side::First,
            _ => Side::Second,
        };
        let expected = case["solver"]["win"].as_bool().unwrap();
        assert_eq!(wins(&board(&rows(&case)), side, id), expected, "{id}");
    }
    assert_checked("vcf_games", checked, 241);
}

#[test]
fn puzzles() {
    let mut checked = 0;
    for case in cases("vcf_vct") {
        let id = case["id"].as_str().unwrap();
        let calls = case["calls"].as_array().unwrap();
        for (name, side) in [("Black", Side::First), ("White", Side::Second)] {
            let of_side = calls.iter().filter(|call| {
                call["side"] == name && call["mode"].as_str().unwrap().starts_with("VCF")
            });
            let results: Vec<bool> = of_side.map(|call| call["win"].as_bool().unwrap()).collect();
            if results.is_empty() {
                continue;
            }
            checked += 1;
            // Calls with too small a limit find nothing.
            let expected = results.contains(&true);
            assert_eq!(
                wins(&board(&rows(&case)), side, id),
                expected,
                "{id} {name}"
            );
        }
    }
    // Sides of eleven boards for which a win was looked for.
    assert_checked("vcf_vct", checked, 5);
}

/// A stone beside the row that a four would complete stops it where lines
/// blocked at both ends are none.
#[test]
fn fours_that_their_ends_stop() {
    for (row, text, wins) in [
        // The point on the right leaves a line that is blocked on both sides.
        ("O.XXX....", "freestyle", true),
        ("O.XXX....", "caro", false),
        (".OO.XXX..", "caro", false),
        // The edge blocks nothing.
        (".XXX.....", "caro", true),
    ] {
        let mut board = board(&[row]);
        let rules = Rules::parse(text).unwrap();
        let found = Vcf::default().search(&mut board, &rules, Side::First, NODES);
        assert_eq!(
            matches!(found, Found::Win(_)),
            wins,
            "{row} {text}: {found:?}"
        );
    }
}

/// A line has to be made before the game is drawn.
#[test]
fn games_drawn_before_the_line() {
    for (draw_at, wins) in [(1, true), (2, false)] {
        let mut board = board(&["..XXX..O"]);
        let rules = Rules::parse(&format!("freestyle,draw_at={draw_at}")).unwrap();
        let found = Vcf::default().search(&mut board, &rules, Side::First, NODES);
        assert_eq!(matches!(found, Found::Win(_)), wins, "{draw_at}: {found:?}");
    }
}
