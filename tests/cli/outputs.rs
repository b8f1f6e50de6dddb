//! What is written, where, and what happens when it cannot be.

use std::{
    io::Read,
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::common::run::{
    AGREES, Folder, ILLEGAL, MARGIN_DIFFERS, RESIGNED, Row, Said, WINNER_DIFFERS, binary, column,
    rows, sample,
};

/// A folder with one record of every kind that files are made for.
fn games() -> Folder {
    let folder = Folder::with(&[("games/0.sgf", ILLEGAL), ("games/1.sgf", RESIGNED)]);
    for (name, source) in [
        ("games/2.sgf", AGREES),
        ("games/3.sgf", WINNER_DIFFERS),
        ("games/4.sgf", MARGIN_DIFFERS),
    ] {
        folder.write(name, sample(source));
    }
    folder
}

#[test]
fn rows_go_to_standard_output_and_nothing_else_is_written() {
    let folder = games();
    for line in [
        "label games",
        "label games -o -",
        "label games --output-format csv",
    ] {
        let said = folder.run(line).done();
        assert_eq!(said.rows().len(), 5, "{line}");
        assert!(said.err.contains("5  records"), "{line}: {}", said.err);
        assert_eq!(folder.names(), ["games"], "{line}");
    }
}

#[test]
fn side_files_lie_beside_the_rows() {
    let folder = games();
    let said = folder.run("label games -o labels.csv").done();
    assert_eq!(said.out, "");
    let names = [
        "games",
        "labels.csv",
        "labels.mismatches.csv",
        "labels.rejects.csv",
        "labels.run.json",
        "labels.summary.json",
    ];
    assert_eq!(folder.names(), names, "and no temporary files");
    for name in names.iter().filter(|name| name.ends_with(".csv")) {
        assert!(
            said.err.contains(&format!("wrote  {name}\n")),
            "{}",
            said.err
        );
    }
}

#[test]
fn side_files_hold_the_rows_of_their_kind() {
    let folder = games();
    folder.run("label games -o labels.csv").done();
    let all = folder.rows("labels.csv");
    let of = |statuses: &[&str]| -> Vec<Row> {
        let wanted = all
            .iter()
            .filter(|row| statuses.contains(&row["status"].as_str()));
        wanted.cloned().collect()
    };
    let mismatches = folder.rows("labels.mismatches.csv");
    assert_eq!(mismatches, of(&["winner_differs", "margin_differs"]));
    assert_eq!(mismatches.len(), 2);
    let rejects = folder.rows("labels.rejects.csv");
    assert_eq!(rejects, of(&["broken"]));
    assert_eq!(rejects.len(), 1);
}

#[test]
fn the_summary_counts_the_rows() {
    let folder = games();
    folder
        .run("label games -o labels.csv --tolerance 0 --dead playout")
        .done();
    let summary: Value = serde_json::from_slice(&folder.read("labels.summary.json")).unwrap();
    assert_eq!(summary["rows"], 5);
    assert_eq!(summary["schema"], "label.v1");
    assert_eq!(summary["interrupted"], false);
    assert_eq!(summary["settings"]["dead"], "playout");
    let statuses = summary["status"].as_object().unwrap();
    for status in [
        "agree",
        "broken",
        "margin_differs",
        "not_comparable",
        "winner_differs",
    ] {
        assert_eq!(statuses[status], 1, "{status}");
    }
    assert_eq!(statuses.len(), 5);
    let run: Value = serde_json::from_slice(&folder.read("labels.run.json")).unwrap();
    assert_eq!(run["rows"], 5);
    assert!(run["seconds"].as_f64().unwrap() > 0.0);
    assert!(summary.get("seconds").is_none(), "times are no facts");
}

#[test]
fn named_side_files_go_where_they_are_named() {
    let folder = games();
    let line = "label games -o - --mismatches m.csv --rejects r.jsonl --summary s.json";
    let said = folder.run(line).done();
    assert_eq!(said.rows().len(), 5);
    assert_eq!(folder.names(), ["games", "m.csv", "r.jsonl", "s.json"]);
    assert_eq!(folder.rows("m.csv").len(), 2);
    assert_eq!(folder.text("r.jsonl").lines().count(), 1);
}

/// A JSON value as CSV writes it.
fn as_field(name: &str, value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if name == "confidence" => {
            format!("{:.3}", number.as_f64().unwrap())
        }
        Value::Array(cells) => {
            let cells: Vec<String> = cells.iter().map(Value::to_string).collect();
            cells.join(" ")
        }
        other => other.to_string(),
    }
}

