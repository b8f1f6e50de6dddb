//! Positions of the reference suite, written as boards in many ways.

use std::{fmt::Write, fs};

use kifu::outcome::Points;
use serde_json::Value;

use super::{
    common::{self, plan, reference},
    drawn, judge, record,
};

/// A position of the suite as text, and its stones.
struct Position {
    id: String,
    rows: Vec<String>,
}

/// Every position of the reference suite, once.
fn positions() -> Vec<Position> {
    let Some(folder) = reference("go/suite") else {
        return Vec::new();
    };
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let mut positions = Vec::new();
    for file in files {
        for line in fs::read_to_string(file).unwrap().lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let (Some(id), Some(rows)) = (line["id"].as_str(), line["rows"].as_array()) else {
                continue;
            };
            let rows: Vec<String> = rows
                .iter()
                .map(|row| row.as_str().unwrap().to_owned())
                .collect();
            if rows.iter().all(|row| row.len() == rows[0].len()) {
                let id = id.to_owned();
                positions.push(Position { id, rows });
            }
        }
    }
    assert!(positions.len() > 800, "{}", positions.len());
    positions
}

/// Writes rows in one of many ways.
fn write(rows: &[String], way: usize) -> String {
    const ALPHABETS: [(&str, &str, &str); 8] = [
        ("X", "O", "."),
        ("B", "W", "."),
        ("x", "o", "_"),
        ("#", "O", "+"),
        ("@", "O", "-"),
        ("●", "○", "┼"),
        ("b", "w", "*"),
        ("1", "2", "0"),
    ];
    let (black, white, empty) = ALPHABETS[way % 8];
    let spaced = (way / 8).is_multiple_of(2);
    // One row of digits without blanks would be a number, and few rows have
    // labels that could be points.
    let spaced = spaced || way % 8 == 7 && rows.len() == 1;
    let labelled = (way / 16).is_multiple_of(2) && (way % 8 < 7 || rows.len() > 3);
    let between = if spaced || labelled && way % 8 == 7 {
        " "
    } else {
        ""
    };
    let letters = b"ABCDEFGHJKLMNOPQRSTUVWXYZ".map(|name| char::from(name).to_string());
    let beyond = letters.iter().map(|letter| format!("A{letter}"));
    let names: Vec<String> = letters
        .iter()
        .cloned()
        .chain(beyond)
        .take(rows[0].len())
        .collect();
    let names = names.join(between);
    let mut text = String::new();
    if labelled {
        writeln!(text, "    {names}").unwrap();
    }
    for (row, number) in rows.iter().zip((1..=rows.len()).rev()) {
        let signs: Vec<&str> = row
            .chars()
            .map(|sign| match sign {
                'X' => black,
                'O' => white,
                _ => empty,
            })
            .collect();
        let signs = signs.join(between);
        if labelled {
            writeln!(text, " {number:>2} {signs} {number}").unwrap();
        } else {
            writeln!(text, "{signs}").unwrap();
        }
    }
    text
}

/// The same position as an SGF set-up.
fn as_sgf(rows: &[String]) -> String {
    let mut text = format!("(;GM[1]SZ[{}:{}]", rows[0].len(), rows.len());
    for (name, sign) in [("AB", 'X'), ("AW", 'O')] {
        let mut points = String::new();
        for (row, signs) in (b'a'..).zip(rows) {
            for (column, _) in (b'a'..)
                .zip(signs.chars())
                .filter(|(_, found)| *found == sign)
            {
                write!(points, "[{}{}]", char::from(column), char::from(row)).unwrap();
            }
        }
        if !points.is_empty() {
            write!(text, "{name}{points}").unwrap();
        }
    }
    text + ")"
}

/// Real positions, written in every way, are read as they are.
#[test]
fn real_positions_come_back() {
    for (number, position) in positions().iter().enumerate() {
        // Each position in a few of the ways, so that all come up often.
        for way in [number % 32, (number * 7 + 5) % 32, (number * 11 + 16) % 32] {
            let text = write(&position.rows, way);
            let found = record(&text, drawn);
            assert_eq!(
                found, position.rows,
                "{} in way {way}:\n{text}",
                position.id
            );
        }
    }
}

/// A board is judged as the same position in SGF is.
#[test]
fn text_is_judged_as_sgf_is() {
    for (number, position) in positions().iter().enumerate().step_by(7) {
        let text = judge(&plan(), &write(&position.rows, number % 32));
        let sgf = common::judge(&plan(), &as_sgf(&position.rows));
        assert_eq!(text.margin, sgf.margin, "{}", position.id);
        assert_eq!(text.dead, sgf.dead, "{}", position.id);
        assert_eq!(text.ownership, sgf.ownership, "{}", position.id);
        assert_eq!(text.game_hash, sgf.game_hash, "{}", position.id);
        assert_eq!(text.canonical_hash, sgf.canonical_hash, "{}", position.id);
    }
}

/// A score as the suite writes it, from Black's view.
fn margin(score: &str) -> Points {
    let (sign, margin) = match score.split_at(1) {
        ("B", rest) => (1, rest),
        ("W", rest) => (-1, rest),
        _ => (0, "0"),
    };
    let margin: Points = margin.trim_start_matches('+').parse().unwrap();
    Points::quarters(sign * margin.in_quarters())
}

/// Lines of a file of the suite.
fn suite(name: &str) -> Vec<Value> {
    let Some(file) = reference(&format!("go/suite/{name}")) else {
        return Vec::new();
    };
    let text = fs::read_to_string(file).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn rows_of(line: &Value) -> Vec<String> {
    let rows = line["rows"].as_array().unwrap();
    rows.iter()
        .map(|row| row.as_str().unwrap().to_owned())
        .collect()
}

/// Positions whose score needs no judgement of life and death.
#[test]
fn area_scores_of_the_suite() {
    let mut plan = plan();
    plan.settings.dead = Some("none".to_owned());
    for (way, line) in suite("sgfmill-area.jsonl").iter().enumerate() {
        let rows = write(&rows_of(line), way);
        let judged = judge(&plan, &format!("{rows}rules: chinese\nkomi: 0\n"));
        let expected = margin(line["expected"]["score"].as_str().unwrap());
        assert_eq!(judged.margin, Some(expected), "{line}");
    }
}

/// Finished games with their prisoners and komi: nearly all of their scores
/// come out, which they do not where any of it is read wrong.
#[test]
fn scores_of_finished_games() {
    let games = suite("ogs-finished-games.jsonl");
    let (mut right, mut all) = (0, 0);
    for (way, line) in games.iter().enumerate().step_by(5) {
        let Some(rules) = line["rules"].as_str().filter(|rules| *rules == "japanese") else {
            continue;
        };
        let taken = &line["captures"];
        let text = format!(
            "rules: {rules}\nkomi: {}\nprisoners: black {}, white {}\n\n{}",
            line["komi"],
            taken["by_black"],
            taken["by_white"],
            write(&rows_of(line), way)
        );
        let expected = margin(line["expected"]["score"].as_str().unwrap());
        all += 1;
        right += usize::from(judge(&plan(), &text).margin == Some(expected));
    }
    assert!(right * 100 >= all * 95, "{right} of {all}");
    assert!(games.is_empty() || all > 50, "{all}");
}
