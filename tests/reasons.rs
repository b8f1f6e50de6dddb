//! What would reconcile a record with its board: each reason where it fits, and
//! not where it does not.
#![cfg(feature = "cli")]

mod common;

use std::fs;

use common::{label_all, plan, reference};
use kifu::{
    game::go::Convention,
    label::{self, Label},
    outcome::Points,
    pipeline::Plan,
};
use serde_json::Value;

/// The words of the only row of some SGF, joined as in its column.
fn reasons(plan: &Plan, text: &str) -> String {
    let mut rows = Vec::new();
    label_all(plan, text.as_bytes(), &mut |label| {
        let reasons: Vec<String> = label.reasons.iter().map(ToString::to_string).collect();
        rows.push(reasons.join(";"));
    });
    assert_eq!(rows.len(), 1, "one record: {text}");
    rows.remove(0)
}

/// A plan that takes dead stones as marked.
fn marked() -> Plan {
    let mut plan = plan();
    plan.settings.dead = Some("marked".to_owned());
    plan
}

/// A finished game on a drawn board, `x` and `o` being dead: its root, what
/// follows the set-up, and rows from the top.
fn drawn(root: &str, moves: &str, rows: &[&str]) -> String {
    let points = |letters: &str| {
        let mut values = String::new();
        for (row, text) in ('a'..).zip(rows) {
            for (column, _) in ('a'..)
                .zip(text.chars())
                .filter(|(_, c)| letters.contains(*c))
            {
                values += &format!("[{column}{row}]");
            }
        }
        values
    };
    let named = |name: &str, letters: &str| match points(letters) {
        points if points.is_empty() => points,
        points => format!("{name}{points}"),
    };
    format!(
        "(;GM[1]SZ[{}:{}]{root}{}{}{moves}{}{})",
        rows[0].len(),
        rows.len(),
        named("AB", "Xx"),
        named("AW", "Oo"),
        named("TB", "o"),
        named("TW", "x"),
    )
}

/// Black's half is larger by a column: 45 to 36 by area, 36 to 27 by territory.
const HALVES: &[&str] = &[
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
];

/// As the halves, with a white stone in Black's: dead, it is worth two points
/// and by area one that Black would have all the same.
const INTRUDER: &[&str] = &[
    "....XO...",
    "....XO...",
    "..o.XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
];

#[test]
fn komi_units_and_signs() {
    // Black has 9 more without komi, and 2.5 more with 6.5.
    for (root, expected) in [
        ("RU[Japanese]KM[6.5]RE[B+2.5]", ""),
        ("RU[Japanese]KM[6.5]RE[B+1.5]", "rules=chinese;komi=7.5"),
        ("RU[Japanese]KM[6.5]RE[B+9]", "komi=0"),
        ("RU[Japanese]KM[6.5]RE[W+2.5]", "swapped"),
        ("RU[Japanese]KM[6.5]RE[B+3]", "half_point;komi=6"),
        ("RU[Japanese]KM[6.5]RE[B+1.25]", ""),
        ("RU[Japanese]KM[5]RE[B+2]", "komi=7;zi"),
        ("RU[Japanese]KM[5]RE[B+6.5]", "zi=komi"),
        ("RU[Japanese]KM[6.5]RE[B+40.5]", ""),
        // Nobody has written a komi, so another may go with a lost half point.
        ("RU[Japanese]RE[B+9]", "komi=0"),
    ] {
        let found = reasons(&plan(), &drawn(root, ";B[];W[]", HALVES));
        let found = match found.rsplit_once("board_says") {
            Some((found, _)) => found.trim_end_matches(';'),
            None => "",
        };
        assert_eq!(found, expected, "{root}");
    }
}

#[test]
fn a_group_that_was_left_alive() {
    // Taken off, the stone gives Black 2 points by territory; left alive, all
    // of Black's empty points are nobody's.
    let text = drawn("RU[Japanese]KM[6.5]RE[W+33.5]", ";B[];W[]", INTRUDER);
    let found = reasons(&marked(), &text);
    assert!(found.contains("alive=C7"), "{found}");
}

/// Black closes the corridor at the top for a point, or White makes it nobody's.
const CORRIDOR: &[&str] = &[".X..O..", ".XXXO..", "...X..."];

#[test]
fn what_playing_on_gains_is_of_the_judged_position() {
    // Both have six points, if Black plays D3; where both points are filled by
    // turns, as dame, nothing is left to gain, and Black lacks one.
    let mut plan = plan();
    plan.settings.convention = Some("territory_finished".to_owned());
    for (recorded, expected) in [("W+1", true), ("B+1", false)] {
        let root = format!("RU[Japanese]KM[0]RE[{recorded}]");
        let found = reasons(&plan, &drawn(&root, ";W[ec]", CORRIDOR));
        assert_eq!(found.contains("dame=2"), expected, "{recorded}: {found}");
        assert!(found.ends_with("board_says=draw"), "{recorded}: {found}");
    }
}

