//! JSON against the tables.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{common::run::Folder, known, list, told};

/// Of a hundred counted games so many may be judged otherwise, as in
/// `tests/samples.rs`.
const JUDGED_OTHERWISE: usize = 3;

fn winner(letter: &str) -> Option<&'static str> {
    match letter {
        "B" => Some("black"),
        "W" => Some("white"),
        "R" => Some("red"),
        "D" => Some("draw"),
        _ => None,
    }
}

#[test]
fn go() {
    let known = known("go");
    let told = told(known.iter().map(|(origin, _)| origin.as_str()));
    assert_eq!(told.len(), known.len());
    let (mut counted, mut otherwise) = (0, Vec::new());
    for ((origin, known), told) in known.iter().zip(&told) {
        assert_eq!(told["origin"], *origin);
        assert_eq!(told["plies"].to_string(), known["moves"], "{origin}");
        let board = &told["board"];
        let size: usize = known["size"].parse().unwrap();
        assert_eq!(board["cells"].as_array().unwrap().len(), size * size);
        if known["kind"] == "resign" {
            assert_eq!(told["counts"], Value::Array(Vec::new()), "{origin}");
            assert!(list(&told["lines"])[0].contains("resigned"), "{origin}");
        }
        if known["kind"] != "score" {
            continue;
        }
        counted += 1;
        adds_up(told);
        let dead: BTreeSet<&str> = known["dead"]
            .split(' ')
            .filter(|it| !it.is_empty())
            .collect();
        let found: BTreeSet<&str> = list(&board["dead"]).into_iter().collect();
        // Without written rules, another convention than the default was used.
        let by = if known["counting"] == "area" {
            "area"
        } else {
            "territory_flood"
        };
        let mut counts = told["counts"].as_array().unwrap().iter();
        let count = counts.find(|count| count["convention"] == by).unwrap();
        let lead = count["lead"].as_f64().unwrap();
        let sign = if known["result"] == "W" { -1.0 } else { 1.0 };
        let rules_differ = known["rules"].is_empty() && by == "area";
        let as_counted = lead * sign == known["margin"].parse::<f64>().unwrap();
        if dead != found || !(as_counted || rules_differ) {
            otherwise.push((origin, dead, found));
        } else if !rules_differ {
            assert_eq!(
                told["winner"].as_str(),
                winner(&known["result"]),
                "{origin}"
            );
        }
    }
    println!("judged otherwise: {otherwise:#?}");
    assert!(counted > 100, "{counted}");
    assert!(otherwise.len() * 100 <= counted * JUDGED_OTHERWISE);
}

/// The groups and what is added come to the points of the row, which are those
/// of the convention used; every point is somebody's or nobody's.
fn adds_up(told: &Value) {
    let origin = &told["origin"];
    let board = &told["board"];
    let counts = told["counts"].as_array().unwrap();
    let used: Vec<&Value> = counts.iter().filter(|it| it["used"] == true).collect();
    assert_eq!(used.len(), 1, "{origin}");
    for (key, side) in [("first_points", "black"), ("second_points", "white")] {
        let own = told["groups"].as_array().unwrap().iter();
        let own = own.filter(|group| group["side"] == side);
        let groups: f64 = own.map(|group| group["points"].as_f64().unwrap()).sum();
        let more = told["additions"].as_array().unwrap().iter();
        let more: f64 = more.map(|it| it[key].as_f64().unwrap()).sum();
        assert_eq!(groups + more, used[0][key].as_f64().unwrap(), "{origin}");
        if !told["winner"].is_null() {
            assert_eq!(told[key], used[0][key], "{origin}");
        }
    }
    let places =
        ["first_territory", "second_territory", "neutral"].map(|key| list(&board[key]).len());
    let cells = board["cells"].as_array().unwrap();
    let stones = cells.iter().filter(|cell| **cell != 0).count();
    let living = stones - list(&board["dead"]).len();
    assert_eq!(
        places.iter().sum::<usize>() + living,
        cells.len(),
        "{origin}"
    );
    assert_eq!(told["neutral"], places[2], "{origin}");
}

