//! Against positions of known status, where the reference data is present.

use super::*;
use serde_json::Value;
use std::{collections::BTreeSet, fs, path::PathBuf};

fn lines(path: &str) -> Vec<Value> {
    let root = std::env::var_os("KIFU_REFERENCE_DATA")
        .map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    let Ok(text) = fs::read_to_string(root.join("go").join(path)) else {
        println!("skipped: no data folder");
        return Vec::new();
    };
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a row"))
        .collect()
}

fn rows(value: &Value) -> Vec<String> {
    let rows = value.as_array().expect("rows");
    rows.iter()
        .map(|row| row.as_str().expect("a row").into())
        .collect()
}

fn places(value: &Value) -> BTreeSet<(u8, u8)> {
    serde_json::from_value(value.clone()).unwrap_or_default()
}

fn at(text: &[String], x: u8, y: u8) -> u8 {
    text[usize::from(y)].as_bytes()[usize::from(x)]
}

/// Stones settled, by passing and by answering, of all stones.
#[derive(Default)]
struct Cover {
    passing: usize,
    answering: usize,
    stones: usize,
}

impl Cover {
    fn count(&mut self, board: &Board, settled: &Settled) {
        for point in board.points() {
            if board.cell(point).side().is_none() {
                continue;
            }
            let point = usize::from(point);
            self.stones += 1;
            let held = settled.owner[point].is_some();
            self.answering += usize::from(held);
            self.passing += usize::from(held && settled.grounds[point] == Grounds::Unconditional);
        }
    }

    fn print(&self, name: &str) {
        let percent = |count: usize| 100.0 * count as f64 / self.stones.max(1) as f64;
        println!(
            "{name}: {} stones, {:.1} % settled by passing, {:.1} % by answering",
            self.stones,
            percent(self.passing),
            percent(self.answering)
        );
    }

    fn share(&self) -> f64 {
        self.answering as f64 / self.stones.max(1) as f64
    }
}

/// Shows a position and what is settled beside it.
fn show(id: &str, text: &[String], board: &Board, settled: &Settled, what: &[String]) {
    println!("{id} {what:?}");
    for (row, owners) in text.iter().zip(owners(board, settled)) {
        println!("{row}   {owners}");
    }
}

/// Stones settled against a list of dead ones.
fn against(board: &Board, settled: &Settled, dead: &BTreeSet<(u8, u8)>) -> Vec<String> {
    let mut wrong = Vec::new();
    for point in board.points() {
        let (Some(side), Some(owner)) =
            (board.cell(point).side(), settled.owner[usize::from(point)])
        else {
            continue;
        };
        let place = board.place(point);
        if (owner != side) != dead.contains(&place) {
            wrong.push(format!("{place:?}"));
        }
    }
    wrong
}

#[test]
fn finished_games_agree_on_every_settled_stone() {
    let mut wrong = 0;
    for (size, floor) in [(19, 0.2), (9, 0.1)] {
        let mut cover = Cover::default();
        for line in lines("suite/ogs-finished-games.jsonl") {
            let text = rows(&line["rows"]);
            if text.len() != size || line["expected"]["dead"].is_null() {
                continue;
            }
            let board = board(&text);
            let settled = settled(&board, false);
            cover.count(&board, &settled);
            let list = against(&board, &settled, &places(&line["expected"]["dead"]));
            if !list.is_empty() {
                wrong += 1;
                show(&line["id"].to_string(), &text, &board, &settled, &list);
            }
        }
        cover.print(&format!("finished games, {size}x{size}"));
        assert!(cover.stones == 0 || cover.share() > floor);
    }
    assert_eq!(wrong, 0);
}

#[test]
fn engines_agree_on_every_settled_stone() {
    let mut cover = Cover::default();
    let mut wrong = 0;
    for line in lines("archives/engine-opinions.jsonl") {
        let text = rows(&line["rows"]);
        let board = board(&text);
        let settled = settled(&board, false);
        cover.count(&board, &settled);
        let lists: Vec<_> = ["gnugo", "pachi", "katago"]
            .iter()
            .filter(|engine| !line[**engine]["dead"].is_null())
            .map(|engine| against(&board, &settled, &places(&line[*engine]["dead"])))
            .collect();
        let mut all = lists.first().cloned().unwrap_or_default();
        all.retain(|place| lists.iter().all(|list| list.contains(place)));
        if !all.is_empty() {
            wrong += 1;
            show(&line["file"].to_string(), &text, &board, &settled, &all);
        }
    }
    cover.print("archives");
    assert_eq!(wrong, 0);
}

