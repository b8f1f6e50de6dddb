//! Boards typed or piped in.

use crate::common::run::{Folder, RESIGNED, column};

/// Black is ahead by 25 points on the board.
const BLACK: &str = ".X.X.\nXXXXX\n.....\n..X..\n.....\n";

/// White is one point ahead on the board.
const SETTLED: &str = ".XO..\nXXOO.\n.XXO.\n..XO.\n.XOO.\n";

#[test]
fn a_typed_board_is_one_row() {
    let folder = Folder::new();
    for (board, flags, winner, margin) in [
        (
            SETTLED.to_owned(),
            "--komi 3.75zi --rules chinese",
            "white",
            "8.5",
        ),
        (
            SETTLED.to_owned(),
            "--komi -5.5 --rules chinese",
            "black",
            "4.5",
        ),
        (
            format!("{SETTLED}-5.5\n"),
            "--rules chinese",
            "black",
            "4.5",
        ),
        (BLACK.to_owned(), "--rules chinese", "black", "17.5"),
        // Without a line end, as before an early end of input.
        (
            SETTLED.trim_end().to_owned(),
            "--komi 0 --game go",
            "white",
            "1",
        ),
    ] {
        let said = folder
            .feed(&format!("label - {flags}"), board.as_str())
            .done();
        let rows = said.rows();
        assert_eq!(rows.len(), 1, "{board}");
        for (name, value) in [
            ("origin", "-"),
            ("format", "board"),
            ("winner", winner),
            ("margin", margin),
        ] {
            assert_eq!(rows[0][name], value, "{name} of {board} {flags}");
        }
    }
}

#[test]
fn a_size_parts_boards() {
    let folder = Folder::with(&[("a.txt", &SETTLED.repeat(3))]);
    let text = SETTLED.repeat(3);
    for size in ["5", "5x5"] {
        let said = folder
            .feed(&format!("label - --size {size}"), text.as_str())
            .done();
        assert_eq!(said.origins(), ["-", "-#2", "-#3"]);
        let said = folder.run(&format!("label a.txt --size {size}")).done();
        assert_eq!(said.origins(), ["a.txt", "a.txt#2", "a.txt#3"]);
        let list = folder.run(&format!("list a.txt --size {size}")).done().out;
        assert!(list.contains("a.txt#3\tboard\tcontent\tgo\t60\t"), "{list}");
        let said = folder.feed(&format!("explain -#3 --size {size}"), text.as_str());
        assert!(said.done().out.contains("record     -#3  (byte 60)"));
    }
    let said = folder.run("label a.txt --size 5x99");
    assert_eq!(said.status, 2);
    assert!(
        said.err.contains("cannot read the size \"5x99\""),
        "{}",
        said.err
    );
}

#[test]
fn boards_lie_in_folders_too() {
    let folder = Folder::with(&[
        ("a/1.sgf", RESIGNED),
        ("a/2.txt", &format!("{SETTLED}\n{BLACK}")),
        ("a/3.board", SETTLED),
        ("a/4.board", "12\n21\n"),
        ("a/5.txt", "a text\n"),
    ]);
    let said = folder.run("label a").done();
    let origins = [
        "a/1.sgf",
        "a/2.txt",
        "a/2.txt#2",
        "a/3.board",
        "a/4.board",
        "a/5.txt",
    ];
    assert_eq!(said.origins(), origins);
    let formats = ["sgf", "board", "board", "board", "board", ""];
    assert_eq!(column(&said.rows(), "format"), formats);
}

/// What a record says of itself is in its row.
#[test]
fn a_row_shows_what_is_said() {
    let folder = Folder::new();
    let text =
        format!("id: 17\nrules: chinese\nkomi: 3.75zi\nresult: W+1\nmood: calm\n\n{SETTLED}");
    let rows = folder.feed("label -", text).done().rows();
    for (name, value) in [
        ("record_id", "17"),
        ("komi", "7.5"),
        ("komi_from", "scaled"),
        ("recorded", "W+1"),
        ("status", "margin_differs"),
        ("warnings", "unknown_key=mood@+47;komi_rescaled=3.75zi"),
    ] {
        assert_eq!(rows[0][name], value, "{name}");
    }
}

#[test]
fn a_damaged_board_is_a_broken_row() {
    let folder = Folder::new();
    for (text, kind) in [
        ("komi: 5\nXO.\nX.\n", "ragged_board"),
        ("XO.\nXOB\n", "mixed_signs"),
        ("size: 9\nXO.\nXO.\n", "bad_size"),
    ] {
        folder.write("a.board", text);
        let rows = folder.run("label a.board").done().rows();
        assert_eq!(column(&rows, "error_kind"), [kind], "{text}");
        assert_eq!(column(&rows, "status"), ["broken"], "{text}");
    }
    let rows = folder
        .feed("label -", "game: checkers\nXO\nOX\n")
        .done()
        .rows();
    assert_eq!(column(&rows, "status"), ["skipped"]);
    assert_eq!(column(&rows, "error_kind"), ["not_a_game"]);
}

/// One record is explained, and the others are not passed over in silence.
#[test]
fn the_first_of_several_boards_is_explained() {
    let folder = Folder::new();
    let two = format!("{SETTLED}\n{BLACK}");
    let said = folder.feed("explain -", two.as_str()).done();
    assert!(said.out.contains("record     -  (byte 0)"), "{}", said.out);
    assert_eq!(
        said.err,
        "1 more record follows: ask for '-#2' to see the next\n"
    );
    for line in [
        "explain -#2",
        "explain -#2 --komi 0",
        "explain --komi 0 -#2",
        "explain -- -#2",
    ] {
        let said = folder.feed(line, two.as_str()).done();
        assert!(
            said.out.contains("record     -#2  (byte 31)"),
            "{line}: {}",
            said.out
        );
        assert_eq!(said.err, "", "{line}");
    }
    let said = folder.feed("explain -#3", two.as_str());
    assert_eq!(said.err, "kifu: - has 2 records, so there is no #3\n");
    let said = folder.feed("explain -#2", SETTLED);
    assert_eq!(said.err, "kifu: - has 1 record, so there is no #2\n");
    folder.write("all.board", format!("{SETTLED}\n{two}"));
    let said = folder.run("explain all.board").done();
    assert_eq!(
        said.err,
        "2 more records follow: ask for 'all.board#2' to see the next\n"
    );
}

