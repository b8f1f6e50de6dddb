//! Boards of k-in-a-row games.

use std::fs;

use kifu::{
    format::{self, Chosen, Context},
    game,
    outcome::{Outcome, Side},
    pipeline::{Plan, RecordFile},
    record::StepKind,
};
use serde_json::Value;

use super::{
    board,
    common::{plan, reference},
    drawn, judge, label, read, record, warnings,
};

const ROWS: &str = ".....\n.XOO.\n.XO..\n.X...\n.....\n";

/// The game that the only board of a text is judged as.
fn game_of(text: &str) -> &'static str {
    let file = RecordFile::new("test.board", board(), &plan());
    record(text, |record| file.game_of(record).name())
}

#[test]
fn boards_name_their_game() {
    for (head, game) in [
        ("game: gomoku", "gomoku"),
        ("Game = Five in a Row", "gomoku"),
        ("game: 五子棋", "gomoku"),
        ("game: Renju", "renju"),
        ("game: caro", "caro"),
        ("game: tic-tac-toe", "tictactoe"),
        ("game: kinrow", "kinrow"),
        // Rules of no other game say it too.
        ("rules: renju", "renju"),
        ("rules: kinrow,line=3", "kinrow"),
        ("rules: Caro Standard", "caro"),
        ("# rule=freestyle", "gomoku"),
        ("rules: Swap2", "gomoku"),
        ("rules: RIF", "renju"),
        ("rules: 4", "renju"),
        ("rules: Taraguchi-10", "renju"),
        ("rules: Freestyle Caro", "caro"),
        ("rules: 連珠", "renju"),
        // What is said of the game counts for more.
        ("game: gomoku\nrules: renju", "gomoku"),
    ] {
        let text = format!("{head}\n\n{ROWS}");
        assert_eq!(game_of(&text), game, "{head}");
        assert_eq!(warnings(&text), [""; 0], "{head}");
    }
    for head in ["rules: chinese", "rules: nobody's", "komi: 5"] {
        let text = format!("{head}\n\n{ROWS}");
        assert_eq!(game_of(&text), "go", "{head}");
    }
    // Where any number in a row may be meant, a number names no rules.
    let judged = judge(&plan(), &format!("game: kinrow\nrules: 4\n\n{ROWS}"));
    assert_eq!((judged.game, &*judged.rules), ("kinrow", "kinrow"));
    assert_eq!(judged.warnings[0].word, "unknown_rules");
}

#[test]
fn a_remark_says_what_is_known() {
    let head = "# board 3 rule=standard RE=B+1 TE=Black win by five connection stones=o-black";
    let text = format!("{head}\n{ROWS}");
    record(&text, |record| {
        let text = |raw: Option<&[u8]>| record.text(raw.unwrap()).into_owned();
        assert_eq!(text(record.rules), "standard");
        assert_eq!(text(record.result), "B+1");
        assert_eq!(text(record.ending), "Black win by five connection");
        let other: Vec<String> = ROWS
            .lines()
            .map(|row| row.replace('X', "x").replace('O', "X").replace('x', "O"))
            .collect();
        assert_eq!(drawn(record), other);
    });
    assert_eq!(warnings(&text), [""; 0]);
    let chosen = format::choose("a.txt".as_ref(), text.as_bytes());
    let chosen = chosen.map(|(format, by)| (format.name(), by));
    assert_eq!(chosen, Some(("board", Chosen::Content)));
}

/// A row may begin with `#`, and a remark may say nothing.
#[test]
fn other_lines_that_begin_alike() {
    let text = "#.O\n#O.\n#..\n";
    assert_eq!(record(text, drawn), ["X.O", "XO.", "X.."]);
    assert_eq!(
        warnings(&format!("# a remark\n\n{ROWS}")),
        ["stray_text@+0"]
    );
}

#[test]
fn who_has_which_stones() {
    for (stones, expected) in [
        ("o-black", "O"),
        ("black=o", "O"),
        ("x-black", "X"),
        ("XO", "X"),
    ] {
        let text = format!("stones: {stones}\nto move: x\n{ROWS}");
        record(&text, |record| {
            let first = if expected == "X" { ".XOO." } else { ".OXX." };
            assert_eq!(drawn(record)[1], first, "{stones}");
            let side = if expected == "X" {
                Side::First
            } else {
                Side::Second
            };
            let turn = record.steps.last().unwrap().kind;
            assert_eq!(turn, StepKind::Turn(side), "{stones}");
        });
    }
    // B and W are what they say.
    let text = "stones: o-black\nB.\nW.\n";
    assert_eq!(record(text, drawn), ["X.", "O."]);
    let text = format!("stones: many\n{ROWS}");
    assert_eq!(warnings(&text), ["odd_stones@+0"]);
}

/// Cut anywhere there is one record at most, and no panic.
#[test]
fn cut_anywhere() {
    let text = format!("# board 3 rule=renju RE=W+1 TE=five stones=o-black\n{ROWS}");
    let rows = text.find('\n').unwrap() + 1;
    for end in rows + 1..text.len() {
        let context = Context::default();
        read(&text.as_bytes()[..end], &context, |_| {});
    }
}

#[test]
fn the_user_says_the_game() {
    let text = "XXXXX\nOOOO.\n.....\n.....\n.....\n";
    let plan = Plan {
        game: game::by_name("gomoku"),
        ..plan()
    };
    let mut met = 0;
    label(&plan, text.as_bytes(), &mut |label| {
        met += 1;
        let judged = label.judgement.as_ref().expect("it was judged");
        assert_eq!((judged.game, judged.size), ("gomoku", (5, 5)));
        assert_eq!(judged.outcome, Some(Outcome::Win(Side::First)));
    });
    assert_eq!(met, 1);
}

/// Final boards in four styles: the stones are those of the games, and the
/// winner is what it was.
#[test]
fn the_reference_archive() {
    let Some(folder) = reference("kinrow/archives") else {
        return;
    };
    let text = fs::read(folder.join("textboard/final_boards.txt")).unwrap();
    let truth = fs::read_to_string(folder.join("truth.jsonl")).unwrap();
    let mut truth = truth
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|line| line["path"] == "archives/textboard/final_boards.txt");
    let mut met = 0;
    label(&plan(), &text, &mut |label| {
        met += 1;
        let truth = truth.next().expect("no more than these");
        let judged = label.judgement.as_ref().expect("it was judged");
        let side = truth["size"].as_u64().unwrap() as usize;
        assert_eq!(usize::from(judged.size.0), side);
        let mut board = vec![0; side * side];
        for (ply, point) in truth["moves"].as_str().unwrap().split(' ').enumerate() {
            let column = usize::from(point.as_bytes()[0] - b'a');
            let row = side - point[1..].parse::<usize>().unwrap();
            board[row * side + column] = if ply % 2 == 0 { 1 } else { -1 };
        }
        assert_eq!(judged.board.as_ref(), Some(&board), "{}", label.origin);
        assert_eq!(judged.rules, truth["rule"].as_str().unwrap());
        let winner = match truth["winner"].as_str().unwrap() {
            "black" => Outcome::Win(Side::First),
            "white" => Outcome::Win(Side::Second),
            _ => Outcome::Draw,
        };
        let said = kifu::label::claim(&label.recorded).outcome;
        assert_eq!(said, Some(winner), "{}", label.origin);
        if truth["end"] == "five" {
            assert_eq!(judged.outcome, Some(winner), "{}", label.origin);
        }
        assert_eq!(label.all_warnings().count(), 0, "{}", label.origin);
    });
    assert_eq!(met, 200);
}
