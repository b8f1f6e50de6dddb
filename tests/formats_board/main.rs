//! Boards as text: what is drawn is what is judged.
#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;
mod kinrow;
mod suite;
mod xiangqi;

use std::{fmt::Write, fs};

use common::plan;
use kifu::{
    format::{self, Chosen, Context, Format, Piece, Reading, SplitState},
    game::Judgement,
    label::Label,
    outcome::{From, Points, Side},
    pipeline::{Cut, Labeller, Plan, RecordFile},
    record::{Arena, ReadError, Record, StepKind},
};

fn board() -> &'static dyn Format {
    format::by_name("board").expect("board is a format")
}

/// The pieces of a text.
fn split(text: &[u8], context: &Context) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let consumed = board().split(
        &mut SplitState::default(),
        text,
        true,
        context,
        &mut |piece| pieces.push(piece),
    );
    assert_eq!(consumed, text.len(), "everything is consumed at the end");
    pieces
}

/// The texts of the records of a text.
fn records<'t>(text: &'t str, context: &Context) -> Vec<&'t str> {
    let pieces = split(text.as_bytes(), context);
    pieces
        .iter()
        .map(|piece| &text[piece.start..piece.end])
        .collect()
}

/// Labels every board of a text.
fn label(plan: &Plan, text: &[u8], each: &mut dyn FnMut(&Label<'_>)) {
    let mut labeller = Labeller::new(plan);
    let file = RecordFile::new("test.board", board(), plan);
    for (piece, index) in split(text, &plan.context).into_iter().zip(1..) {
        let cut = Cut {
            file: &file,
            window: text,
            piece,
            index,
            before: 0,
        };
        labeller.label(cut, &mut |label, _| each(label));
    }
}

/// What the rules say of the only board in a text.
#[track_caller]
fn judge(plan: &Plan, text: &str) -> Judgement {
    let mut judged = Vec::new();
    label(plan, text.as_bytes(), &mut |label| {
        assert_eq!(label.error, None, "{text}");
        judged.push(label.judgement.clone().expect("it was judged"));
    });
    assert_eq!(judged.len(), 1, "one board: {text}");
    judged.remove(0)
}

/// Winner and margin: `black+3.5`.
#[track_caller]
fn says(text: &str) -> String {
    let judged = judge(&plan(), text);
    match judged.margin.map(Points::in_quarters) {
        None => "nothing".to_owned(),
        Some(0) => "draw".to_owned(),
        Some(1..) => format!("black+{}", judged.margin.unwrap()),
        Some(_) => format!("white+{}", judged.margin.unwrap().abs()),
    }
}

/// Reads the only board of a text, and hands over what came of it.
#[track_caller]
fn read<T>(text: &[u8], context: &Context, take: impl FnOnce(Reading<'_>) -> T) -> T {
    let pieces = split(text, context);
    assert_eq!(pieces.len(), 1, "{}", String::from_utf8_lossy(text));
    let piece = pieces[0];
    let arena = Arena::default();
    take(board().read(&text[piece.start..piece.end], piece, context, &arena))
}

/// The only record of a text, which can be used.
#[track_caller]
fn record<T>(text: &str, take: impl FnOnce(&Record<'_>) -> T) -> T {
    read(
        text.as_bytes(),
        &Context::default(),
        |reading| match reading {
            Reading::Game(record) => take(&record),
            Reading::NotAGame(_, what) => panic!("{what}: {text}"),
            Reading::Broken(_, error) => panic!("{error:?}: {text}"),
        },
    )
}

/// Why the only record of a text cannot be used.
#[track_caller]
fn refused(text: &str) -> ReadError {
    read(
        text.as_bytes(),
        &Context::default(),
        |reading| match reading {
            Reading::Broken(_, error) => error,
            _ => panic!("it can be used: {text}"),
        },
    )
}

/// The stones of a record as rows of `X`, `O` and `.`.
fn drawn(record: &Record<'_>) -> Vec<String> {
    let (columns, rows) = record.size.expect("a size");
    let mut grid = vec![vec!['.'; usize::from(columns)]; usize::from(rows)];
    let place = |byte: u8| match byte {
        b'a'..=b'z' => usize::from(byte - b'a'),
        _ => usize::from(byte - b'A') + 26,
    };
    for step in &record.steps {
        let (StepKind::Place(side), [column, row]) = (step.kind, step.token) else {
            continue;
        };
        grid[place(*row)][place(*column)] = if side == Side::First { 'X' } else { 'O' };
    }
    grid.into_iter()
        .map(|row| row.into_iter().collect())
        .collect()
}

/// Warnings of a record.
fn warnings(text: &str) -> Vec<String> {
    record(text, |record| {
        record.warnings.iter().map(ToString::to_string).collect()
    })
}

/// Counted by hand: Black has 7 stones and surrounds 5 points, White 7 stones
/// and 6 points. These are all 25 points, so White is one point ahead.
const SETTLED: [&str; 5] = [".XO..", "XXOO.", ".XXO.", "..XO.", ".XOO."];

#[test]
fn the_bare_board_is_enough() {
    for (komi, winner) in [
        ("0", "white+1"),
        ("-5.5", "black+4.5"),
        ("7.5", "white+8.5"),
        ("6,5", "white+7.5"),
        ("3.75zi", "white+8.5"),
        ("3.75 zi", "white+8.5"),
        ("3又3/4子", "white+8.5"),
        ("3.75子", "white+8.5"),
        ("7.5 points", "white+8.5"),
    ] {
        let rows = SETTLED.join("\n");
        for text in [
            format!("{rows}\n{komi}\nrules: chinese\n"),
            format!("RULES = Chinese\n{rows}\n\n{komi}"),
            format!("rules: chinese\nkomi: {komi}\n\n{rows}\n"),
        ] {
            assert_eq!(says(&text), winner, "{text}");
        }
    }
}

/// Where the komi comes from stands in the row.
#[test]
fn a_komi_in_zi_is_scaled() {
    for (komi, from) in [
        ("7.5", From::Record),
        ("3.75zi", From::Scaled),
        ("4子", From::Scaled),
    ] {
        let judged = judge(&plan(), &format!("{}\n{komi}\n", SETTLED.join("\n")));
        assert_eq!(judged.komi_from, from, "{komi}");
    }
}

/// The same position in every way of writing it down.
#[test]
fn one_board_in_many_hands() {
    let expected = SETTLED.map(str::to_owned).to_vec();
    for text in [
        ".XO..\nXXOO.\n.XXO.\n..XO.\n.XOO.",
        "_xo__\nxxoo_\n_xxo_\n__xo_\n_xoo_",
        ". B W . .\nB B W W .\n. B B W .\n. . B W .\n. B W W .",
        "  .bw..\r\n  bbww.\r\n  .bbw.\r\n  ..bw.\r\n  .bww.\r\n",
        "\u{feff}. # O . .\n# # O O .\n. # # O .\n. . # O .\n. # O O .\n",
        ".@O..\n@@OO.\n.@@O.\n..@O.\n.@OO.\n",
        "·●○··\n●●○○·\n·●●○·\n··●○·\n·●○○·\n",
        "┌●○┬┐\n●●○○┤\n├●●○┤\n├┼●○┤\n└●○○┘\n",
        "┌─────┐\n│·●○··│\n│●●○○·│\n│·●●○·│\n│··●○·│\n│·●○○·│\n└─────┘",
        "+X O + +\nX X O O *\n+ X X O ,\n- - X O .\n_ X O O .",
        "-XO--\nXXOO-\n-XXO-\n--XO-\n-XOO-\n",
        "0 1 2 0 0\n1 1 2 2 0\n0 1 1 2 0\n0 0 1 2 0\n0 1 2 2 0",
        "01200\n11220\n01120\n00120\n01220\n",
        ".12..\n1122.\n.112.\n..12.\n.122.",
        "   A B C D E\n 5 . X O . .  5\n 4 X X O O .  4\n 3 . X X O .  3\n 2 . . X O .  2\n 1 . X O O .  1\n   A B C D E\n",
        "\tabcde\n1\t.XO..\n2\tXXOO.\n3\t.XXO.\n4\t..XO.\n5\t.XOO.\n",
        " 12345\n5.XO..\n4XXOO.\n3.XXO.\n2..XO.\n1.XOO.\n",
        "  0 1 2 3 4\n0 0 1 2 0 0\n1 1 1 2 2 0\n2 0 1 1 2 0\n3 0 0 1 2 0\n4 0 1 2 2 0",
        "+---------+\n|. X O . .|\n|X X O O .|\n|. X(X)O .|\n|. . X O .|\n|. X O O .|\n+---------+\n",
        "  +-----------+\n5 | . X O . . |\n4 | X X O O . |\n3 | . X X O . |\n2 | . . X O . |\n1 | . X O O . |\n  +-----------+",
        "=\n   A B C D E\n 5 . X O . . 5\n 4 X X O O . 4     WHITE (O) has captured 0 stones\n 3 . X X O . 3     BLACK (X) has captured 0 stones\n 2 . . X O . 2\n 1 . X O O . 1\n   A B C D E\n",
    ] {
        assert_eq!(record(text, drawn), expected, "{text}");
        assert_eq!(warnings(text), [""; 0], "{text}");
    }
}

/// Chinese consoles write the same signs in their own encoding.
#[test]
fn boards_in_gbk() {
    let text = "规则：中国\n┌●○┬┐\n●●○○┤\n├●●○┤\n├┼●○┤\n└●○○┘\n3又3/4子\n";
    let (bytes, _, _) = encoding_rs::GBK.encode(text);
    read(&bytes, &Context::default(), |reading| {
        let Reading::Game(record) = reading else {
            panic!("{reading:?}");
        };
        assert_eq!(drawn(&record), SETTLED);
        assert_eq!(record.text(record.komi.unwrap()), "3又3/4子");
    });
}

/// Where each stone was read is kept.
#[test]
fn stones_know_their_place() {
    let text = "komi: 5\n 2 . X\n 1 O .\n";
    record(text, |record| {
        let at: Vec<&str> = record
            .steps
            .iter()
            .map(|step| &text[step.at as usize..=step.at as usize])
            .collect();
        assert_eq!(at, ["X", "O"]);
        let tokens: Vec<&[u8]> = record.steps.iter().map(|step| step.token).collect();
        assert_eq!(tokens, [b"ba", b"ab"]);
    });
}

#[test]
fn what_is_said_around_a_board_is_kept() {
    let text = "Game: Go\nID = 17\nsize: 3x2\nrules: Chinese rules\nHandicap: 4\nTo Move: White\n\n\
                XO.\n.O.\n\nresult: B+3.5\nPrisoners: white 5, black 3\nKomi: 0.5\n";
    record(text, |record| {
        assert_eq!(record.game, Some("go"));
        assert_eq!(record.id, Some(&b"17"[..]));
        assert_eq!(record.size, Some((3, 2)));
        assert_eq!(record.rules, Some(&b"Chinese rules"[..]));
        assert_eq!(record.handicap, Some(&b"4"[..]));
        assert_eq!(record.result, Some(&b"B+3.5"[..]));
        assert_eq!(record.komi, Some(&b"0.5"[..]));
        assert_eq!(record.prisoners, Some([3, 5]));
        let turns: Vec<StepKind> = record.steps.iter().map(|step| step.kind).collect();
        assert_eq!(turns.last(), Some(&StepKind::Turn(Side::Second)));
        assert!(record.warnings.is_empty(), "{:?}", record.warnings);
    });
}

#[test]
fn who_is_to_move() {
    for (word, side) in [
        ("black", Some(Side::First)),
        ("B", Some(Side::First)),
        ("x", Some(Side::First)),
        ("first", Some(Side::First)),
        ("white", Some(Side::Second)),
        ("O", Some(Side::Second)),
        ("second", Some(Side::Second)),
        ("nobody", None),
    ] {
        let text = format!("to_move: {word}\nXO\nOX\n");
        let turn = record(&text, |record| {
            record.steps.iter().find_map(|step| match step.kind {
                StepKind::Turn(side) => Some(side),
                _ => None,
            })
        });
        assert_eq!(turn, side, "{word}");
        assert_eq!(warnings(&text).is_empty(), side.is_some(), "{word}");
    }
}

/// Prisoners are points where territory is counted, and nothing else.
#[test]
fn prisoners_count_under_territory_rules() {
    // On the board: Black 5 points, White 6, komi 0.
    for (said, territory, area) in [
        ("", "white+1", "white+1"),
        ("prisoners: black 3 white 1", "black+1", "white+1"),
        ("prisoners: B=0, W=2", "white+3", "white+1"),
        ("captures: 4 0", "black+3", "white+1"),
        (
            "White (O) has captured 4 pieces\nBlack (X) has captured 1 pieces",
            "white+4",
            "white+1",
        ),
    ] {
        for (rules, expected) in [("japanese", territory), ("chinese", area)] {
            let text = format!("{}\n{said}\nrules: {rules}\nkomi: 0\n", SETTLED.join("\n"));
            assert_eq!(says(&text), expected, "{text}");
        }
    }
}

/// In a position nothing tells handicap stones from others.
#[test]
fn a_written_handicap_is_compensated() {
    let rows = SETTLED.join("\n");
    let text = format!("rules: chinese\nhandicap: 2\nkomi: 0\n{rows}\n");
    assert_eq!(says(&text), "white+3");
    assert_eq!(judge(&plan(), &text).handicap, 2);
}

#[test]
fn what_is_not_understood_is_told() {
    let rows = SETTLED.join("\n");
    for (text, expected) in [
        (
            format!("time limit: 5\n{rows}\n"),
            "unknown_key=time_limit@+0",
        ),
        (format!("Final board\n\n{rows}\n"), "stray_text@+0"),
        (format!("{rows}\nkomi: 5\n6\n"), "duplicate_key=komi@+38"),
        (format!("{rows}\nto move: me\n"), "odd_turn@+30"),
        (format!("{rows}\nprisoners: many\n"), "odd_prisoners@+30"),
        (
            format!("{rows}\nresult: B+1\nresult: W+1\n"),
            "conflicting_result@+42",
        ),
    ] {
        assert_eq!(warnings(&text), [expected], "{text}");
    }
    assert_eq!(warnings(&format!("{rows}\nkomi: 5\n5\n")), [""; 0]);
}

#[test]
fn boards_that_cannot_be_used() {
    for (text, kind, part) in [
        (
            "X.O\nXO\n.X.\n",
            "ragged_board",
            "line 2 of the record has 2 points",
        ),
        (
            "size: 3\nX.O\nXO.\n",
            "bad_size",
            "3 columns and 2 rows, but the record says 3x3",
        ),
        ("size: 60\nX.O\nXO.\n", "bad_size", "\"60\" cannot be used"),
        (
            "X.O\n.B.\n",
            "mixed_signs",
            "line 2 of the record, column 2: \"B\" in a board with \"O\"",
        ),
        (
            "X.#\n.O.\n",
            "mixed_signs",
            "line 1 of the record, column 3: \"#\" in a board with \"X\"",
        ),
        (
            "● X\n. .\n",
            "mixed_signs",
            "line 1 of the record, column 3: \"X\"",
        ),
        (
            "X . 0 .\n. O . .\n",
            "mixed_signs",
            "line 1 of the record, column 5: \"0\"",
        ),
        (
            "1 2 0\n0 3 0\n1 1 0\n",
            "bad_sign",
            "line 2 of the record, column 3: '3'",
        ),
        (
            "X.O.\nX?O.\n.X..\n",
            "bad_sign",
            "line 2 of the record, column 2: \"?\"",
        ),
        (
            "XzO.\nX.O.\n.X..\n",
            "bad_sign",
            "line 1 of the record, column 2: \"z\"",
        ),
        (
            "X.O.\nX.O.\n.Xz.\nkomi: 5\n",
            "bad_sign",
            "line 3 of the record, column 3: \"z\"",
        ),
        (
            "X.O.\nX.O.\nthen\n.X..\n",
            "bad_sign",
            "line 3 of the record, column 1: \"t\"",
        ),
        (
            "komi: 7.5\nrules: chinese\n",
            "no_board",
            "write one row a line",
        ),
    ] {
        let error = refused(text);
        assert_eq!(error.kind, kind, "{text}: {}", error.message);
        assert!(error.message.contains(part), "{text}: {}", error.message);
    }
    let tall = "X.O\n".repeat(53);
    assert_eq!(refused(&tall).kind, "bad_size");
    let wide = format!("{}\n", "X.".repeat(27)).repeat(2);
    assert_eq!(refused(&wide).kind, "bad_size");
    let huge = format!("{}\n", "X.".repeat(100_000)).repeat(2);
    assert!(refused(&huge).message.contains("200000 columns"));
}

#[test]
fn boards_of_any_size() {
    for (columns, rows) in [(1, 1), (1, 5), (5, 1), (13, 9), (2, 52), (52, 52)] {
        let mut text = String::new();
        for row in 0..rows {
            let signs = (0..columns).map(|column| if row == column { 'X' } else { '.' });
            writeln!(text, "{}", signs.collect::<String>()).unwrap();
        }
        record(&text, |record| {
            assert_eq!(record.size, Some((columns, rows)));
        });
    }
}

/// A board without a stone is a record that nobody is sure of.
#[test]
fn an_empty_board() {
    let judged = judge(&plan(), ".....\n.....\n.....\n");
    assert_eq!(judged.size, (5, 3));
    assert_eq!(judged.confidence, Some(0.0));
}

#[test]
fn another_game_is_not_judged_as_go() {
    let text = "game: checkers\nXO\nOX\n";
    read(text.as_bytes(), &Context::default(), |reading| {
        assert!(matches!(reading, Reading::NotAGame(..)), "{reading:?}");
    });
    for word in ["Go", "weiqi", "围棋"] {
        let text = format!("game: {word}\nXO\nOX\n");
        assert_eq!(record(&text, |record| record.game), Some("go"));
    }
    assert_eq!(record("XO\nOX\n", |record| record.game), None);
}

/// Chains that no game can leave on the board are noted.
#[test]
fn stones_without_liberties_are_noted() {
    let noted = |text: &str| {
        let judged = judge(&plan(), text);
        let words: Vec<String> = judged.warnings.iter().map(ToString::to_string).collect();
        words
    };
    assert_eq!(noted(".O.\nOXO\n.O.\n"), ["no_liberty=B2"]);
    assert_eq!(noted("XX\nXX\n"), ["no_liberty=A2"]);
    assert_eq!(noted(".O.\nO.O\n.O.\n"), [""; 0]);
}

/// How texts are cut into records.
#[test]
fn boards_follow_each_other() {
    for (text, expected) in [
        // Blank lines and rules.
        ("XO\nOX\n\nOO\nXX\n", vec!["XO\nOX", "OO\nXX"]),
        ("XO\nOX\n---\nOO\nXX\n===\n", vec!["XO\nOX", "OO\nXX"]),
        ("XO\nOX\n\n\n-----\n\nOO\nXX", vec!["XO\nOX", "OO\nXX"]),
        // Dashes are a row where the rows beside them have points of dashes.
        ("---\nXOX\nO-O\n\n---\n\nXO-", vec!["---\nXOX\nO-O", "XO-"]),
        (
            "--X\n---\nX--\n---\n\n---\nX--\n",
            vec!["--X\n---\nX--\n---", "---\nX--"],
        ),
        // A number belongs to the board above it.
        ("XO\nOX\n7.5\nOO\nXX\n", vec!["XO\nOX\n7.5", "OO\nXX"]),
        (
            "XO\nOX\n\n7\n\nOO\nXX\n\n5",
            vec!["XO\nOX\n\n7", "OO\nXX\n\n5"],
        ),
        (
            "12\n21\n\n10\n\n11\n22\n0\n",
            vec!["12\n21\n\n10", "11\n22\n0"],
        ),
        // Head lines belong to the board below them …
        (
            "komi: 7\n\nXO\nOX\n\nkomi: 5\n\nOO\nXX\n",
            vec!["komi: 7\n\nXO\nOX", "komi: 5\n\nOO\nXX"],
        ),
        (
            "komi: 7\nXO\nOX\nkomi: 5\nOO\nXX\n",
            vec!["komi: 7\nXO\nOX", "komi: 5\nOO\nXX"],
        ),
        // … unless they stand right below another one, or nothing follows.
        (
            "XO\nOX\nkomi: 5\n\nOO\nXX\nkomi: 7\n",
            vec!["XO\nOX\nkomi: 5", "OO\nXX\nkomi: 7"],
        ),
        (
            "XO\nOX\nkomi: 5\nOO\nXX\nkomi: 7\n",
            vec!["XO\nOX\nkomi: 5", "OO\nXX\nkomi: 7"],
        ),
        (
            "XO\nOX\n\nkomi: 5\n---\nOO\nXX\n\nkomi: 7",
            vec!["XO\nOX\n\nkomi: 5", "OO\nXX\n\nkomi: 7"],
        ),
        // Labels as programs print them.
        (
            "AB\nXO\nOX\nAB\nAB\nOO\nXX\nAB\n",
            vec!["AB\nXO\nOX\nAB", "AB\nOO\nXX\nAB"],
        ),
        (
            "AB\nXO\nOX\n\nAB\nOO\nXX\n",
            vec!["AB\nXO\nOX", "AB\nOO\nXX"],
        ),
        // A damaged row does not make two boards.
        ("XO\n?X\nOO\n", vec!["XO\n?X\nOO"]),
        ("", vec![]),
        ("\n---\n\n", vec![]),
    ] {
        assert_eq!(records(text, &Context::default()), expected, "{text}");
    }
}

#[test]
fn a_size_parts_boards() {
    let context = Context {
        size: Some((3, 2)),
        ..Context::default()
    };
    let text = "XO.\nOX.\n.XO\n.OX\n7.5\nXXX\n.O.\n\n---\nXXX\nOO.\n";
    let expected = vec!["XO.\nOX.", ".XO\n.OX\n7.5", "XXX\n.O.", "XXX\nOO."];
    assert_eq!(records(text, &context), expected);
    // What does not fit is damaged.
    let kinds = |text: &str| {
        let mut kinds = Vec::new();
        let plan = Plan {
            context: context.clone(),
            ..plan()
        };
        label(&plan, text.as_bytes(), &mut |label| {
            kinds.push(label.error.as_ref().map(|error| error.kind));
        });
        kinds
    };
    assert_eq!(kinds("XO.\nOX.\nOO.\n"), [None, Some("bad_size")]);
    assert_eq!(kinds("XO.X\nOX.X\n"), [Some("bad_size")]);
}

#[test]
fn only_boards_are_taken_for_boards() {
    let chosen = |name: &str, text: &str| {
        format::choose(name.as_ref(), text.as_bytes()).map(|(format, by)| (format.name(), by))
    };
    let rows = SETTLED.join("\n");
    for text in [
        rows.clone(),
        format!("{rows}\n\n7.5\n"),
        format!("rules: chinese\n\n{rows}\n---\n{rows}"),
        "size: 5x1\nXO.X.\n".to_owned(),
        "komi: 5\n1 2 0\n2 0 1\n".to_owned(),
        "   A B C\n 3 X . O 3\n 2 X . O 2   WHITE (O) has captured 2 stones\n 1 X . O 1\n"
            .to_owned(),
        "...\n...\n...\n".to_owned(),
        format!("{rows}\n\n").repeat(300),
    ] {
        assert_eq!(
            chosen("a.txt", &text),
            Some(("board", Chosen::Content)),
            "{text}"
        );
        assert_eq!(chosen("a.board", &text), Some(("board", Chosen::Extension)));
    }
    for text in [
        "",
        "7.5\n",
        "XO.\n",
        "...\n",
        "* one\n* two\n",
        "- \n- \n",
        "---\n---\n---\n",
        "To be or not to be\nX.O\nO.X\n",
        "1 2 0\n2 0 1\n",
        "1,2,0\n2,0,1\n",
        "x,o,x\no,x,o\n",
        "X.O\nXO\n",
        "a: 1\nb: 2\n",
        "origin,offset\na,0\n",
        "O\nX\n",
    ] {
        assert_eq!(chosen("a.txt", text), None, "{text}");
    }
    for text in ["(;GM[1]SZ[9];B[ee])", "XO\nOX\n(;GM[1]SZ[9];B[ee])"] {
        assert_eq!(chosen("a.txt", text).unwrap().0, "sgf", "{text}");
    }
    assert_eq!(chosen("a.board", "12\n21\n").unwrap().0, "board");
}

/// The samples carry scores counted by hand.
#[test]
fn samples_agree_with_their_results() {
    for (file, boards) in [("9x9", 1), ("several", 4)] {
        let text = fs::read(format!("data/boards/{file}.txt")).unwrap();
        assert_eq!(
            format::choose("a.txt".as_ref(), &text).map(|(format, _)| format.name()),
            Some("board")
        );
        let mut met = 0;
        label(&plan(), &text, &mut |label| {
            met += 1;
            assert_eq!(label.status.word(), "agree", "{} of {file}", label.origin);
            let warnings: Vec<&str> = label.all_warnings().map(|warning| warning.word).collect();
            assert!(
                warnings.iter().all(|word| *word == "komi_rescaled"),
                "{warnings:?}"
            );
        });
        assert_eq!(met, boards, "{file}");
    }
}
