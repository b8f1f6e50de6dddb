//! Annotated SGF is read back, by `sgf-parse` and by `kifu label`.

use std::{collections::BTreeSet, fs};

use serde_json::Value;
use sgf_parse::{GameTree, SgfNode, SgfProp};

use super::{
    common::run::{Folder, RESIGNED},
    explain, known, labelled, list, told,
};

/// Records that SGF can hold: read, of games with stones, every move a point.
fn writable(table: &str) -> Vec<(String, Value)> {
    let origins: Vec<String> = known(table).into_iter().map(|(origin, _)| origin).collect();
    let told = told(origins.iter().map(String::as_str));
    let all = origins.into_iter().zip(told);
    all.filter(|(_, told)| !told["board"].is_null() && told["error_kind"] != "off_board")
        .collect()
}

/// What a record says of itself and what is said of it.
const LABEL: &[&str] = &[
    "game",
    "size",
    "rules",
    "convention",
    "komi",
    "handicap",
    "moves",
    "plies",
    "ended",
    "recorded_winner",
    "recorded_margin",
    "recorded_kind",
    "winner",
    "margin",
    "basis",
    "first_points",
    "second_points",
    "dead_first",
    "dead_second",
    "neutral",
    "confidence",
    "status",
    "value",
    "value_from",
    "lead",
    "game_hash",
];

/// Every record comes back as the game it was, with the same label.
#[test]
fn samples_come_back_with_the_same_label() {
    let folder = Folder::new();
    for (table, least) in [("go", 130), ("dirty", 30), ("kinrow", 190)] {
        let records = writable(table);
        assert!(records.len() >= least, "{table}: {}", records.len());
        let file = folder.path(format!("{table}.sgf"));
        let out = file.to_str().unwrap();
        let origins = records.iter().map(|(origin, _)| origin.as_str());
        explain(origins, &["--sgf", out]).done();
        let rows = labelled(&file);
        assert_eq!(rows.len(), records.len());
        for (row, (origin, told)) in rows.iter().zip(&records) {
            for key in LABEL {
                let expected = match &told[*key] {
                    Value::Null => String::new(),
                    Value::String(text) => text.clone(),
                    other if *key == "confidence" => format!("{:.3}", other.as_f64().unwrap()),
                    other => other.to_string(),
                };
                assert_eq!(row[*key], expected, "{key} of {origin}: {row:?}");
            }
            if row["basis"] == "count" {
                assert!(!row["warnings"].contains("partial_marks"), "{origin}");
            }
        }
        let text = fs::read_to_string(&file).unwrap();
        let trees = sgf_parse::parse(&text).unwrap();
        assert_eq!(trees.len(), records.len());
        for (tree, (origin, told)) in trees.iter().zip(&records) {
            match tree {
                GameTree::GoGame(root) => holds(root, told, origin),
                GameTree::Unknown(root) => holds(root, told, origin),
            }
        }
    }
}

/// The tree is valid, and its last node marks what was told.
fn holds<Prop: SgfProp>(root: &SgfNode<Prop>, told: &Value, origin: &str) {
    root.validate()
        .unwrap_or_else(|error| panic!("{origin}: {error}"));
    let last = root.main_variation().last().unwrap();
    let comment = last.get_property("C").map(ToString::to_string).unwrap();
    let status = told["status"].as_str().unwrap();
    assert!(comment.contains(status), "{origin}: {comment}");
    let points = |name: &str| -> BTreeSet<String> {
        let property = last.get_property(name).map(ToString::to_string);
        let values = property.unwrap_or_default();
        let values = values.trim_start_matches(name).trim_matches(['[', ']']);
        let values = values.split("][").filter(|value| !value.is_empty());
        values.map(str::to_owned).collect()
    };
    let board = &told["board"];
    let named = |key: &str| -> BTreeSet<String> {
        list(&board[key])
            .into_iter()
            .map(|name| in_sgf(board, name))
            .collect()
    };
    if told["game"] == "go" {
        assert_eq!(points("MA"), named("dead"), "{origin}");
    } else {
        assert_eq!(points("CR"), named("line"), "{origin}");
    }
    let is_territory = told["convention"]
        .as_str()
        .is_some_and(|it| it.starts_with("territory"));
    if told["basis"] == "count" && is_territory {
        for (name, key) in [("TB", "first_territory"), ("TW", "second_territory")] {
            assert_eq!(points(name), named(key), "{name} of {origin}");
        }
    }
}

/// A point's name as SGF writes it.
fn in_sgf(board: &Value, name: &str) -> String {
    let digits = name.find(|c: char| c.is_ascii_digit()).unwrap();
    let place = |key: &str, name: &str| list(&board[key]).iter().position(|it| *it == name);
    let places = [
        place("columns", &name[..digits]),
        place("rows", &name[digits..]),
    ];
    places
        .map(|at| char::from(b'a' + at.unwrap() as u8))
        .iter()
        .collect()
}

/// A record that does not end with passes, of a board that is played on by
/// `territory_finished` and by no other convention.
const STOPPED: &str = ";B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce]";

