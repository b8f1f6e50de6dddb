//! What users see, kept in `tests/golden`. With `KIFU_BLESS=1` in the
//! environment the files there are written anew: look at what changed.

mod common;

use std::{fs, path::Path};

use common::run::{Folder, Said, kifu, run};

/// Compares a text with a golden file.
#[track_caller]
fn golden(name: &str, text: &str) {
    let path = Path::new("tests/golden").join(name);
    if std::env::var_os("KIFU_BLESS").is_some_and(|bless| bless == "1") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        return;
    }
    let kept = fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; KIFU_BLESS=1 writes it", path.display()));
    if text == kept {
        return;
    }
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (text, kept) = (lines(text), lines(&kept));
    let at = (0..).find(|at| text.get(*at) != kept.get(*at)).unwrap();
    panic!(
        "{} differs from line {}:\n  kept {:?}\n  now  {:?}\nKIFU_BLESS=1 writes it anew",
        path.display(),
        at + 1,
        kept.get(at),
        text.get(at),
    );
}

/// What a command printed, the messages below what it is for.
fn shown(said: &Said) -> String {
    let messages = without_times(&said.err);
    let rule = if said.out.is_empty() || messages.is_empty() {
        ""
    } else {
        "---\n"
    };
    format!("{}{rule}{messages}", said.out)
}

/// Messages without the line that says how long it took.
fn without_times(messages: &str) -> String {
    messages
        .lines()
        .filter(|line| !line.contains("  seconds, "))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn rows() {
    for (name, path) in [
        ("9x9", "go/9x9"),
        ("dirty", "go/dirty"),
        ("renju", "kinrow/sgf/renju.sgf"),
        ("kinrow-dirty", "kinrow/dirty"),
        ("xiangqi", "xiangqi/pgn"),
        ("xiangqi-dirty", "xiangqi/dirty"),
    ] {
        let said = run(&format!("label data/archive/{path} --quiet")).done();
        golden(&format!("rows-{name}.csv"), &said.out);
    }
    let said = run("label data/archive/go/odd/005.sgf --quiet --output-format jsonl");
    golden("row.jsonl", &said.done().out);
}

/// The files beside the rows, and what is said at the end.
#[test]
fn a_run() {
    let folder = Folder::new();
    let mut command = kifu();
    command.args(["label", "data/archive/go/dirty", "-o"]);
    command.arg(folder.path("labels.csv"));
    let said = Said::of(command.output().unwrap()).done();
    for name in ["labels.mismatches.csv", "labels.rejects.csv"] {
        golden(&format!("run-{name}"), &folder.text(name));
    }
    let version = concat!("\"", env!("CARGO_PKG_VERSION"), "\"");
    let summary = folder.text("labels.summary.json");
    golden(
        "run-labels.summary.json",
        &summary.replace(version, "\"VERSION\""),
    );
    let place = folder.path("").display().to_string();
    golden("run.txt", &without_times(&said.err).replace(&place, ""));
}

#[test]
fn explanations() {
    for (name, origin) in [
        ("dead", "data/archive/go/9x9/001.sgf"),
        ("mismatch", "data/archive/go/dirty/wrong_result.sgf"),
        ("broken", "data/archive/go/dirty/illegal_ko.sgf"),
        ("indexed", "data/archive/go/collection.sgf#12"),
        ("foul", "data/archive/kinrow/sgf/renju.sgf#17"),
        (
            "perpetual",
            "data/archive/xiangqi/dirty/perpetual_check_drawn.pgn",
        ),
    ] {
        let said = run(&format!("explain {origin}")).done();
        golden(&format!("explain-{name}.txt"), &shown(&said));
    }
    let said = run("explain data/boards/9x9.txt -v").done();
    golden("explain-chains.txt", &shown(&said));
}

#[test]
fn lists() {
    let said = run("list data/archive/go/collection.sgf data/archive/go/dirty Cargo.toml").done();
    golden("list.txt", &shown(&said));
}

#[test]
fn profiles() {
    golden("profiles.toml", &run("profiles").done().out);
}

#[test]
fn findings() {
    let said = run("audit data/archive/go/dirty");
    assert_eq!(said.status, 1);
    golden("audit.txt", &shown(&said));
}

/// What a page of the sample archive holds, but for times and its version.
#[test]
#[cfg(feature = "report")]
fn a_report() {
    let folder = Folder::new();
    let place = |name: &str| folder.path(name).display().to_string();
    let (rows, page) = (place("labels.csv"), place("report.html"));
    run(&format!("label data/archive -o {rows} --quiet")).done();
    run(&format!("report {rows} -o {page} --quiet")).done();
    let page = folder.text("report.html");
    let json = page.split_once("id=\"data\">").unwrap().1;
    let json = json.split_once("</script>").unwrap().0;
    let mut data: serde_json::Value = serde_json::from_str(json).unwrap();
    let about = data["about"].as_object_mut().unwrap();
    for name in ["run", "version", "labelled_by"] {
        assert!(
            about.remove(name).is_some_and(|value| !value.is_null()),
            "{name}"
        );
    }
    let mut text = serde_json::to_string_pretty(&data).unwrap();
    text.push('\n');
    golden("report.json", &text);
}

#[test]
fn help() {
    golden("help.txt", &run("--help").done().out);
    for command in [
        "label",
        "audit",
        "explain",
        "list",
        "profiles",
        "calibrate",
        "selfplay",
        #[cfg(feature = "report")]
        "report",
    ] {
        let said = run(&format!("{command} --help")).done();
        golden(&format!("help-{command}.txt"), &said.out);
    }
}
