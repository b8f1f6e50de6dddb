//! What programs that watch a run are told: lines of progress, messages as JSON,
//! and what the outputs hold.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common::run::{AGREES, Folder, ILLEGAL, RESIGNED, Said};

fn folder() -> Folder {
    Folder::with(&[("games/a.sgf", RESIGNED), ("games/b.sgf", ILLEGAL)])
}

/// The messages of a run, each a JSON object.
fn messages(said: &Said) -> Vec<Value> {
    said.err
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{line}: {why}")))
        .collect()
}

#[test]
fn progress_is_a_line_where_that_is_asked_for() {
    let folder = folder();
    let lines = |flags: &str| {
        let said = folder
            .run(&format!("label games -o rows.csv {flags}"))
            .done();
        let lines = said.err.lines().filter(|line| line.starts_with("kifu: "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    // Nobody watches a terminal here.
    assert_eq!(lines(""), none);
    assert_eq!(lines("--progress auto"), none);
    assert_eq!(lines("--progress none"), none);
    assert_eq!(lines("--progress plain --quiet"), none);
    let plain = lines("--progress plain");
    assert_eq!(plain.len(), 1, "{plain:?}");
    assert!(plain[0].starts_with("kifu: 2 records, "), "{plain:?}");
    assert!(
        plain[0].contains(" of 2 files, 0 disagree, 1 broken"),
        "{plain:?}"
    );
    // With no time between lines there is one before the last.
    assert!(lines("--progress plain --progress-seconds 0").len() >= 2);
    for command in ["audit games", "calibrate games"] {
        let said = folder.run(&format!("{command} --progress plain"));
        assert!(said.err.contains(" of 2 files, "), "{}", said.err);
    }
}

#[test]
fn messages_are_json_where_that_is_asked_for() {
    let folder = folder();
    folder.write("games/x.kifu.txt", "no dump");
    let run = folder
        .run("label games -o rows.csv --log-format json --progress plain")
        .done();
    let found = messages(&run);
    assert!(
        run.err
            .starts_with(r#"{"level":"info","message":"progress","fields":{"#)
    );
    assert_eq!(found[0]["fields"]["files"], 3);
    assert_eq!(found[0]["fields"]["broken"], 1);
    let last = found.last().unwrap();
    assert_eq!(last["message"], "done");
    assert_eq!(last["fields"]["rows"], 3);
    assert_eq!(last["fields"]["status"]["not_comparable"], 1);
    // Errors end a run with JSON, and are said also where nothing else is.
    for quiet in ["", "--quiet"] {
        let line = format!("label nosuch --log-format json {quiet}");
        let failed = folder.run(&line);
        assert_eq!(failed.status, 2);
        let found = messages(&failed);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0]["level"], "error");
        let message = found[0]["message"].as_str().unwrap();
        assert!(message.starts_with("cannot read nosuch"), "{message}");
    }
    let quiet = folder
        .run("label games -o rows.csv --log-format json --quiet")
        .done();
    assert_eq!(quiet.err, "");
    for line in [
        "list games --log-format json",
        "calibrate games --log-format json",
        "label games -v -v -o rows.csv --log-format json",
    ] {
        messages(&folder.run(line));
    }
}

/// SHA-256 by the program that users check it with.
fn sha256(folder: &Folder, name: &str) -> Option<String> {
    let done = Command::new("sha256sum")
        .arg(folder.path(name))
        .stderr(Stdio::null())
        .output();
    let Ok(done) = done else {
        println!("skipped: no sha256sum here");
        return None;
    };
    let text = String::from_utf8(done.stdout).unwrap();
    text.split(' ').next().map(str::to_owned)
}

#[test]
fn a_run_says_what_its_files_hold() {
    let folder = Folder::of_samples(&[AGREES]);
    folder.write("bad.sgf", ILLEGAL);
    folder
        .run("label . -o rows.csv -o rows.jsonl.zst -o rows.csv.gz -q")
        .done();
    let run: Value = serde_json::from_slice(&folder.read("rows.run.json")).unwrap();
    assert_eq!(run["status"]["agree"], 1);
    assert_eq!(run["status"]["broken"], 1);
    let outputs = run["outputs"].as_array().unwrap();
    let names: Vec<_> = outputs
        .iter()
        .map(|it| it["path"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "rows.csv",
            "rows.jsonl.zst",
            "rows.csv.gz",
            "rows.mismatches.csv",
            "rows.rejects.csv",
            "rows.summary.json"
        ]
    );
    for (output, name) in outputs.iter().zip(names) {
        assert_eq!(output["bytes"], folder.read(name).len(), "{name}");
        if let Some(sha256) = sha256(&folder, name) {
            assert_eq!(output["sha256"], sha256, "{name}");
        }
    }
}
