//! `kifu report`: what is read, what is counted, and what is refused.
#![cfg(feature = "report")]

mod common;

use std::io::Write;

use common::run::{Folder, MARGIN_DIFFERS, Said, WINNER_DIFFERS, kifu};
use kifu::label::COLUMNS;
use serde_json::{Value, json};

/// CSV of labels: rows as `column=value`, other columns empty.
fn csv(rows: &[&str]) -> String {
    let names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
    csv_of(&names, rows)
}

fn csv_of(names: &[&str], rows: &[&str]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(names).unwrap();
    for row in rows {
        let value = |name: &&str| {
            let mut values = row.split('|').filter_map(|part| part.split_once('='));
            let found = values.find(|(key, _)| key == name);
            found.map_or("", |(_, value)| value)
        };
        writer.write_record(names.iter().map(value)).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

/// The data in a page.
fn data(page: &str) -> Value {
    let (_, rest) = page
        .split_once("<script type=\"application/json\" id=\"data\">")
        .unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// The data of the page of some rows in a folder.
#[track_caller]
fn report(folder: &Folder, line: &str) -> Value {
    folder
        .run(&format!("report {line} -o page.html --quiet"))
        .done();
    data(&folder.text("page.html"))
}

/// A value of the row at a place among those that disagree.
fn value(data: &Value, row: usize, column: &str) -> String {
    let columns = data["mismatches"]["columns"].as_array().unwrap();
    let at = columns.iter().position(|name| name == column).unwrap();
    let value = &data["mismatches"]["rows"][row][0][at];
    value.as_str().unwrap().to_owned()
}

fn board(data: &Value, row: usize) -> &Value {
    &data["mismatches"]["rows"][row][2]
}

fn note(data: &Value, row: usize) -> &str {
    data["mismatches"]["rows"][row][3].as_str().unwrap()
}

fn notes(data: &Value) -> String {
    let notes = data["about"]["notes"].as_array().unwrap();
    let notes: Vec<&str> = notes.iter().filter_map(Value::as_str).collect();
    notes.join("\n")
}

/// Six records that can be counted by hand.
const SIX: &[&str] = &[
    "origin=a/1.sgf|game=go|rules=japanese|status=agree|recorded_winner=black|recorded_margin=3.5|winner=black|margin=3.5|confidence=0.960|moves=200",
    "origin=a/2.sgf|game=go|rules=japanese|status=margin_differs|recorded_winner=black|recorded_margin=5.5|winner=black|margin=3.5|confidence=0.960|moves=201",
    "origin=a/3.sgf|game=go|rules=chinese|status=winner_differs|recorded_winner=white|recorded_margin=0.5|winner=black|margin=2.5|confidence=0.550|moves=30",
    "origin=b/1.pgn#2|game=xiangqi|rules=axf|status=winner_differs|recorded_winner=red|winner=black|confidence=1.000|moves=30",
    "origin=b/2.zip!c/4.sgf|status=broken|error_kind=empty_file|error=the file is empty",
    "origin=b/3.sgf|game=go|rules=chinese|status=no_result|moves=7",
];

#[test]
fn counts_are_those_of_the_rows() {
    let folder = Folder::with(&[("labels.csv", &csv(SIX))]);
    let data = report(&folder, "labels.csv");
    let order = [
        "skipped",
        "broken",
        "no_result",
        "unfinished",
        "not_comparable",
        "winner_differs",
        "margin_differs",
        "agree",
    ];
    assert_eq!(data["rows"], 6);
    assert_eq!(data["statuses"], json!(order));
    assert_eq!(data["counts"], json!([0, 1, 1, 0, 0, 2, 1, 1]));
    let folders = json!([
        ["a", [0, 0, 0, 0, 0, 1, 1, 1]],
        ["b", [0, 0, 1, 0, 0, 1, 0, 0]],
        ["b/2.zip!c", [0, 1, 0, 0, 0, 0, 0, 0]],
    ]);
    assert_eq!(data["groups"]["folder"]["groups"], folders);
    let games = json!([
        ["", [0, 1, 0, 0, 0, 0, 0, 0]],
        ["go", [0, 0, 1, 0, 0, 1, 1, 1]],
        ["xiangqi", [0, 0, 0, 0, 0, 1, 0, 0]],
    ]);
    assert_eq!(data["groups"]["game"]["groups"], games);
    assert_eq!(data["groups"]["year"], Value::Null);
    // 3.5 - 5.5, and 2.5 for Black in place of 0.5 for White.
    let differences = json!({"bars": {"-2": 1, "3": 1}, "without": 1});
    assert_eq!(data["differences"], differences);
    assert_eq!(data["mismatches"]["rows"][0][1], -2.0);
    assert_eq!(data["mismatches"]["rows"][1][1], 3.0);
    assert_eq!(data["mismatches"]["rows"][2][1], Value::Null);
    let bins = data["confidences"]["bins"].as_array().unwrap();
    assert_eq!(bins[1], json!({"rows": 1, "agree": 0, "sum": 550}));
    assert_eq!(bins[6], json!({"rows": 2, "agree": 1, "sum": 1920}));
    assert_eq!(bins[7], json!({"rows": 1, "agree": 0, "sum": 1000}));
    // Ten moves a bar: 7; 30 twice; 200 and 201.
    assert_eq!(data["lengths"]["width"], 10);
    let bars = data["lengths"]["bars"].as_array().unwrap();
    assert_eq!(bars.len(), 21);
    assert_eq!(
        (&bars[0], &bars[3], &bars[20]),
        (&json!([0, 0, 1]), &json!([0, 2, 0]), &json!([1, 1, 0]))
    );
    assert_eq!(data["mismatches"]["total"], 3);
    assert_eq!(data["broken"]["total"], 1);
    assert_eq!(data["broken"]["rows"][0][4], "the file is empty");
}

#[test]
fn years_come_from_dates() {
    let mut names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
    names.push("date");
    let rows = [
        "origin=1|status=agree|date=2016-03-09",
        "origin=2|status=agree|date=2016",
        "origin=3|status=broken|date=",
    ];
    let folder = Folder::with(&[("labels.csv", &csv_of(&names, &rows))]);
    let years = json!([
        ["", [0, 1, 0, 0, 0, 0, 0, 0]],
        ["2016", [0, 0, 0, 0, 0, 0, 0, 2]],
    ]);
    assert_eq!(
        report(&folder, "labels.csv")["groups"]["year"]["groups"],
        years
    );
}

#[test]
fn at_most_so_many_rows_are_shown() {
    let folder = Folder::with(&[("labels.csv", &csv(SIX))]);
    let all = report(&folder, "labels.csv");
    let few = report(&folder, "labels.csv --most 1");
    assert_eq!(few["mismatches"]["rows"].as_array().unwrap().len(), 1);
    assert_eq!(value(&few, 0, "origin"), "a/2.sgf");
    for name in ["counts", "groups", "differences", "lengths"] {
        assert_eq!(few[name], all[name], "{name}");
    }
    assert_eq!(few["mismatches"]["total"], 3);
}

#[test]
fn every_kind_of_file_gives_the_same() {
    let folder = Folder::of_samples(&[WINNER_DIFFERS, MARGIN_DIFFERS, "9x9/041.sgf"]);
    let mut pages = Vec::new();
    for name in [
        "labels.csv",
        "labels.csv.gz",
        "labels.csv.zst",
        "labels.jsonl",
        "labels.jsonl.zst",
        "labels.parquet",
        "labels.arrow",
        "labels.arrows",
    ] {
        if !cfg!(feature = "parquet") && (name.contains("parquet") || name.contains("arrow")) {
            continue;
        }
        folder
            .run(&format!(
                "label dirty 9x9 --with board,ownership,meta -o {name} --quiet"
            ))
            .done();
        let mut data = report(&folder, name);
        let about = data["about"].as_object_mut().unwrap();
        assert_eq!(about.remove("name").unwrap(), name);
        about.remove("run").unwrap();
        pages.push(data);
    }
    for page in &pages[1..] {
        assert_eq!(page, &pages[0]);
    }
    assert_eq!(pages[0]["mismatches"]["total"], 2);
    let said = folder
        .feed("report - -o - --quiet", folder.read("labels.csv"))
        .done();
    assert_eq!(data(&said.out)["mismatches"], pages[0]["mismatches"]);
}

#[test]
fn boards_are_drawn_from_the_records() {
    let folder = Folder::of_samples(&[WINNER_DIFFERS, MARGIN_DIFFERS]);
    folder
        .run("label dirty -o bare.csv --rules chinese --quiet")
        .done();
    folder
        .run("label dirty -o full.csv --rules chinese --quiet --with board,ownership")
        .done();
    let (bare, full) = (report(&folder, "bare.csv"), report(&folder, "full.csv"));
    assert_eq!(full["mismatches"]["total"], 2);
    for row in 0..2 {
        let drawn = board(&full, row).as_str().unwrap();
        assert_eq!(drawn.len(), 81);
        assert_eq!(board(&bare, row), drawn, "{}", value(&bare, row, "origin"));
        assert_eq!(note(&bare, row), "");
    }
    let none = report(&folder, "bare.csv --no-boards");
    assert_eq!(board(&none, 0), &Value::Null);
    assert!(notes(&none).contains("--no-boards"), "{}", notes(&none));
    // From elsewhere, origins lead nowhere without --root.
    let other = Folder::with(&[("bare.csv", &folder.text("bare.csv"))]);
    let lost = report(&other, "bare.csv");
    assert_eq!(note(&lost, 0), "the file is not there any more");
    assert!(notes(&lost).contains("--root"), "{}", notes(&lost));
    other.write("bare.summary.json", folder.read("bare.summary.json"));
    let root = folder.path("").display().to_string();
    let found = report(&other, &format!("bare.csv --root {root}"));
    assert_eq!(board(&found, 0), board(&full, 0));
}

#[test]
fn records_that_changed_are_not_drawn() {
    let folder = Folder::of_samples(&[WINNER_DIFFERS, MARGIN_DIFFERS]);
    folder.run("label dirty -o labels.csv --quiet").done();
    let mut record = folder.text(MARGIN_DIFFERS);
    record.push('\n');
    folder.write(MARGIN_DIFFERS, record.replacen(";B[", "C[new];B[", 1));
    std::fs::remove_file(folder.path(WINNER_DIFFERS)).unwrap();
    let data = report(&folder, "labels.csv");
    let mut seen: Vec<(String, &str)> = (0..2)
        .map(|row| (value(&data, row, "origin"), note(&data, row)))
        .collect();
    seen.sort();
    let expected = [
        (
            MARGIN_DIFFERS,
            "the record has changed since it was labelled",
        ),
        (WINNER_DIFFERS, "the file is not there any more"),
    ];
    assert_eq!(seen, expected.map(|(name, note)| (name.to_owned(), note)));
    assert!(
        data["mismatches"]["rows"]
            .as_array()
            .unwrap()
            .iter()
            .all(|row| row[2].is_null())
    );
}

#[test]
fn records_inside_files_are_found_again() {
    let record = |name: &str| String::from_utf8(common::run::sample(name)).unwrap();
    let both = record("9x9/041.sgf") + &record(WINNER_DIFFERS) + &record(MARGIN_DIFFERS);
    let folder = Folder::with(&[("all.sgf", &both)]);
    folder.run("label all.sgf -o labels.csv --quiet").done();
    let data = report(&folder, "labels.csv");
    let origins = [value(&data, 0, "origin"), value(&data, 1, "origin")];
    assert_eq!(origins, ["all.sgf#2", "all.sgf#3"]);
    assert!(board(&data, 0).is_string() && board(&data, 1).is_string());
    assert_ne!(board(&data, 0), board(&data, 1));
}

/// What changes how records are read is in the summary, to read them so again.
#[test]
fn the_summary_names_the_first_row() {
    let folder = Folder::of_samples(&[MARGIN_DIFFERS]);
    folder
        .run("label dirty --first-row top -o labels.csv --quiet")
        .done();
    let summary: Value = serde_json::from_str(&folder.text("labels.summary.json")).unwrap();
    assert_eq!(summary["settings"]["first_row"], "top");
}

/// Parquet and Arrow say themselves how they were made, wherever they are brought.
#[test]
fn rows_by_column_name_their_settings() {
    if !cfg!(feature = "parquet") {
        return;
    }
    let folder = Folder::of_samples(&[MARGIN_DIFFERS]);
    for name in ["labels.parquet", "labels.arrow"] {
        folder
            .run(&format!("label dirty --dead none -o {name} --quiet"))
            .done();
        std::fs::remove_file(folder.path("labels.summary.json")).unwrap();
        let about = &report(&folder, name)["about"];
        assert_eq!(about["settings"]["dead"], "none", "{name}");
        assert_eq!(about["labelled_by"], env!("CARGO_PKG_VERSION"), "{name}");
    }
}

/// A summary is a file like another, and starts no program.
#[test]
fn no_engine_is_started() {
    let folder = Folder::of_samples(&[MARGIN_DIFFERS]);
    folder.run("label dirty -o labels.csv --quiet").done();
    let mut summary: Value = serde_json::from_str(&folder.text("labels.summary.json")).unwrap();
    summary["settings"] = json!({"dead": "gtp", "gtp": "touch started"});
    folder.write("labels.summary.json", summary.to_string());
    let data = report(&folder, "labels.csv");
    assert!(!folder.path("started").exists());
    assert!(
        notes(&data).contains("is not asked again"),
        "{}",
        notes(&data)
    );
    let drawn = board(&data, 0).as_str().unwrap();
    assert!(!drawn.contains(['x', 'o', 'b', 'w']), "{drawn}");
}

#[test]
fn texts_of_records_stay_texts() {
    let hostile = "</script><script>alert(1)</script><!-- \u{2028} \" ' & \u{1}";
    let row = format!(
        "origin=<img src=x onerror%3D>.sgf|game=go|status=winner_differs|recorded={hostile}|reasons={hostile}"
    );
    let broken = format!("origin=b|status=broken|error={hostile}");
    let rows = csv(&[&row, &broken]);
    let folder = Folder::new();
    // Bytes that are no UTF-8, as of another program.
    let mut bytes = rows.into_bytes();
    let at = bytes.windows(5).position(|part| part == b".sgf,").unwrap();
    bytes.splice(at..at, *b"\xff\xfe");
    folder.write("<b>.csv", bytes);
    let said = folder
        .kifu()
        .args(["report", "<b>.csv", "-o", "page.html", "-q"])
        .output();
    Said::of(said.unwrap()).done();
    let page = folder.text("page.html");
    let clean = Folder::with(&[("labels.csv", &csv(&[]))]);
    clean.run("report labels.csv -o page.html -q").done();
    let plain = clean.text("page.html");
    for sign in [
        "<script", "</script", "<img", "<!--", "onerror=", "\u{2028}",
    ] {
        let count = |page: &str| page.matches(sign).count();
        assert_eq!(count(&page), count(&plain), "{sign}");
    }
    assert!(page.contains("<title>kifu: &lt;b&gt;.csv</title>"));
    let data = data(&page);
    assert_eq!(value(&data, 0, "recorded"), hostile);
    assert!(value(&data, 0, "origin").contains("\u{fffd}\u{fffd}.sgf"));
    assert_eq!(data["broken"]["rows"][0][4], hostile);
}

#[test]
fn no_rows_make_a_page_that_says_so() {
    let folder = Folder::with(&[("labels.csv", &csv(&[])), ("labels.jsonl", "")]);
    for name in ["labels.csv", "labels.jsonl"] {
        let data = report(&folder, name);
        assert_eq!(
            (&data["rows"], &data["mismatches"]["total"]),
            (&json!(0), &json!(0)),
            "{name}"
        );
    }
}

#[test]
fn what_is_no_file_of_labels_is_refused() {
    let good = csv(SIX);
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(good.as_bytes()).unwrap();
    let gz = gz.finish().unwrap();
    let zst = zstd::encode_all(good.as_bytes(), 0).unwrap();
    let without = |name: &str| {
        let names = COLUMNS.iter().map(|column| column.name);
        let names: Vec<&str> = names.filter(|column| *column != name).collect();
        csv_of(&names, SIX)
    };
    let cases: Vec<(&str, Vec<u8>, &[&str])> = vec![
        ("empty.csv", vec![], &["empty.csv", "is empty"]),
        (
            "game.csv",
            b"(;GM[1])\n".to_vec(),
            &["no file of labels", "kifu label wrote"],
        ),
        (
            "list.jsonl",
            b"{\"a\":1}\n".to_vec(),
            &["no file of labels"],
        ),
        (
            "torn.jsonl",
            b"{\"origin\":1,\n".to_vec(),
            &["line 1", "no row of labels"],
        ),
        (
            "array.jsonl",
            b"{\"origin\":{}}\n".to_vec(),
            &["no file of labels"],
        ),
        (
            "missing.csv",
            without("margin").into(),
            &["column margin is missing", "label.v1", "label again"],
        ),
        (
            "cut.csv",
            good.as_bytes()[..good.len() - 5].to_vec(),
            &["cut off"],
        ),
        (
            "cut-last.csv",
            good.as_bytes()[..good.len() - 1].to_vec(),
            &["cut off"],
        ),
        ("cut.csv.gz", gz[..gz.len() / 2].to_vec(), &["cut off"]),
        ("cut.csv.zst", zst[..zst.len() / 2].to_vec(), &["cut off"]),
        (
            "short.csv",
            good.replacen("a/3.sgf,", "a/3.sgf\n,", 1).into(),
            &["row 3 has 1 values", "damaged"],
        ),
        (
            "status.csv",
            good.replace("no_result", "no_such").into(),
            &["row 6", "unknown status \"no_such\""],
        ),
        (
            "labels.parquet",
            b"PAR1....".to_vec(),
            if cfg!(feature = "parquet") {
                &["cut off"]
            } else {
                &["Parquet", "--features parquet"]
            },
        ),
    ];
    for (name, bytes, words) in cases {
        let folder = Folder::new();
        folder.write(name, bytes);
        let said = folder.run(&format!("report {name} -o page.html"));
        assert_eq!(said.status, 2, "{name}: {}", said.err);
        for word in words {
            assert!(
                said.err.contains(word),
                "{name}: no {word:?} in {}",
                said.err
            );
        }
        assert_eq!(folder.names(), [name], "nothing is left behind");
    }
}

/// A quote that nobody closes would make one row of all that follows.
#[test]
fn a_row_has_a_greatest_length() {
    let row = format!("origin=\"{}|status=agree", "x".repeat(10));
    let mut text = csv(&[&row]);
    let end = text.rfind("xxx\"").unwrap() + 3;
    text.truncate(end);
    text.push_str(&"\n".repeat(17 << 20));
    let folder = Folder::with(&[("labels.csv", &text)]);
    let said = folder.run("report labels.csv -o page.html");
    assert_eq!(said.status, 2);
    assert!(said.err.contains("16 MiB"), "{}", said.err);
}

#[test]
fn another_version_is_named() {
    let folder = Folder::with(&[
        ("labels.csv", &csv(SIX)),
        ("labels.summary.json", r#"{"schema":"label.v9"}"#),
        (
            "part.summary.json",
            r#"{"schema":"label.v1","rows":7,"interrupted":true,"settings":{}}"#,
        ),
    ]);
    let said = folder.run("report labels.csv -o page.html");
    assert_eq!(said.status, 2);
    for word in ["label.v9", "label.v1", "label again"] {
        assert!(said.err.contains(word), "{}", said.err);
    }
    let data = report(&folder, "labels.csv --summary part.summary.json");
    assert!(notes(&data).contains("counts 7 records and the file holds 6"));
    assert!(notes(&data).contains("interrupted"));
}

#[test]
fn nothing_is_written_over() {
    let rows = csv(SIX);
    let folder = Folder::with(&[
        ("labels.csv", &rows),
        ("labels.summary.json", "{}"),
        ("old.html", "old"),
    ]);
    for (output, words) in [
        ("labels.csv", "will not write over"),
        ("./labels.csv", "will not write over"),
        ("labels.summary.json", "will not write over"),
        ("game.sgf", "that is the name of a record"),
        ("no/such/folder.html", "cannot write no/such/folder.html"),
    ] {
        let said = folder.run(&format!("report labels.csv -o {output}"));
        assert_eq!(said.status, 2, "{output}");
        assert!(said.err.contains(words), "{output}: {}", said.err);
    }
    assert_eq!(folder.text("labels.csv"), rows);
    // A page that fails leaves the one before.
    folder.write("bad.csv", "x");
    let said = folder.run("report bad.csv -o old.html");
    assert_eq!((said.status, folder.text("old.html").as_str()), (2, "old"));
    let said = folder.run("report missing.csv -o page.html");
    assert!(said.err.contains("missing.csv"), "{}", said.err);
}

#[test]
fn the_same_rows_give_the_same_page() {
    let folder = Folder::of_samples(&[WINNER_DIFFERS, MARGIN_DIFFERS]);
    folder.run("label dirty -o labels.csv --quiet").done();
    let page = |jobs: &str| {
        let mut command = kifu();
        command.current_dir(folder.path(""));
        let output = command
            .args(["report", "labels.csv", "-o", "-", "--jobs", jobs])
            .output();
        Said::of(output.unwrap()).done().out
    };
    assert_eq!(page("1"), page("4"));
}
