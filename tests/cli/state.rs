//! Runs with --state: what is kept, what is labelled again, what is refused.

use std::{
    fs::{self, File},
    time::{Duration, SystemTime},
};

use serde_json::Value;

use crate::common::{
    pack,
    run::{AGREES, Folder, ILLEGAL, MARGIN_DIFFERS, RESIGNED, WINNER_DIFFERS, sample},
};

const FIRST: &str = "label games -o out.csv --state state --dead none";

/// Files of every kind that a walk gives: small, streamed, packed, broken, no record.
fn archive() -> Folder {
    let folder = Folder::with(&[
        ("games/0.sgf", ILLEGAL),
        ("games/1.sgf", RESIGNED),
        ("games/b/notes.txt", "no record"),
    ]);
    for (name, source) in [
        ("games/2.sgf", AGREES),
        ("games/b/3.sgf", WINNER_DIFFERS),
        ("games/c.sgf", MARGIN_DIFFERS),
    ] {
        folder.write(name, sample(source));
    }
    // So long that it is cut into windows.
    let remark = "x".repeat(100_000);
    let record = |number| format!("(;GM[1]SZ[9]RE[B+R]GN[{number}]C[{remark}];B[ee];W[cc])\n");
    let large: String = (0..50).map(record).collect();
    folder.write("games/large.sgf", large);
    let members = [
        ("1.sgf", RESIGNED.as_bytes()),
        ("2.sgf", ILLEGAL.as_bytes()),
    ];
    folder.write("games/packed.zip", pack::zip(&members.map(Into::into)));
    settle(&folder);
    folder
}

/// Makes files old enough, so that runs need not wait for their times to settle.
fn settle(folder: &Folder) {
    let mut folders = vec![folder.path("games")];
    while let Some(path) = folders.pop() {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                set_time(&path, 1_000_000_000);
            }
        }
    }
}

fn set_time(path: &std::path::Path, seconds: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(time).unwrap();
}

/// Rows that were kept, of all.
fn kept(folder: &Folder) -> (u64, u64) {
    let run: Value = serde_json::from_slice(&folder.read("out.run.json")).unwrap();
    (run["kept"].as_u64().unwrap(), run["rows"].as_u64().unwrap())
}

/// Compares with a run from nothing.
#[track_caller]
fn assert_same_as_from_nothing(folder: &Folder, context: &str) {
    folder.run("label games -o new.csv --dead none").done();
    for ending in ["csv", "mismatches.csv", "rejects.csv", "summary.json"] {
        let [out, new] = ["out", "new"].map(|stem| folder.text(&format!("{stem}.{ending}")));
        assert_eq!(out, new, "{context}: {ending}");
    }
    for ending in [
        "csv",
        "mismatches.csv",
        "rejects.csv",
        "summary.json",
        "run.json",
    ] {
        fs::remove_file(folder.path(format!("new.{ending}"))).unwrap();
    }
}

#[test]
fn what_has_not_changed_is_kept() {
    let folder = archive();
    folder.run(FIRST).done();
    assert_same_as_from_nothing(&folder, "first");
    let (none, rows) = kept(&folder);
    assert_eq!((none, rows), (0, 58));
    for jobs in [1, 3] {
        let said = folder.run(&format!("{FIRST} -j {jobs}")).done();
        assert_eq!(kept(&folder), (rows, rows), "{jobs} jobs");
        assert!(
            said.err.contains("58  of them kept from earlier runs"),
            "{}",
            said.err
        );
        assert_same_as_from_nothing(&folder, "again");
    }
    assert_eq!(
        folder.names(),
        [
            "games",
            "out.csv",
            "out.mismatches.csv",
            "out.rejects.csv",
            "out.run.json",
            "out.summary.json",
            "state"
        ]
    );
}