fn json_rows(text: &str) -> Vec<Row> {
    let row = |line: &str| {
        let object: serde_json::Map<String, Value> = serde_json::from_str(line).unwrap();
        let fields = object.iter();
        fields
            .map(|(name, value)| (name.clone(), as_field(name, value)))
            .collect()
    };
    text.lines().map(row).collect()
}

#[test]
fn every_format_and_compression_holds_the_same_rows() {
    let folder = games();
    let with = "--with ownership,board,canonical_hash,position_hash,meta";
    let expected = folder.run(&format!("label games {with}")).done();
    let (csv, expected) = (expected.out.clone(), expected.rows());
    for name in [
        "a.csv",
        "a.csv.gz",
        "a.csv.zst",
        "a.jsonl",
        "a.jsonl.gz",
        "a.jsonl.zst",
        "a.ndjson",
    ] {
        folder.run(&format!("label games {with} -o {name}")).done();
        let bytes = folder.read(name);
        let mut text = String::new();
        if name.ends_with(".gz") {
            flate2::read::GzDecoder::new(&*bytes)
                .read_to_string(&mut text)
                .unwrap();
        } else if name.ends_with(".zst") {
            text = String::from_utf8(zstd::decode_all(&*bytes).unwrap()).unwrap();
        } else {
            text = String::from_utf8(bytes).unwrap();
        }
        if name.contains("json") {
            assert_eq!(json_rows(&text), expected, "{name}");
        } else {
            assert_eq!(text, csv, "{name}");
        }
    }
    // Side files take the name without the compression.
    assert!(folder.names().contains(&"a.mismatches.csv".to_owned()));
}

#[test]
fn keys_and_header_come_in_the_same_order() {
    let folder = games();
    let csv = folder.run("label games").done().out;
    let json = folder.run("label games --output-format jsonl").done().out;
    let object = json.lines().next().unwrap();
    let mut rest = object;
    for name in csv.lines().next().unwrap().split(',') {
        let key = format!("\"{name}\":");
        let at = rest.find(&key).unwrap_or_else(|| panic!("{key} in {rest}"));
        rest = &rest[at + key.len()..];
    }
}

#[test]
fn wide_columns_hold_a_value_for_each_point() {
    let folder = Folder::new();
    folder.write("9.sgf", sample("9x9/041.sgf"));
    folder.write("13.sgf", "(;SZ[13];B[aa];W[ma])");
    folder.write("wide.sgf", "(;SZ[5:3];B[aa];W[ec])");
    let rows = folder
        .run("label . --with board,ownership --judge all --dead none")
        .done()
        .rows();
    assert_eq!(column(&rows, "size"), ["13", "9", "5x3"]);
    for (row, points) in rows.iter().zip([169, 81, 15]) {
        let cells: Vec<&str> = row["board"].split(' ').collect();
        assert_eq!(cells.len(), points);
        let known = |cell: &&str| ["1", "0", "-1"].contains(cell);
        assert!(cells.iter().all(known));
    }
    let owned: Vec<&str> = rows[1]["ownership"].split(' ').collect();
    assert_eq!(owned.len(), 81);
    // Row by row from the top left: Black first, White last.
    assert_eq!(rows[2]["board"], "1 0 0 0 0 0 0 0 0 0 0 0 0 0 -1");
    assert!(rows[0]["board"].starts_with("1 0 0 0 0 0 0 0 0 0 0 0 -1 0"));
}

#[test]
fn more_columns_come_after_the_fixed_ones() {
    let folder = games();
    let header = |line: &str| {
        folder
            .run(line)
            .done()
            .out
            .lines()
            .next()
            .unwrap()
            .to_owned()
    };
    let plain = header("label games");
    let more = header("label games --with meta,board --with position_hash,board");
    let meta = "date,first_player,second_player,first_rank,second_rank,event,server";
    assert_eq!(more, format!("{plain},{meta},board,position_hash"));
}

