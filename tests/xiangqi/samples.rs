//! The bundled games end as the script that made them says: its judge is
//! written in Python, from the definitions alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    sync::LazyLock,
};

use super::common::run::{Row, known_name as name, labels_of, rows};

/// The rows of the archive, by the names that the table gives them.
static LABELS: LazyLock<BTreeMap<String, Row>> =
    LazyLock::new(|| labels_of("data/archive/xiangqi", "--with legal,board"));

/// What is known of every record.
static KNOWN: LazyLock<Vec<Row>> =
    LazyLock::new(|| rows(&fs::read("data/expected-xiangqi.csv").unwrap()));

fn winner(letter: &str) -> &'static str {
    match letter {
        "R" => "red",
        "B" => "black",
        "D" => "draw",
        _ => "",
    }
}

/// The records without a fault that are games or positions.
fn clean() -> impl Iterator<Item = &'static Row> {
    let is_clean = |known: &&Row| known["fault"].is_empty() && !known["end"].is_empty();
    KNOWN.iter().filter(is_clean)
}

#[test]
fn every_record_is_one_row() {
    let known: BTreeSet<String> = KNOWN.iter().map(name).collect();
    assert_eq!(known.len(), KNOWN.len());
    assert_eq!(LABELS.keys().cloned().collect::<BTreeSet<_>>(), known);
}

#[test]
fn every_game_ends_as_it_did() {
    for known in &*KNOWN {
        let row = &LABELS[&name(known)];
        for (column, expected) in [
            ("moves", known["moves"].as_str()),
            ("plies", &known["plies"]),
            ("ended", &known["end"]),
            ("winner", winner(&known["winner"])),
            ("recorded_winner", winner(&known["recorded"])),
            ("board", &known["final"]),
            ("legal", &known["legal"]),
            ("check", &known["check"]),
        ] {
            assert_eq!(row[column], expected, "{column} of {}", name(known));
        }
    }
}

#[test]
fn clean_games_are_told_as_such() {
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for known in clean() {
        let row = &LABELS[&name(known)];
        let status = match (known["recorded"].as_str(), known["winner"].as_str()) {
            ("", _) => "no_result",
            (_, "") => "not_comparable",
            // A win may have been for something else than the repetition.
            ("R" | "B", _) if known["end"] == "repetition" => "not_comparable",
            _ => "agree",
        };
        assert_eq!(row["status"], status, "{}", name(known));
        // One move can be told by its ranks in both ways.
        if row["warnings"] != "ranks_unclear" || known["moves"] != "1" {
            assert_eq!(row["warnings"], "", "{}", name(known));
        }
        assert_eq!(row["game"], "xiangqi", "{}", name(known));
        *ends.entry(&known["end"]).or_default() += 1;
    }
    let every = ["mate", "material", "open", "repetition", "stalemate"];
    assert!(ends.keys().eq(&every), "{ends:?}");
}

#[test]
fn a_game_is_the_same_in_every_format() {
    let mut hashes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut formats: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for known in clean().filter(|known| !known["id"].is_empty()) {
        let (row, id) = (&LABELS[&name(known)], known["id"].as_str());
        hashes.entry(id).or_default().insert(&row["game_hash"]);
        formats.entry(id).or_default().insert(&row["format"]);
    }
    let differ = hashes.iter().filter(|(_, hashes)| hashes.len() > 1);
    assert_eq!(differ.collect::<Vec<_>>(), []);
    let all: BTreeSet<&&str> = hashes.values().flatten().collect();
    assert_eq!(all.len(), hashes.len(), "no two games are the same");
    let every: BTreeSet<&&str> = formats.values().flatten().collect();
    assert!(
        every.iter().copied().eq(&[
            "cbl", "cbr", "csv", "dhtmlxq", "fen", "id-moves", "pgn", "xqf"
        ]),
        "{every:?}"
    );
    let several = formats.values().filter(|formats| formats.len() > 2);
    assert!(several.count() > 10, "{formats:?}");
}

/// What should become of a record with one fault: its status, a word among its
/// warnings or reasons (or none), and the kind of its error.
const FAULTS: &[(&str, &str, &str, &str)] = &[
    // Results that the board or the record itself gainsays.
    ("wrong_winner.pgn", "winner_differs", "board_says=", ""),
    (
        "perpetual_check_drawn.pgn",
        "winner_differs",
        "repetition=red:check,black:idle",
        "",
    ),
    (
        "tag_against_terminator.pgn",
        "no_result",
        "conflicting_result",
        "",
    ),
    (
        "perpetual_named.pgn",
        "agree",
        "repetition=red:idle,black:check",
        "",
    ),
    ("no_repetition.pgn", "not_comparable", "no_repetition", ""),
    // Moves that cannot be played, or come too late.
    ("illegal_middle.pgn", "broken", "", "no_such_move"),
    ("ambiguous_token.pgn", "broken", "", "ambiguous_move"),
    (
        "generals_face.pgn",
        "broken",
        "illegal_move=exposed@m1",
        "exposed",
    ),
    (
        "check_ignored.pgn",
        "broken",
        "illegal_move=exposed@m2",
        "exposed",
    ),
    (
        "takes_general.pgn",
        "broken",
        "odd_turn",
        "captures_general",
    ),
    ("after_mate.pgn", "agree", "moves_after_end=3", ""),
    // Nothing, or not all.
    ("no_general.pgn", "broken", "", "bad_position"),
    ("empty.pgn", "broken", "", "no_moves"),
    ("cut.pgn", "not_comparable", "missing_end", ""),
    ("torn_move.pgn", "not_comparable", "torn_line", ""),
    ("torn_list.txt", "not_comparable", "torn_line", ""),
    ("unclear_side.txt", "broken", "", "unclear_side"),
    ("nine_rows.txt", "broken", "", "bad_size"),
    ("missing_row.csv#id=x0001", "broken", "", "missing_moves"),
];

#[test]
fn every_fault_is_named() {
    let known = KNOWN.iter().filter(|known| !known["fault"].is_empty());
    let known: BTreeSet<String> = known.map(name).collect();
    let faults = FAULTS.iter().map(|(file, ..)| format!("dirty/{file}"));
    assert_eq!(known, faults.collect());
    for (file, status, word, error) in FAULTS {
        let row = &LABELS[&format!("dirty/{file}")];
        assert_eq!(row["status"], *status, "{file}: {row:#?}");
        assert_eq!(row["error_kind"], *error, "{file}: {row:#?}");
        let said = format!("{};{}", row["warnings"], row["reasons"]);
        match *word {
            "" => assert_eq!(row["warnings"], "", "{file}"),
            word => {
                let has = said.split(';').any(|said| said.starts_with(word));
                assert!(has, "{file}: {word} in {said}");
            }
        }
    }
}