/// The lines of explanations of one record that begin so.
fn explained(plan: &Plan, text: &str, start: &str) -> Vec<String> {
    let mut found = Vec::new();
    common::explain_all(plan, text.as_bytes(), &mut |_, text| {
        let lines = text.lines().filter(|line| line.starts_with(start));
        found.extend(lines.map(str::to_owned));
    });
    found
}

#[test]
fn an_explanation_shows_the_moves_of_playing_on() {
    for (rows, moves, expected) in [
        (CORRIDOR, ";W[ec]", "1 move, changes 1 point: B D3"),
        (HALVES, ";B[];W[]", "0 moves"),
    ] {
        let text = drawn("RU[Japanese]KM[0]", moves, rows);
        let line = format!("playing on         {expected}");
        assert_eq!(explained(&plan(), &text, "playing on"), [line]);
    }
}

/// White can take the stone at C4 by a move to B4, and Black take it back.
const KO: &[&str] = &[".XO...", "X.XO..", ".XO...", "..XO..", "o.XO.."];

#[test]
fn an_open_ko_names_both_ends() {
    // By area 13 to 17 where Black fills it, 11 to 19 where White takes it and
    // fills it.
    for (recorded, expected) in [("W+8", "ko=white+4|white+8@B4"), ("W+5", "")] {
        let root = format!("RU[Chinese]KM[0]RE[{recorded}]");
        let found = reasons(&marked(), &drawn(&root, ";B[];W[]", KO));
        let ko = found.split(';').find(|it| it.starts_with("ko="));
        assert_eq!(ko.unwrap_or(""), expected, "{found}");
    }
    // White has just taken it, so it matters whatever is claimed. Where Black
    // takes back, the point is filled.
    let text = drawn("RU[Chinese]KM[0]RE[W+5]", ";W[bb]", KO);
    let found = reasons(&marked(), &text);
    assert!(found.contains("ko=white+4|white+8@C4"), "{found}");
}

#[test]
fn a_ko_of_an_open_position_names_both_ends() {
    let rows: [&str; 9] = [
        ".XO......",
        "X.XO.....",
        ".XO......",
        ".XO......",
        ".XO......",
        ".XO......",
        ".XO......",
        ".........",
        ".........",
    ];
    let found = reasons(&plan(), &drawn("RU[Chinese]KM[0]RE[W+8]", ";B[ai]", &rows));
    let (ko, rest) = found.split_once('@').unwrap_or_default();
    assert!(ko.starts_with("ko=") && ko.contains('|'), "{found}");
    assert_eq!(rest, "B8", "{found}");
    // Without a result nothing is open to dispute.
    let found = reasons(&plan(), &drawn("RU[Chinese]KM[0]", ";B[ai]", &rows));
    assert_eq!(found, "");
}

#[test]
fn a_record_that_stops_in_mid_game() {
    // A border of a column and three points more: 22 points are nobody's.
    let row = |black: usize| format!("{}X.{}O{}", ".".repeat(black), "", ".".repeat(16 - black));
    let rows: Vec<String> = (0..19)
        .map(|at| match at {
            0..3 => format!("{}X..O{}", ".".repeat(8), ".".repeat(7)),
            _ => row(8),
        })
        .collect();
    let mut rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let intruded = rows[18].replacen('.', "o", 1);
    rows[18] = &intruded;
    for (moves, expected) in [(";B[aa]", true), (";B[];W[]", false)] {
        // The whole count is marked, so that the open points are let pass.
        let text = drawn("RU[Chinese]KM[7.5]RE[B+3]", moves, &rows);
        let text = text.replace("TB", "TW[ma:ss][ld:ls]TB[aa:hr]");
        let found = reasons(&marked(), &text);
        assert_eq!(found.contains("cut=neutral:22"), expected, "{found}");
        assert!(!found.contains("neutral=0"), "{found}");
    }
}

/// Wherever the convention in use misses the recorded score and another one
/// gives it, the reasons say which: for each convention in turn.
#[test]
fn conventions_that_reconcile_are_named() {
    let Some(suite) = reference("go/suite/ogs-finished-games.jsonl") else {
        return;
    };
    let Some(folder) = reference("go/ogs-finished") else {
        return;
    };
    let suite = fs::read_to_string(suite).unwrap();
    // As the rules say, and by each convention.
    let words = Convention::ALL.iter().map(|used| Some(used.word()));
    for used in [None].into_iter().chain(words) {
        let mut plan = marked();
        plan.settings.convention = used.map(str::to_owned);
        let (mut rows, mut missed, mut named) = (0, 0, 0);
        for line in suite.lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let Some(dead) = case["expected"]["dead"].as_array() else {
                continue;
            };
            let id = case["id"].as_str().unwrap();
            let name = id.trim_start_matches("ogs-finished/");
            let Ok(bytes) = fs::read(folder.join(format!("{name}.sgf"))) else {
                continue;
            };
            rows += 1;
            let text = with_marks(&String::from_utf8_lossy(&bytes), dead, &case);
            label_all(&plan, text.as_bytes(), &mut |row| {
                if let Some(fitting) = fitting(row) {
                    missed += 1;
                    for convention in fitting {
                        named += 1;
                        assert!(names(row, convention), "{id}: {convention}: {row:#?}");
                    }
                }
            });
        }
        println!(
            "{}: {rows} rows, {missed} missed, {named} named",
            used.unwrap_or("by the rules")
        );
        assert!(rows > 300);
        // What the server counts fits every row.
        assert_eq!(missed == 0, used.is_none());
        assert!(named >= missed, "{named} of {missed}");
    }
}

