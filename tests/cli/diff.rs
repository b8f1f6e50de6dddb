//! What changed between two files of rows.

use std::io::Write as _;

use super::common::run::{Folder, ILLEGAL, RESIGNED, Said};

/// Black's wall in the second column, White's in the third: a game that is over.
const COUNTED: &str = "(;GM[1]SZ[5]RU[Chinese]KM[0.5]RE[W+5.5]\
    ;B[ba];W[ca];B[bb];W[cb];B[bc];W[cc];B[bd];W[cd];B[be];W[ce];B[];W[])";

/// Three games, labelled into `old.csv`.
fn labelled() -> Folder {
    let folder = Folder::with(&[("a.sgf", COUNTED), ("b.sgf", RESIGNED), ("c.sgf", ILLEGAL)]);
    folder.run("label a.sgf b.sgf c.sgf -q -o old.csv").done();
    folder
}

/// Labels again under other circumstances.
fn label_again(folder: &Folder, paths: &str, output: &str, flags: &str) {
    let line = format!("label {paths} -q -o {output} {flags}");
    folder.run(&line).done();
}

/// The lines of a report, without the blanks before and in them.
fn lines(said: &Said) -> Vec<String> {
    let lines = said.out.lines();
    lines
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

#[track_caller]
fn same(folder: &Folder, line: &str) {
    let said = folder.run(line);
    assert_eq!((said.status, said.err.as_str()), (0, ""), "{}", said.out);
    assert!(lines(&said).iter().any(|it| it == "3 the same"), "{line}");
}

#[test]
fn the_same_rows_are_the_same_however_they_are_written() {
    let folder = labelled();
    same(&folder, "diff old.csv old.csv");
    for name in ["new.csv", "new.jsonl", "new.csv.gz", "new.jsonl.zst"] {
        label_again(&folder, "a.sgf b.sgf c.sgf", name, "");
        same(&folder, &format!("diff old.csv {name}"));
        same(&folder, &format!("diff {name} old.csv"));
    }
    // In any order.
    label_again(&folder, "c.sgf b.sgf a.sgf", "turned.csv", "");
    same(&folder, "diff old.csv turned.csv");
    // By what they hold, not by what they are called.
    folder.write("rows", folder.read("new.jsonl.zst"));
    same(&folder, "diff rows old.csv");
    let said = folder.feed("diff - old.csv", folder.read("new.csv.gz"));
    assert_eq!(said.status, 0, "{}", said.err);
    let said = folder.run("diff old.csv new.csv --quiet").done();
    assert_eq!(said.out, "");
}

#[test]
fn settings_come_first_and_changes_by_class() {
    let folder = labelled();
    label_again(&folder, "a.sgf b.sgf", "new.csv", "--komi 7.5");
    folder.write("d.sgf", RESIGNED);
    label_again(&folder, "a.sgf b.sgf d.sgf", "new.csv", "--komi 7.5");
    let said = folder.run("diff old.csv new.csv");
    assert_eq!(said.status, 1);
    let found = lines(&said);
    let expected = [
        "setting komi: not set, now 7.5",
        "3 rows in old.csv",
        "3 rows in new.csv",
        "0 the same",
        "1 added: d.sgf",
        "1 removed: c.sgf",
        "2 changed",
        "status agree to margin_differs 1",
    ];
    assert_eq!(found[..expected.len()], expected);
    let said = |text: &str| found.iter().any(|line| line.contains(text));
    assert!(said("margin 1"), "{found:?}");
    assert!(said("reasons board_says came 1"), "{found:?}");
    assert!(said("komi 2"), "of both records: {found:?}");
    assert!(said("see status: a.sgf"), "{found:?}");
}

#[test]
fn programs_get_a_line_for_each_change_or_json() {
    let folder = labelled();
    let old = folder.text("old.csv");
    let new = old
        .replace(",agree,", ",winner_differs,")
        .replace("c.sgf,", "\"c,2.sgf\",");
    folder.write("new.csv", new);
    let said = folder.run("diff old.csv new.csv --format csv");
    assert_eq!(said.status, 1, "{}", said.err);
    assert_eq!(
        said.out,
        "origin,record_id,change,column,old,new\n\
         a.sgf,,status,status,agree,winner_differs\n\
         c.sgf,,removed,status,broken,\n\
         \"c,2.sgf\",,added,status,,broken\n"
    );
    let said = folder.run("diff old.csv new.csv --format json");
    assert_eq!(said.status, 1);
    let report: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(report["status"]["agree"]["winner_differs"], 1);
    assert_eq!(report["classes"]["added"], 1);
    assert_eq!(report["classes"]["removed"], 1);
    assert_eq!([&report["same"], &report["changed"]], [1, 1]);
    assert_eq!(report["examples"]["status"][0], "a.sgf");
}

#[test]
fn only_what_one_asks_for_makes_it_fail() {
    let folder = labelled();
    let old = folder.text("old.csv");
    folder.write("new.csv", old.replace(",agree,", ",unfinished,"));
    for (flags, status) in [
        ("", 1),
        ("--fail-on status", 1),
        ("--fail-on value,winner,added,removed", 0),
        ("--fail-on value,status", 1),
        ("--ignore status", 0),
        ("--ignore value,moves", 1),
        ("--ignore status --fail-on status", 0),
    ] {
        let said = folder.run(&format!("diff old.csv new.csv {flags}"));
        assert_eq!(said.status, status, "{flags}: {}", said.out);
    }
}

#[test]
fn each_class_is_told_apart() {
    let folder = labelled();
    let rows = folder.rows("old.csv");
    let header = folder.text("old.csv");
    let header: Vec<&str> = header.lines().next().unwrap().split(',').collect();
    for (column, class) in [
        ("content_hash", "content"),
        ("game_hash", "moves"),
        ("status", "status"),
        ("winner", "winner"),
        ("margin", "margin"),
        ("value", "value"),
        ("confidence", "confidence"),
        ("reasons", "reasons"),
        ("warnings", "warnings"),
        ("komi", "other"),
        ("error", "other"),
        ("offset", "other"),
    ] {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&header).unwrap();
        for row in &rows {
            let values = header.iter().map(|name| match row["origin"].as_str() {
                "b.sgf" if *name == column => "12",
                _ => row[*name].as_str(),
            });
            writer.write_record(values).unwrap();
        }
        folder.write("new.csv", writer.into_inner().unwrap());
        let said = folder.run("diff old.csv new.csv --format csv");
        let line = format!("b.sgf,,{class},{column},");
        assert!(said.out.contains(&line), "{column}: {}", said.out);
        assert_eq!(said.out.lines().count(), 2, "{column}: {}", said.out);
        let said = folder.run(&format!("diff old.csv new.csv --fail-on {class}"));
        assert_eq!(said.status, 1, "{class}");
    }
}

