//! Boards of xiangqi as text.

use std::fmt::Write;

use kifu::{
    format::{self, Chosen, Context, Format, Piece, Reading, SplitState},
    game::xiangqi::{Position, Square, fen},
    outcome::Side,
    record::Arena,
};
use proptest::{collection::vec, prelude::*, sample::select};

fn board() -> &'static dyn Format {
    format::by_name("xiangqi-board").expect("it is a format")
}

fn chosen(name: &str, text: &str) -> Option<&'static str> {
    format::choose(name.as_ref(), text.as_bytes()).map(|(format, _)| format.name())
}

/// The pieces of some bytes, in windows that grow by some bytes.
fn pieces(bytes: &[u8], step: usize) -> Vec<Piece> {
    let mut state = SplitState::default();
    let mut all = Vec::new();
    let (mut from, mut to) = (0, 0);
    while from < bytes.len() {
        to = bytes.len().min(to + step);
        let eof = to == bytes.len();
        let window = &bytes[from..to];
        let consumed = board().split(&mut state, window, eof, &Context::default(), &mut |piece| {
            all.push(Piece {
                start: from + piece.start,
                end: from + piece.end,
                ..piece
            });
        });
        assert!(!eof || consumed == window.len());
        from += consumed;
    }
    all
}

/// Every record of some bytes: position, result, warnings and error.
fn read(bytes: &[u8]) -> Vec<String> {
    let whole = pieces(bytes, bytes.len().max(1));
    for step in [1, 7, 40] {
        assert_eq!(pieces(bytes, step), whole, "windows of {step}");
    }
    let mut all = Vec::new();
    for piece in whole {
        let (arena, context) = (Arena::default(), Context::default());
        let part = &bytes[piece.start..piece.end];
        let (record, word) = match board().read(part, piece, &context, &arena) {
            Reading::Game(record) => (record, String::new()),
            Reading::NotAGame(record, _) => (record, " skipped".to_owned()),
            Reading::Broken(record, error) => (record, format!(" {}", error.kind)),
        };
        let setup = record.setup.map_or("-".into(), |setup| record.text(setup));
        let result = record.result.map_or("-".into(), |raw| record.text(raw));
        let warnings: Vec<&str> = record.warnings.iter().map(|warning| warning.word).collect();
        all.push(format!("{setup} {result} {}{word}", warnings.join(",")));
    }
    all
}

/// The only record of a text.
fn one(text: &str) -> String {
    let mut all = read(text.as_bytes());
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    all.remove(0)
}

const MATED: &str = "\
R..k.....
..R......
.........
.........
.........
.........
.........
.........
.........
....K....
";
const MATED_FEN: &str = "R2k5/2R6/9/9/9/9/9/9/9/4K4";

#[test]
fn ways_to_draw_one_position() {
    let rows: Vec<&str> = MATED.lines().collect();
    let spaced = |row: &str| {
        row.chars()
            .map(|sign| format!("{sign} "))
            .collect::<String>()
    };
    let numbered = |from: usize| -> String {
        let rows = rows.iter().enumerate();
        rows.map(|(at, row)| format!("{:>2} {}{}\n", from + 9 - at, spaced(row), from + 9 - at))
            .collect()
    };
    let river = |line: &str| {
        format!(
            "{}{line}\n{}",
            rows[..5].join("\n") + "\n",
            rows[5..].join("\n")
        )
    };
    let upside_down: String = rows
        .iter()
        .rev()
        .map(|row| row.chars().rev().collect::<String>() + "\n")
        .collect();
    let chinese = MATED
        .replace('R', "俥")
        .replace('k', "將")
        .replace('K', "帥");
    for text in [
        MATED.to_owned(),
        MATED.trim_end().to_owned(),
        MATED.replace('\n', "\r\n"),
        format!("\u{feff}{MATED}"),
        rows.iter().map(|row| spaced(row) + "\n").collect(),
        rows.iter()
            .map(|row| format!("| {} |\n", spaced(row).trim_end().replace(' ', " | ")))
            .collect(),
        numbered(0),
        format!("  a b c d e f g h i\n{}  a b c d e f g h i\n", numbered(1)),
        format!("+-----------+\n{MATED}+-----------+\n"),
        format!("┌─────────┐\n{MATED}└─────────┘\n"),
        format!("１２３４５６７８９\n{MATED}九八七六五四三二一\n"),
        river("楚河    漢界"),
        river("  ====  楚 河 汉 界  ===="),
        river("---------"),
        river("- - - - - - - - -"),
        river("=================="),
        river("~~~ river ~~~"),
        river(""),
        river("\n楚河漢界\n"),
        MATED.replace('.', "·"),
        MATED.replace('.', "+"),
        MATED.replace('.', "＋"),
        MATED.replace('.', "．"),
        MATED.replace('.', "*"),
        MATED
            .replace(".........", "- - - - - - - - -")
            .replace('.', "-"),
        MATED.replace('.', "┼"),
        MATED
            .replace('.', "－")
            .replace('R', "Ｒ")
            .replace('k', "ｋ"),
        chinese.clone(),
        chinese.replace('俥', "車") + "俥傌 red 馬卒 black\n車 red\n",
        chinese.replace('將', "将").replace('帥', "帅"),
        // Seen from Black's side.
        upside_down.clone(),
        format!("ihgfedcba\n{upside_down}"),
    ] {
        assert_eq!(one(&text).trim_end(), format!("{MATED_FEN} -"), "{text}");
        assert_eq!(chosen("board.txt", &text), Some("xiangqi-board"), "{text}");
        assert_eq!(chosen("a.board", &text), Some("xiangqi-board"), "{text}");
    }
    // Names of files the other way round: its mirror image.
    let mirrored = one(&format!("ihgfedcba\n{MATED}"));
    assert_eq!(mirrored, "5k2R/6R2/9/9/9/9/9/9/9/4K4 - ");
    for encoding in [encoding_rs::GB18030, encoding_rs::BIG5] {
        let text = chinese.replace('俥', "車") + "\n車 red\n";
        let (bytes, _, failed) = encoding.encode(&text);
        assert!(!failed);
        assert_eq!(
            read(&bytes),
            [format!("{MATED_FEN} - ")],
            "{}",
            encoding.name()
        );
    }
}