/// The conventions that give the recorded margin, where the one in use does not.
fn fitting(row: &Label<'_>) -> Option<Vec<&'static str>> {
    let judgement = row.judgement.as_ref()?;
    let claimed = label::claim(&row.recorded).margin?;
    let counts = judgement.counts.as_ref()?;
    let fits = counts.iter().filter(|count| count.margin == claimed);
    (judgement.margin? != claimed).then(|| fits.map(|count| count.convention).collect())
}

/// Whether the reasons of a row name a convention, or rules that count by it;
/// where no shared point is filled, area is counted in one way.
fn names(row: &Label<'_>, convention: &str) -> bool {
    let margin = |name: &str| {
        let counts = row.judgement.as_ref()?.counts.as_ref()?;
        let count = counts.iter().find(|count| count.convention == name)?;
        Some(count.margin)
    };
    let convention = match margin("area") == margin("area_dame_ignored") {
        true if convention == "area_dame_ignored" => "area",
        _ => convention,
    };
    let rules = match convention {
        "area" => "rules=chinese",
        "territory_flood" => "rules=japanese",
        _ => "",
    };
    let own = format!("convention={convention}");
    let mut reasons = row.reasons.iter().map(ToString::to_string);
    reasons.any(|reason| reason == own || reason == rules)
}

/// A record with the stones of a list marked as the other side's territory.
fn with_marks(text: &str, dead: &[Value], case: &Value) -> String {
    let mut marks = [String::from("TB"), String::from("TW")];
    for point in dead {
        let [column, row] = [0, 1].map(|at| point[at].as_u64().unwrap() as usize);
        let letter = |at: usize| char::from(b'a' + at as u8);
        let stone = case["rows"][row].as_str().unwrap().as_bytes()[column];
        let owner = usize::from(stone == b'X');
        marks[owner] += &format!("[{}{}]", letter(column), letter(row));
    }
    let (body, _) = text.trim_end().rsplit_once(')').unwrap();
    let marks: String = marks.into_iter().filter(|it| it.len() > 2).collect();
    // A mark of no stone, so that no stone is judged dead where none is marked.
    let empty = if marks.is_empty() { "TB[]" } else { "" };
    format!("{body};{marks}{empty})")
}

/// The lines that an explanation adds up are the points of its row.
#[test]
fn explained_groups_add_up_on_the_samples() {
    let mut sheets = 0;
    for convention in ["area", "territory_flood", "territory_strict"] {
        let mut plan = plan();
        plan.settings.convention = Some(convention.to_owned());
        plan.settings.dead = Some("none".to_owned());
        for folder in ["9x9", "13x13", "19x19", "odd", "handicap", "dirty"] {
            let Ok(files) = fs::read_dir(format!("data/archive/go/{folder}")) else {
                continue;
            };
            for file in files.map(|file| file.unwrap().path()) {
                let bytes = fs::read(&file).unwrap();
                common::explain_all(&plan, &bytes, &mut |row, text| {
                    let judgement = row.judgement.as_ref().unwrap();
                    let Some(points) = judgement.points else {
                        return;
                    };
                    sheets += 1;
                    assert_eq!(columns(text), points, "{}: {text}", file.display());
                });
            }
        }
    }
    assert!(sheets > 300, "{sheets}");
}

/// The sums of the columns of both sides.
fn columns(text: &str) -> [Points; 2] {
    let (header, at) = text
        .lines()
        .zip(0..)
        .find(|(line, _)| line.starts_with("group  "))
        .expect("a table");
    let ends = ["   black", "   white"].map(|name| header.find(name).unwrap() + name.len());
    let mut sums = [Points::ZERO; 2];
    let lines = text.lines().skip(at + 1);
    for line in lines.take_while(|line| !line.starts_with("together")) {
        for (sum, end) in sums.iter_mut().zip(ends) {
            let cell = line.get(end - 6..end.min(line.len())).unwrap_or("").trim();
            if !cell.is_empty() {
                *sum += cell.parse().unwrap();
            }
        }
    }
    sums
}
