//! What is said of records that the board does not bear out.

use crate::common::run::Folder;

/// Four of Black in a row with both ends open, and Black to move.
const FOUR: &str = ";B[hh];W[aa];B[ih];W[ca];B[jh];W[ea];B[kh];W[ga]";
/// Nobody threatens anything, and Black is to move.
const NOTHING: &str = ";B[hh];W[aa]";
/// Two threes of Black's meet in h8.
const THREES: &str = "AB[gh][ih][hg][hi]AW[aa][ca][ea][ga]PL[B]";

/// The reasons of a record under `kifu label` with some flags, its rules, and the
/// forbidden points.
fn row(flags: &str, text: &str) -> [String; 3] {
    let folder = Folder::with(&[("a.sgf", &format!("(;FF[4]{text})"))]);
    let line = format!("label . -o - --with forbidden {flags}");
    let rows = folder.run(&line).done().rows();
    assert_eq!(rows.len(), 1, "{text}");
    ["reasons", "rules", "forbidden"].map(|column| rows[0][column].clone())
}

#[test]
fn reasons() {
    let no_line = "GM[4]SZ[15]RU[renju]TE[Black play forbidden move - double three]RE[W+]";
    for (head, moves, expected, missing) in [
        // Who gave up was not threatened, or could have won.
        (
            "GM[4]SZ[15]RU[freestyle]RE[B+R]",
            NOTHING,
            "no_threat",
            "loser_wins",
        ),
        (
            "GM[4]SZ[15]RU[freestyle]RE[W+R]",
            FOUR,
            "loser_wins=",
            "no_threat",
        ),
        ("GM[4]SZ[15]RU[freestyle]RE[B+T]", NOTHING, "", "no_threat"),
        ("GM[4]SZ[15]RU[freestyle]RE[W+T]", NOTHING, "", "no_threat"),
        (
            "GM[4]SZ[15]RU[caro]RE[W+R]",
            FOUR,
            "loser_wins=",
            "no_threat",
        ),
        (
            "GM[4]SZ[15]RU[caro]RE[B+R]",
            NOTHING,
            "no_threat",
            "loser_wins",
        ),
        // White, who gave up, has a three; Black, who is to move, has nothing.
        (
            "GM[4]SZ[15]RU[freestyle]RE[B+R]",
            ";B[aa];W[hh];B[ca];W[ih];B[ea];W[jh]",
            "no_threat",
            "loser_wins",
        ),
        // A last move is missing only where the game was played to its end.
        (
            "GM[4]SZ[15]RU[freestyle]RE[B+]",
            FOUR,
            "last_move=",
            "no_threat",
        ),
        ("GM[4]SZ[15]RU[freestyle]RE[B+R]", FOUR, "", "last_move"),
        // A forbidden move that is not in the record.
        (
            "GM[4]SZ[15]RU[renju]RE[W+Foul]",
            THREES,
            "foul_claimed=double_three@h8",
            "no_such_foul",
        ),
        ("GM[4]SZ[15]RU[renju]RE[W+R]", THREES, "", "foul_claimed"),
        (no_line, NOTHING, "no_such_foul", "@"),
        (
            &no_line.replace("renju]", "renju,fouls=off]"),
            NOTHING,
            "foul_claimed=double_three",
            "no_such_foul",
        ),
        // Managers of tournaments call a game drawn before the board is full.
        (
            "GM[4]SZ[5]RU[freestyle]RE[0]",
            NOTHING_SMALL,
            "rules=freestyle,draw_at=25",
            "foul",
        ),
        ("GM[4]SZ[6]RU[freestyle]RE[0]", NOTHING_SMALL, "", "draw_at"),
    ] {
        let [reasons, ..] = row("", &format!("{head}{moves}"));
        let said: Vec<&str> = reasons.split(';').collect();
        let has = expected.is_empty() || said.iter().any(|it| it.starts_with(expected));
        assert!(has, "{head}{moves}: {expected} in {reasons}");
        assert!(!reasons.contains(missing), "{head}{moves}: {reasons}");
    }
}

/// Fits boards of any size.
const NOTHING_SMALL: &str = ";B[aa];W[ba]";

#[test]
fn nothing_is_forbidden_after_the_end() {
    let head = "GM[4]SZ[15]RU[renju]";
    assert_eq!(row("", &format!("{head}{THREES}"))[2], "h8");
    assert_eq!(row("", &format!("{head}{THREES};B[hh]"))[2], "");
}

#[test]
fn a_small_board_is_tictactoe_in_gomoku_alone() {
    for (game, rules) in [
        ("gomoku", "tictactoe"),
        ("tictactoe", "tictactoe"),
        ("renju", "renju"),
        ("caro", "caro"),
        ("kinrow", "kinrow"),
    ] {
        let [_, found, _] = row(&format!("--game {game}"), "SZ[3];B[aa];W[bb]");
        assert_eq!(found, rules, "{game}");
    }
}
