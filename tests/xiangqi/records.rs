//! Records through the whole program: boards as text, and results that name a
//! repetition.

use super::common::run::{Folder, Row};

const BOARD: &str = "\
9 . . . . k . . . .
8 R . . . . . . . .
7 . . . . . . . . .
6 . . . . . . . . .
5 . . . . . . . . .
    楚河    漢界
4 . . . . . . . . .
3 . . . . . . . . .
2 . . . . . . . . .
1 . . . . . . . . .
0 . . . . K . . . .
  a b c d e f g h i
";

/// The row of a text from standard input, which is that of the same text in a file.
fn row(name: &str, text: &str) -> Row {
    let folder = Folder::with(&[(name, text)]);
    let mut of_file = folder.run(&format!("label {name} -o -")).done().rows();
    let mut rows = folder.feed("label -", text).done().rows();
    assert_eq!((rows.len(), of_file.len()), (1, 1), "{text}");
    for column in ["origin", "content_hash"] {
        rows[0].remove(column);
        of_file[0].remove(column);
    }
    assert_eq!(rows, of_file);
    rows.remove(0)
}

#[test]
fn a_board_is_judged_as_a_position() {
    // What the rows of the generals and their files are, who is to move and what is
    // said; what comes of it.
    let (chariot, soldier) = ("R . . . . . . . .", ". . . . . . . . P");
    for (black, red, said, expected) in [
        (
            "R . . k . . . . .",
            chariot,
            "result: 1-0",
            "mate red agree",
        ),
        (
            "R . . k . . . . .",
            chariot,
            "0-1",
            "mate red winner_differs",
        ),
        ("R . . k . . . . .", chariot, "", "mate red no_result"),
        (
            ". . . k . . . . .",
            chariot,
            "black to move\n1-0",
            "stalemate red agree",
        ),
        (
            ". . . k . . . . .",
            chariot,
            "red to move\n1-0",
            "open  not_comparable",
        ),
        (
            ". . . k . . . . .",
            soldier,
            "result: 1-0",
            "open  not_comparable",
        ),
        (". . . k . . . . .", soldier, "", "open  no_result"),
        (". . . . . . . . .", chariot, "", "illegal  broken"),
    ] {
        let text = BOARD
            .replace(". . . . k . . . .", black)
            .replace("R . . . . . . . .", red);
        let row = row("board.txt", &format!("{text}\n{said}\n"));
        let found = format!("{} {} {}", row["ended"], row["winner"], row["status"]);
        assert_eq!(found, expected, "{text}{said}");
        assert_eq!(
            (row["format"].as_str(), row["game"].as_str()),
            ("xiangqi-board", "xiangqi")
        );
    }
}

/// Who is to move is inferred only where nothing says it and only Black is in check.
#[test]
fn who_is_to_move() {
    let checked = BOARD.replace("R . . . . . . . .", "R . . . R . . . .");
    for (said, board, expected) in [
        ("", checked.as_str(), "turn_inferred=black"),
        ("red to move\n", &checked, "odd_turn"),
        ("black to move\n", &checked, ""),
        (
            "",
            &BOARD.replace("R . . . . . . . .", "R . . . r . . . ."),
            "",
        ),
    ] {
        let row = row("a.txt", &format!("{said}{board}"));
        assert_eq!(row["warnings"], expected, "{said}{board}");
    }
}

/// The board that is drawn reads back.
#[test]
fn what_explain_draws_is_a_board() {
    let folder = Folder::new();
    for fen in [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "3k5/9/9/9/9/9/9/9/R8/1R2K4 b",
        "R2k5/1R7/9/9/9/9/9/9/9/4K4 b",
        "4k4/9/9/9/9/5n3/4c4/9/9/3K5 w",
    ] {
        let drawn = folder
            .feed("explain - -v", format!("{fen} ; 1-0\n"))
            .done()
            .out;
        let rows = folder
            .feed("label - --with board", drawn.as_str())
            .done()
            .rows();
        assert_eq!(rows.len(), 1, "{drawn}");
        assert_eq!(rows[0]["board"], fen, "{drawn}");
        assert_eq!(rows[0]["format"], "xiangqi-board", "{drawn}");
    }
}

/// Red checks for ever; Black steps aside.
const CHECKS: &str = "a5d5 d9e9 d5e5 e9d9 e5d5 d9e9 d5e5 e9d9 e5d5";

#[test]
fn results_that_name_a_repetition() {
    let game = |result: &str, ending: &str, moves: &str| {
        format!(
            "[Game \"Chinese Chess\"]\n[Result \"{result}\"]\n[Termination \"{ending}\"]\n\
             [FEN \"3k5/9/9/9/R8/9/9/9/4p4/5K3 w - - 0 1\"]\n\n{moves} {result}\n"
        )
    };
    for (result, ending, moves, status, reasons) in [
        (
            "0-1",
            "perpetual check",
            CHECKS,
            "agree",
            "repetition=red:check,black:idle",
        ),
        (
            "0-1",
            "红方长将",
            CHECKS,
            "agree",
            "repetition=red:check,black:idle",
        ),
        (
            "1-0",
            "perpetual check",
            CHECKS,
            "winner_differs",
            "repetition=red:check,black:idle;board_says=black",
        ),
        (
            "1/2-1/2",
            "threefold repetition",
            CHECKS,
            "winner_differs",
            "repetition=red:check,black:idle;board_says=black",
        ),
        // A win may have been for something else than the repetition.
        (
            "0-1",
            "",
            CHECKS,
            "not_comparable",
            "repetition=red:check,black:idle",
        ),
        (
            "0-1",
            "time forfeit",
            CHECKS,
            "not_comparable",
            "repetition=red:check,black:idle",
        ),
        // Nothing is repeated on the board.
        (
            "0-1",
            "perpetual check",
            &CHECKS[..14],
            "not_comparable",
            "no_repetition",
        ),
        (
            "1/2-1/2",
            "repetition",
            &CHECKS[..14],
            "not_comparable",
            "no_repetition",
        ),
        ("0-1", "", &CHECKS[..14], "not_comparable", ""),
    ] {
        let found = row("a.pgn", &game(result, ending, moves));
        assert_eq!(found["status"], status, "{result} {ending}");
        assert_eq!(found["reasons"], reasons, "{result} {ending}");
    }
}

/// Rows of one game that are too far apart for it are two rows: none is lost, and
/// the second says what to do.
#[test]
fn a_table_whose_rows_are_far_apart() {
    let head = "game_id,move_index,move,game_status,outcome\n";
    let line = |id: &str, at, it| format!("{id},{at},{it},RESIGNED,RED_WINS\n");
    let filler: String = (0..40_000)
        .map(|id| line(&format!("f{id}"), 0, "h2e2"))
        .collect();
    assert!(filler.len() > 1 << 20);
    let text = format!(
        "{head}{}{filler}{}",
        line("g", 0, "h2e2"),
        line("g", 1, "h9g7")
    );
    let folder = Folder::with(&[("a.csv", &text)]);
    let rows = folder.run("label a.csv -o -").done().rows();
    assert_eq!(rows.len(), 40_002);
    let found: Vec<&Row> = rows.iter().filter(|row| row["record_id"] == "g").collect();
    assert_eq!(found.len(), 2);
    assert_eq!(
        (found[0]["status"].as_str(), found[0]["plies"].as_str()),
        ("not_comparable", "1")
    );
    assert_eq!(
        (found[1]["status"].as_str(), found[1]["error_kind"].as_str()),
        ("broken", "missing_moves")
    );
    assert!(found[1]["error"].contains("sort the table by game"));
}
