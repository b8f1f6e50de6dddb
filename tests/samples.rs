//! Labels the bundled games of Go with nothing set, and holds every row against
//! what is known about its game.
#![cfg(feature = "cli")]

mod common;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    sync::LazyLock,
};

use common::run::{Row, column, rows, run};

/// Where the archive lies, as typed.
const ARCHIVE: &str = "data/archive/go";

/// Of a hundred counted games, so many may be judged otherwise: dead stones
/// are found by playing on, which is not always right.
const JUDGED_OTHERWISE: usize = 3;

/// The rows of the archive, labelled once.
static LABELS: LazyLock<Vec<Row>> =
    LazyLock::new(|| run(&format!("label {ARCHIVE} --quiet")).done().rows());

/// The rows by the names that the tables give them.
static BY_NAME: LazyLock<BTreeMap<&str, &Row>> =
    LazyLock::new(|| LABELS.iter().map(|row| (name(row), row)).collect());

fn name(row: &Row) -> &str {
    row["origin"].strip_prefix("data/archive/").unwrap()
}

/// A table beside the archive.
fn table(file: &str) -> Vec<Row> {
    rows(&fs::read(format!("data/{file}")).unwrap())
}

/// The name of a row in the tables: the first record of a file has no index.
fn listed(row: &Row) -> &str {
    row["file"].strip_suffix("#1").unwrap_or(&row["file"])
}

fn label(name: &str) -> &'static Row {
    BY_NAME
        .get(name)
        .unwrap_or_else(|| panic!("no row for {name}"))
}

fn number(text: &str) -> f64 {
    text.parse()
        .unwrap_or_else(|_| panic!("a number: {text:?}"))
}

/// The winner word of a letter in the tables.
fn winner(letter: &str) -> &'static str {
    match letter {
        "B" => "black",
        "W" => "white",
        "D" => "draw",
        _ => "",
    }
}

/// Whether a row says what the table says of the end of a counted game.
fn agrees(row: &Row, known: &Row) -> bool {
    row["winner"] == winner(&known["result"])
        && row["margin"].parse() == known["margin"].parse::<f64>()
}

/// Counted games without a rule set that were counted by area. The tool
/// counts by territory where nothing says otherwise.
fn convention_is_unwritten(known: &Row) -> bool {
    known["rules"].is_empty() && known["counting"] == "area"
}

#[test]
fn every_record_is_one_row() {
    let (go, dirty) = (table("expected-go.csv"), table("expected-dirty.csv"));
    let known: BTreeSet<&str> = go.iter().chain(&dirty).map(listed).collect();
    let labelled: BTreeSet<&str> = LABELS.iter().map(name).collect();
    assert_eq!(labelled, known);
    assert_eq!(LABELS.len(), go.len() + dirty.len());
}

#[test]
fn rows_come_by_folder_then_file_then_place_in_the_file() {
    let key = |origin: &String| {
        let (file, index) = origin.split_once('#').unwrap_or((origin, "1"));
        let folders: Vec<String> = file.split('/').map(str::to_owned).collect();
        (folders, index.parse::<u64>().unwrap())
    };
    let keys: Vec<_> = column(&LABELS, "origin").iter().map(key).collect();
    assert!(keys.is_sorted());
    let last = keys.iter().rfind(|(file, _)| file[3] == "collection.sgf");
    assert_eq!(last.unwrap().1, 12, "#10 comes after #9");
}

#[test]
fn what_is_written_is_read() {
    for known in table("expected-go.csv") {
        let name = listed(&known);
        let row = label(name);
        assert_eq!(row["size"], known["size"], "{name}");
        assert_eq!(row["moves"], known["moves"], "{name}");
        assert_eq!(row["plies"], known["moves"], "{name}: all are legal");
        assert_eq!(number(&row["komi"]), number(&known["komi"]), "{name}");
        let rules = match known["rules"].as_str() {
            "" => "japanese".to_owned(),
            written => written.to_lowercase(),
        };
        assert_eq!(row["rules"], rules, "{name}");
        let from = if known["rules"].is_empty() {
            "default"
        } else {
            "record"
        };
        assert_eq!(row["rules_from"], from, "{name}");
    }
}