/// Damaged copies are told as far as they can be played.
#[test]
fn copies_with_a_fault() {
    let known = known("dirty");
    let told = told(known.iter().map(|(origin, _)| origin.as_str()));
    for ((origin, known), told) in known.iter().zip(&told) {
        assert_eq!(told["origin"], *origin);
        // Whether a move without a value is a pass is a matter of choice.
        if origin.contains("valueless") {
            continue;
        }
        assert_eq!(told["moves"].to_string(), known["moves"], "{origin}");
        let plies = told["plies"].as_u64().unwrap_or(0);
        assert_eq!(plies.to_string(), known["playable"], "{origin}");
        assert_eq!(told["board"].is_null(), told["error_kind"] == "bad_size");
        if told["convention"].is_string() {
            adds_up(told);
        }
        for warned in told["warned"].as_array().unwrap() {
            let word = warned["word"].as_str().unwrap();
            assert!(
                told["warnings"].as_str().unwrap().contains(word),
                "{origin}"
            );
            assert_eq!(
                warned["byte"], warned["byte_in_file"],
                "the first of its file"
            );
        }
    }
}

/// Positions counted by hand, and games of other formats with the counts of their
/// SGF.
#[test]
fn other_formats() {
    let folders = ["data/boards", "data/formats"];
    let listed = crate::common::run::run(&format!("label {} --quiet", folders.join(" ")));
    let rows = listed.done().rows();
    let games: Vec<_> = rows
        .iter()
        .filter(|row| row["status"] != "skipped")
        .collect();
    let told = told(games.iter().map(|row| row["origin"].as_str()));
    assert!(told.len() >= 14, "{}", told.len());
    for told in &told {
        let origin = &told["origin"];
        assert_eq!(told["winner"], told["recorded_winner"], "{origin}");
        assert_eq!(told["margin"], told["recorded_margin"], "{origin}");
        adds_up(told);
    }
}

#[test]
fn kinrow() {
    let known = known("kinrow");
    let told = told(known.iter().map(|(origin, _)| origin.as_str()));
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for ((origin, known), told) in known.iter().zip(&told) {
        assert_eq!(told["origin"], *origin);
        assert_eq!(
            told["winner"].as_str(),
            winner(&known["winner"]),
            "{origin}"
        );
        let end = known["end"].as_str();
        *ends.entry(end).or_default() += 1;
        if end == "foul" {
            let foul = &told["foul"];
            assert_eq!(foul["shape"], known["foul"], "{origin}");
            if !known["point"].is_empty() {
                assert_eq!(foul["point"], known["point"], "{origin}");
            }
        }
        if end == "line" {
            line_is_in_a_row(told);
        }
        if end == "full" {
            let cells = told["board"]["cells"].as_array().unwrap();
            assert!(cells.iter().all(|cell| *cell != 0), "{origin}");
        }
    }
    for end in [
        "foul", "full", "illegal", "limit", "line", "open", "resign", "time",
    ] {
        assert!(ends.contains_key(end), "{ends:?}");
    }
}

/// The points of the line follow each other and are the winner's.
fn line_is_in_a_row(told: &Value) {
    let (origin, board) = (&told["origin"], &told["board"]);
    let (columns, rows) = (list(&board["columns"]), list(&board["rows"]));
    let cells = board["cells"].as_array().unwrap();
    let places: Vec<(usize, usize)> = list(&board["line"])
        .iter()
        .map(|name| {
            let digits = name.find(|c: char| c.is_ascii_digit()).unwrap();
            let place = |names: &[&str], name: &str| names.iter().position(|it| *it == name);
            let column = place(&columns, &name[..digits]).unwrap();
            (column, place(&rows, &name[digits..]).unwrap())
        })
        .collect();
    assert!(places.len() >= 3, "{origin}");
    let step = |pair: &[(usize, usize)]| {
        let of = |one: usize, two: usize| two as i64 - one as i64;
        (of(pair[0].0, pair[1].0), of(pair[0].1, pair[1].1))
    };
    let steps: BTreeSet<(i64, i64)> = places.windows(2).map(step).collect();
    assert_eq!(steps.len(), 1, "{origin}: {places:?}");
    let sign = if told["winner"] == "black" { 1 } else { -1 };
    for (column, row) in places {
        assert_eq!(cells[row * columns.len() + column], sign, "{origin}");
    }
}