#[test]
fn columns_of_one_file_are_named() {
    let folder = labelled();
    label_again(
        &folder,
        "a.sgf b.sgf c.sgf",
        "new.csv",
        "--with legal,split",
    );
    let said = folder.run("diff old.csv new.csv");
    assert_eq!(said.status, 1);
    let found = lines(&said);
    assert!(found.contains(&"3 the same".to_owned()), "{found:?}");
    assert!(found.contains(&"new only columns legal, check, split".to_owned()));
    let said = folder.run("diff old.csv new.csv --ignore legal,check,split");
    assert_eq!(said.status, 0, "{}", said.out);
}

#[test]
fn records_without_rows_are_added_or_removed() {
    let folder = labelled();
    let old = folder.text("old.csv");
    folder.write("empty.csv", old.split_inclusive('\n').next().unwrap());
    folder.write("empty.jsonl", "");
    for (line, expected) in [
        ("diff empty.csv old.csv", "3 added: a.sgf, b.sgf, c.sgf"),
        ("diff old.csv empty.csv", "3 removed: a.sgf, b.sgf, c.sgf"),
        ("diff old.csv empty.jsonl", "3 removed: a.sgf, b.sgf, c.sgf"),
    ] {
        let said = folder.run(line);
        assert_eq!(said.status, 1, "{line}: {}", said.err);
        assert!(lines(&said).iter().any(|it| it == expected), "{}", said.out);
    }
    for line in ["diff empty.csv empty.jsonl", "diff empty.jsonl empty.jsonl"] {
        assert_eq!(folder.run(line).done().status, 0);
    }
    // A record that stands twice is compared in order.
    let twice = format!("{old}{}\n", old.lines().nth(1).unwrap());
    folder.write("twice.csv", twice);
    let said = folder.run("diff old.csv twice.csv");
    assert!(lines(&said).iter().any(|it| it == "1 added: a.sgf"));
    assert!(lines(&said).iter().any(|it| it == "3 the same"));
}