/// One stone of handicap is the first move, and compensates nothing.
#[test]
fn a_handicap_counts_from_two_stones() {
    let mut seen = BTreeSet::new();
    for known in table("expected-go.csv") {
        let written = known["handicap"].as_str();
        let used = if written == "1" { "0" } else { written };
        assert_eq!(
            label(listed(&known))["handicap"],
            used,
            "{}",
            listed(&known)
        );
        seen.insert(written.to_owned());
    }
    assert!(seen.contains("1") && seen.contains("9"), "{seen:?}");
}

#[test]
fn a_komi_in_zi_is_made_points() {
    let scaled: Vec<&Row> = LABELS
        .iter()
        .filter(|row| row["komi_from"] == "scaled")
        .collect();
    assert!(!scaled.is_empty());
    for row in scaled {
        assert_eq!(row["rules"], "chinese", "{}", name(row));
        assert!(row["warnings"].contains("komi_rescaled"), "{}", name(row));
    }
}

#[test]
fn the_written_result_is_understood() {
    for known in table("expected-go.csv") {
        let name = listed(&known);
        let row = label(name);
        let kind = match known["kind"].as_str() {
            "score" if known["result"] == "D" => "draw",
            "none" if row["recorded"].is_empty() => "missing",
            "none" => "unknown",
            other => other,
        };
        assert_eq!(row["recorded_kind"], kind, "{name}");
        assert_eq!(row["recorded_winner"], winner(&known["result"]), "{name}");
        let margin = |text: &str| text.parse::<f64>().ok();
        let written = margin(&row["recorded_margin"]);
        assert_eq!(written, margin(&known["margin"]), "{name}");
    }
}

#[test]
fn counted_games_are_judged_as_they_were_counted() {
    let known: Vec<Row> = table("expected-go.csv")
        .into_iter()
        .filter(|known| known["kind"] == "score" && !convention_is_unwritten(known))
        .collect();
    let mut otherwise = Vec::new();
    for known in &known {
        let row = label(listed(known));
        if agrees(row, known) {
            assert_eq!(row["basis"], "count", "{}", listed(known));
            assert_eq!(row["status"], "agree", "{}", listed(known));
            assert_eq!(row["value_from"], "board", "{}", listed(known));
        } else {
            let judged = format!("{} {}", row["winner"], row["margin"]);
            let counted = format!("{} {}", winner(&known["result"]), known["margin"]);
            otherwise.push(format!("{}: {judged}, counted {counted}", name(row)));
        }
    }
    println!("judged otherwise: {otherwise:#?}");
    assert!(known.len() > 100);
    assert!(
        otherwise.len() * 100 <= known.len() * JUDGED_OTHERWISE,
        "{} of {}: {otherwise:#?}",
        otherwise.len(),
        known.len()
    );
}

/// A record without rules does not say how it was counted. The default is to
/// count territory; told otherwise, the tool counts as it was.
#[test]
fn games_without_rules_are_counted_as_the_user_says() {
    let chinese = run(&format!("label {ARCHIVE} --quiet --default-rules chinese")).done();
    let chinese = chinese.rows();
    let mut met = 0;
    for known in table("expected-go.csv") {
        if !convention_is_unwritten(&known) {
            continue;
        }
        met += 1;
        let row = label(listed(&known));
        assert_eq!(row["convention"], "territory_flood", "{}", name(row));
        assert_eq!(row["winner"], winner(&known["result"]), "{}", name(row));
        // The conventions differ by one point where the sides made a different number of moves.
        let difference = number(&row["margin"]) - number(&known["margin"]);
        assert!(difference.abs() <= 1.0, "{}", name(row));
        if difference != 0.0 {
            assert_eq!(row["status"], "margin_differs", "{}", name(row));
            assert!(row["reasons"].contains("rules="), "{}", name(row));
        }
        let told = chinese.iter().find(|told| told["origin"] == row["origin"]);
        let told = told.unwrap();
        assert_eq!(told["convention"], "area", "{}", name(row));
        assert!(agrees(told, &known), "{}", name(row));
    }
    assert!(met > 0);
}

#[test]
fn games_broken_off_keep_their_written_winner() {
    for known in table("expected-go.csv") {
        let row = label(listed(&known));
        let expected = match (known["kind"].as_str(), known["result"].as_str()) {
            ("resign", "B") => ("not_comparable", "1", "record"),
            ("resign", _) => ("not_comparable", "-1", "record"),
            ("none", _) => ("no_result", "", ""),
            _ => continue,
        };
        let found = [&row["status"], &row["value"], &row["value_from"]].map(String::as_str);
        assert_eq!(found, <[&str; 3]>::from(expected), "{}", name(row));
        assert_eq!(row["lead"], "", "{}", name(row));
    }
}

