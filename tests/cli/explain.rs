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