#[test]
fn what_a_run_writes_it_does_not_read() {
    let folder = games();
    let expected = folder.run("label games -q").done().origins();
    for _ in 0..2 {
        folder.run("label games -o games/labels.csv").done();
        assert_eq!(column(&folder.rows("games/labels.csv"), "origin"), expected);
    }
    // Nor by another way to the same folder.
    folder.run("label . -o ./games/../games/labels.csv").done();
    assert_eq!(folder.rows("games/labels.csv").len(), expected.len());
}

#[test]
fn a_run_that_fails_leaves_earlier_rows_alone() {
    let folder = games();
    folder.run("label games/1.sgf -o labels.csv").done();
    let before = folder.read("labels.csv");
    let said = folder.run("label games -o labels.csv --summary nosuch/s.json");
    assert_eq!(said.status, 2);
    assert_eq!(folder.read("labels.csv"), before);
}

/// Each by its name; --output-format is for those that do not say.
#[test]
fn rows_go_to_several_places_at_once() {
    let folder = games();
    let csv = folder.run("label games -q").done().out;
    let json = folder
        .run("label games -q --output-format jsonl")
        .done()
        .out;
    let line = "label games -o first.jsonl -o second.csv -o - -o third --output-format jsonl";
    let said = folder.run(line).done();
    assert_eq!(said.out, json);
    assert_eq!(folder.text("first.jsonl"), json);
    assert_eq!(folder.text("second.csv"), csv);
    assert_eq!(folder.text("third"), json);
    // Once for all, beside the first.
    let names = [
        "first.jsonl",
        "first.mismatches.csv",
        "first.rejects.csv",
        "first.run.json",
        "first.summary.json",
        "games",
        "second.csv",
        "third",
    ];
    assert_eq!(folder.names(), names);
    for name in names.iter().filter(|name| **name != "games") {
        assert!(said.err.contains(&format!("wrote  {name}\n")), "{name}");
    }
    // Of one output it says the format whatever the name is.
    folder
        .run("label games -q -o one.csv --output-format jsonl")
        .done();
    assert_eq!(folder.text("one.csv"), json);
}