#[test]
fn suites_agree_on_every_settled_stone() {
    let mut wrong = 0;
    for path in ["suite/goban-autoscore.jsonl", "suite/ogs-estimator.jsonl"] {
        let mut cover = Cover::default();
        for line in lines(path) {
            let text = rows(&line["rows"]);
            let board = board(&text);
            let settled = settled(&board, false);
            cover.count(&board, &settled);
            let mut list = against(&board, &settled, &places(&line["expected"]["dead"]));
            let owners = rows(&line["expected"]["ownership"]);
            for point in board.points() {
                let (x, y) = board.place(point);
                let agrees = match settled.owner[usize::from(point)] {
                    None => true,
                    Some(Side::First) => b"BX?s".contains(&at(&owners, x, y)),
                    Some(Side::Second) => b"WO?s".contains(&at(&owners, x, y)),
                };
                if !agrees {
                    list.push(format!("owner of {x},{y}"));
                }
            }
            if !list.is_empty() {
                wrong += 1;
                show(&line["id"].to_string(), &text, &board, &settled, &list);
            }
        }
        cover.print(path);
    }
    assert_eq!(wrong, 0);
}

/// A point from its name in letters and numbers.
fn named(name: &str, rows: usize) -> (u8, u8) {
    let column = name.as_bytes()[0] - b'A';
    let row: u8 = name[1..].parse().expect("a row");
    (column - u8::from(column > 8), rows as u8 - row)
}

#[test]
fn known_statuses_are_not_contradicted() {
    let mut wrong = 0;
    for path in [
        "suite/gnugo-unconditional.jsonl",
        "suite/pachi-status.jsonl",
    ] {
        let (mut points, mut agreed) = (0, 0);
        for line in lines(path) {
            let text = rows(&line["rows"]);
            let board = board(&text);
            let settled = settled(&board, false);
            let mut list = Vec::new();
            let statuses = line["expected"]["status"].as_object().expect("statuses");
            for (name, status) in statuses {
                let (x, y) = named(name, text.len());
                let point = board.point(x, y);
                let own = board.cell(point).side();
                let Some(owner) = settled.owner[usize::from(point)] else {
                    points += 1;
                    continue;
                };
                let agrees = match status.as_str().expect("a status") {
                    "alive" => Some(owner) == own,
                    "dead" => Some(owner.other()) == own,
                    "black_territory" | "X" | "x" => owner == Side::First,
                    "white_territory" | "O" | "o" => owner == Side::Second,
                    // Undecided there means: not without answers. Nothing can be
                    // held against it.
                    "?" | "undecided" => continue,
                    _ => false,
                };
                points += 1;
                agreed += usize::from(agrees);
                if !agrees {
                    list.push(format!("{name} {status} but {owner:?}"));
                }
            }
            if !list.is_empty() {
                wrong += 1;
                show(&line["id"].to_string(), &text, &board, &settled, &list);
            }
        }
        println!("{path}: {agreed} of {points} points settled as expected");
    }
    assert_eq!(wrong, 0);
}

/// Boards whose marks are not their status: they try what a counter makes of
/// marks.
const MARKED_AT_WILL: [&str; 5] = [
    // Three stones of Black without an eye, inside White's two, are in seki.
    "goscorer/test_dead_stone_marking",
    // Black's stones at the bottom are dead, with a row of four for eyes.
    "goscorer/test_false_eyes_2",
    // Of one row or column: a stone that has an eye on either side is in seki,
    // next to one that White or Black takes whenever it likes.
    "goscorer/test_narrow_board5",
    "goscorer/test_narrow_board7",
    "goscorer/test_narrow_board9",
];

#[test]
fn sekis_are_not_settled() {
    let mut wrong = 0;
    for line in lines("suite/goscorer-territory.jsonl") {
        let id = line["id"].as_str().unwrap_or_default();
        if line["expected"]["seki"].is_null() || MARKED_AT_WILL.contains(&id) {
            continue;
        }
        let text = rows(&line["rows"]);
        let board = board(&text);
        let settled = settled(&board, false);
        let mut list = against(&board, &settled, &places(&line["expected"]["dead"]));
        let seki = rows(&line["expected"]["seki"]);
        for point in board.points() {
            let (x, y) = board.place(point);
            let Some(owner) = settled.owner[usize::from(point)] else {
                continue;
            };
            let own = board.cell(point).side();
            if at(&seki, x, y) != b'.' && own.is_some() {
                list.push(format!("{x},{y} {own:?} in seki for {owner:?}"));
            }
        }
        if !list.is_empty() {
            wrong += 1;
            show(&line["id"].to_string(), &text, &board, &settled, &list);
        }
    }
    assert_eq!(wrong, 0);
}