/// Whatever profile, program, komi or handicap said how a record was counted: what is
/// written says so itself, under any name.
#[test]
fn what_profiles_say_comes_back() {
    let toml = "[[profile]]\nname = \"club\"\npath = \"club/**\"\nrules = \"chinese\"\n\
                convention = \"area_dame_ignored\"\n";
    let record = |head: &str, moves: &str| format!("(;GM[1]SZ[5]{head}{moves})");
    let fox = record(
        "AP[GNU Go:3.8]AP[foxwq]RU[Japanese]KM[650]RE[W+1.50]",
        STOPPED,
    );
    // A komi of zero is taken as meant with a handicap of one.
    let one = record("AP[YuanYu]RU[Japanese]KM[0]HA[1]RE[B+3]", STOPPED);
    // Silent about rules, where a profile is for those that name them.
    let silent = record("AP[YuanYu]KM[6.5]RE[W+3.5]", STOPPED);
    let club = record("KM[0.5]RE[B+4.5]", STOPPED);
    // Edits behind the first move, White's first.
    let edited = record("KM[0.5]RE[?]", ";B[aa];AW[bb][cc]AB[dd]AE[aa];W[ee]");
    let folder = Folder::with(&[
        ("kifu.toml", toml),
        ("club/a.sgf", &club),
        ("fox.sgf", &fox),
        ("one.sgf", &one),
        ("silent.sgf", &silent),
        ("edited.sgf", &edited),
    ]);
    let names = "club/a.sgf fox.sgf one.sgf silent.sgf edited.sgf";
    let before = folder.run(&format!("label {names} --quiet")).done().rows();
    folder.run(&format!("explain {names} --sgf out.sgf")).done();
    let after = folder.run("label out.sgf --quiet").done().rows();
    let mut before: Vec<_> = before.into_iter().collect();
    let place = |row: &crate::common::run::Row| names.find(row["origin"].as_str());
    before.sort_by_key(place);
    assert_eq!(before.len(), 5);
    for (before, after) in before.iter().zip(&after) {
        for key in LABEL {
            assert_eq!(after[*key], before[*key], "{key} of {before:?}");
        }
    }
    let conventions: Vec<&str> = after.iter().map(|row| row["convention"].as_str()).collect();
    assert_eq!(
        conventions,
        [
            "area_dame_ignored",
            "territory_finished",
            "territory_finished",
            "territory_flood",
            "territory_flood"
        ]
    );
}

/// What such a record says is believed of it alone: by no other convention, and
/// nothing that kifu would not write.
#[test]
fn what_was_counted_is_not_believed_of_another_count() {
    let line = ";B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[];W[]\
                TB[aa][ab][ac][ad][ae][ba][bb][bc][bd][be]TW[ea][eb][ec][ed][ee]";
    let record = |counted: &str| format!("(;GM[1]SZ[5]RU[Japanese]KM[0.5]{counted}{line})");
    for (counted, flags, convention, confidence) in [
        ("", "", "territory_flood", "0.950"),
        ("KC[rules:0.7]", "", "territory_flood", "0.700"),
        ("KC[territory_strict:0.7]", "", "territory_strict", "0.700"),
        (
            "KC[territory_strict:0.7]",
            "--convention territory_flood",
            "territory_flood",
            "0.950",
        ),
        (
            "KC[territory_strict:0.7]",
            "--rules chinese",
            "area",
            "0.950",
        ),
        ("KC[territory_strict:1]", "", "territory_flood", "0.950"),
        ("KC[territory_strict:NaN]", "", "territory_flood", "0.950"),
        ("KC[territory_strict]", "", "territory_flood", "0.950"),
        ("KC[best:0.7]", "", "territory_flood", "0.950"),
    ] {
        let folder = Folder::with(&[("a.sgf", &record(counted))]);
        let rows = folder
            .run(&format!("label a.sgf --quiet {flags}"))
            .done()
            .rows();
        let row = &rows[0];
        assert_eq!(row["convention"], convention, "{counted} {flags}");
        assert_eq!(row["confidence"], confidence, "{counted} {flags}");
    }
}

#[test]
fn what_sgf_cannot_hold_is_said_in_a_sentence() {
    let archive = "data/archive";
    for (origin, expected) in [
        ("xiangqi/pgn/uci.pgn", "SGF has no moves for xiangqi"),
        (
            "go/dirty/off_board.sgf",
            "its move 17 is no point of the board",
        ),
        ("go/dirty/bad_size.sgf", "board size"),
    ] {
        let origin = format!("{archive}/{origin}");
        let said = explain([origin.as_str()], &["--sgf", "-"]);
        assert_eq!((said.status, said.out.as_str()), (2, ""), "{origin}");
        let sentence = format!("kifu: cannot write {origin} as SGF: {expected}");
        assert!(said.err.starts_with(&sentence), "{}", said.err);
        assert_eq!(said.err.lines().count(), 1, "{}", said.err);
    }
}

/// Longer than what a tree of `sgf-parse` may be.
#[test]
fn a_long_record_is_written() {
    let moves = ";B[];W[]".repeat(30_000);
    let folder = Folder::with(&[("long.sgf", &format!("(;GM[1]SZ[9]RE[0]{moves})"))]);
    folder.run("explain long.sgf --sgf out.sgf").done();
    let rows = labelled(&folder.path("out.sgf"));
    assert_eq!(rows[0]["moves"], "60000");
}

/// Texts of the record keep their brackets and lines.
#[test]
fn texts_are_escaped() {
    let record = r"(;GM[1]SZ[9]KM[6.5]PB[a\]b\\:c]RE[B+R \[sic\]];B[ee])";
    let folder = Folder::with(&[("odd.sgf", record), ("other.sgf", RESIGNED)]);
    folder.run("explain odd.sgf other.sgf --sgf out.sgf").done();
    let said = folder.run("label out.sgf --with meta --quiet").done();
    let rows = said.rows();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["first_player"], r"a]b\:c");
    assert_eq!(rows[0]["recorded"], "B+R [sic]");
}
