//! What is refused, and how that is said: exit status 2, before any work.

use crate::common::run::{Folder, RESIGNED};

/// Commands that cannot be run, and what is said of them.
const REFUSED: &[(&str, &str)] = &[
    // What clap refuses.
    (
        "label games --ruls chinese",
        "a similar argument exists: '--rules'",
    ),
    ("lable games", "a similar subcommand exists: 'label'"),
    (
        "label games --jobs many",
        "invalid value 'many' for '--jobs <N>'",
    ),
    (
        "label games --judge some",
        "[possible values: counted, all]",
    ),
    ("label games -0", "--files-from <FILE>"),
    ("explain", "<ORIGIN>"),
    (
        "label games --jobs 100000",
        "100000 is too many for --jobs: at most",
    ),
    // Paths.
    (
        "label",
        "no PATH given: name files or folders, or - for standard input",
    ),
    (
        "label nosuch -o rows.csv",
        "cannot read nosuch: No such file or directory (os error 2); is the path spelled right?",
    ),
    ("label games nosuch -o rows.csv", "cannot read nosuch"),
    ("audit nosuch", "is the path spelled right?"),
    ("list nosuch", "is the path spelled right?"),
    (
        "label games --files-from nosuch",
        "cannot read the list nosuch",
    ),
    ("label - --files-from -", "standard input cannot be both"),
    ("label games --glob {", "cannot read the pattern \"{\""),
    // Settings.
    (
        "label games --game chess",
        "unknown game 'chess'; known are go",
    ),
    ("label games --rules chines", "did you mean `chinese`?"),
    (
        "label games --default-rules japanes",
        "did you mean `japanese`?",
    ),
    (
        "label games --komi much",
        "cannot read the komi \"much\": write points (7.5) or zi (3.75zi)",
    ),
    (
        "label games --dead guess",
        "unknown way to find dead stones 'guess'; known are none, marked, playout, auto",
    ),
    (
        "label games --convention stones",
        "unknown convention 'stones'; known are area",
    ),
    (
        "label games --tolerance little",
        "cannot read the tolerance \"little\": write points",
    ),
    (
        "label games --tolerance=-1",
        "cannot read the tolerance \"-1\"",
    ),
    (
        "label games --config nosuch.toml",
        "cannot read the configuration nosuch.toml",
    ),
    ("audit games --fail-on brokn", "did you mean 'broken'?"),
    (
        "audit games --baseline nosuch.csv",
        "cannot read the baseline nosuch.csv",
    ),
    (
        "audit games --baseline games/7.sgf",
        "it has no columns origin and status",
    ),
    // Outputs.
    (
        "label games --with bord",
        "unknown column group 'bord' in --with; known are ownership, board",
    ),
    (
        "label games --output-format xml",
        "unknown output format 'xml'; known are csv, jsonl",
    ),
    (
        "label games -o nosuch/rows.csv",
        "cannot write nosuch/rows.csv: No such file or directory",
    ),
    (
        "label games -o rows.csv --mismatches nosuch/m.csv",
        "cannot write nosuch/m.csv",
    ),
    (
        "label games -o rows.csv --summary nosuch/s.json",
        "cannot write nosuch/s.json",
    ),
    ("label games -o games", "cannot write games: Is a directory"),
    // A slip of the hand must not cost a record.
    (
        "label games/7.sgf -o games/7.sgf",
        "will not write over games/7.sgf: that is a record",
    ),
    (
        "label games -o games/2005.tar.gz",
        "will not write games/2005.tar.gz: that is the name of an archive",
    ),
    (
        "label games --mismatches games/7.sgf -o rows.csv",
        "will not write over games/7.sgf: that is a record",
    ),
    (
        "label games -o rows.csv --rejects rows.csv",
        "rows.csv cannot be written twice",
    ),
    // Records.
    (
        "explain nosuch.sgf",
        "cannot explain nosuch.sgf: cannot be read: No such file or directory",
    ),
    (
        "explain games",
        "games is a folder; name one record, such as 'games/7.sgf'",
    ),
    (
        "explain games/7.sgf#2",
        "games/7.sgf has 1 record, so there is no #2",
    ),
    (
        "explain games/7.sgf#0",
        "cannot read the origin 'games/7.sgf#0': write path, path#index or path!member#index",
    ),
    (
        "explain games/7.sgf#last",
        "write path, path#index or path!member#index, as rows do",
    ),
];

#[test]
fn what_cannot_be_run_is_refused_and_leaves_nothing_behind() {
    let folder = Folder::with(&[("games/7.sgf", RESIGNED)]);
    for (line, message) in REFUSED {
        let said = folder.run(line);
        assert_eq!(said.status, 2, "{line}: {}", said.err);
        assert!(said.err.contains(message), "{line}: {}", said.err);
        assert_eq!(said.out, "", "{line}");
        assert_eq!(folder.names(), ["games"], "{line}");
    }
}

#[test]
fn our_own_messages_are_one_line_and_say_whose_they_are() {
    let folder = Folder::with(&[("games/7.sgf", RESIGNED)]);
    for (line, _) in REFUSED {
        let err = folder.run(line).err;
        if !err.starts_with("error: ") {
            assert!(err.starts_with("kifu: "), "{line}: {err}");
            assert_eq!(err.lines().count(), 1, "{line}: {err}");
        }
    }
}

#[test]
fn without_a_command_the_help_is_shown() {
    let said = Folder::new().run("");
    assert_eq!(said.status, 2);
    assert!(said.err.contains("Usage: kifu <COMMAND>"), "{}", said.err);
}

#[test]
fn the_version_is_told() {
    let said = Folder::new().run("--version").done();
    assert_eq!(said.out, format!("kifu {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn an_empty_folder_is_done_with_a_note() {
    let folder = Folder::with(&[("games/.hidden.sgf", RESIGNED), ("empty.txt", "")]);
    for (line, place) in [
        ("label games", "games"),
        ("label games -o rows.csv", "games"),
        ("audit games", "games"),
        ("label --files-from empty.txt", "empty.txt"),
    ] {
        let said = folder.run(line).done();
        let note = format!("kifu: no files found in {place};");
        assert!(said.err.starts_with(&note), "{line}: {}", said.err);
        assert!(said.err.contains("--hidden"), "{line}: {}", said.err);
    }
    assert!(folder.rows("rows.csv").is_empty());
}

/// A user who asks for no rows is not told that there are no files.
#[test]
fn no_rows_are_not_no_files() {
    let folder = Folder::with(&[("games/7.sgf", RESIGNED)]);
    for line in ["label games --limit 0", "label games --sample 0"] {
        let said = folder.run(line).done();
        assert!(said.rows().is_empty(), "{line}");
        assert!(!said.err.contains("no files found"), "{line}: {}", said.err);
    }
}

#[test]
fn quiet_is_quiet() {
    let folder = Folder::with(&[("games/7.sgf", RESIGNED)]);
    for line in [
        "label games -q -o rows.csv",
        "audit games -q",
        "list games -q",
    ] {
        assert_eq!(folder.run(line).done().err, "", "{line}");
    }
}
