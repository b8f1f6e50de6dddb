//! The bundled games end as the script that made them says: its judge is
//! written in Python, from the definitions alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    sync::LazyLock,
};

use kifu::game::kinrow::{FiveEye, Shape};

use super::{
    common::run::{Row, known_name as name, labels_of, rows, run},
    naive::Naive,
};

const ARCHIVE: &str = "data/archive/kinrow";

/// The rows of the archive, by the names that the table gives them.
static LABELS: LazyLock<BTreeMap<String, Row>> = LazyLock::new(|| labels_of(ARCHIVE, ""));

/// What is known of every record.
static KNOWN: LazyLock<Vec<Row>> =
    LazyLock::new(|| rows(&fs::read("data/expected-kinrow.csv").unwrap()));

fn winner(letter: &str) -> &'static str {
    match letter {
        "B" => "black",
        "W" => "white",
        "D" => "draw",
        _ => "",
    }
}

#[test]
fn every_record_is_one_row() {
    let known: BTreeSet<String> = KNOWN.iter().map(name).collect();
    assert_eq!(known.len(), KNOWN.len());
    assert_eq!(LABELS.keys().cloned().collect::<BTreeSet<_>>(), known);
}

#[test]
fn every_game_ends_as_it_did() {
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for known in &*KNOWN {
        let row = &LABELS[&name(known)];
        // A record says that somebody gave up, the board does not.
        let ended = match known["end"].as_str() {
            "resign" | "time" => "open",
            end => end,
        };
        for (column, expected) in [
            ("game", known["game"].as_str()),
            ("rules", &known["rules"]),
            ("size", &known["size"]),
            ("moves", &known["moves"]),
            ("plies", &known["plies"]),
            ("ended", ended),
            ("winner", winner(&known["winner"])),
            ("recorded_winner", winner(&known["recorded"])),
        ] {
            assert_eq!(row[column], expected, "{column} of {}", name(known));
        }
        if ended != known["end"] {
            assert_eq!(row["recorded_kind"], known["end"], "{}", name(known));
        }
        let status = match (known["recorded"].as_str(), known["winner"].as_str()) {
            _ if !known["fault"].is_empty() => continue,
            ("", _) => "no_result",
            (_, "") => "not_comparable",
            _ => "agree",
        };
        assert_eq!(row["status"], status, "{}", name(known));
        assert_eq!(row["warnings"], "", "{}", name(known));
        *ends.entry(&known["end"]).or_default() += 1;
    }
    let every = ["foul", "full", "limit", "line", "open", "resign", "time"];
    assert!(ends.keys().eq(&every), "{ends:?}");
}

/// Which move was forbidden, and why.
#[test]
fn a_foul_is_the_one_that_was_made() {
    let mut shapes: BTreeMap<&str, usize> = BTreeMap::new();
    for known in &*KNOWN {
        if known["end"] == "open" && !known["foul"].is_empty() {
            // The move is not in the record, and must be found.
            let claimed = format!("foul_claimed={}@{}", known["foul"], known["point"]);
            assert_eq!(LABELS[&name(known)]["reasons"], claimed, "{}", name(known));
        }
        if known["end"] != "foul" || known["file"] != "sgf/renju.sgf" {
            continue;
        }
        let said = run(&format!("explain {ARCHIVE}/{}", name(known))).done();
        let shape = known["foul"].replace('_', " ");
        let article = if shape == "overline" { "an" } else { "a" };
        let (number, point) = (&known["plies"], &known["point"]);
        let line = format!("black's move {number} at {point} is {article} {shape}\n");
        assert!(said.out.contains(&line), "{line}: {}", said.out);
        *shapes.entry(&known["foul"]).or_default() += 1;
    }
    assert_eq!(shapes.len(), 3, "{shapes:?}");
}