#[test]
fn what_is_new_or_changed_is_labelled() {
    let folder = archive();
    folder.run(FIRST).done();
    let write = |name: &str, text: &str| {
        folder.write(name, text);
        set_time(&folder.path(name), 1_000_000_000);
    };
    type Change<'c> = (&'c str, &'c dyn Fn(), u64);
    let changes: [Change<'_>; 9] = [
        ("a file is new", &|| write("games/1a.sgf", RESIGNED), 1),
        ("a folder is new", &|| write("games/a/1.sgf", RESIGNED), 1),
        ("another size", &|| write("games/0.sgf", RESIGNED), 1),
        // The times say nothing here, but that they were set does.
        (
            "the same size and time",
            &|| write("games/0.sgf", &RESIGNED.replace("[ee]", "[dd]")),
            1,
        ),
        (
            "an earlier time, the same bytes",
            &|| set_time(&folder.path("games/1.sgf"), 5),
            0,
        ),
        (
            "a file is gone",
            &|| fs::remove_file(folder.path("games/c.sgf")).unwrap(),
            0,
        ),
        (
            "a folder is gone",
            &|| fs::remove_dir_all(folder.path("games/b")).unwrap(),
            0,
        ),
        (
            "a member is new",
            &|| {
                let members = [("9.sgf", RESIGNED.as_bytes())];
                folder.write("games/packed.zip", pack::zip(&members.map(Into::into)));
            },
            1,
        ),
        (
            "a collection has grown",
            &|| {
                let grown = [folder.read("games/large.sgf"), RESIGNED.into()].concat();
                folder.write("games/large.sgf", grown);
            },
            51,
        ),
    ];
    for (what, change, labelled) in changes {
        change();
        folder.run(FIRST).done();
        let (kept, rows) = kept(&folder);
        assert_eq!(rows - kept, labelled, "{what}");
        assert_same_as_from_nothing(&folder, what);
    }
}

#[test]
fn an_index_that_comes_later_is_read() {
    let dump = "1\tx\n";
    let folder = Folder::with(&[("games/kifu.txt", dump), ("games/1.sgf", RESIGNED)]);
    folder.run(FIRST).done();
    folder.write("games/index.txt", "1\tanother\n");
    settle(&folder);
    folder.run(FIRST).done();
    // What lies beside the dump is part of what its rows depend on.
    assert_eq!(kept(&folder).0, 1, "only the other file is kept");
    assert_same_as_from_nothing(&folder, "index");
}

/// A run that is killed leaves whole lines in its journal, perhaps a piece of one,
/// and rows that no line tells of.
#[test]
fn a_killed_run_goes_on() {
    let folder = archive();
    folder.run(FIRST).done();
    let whole = folder.text("state/journal.jsonl");
    let rows = folder.read("state/0001.rows");
    // The first line came at once, or the run had not begun.
    let ends: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at + 1).collect();
    assert!(ends.len() > 7, "too few steps to tell: {whole}");
    for end in ends {
        for torn in [0, 1, 25] {
            let journal = &whole[..(end + torn).min(whole.len())];
            fs::remove_dir_all(folder.path("state")).unwrap();
            folder.write("state/journal.jsonl", journal);
            folder.write("state/0001.rows", &rows);
            folder.write("state/0007.rows", "rows of a run that was killed at once");
            folder.run(FIRST).done();
            let whole_lines = journal[..journal.rfind('\n').unwrap() + 1].lines();
            let mut records = whole_lines.filter_map(|line| {
                let line: Value = serde_json::from_str(line).unwrap();
                line["rows"]["records"].as_u64()
            });
            assert_eq!(
                kept(&folder).0,
                records.next_back().unwrap_or(0),
                "{journal}"
            );
            assert_same_as_from_nothing(&folder, journal);
        }
    }
}

#[test]
fn a_journal_cut_at_any_byte_loses_one_step() {
    let folder = Folder::with(&[("games/0.sgf", ILLEGAL), ("games/1.sgf", RESIGNED)]);
    settle(&folder);
    folder.run(FIRST).done();
    let whole = folder.read("state/journal.jsonl");
    let rows = folder.read("state/0001.rows");
    let header = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for length in (header..whole.len()).step_by(7) {
        fs::remove_dir_all(folder.path("state")).unwrap();
        folder.write("state/journal.jsonl", &whole[..length]);
        folder.write("state/0001.rows", &rows);
        folder.run(FIRST).done();
        assert_same_as_from_nothing(&folder, &format!("{length} bytes"));
    }
}

#[test]
fn damaged_rows_are_labelled_again() {
    let folder = archive();
    folder.run(FIRST).done();
    let rows = folder.read("state/0001.rows");
    for place in [0, 9, 40, rows.len() / 2, rows.len() - 1] {
        let mut damaged = rows.clone();
        damaged[place] ^= 0x20;
        folder.write("state/0001.rows", damaged);
        let said = folder.run(FIRST).done();
        assert!(
            said.err.contains("0001.rows is damaged"),
            "{place}: {}",
            said.err
        );
        assert_same_as_from_nothing(&folder, "damaged");
        folder.run(&format!("{FIRST} --restart")).done();
    }
    fs::remove_file(folder.path("state/0001.rows")).unwrap();
    folder.run(FIRST).done();
    assert_same_as_from_nothing(&folder, "rows are gone");
}

