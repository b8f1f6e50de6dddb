//! Tokens of moves, read and written.

use kifu::game::xiangqi::{
    Move, Position, fen,
    notation::{Ranks, Script, Unread, chinese, read, wxf},
};

use super::suites::{Turned, cases, text, turned};

fn position(fen: &str) -> Position {
    fen::read(fen).unwrap()
}

fn iccs(text: &str) -> Move {
    text.parse().unwrap()
}

#[test]
fn tokens_of_the_suite() {
    for case in cases("notation") {
        let token = text(&case, "token");
        let mut position = position(text(&case, "fen"));
        let found = read(&mut position, token, Ranks::FromZero);
        match case["iccs"].as_str() {
            Some(expected) => {
                assert_eq!(found, Ok(iccs(expected)), "{token} in {}", case["fen"]);
            }
            None => assert!(found.is_err(), "{token} in {}: {found:?}", case["fen"]),
        }
    }
}

/// Every legal move of every position is written in three ways, each of which is
/// read as that move.
#[test]
fn what_is_written_is_read() {
    let step = if cfg!(debug_assertions) { 8 } else { 1 };
    for case in cases("oracle_positions").iter().step_by(step) {
        let start = position(text(case, "fen"));
        for how in Turned::ALL {
            let mut position = turned(&start, how);
            for it in position.legal() {
                for token in [
                    wxf(&position, it),
                    chinese(&position, it, Script::Traditional),
                    chinese(&position, it, Script::Simplified),
                    it.to_string(),
                ] {
                    let found = read(&mut position, &token, Ranks::FromZero);
                    assert_eq!(found, Ok(it), "{token} in {}", fen::write(&position));
                }
            }
        }
    }
}

/// WXF as another program writes it, which names the file where that is enough.
#[test]
fn wxf_as_others_write_it() {
    let (mut same, mut all) = (0, 0);
    for case in cases("oracle_positions") {
        let (Some(it), Some(expected)) =
            (case["sample_move"].as_str(), case["sample_wxf"].as_str())
        else {
            continue;
        };
        let mut position = position(text(&case, "fen"));
        let found = read(&mut position, expected, Ranks::FromZero);
        assert_eq!(found, Ok(iccs(it)), "{expected} in {}", case["fen"]);
        same += u32::from(wxf(&position, iccs(it)) == expected);
        all += 1;
    }
    assert!(same * 100 >= all * 95, "{same} of {all} are written alike");
}

/// Moves as in chess, as another program writes them.
#[test]
fn moves_as_in_chess_as_others_write_them() {
    let mut all = 0;
    for case in cases("oracle_positions") {
        let (Some(it), Some(token)) = (case["sample_move"].as_str(), case["sample_san"].as_str())
        else {
            continue;
        };
        let mut position = position(text(&case, "fen"));
        let found = read(&mut position, token, Ranks::FromOne);
        assert_eq!(found, Ok(iccs(it)), "{token} in {}", case["fen"]);
        all += 1;
    }
    println!("{all} moves as in chess");
}

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
/// Soldiers of Red one behind the other on two files, three on file 3.
const SOLDIERS: &str = "4k4/9/2P1P4/2P1P4/2P6/9/9/9/9/4K4 w";
/// Three on one file.
const FILE: &str = "4k4/9/2P6/2P6/2P6/9/9/9/9/4K4 w";
/// Two on each of two files.
const FOUR: &str = "4k4/9/2P1P4/2P1P4/9/9/9/9/9/4K4 w";
const FOUR_OF_BLACK: &str = "4k4/9/9/9/9/9/2p1p4/2p1p4/9/3K5 b";
/// As [`SOLDIERS`], the last of file 7 with a piece beside it.
const BLOCKED: &str = "4k4/9/2P1P4/2P1P4/2PA5/9/9/9/9/4K4 w";
/// Chariots, and advisors, one behind the other.
const PAIRS: &str = "4k4/4a4/9/r8/9/9/r8/5A3/9/3K1A3 b";

