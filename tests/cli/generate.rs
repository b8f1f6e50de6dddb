//! Manual pages, completions and the schema of rows.

use std::{
    collections::BTreeSet,
    process::{Command, Stdio},
};

use kifu::label::{COLUMNS, Column, EXTRA_COLUMNS, Kind};
use serde_json::Value;

use crate::common::run::{Folder, run};

/// Whether a program can be run here; says so where it cannot.
fn is_here(program: &str, test: &str) -> bool {
    let ran = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output();
    if ran.is_err() {
        eprintln!("skipped: {test} needs {program}");
    }
    ran.is_ok()
}

/// Runs a program on a file; what it says, where it ended well.
#[track_caller]
fn checked(program: &str, arguments: &[&str], folder: &Folder) -> String {
    let mut command = Command::new(program);
    let command = command.args(arguments).current_dir(folder.path(""));
    let output = command.stdin(Stdio::null()).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
    assert!(output.status.success(), "{program}: {out}{err}");
    format!("{out}{err}")
}

/// Every command, as `--help` lists them, and those below some.
fn commands() -> Vec<String> {
    let listed = |line: &str| {
        let help = run(line).done().out;
        let (_, after) = help.split_once("Commands:\n").unwrap();
        let lines = after.lines().take_while(|line| !line.is_empty());
        let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        let names = names.filter(|name| !name.is_empty() && *name != "help");
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    let mut commands = listed("--help");
    for above in ["generate", "engine"] {
        let below = listed(&format!("{above} --help"));
        commands.extend(below.iter().map(|below| format!("{above}-{below}")));
    }
    commands
}

#[test]
fn each_command_has_a_page() {
    let folder = Folder::new();
    folder.run("generate man -o man/man1").done();
    let mut pages: Vec<String> = commands()
        .iter()
        .map(|command| format!("kifu-{command}.1"))
        .collect();
    pages.push("kifu.1".to_owned());
    pages.sort();
    let mut found: Vec<String> = std::fs::read_dir(folder.path("man/man1"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(found, pages);
    let label = folder.text("man/man1/kifu-label.1");
    for part in [
        ".TH KIFU-LABEL 1",
        ".SH EXAMPLES\n.nf\n",
        "kifu label games/ \\-o labels.csv",
        "\\-\\-default\\-komi",
        "\\-\\-show\\-config",
        "KIFU_CONFIG",
    ] {
        assert!(label.contains(part), "{part}: {label}");
    }
    assert_eq!(
        run("generate man").done().out,
        folder.text("man/man1/kifu.1")
    );
}

/// What GNU roff and mandoc find to warn about.
#[test]
fn pages_are_well_formed() {
    let folder = Folder::new();
    folder.run("generate man -o .").done();
    for page in folder.names() {
        if is_here("groff", "pages_are_well_formed") {
            let said = checked("groff", &["-man", "-ww", "-z", "-Kutf8", &page], &folder);
            assert_eq!(said, "", "{page}");
        }
    }
}

#[test]
fn a_page_that_cannot_be_written_is_named() {
    let folder = Folder::with(&[("file", "")]);
    let said = folder.run("generate man -o file/below");
    assert_eq!(said.status, 2);
    assert!(
        said.err
            .starts_with("kifu: cannot make the folder file/below: "),
        "{}",
        said.err
    );
}

#[test]
fn completions_are_scripts_of_their_shells() {
    for (shell, check) in [
        ("bash", &["-n", "script"][..]),
        ("zsh", &["-n", "script"]),
        ("fish", &["--no-execute", "script"]),
        ("powershell", &[]),
        ("elvish", &[]),
    ] {
        let script = run(&format!("generate completions {shell}")).done().out;
        for word in ["show-config", "calibrate", "default-rules"] {
            assert!(script.contains(word), "{shell} {word}");
        }
        let folder = Folder::with(&[("script", &script)]);
        if !check.is_empty() && is_here(shell, "completions_are_scripts_of_their_shells") {
            checked(shell, check, &folder);
        }
    }
    let said = run("generate completions csh");
    assert_eq!(said.status, 2);
    assert!(
        said.err
            .contains("possible values: bash, elvish, fish, powershell, zsh")
    );
}

/// Bash asks the script for what may follow, as on a tab.
#[test]
fn bash_completes() {
    if !is_here("bash", "bash_completes") {
        return;
    }
    let folder = Folder::with(&[("kifu.bash", &run("generate completions bash").done().out)]);
    for (line, expected) in [
        ("kifu la", "label"),
        ("kifu label --show", "--show-config"),
        ("kifu explain --color ne", "never"),
        ("kifu generate completions z", "zsh"),
        ("kifu label --nothing-like", ""),
    ] {
        let words: Vec<String> = line.split(' ').map(|word| format!("'{word}'")).collect();
        let last = words.len() - 1;
        let script = format!(
            "source ./kifu.bash\nCOMP_WORDS=({})\nCOMP_CWORD={last}\n\
             _kifu kifu {} {}\necho \"${{COMPREPLY[*]}}\"",
            words.join(" "),
            words[last],
            words[last - 1],
        );
        let said = checked("bash", &["-c", &script], &folder);
        assert_eq!(said.trim(), expected, "{line}");
    }
}

fn schema(line: &str) -> Value {
    serde_json::from_str(&run(line).done().out).unwrap()
}

fn keys(object: &Value) -> BTreeSet<&str> {
    object
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

fn names<'c>(columns: impl IntoIterator<Item = &'c Column>) -> BTreeSet<&'c str> {
    columns.into_iter().map(|column| column.name).collect()
}

fn extra() -> impl Iterator<Item = &'static Column> {
    EXTRA_COLUMNS.iter().flat_map(|(_, columns)| *columns)
}

/// Rows are held to it by `scripts/check_schema.py`.
#[test]
fn the_schema_has_every_column_and_no_other_key() {
    let schema = schema("generate schema");
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(
        keys(&schema["properties"]),
        names(COLUMNS.iter().chain(extra()))
    );
    let required = schema["required"].as_array().unwrap();
    let required: BTreeSet<&str> = required.iter().filter_map(Value::as_str).collect();
    assert_eq!(required, names(COLUMNS));
    for column in COLUMNS.iter().chain(extra()) {
        let property = &schema["properties"][column.name];
        assert_eq!(property["description"], column.doc);
        let types = property["type"].to_string();
        assert_eq!(
            types.contains("null"),
            column.is_nullable(),
            "{}",
            column.name
        );
        if let Kind::Integer(least, most) = column.kind {
            assert_eq!(property["minimum"], least);
            assert!(property["maximum"] == most || most == i64::MAX);
        }
    }
}

/// The schema's words are those of the sources, the tables' were written by hand.
#[test]
fn words_of_the_schema_are_those_of_the_tables() {
    let schema = schema("generate schema");
    for column in COLUMNS.iter().chain(extra()) {
        let Some(words) = schema["properties"][column.name]["enum"].as_array() else {
            continue;
        };
        let words: BTreeSet<&str> = words.iter().filter_map(Value::as_str).collect();
        let named = column.doc.split('`').skip(1).step_by(2);
        let mut named: BTreeSet<&str> = named.collect();
        match column.name {
            // These send the reader to another line.
            "komi_from" => {
                assert!(words.contains("scaled"));
                continue;
            }
            "winner" => {
                assert_eq!(words, BTreeSet::from(["black", "white", "red", "draw"]));
                continue;
            }
            "dead_from" => assert!(named.remove("--gtp")),
            _ => {}
        }
        assert_eq!(words, named, "{}", column.name);
    }
}

#[test]
fn a_schema_of_some_columns_asks_for_all_of_them() {
    let some = schema("generate schema --with board,meta");
    let groups = ["board", "meta"];
    let extra = EXTRA_COLUMNS
        .iter()
        .filter(|(word, _)| groups.contains(word));
    let columns = names(
        COLUMNS
            .iter()
            .chain(extra.flat_map(|(_, columns)| *columns)),
    );
    assert_eq!(keys(&some["properties"]), columns);
    assert_eq!(some["required"].as_array().unwrap().len(), columns.len());
    let said = run("generate schema --with boards");
    assert_eq!(said.status, 2);
    assert!(
        said.err
            .starts_with("kifu: unknown column group 'boards' in --with; known are ")
    );
}