/// What should become of a copy with one fault: its status, a word among its
/// warnings or reasons (or none), and the kind of its error.
const FAULTS: &[(&str, &str, &str, &str)] = &[
    // Faults around the record, and of its skeleton.
    ("extra_close", "agree", "extra_close", ""),
    ("missing_close", "agree", "unclosed_tree", ""),
    ("leading_text", "agree", "leading_text", ""),
    ("leading_paren", "agree", "leading_text", ""),
    ("trailing_text", "agree", "trailing_text", ""),
    ("nul_after", "agree", "trailing_text", ""),
    ("no_semicolon", "agree", "missing_semicolon", ""),
    ("no_open_paren", "agree", "missing_open", ""),
    ("crlf", "agree", "", ""),
    ("move_in_root", "agree", "move_in_root", ""),
    ("variations", "agree", "", ""),
    ("unescaped_bracket", "agree", "unescaped_bracket", ""),
    // No record at all.
    ("empty", "broken", "", "empty_file"),
    ("nul_only", "broken", "", "empty_file"),
    ("not_sgf", "broken", "", "no_game"),
    // Encodings. A right guess is nothing to warn of; a wrong label is.
    ("gbk_no_ca", "agree", "", ""),
    ("gbk_wrong_ca", "agree", "wrong_charset", ""),
    ("gbk_trail_byte", "agree", "", ""),
    ("sjis", "agree", "", ""),
    ("sjis_no_ca", "agree", "", ""),
    ("utf8_damaged", "agree", "damaged_text", ""),
    ("utf16le", "agree", "", ""),
    ("bom", "agree", "", ""),
    // Habits of servers and programs.
    ("fox_style", "agree", "komi_rescaled=375", ""),
    ("fox_sentinel", "no_result", "komi_rescaled=375", ""),
    ("sina_style", "margin_differs", "rules=chinese", ""),
    ("komi_comma", "agree", "", ""),
    ("tt_pass", "agree", "", ""),
    // Moves that cannot be played, on boards that are and are not.
    (
        "illegal_occupied",
        "broken",
        "illegal_move=occupied@m21",
        "occupied",
    ),
    ("illegal_ko", "broken", "illegal_move=ko@m2", "ko"),
    ("off_board", "broken", "invalid_point@m17", "off_board"),
    ("bad_size", "broken", "", "bad_size"),
    // Results that are not those of the board.
    ("wrong_result", "winner_differs", "swapped", ""),
    ("wrong_margin", "margin_differs", "board_says=black+3.5", ""),
    ("zi_result", "agree", "", ""),
    ("unfinished", "unfinished", "", ""),
    ("resigned", "not_comparable", "", ""),
];

/// Faults that leave out a move without a value. Whether it is taken for a
/// pass is a matter of choice, so only the warning is fixed.
const VALUELESS: &[(&str, u32)] = &[("valueless", 1), ("valueless_pass", 3)];

#[test]
fn every_fault_is_named() {
    let listed: BTreeSet<String> = table("expected-dirty.csv")
        .iter()
        .map(|known| format!("{}.sgf", stem(known)))
        .collect();
    let faults = FAULTS.iter().map(|(fault, ..)| *fault);
    let all = faults.chain(VALUELESS.iter().map(|(fault, _)| *fault));
    assert_eq!(listed, all.map(|fault| format!("{fault}.sgf")).collect());

    for (fault, status, word, error) in FAULTS {
        let row = label(&format!("go/dirty/{fault}.sgf"));
        assert_eq!(row["status"], *status, "{fault}: {row:#?}");
        assert_eq!(row["error_kind"], *error, "{fault}: {row:#?}");
        assert_eq!(row["error"].is_empty(), error.is_empty(), "{fault}");
        let said = format!("{};{}", row["warnings"], row["reasons"]);
        let has = said.split(';').any(|said| said.starts_with(word));
        assert!(has, "{fault}: {word} in {said}");
    }
}

fn stem(known: &Row) -> &str {
    known["file"]
        .strip_prefix("go/dirty/")
        .and_then(|file| file.strip_suffix(".sgf"))
        .unwrap()
}

