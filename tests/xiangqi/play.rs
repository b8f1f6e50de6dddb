//! How records play: mates, what cannot be played, set-ups, hashes.

use kifu::{
    game::{self, Claim, Judgement, Settings, Want},
    outcome::{Ending, From, Outcome, Side},
    record::{Notation, Record, Step, StepKind},
};

/// What is said of some moves from a position on, the usual one where it is
/// empty, under some settings.
fn judged_under(settings: &Settings, fen: &str, moves: &str) -> Judgement {
    let mut record = Record::empty(b"");
    record.notation = Notation::Xiangqi;
    record.setup = (!fen.is_empty()).then_some(fen.as_bytes());
    let sides = [Side::First, Side::Second].into_iter().cycle();
    record.steps = moves
        .split_whitespace()
        .zip(sides)
        .map(|(token, side)| Step {
            kind: StepKind::Play(side),
            at: 0,
            token: token.as_bytes(),
        })
        .collect();
    let want = Want {
        board: true,
        canonical_hash: true,
        legal: true,
        ..Want::default()
    };
    let game = game::by_name("xiangqi").unwrap();
    let mut judge = game.judge_for(settings).unwrap();
    judge.judge(&record, None, &Claim::default(), &want)
}

fn judged(fen: &str, moves: &str) -> Judgement {
    judged_under(&Settings::default(), fen, moves)
}

/// Who has won, and how it ended: `red mate`, `- open`.
fn end(judgement: &Judgement) -> String {
    let winner = match judgement.outcome {
        Some(Outcome::Win(Side::First)) => "red",
        Some(Outcome::Win(Side::Second)) => "black",
        Some(Outcome::Draw) => "draw",
        None => "-",
    };
    format!("{winner} {}", judgement.ended.word())
}

fn warnings(judgement: &Judgement) -> String {
    let all: Vec<String> = judgement.warnings.iter().map(ToString::to_string).collect();
    all.join(" ")
}

/// Red mates by a0a9: the other chariot holds the second rank.
const MATE: &str = "4k4/1R7/9/9/9/9/9/9/9/R2K5 w";
/// Black cannot move: the soldier holds d8, the general the middle file.
const STALEMATE: &str = "3k5/9/3P5/9/9/9/9/9/9/4K4 b";

#[test]
fn ends_without_a_move_left() {
    for (fen, moves, expected) in [
        (MATE, "", "- open"),
        (MATE, "a0a9", "red mate"),
        (MATE, "a0a8", "- open"),
        (STALEMATE, "", "red stalemate"),
        ("4k4/9/3P5/9/9/9/9/9/9/4K4 w", "e0d0 e9e8", "- open"),
        // Exchanged.
        ("r2k5/9/9/9/9/9/9/9/1r7/4K4 b", "a9a0", "black mate"),
        ("4k4/9/9/9/9/9/9/3p5/9/3K5 w", "", "black stalemate"),
    ] {
        let judged = judged(fen, moves);
        assert_eq!(end(&judged), expected, "{fen} {moves}");
        assert_eq!(judged.plies as usize, moves.split_whitespace().count());
        let legal = judged.legal.unwrap();
        let over = matches!(judged.ended, Ending::Mate | Ending::Stalemate);
        assert_eq!(legal.0 == 0, over, "{legal:?}");
        assert_eq!(legal.1, judged.ended == Ending::Mate, "{fen} {moves}");
    }
}

#[test]
fn moves_after_the_end_are_counted() {
    let judged = judged(MATE, "a0a9 e9e8 b8b7");
    assert_eq!(end(&judged), "red mate");
    assert_eq!((judged.moves, judged.plies), (3, 1));
    assert_eq!(warnings(&judged), "moves_after_end=2@m1");
    assert_eq!(judged.error, None);
}

#[test]
fn moves_that_cannot_be_played() {
    for (fen, moves, plies, kind, part) in [
        (
            "",
            "h2e2 h2e2",
            1,
            "no_such_move",
            "no piece of black goes like that in rnbakabnr/",
        ),
        ("", "炮二平五 马8进9 车一进九", 2, "no_such_move", "move 3"),
        ("", "h2e2 hello", 1, "unknown_move", "(\"hello\")"),
        ("", "--", 0, "unknown_move", "move 1"),
        (
            "4k4/9/2P1P4/2P1P4/9/9/9/9/9/4K4 w",
            "前兵平六",
            0,
            "ambiguous_move",
            "it may be c7d7 or e7d7 in",
        ),
        (
            "4k4/9/9/9/9/9/9/9/4R4/4K4 w",
            "e1d1",
            0,
            "exposed",
            "general attacked",
        ),
        (
            "4k4/9/9/9/9/9/9/9/4R4/3K5 w",
            "e1e9",
            0,
            "captures_general",
            "move 1",
        ),
        (
            "9/9/9/9/9/9/9/9/9/4K4 w",
            "e0e1",
            0,
            "bad_position",
            "no general of black",
        ),
        ("4k4/9 w", "", 0, "bad_position", "2 rows"),
    ] {
        let judged = judged(fen, moves);
        assert_eq!(end(&judged), "- illegal", "{fen} {moves}");
        assert_eq!(judged.plies, plies, "{fen} {moves}");
        assert_eq!(judged.moves as usize, moves.split_whitespace().count());
        let error = judged.error.unwrap();
        assert_eq!(error.kind, kind, "{}", error.message);
        assert!(error.message.contains(part), "{}", error.message);
    }
}

