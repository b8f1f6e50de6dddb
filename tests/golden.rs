//! What users see, kept in `tests/golden`. With `KIFU_BLESS=1` in the
//! environment the files there are written anew: look at what changed.
#![cfg(feature = "cli")]

mod common;

use std::{fs, path::Path};

use common::run::{Folder, Said, kifu, run};
use xxhash_rust::xxh3::xxh3_64;

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

/// A record of each game, of each way it may end, and of each family of formats.
/// What they tell is held against other sources in `tests/explained`.
const EXPLAINED: &[(&str, &str)] = &[
    ("dead", "go/9x9/001.sgf"),
    ("mismatch", "go/dirty/wrong_result.sgf"),
    ("broken", "go/dirty/illegal_ko.sgf"),
    ("unreadable", "go/dirty/bad_size.sgf"),
    ("indexed", "go/collection.sgf#12"),
    ("resigned", "go/dirty/resigned.sgf"),
    ("unfinished", "go/dirty/unfinished.sgf"),
    ("handicap", "go/9x9/012.sgf"),
    ("unclear", "go/9x9/042.sgf"),
    ("extra-close", "go/dirty/unescaped_bracket.sgf"),
    ("foul", "kinrow/sgf/renju.sgf#17"),
    ("renju-foul-rif", "kinrow/rif/games.xml#14"),
    ("renju-line-pos", "kinrow/pos/002.pos"),
    ("renju-full-list", "kinrow/lists/renju_fields.txt#27"),
    ("renju-open", "kinrow/sgf/renju.sgf#32"),
    ("gomoku-line-psq", "kinrow/psq/Freestyle1/0_ant_bee_1.psq"),
    ("gomoku-full", "kinrow/sgf/standard.sgf#7"),
    ("gomoku-limit", "kinrow/sgf/freestyle/gomoku-11.sgf"),
    ("gomoku-open", "kinrow/sgf/freestyle/gomoku-10.sgf"),
    ("gomoku-broken", "kinrow/dirty/repeated_point.sgf"),
    ("caro-line-board", "kinrow/boards/final.txt#4"),
    ("tictactoe-line", "kinrow/sgf/tictactoe.sgf"),
    ("tictactoe-full", "kinrow/sgf/tictactoe.sgf#3"),
    ("kinrow-line", "kinrow/sgf/kinrow.sgf"),
    ("kinrow-full", "kinrow/sgf/kinrow.sgf#4"),
    ("perpetual", "xiangqi/dirty/perpetual_check_drawn.pgn"),
    ("xiangqi-mate-csv", "xiangqi/lists/games.csv#id=x0003"),
    ("xiangqi-stalemate-dhtmlxq", "xiangqi/dhtmlxq/games.txt"),
    ("xiangqi-repetition-moves", "xiangqi/lists/moves.txt#29"),
    ("xiangqi-material", "xiangqi/pgn/iccs.pgn#13"),
    ("xiangqi-open-fen", "xiangqi/lists/positions.fen#13"),
    ("xiangqi-broken", "xiangqi/dirty/takes_general.pgn"),
];

/// The same with flags, or not of the archive.
const EXPLAINED_WITH: &[(&str, &str)] = &[
    ("chains", "data/boards/9x9.txt -v"),
    ("gib", "data/formats/one.gib"),
    ("ngf", "data/formats/two.ngf"),
    ("ugf", "data/formats/three.ugf"),
    ("lines", "data/formats/games.kifu.txt#id=001"),
    (
        "xiangqi-no-capture",
        "data/archive/xiangqi/lists/moves.txt#29 --rules none --no-capture 4",
    ),
    (
        "ascii",
        "data/archive/xiangqi/lists/games.csv#id=x0003 --ascii -v",
    ),
    ("color", "data/archive/go/9x9/001.sgf --color always"),
    (
        "xiangqi-color",
        "data/archive/xiangqi/lists/games.csv#id=x0003 --color always",
    ),
];

#[test]
fn explanations() {
    let of_archive = EXPLAINED
        .iter()
        .map(|(name, origin)| (*name, format!("data/archive/{origin}")));
    let with = EXPLAINED_WITH.iter();
    let with = with.map(|(name, line)| (*name, (*line).to_owned()));
    for (name, line) in of_archive.chain(with) {
        let said = run(&format!("explain {line}")).done();
        golden(&format!("explain-{name}.txt"), &shown(&said));
    }
}

/// Every sample, a line each: what is said of its board, its status, and a hash of
/// the whole text, so that none changes unseen.
#[test]
fn every_explanation() {
    let said = run("label data/archive data/formats data/boards --quiet --dead none").done();
    let mut lines = String::from("origin,board,status,xxh3\n");
    for row in said.rows() {
        let origin = &row["origin"];
        let said = Said::of(kifu().args(["explain", origin]).output().unwrap());
        // What holds no record cannot be explained.
        let text = if said.status == 0 { said.out } else { said.err };
        let value = |key: &str| {
            let mut values = text.lines().filter_map(|line| line.strip_prefix(key));
            let value = values.next().unwrap_or_default().trim();
            value.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let [board, status] = ["board  ", "status  "].map(value);
        let hash = xxh3_64(text.as_bytes());
        lines += &format!(
            "{origin},{},{status},{hash:016x}\n",
            board.replace(',', ";")
        );
    }
    golden("explained.csv", &lines);
}

/// As JSON, as SGF and as SVG.
#[test]
fn explanations_for_programs() {
    for (name, line) in [
        ("go.json", "go/9x9/001.sgf --format json"),
        ("renju.json", "kinrow/sgf/renju.sgf#17 --format json"),
        (
            "xiangqi.json",
            "xiangqi/dirty/perpetual_check_drawn.pgn --format json",
        ),
        ("go.sgf.txt", "go/9x9/001.sgf --sgf -"),
        ("renju.sgf.txt", "kinrow/sgf/renju.sgf#17 --sgf -"),
        ("go.svg", "go/odd/005.sgf --svg -"),
        ("tictactoe.svg", "kinrow/sgf/tictactoe.sgf#2 --svg -"),
        (
            "xiangqi.svg",
            "xiangqi/dirty/perpetual_check_drawn.pgn --svg -",
        ),
    ] {
        let said = run(&format!("explain data/archive/{line} --quiet")).done();
        golden(&format!("explain-{name}"), &said.out);
    }
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
        "diff",
        "plan",
        "merge",
        "selfplay",
        "engine",
        #[cfg(feature = "report")]
        "report",
        #[cfg(feature = "parquet")]
        "worker",
        "generate",
    ] {
        let said = run(&format!("{command} --help")).done();
        golden(&format!("help-{command}.txt"), &said.out);
    }
}