#[test]
fn a_game_is_the_same_in_every_format() {
    let mut hashes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut formats: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for known in KNOWN.iter().filter(|known| !known["id"].is_empty()) {
        if !known["fault"].is_empty() {
            continue;
        }
        let (row, id) = (&LABELS[&name(known)], known["id"].as_str());
        hashes.entry(id).or_default().insert(&row["game_hash"]);
        formats.entry(id).or_default().insert(&row["format"]);
    }
    let differ = hashes.iter().filter(|(_, hashes)| hashes.len() > 1);
    assert_eq!(differ.collect::<Vec<_>>(), []);
    let all: BTreeSet<&&str> = hashes.values().flatten().collect();
    assert_eq!(all.len(), hashes.len(), "no two games are the same");
    let most = formats.values().map(BTreeSet::len).max();
    assert_eq!(most, Some(5), "{formats:?}");
}

/// The moves of Black in every renju game: only the last can be forbidden.
#[test]
fn the_slow_judge_finds_the_same_fouls() {
    let text = fs::read_to_string(format!("{ARCHIVE}/lists/renju_fields.txt")).unwrap();
    let known = KNOWN
        .iter()
        .filter(|known| known["file"] == "lists/renju_fields.txt");
    let mut games = 0;
    for (line, known) in text.lines().zip(known) {
        let mut board = Naive::new(&["."; 15].map(|point| point.repeat(15)));
        let moves: Vec<&str> = line.rsplit('\t').next().unwrap().split(' ').collect();
        assert_eq!(moves.len().to_string(), known["moves"]);
        for (number, point) in (1..).zip(&moves) {
            let column = i32::from(point.as_bytes()[0] - b'a');
            let at = (15 - point[1..].parse::<i32>().unwrap(), column);
            if number % 2 == 0 {
                board.set(at, 'O');
                continue;
            }
            let is_last = number == moves.len();
            let expected = match (known["end"].as_str(), known["foul"].as_str()) {
                ("foul", "overline") if is_last => Shape::Overline,
                ("foul", "double_four") if is_last => Shape::DoubleFour,
                ("foul", "double_three") if is_last => Shape::DoubleThree,
                ("line", _) if is_last => Shape::Five,
                _ => Shape::Plain,
            };
            let shape = board.judge(at, FiveEye::Rif);
            assert_eq!(shape, expected, "{}: move {number}", known["id"]);
            board.set(at, 'X');
        }
        games += 1;
    }
    assert!(games > 30, "{games}");
}

/// What should become of a record with one fault: its status, a word among its
/// warnings or reasons (or none), and the kind of its error.
const FAULTS: &[(&str, &str, &str, &str)] = &[
    // Moves that cannot be played, or are made by the wrong side.
    (
        "repeated_point.sgf",
        "broken",
        "illegal_move=occupied@m9",
        "occupied",
    ),
    ("off_board.sgf", "broken", "", "off_board"),
    ("row_zero_renju.txt", "broken", "", "off_board"),
    ("zero_based_bee_0.psq", "broken", "", "off_board"),
    ("wrong_turn.sgf", "agree", "wrong_turn@m6", ""),
    ("white_first.sgf", "agree", "white_first@m1", ""),
    ("after_line.sgf", "agree", "moves_after_end=3@m35", ""),
    // Nothing, or not all.
    ("empty_list.txt", "skipped", "", "unknown_format"),
    ("empty_move.xml", "broken", "", "no_moves"),
    ("cut.xml", "agree", "", ""),
    ("cut.xml#2", "not_comparable", "torn_line", ""),
    ("torn_ant_bee_1.psq", "not_comparable", "torn_line", ""),
    ("count.pos", "no_result", "move_count=header=38", ""),
    // Results, rules and boards that cannot be right.
    ("wrong_winner.sgf", "winner_differs", "board_says=black", ""),
    (
        "wrong_winner_bee_2.psq",
        "winner_differs",
        "board_says=black",
        "",
    ),
    ("unknown_rules.sgf", "agree", "unknown_rules=omok", ""),
    ("thirty_to_three.txt", "not_comparable", "stone_counts", ""),
    // Forbidden moves that are not in the record, or that nobody claimed.
    ("foul_left_out.sgf", "not_comparable", "foul_claimed", ""),
    (
        "foul_left_out_renju_2.psq",
        "not_comparable",
        "foul_claimed",
        "",
    ),
    (
        "foul_not_claimed.sgf",
        "winner_differs",
        "rules=renju,fouls=claimed",
        "",
    ),
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
        let has = said.split(';').any(|said| said.starts_with(word));
        assert!(has, "{file}: {word} in {said}");
    }
}