#[test]
fn ways_to_write_a_move() {
    for (fen, tokens, expected) in [
        (
            START,
            "h2e2 H2E2 H2-E2 h2-e2 C2=5 C2.5 c2=5 Ｃ２＝５ 炮二平五 炮2平5 砲二平五 包二平五 \
             炮２平５",
            "h2e2",
        ),
        (START, "H2+3 N2+3 馬二進三 马二进三 傌二進三", "h0g2"),
        (START, "E3+5 B3+5 相三進五 象三进五", "g0e2"),
        (START, "A4+5 仕四進五", "f0e1"),
        (START, "K5+1 帥五進一 帅五进一", "e0e1"),
        (SOLDIERS, "25=6 后五平六 後五平六 后兵五平六", "e6d6"),
        (SOLDIERS, "27=6 中兵平六 四兵平六 Pd=6 27.6", "c6d6"),
        (SOLDIERS, "37=6 五兵平六", "c5d5"),
        // Three on one file.
        (FILE, "一兵平六 Pa=6 ＰＡ＝６ 前兵平六", "c7d7"),
        (FILE, "二兵平六 Pb=6 中兵平六 27=6", "c6d6"),
        (FILE, "三兵平六 Pc=6 pc.6 后兵平六", "c5d5"),
        // Two on each of two files, from the right.
        (FOUR, "一兵平六 Pa=6 15=6", "e7d7"),
        (FOUR, "二兵平六 Pb=6 25=6", "e6d6"),
        (FOUR, "三兵平六 Pc=6 17=6 前兵七平六", "c7d7"),
        (FOUR, "四兵平六 Pd=6 27=6", "c6d6"),
        // Of Black the right is on files a to d.
        (FOUR_OF_BLACK, "１卒平４ 1卒平4 Pa=4 13=4", "c2d2"),
        (FOUR_OF_BLACK, "４卒平４ Pd=4 25=4", "e3d3"),
        // Only one of the two soldiers that it may mean can go so.
        (BLOCKED, "三兵平六", "c7d7"),
        (SOLDIERS, "15=6 前五平六 前兵五平六 +5=6", "e7d7"),
        (PAIRS, "R++3 +R+3 前車進3 前车进３ 前車進三", "a3a0"),
        (PAIRS, "R-=3 -R=3 後車平3 后车平３", "a6c6"),
        // As in chess.
        (START, "Che2 Ch2e2 Chxe2", "h2e2"),
        (START, "Hg2 Ng2 Hhg2 Hg2+ H0g2 Hh0g2", "h0g2"),
        (START, "Ege2 Bge2", "g0e2"),
        (START, "Pe4 Pee4 P3e4", "e3e4"),
        (SOLDIERS, "Pcd6 Pc6d6", "c6d6"),
        (SOLDIERS, "P5d5 Pd5", "c5d5"),
        (PAIRS, "R3a0 Ra0 Rxa0+ Ra0#", "a3a0"),
        (PAIRS, "Rc6 R6c6 Rac6", "a6c6"),
    ] {
        for token in tokens.split_whitespace() {
            let found = read(&mut position(fen), token, Ranks::FromZero);
            assert_eq!(found, Ok(iccs(expected)), "{token}");
        }
    }
}

#[test]
fn ranks_from_one() {
    for (token, expected) in [("h3e3", "h2e2"), ("a1a2", "a0a1"), ("H3-E3", "h2e2")] {
        let found = read(&mut position(START), token, Ranks::FromOne);
        assert_eq!(found, Ok(iccs(expected)), "{token}");
    }
    let black = START.replace(" w", " b");
    for (token, expected) in [
        ("a10a9", "a9a8"),
        ("b10c8", "b9c7"),
        ("b10-c8", "b9c7"),
        ("H10c8", "b9c7"),
        ("Ra9", "a9a8"),
    ] {
        let found = read(&mut position(&black), token, Ranks::FromOne);
        assert_eq!(found, Ok(iccs(expected)), "{token}");
    }
}

#[test]
fn what_is_no_move() {
    let several = |moves: &[&str]| Unread::Ambiguous(moves.iter().map(|it| iccs(it)).collect());
    for (fen, token, expected) in [
        (START, "", Unread::Unknown),
        (START, "e4", Unread::Unknown),
        (START, "炮二", Unread::Unknown),
        (START, "炮二平五平五", Unread::Unknown),
        (START, "炮二平十", Unread::Unknown),
        (START, "C2=0", Unread::Unknown),
        (START, "Q2=5", Unread::Unknown),
        (START, "j2e2", Unread::Unknown),
        // Of the other side, nobody, blocked, beyond the edge, not so.
        (START, "h7e7", Unread::NoSuchMove),
        (START, "e5e6", Unread::NoSuchMove),
        (START, "炮三平五", Unread::NoSuchMove),
        (START, "車一进三", Unread::NoSuchMove),
        (START, "車一退一", Unread::NoSuchMove),
        (START, "馬二進四", Unread::NoSuchMove),
        (START, "前炮平五", Unread::NoSuchMove),
        (START, "中兵進一", Unread::NoSuchMove),
        (SOLDIERS, "前兵平六", several(&["c7d7", "e7d7"])),
        (SOLDIERS, "P+=6", several(&["c7d7", "e7d7"])),
        (SOLDIERS, "七兵平六", Unread::NoSuchMove),
        // The third of file 7, or of all from the right.
        (SOLDIERS, "三兵平六", several(&["c7d7", "c5d5"])),
        (SOLDIERS, "一兵平六", several(&["e7d7", "c7d7"])),
        (SOLDIERS, "Pb=6", several(&["e6d6", "c6d6"])),
        (FOUR, "五兵平六", Unread::NoSuchMove),
        // As in chess: of several pieces, of none, without an end, of no piece.
        (START, "Ce2", several(&["b2e2", "h2e2"])),
        (START, "Ebe2", Unread::NoSuchMove),
        (START, "C3e2", Unread::NoSuchMove),
        (START, "Pe5", Unread::NoSuchMove),
        (SOLDIERS, "Pd7", several(&["c7d7", "e7d7"])),
        (PAIRS, "Ra5", several(&["a6a5", "a3a5"])),
        (START, "Ce10", Unread::Unknown),
        (START, "Cbe", Unread::Unknown),
        (START, "Cbje2", Unread::Unknown),
        (START, "Cxbe2", Unread::Unknown),
        (START, "CBE2", Unread::Unknown),
        (START, "cbe2", Unread::Unknown),
        (START, "Qe2", Unread::Unknown),
        (START, "e3e", Unread::Unknown),
    ] {
        let found = read(&mut position(fen), token, Ranks::FromZero);
        assert_eq!(found, Err(expected), "{token}");
    }
}
