//! `kifu explain`: every row can be asked about by its origin.

use std::{ffi::OsString, path::Path};

use crate::common::run::{Folder, ILLEGAL, RESIGNED, Said};

fn explain(folder: &Folder, origin: &str) -> Said {
    Said::of(folder.kifu().args(["explain", origin]).output().unwrap())
}

/// Names with everything that origins escape.
fn odd_names() -> Vec<OsString> {
    let mut names: Vec<OsString> = [
        "100%.sgf",
        "%41.sgf",
        "A.sgf",
        "a#2.sgf",
        "a!b.sgf",
        " blank .sgf",
        "-dash.sgf",
        "q\"q,.sgf",
        "黑 白.sgf",
        "right\u{202e}left.sgf",
    ]
    .map(OsString::from)
    .into();
    #[cfg(unix)]
    {
        names.extend(
            [
                "line\nend.sgf",
                "tab\t.sgf",
                "back\\slash.sgf",
                "#2",
                "x.sgf",
                "x.sgf#2",
            ]
            .map(OsString::from),
        );
    }
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStringExt;
        names.push(OsString::from_vec(b"\xba\xda\xe9.sgf".to_vec()));
    }
    names
}

#[test]
fn every_origin_leads_back_to_its_record() {
    let folder = Folder::new();
    let names = odd_names();
    for (place, name) in names.iter().enumerate() {
        // Two records each, told apart by the length of the second.
        let second = RESIGNED.replace(";B", &format!("C[{}];B", "x".repeat(place)));
        folder.write(Path::new("games").join(name), format!("{RESIGNED}{second}"));
    }
    let rows = folder.run("label games").done().rows();
    assert_eq!(rows.len(), 2 * names.len());
    for row in &rows {
        let origin = &row["origin"];
        assert!(!origin.contains(|c: char| c.is_control()), "{origin:?}");
        let said = explain(&folder, origin).done();
        let record = format!("record     {origin}  (byte {})", row["offset"]);
        assert!(said.out.contains(&record), "{origin}: {}", said.out);
    }
}

/// A name typed by hand need not be escaped, as long as it means one file.
#[test]
fn a_path_is_an_origin() {
    for (name, shown) in [
        ("a#2.sgf", "a%232.sgf"),
        ("100%.sgf", "100%25.sgf"),
        ("%41.sgf", "%2541.sgf"),
        ("a!b", "a%21b"),
    ] {
        let folder = Folder::with(&[(name, RESIGNED)]);
        let said = explain(&folder, name).done();
        assert!(
            said.out.contains(&format!("record     {shown}  ")),
            "{}",
            said.out
        );
    }
}

#[test]
fn several_records_are_explained_in_turn() {
    let folder = Folder::with(&[("7.sgf", &format!("{RESIGNED}{ILLEGAL}"))]);
    let out = folder.run("explain 7.sgf#2 7.sgf").done().out;
    let records: Vec<&str> = out
        .lines()
        .filter(|line| line.starts_with("record "))
        .collect();
    assert_eq!(
        records,
        [
            "record     7.sgf#2  (byte 33)",
            "record     7.sgf  (byte 0)"
        ]
    );
}

/// Flags mean what they mean to `label`.
#[test]
fn the_rules_can_be_tried() {
    let folder = Folder::with(&[("7.sgf", RESIGNED)]);
    let out = folder
        .run("explain 7.sgf --rules chinese --komi 3.75zi")
        .done()
        .out;
    assert!(
        out.contains("rules      chinese (from flag)   komi 7.5 (from flag)"),
        "{out}"
    );
}

#[test]
fn standard_input_can_be_explained() {
    let folder = Folder::new();
    for origin in ["-- -#2", "-"] {
        let out = folder
            .feed(&format!("explain {origin}"), format!("{RESIGNED}{ILLEGAL}"))
            .done()
            .out;
        assert!(
            out.contains(&format!(
                "record     {}  ",
                origin.trim_start_matches("-- ")
            )),
            "{out}"
        );
    }
}

#[test]
fn a_broken_record_is_shown_as_far_as_it_goes() {
    let folder = Folder::with(&[("7.sgf", ILLEGAL)]);
    let out = folder.run("explain 7.sgf").done().out;
    assert!(
        out.contains("play       1 of 2 moves replayed, ended: illegal"),
        "{out}"
    );
    assert!(
        out.contains("error      occupied: move 2 (\"ee\")"),
        "{out}"
    );
}