#[test]
fn no_place_is_written_to_twice() {
    let folder = games();
    for (line, twice) in [
        ("-o a.csv -o a.csv", "a.csv"),
        ("-o - -o -", "-"),
        ("-o a.csv -o a.mismatches.csv", "a.mismatches.csv"),
    ] {
        let said = folder.run(&format!("label games {line}"));
        assert_eq!(said.status, 2, "{line}");
        let start = format!("kifu: {twice} cannot be written twice");
        assert!(said.err.starts_with(&start), "{}", said.err);
        assert_eq!(folder.names(), ["games"], "{line}");
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_a_format_says_so() {
    let folder = games();
    for (line, start) in [
        (
            "--output-format parquet",
            "this kifu was built without parquet",
        ),
        ("--output-format arrow", "this kifu was built without arrow"),
        (
            "-o a.parquet",
            "a.parquet: this kifu was built without parquet",
        ),
        ("-o a.arrows", "a.arrows: this kifu was built without arrow"),
    ] {
        let said = folder.run(&format!("label games {line}"));
        assert_eq!(said.status, 2, "{line}");
        assert!(
            said.err.starts_with(&format!("kifu: {start}; ")),
            "{}",
            said.err
        );
        assert_eq!(folder.names(), ["games"], "{line}");
    }
}

#[cfg(unix)]
mod unix {
    use std::{fs, os::unix::fs::symlink, path::Path, sync::mpsc, thread, time::Duration};

    use super::*;

    fn shell(folder: &Folder, line: &str) -> Said {
        let mut command = Command::new("sh");
        command.args(["-c", line]).env("KIFU", binary());
        Said::of(command.current_dir(folder.path("")).output().unwrap())
    }

    #[test]
    fn a_reader_that_has_seen_enough_is_no_error() {
        let folder = games();
        for line in [
            "label games",
            "label games --output-format jsonl",
            "audit games",
            "list games",
            "explain games/1.sgf games/2.sgf",
            "--help",
        ] {
            let said = shell(
                &folder,
                &format!("(\"$KIFU\" {line}; echo \"[$?]\" >&2) | true"),
            );
            // An audit may have found something before anybody went away.
            assert!(
                said.err.contains("[0]") || said.err.contains("[1]"),
                "{line}: {}",
                said.err
            );
            assert!(!said.err.contains("kifu: "), "{line}: {}", said.err);
        }
        let said = shell(&folder, "\"$KIFU\" label games -q | head -n 1");
        assert!(said.out.starts_with("origin,offset,"), "{}", said.out);
        assert_eq!(said.err, "");
    }

    #[test]
    fn messages_that_nobody_reads_do_not_matter() {
        let folder = games();
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(binary());
        command
            .args(["label", "games", "-o", "b.csv"])
            .current_dir(folder.path(""));
        assert_eq!(command.stderr(writer).status().unwrap().code(), Some(0));
        assert_eq!(folder.rows("b.csv").len(), 5);
    }

    #[test]
    fn a_full_disk_is_told_of() {
        if !Path::new("/dev/full").exists() {
            println!("skipped: no /dev/full");
            return;
        }
        let folder = games();
        for line in [
            "label games -q",
            "audit games -q",
            "list games -q",
            "explain games/1.sgf",
        ] {
            let said = shell(&folder, &format!("\"$KIFU\" {line} > /dev/full"));
            assert_eq!(said.status, 2, "{line}");
            let message = "kifu: cannot write standard output: No space left on device";
            assert!(said.err.starts_with(message), "{line}: {}", said.err);
        }
        // A test must not be able to harm a device, whatever the tool does.
        if tempfile::tempfile_in("/dev").is_ok() {
            println!("skipped: this user may write to /dev");
            return;
        }
        for line in [
            "label games -q -o /dev/full",
            "label games -q --mismatches /dev/full",
        ] {
            let said = folder.run(line);
            assert_eq!(said.status, 2, "{line}");
            let message = "kifu: cannot write /dev/full: No space left on device";
            assert!(said.err.starts_with(message), "{line}: {}", said.err);
            assert_eq!(folder.names(), ["games"], "{line}");
        }
    }

    /// A file that may not grow is as good as a full disk.
    #[test]
    fn a_file_that_cannot_be_written_to_its_end_is_told_of() {
        let folder = games();
        let large = RESIGNED.repeat(20_000);
        folder.write("games/large.sgf", large);
        for name in ["rows.csv", "rows.jsonl", "rows.csv.gz", "rows.csv.zst"] {
            let line = format!("trap '' XFSZ; ulimit -f 8; \"$KIFU\" label games -q -o {name}");
            let said = shell(&folder, &line);
            assert_eq!(said.status, 2, "{name}");
            let message = format!("kifu: cannot write {name}: File too large");
            assert!(said.err.starts_with(&message), "{name}: {}", said.err);
            assert_eq!(folder.names(), ["games"], "{name}");
        }
    }

    /// What is no file is written to as it is, and has no files beside it.
    #[test]
    fn a_pipe_takes_rows_and_is_not_replaced() {
        let folder = games();
        let made = Command::new("mkfifo").arg(folder.path("p.csv")).status();
        assert!(made.unwrap().success());
        let (sender, receiver) = mpsc::channel();
        let path = folder.path("p.csv");
        thread::spawn(move || sender.send(fs::read(path)));
        folder.run("label games -q -o p.csv").done();
        let bytes = receiver.recv_timeout(Duration::from_secs(20));
        assert_eq!(rows(&bytes.unwrap().unwrap()).len(), 5);
        assert_eq!(folder.names(), ["games", "p.csv"]);
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = games();
        folder.write("far/labels.csv", "old");
        symlink("far/labels.csv", folder.path("labels.csv")).unwrap();
        folder.run("label games -o labels.csv").done();
        assert!(folder.path("labels.csv").is_symlink());
        assert_eq!(folder.rows("far/labels.csv").len(), 5);
        let beside = fs::read_dir(folder.path("far")).unwrap().count();
        assert_eq!(beside, 1, "no temporary file");
    }

    #[test]
    fn rows_are_there_before_the_input_ends() {
        use std::io::{BufRead, BufReader, Write};
        let mut child = Command::new(binary())
            .args(["label", "-", "-q"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let talk = "talk ".repeat(2000);
        let record = RESIGNED.replace(";B", &format!("C[{talk}];B"));
        // More than is read at once, on every side of the workers.
        let feed = std::thread::spawn(move || {
            for _ in 0..5000 {
                if input.write_all(record.as_bytes()).is_err() {
                    break;
                }
            }
            input
        });
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        line.clear();
        output.read_line(&mut line).unwrap();
        assert!(line.starts_with("-,0,"), "{line}");
        assert!(!feed.is_finished() || child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        feed.join().unwrap();
    }
}
