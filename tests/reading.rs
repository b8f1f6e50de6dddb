//! Reads a table of small inputs, each a habit or a damage of real files.
#![cfg(feature = "cli")]

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{label_all, plan, reference, sgf, split};
use kifu::{
    format::{Context, Reading},
    label::{Label, RecordedKind},
    outcome::{From, Outcome, Side},
    record::{Arena, Record, StepKind},
    source::charset,
};
use serde_json::Value;

/// Words of the table, and ours for the same.
const WARNINGS: &[(&str, &[&str])] = &[
    ("extra-close-paren", &["extra_close"]),
    ("leading-junk", &["leading_text"]),
    ("trailing-junk", &["trailing_text"]),
    ("unclosed-tree", &["unclosed_tree"]),
    ("unclosed-value", &["unclosed_value"]),
    ("missing-open-paren", &["missing_open"]),
    ("missing-semicolon", &["missing_semicolon"]),
    ("valueless-property", &["valueless_property"]),
    ("unescaped-bracket", &["unescaped_bracket"]),
    ("lowercase-identifier", &["lowercase_identifier"]),
    (
        "duplicate-property",
        &["duplicate_property", "duplicate_point"],
    ),
    ("move-in-root", &["move_in_root"]),
    ("handicap-mismatch", &["handicap_mismatch"]),
    ("late-root-property", &["late_root_property"]),
    ("conflicting-result", &["conflicting_result"]),
    ("wrong-game-type", &["wrong_game_type"]),
    ("pass-outside-board", &["pass_outside_board"]),
    ("invalid-point", &["invalid_point"]),
    ("odd-size", &["odd_size"]),
    ("odd-point-list", &["odd_point_list"]),
    ("setup-after-moves", &["setup_after_moves"]),
    ("two-moves-in-node", &["two_moves_in_node"]),
    ("illegal-move", &["illegal_move"]),
    ("wrong-charset", &["wrong_charset"]),
    ("damaged-text", &["damaged_text"]),
    ("komi-rescaled", &["komi_rescaled"]),
    ("komi-doubtful", &["komi_doubtful"]),
    ("odd-komi", &["odd_komi"]),
];