/// Flags behind an origin are still flags.
#[test]
fn a_flag_is_no_origin() {
    let said = Folder::new().feed("explain -#1 --rulse x", SETTLED);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("--rulse"), "{}", said.err);
    assert!(said.err.contains("--rules"), "{}", said.err);
}

#[test]
fn a_folder_is_no_origin() {
    let folder = Folder::with(&[("a/b/1.board", SETTLED), ("a/README", "x")]);
    folder.write("empty/README", "x");
    for (line, expected) in [
        (
            "explain a",
            "kifu: a is a folder; name one record, such as 'a/b/1.board' (kifu list a shows all)\n",
        ),
        (
            "explain b --root a",
            "kifu: b is a folder; name one record, such as 'b/1.board' (kifu list b shows all)\n",
        ),
        (
            "explain empty",
            "kifu: empty is a folder; name one record (kifu list empty shows all)\n",
        ),
    ] {
        let said = folder.run(line);
        assert_eq!((said.status, said.err.as_str()), (2, expected), "{line}");
    }
}

/// Every stone is in the table, in a group or dead; without `-v` only what is
/// dead or unclear is told.
#[test]
fn the_fate_of_every_group_is_told() {
    // Two white stones inside, and a wall between the sides.
    let text = "..X.XO.\nXXXXXO.\n..X.XO.\n.OX.XOO\n.O.XXO.\nXXXX.OO\n..X.XO.\n";
    let folder = Folder::new();
    let said = folder.feed("explain - -v --komi 0", text).done();
    let table: Vec<Vec<&str>> = said
        .out
        .lines()
        .skip_while(|line| !line.starts_with("group "))
        .take_while(|line| !line.starts_with("together"))
        .map(|line| line.split_whitespace().collect())
        .collect();
    let stones: Vec<usize> = table[1..]
        .iter()
        .map(|row| row[2].parse().unwrap())
        .collect();
    assert_eq!(stones.iter().sum::<usize>(), 18 + 2 + 10, "{}", said.out);
    let white = table.iter().find(|row| row[1] == "B4").unwrap();
    assert_eq!(
        white[2..],
        ["2", "0", "0", "dead", "unconditional"],
        "{}",
        said.out
    );
    let plain = folder.feed("explain - --komi 0", text).done().out;
    assert!(
        plain.contains("dead: white B4 (2 stones, unconditional)"),
        "{plain}"
    );
    assert!(!plain.contains("group "), "{plain}");
}

/// The corner and the group around it have one eye each and share a liberty
/// that neither can take.
#[test]
fn a_seki_is_told_from_life() {
    let text = "XX.O.OX..\n.XOOOOX..\nXXOXXXX..\nOOOX.....\nXXXX.....\nXXXXXXXXX\nOOOOOOOOO\n\
                .........\n.........\n";
    let out = Folder::new().feed("explain - -v", text).done().out;
    let fate = |group: &str| {
        let row = out.lines().find(|line| line.starts_with(group));
        row.and_then(|row| row.split("playouts").next()?.split_whitespace().last())
    };
    for (group, expected) in [
        ("black A9 ", "seki"),
        ("white D9 ", "seki"),
        ("black G9 ", "alive"),
        ("white A3 ", "alive"),
    ] {
        assert_eq!(fate(group), Some(expected), "{group}: {out}");
    }
}

/// A board that never ends is one row and takes no memory; the next one is read.
#[test]
fn a_board_above_the_limit_is_one_row() {
    let folder = Folder::new();
    let rows = ". X O .\n".repeat(400_000);
    let line = ". X O . ".repeat(400_000);
    for (long, end) in [
        (&rows, "\n"),
        (&rows, "===\n"),
        (&rows, "---\n"),
        (&line, "\n\n"),
        (&line, " \r\n\r\n"),
        (&rows, ""),
    ] {
        let next = if end.is_empty() { "" } else { ".X\nXO\n" };
        let text = format!("{long}{end}{next}");
        let said = folder.feed("label - --max-record 1M --input-format board", text);
        let rows = said.done().rows();
        let errors: Vec<&str> = rows.iter().map(|row| &*row["error_kind"]).collect();
        let wanted = ["record_too_large", ""];
        assert_eq!(
            errors,
            wanted[..1 + usize::from(!end.is_empty())],
            "{end:?}"
        );
        if !end.is_empty() {
            assert_eq!(rows[1]["size"], "2", "{end:?}");
        }
    }
}

/// Nobody agrees on a position that no game of Go leads to, such as the end of
/// a game of noughts and crosses, nor on a board where hardly anything stands.
#[test]
fn a_position_that_cannot_be_is_not_sure() {
    let folder = Folder::new();
    for board in [
        "X O X\nO X O\nO X X\n",
        "size: 9\n........X\n.........\n.........\n.........\n.........\n.........\n.........\n.........\n.........\n",
    ] {
        let rows = folder.feed("label -", board).done().rows();
        assert_eq!(rows[0]["confidence"], "0.000", "{board}");
        assert_eq!(rows[0]["value"], "", "nothing to train on");
    }
}