#[test]
fn what_is_said_around_a_board() {
    for (before, after, expected) in [
        ("to move: black\n", "", "b - "),
        ("to move: red\n\n", "", "w - "),
        ("Black to move\n", "", "b - "),
        ("红先\n", "", "w - "),
        ("", "黑方先行。\n", "b - "),
        ("", "\nblack is mated\n", "b - "),
        ("", "\nresult: 1-0\n", "1-0 "),
        ("", "1-0\n", "1-0 "),
        ("", "\n\n红胜\n", "红胜 "),
        ("result: 0-1\n", "result: 1-0\n", "0-1 conflicting_result"),
        ("# RE=1-0 TE=mate\n", "", "1-0 "),
        (
            "game: xiangqi\nid: 7\nred: A\nblack: B\nrules: axf\n",
            "",
            "- ",
        ),
        ("to move: green\n", "", "- odd_turn"),
        ("to move: red\n", "black to move\n", "w - odd_turn"),
        ("colour: green\n", "", "- unknown_key"),
        ("", "a remark\n", "- stray_text"),
        ("game: go\n", "", "- -  skipped"),
    ] {
        let found = one(&format!("{before}{MATED}{after}"));
        let rest = found.strip_prefix(MATED_FEN).unwrap_or(&found).trim_start();
        assert_eq!(rest, expected, "{before} {after}");
    }
}

#[test]
fn several_boards() {
    let first = format!("{MATED_FEN} - ");
    let half: String = MATED
        .lines()
        .take(5)
        .map(|row| format!("{row}\n"))
        .collect();
    for (text, expected) in [
        (format!("{MATED}{MATED}"), vec!["", ""]),
        (format!("{MATED}\n\n{MATED}"), vec!["", ""]),
        (format!("{MATED}---\n{MATED}===\n"), vec!["", ""]),
        (
            format!("{MATED}1-0\n\nto move: black\n\n{MATED}0-1\n"),
            vec!["1-0", "b 0-1"],
        ),
        (format!("{MATED}\n1-0\n\n{MATED}"), vec!["1-0", ""]),
        (
            format!("{MATED}\nto move: black\n===\n{MATED}"),
            vec!["b -", ""],
        ),
        (format!("{half}\n{half}{MATED}"), vec!["9/9 -", ""]),
        // A board that lacks rows hides no other.
        (format!("{half}\n{MATED}"), vec!["bad_size", ""]),
        (
            format!("{half}---\n{MATED}\n{MATED}"),
            vec!["bad_size", "", ""],
        ),
        (format!("R..k.....\n\n{MATED}"), vec!["bad_size", ""]),
        (format!("R..k.....\n---\n{MATED}"), vec!["bad_size", ""]),
    ] {
        let found = read(text.as_bytes());
        assert_eq!(found.len(), expected.len(), "{text} {found:?}");
        for (found, expected) in found.iter().zip(expected) {
            match expected {
                "" => assert_eq!(*found, first, "{text}"),
                said => assert!(found.trim_end().ends_with(said), "{text} {found}"),
            }
        }
    }
}

