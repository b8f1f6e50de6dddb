//! How a run is carried out: the same rows for any number of threads, parts
//! of the input, and a run that is stopped.

use std::fmt::Write;

use crate::common::run::{Folder, ILLEGAL, RESIGNED, column, sample};

/// An archive that takes every way through the pipeline: more files than one
/// worker takes at once, a file that is cut in windows, judged games, faults.
fn archive() -> Folder {
    let folder = Folder::new();
    for number in 0..600 {
        let text = if number % 50 == 7 { ILLEGAL } else { RESIGNED };
        folder.write(format!("games/a/{number:03}.sgf"), text);
    }
    let talk = "talk ".repeat(2000);
    let mut large = String::new();
    for number in 0..700 {
        write!(large, "(;SZ[9]RE[W+T]C[{number} {talk}];B[ee])").unwrap();
    }
    folder.write("games/b.sgf", large);
    for name in [
        "9x9/001.sgf",
        "9x9/002.sgf",
        "dirty/wrong_result.sgf",
        "dirty/not_sgf.sgf",
        "collection.sgf",
    ] {
        folder.write(format!("games/c/{name}"), sample(name));
    }
    folder.write("games/d.txt", "no game");
    folder
}

/// The files of a run, but for the one with the times.
const FILES: [&str; 4] = ["csv", "mismatches.csv", "rejects.csv", "summary.json"];

#[test]
fn any_number_of_threads_and_any_run_give_the_same_bytes() {
    let folder = archive();
    let with = "--with board,ownership,meta";
    for (name, jobs) in [("one", 1), ("again", 1), ("two", 2), ("five", 5)] {
        let line = format!("label games {with} --jobs {jobs} -o {name}.csv");
        folder.run(&line).done();
        for file in FILES {
            let (expected, found) = (
                folder.read(&format!("one.{file}")),
                folder.read(&format!("{name}.{file}")),
            );
            assert!(found == expected, "{name}.{file}");
        }
    }
    let rows = folder.rows("one.csv");
    assert_eq!(rows.len(), 600 + 700 + 4 + 12 + 1);
    assert_eq!(rows[600]["origin"], "games/b.sgf");
    assert_eq!(rows[1299]["origin"], "games/b.sgf#700");
}

#[test]
fn the_environment_may_set_the_number_of_threads() {
    let folder = Folder::with(&[("7.sgf", RESIGNED)]);
    for (env, flag, expected) in [("3", "", 3), ("3", "--jobs 2", 2)] {
        let mut command = folder.kifu();
        command
            .args(["label", "7.sgf", "-o", "rows.csv"])
            .env("KIFU_JOBS", env);
        command.args(flag.split_whitespace());
        assert!(command.output().unwrap().status.success());
        let run: serde_json::Value = serde_json::from_slice(&folder.read("rows.run.json")).unwrap();
        assert_eq!(run["jobs"], expected);
    }
}

#[test]
fn a_limit_takes_the_first_rows() {
    let folder = archive();
    let all = folder.run("label games").done().origins();
    for limit in [1, 3, 605] {
        for jobs in [1, 2] {
            let line = format!("label games --limit {limit} --jobs {jobs} -o part.csv");
            folder.run(&line).done();
            let rows = folder.rows("part.csv");
            assert_eq!(column(&rows, "origin"), all[..limit], "{line}");
            let summary = folder.text("part.summary.json");
            assert!(
                summary.contains(&format!("\"rows\": {limit},")),
                "{summary}"
            );
            assert!(summary.contains("\"interrupted\": false"), "{summary}");
        }
    }
    // More than there are is all.
    assert_eq!(folder.run("label games --limit 9999").done().origins(), all);
}

