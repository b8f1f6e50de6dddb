//! `kifu explain` on every sample: what it tells programs is held against the
//! tables made by other programs, what it writes as SGF is read back, what it
//! draws is looked at.
#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

mod facts;
mod pictures;
mod sgf;

use std::{fs, path::Path};

use common::run::{Row, Said, kifu, known_name, rows};
use serde_json::Value;

/// Files of the samples without any record.
const HOLDS_NOTHING: &[&str] = &[
    "dirty/empty_list.txt",
    "empty.sgf",
    "nul_only.sgf",
    "not_sgf.sgf",
];

/// What is known of the samples of a table, by their origins.
fn known(table: &str) -> Vec<(String, Row)> {
    let read = fs::read(format!("data/expected-{table}.csv")).unwrap();
    let folder = match table {
        "go" | "dirty" => "data/archive".to_owned(),
        _ => format!("data/archive/{table}"),
    };
    let named = rows(&read).into_iter().map(|row| {
        let name = match row.get("record") {
            Some(_) => known_name(&row),
            None => {
                let name = row["file"].strip_suffix("#1");
                name.unwrap_or(&row["file"]).to_owned()
            }
        };
        (format!("{folder}/{name}"), row)
    });
    let holds = |name: &str| !HOLDS_NOTHING.iter().any(|nothing| name.ends_with(nothing));
    named.filter(|(name, _)| holds(name)).collect()
}

/// Explains records with some flags.
fn explain<'a>(origins: impl IntoIterator<Item = &'a str>, flags: &[&str]) -> Said {
    let mut command = kifu();
    command.arg("explain").args(origins).args(flags);
    Said::of(command.arg("--quiet").output().unwrap())
}

/// What is told of records, for programs.
fn told<'a>(origins: impl IntoIterator<Item = &'a str>) -> Vec<Value> {
    let said = explain(origins, &["--format", "json"]).done();
    let lines = said.out.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The texts of a list.
fn list(value: &Value) -> Vec<&str> {
    let items = value.as_array().into_iter().flatten();
    items.map(|item| item.as_str().unwrap()).collect()
}

/// The row of a file that was written, by its place.
fn labelled(path: &Path) -> Vec<Row> {
    let mut command = kifu();
    command.arg("label").arg(path).arg("--quiet");
    Said::of(command.output().unwrap()).done().rows()
}
