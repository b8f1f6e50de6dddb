//! Boards on which every empty point has a known verdict.

use kifu::game::kinrow::{Board, FiveEye, Point, Shape, shape};
use kifu::outcome::Side;
use serde_json::Value;

use crate::common;

use super::naive::board;

/// A name such as `h8` as a point of a square board.
fn named(name: &str, size: u8) -> Point {
    let (letter, number) = name.split_at(1);
    Point {
        row: size - number.parse::<u8>().unwrap(),
        column: letter.as_bytes()[0] - b'a',
    }
}

/// The word that the suites use for a verdict.
fn word(shape: Shape) -> &'static str {
    match shape {
        Shape::Five => "five",
        Shape::Overline => "overline",
        Shape::DoubleFour => "44",
        Shape::DoubleThree => "33",
        Shape::Plain => "ok",
    }
}

/// A point under one of the eight symmetries of a square.
pub(crate) fn turned(point: Point, size: u8, symmetry: u8) -> Point {
    let Point {
        mut row,
        mut column,
    } = point;
    if symmetry & 1 != 0 {
        column = size - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = size - 1 - row;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    Point { row, column }
}

/// Holds every empty point of a board against what is expected, in every
/// symmetry; says how many there are.
fn hold(id: &str, rows: &[&str], expected: impl Fn(Point) -> String, five_eye: FiveEye) -> usize {
    let plain = board(rows);
    let size = rows.len() as u8;
    for symmetry in 0..8 {
        let mut board = Board::new(size, size);
        for point in plain.points() {
            if let Some(side) = plain.stone(point) {
                board.put(side, turned(point, size, symmetry));
            }
        }
        for point in plain.points().filter(|at| plain.is_empty(*at)) {
            let found = shape(&mut board, turned(point, size, symmetry), five_eye);
            assert_eq!(
                word(found),
                expected(point),
                "{id} {point:?} symmetry {symmetry}"
            );
        }
    }
    plain.points().filter(|at| plain.is_empty(*at)).count()
}

/// Holds that a suite was checked to its end, where it is there.
pub(super) fn assert_checked(name: &str, checked: usize, all: usize) {
    let is_there = common::reference("kinrow/suite").is_some();
    assert_eq!(checked, if is_there { all } else { 0 }, "{name}");
}

pub(super) fn rows(value: &Value) -> Vec<&str> {
    value["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row.as_str().unwrap())
        .collect()
}

/// The cases of a suite; none, and a line that says so, where it is absent.
pub(super) fn cases(name: &str) -> Vec<Value> {
    let Some(path) = common::reference(&format!("kinrow/suite/{name}.jsonl")) else {
        return Vec::new();
    };
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Suites that name the points that are not plain.
#[test]
fn points_that_are_not_plain() {
    for (name, all) in [("random6000", 795_661), ("games_positions", 646_953)] {
        let mut checked = 0;
        for case in cases(name) {
            let rows = rows(&case);
            let size = rows.len() as u8;
            let known = case["nonok"].as_object().unwrap();
            let known: Vec<(Point, &str)> = known
                .iter()
                .map(|(name, kind)| (named(name, size), kind.as_str().unwrap()))
                .collect();
            let expected = |point| {
                let known = known.iter().find(|(at, _)| *at == point);
                known.map_or("ok", |(_, kind)| kind).to_owned()
            };
            checked += hold(case["id"].as_str().unwrap(), &rows, expected, FiveEye::Rif);
        }
        assert_checked(name, checked, all);
    }
}

/// Suites that draw the verdict of every point.
#[test]
fn points_that_are_drawn() {
    for (name, all) in [
        ("sizes", 163_035),
        ("edge_cases", 7_016),
        ("peer_boards", 11_892),
    ] {
        let mut checked = 0;
        for case in cases(name) {
            let rows = rows(&case);
            let kinds: Vec<&str> = case["kinds"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| row.as_str().unwrap())
                .collect();
            let expected = |point: Point| {
                let kind = kinds[usize::from(point.row)].as_bytes()[usize::from(point.column)];
                match kind {
                    b'5' => "five",
                    b'6' => "overline",
                    b'4' => "44",
                    b'3' => "33",
                    _ => "ok",
                }
                .to_owned()
            };
            checked += hold(
                case["id"].as_str().unwrap_or(name),
                &rows,
                expected,
                FiveEye::Rif,
            );
        }
        assert_checked(name, checked, all);
    }
}

/// Boards on which published judges differ: by the text of the RIF, and where
/// that is the point, by the other reading of a three.
#[test]
fn points_that_judges_differ_on() {
    let mut checked = 0;
    for case in cases("disagreements_min") {
        let rows = rows(&case);
        let mut board = board(&rows);
        let point = named(case["point"].as_str().unwrap(), rows.len() as u8);
        let class = case["class"].as_str().unwrap();
        for (five_eye, judge) in [
            (FiveEye::Rif, "oracle"),
            (FiveEye::Counts, "v1_five_eye_counts"),
        ] {
            let Some(expected) = case["verdicts"][judge].as_str() else {
                continue;
            };
            let found = match shape(&mut board, point, five_eye) {
                Shape::Five => "5",
                Shape::Overline => "6",
                Shape::DoubleFour => "4",
                Shape::DoubleThree => "3",
                Shape::Plain => ".",
            };
            // `p` is legal, though it looks like a double three.
            assert_eq!(found, expected.replace('p', "."), "{class} {judge}");
            checked += 1;
        }
    }
    assert_checked("disagreements_min", checked, 2 * 19);
}

/// Every line of five points to both sides of Black's stone: alone, with a
/// three and with a four in another direction.
#[test]
fn every_line() {
    let Some(path) = common::reference("kinrow/suite/line1d_exhaustive.tsv.gz") else {
        return;
    };
    let mut text = String::new();
    let mut file = flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap());
    std::io::Read::read_to_string(&mut file, &mut text).unwrap();
    let mut checked = 0;
    for line in text.lines().skip(1) {
        checked += 1;
        let fields: Vec<&str> = line.split('\t').collect();
        let across = format!("..{}.{}..", fields[0], fields[1]);
        let blank = "...............";
        for (place, with) in [(2, ""), (3, "three"), (4, "four")] {
            let mut board = board(&[
                blank, blank, blank, blank, blank, blank, blank, &across, blank, blank, blank,
                blank, blank, blank, blank,
            ]);
            let below: &[u8] = match with {
                "three" => &[8, 9],
                "four" => &[8, 9, 10],
                _ => &[],
            };
            for row in below {
                board.put(
                    Side::First,
                    Point {
                        row: *row,
                        column: 7,
                    },
                );
            }
            let found = shape(&mut board, Point { row: 7, column: 7 }, FiveEye::Rif);
            let sign = if found.is_foul() { "F" } else { "." };
            assert_eq!(sign, fields[place], "{across} {with}");
        }
    }
    assert_checked("line1d_exhaustive", checked, 3_usize.pow(10));
}

/// Prints how many boards a second are judged, every empty point of each. Run in
/// release: `cargo test --release --test kinrow -- --ignored --nocapture speed`.
#[test]
#[ignore = "measures"]
fn speed() {
    for name in ["random6000", "games_positions", "sizes"] {
        let cases = cases(name);
        let boards: Vec<Board> = cases.iter().map(|case| board(&rows(case))).collect();
        let mut points = 0;
        let mut fouls = 0;
        let start = std::time::Instant::now();
        for mut board in boards.iter().cloned() {
            for point in board.points() {
                if board.is_empty(point) {
                    points += 1;
                    fouls += u32::from(shape(&mut board, point, FiveEye::Rif).is_foul());
                }
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{name}: {:.0} boards/s, {:.2} million points/s ({points} points, {fouls} fouls)",
            boards.len() as f64 / seconds,
            f64::from(points) / seconds / 1e6,
        );
    }
}