#[test]
fn a_sample_is_the_same_for_the_same_seed() {
    let folder = archive();
    let all = folder.run("label games").done().origins();
    let sample = |line: &str| {
        folder
            .run(&format!("label games --sample {line}"))
            .done()
            .out
    };
    let first = sample("40 --jobs 1");
    for line in ["40 --jobs 1", "40 --jobs 2", "40 --seed 1"] {
        assert_eq!(sample(line), first, "{line}");
    }
    assert_ne!(sample("40 --seed 2"), first);
    let chosen = column(&crate::common::run::rows(first.as_bytes()), "origin");
    assert_eq!(chosen.len(), 40);
    let places: Vec<_> = chosen
        .iter()
        .map(|one| all.iter().position(|origin| origin == one))
        .collect();
    assert!(
        places.iter().all(Option::is_some),
        "they are rows of the whole"
    );
    assert!(places.is_sorted(), "in its order");
    let spread = chosen
        .iter()
        .filter(|one| one.starts_with("games/b"))
        .count();
    assert!((10..35).contains(&spread), "and from all over: {spread}");
    let small = column(&crate::common::run::rows(sample("4").as_bytes()), "origin");
    assert!(
        small.iter().all(|one| chosen.contains(one)),
        "a smaller sample is part of a larger one"
    );
    assert_eq!(
        column(
            &crate::common::run::rows(sample("9999").as_bytes()),
            "origin"
        ),
        all
    );
}

#[cfg(unix)]
mod interrupt {
    use std::{
        io::{BufRead, BufReader, Read},
        process::{Command, Stdio},
    };

    use crate::common::run::{AGREES, Folder, RESIGNED, WINNER_DIFFERS, binary, rows, sample};

    /// Files that go quickly, so that rows come, then many that do not.
    fn slow_archive() -> Folder {
        let folder = Folder::new();
        for number in 0..256 {
            folder.write(format!("games/a/{number:03}.sgf"), RESIGNED);
        }
        folder.write("games/a/wrong.sgf", sample(WINNER_DIFFERS));
        for number in 0..2000 {
            folder.write(format!("games/b/{number:04}.sgf"), sample("19x19/001.sgf"));
        }
        folder
    }

    #[test]
    fn a_run_that_is_stopped_writes_whole_rows() {
        let folder = slow_archive();
        let mut child = Command::new(binary())
            .args([
                "label",
                "games",
                "--jobs",
                "1",
                "--mismatches",
                "m.csv",
                "--summary",
                "s.json",
            ])
            .current_dir(folder.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut out = String::new();
        // The header and the first row: the run is under way.
        output.read_line(&mut out).unwrap();
        output.read_line(&mut out).unwrap();
        let pid = child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &pid])
                .status()
                .unwrap()
                .success()
        );
        output.read_to_string(&mut out).unwrap();
        let ended = child.wait_with_output().unwrap();
        let err = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(130), "{err}");
        assert!(
            err.ends_with("kifu: interrupted; every row written is whole\n"),
            "{err}"
        );

        assert!(out.ends_with('\n'));
        let rows = rows(out.as_bytes());
        assert!((64..2000).contains(&rows.len()), "{}", rows.len());
        let summary: serde_json::Value = serde_json::from_slice(&folder.read("s.json")).unwrap();
        assert_eq!(summary["interrupted"], true);
        assert_eq!(summary["rows"], rows.len());
        let mismatches = rows
            .iter()
            .filter(|row| row["status"] == "winner_differs")
            .count();
        assert_eq!(folder.rows("m.csv").len(), mismatches);
        assert_eq!(
            folder.names(),
            ["games", "m.csv", "s.json"],
            "no temporary files"
        );
    }

    /// The same for files: they get their names, and hold what was done.
    #[test]
    fn a_run_into_files_that_is_stopped_keeps_them() {
        let folder = slow_archive();
        folder.write("games/a/good.sgf", sample(AGREES));
        let mut child = Command::new(binary())
            .args([
                "audit",
                "games",
                "--jobs",
                "1",
                "-o",
                "rows.csv",
                "--fail-on",
                "not_comparable",
            ])
            .current_dir(folder.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut String::new()).unwrap();
        let pid = child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &pid])
                .status()
                .unwrap()
                .success()
        );
        output.read_to_end(&mut Vec::new()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(folder.text("rows.csv").ends_with('\n'));
        assert!(folder.rows("rows.csv").len() >= 64);
        assert!(folder.names().iter().all(|name| !name.ends_with(".tmp")));
    }
}
