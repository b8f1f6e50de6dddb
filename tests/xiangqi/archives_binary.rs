//! Archives of xiangqi programs, against what an independent reader made of them.

use std::{collections::BTreeMap, fs, path::Path};

use kifu::{
    format::{self, Context, Reading, SplitState},
    game::xiangqi::{
        fen,
        notation::{self, Ranks},
    },
    label::{RecordedKind, parse_outcome},
    record::{Arena, Record, StepKind},
};
use serde_json::Value;

use super::common::reference;

/// What is compared of a record: position, moves, and who won; `None` where it is
/// broken.
type Facts = Option<(String, Vec<String>, String)>;

/// The facts of every record of a file.
fn facts(path: &Path) -> Vec<Facts> {
    let bytes = fs::read(path).unwrap();
    let Some((format, _)) = format::choose(path, &bytes[..bytes.len().min(4096)]) else {
        return vec![None];
    };
    let context = Context::default();
    let mut pieces = Vec::new();
    let mut state = SplitState::default();
    format.split(&mut state, &bytes, true, &context, &mut |piece| {
        pieces.push(piece);
    });
    if pieces.is_empty() {
        return vec![None];
    }
    let all = pieces.into_iter().map(|piece| {
        let arena = Arena::default();
        match format.read(&bytes[piece.start..piece.end], piece, &context, &arena) {
            Reading::Game(record) => Some(facts_of(&record)),
            Reading::NotAGame(..) | Reading::Broken(..) => None,
        }
    });
    all.collect()
}

fn facts_of(record: &Record<'_>) -> (String, Vec<String>, String) {
    assert_eq!(record.game, Some("xiangqi"));
    let text = record.setup.map_or(fen::START, |setup| {
        std::str::from_utf8(setup).expect("a position is ASCII")
    });
    let mut moves = Vec::new();
    let mut position = fen::read(text).ok();
    for step in &record.steps {
        let StepKind::Play(side) = step.kind else {
            panic!("nothing but moves: {step:?}");
        };
        let token = std::str::from_utf8(step.token).unwrap();
        // Behind a move that cannot be played the tokens are held as they are.
        let played = position.as_mut().and_then(|position| {
            assert_eq!(position.turn(), side);
            notation::read(position, token, Ranks::FromZero).ok()
        });
        let Some(played) = played else {
            position = None;
            moves.push(token.to_owned());
            continue;
        };
        moves.push(played.to_string());
        if let Some(position) = &mut position {
            position.make(played);
        }
    }
    let result = record.result.map(|raw| record.text(raw));
    let recorded = parse_outcome(result.as_deref().unwrap_or_default(), None, true);
    let result = match (recorded.winner, recorded.kind) {
        (Some(kifu::outcome::Side::First), _) => "1-0",
        (Some(kifu::outcome::Side::Second), _) => "0-1",
        (None, RecordedKind::Draw) => "1/2-1/2",
        (None, _) => "*",
    };
    (text.to_owned(), moves, result.to_owned())
}

/// Board and side of a position.
fn shortened(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// The records of a folder that are as the truth says, and all of them.
fn compare(folder: &str) -> Option<(usize, usize)> {
    let root = reference("xiangqi/archives")?;
    let truth = fs::read_to_string(root.join("truth.jsonl")).unwrap();
    let mut files: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in truth.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let path = line["path"].as_str().unwrap();
        let path = path.strip_prefix("archives/").unwrap();
        if path.starts_with(folder) {
            files.entry(path.to_owned()).or_default().push(line);
        }
    }
    let (mut equal, mut all) = (0, 0);
    for (path, lines) in files {
        let found = facts(&root.join(&path));
        assert_eq!(found.len(), lines.len(), "records of {path}");
        for (found, truth) in found.into_iter().zip(lines) {
            all += 1;
            let wanted: Facts = truth["error"].is_null().then(|| {
                let moves = truth["moves"].as_array().unwrap();
                let moves = moves.iter().map(|token| token.as_str().unwrap().to_owned());
                (
                    shortened(truth["fen"].as_str().unwrap()),
                    moves.collect(),
                    truth["result"].as_str().unwrap().to_owned(),
                )
            });
            if found == wanted {
                equal += 1;
            } else {
                println!("{path} {}: {found:?} {wanted:?}", truth["game"]);
            }
        }
    }
    println!("{folder}: {equal} of {all}");
    Some((equal, all))
}

#[test]
fn every_record_is_as_an_independent_reader_has_it() {
    for (folder, count) in [
        ("xqf/", 1086),
        ("cbr/", 4),
        ("cbl/", 89),
        ("dhtmlxq/", 48),
        ("csv/", 240),
    ] {
        let Some((equal, all)) = compare(folder) else {
            return;
        };
        assert_eq!((equal, all), (count, count), "{folder}");
    }
}