#[test]
fn many_nights_leave_few_files() {
    let folder = Folder::with(&[("games/0.sgf", ILLEGAL)]);
    for night in 0..20 {
        folder.write(format!("games/{night}.sgf"), RESIGNED);
        settle(&folder);
        folder.run(FIRST).done();
        let (kept, rows) = kept(&folder);
        assert_eq!(rows - kept, 1, "night {night}");
    }
    assert_same_as_from_nothing(&folder, "after all nights");
    let files = fs::read_dir(folder.path("state")).unwrap().count();
    assert!(files <= 11, "{files} files");
}

#[test]
fn rows_of_other_settings_are_never_mixed() {
    let folder = Folder::with(&[("games/0.sgf", RESIGNED)]);
    folder.run(FIRST).done();
    for (line, words) in [
        (
            format!("{FIRST} --rules chinese"),
            "rules: was not set, is chinese",
        ),
        (
            format!("{FIRST} --with board"),
            "with: was not set, is board",
        ),
        (
            format!("{FIRST} -o also.jsonl"),
            "outputs: was csv:rows csv:mismatches csv:rejects, is",
        ),
        (format!("{FIRST} --hidden"), "hidden: was not set, is true"),
        (
            FIRST.replace("games", "./games"),
            "PATH: was games, is ./games",
        ),
        (
            FIRST.replace("label", "audit"),
            "fail_on: was not set, is broken",
        ),
    ] {
        let said = folder.run(&line);
        assert_eq!(said.status, 2, "{line}: {}", said.err);
        assert!(said.err.contains(words), "{line}: {}", said.err);
        assert!(said.err.contains("--restart"), "{line}: {}", said.err);
    }
    let other = folder.text("state/journal.jsonl").replace("0.1.0", "0.0.9");
    folder.write("state/journal.jsonl", other);
    let said = folder.run(FIRST);
    assert!(
        said.err
            .contains("the version of kifu: was 0.0.9, is 0.1.0"),
        "{}",
        said.err
    );
    folder
        .run(&format!("{FIRST} --rules chinese --restart"))
        .done();
    assert_eq!(kept(&folder), (0, 1));
    // Another name of an output is no other setting.
    folder
        .run(&format!("{FIRST} --rules chinese").replace("out.", "else."))
        .done();
}

#[test]
fn one_run_at_a_time() {
    let folder = Folder::with(&[("games/0.sgf", RESIGNED)]);
    folder.run(FIRST).done();
    let lock = File::options()
        .write(true)
        .open(folder.path("state/lock"))
        .unwrap();
    lock.try_lock().unwrap();
    let said = folder.run(FIRST);
    assert_eq!(said.status, 2);
    assert!(
        said.err
            .contains("another run uses the state in state (process "),
        "{}",
        said.err
    );
    drop(lock);
    folder.run(FIRST).done();
}

#[test]
fn what_is_no_state_is_left_alone() {
    let folder = Folder::with(&[("games/0.sgf", RESIGNED), ("papers/thesis.tex", "x")]);
    for (state, words) in [
        (
            "papers",
            "papers is no state of kifu, or a damaged one, as it holds thesis.tex",
        ),
        (
            "games/0.sgf",
            "games/0.sgf is a file: --state takes a folder",
        ),
    ] {
        let said = folder.run(&FIRST.replace("--state state", &format!("--state {state}")));
        assert_eq!(said.status, 2, "{state}");
        assert!(said.err.contains(words), "{state}: {}", said.err);
        assert_eq!(folder.names(), ["games", "papers"], "{state}");
    }
    // Names alone make no state.
    for (name, text) in [
        ("state/2024.rows", "hi"),
        ("state/journal.jsonl", "hi\n"),
        (
            "state/journal.jsonl",
            "{\"rows\":{\"segment\":1,\"bytes\":9,\"files\":1,\"records\":1}}\n",
        ),
    ] {
        folder.write(name, text);
        for flags in ["", " --restart"] {
            let said = folder.run(&format!("{FIRST}{flags}"));
            assert_eq!(said.status, 2, "{text}");
            assert!(
                said.err.contains("state is no state of kifu"),
                "{}",
                said.err
            );
            assert_eq!(folder.text(name), text);
        }
        fs::remove_dir_all(folder.path("state")).unwrap();
    }
}

#[test]
fn nothing_else_is_written_into_a_state() {
    let folder = Folder::with(&[("games/0.sgf", RESIGNED)]);
    fs::create_dir(folder.path("state")).unwrap();
    for name in ["out.csv", "journal.jsonl"] {
        let said = folder.run(&format!("label games -o state/{name} --state state"));
        assert_eq!(said.status, 2, "{name}");
        let words = "lies in the folder of --state";
        assert!(said.err.contains(words), "{name}: {}", said.err);
    }
    folder.run(FIRST).done();
}

