//! Archives in every format, whose moves, ends and results are known.

use std::{collections::BTreeMap, fs};

use serde_json::Value;

use crate::common::{
    self,
    run::{Row, rows},
};

/// Rows by the file of their record, in order.
type OfFile = BTreeMap<String, Vec<Row>>;

/// The rows of the archives by file, in order, and what is right.
fn labelled() -> Option<(OfFile, Vec<Value>)> {
    let folder = common::reference("xiangqi/archives")?;
    let mut command = assert_cmd::Command::cargo_bin("kifu").unwrap();
    command.current_dir(&folder).env_clear();
    command.args(["label", ".", "--glob", "!truth.jsonl"]);
    command.args(["-o", "-", "-q", "--with", "legal"]);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    let mut of_file = OfFile::new();
    for row in rows(&output.stdout) {
        let origin = row["origin"].trim_start_matches("./");
        let file = origin.split('#').next().unwrap().to_owned();
        of_file.entry(file).or_default().push(row);
    }
    let truth = fs::read_to_string(folder.join("truth.jsonl")).unwrap();
    let truth = truth
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    Some((of_file, truth))
}

/// Ends by repetition that other engines call drawn: a check within a loop of
/// chases, and a chase that moving away uncovers.
const DISPUTED: &[&str] = &["id-moves/games.txt#751", "pgn-multi/big5.pgn#249"];

/// The row of a game: by its id where it has one, else by its place.
fn row_of<'r>(rows: &'r OfFile, game: &Value) -> &'r Row {
    let path = game["path"].as_str().unwrap();
    let rows = &rows[path.strip_prefix("archives/").unwrap_or(path)];
    let id = match &game["game_id"] {
        Value::Null => None,
        Value::String(id) => Some(id.clone()),
        id => Some(id.to_string()),
    };
    let by_id = rows
        .iter()
        .find(|row| Some(&row["record_id"]) == id.as_ref());
    by_id.unwrap_or_else(|| &rows[game["game"].as_u64().unwrap() as usize])
}

#[test]
fn every_record_is_read_and_ends_as_it_did() {
    let Some((rows, truth)) = labelled() else {
        return;
    };
    let mut checked = 0;
    for game in &truth {
        let row = row_of(&rows, game);
        let name = &row["origin"];
        let replay = game["replay"].as_str().unwrap_or("unusable");
        if !game["error"].is_null() || replay == "unusable" {
            assert_eq!(row["status"], "broken", "{name}");
            continue;
        }
        let moves = game["moves"].as_array().unwrap().len();
        assert_eq!(row["moves"], moves.to_string(), "{name}");
        if replay == "illegal" {
            assert_eq!(row["plies"], game["legal_plies"].to_string(), "{name}");
            // A move after mate is not looked at.
            let is_over = row["ended"] == "mate" && row["warnings"].contains("moves_after_end");
            assert!(
                row["status"] == "broken" || is_over,
                "{name} {}",
                row["status"]
            );
            continue;
        }
        let recorded = match game["result"].as_str() {
            Some("1-0") => "red",
            Some("0-1") => "black",
            Some("1/2-1/2") => "draw",
            _ => "",
        };
        assert_eq!(row["recorded_winner"], recorded, "{name}");
        let Some(end) = game["final"].as_str() else {
            continue;
        };
        checked += 1;
        assert_eq!(row["legal"], game["n_legal"].to_string(), "{name}");
        let check = matches!(end, "check" | "mate");
        assert_eq!(row["check"], u8::from(check).to_string(), "{name}");
        let over = matches!(end, "mate" | "stalemate");
        assert_eq!(over, row["ended"] == end, "{name}");
        assert_eq!(
            over,
            matches!(row["ended"].as_str(), "mate" | "stalemate"),
            "{name}"
        );
        let status = row["status"].as_str();
        assert_ne!(status, "unfinished", "{name}");
        if !DISPUTED.contains(&name.trim_start_matches("./")) {
            let by_rule = match game["rule_at_end"].as_str() {
                Some("draw") => "draw",
                Some("red_wins") => "red",
                Some("black_wins") => "black",
                // The others count 120 plies without a capture.
                _ if row["ended"] == "no_capture" => "draw",
                _ => "",
            };
            let is_claimable = matches!(
                row["ended"].as_str(),
                "repetition" | "no_capture" | "material"
            );
            let found = if is_claimable {
                row["winner"].as_str()
            } else {
                ""
            };
            assert_eq!(found, by_rule, "{name}");
            if is_claimable && recorded == "draw" {
                let agrees = row["winner"] == "draw";
                let expected = if agrees { "agree" } else { "winner_differs" };
                assert_eq!(status, expected, "{name}");
            }
        }
        match (over, recorded) {
            (_, "") => assert_eq!(status, "no_result", "{name}"),
            (true, winner) if winner == row["winner"] => assert_eq!(status, "agree", "{name}"),
            (true, _) => assert_eq!(status, "winner_differs", "{name}"),
            (false, _) => {}
        }
    }
    assert!(checked > 6_000, "{checked} games were checked");
}
