//! Archives of text: every record of the reference data is read, and its moves are
//! those that another program found.

use std::{collections::BTreeMap, fs};

use kifu::{
    format::{self, Context, Format, Piece, Reading, SplitState},
    game::xiangqi::{
        Position, fen,
        notation::{Ranks, read},
    },
    record::{Arena, Notation, Record},
};
use serde_json::Value;

use crate::common::reference;

/// Folders whose records are text, and how many records each has.
const FOLDERS: [(&str, usize); 6] = [
    ("pgn-big5", 2520),
    ("pgn-multi", 660),
    ("pgn-gb18030", 15),
    ("pgn-uci", 300),
    ("pgn-wxf-fullwidth", 8),
    ("id-moves", 1501),
];

/// The moves of a record as far as they can be played, in coordinates, and
/// whether all can.
fn played(record: &Record<'_>) -> (Position, Vec<String>, bool) {
    assert_eq!(record.notation, Notation::Xiangqi);
    let setup = record.setup.unwrap_or(fen::START.as_bytes());
    let mut position = fen::read(std::str::from_utf8(setup).unwrap()).unwrap();
    let start = position.clone();
    let mut moves = Vec::new();
    for step in &record.steps {
        let token = std::str::from_utf8(step.token).unwrap();
        let Ok(it) = read(&mut position, token, Ranks::FromZero) else {
            return (start, moves, false);
        };
        moves.push(it.to_string());
        position.make(it);
    }
    (start, moves, true)
}

/// Holds a record against what is known of it.
fn compare(record: &Record<'_>, truth: &Value) {
    let name = format!("{} {}", truth["path"], truth["game"]);
    let (start, moves, whole) = played(record);
    let expected = fen::read(truth["fen"].as_str().unwrap()).unwrap();
    assert_eq!(start, expected, "{name}");
    let expected: Vec<&str> = truth["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_str().unwrap())
        .collect();
    match truth["replay"].as_str() {
        Some("illegal") => {
            // What cannot be played may not be readable either.
            let legal = truth["legal_plies"].as_u64().unwrap() as usize;
            assert!(moves.len() >= legal, "{name}");
            assert_eq!(record.steps.len(), expected.len(), "{name}");
            assert_eq!(moves, expected[..moves.len()], "{name}");
        }
        _ => assert!(whole && moves == expected, "{name}: {moves:?} {expected:?}"),
    }
    let result = record.result.map(|raw| record.text(raw));
    assert_eq!(result.as_deref(), truth["result"].as_str(), "{name}");
    assert_eq!(record.other_result, None, "{name}");
}

/// Reads the records of a file, each with its place.
fn records(format: &dyn Format, bytes: &[u8], each: &mut dyn FnMut(usize, Reading<'_>)) {
    let context = Context::default();
    let mut all: Vec<Piece> = Vec::new();
    let mut state = SplitState::default();
    let end = format.split(&mut state, bytes, true, &context, &mut |piece| {
        all.push(piece);
    });
    assert_eq!(end, bytes.len());
    for (index, piece) in all.into_iter().enumerate() {
        let arena = Arena::default();
        let text = &bytes[piece.start..piece.end];
        each(index, format.read(text, piece, &context, &arena));
    }
}

#[test]
fn every_record_of_the_archives() {
    let Some(folder) = reference("xiangqi") else {
        return;
    };
    let truth = fs::read_to_string(folder.join("archives/truth.jsonl")).unwrap();
    let mut files: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in truth.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let path = row["path"].as_str().unwrap().to_owned();
        files.entry(path).or_default().push(row);
    }
    for (name, count) in FOLDERS {
        let mut equal = 0;
        let inside = format!("archives/{name}/");
        for (path, rows) in files.iter().filter(|(path, _)| path.starts_with(&inside)) {
            let bytes = fs::read(folder.join(path)).unwrap();
            let head = &bytes[..bytes.len().min(4096)];
            let (format, _) = format::choose(path.as_ref(), head).unwrap();
            let expected = if name == "id-moves" { name } else { "pgn" };
            assert_eq!(format.name(), expected, "{path}");
            let mut met = 0;
            records(format, &bytes, &mut |index, reading| {
                let row = &rows[index];
                assert_eq!(row["game"], index, "{path}");
                match reading {
                    Reading::Game(record) => {
                        assert!(row["error"].is_null(), "{path} {index}");
                        assert_eq!(record.game, Some("xiangqi"));
                        assert_eq!(record.warnings, [], "{path} {index}");
                        compare(&record, row);
                    }
                    Reading::NotAGame(..) => panic!("{path} {index} is a game"),
                    Reading::Broken(_, error) => {
                        assert!(!row["error"].is_null(), "{path} {index}: {error:?}");
                    }
                }
                met += 1;
            });
            assert_eq!(met, rows.len(), "records of {path}");
            equal += met;
        }
        assert_eq!(equal, count, "{name}");
        println!("{name}: {equal} of {count} equal");
    }
}