#[test]
fn what_a_fault_leaves_is_read() {
    for known in table("expected-dirty.csv") {
        let row = label(listed(&known));
        if VALUELESS.iter().any(|(fault, _)| *fault == stem(&known)) {
            continue;
        }
        // Nothing is written where there is none.
        let read = |count: &str| count.trim_start_matches('0').to_owned();
        assert_eq!(row["moves"], read(&known["moves"]), "{}", stem(&known));
        assert_eq!(row["plies"], read(&known["playable"]), "{}", stem(&known));
    }
}

#[test]
fn a_move_without_a_value_is_told_of() {
    for (fault, valueless) in VALUELESS {
        let name = format!("go/dirty/{fault}.sgf");
        let row = label(&name);
        assert!(row["warnings"].contains("valueless_property"), "{row:#?}");
        let known = table("expected-dirty.csv");
        let known = known.iter().find(|known| known["file"] == name).unwrap();
        let all: u32 = known["moves"].parse().unwrap();
        let read: u32 = row["moves"].parse().unwrap();
        assert!([all, all - valueless].contains(&read), "{read} of {all}");
    }
}

/// A clean game gives no cause for warnings but those of the judge and of
/// units.
#[test]
fn clean_games_are_read_in_silence() {
    for known in table("expected-go.csv") {
        let warnings = &label(listed(&known))["warnings"];
        for warning in warnings.split(';').filter(|warning| !warning.is_empty()) {
            let word = warning.split(['=', '@']).next().unwrap();
            let expected = ["komi_rescaled", "third_pass", "open_border"].contains(&word);
            assert!(expected, "{}: {warning}", listed(&known));
        }
    }
}

/// Faults that do not touch the game do not change its label.
#[test]
fn a_harmless_fault_changes_nothing() {
    let mut compared = 0;
    for known in table("expected-dirty.csv") {
        let (row, fault) = (label(listed(&known)), stem(&known));
        let harmless = FAULTS
            .iter()
            .find(|(name, status, ..)| *name == fault && *status == "agree");
        let Some((_, _, word, _)) = harmless else {
            continue;
        };
        compared += 1;
        let source = label(&known["source"]);
        if word.is_empty() {
            assert_eq!(row["warnings"], source["warnings"], "{fault}");
        }
        for column in [
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
            "first_points",
            "second_points",
            "status",
            "value",
            "lead",
            "game_hash",
        ] {
            assert_eq!(row[column], source[column], "{fault}: {column}");
        }
    }
    assert!(compared > 20);
}

/// Foreign text comes out as it was meant.
#[test]
fn written_results_are_decoded() {
    for (fault, recorded) in [
        ("gbk_no_ca", "黑胜6目半"),
        ("gbk_wrong_ca", "黑胜13目半"),
        ("sina_style", "黑胜2又3/4子"),
        ("sjis", "白2目半勝ち"),
        ("sjis_no_ca", "白18目半勝ち"),
    ] {
        let row = label(&format!("go/dirty/{fault}.sgf"));
        assert_eq!(row["recorded"], recorded);
    }
}

/// A result in zi means twice as many points; a stand-in means none.
#[test]
fn written_margins_are_points() {
    for (fault, kind, margin) in [
        ("zi_result", "score", "42.5"),
        ("sina_style", "score", "5.5"),
        ("fox_sentinel", "sentinel", ""),
        ("resigned", "resign", ""),
    ] {
        let row = label(&format!("go/dirty/{fault}.sgf"));
        assert_eq!(row["recorded_kind"], kind, "{fault}");
        assert_eq!(row["recorded_margin"], margin, "{fault}");
    }
}

/// Stones judged dead are those of the table, where the count is.
#[test]
fn as_many_stones_are_dead_as_were_counted() {
    let mut otherwise = Vec::new();
    let mut counted = 0;
    for known in table("expected-go.csv") {
        let row = label(listed(&known));
        if known["kind"] != "score" || !agrees(row, &known) {
            continue;
        }
        counted += 1;
        let dead = known["dead"].split_whitespace().count() as f64;
        let judged = number(&row["dead_first"]) + number(&row["dead_second"]);
        if judged != dead {
            otherwise.push(format!("{}: {judged}, counted {dead}", name(row)));
        }
    }
    assert!(
        otherwise.len() * 100 <= counted * JUDGED_OTHERWISE,
        "{} of {counted}: {otherwise:#?}",
        otherwise.len()
    );
}
