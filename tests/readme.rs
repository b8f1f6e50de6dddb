//! Holds the README to what the tool does. What stands there between
//! `<!-- kept: NAME -->` and `<!-- /kept -->` is made here; with
//! `KIFU_BLESS=1` in the environment it is written anew.

mod common;

use std::{fs, sync::LazyLock};

use common::run::{Folder, Row, Said, kifu, run};
use kifu::{
    format::FORMATS,
    game::go::{Convention, Rules},
    label::{COLUMNS, Column, EXTRA_COLUMNS, Kind},
};

const README: &str = "README.md";
const OPEN: &str = "<!-- kept: ";
const CLOSE: &str = "<!-- /kept -->";

/// What the table of rows shows: the columns, and which records.
const SHOWN: &[&str] = &[
    "origin",
    "rules",
    "komi",
    "recorded",
    "winner",
    "margin",
    "dead_first",
    "dead_second",
    "confidence",
    "status",
    "reasons",
    "value",
    "value_from",
];
const RECORDS: &[&str] = &[
    "19x19/018.sgf",
    "9x9/001.sgf",
    "collection.sgf#12",
    "dirty/illegal_ko.sgf",
    "dirty/resigned.sgf",
    "dirty/sina_style.sgf",
    "dirty/wrong_margin.sgf",
];

/// The first run of the README: what it says, and its rows.
static FIRST_RUN: LazyLock<(String, Vec<Row>)> = LazyLock::new(|| {
    let folder = Folder::new();
    let mut command = kifu();
    command.args(["label", "data/archive", "-o"]);
    command.arg(folder.path("labels.csv"));
    let said = Said::of(command.output().unwrap()).done();
    let place = folder.path("").display().to_string();
    (said.err.replace(&place, ""), folder.rows("labels.csv"))
});

/// What stands under a name; `old` is what stood there before.
fn made(name: &str, old: &str) -> String {
    match name {
        "columns" => {
            let mut table = head(&["column", "holds", "content"]);
            for column in COLUMNS {
                table += &line(&described(column));
            }
            table
        }
        "more columns" => {
            let mut table = head(&["`--with`", "column", "holds", "content"]);
            for (word, columns) in EXTRA_COLUMNS {
                for column in *columns {
                    let [name, kind, doc] = described(column);
                    table += &line(&[format!("`{word}`"), name, kind, doc]);
                }
            }
            table
        }
        "presets" => presets(),
        "first run" => {
            let said = with_line_of(old, &FIRST_RUN.0);
            fenced(&format!("$ kifu label data/archive -o labels.csv\n{said}"))
        }
        "rows" => {
            let mut table = head(SHOWN);
            for record in RECORDS {
                let row = row(record);
                let cells: Vec<String> = SHOWN.iter().map(|name| row[*name].clone()).collect();
                table += &line(&cells);
            }
            table
        }
        command => {
            let (program, arguments) = command.split_once(' ').unwrap_or((command, ""));
            assert_eq!(program, "kifu", "nothing is known of {name:?}");
            let said = run(arguments);
            let status = match said.status {
                0 => String::new(),
                status => format!("$ echo $?\n{status}\n"),
            };
            fenced(&format!("$ {command}\n{}{status}", said.out))
        }
    }
}

/// A sample's row of the first run.
fn row(record: &str) -> &'static Row {
    let origin = format!("data/archive/go/{record}");
    let found = FIRST_RUN.1.iter().find(|row| row["origin"] == origin);
    found.unwrap_or_else(|| panic!("no row for {origin}"))
}

fn described(column: &Column) -> [String; 3] {
    let kind = match column.kind {
        Kind::Text => "text",
        Kind::Integer => "integer",
        Kind::Points => "points",
        Kind::Real => "fraction",
        Kind::Hash => "hex digits",
        Kind::Cells => "cells",
    };
    let name = format!("`{}`", column.name);
    [name, kind.to_owned(), column.doc.to_owned()]
}

fn presets() -> String {
    let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
    let mut table = head(&[
        "preset",
        "`scoring`",
        "`ko`",
        "`suicide`",
        "`tax`",
        "`button`",
        "`bonus`",
        "`komi`",
    ]);
    for name in Rules::names() {
        let rules = Rules::named(name).unwrap();
        table += &line(&[
            format!("`{name}`"),
            rules.scoring.word().to_owned(),
            rules.ko.word().to_owned(),
            yes(rules.suicide),
            rules.tax.word().to_owned(),
            yes(rules.button),
            rules.handicap_bonus.word().to_owned(),
            rules.komi.to_string(),
        ]);
    }
    table
}