#[test]
fn every_case_reads_as_expected() {
    let Some(path) = reference("go/reading-cases.jsonl") else {
        return;
    };
    let table = std::fs::read_to_string(path).unwrap();
    let mut failures = Vec::new();
    let mut cases = 0;
    for line in table.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        cases += 1;
        for fault in check(&case) {
            failures.push(format!("{}: {fault}", case["name"].as_str().unwrap()));
        }
    }
    assert!(cases > 100, "the table is read");
    assert!(
        failures.is_empty(),
        "{} of {cases} cases:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

fn input(case: &Value) -> Vec<u8> {
    if let Some(text) = case["input_text"].as_str() {
        return text.as_bytes().to_vec();
    }
    if let Some(text) = case["input_base64"].as_str() {
        return base64(text);
    }
    let generator = &case["input_generator"];
    let part = |key: &str| generator[key].as_str().unwrap_or_default();
    let times = generator["n"].as_u64().unwrap() as usize;
    format!(
        "{}{}{}",
        part("prefix"),
        part("repeat").repeat(times),
        part("suffix")
    )
    .into_bytes()
}

fn base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for letter in text.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// What is wrong in the reading of a case.
fn check(case: &Value) -> Vec<String> {
    let bytes = input(case);
    // Files in UTF-16 are transcoded before they are cut.
    let bytes = charset::from_utf16(&bytes).unwrap_or(bytes);
    let expect = &case["expect"];
    let (pieces, state) = split(&bytes);
    let mut faults = Vec::new();
    let games = expect["games"].as_u64().unwrap() as usize;
    let expected_error = expect["error"].as_str();
    if games == 0 {
        let error = if state.inked { "no-game" } else { "empty-file" };
        if !pieces.is_empty() || expected_error != Some(error) {
            faults.push(format!(
                "{} games, {error}, expected {expected_error:?}",
                pieces.len()
            ));
        }
        return faults;
    }
    if pieces.len() != games {
        return vec![format!("{} games, expected {games}", pieces.len())];
    }
    let mut given = BTreeSet::new();
    let mut labels = 0;
    label_all(&plan(), &bytes, &mut |label| {
        let piece = pieces[labels];
        let expected = &expect["per_game"][labels];
        labels += 1;
        given.extend(label.all_warnings().map(|warning| warning.word));
        let arena = Arena::default();
        let part = &bytes[piece.start..piece.end];
        let context = Context::default();
        let record = match sgf().read(part, piece, &context, &arena) {
            Reading::Game(record) | Reading::Broken(record, _) | Reading::NotAGame(record, _) => {
                record
            }
        };
        compare(label, &record, expected, &mut faults);
    });
    assert_eq!(labels, games);
    for word in expect["warnings"].as_array().unwrap() {
        let word = word.as_str().unwrap();
        let ours = WARNINGS.iter().find(|(theirs, _)| *theirs == word);
        let Some((_, ours)) = ours else {
            faults.push(format!("no word for {word}"));
            continue;
        };
        if !ours.iter().any(|ours| given.contains(ours)) {
            faults.push(format!("no warning {word}, only {given:?}"));
        }
    }
    faults
}

fn compare(label: &Label<'_>, record: &Record<'_>, expected: &Value, faults: &mut Vec<String>) {
    if let Some(error) = expected["error"].as_str() {
        let ours = label
            .first_error()
            .map(|error| error.kind.replace('_', "-"));
        if ours.as_deref() != Some(error) {
            faults.push(format!("error {ours:?}, expected {error}"));
        }
        return;
    }
    let mut same = |what: &str, ours: String, theirs: String| {
        if ours != theirs {
            faults.push(format!("{what}: {ours}, expected {theirs}"));
        }
    };
    let Some(judgement) = &label.judgement else {
        same("error", format!("{:?}", label.error), "none".to_owned());
        return;
    };
    let size = judgement.size;
    same(
        "size",
        format!("[{},{}]", size.0, size.1),
        expected["size"].to_string(),
    );
    if let Some(count) = expected["moves_count"].as_u64() {
        same("moves", judgement.moves.to_string(), count.to_string());
        return;
    }
    same(
        "moves",
        moves(record, judgement.plies as usize, size),
        texts(&expected["moves"]).join(" "),
    );
    let setup = setup(record);
    for key in ["AB", "AW"] {
        let ours = setup.get(key).cloned().unwrap_or_default().join(" ");
        same(key, ours, texts(&expected["setup"][key]).join(" "));
    }
    let from_record = matches!(judgement.komi_from, From::Record | From::Scaled);
    let komi = judgement.komi.filter(|_| from_record);
    same(
        "komi",
        komi.map_or("null".to_owned(), |komi| komi.to_string()),
        number(&expected["komi"]),
    );
    let handicap = record
        .handicap
        .and_then(|text| std::str::from_utf8(text).ok()?.trim().parse::<u32>().ok());
    same(
        "handicap",
        handicap.map_or("null".to_owned(), |stones| stones.to_string()),
        number(&expected["handicap"]),
    );
    let rules = record.rules.map(|text| record.text(text).into_owned());
    same(
        "rules",
        rules.unwrap_or("null".to_owned()),
        expected["rules"].as_str().unwrap_or("null").to_owned(),
    );
    compare_result(label, &expected["result"], &mut same);
    let illegal = label
        .first_error()
        .map(|error| error.kind.replace('_', "-"));
    same(
        "illegal",
        illegal.unwrap_or("null".to_owned()),
        expected["illegal"]["kind"]
            .as_str()
            .unwrap_or("null")
            .to_owned(),
    );
    if let Some(number) = expected["illegal"]["move"].as_u64() {
        same(
            "illegal move",
            (judgement.plies + 1).to_string(),
            number.to_string(),
        );
    }
    if let Some(finals) = expected["final"].as_object() {
        for (side, points) in finals {
            let wanted = if side == "B" { 1 } else { -1 };
            same(
                "final",
                stones(judgement.board.as_deref().unwrap(), size, wanted),
                texts(points).join(" "),
            );
        }
    }
    if let Some(marks) = expected["marks"].as_object() {
        for (key, points) in marks {
            let side = if key == "TB" {
                Side::First
            } else {
                Side::Second
            };
            same(key, marked(record, side), texts(points).join(" "));
        }
    }
}

fn compare_result(label: &Label<'_>, expected: &Value, same: &mut dyn FnMut(&str, String, String)) {
    let recorded = &label.recorded;
    let kind = match recorded.kind {
        RecordedKind::Missing | RecordedKind::Win | RecordedKind::Unknown => "unknown",
        other => other.word(),
    };
    same(
        "result kind",
        kind.to_owned(),
        expected["kind"].as_str().unwrap().to_owned(),
    );
    let winner = match recorded.winner.map(Outcome::Win) {
        Some(Outcome::Win(Side::First)) => "B",
        Some(Outcome::Win(Side::Second)) => "W",
        _ => "null",
    };
    same(
        "winner",
        winner.to_owned(),
        expected["winner"].as_str().unwrap_or("null").to_owned(),
    );
    let margin = recorded
        .margin
        .map_or("null".to_owned(), |margin| margin.to_string());
    same("margin", margin, number(&expected["margin"]));
}

fn texts(list: &Value) -> Vec<String> {
    let items = list.as_array().into_iter().flatten();
    items
        .map(|item| item.as_str().unwrap().to_owned())
        .collect()
}

fn number(value: &Value) -> String {
    value
        .as_f64()
        .map_or("null".to_owned(), |number| number.to_string())
}

fn text(token: &[u8]) -> String {
    String::from_utf8_lossy(token).trim().to_owned()
}

/// The first moves of a record as the table writes them.
fn moves(record: &Record<'_>, count: usize, size: (u8, u8)) -> String {
    let plays = record.steps.iter().filter_map(|step| match step.kind {
        StepKind::Play(side) => Some((side, text(step.token))),
        _ => None,
    });
    let outside = char::from(b'a' + size.0.min(25)).to_string().repeat(2);
    let written: Vec<String> = plays
        .take(count)
        .map(|(side, token)| {
            let small = size.0 <= 19 && size.1 <= 19;
            let pass = token.is_empty()
                || (token == "tt" && small)
                || (token == outside && size.0 == size.1 && small);
            let side = if side == Side::First { "B" } else { "W" };
            format!("{side} {}", if pass { "pass" } else { &token })
        })
        .collect();
    written.join(" ")
}

fn points(token: &[u8]) -> Vec<(u8, u8)> {
    let number = |letter: u8| {
        if letter.is_ascii_lowercase() {
            letter - b'a'
        } else {
            letter - b'A' + 26
        }
    };
    let corner = |part: &[u8]| (number(part[0]), number(part[1]));
    let (one, two) = match token.iter().position(|byte| *byte == b':') {
        Some(at) => (corner(&token[..at]), corner(&token[at + 1..])),
        None => (corner(token), corner(token)),
    };
    let mut all = Vec::new();
    for column in one.0.min(two.0)..=one.0.max(two.0) {
        for row in one.1.min(two.1)..=one.1.max(two.1) {
            all.push((column, row));
        }
    }
    all
}

fn name((column, row): (u8, u8)) -> String {
    let letter = |number: u8| {
        char::from(if number < 26 {
            b'a' + number
        } else {
            b'A' + number - 26
        })
    };
    format!("{}{}", letter(column), letter(row))
}

/// The set-up before the first move, as sorted lists of points.
fn setup(record: &Record<'_>) -> BTreeMap<&'static str, Vec<String>> {
    let mut stones: BTreeMap<String, &'static str> = BTreeMap::new();
    for step in &record.steps {
        for point in match step.kind {
            StepKind::Play(_) => break,
            StepKind::Turn(_) => Vec::new(),
            _ => points(step.token),
        } {
            match step.kind {
                StepKind::Place(Side::First) => stones.insert(name(point), "AB"),
                StepKind::Place(Side::Second) => stones.insert(name(point), "AW"),
                _ => stones.remove(&name(point)),
            };
        }
    }
    let mut setup: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    for (point, key) in stones {
        setup.entry(key).or_default().push(point);
    }
    setup
}

fn marked(record: &Record<'_>, side: Side) -> String {
    let mut names: Vec<String> = record
        .marks
        .iter()
        .filter(|mark| mark.kind == StepKind::Place(side))
        .flat_map(|mark| points(mark.token))
        .map(name)
        .collect();
    names.sort();
    names.join(" ")
}

/// The points of a side on a board, sorted by name.
fn stones(board: &[i8], size: (u8, u8), wanted: i8) -> String {
    let columns = usize::from(size.0);
    let mut names: Vec<String> = board
        .iter()
        .enumerate()
        .filter(|(_, cell)| **cell == wanted)
        .map(|(index, _)| name(((index % columns) as u8, (index / columns) as u8)))
        .collect();
    names.sort();
    names.join(" ")
}
