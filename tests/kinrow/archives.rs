//! Archives of games whose end is known, in every format that they are in.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use serde_json::Value;

use crate::common::{
    self,
    run::{Folder, Row, rows},
};

/// The rows of the archives, by origin.
fn labelled() -> Option<(BTreeMap<String, Row>, Vec<Value>)> {
    let folder = common::reference("kinrow/archives")?;
    let mut command = assert_cmd::Command::cargo_bin("kifu").unwrap();
    command.current_dir(&folder).env_clear();
    command.args(["label", "sgf", "psq", "movelist", "rif", "pos", "textboard"]);
    command.args(["-o", "-", "-q"]);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    let rows = rows(&output.stdout).into_iter();
    let rows = rows.map(|row| (row["origin"].clone(), row)).collect();
    let truth = fs::read_to_string(folder.join("truth.jsonl")).unwrap();
    let truth = truth
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    Some((rows, truth))
}

/// The row of a game in the table of what is right.
fn origin(game: &Value) -> String {
    let path = game["path"].as_str().unwrap();
    let path = path.strip_prefix("archives/").unwrap_or(path);
    match game["game"].as_u64() {
        None | Some(0) => path.to_owned(),
        Some(index) => format!("{path}#{}", index + 1),
    }
}

#[test]
fn every_record_ends_as_it_did() {
    let Some((rows, truth)) = labelled() else {
        return;
    };
    let mut hashes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for game in &truth {
        if !game["quirk"].is_null() {
            continue;
        }
        let origin = origin(game);
        let format = origin.split('/').next().unwrap();
        let row = rows
            .get(&origin)
            .unwrap_or_else(|| panic!("{origin} has no row"));
        let winner = game["winner"].as_str().unwrap();
        let end = game["end"].as_str().unwrap();
        // What the format says of the result: nothing in `.pos`.
        if format != "pos" {
            assert_eq!(row["recorded_winner"], winner, "{origin}");
        }
        let (status, ended) = match (format, end) {
            ("pos", "five") => ("no_result", "line"),
            ("pos", _) => ("no_result", "open"),
            (_, "five") => ("agree", "line"),
            _ => ("not_comparable", "open"),
        };
        assert_eq!(row["status"], status, "{origin} {row:?}");
        assert_eq!(row["ended"], ended, "{origin} {row:?}");
        let decided = if end == "five" { winner } else { "" };
        assert_eq!(row["winner"], decided, "{origin}");
        if end == "forbidden" && format != "pos" {
            let foul = game["foul"].as_str().unwrap().replace(' ', "_");
            let claimed = &row["reasons"];
            // Without a word on how it ended, several kinds may fit.
            let fits = claimed.contains(&format!("foul_claimed={foul}"))
                || claimed.contains("foul_claimed=foul");
            assert!(fits, "{origin} {foul}: {claimed}");
        }
        if format != "textboard" {
            assert_eq!(row["moves"], game["plies"].to_string(), "{origin}");
            let moves = game["moves"].as_str().unwrap();
            hashes.entry(moves).or_default().insert(&row["game_hash"]);
        }
    }
    let differ = hashes.iter().filter(|(_, hashes)| hashes.len() > 1);
    assert_eq!(
        differ.count(),
        0,
        "the same game has one hash in every format"
    );
}

/// What `explain` says of a game that a line ended: the line, and who wins.
#[test]
fn explain_shows_the_line() {
    let folder = Folder::with(&[("renju.txt", "h8 a1 i8 a2 j8 a3 k8 a4 l8\n")]);
    let said = folder.run("explain renju.txt").done();
    for part in [
        "  8 . . . . . . . # # # # #<",
        "black has 5 in a row: h8 i8 j8 k8 l8",
        "rules      renju (from record)\n",
        "board      black wins   confidence 1.000",
    ] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
}