#[test]
fn damaged_boards() {
    for (text, kind, part) in [
        (
            MATED.replace("....K....", "....K..."),
            "ragged_board",
            "line 10 of the record has 8 points",
        ),
        (MATED.replacen(".........\n", "", 1), "bad_size", "9 rows"),
        (
            MATED.replacen(".........\n", ".........\n.........\n", 1),
            "bad_size",
            "1 rows",
        ),
        (
            MATED.replacen(".........", "....?....", 1),
            "bad_sign",
            "line 3 of the record, column 5: \"?\"",
        ),
        (
            MATED
                .replace('R', "車")
                .replace('k', "將")
                .replace('K', "帥"),
            "unclear_side",
            "line 1 of the record, column 1: 車",
        ),
        (MATED.replace('R', "炮"), "unclear_side", "炮"),
        ("game: xiangqi\n".to_owned(), "no_board", "ten rows"),
    ] {
        let bytes = text.as_bytes();
        let last = *pieces(bytes, bytes.len()).last().unwrap();
        let (arena, context) = (Arena::default(), Context::default());
        match board().read(&bytes[last.start..last.end], last, &context, &arena) {
            Reading::Broken(_, error) => {
                assert_eq!(error.kind, kind, "{text}");
                assert!(error.message.contains(part), "{}", error.message);
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn what_is_no_board_of_xiangqi() {
    let of = |signs: &str| {
        let mut rows = String::new();
        for at in 0..90 {
            rows.push(if at % 7 == 3 {
                signs.chars().nth(at % 2).unwrap()
            } else {
                '.'
            });
            if at % 9 == 8 {
                rows.push('\n');
            }
        }
        rows
    };
    for signs in ["XO", "xo", "BW", "bw", "#O", "@O", "●○", "bb", ".."] {
        assert_eq!(chosen("board.txt", &of(signs)), Some("board"), "{signs}");
    }
    for text in [
        "CHEAPENER\n".repeat(10),
        "a remark\n".to_owned() + MATED,
        MATED.lines().take(6).collect::<Vec<_>>().join("\n"),
        "rnbakabnr/9/1c5c1\n".to_owned(),
    ] {
        assert_ne!(chosen("board.txt", &text), Some("xiangqi-board"), "{text}");
    }
    assert_eq!(
        format::choose("board.txt".as_ref(), MATED.as_bytes()).map(|(_, by)| by),
        Some(Chosen::Content)
    );
}

/// A position drawn with letters and with Chinese signs.
fn drawn(position: &Position, chinese: bool) -> String {
    let mut text = String::new();
    for row in 0..10 {
        for file in 0..9 {
            let letter = position.piece(Square::at(file, row).unwrap()).letter();
            let letter = letter.map_or('.', char::from);
            let place = "KABNRCPkabnrcp".find(letter);
            let sign = place.and_then(|at| "帥仕相傌俥炮兵將士象馬車砲卒".chars().nth(at));
            text.push(sign.filter(|_| chinese).unwrap_or(letter));
        }
        text.push('\n');
    }
    let side = match position.turn() {
        Side::First => "red",
        Side::Second => "black",
    };
    let _ = writeln!(text, "{side} to move");
    if chinese {
        text += "帥仕相傌俥炮兵 red 將士象馬車砲卒 black\n";
    }
    text
}

proptest! {
    /// Whatever is played, the board that is drawn is the board that is read.
    #[test]
    fn positions_are_read_as_they_are_drawn(choices in vec(any::<u8>(), 0..120), chinese: bool) {
        let mut position = fen::read(fen::START).unwrap();
        for choice in choices {
            let legal = position.legal();
            let Some(it) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
            position.make(*it);
        }
        let found = one(&drawn(&position, chinese));
        let expected = match fen::write(&position).as_str() {
            fen::START => "-".to_owned(),
            other => other.to_owned(),
        };
        prop_assert_eq!(found, format!("{expected} - "));
    }

    #[test]
    fn any_lines(lines in vec(select(vec![
        ".........", "R..k.....", "....K....", "", "---", "===", "1-0", "to move: red", "text",
        "a b c d e f g h i", "- - - - - - - - -", "楚河漢界", "車馬炮..將士.", "game: xiangqi",
    ]), 0..40)) {
        let text = lines.join("\n");
        let rows = text.lines().filter(|line| line.len() > 8 && line.contains('.')).count();
        let found = read(text.as_bytes());
        prop_assert!(found.len() <= lines.len() + 1);
        prop_assert!(rows == 0 || !found.is_empty());
        let _ = chosen("a.txt", &text);
    }

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..400)) {
        read(&bytes);
        let _ = format::choose("a".as_ref(), &bytes);
    }
}