/// What a killed run was writing has its own kind of name; nothing else that the
/// journal may name is removed.
#[test]
fn what_a_killed_run_was_writing_is_removed() {
    let folder = Folder::with(&[("games/0.sgf", RESIGNED)]);
    folder.run(FIRST).done();
    let names = ["out.csv.12-345.tmp", "thesis.tex", "thesis.tmp"];
    for name in names {
        folder.write(name, "x");
    }
    let paths = names.map(|name| folder.path(name));
    let line = serde_json::json!({ "writing": paths });
    let journal = format!("{}{line}\n", folder.text("state/journal.jsonl"));
    folder.write("state/journal.jsonl", journal);
    // Not by a run that is refused.
    assert_eq!(folder.run(&format!("{FIRST} --rules chinese")).status, 2);
    assert!(names.iter().all(|name| folder.path(name).exists()));
    folder.run(FIRST).done();
    let left = names.map(|name| folder.path(name).exists());
    assert_eq!(left, [false, true, true]);
}

/// With the same sizes and times only the files themselves tell them apart.
#[cfg(unix)]
#[test]
fn files_that_change_places_are_labelled_again() {
    let folder = Folder::new();
    for (name, result) in [("a", "B+R"), ("b", "W+R")] {
        folder.write(
            format!("games/{name}/1.sgf"),
            format!("(;GM[1]SZ[9]RE[{result}];B[ee])"),
        );
    }
    settle(&folder);
    folder.run(FIRST).done();
    for (from, to) in [("a", "t"), ("b", "a"), ("t", "b")] {
        let path = |name| folder.path(format!("games/{name}"));
        fs::rename(path(from), path(to)).unwrap();
    }
    folder.run(FIRST).done();
    assert_same_as_from_nothing(&folder, "changed places");
}

#[test]
fn a_state_inside_the_archive_is_not_read() {
    let folder = Folder::with(&[("games/0.sgf", RESIGNED)]);
    let line = FIRST.replace("--state state", "--state games/state --hidden");
    for _ in 0..2 {
        folder.run(&line).done();
        assert_eq!(folder.rows("out.csv").len(), 1);
    }
}

#[test]
fn what_needs_everything_at_once_is_refused() {
    let folder = Folder::with(&[("games/0.sgf", RESIGNED)]);
    for (flags, words) in [
        (
            "--with duplicate_of",
            "--with duplicate_of looks at all records together",
        ),
        ("--with split", "--with split looks at all records together"),
        ("--duplicates", "cannot be used with"),
        ("--limit 1", "cannot be used with"),
        ("--sample 1", "cannot be used with"),
    ] {
        let said = folder.run(&format!("{FIRST} {flags}"));
        assert_eq!(said.status, 2, "{flags}");
        assert!(said.err.contains(words), "{flags}: {}", said.err);
    }
    let said = folder.feed("label - --state state", RESIGNED);
    assert!(
        said.err.contains("standard input cannot be read again"),
        "{}",
        said.err
    );
    let said = folder.run("label games --state state");
    assert!(
        said.err.contains("standard output cannot be"),
        "{}",
        said.err
    );
    let said = folder.run("label games --restart");
    assert_eq!(said.status, 2, "--restart needs --state");
}

#[test]
fn an_audit_finds_the_same_and_baselines_may_change() {
    let folder = archive();
    let line = "audit games --state state --dead none --quiet";
    let first = folder.run(line);
    assert_eq!(first.status, 1);
    assert!(first.out.lines().count() > 2, "{}", first.out);
    let again = folder.run(line);
    assert_eq!((again.status, &again.out), (1, &first.out));
    folder
        .run("label games -o known.csv --dead none --quiet")
        .done();
    let known = folder.run(&format!("{line} --baseline known.csv"));
    assert_eq!((known.status, known.out.as_str()), (0, ""));
    folder.write("games/new.sgf", ILLEGAL);
    settle(&folder);
    let new = folder.run(&format!("{line} --baseline known.csv"));
    assert_eq!(new.status, 1);
    assert_eq!(new.out.lines().count(), 1, "{}", new.out);
    assert!(new.out.contains("games/new.sgf"), "{}", new.out);
}

#[test]
fn gzip_and_parquet_are_the_same_too() {
    let folder = archive();
    let endings = match cfg!(feature = "parquet") {
        true => vec!["csv.gz", "jsonl.zst", "parquet"],
        false => vec!["csv.gz", "jsonl.zst"],
    };
    for ending in endings {
        let line = format!("label games -o out.{ending} --dead none --quiet --with board");
        folder.run(&line).done();
        let whole = folder.read(&format!("out.{ending}"));
        for _ in 0..2 {
            folder.run(&format!("{line} --state state-{ending}")).done();
            assert!(folder.read(&format!("out.{ending}")) == whole, "{ending}");
        }
    }
}