#[test]
fn odd_files_are_noted() {
    let folder = labelled();
    let old = folder.text("old.csv");
    let cut: String = old.split_inclusive('\n').take(3).collect();
    label_again(&folder, "a.sgf b.sgf c.sgf", "new.csv", "");
    folder.write("new.csv", cut);
    let said = folder.run("diff old.csv new.csv");
    let expected = "new.csv has 2 rows, and its summary counts 3: cut off, or of another run?";
    assert!(said.out.contains(expected), "{}", said.out);
    folder.write("moved.csv", old.replace(".sgf,", "-moved.sgf,"));
    let said = folder.run("diff old.csv moved.csv");
    assert!(
        said.out.contains("no origin is in both files"),
        "{}",
        said.out
    );
    // A summary that cannot be read is no reason not to compare.
    folder.write("new.csv", &old);
    folder.write("new.summary.json", "{\"schema\":");
    let said = folder.run("diff old.csv new.csv").done();
    assert!(
        said.err.contains("settings are not compared"),
        "{}",
        said.err
    );
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = labelled();
    let old = folder.text("old.csv");
    label_again(&folder, "a.sgf b.sgf c.sgf", "new.jsonl", "");
    label_again(&folder, "a.sgf b.sgf c.sgf", "new.csv.gz", "");
    label_again(&folder, "a.sgf b.sgf c.sgf", "later.csv", "");
    let json = folder.read("new.jsonl");
    let packed = folder.read("new.csv.gz");
    folder.write("cut.csv", &old[..old.len() - 60]);
    folder.write("cut.jsonl", &json[..json.len() - 60]);
    folder.write("cut.csv.gz", &packed[..packed.len() - 12]);
    folder.write("rows.parquet", b"PAR1....PAR1");
    folder.write("binary", b"\xff\xfe\x00\x01,,\n");
    folder.write("list.csv", "name,score\na,1\n");
    folder.write("older.csv", old.replacen(",game_hash", "", 1));
    folder.write("less.csv", old.replacen(",lead,", ",led,", 1));
    folder.write("keyless.csv", old.replacen("origin,", "origen,", 1));
    folder.write("null.jsonl", "{\"origin\":null}\n");
    let mut mixed = json.clone();
    writeln!(mixed, "{{\"origin\":\"x\"}}").unwrap();
    folder.write("mixed.jsonl", mixed);
    let summary = folder.text("later.summary.json");
    folder.write(
        "later.summary.json",
        summary.replace("label.v1", "label.v2"),
    );
    for (arguments, sentence) in [
        ("old.csv", "<NEW>"),
        ("old.csv nosuch.csv", "cannot read nosuch.csv: No such file"),
        ("old.csv .", "cannot read .: "),
        ("- -", "standard input can be read only once"),
        (
            "old.csv cut.csv",
            "cannot read cut.csv: row 3: the file is cut off",
        ),
        ("cut.csv old.csv", "fetch the whole file"),
        (
            "old.csv cut.jsonl",
            "cannot read cut.jsonl: line 3: the file is cut off",
        ),
        ("old.csv cut.csv.gz", "cannot read cut.csv.gz"),
        (
            "old.csv rows.parquet",
            if cfg!(feature = "parquet") {
                "cannot read rows.parquet: the file is damaged"
            } else {
                "cannot read rows.parquet: Parquet is not read, as this kifu was built without parquet"
            },
        ),
        ("old.csv binary", "binary"),
        ("old.csv a.sgf", "a.sgf holds no rows of kifu"),
        ("old.csv list.csv", "list.csv holds no rows of kifu"),
        ("list.csv old.csv", "list.csv holds no rows of kifu"),
        ("old.csv null.jsonl", "null.jsonl holds no rows of kifu"),
        (
            "old.csv less.csv",
            "less.csv has no column lead: is it of another version",
        ),
        ("keyless.csv old.csv", "keyless.csv has no column origin"),
        (
            "keyless.csv old.csv --ignore origin",
            "origin is the key of a row",
        ),
        ("old.csv older.csv", "older.csv has no column game_hash"),
        ("old.csv mixed.jsonl", "line 4 has no column"),
        (
            "old.csv later.csv",
            "later.csv holds rows of schema 'label.v2', as later.summary.json says",
        ),
        ("old.csv old.csv --ignore statu", "did you mean 'status'?"),
        ("old.csv old.csv --fail-on winer", "did you mean 'winner'?"),
        (
            "old.csv old.csv --format xml",
            "[possible values: text, json, csv]",
        ),
    ] {
        let said = folder.run(&format!("diff {arguments}"));
        assert_eq!(said.status, 2, "{arguments}: {} {}", said.out, said.err);
        assert!(said.err.contains(sentence), "{arguments}: {}", said.err);
    }
    // A column that is missing can be left out; rows that are as short as their
    // header are whole.
    let said = folder.run("diff old.csv less.csv --ignore lead,led");
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
}

/// Long values, such as boards, are compared whole and shown by their hash.
#[test]
fn boards_are_compared() {
    let folder = labelled();
    folder.write("e.sgf", COUNTED.replace("SZ[5]", "SZ[19]"));
    label_again(&folder, "e.sgf", "old.jsonl", "--with board");
    label_again(&folder, "e.sgf", "new.csv", "--with board");
    let said = folder.run("diff old.jsonl new.csv").done();
    assert!(said.out.contains("1  the same"), "{}", said.out);
    let moved = COUNTED.replace("SZ[5]", "SZ[19]").replace("W[ce]", "W[cf]");
    folder.write("e.sgf", moved);
    label_again(&folder, "e.sgf", "new.csv", "--with board");
    let said = folder.run("diff old.jsonl new.csv --format csv");
    let line = said.out.lines().find(|line| line.contains(",board,"));
    let line = line.unwrap_or_else(|| panic!("{}", said.out));
    assert_eq!(line.matches("xxh3:").count(), 2, "{line}");
}