#[test]
fn odd_positions_are_judged() {
    for (fen, expected) in [
        ("4k4/9/9/9/9/9/9/9/9/B2K5 w", "misplaced_piece=B@a0"),
        ("4k4/9/9/9/9/9/9/9/9/3KA4 w", "misplaced_piece=A@e0"),
        ("4k4/9/9/9/9/9/9/9/P8/3K5 w", "misplaced_piece=P@a1"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "odd_turn"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w", ""),
    ] {
        let judged = judged(fen, "");
        assert_eq!(warnings(&judged), expected, "{fen}");
        assert_eq!(judged.error, None, "{fen}");
    }
}

#[test]
fn either_base_of_ranks() {
    for (fen, moves) in [
        ("", "h2e2 h9g7 h0g2"),
        ("", "h3e3 h10g8 h1g3"),
        // Neither a rank of 0 nor one of 10.
        ("", "h2e2 h7e7"),
        ("", "h3e3 h8e8"),
    ] {
        let judged = judged(fen, moves);
        assert_eq!(judged.error, None, "{moves}");
    }
    assert_eq!(
        judged("", "h2e2 h7e7").game_hash,
        judged("", "h3e3 h8e8").game_hash
    );
}

#[test]
fn hashes_tell_games_apart() {
    let hash = |fen, moves| judged(fen, moves).game_hash;
    assert_eq!(hash("", "h2e2"), hash("", "炮二平五"));
    assert_ne!(hash("", "h2e2"), hash("", "b2e2"));
    assert_ne!(hash("", ""), hash("", "h2e2"));
    assert_ne!(hash(MATE, ""), hash(&MATE.replace(" w", " b"), ""));
    let canonical = |fen, moves| judged(fen, moves).canonical_hash.unwrap();
    assert_eq!(canonical("", "h2e2 b9c7"), canonical("", "b2e2 h9g7"));
    assert_ne!(canonical("", "h2e2 b9c7"), canonical("", "b2e2 b9c7"));
    // The position does not know how it came about.
    let position = |moves| judged("", moves).position_hash;
    assert_eq!(position("h2e2 h7e7 b0c2"), position("b0c2 h7e7 h2e2"));
    assert_ne!(position("h2e2"), position("b2e2"));
    let text = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b";
    assert_eq!(judged("", "h2e2").diagram.as_deref(), Some(text));
}

/// Ranks count from 0 or from 1 as more of the moves can be played; formats of
/// squares know it.
#[test]
fn ranks_of_coordinates() {
    // Chariots on a2 and a1, and Black's general on d9 or below it.
    let high = "3k5/9/9/9/9/9/9/R8/R8/4K4 w";
    let low = "9/3k5/9/9/9/9/9/R8/R8/4K4 w";
    for (fen, moves, plies, position) in [
        (
            "",
            "h2e2 h7e7",
            2,
            "rnbakabnr/9/1c2c4/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w",
        ),
        (
            "",
            "h3e3 h8e8",
            2,
            "rnbakabnr/9/1c2c4/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w",
        ),
        // The first move fits both ways, the second only one.
        (high, "a2b2 d9d8", 2, "9/3k5/9/9/9/9/9/1R7/R8/4K4 w"),
        (low, "a2b2 d9d8", 2, "9/9/3k5/9/9/9/9/R8/1R7/4K4 w"),
    ] {
        let judged = judged(fen, moves);
        assert_eq!(
            (judged.plies, warnings(&judged).as_str()),
            (plies, ""),
            "{moves}"
        );
        assert_eq!(judged.diagram.as_deref(), Some(position), "{fen} {moves}");
    }
    // Both fit, and nothing tells which.
    let judged = judged(high, "a2b2");
    assert_eq!(
        (judged.plies, warnings(&judged).as_str()),
        (1, "ranks_unclear")
    );
}

/// No piece stands on h3, whatever the ranks of others count from.
#[test]
fn squares_that_are_known() {
    let mut record = Record::empty(b"");
    record.steps = vec![Step {
        kind: StepKind::Play(Side::First),
        at: 0,
        token: b"h3e3",
    }];
    let game = game::by_name("xiangqi").unwrap();
    for (notation, plies) in [(Notation::Xiangqi, 1), (Notation::Iccs, 0)] {
        record.notation = notation;
        let mut judge = game.judge_for(&Settings::default()).unwrap();
        let judged = judge.judge(&record, None, &Claim::default(), &Want::default());
        assert_eq!(judged.plies, plies, "{notation:?}");
    }
}

/// The first move is called Black's where Red is to move.
#[test]
fn who_begins() {
    let mut record = Record::empty(b"");
    record.notation = Notation::Xiangqi;
    record.steps = vec![Step {
        kind: StepKind::Play(Side::Second),
        at: 0,
        token: b"h2e2",
    }];
    let game = game::by_name("xiangqi").unwrap();
    let mut judge = game.judge_for(&Settings::default()).unwrap();
    let judged = judge.judge(&record, None, &Claim::default(), &Want::default());
    assert_eq!(warnings(&judged), "turn_differs=red@m1");
}

#[test]
fn undecided_records_are_searched_for_a_mate() {
    let search = |word: Option<&str>, fen: &str| {
        let settings = Settings {
            search: word.map(str::to_owned),
            ..Settings::default()
        };
        judged_under(&settings, fen, "").proven
    };
    // In one move; in two, by a check first; not in any.
    for (fen, expected) in [
        (MATE, Some(Outcome::Win(Side::First))),
        (
            "4k4/9/1R7/9/9/9/9/9/9/R2K5 w",
            Some(Outcome::Win(Side::First)),
        ),
        ("4k4/9/9/9/9/9/9/9/9/3K1P3 w", None),
        (
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
            None,
        ),
    ] {
        assert_eq!(search(None, fen), expected, "{fen}");
        assert_eq!(search(Some("mate"), fen), expected, "{fen}");
        assert_eq!(search(Some("none"), fen), None, "{fen}");
    }
}

/// What an end is worth: `eval=… line=…`, and whether anything is proven.
fn worth(fen: &str, moves: &str, nodes: u32) -> (String, bool) {
    let settings = Settings {
        search: Some("eval".to_owned()),
        nodes: Some(nodes),
        ..Settings::default()
    };
    let judged = judged_under(&settings, fen, moves);
    let reasons: Vec<String> = judged.remarks.iter().map(ToString::to_string).collect();
    (reasons.join(" "), judged.proven.is_some())
}

#[test]
fn undecided_records_are_evaluated() {
    // Red takes the chariot for nothing, and nothing else is at stake.
    let (red, proven) = worth("2bakab2/9/9/4p4/r7R/9/4P4/9/9/2BAKAB2 w", "", 2_000);
    let value: i32 = red
        .strip_prefix("eval=+")
        .and_then(|rest| rest.split_once(" line=i5a5"))
        .and_then(|(value, _)| value.parse().ok())
        .unwrap_or_default();
    assert!((900..1_100).contains(&value), "{red}");
    assert!(!proven);
    // The view is Red's, whoever moves.
    let (black, proven) = worth("2bakab2/9/9/4p4/9/R7r/4P4/9/9/2BAKAB2 b", "", 2_000);
    let begin = format!("eval=-{value} line=i4a4");
    assert!(black.starts_with(&begin) && !proven, "{black}");
    for (fen, moves, expected, is_proven) in [
        (MATE, "", "eval=mate+1 line=", true),
        (
            "4k4/9/1R7/9/9/9/9/9/9/R2K5 w",
            "",
            "eval=mate+2 line=b7",
            true,
        ),
        // By quiet moves, which the search for checks does not see.
        (
            "3k5/9/9/2P1P4/9/9/9/9/9/4K4 w",
            "",
            "eval=mate+3 line=",
            false,
        ),
        // Black is mated whatever he plays.
        (
            "4k4/R8/9/9/9/9/9/9/9/1R1K5 b",
            "",
            "eval=mate+1 line=",
            false,
        ),
        // Decided, or not to be searched.
        (MATE, "a0a9", "", false),
        ("", "h2e2 h2e2", "", false),
    ] {
        let (said, proven) = worth(fen, moves, 20_000);
        assert!(said.starts_with(expected), "{fen} {moves}: {said}");
        assert_eq!(
            said.is_empty(),
            expected.is_empty(),
            "{fen} {moves}: {said}"
        );
        assert_eq!(proven, is_proven, "{fen} {moves}: {said}");
    }
    assert_eq!(worth("", "h2e2", 0), (String::new(), false));
    // Lines are cut.
    let (said, _) = worth("", "h2e2", 20_000);
    let line = said.split_once("line=").unwrap().1;
    assert!((1..=8).contains(&line.split(',').count()), "{said}");
}

#[test]
fn rules_come_from_flags_and_records() {
    let settings = Settings {
        rules: Some(("uccl".to_owned(), From::Flag)),
        no_capture: Some(60),
        ..Settings::default()
    };
    let judged = judged_under(&settings, "", "h2e2");
    assert_eq!(judged.rules, "uccl,no_capture=60");
    assert_eq!(judged.rules_from, From::Flag);
    let judged = judged_under(&Settings::default(), "", "h2e2");
    assert_eq!(
        (judged.rules.as_str(), judged.rules_from),
        ("axf", From::Default)
    );
}