/// The first two lines of a table.
fn head(titles: &[&str]) -> String {
    format!("{}{}\n", line(titles), "|---".repeat(titles.len()) + "|")
}

/// A line of a table.
fn line(cells: &[impl AsRef<str>]) -> String {
    let cell = |cell: &str| format!("| {} ", cell.replace('|', "\\|"));
    let cells: String = cells.iter().map(|text| cell(text.as_ref())).collect();
    format!("{}|\n", cells.replace("  ", " "))
}

fn fenced(text: &str) -> String {
    format!("```text\n{text}```\n")
}

/// A text with the line that says how long it took taken from another one.
fn with_line_of(old: &str, new: &str) -> String {
    let timed = |line: &&str| line.contains("  seconds, ");
    let kept = old.lines().find(timed);
    new.lines()
        .map(|line| match kept {
            Some(kept) if timed(&line) => format!("{kept}\n"),
            _ => format!("{line}\n"),
        })
        .collect()
}

#[test]
fn tables_and_outputs_are_true() {
    let text = fs::read_to_string(README).unwrap();
    let mut now = String::new();
    let mut rest = text.as_str();
    let mut names = Vec::new();
    while let Some((before, after)) = rest.split_once(OPEN) {
        let (name, after) = after.split_once(" -->\n").expect("the marker ends");
        let (old, after) = after.split_once(CLOSE).expect("the part ends");
        now += &format!("{before}{OPEN}{name} -->\n{}{CLOSE}", made(name, old));
        names.push(name);
        rest = after;
    }
    now += rest;
    for name in ["columns", "more columns", "presets", "first run", "rows"] {
        assert!(names.contains(&name), "{README} has lost its part {name:?}");
    }
    if std::env::var_os("KIFU_BLESS").is_some_and(|bless| bless == "1") {
        fs::write(README, now).unwrap();
        return;
    }
    for (at, (kept, now)) in text.lines().zip(now.lines()).enumerate() {
        assert_eq!(
            kept,
            now,
            "{README} differs from line {}: KIFU_BLESS=1 writes it anew",
            at + 1
        );
    }
    assert_eq!(text.len(), now.len(), "KIFU_BLESS=1 writes {README} anew");
}

/// Every word that the samples give is explained.
#[test]
fn words_of_rows_are_explained() {
    let text = fs::read_to_string(README).unwrap();
    let mut missing = Vec::new();
    for row in &FIRST_RUN.1 {
        let lists = ["reasons", "warnings", "error_kind", "status", "convention"];
        for said in lists.iter().flat_map(|list| row[*list].split(';')) {
            let word = said.split(['=', '@']).next().unwrap();
            let known = ["`", "=", "@"]
                .iter()
                .any(|end| text.contains(&format!("`{word}{end}")));
            if !known && !word.is_empty() && !missing.contains(&word) {
                missing.push(word);
            }
        }
    }
    assert!(missing.is_empty(), "not in {README}: {missing:?}");
    for convention in Convention::ALL {
        assert!(text.contains(&format!("`{}`", convention.word())));
    }
}

/// Every format has its line, with its extensions, and is a word of its column.
#[test]
fn formats_are_named() {
    let readme = fs::read_to_string("README.md").unwrap();
    let column = readme
        .lines()
        .find(|line| line.starts_with("| `format` | text"));
    let (_, table) = readme.split_once("\n## What is read\n").unwrap();
    for format in FORMATS {
        let name = format!("`{}`", format.name());
        assert!(column.unwrap().contains(&name), "{name} in the columns");
        let start = format!("| {name} | ");
        let line = table.lines().find(|line| line.starts_with(&start));
        let line = line.unwrap_or_else(|| panic!("{name} under what is read"));
        for extension in format.extensions() {
            assert!(line.contains(&format!("`.{extension}`")), "{line}");
        }
    }
}

/// The example of a configuration is one.
#[test]
fn the_configuration_is_read() {
    let text = fs::read_to_string(README).unwrap();
    let (_, after) = text.split_once("```toml\n").unwrap();
    let (config, _) = after.split_once("```").unwrap();
    let folder = Folder::of_samples(&["9x9/001.sgf"]);
    folder.write("kifu.toml", config);
    let said = folder.run("label . --quiet").done();
    assert_eq!(said.rows().len(), 1);
}