#[test]
fn xiangqi() {
    let known = known("xiangqi");
    let told = told(known.iter().map(|(origin, _)| origin.as_str()));
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for ((origin, known), told) in known.iter().zip(&told) {
        assert_eq!(told["origin"], *origin);
        assert_eq!(
            told["winner"].as_str(),
            winner(&known["winner"]),
            "{origin}"
        );
        assert_eq!(
            told["position"].as_str().unwrap_or(""),
            known["final"],
            "{origin}"
        );
        if known["final"].is_empty() {
            assert_eq!(told["board"], Value::Null, "{origin}");
            continue;
        }
        let number = |key: &str| known[key].parse::<u64>().ok();
        assert_eq!(told["legal"].as_u64(), number("legal"), "{origin}");
        let check = told["check"].as_bool().map(u64::from);
        assert_eq!(check, number("check"), "{origin}");
        let (pieces, turn) = known["final"].split_once(' ').unwrap();
        assert_eq!(fen(&told["board"]), pieces, "{origin}");
        let turn = if turn == "w" { "red" } else { "black" };
        assert_eq!(told["to_move"], turn, "{origin}");
        let ends_so = told["repetition"]["ends"] == true;
        assert_eq!(ends_so, known["end"] == "repetition", "{origin}");
        *ends.entry(&known["end"]).or_default() += 1;
    }
    for end in [
        "illegal",
        "mate",
        "material",
        "open",
        "repetition",
        "stalemate",
    ] {
        assert!(ends.contains_key(end), "{ends:?}");
    }
}

/// The pieces of a board as FEN has them.
fn fen(board: &Value) -> String {
    let cells = board["cells"].as_array().unwrap();
    let rank = |cells: &[Value]| {
        let mut text = String::new();
        let mut empty = 0;
        for cell in cells {
            match cell.as_str() {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        text += &empty.to_string();
                        empty = 0;
                    }
                    text += letter;
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    };
    cells.chunks(9).map(rank).collect::<Vec<_>>().join("/")
}

/// A corner and the group around it with one eye each and a liberty that neither
/// can take, counted by hand.
const SEKI: &str = "\
rules: japanese
komi: 0

X X . O . O X . .
. X O O O O X . .
X X O X X X X . .
O O O X . . . . .
X X X X . . . . .
X X X X X X X X X
O O O O O O O O O
. . . . . . . . .
. . . . . . . . .
";

#[test]
fn a_seki() {
    let folder = Folder::with(&[("seki.txt", SEKI)]);
    for (convention, points, neutral) in [
        ("territory_flood", [17, 19], &["C9"] as &[&str]),
        ("territory_strict", [16, 18], &["C9", "E9", "A8"]),
    ] {
        let line = format!("explain seki.txt --format json --convention {convention}");
        let told: Value = serde_json::from_str(&folder.run(&line).done().out).unwrap();
        let board = &told["board"];
        let seki = "A9 B9 D9 F9 B8 C8 D8 E8 F8 A7 B7 C7 A6 B6 C6";
        assert_eq!(list(&board["seki"]).join(" "), seki);
        assert_eq!(list(&board["neutral"]), neutral, "{convention}");
        assert_eq!(told["first_points"], points[0], "{convention}");
        assert_eq!(told["second_points"], points[1], "{convention}");
        adds_up(&told);
        let chains = told["chains"].as_array().unwrap();
        let fates: Vec<_> = chains.iter().map(|it| (&it["side"], &it["at"])).collect();
        assert_eq!(fates.len(), 2, "{fates:?}");
        assert!(chains.iter().all(|chain| chain["fate"] == "seki"));
    }
}