/// What cannot be explained, and where nothing can be written: one sentence, and
/// no file.
#[test]
fn what_cannot_be_done_is_said_in_a_sentence() {
    let folder = Folder::with(&[
        ("7.sgf", RESIGNED),
        ("two/8.sgf", RESIGNED),
        ("image.bin", ""),
    ]);
    folder.write("image.bin", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0".as_slice());
    for (line, expected) in [
        ("explain gone.sgf", "cannot explain gone.sgf"),
        ("explain 7.sgf#2", "7.sgf has 1 record, so there is no #2"),
        ("explain two", "two is a folder; name one record"),
        ("explain image.bin", "cannot explain image.bin"),
        (
            "explain 7.sgf --sgf no/such/x.sgf",
            "cannot write no/such/x.sgf",
        ),
        (
            "explain 7.sgf --svg no/such/x.svg",
            "cannot write no/such/x.svg",
        ),
        (
            "explain 7.sgf --svg two",
            "--svg two is a folder: name a file",
        ),
        ("explain 7.sgf --sgf 7.sgf", "--sgf 7.sgf is what is read"),
        (
            "explain 7.sgf --svg ./two/../7.sgf",
            "--svg ./two/../7.sgf is what is read",
        ),
        (
            "explain two/8.sgf 7.sgf#1 --sgf 7.sgf",
            "--sgf 7.sgf is what is read",
        ),
        (
            "explain 7.sgf --sgf - --svg -",
            "--sgf and --svg cannot both write",
        ),
        (
            "explain 7.sgf --sgf x --svg x",
            "--sgf and --svg name one file: x",
        ),
        (
            "explain 7.sgf two/8.sgf --svg x.svg",
            "--svg draws one record",
        ),
    ] {
        let said = folder.run(line);
        assert_eq!(said.status, 2, "{line}: {}", said.err);
        let sentence = format!("kifu: {expected}");
        assert!(said.err.starts_with(&sentence), "{line}: {}", said.err);
        assert_eq!(said.err.lines().count(), 1, "{line}: {}", said.err);
        assert_eq!(said.out, "", "{line}");
    }
    assert_eq!(folder.text("7.sgf"), RESIGNED);
    assert_eq!(folder.names(), ["7.sgf", "image.bin", "two"]);
}

/// Colours are for terminals, and for those who ask.
#[test]
fn colours_come_where_they_are_wanted() {
    let folder = Folder::with(&[("7.sgf", RESIGNED)]);
    let plain = folder.run("explain 7.sgf").done().out;
    assert!(!plain.contains('\x1b'), "{plain}");
    assert_eq!(folder.run("explain 7.sgf --color never").done().out, plain);
    let colored = folder.run("explain 7.sgf --color always").done().out;
    assert!(
        colored.contains('\x1b') && colored.contains('●'),
        "{colored}"
    );
    let letters = folder
        .run("explain 7.sgf --color always --ascii")
        .done()
        .out;
    assert!(letters.is_ascii(), "{letters}");
    // Without its colours it is the plain text again.
    let mut bare = String::new();
    for (place, part) in letters.split("\x1b[").enumerate() {
        let text = if place == 0 {
            Some(part)
        } else {
            part.split_once('m').map(|it| it.1)
        };
        bare += text.unwrap();
    }
    let trimmed = |text: &str| {
        text.lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(trimmed(&bare), trimmed(&plain));
}

#[test]
fn ascii_is_ascii_whatever_the_record_holds() {
    for origin in [
        "data/archive/xiangqi/pgn/traditional_big5.pgn",
        "data/archive/go/dirty/sina_style.sgf",
    ] {
        let said = crate::common::run::run(&format!("explain {origin} --ascii --quiet"));
        assert!(said.done().out.is_ascii(), "{origin}");
    }
}

/// Signs of xiangqi are for terminals; texts of the record stay what they are.
#[test]
fn boards_are_ascii_but_on_terminals() {
    let origin = "data/archive/xiangqi/pgn/traditional_big5.pgn";
    let board = |more: &str| {
        let said = crate::common::run::run(&format!("explain {origin} {more}"));
        let rows = said.done().out;
        rows.lines().take(12).collect::<Vec<_>>().join("\n")
    };
    let piped = board("");
    assert!(piped.is_ascii(), "{piped}");
    assert_eq!(board("--ascii"), piped);
    assert_eq!(board("--color never"), piped);
    let signs = board("--color always");
    assert!(signs.contains('帥') && signs.contains('將'), "{signs}");
}

/// Where letters are pieces, moves are told from them.
#[test]
fn candidates_are_marked_in_letters_too() {
    let origin = "data/archive/xiangqi/boards/chinese.txt#2";
    let said = crate::common::run::run(&format!("explain {origin} --candidates=2"));
    let said = said.done().out;
    let (board, list) = said.split_once("\n\n").unwrap();
    // The only way out of check, for one.
    assert!(list.contains("\ncandidate a "), "{said}");
    assert!(board.contains("k  a)"), "{said}");
}

/// A warning says where it is in its record and in the file.
#[test]
fn warnings_have_their_byte_in_the_file() {
    let odd = "(;GM[1]SZ[9]]RE[B+R];B[ee])";
    let folder = Folder::with(&[("two.sgf", &format!("{RESIGNED}{odd}"))]);
    let at = odd.find("]]").unwrap() + 1;
    let in_file = RESIGNED.len() + at;
    let said = folder.run("explain two.sgf#2").done();
    let line = format!("warning    unescaped_bracket@+{at}  (byte {in_file} of the file)\n");
    assert!(said.out.contains(&line), "{line}: {}", said.out);
    assert_eq!(folder.text("two.sgf").as_bytes()[in_file], b']');
}

/// With an output on standard output, nothing else is there.
#[test]
fn standard_output_holds_one_thing() {
    let folder = Folder::with(&[("7.sgf", RESIGNED), ("8.sgf", RESIGNED)]);
    let said = folder.run("explain 7.sgf 8.sgf --sgf - --svg 8.svg");
    assert_eq!(said.status, 2);
    let sgf = folder.run("explain 7.sgf 8.sgf --sgf -").done().out;
    assert_eq!(sgf.matches("(;FF[4]").count(), 2, "{sgf}");
    let svg = folder
        .run("explain 7.sgf --svg - --sgf 7.annotated.sgf")
        .done()
        .out;
    assert!(
        svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
    assert!(folder.text("7.annotated.sgf").starts_with("(;FF[4]"));
}
