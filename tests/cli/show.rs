//! `--show-config`: what it prints gives the same settings again.

use crate::common::run::{Folder, Said};

const CONFIG: &str = "\
# Ours.
[defaults]
rules = 'chinese'
komi = 7.5

[label]
tolerance = 0.5
with = ['board', 'meta']
glob = [
  '*.sgf',
]
max-record = '1M'
strict = true

[[input]]
path = 'a/**'
size = 9

[[profile]]
name = 'club'
path = ['club/**', 'b \"\\\\']
written-komi = [0, '']
komi = '3.75zi'
grounds = 'seen'
";

/// Without comments and blank lines, as a configuration reads it.
fn settings(text: &str) -> toml::Table {
    text.parse()
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The line of a key, blanks squeezed.
#[track_caller]
fn line(text: &str, key: &str) -> String {
    let begins = |line: &&str| {
        let line = line.strip_prefix("# ").unwrap_or(line);
        line.starts_with(&format!("{key} = "))
    };
    let found = text.lines().find(begins);
    let found = found.unwrap_or_else(|| panic!("no {key} in\n{text}"));
    found.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_shown_gives_the_same_settings() {
    let folder = Folder::with(&[("mine.toml", CONFIG), ("game.sgf", "(;SZ[9];B[ee])")]);
    for line in [
        "label",
        "label --config mine.toml",
        "label --config mine.toml --rules nz --komi -5.5 --dead none --judge all --jobs 2",
        "label --config mine.toml --glob !x --with split --no-profiles --hidden --nodes 7",
        "label --input-format sgf --encoding gb18030 --game go --size 13x9 --first-row top \
         --max-unpacked 1G --max-ratio 9 --max-members 8 --max-window 64M --convention area \
         --five-eye counts --fouls off --no-capture 0 --search vct --output-format jsonl \
         --default-rules aga --default-komi 3.75zi",
        "audit --config mine.toml --fail-on broken",
        "explain --config mine.toml --rules renju",
    ] {
        let command = line.split(' ').next().unwrap();
        let first = folder.run(&format!("{line} --show-config")).done().out;
        folder.write("shown.toml", &first);
        let again = folder.run(&format!("{command} --config shown.toml --show-config"));
        let again = again.done().out;
        assert_eq!(
            settings(&first),
            settings(&again),
            "{line}\n{first}\n{again}"
        );
        // Flags that were given are there.
        for (flag, value) in [("nz", "rules"), ("none", "dead"), ("vct", "search")] {
            if line.contains(&format!(" --{value} {flag}")) {
                assert_eq!(settings(&first)["label"][value].as_str(), Some(flag));
            }
        }
    }
}

/// The same rows and the same summary, which names the settings.
#[test]
fn a_run_is_the_same_with_what_was_shown() {
    let folder = Folder::of_samples(&[
        "dirty/sina_style.sgf",
        "dirty/wrong_margin.sgf",
        "9x9/001.sgf",
    ]);
    folder.write("mine.toml", CONFIG.replace("strict = true\n", ""));
    let flags = "--config mine.toml --convention territory_finished --tolerance 1 --with board";
    let shown = folder
        .run(&format!("label {flags} --show-config"))
        .done()
        .out;
    folder.write("shown.toml", shown);
    folder
        .run(&format!("label dirty 9x9 {flags} -q -o one.csv"))
        .done();
    folder
        .run("label dirty 9x9 --config shown.toml -q -o two.csv")
        .done();
    assert_eq!(folder.text("one.csv"), folder.text("two.csv"));
    assert_eq!(
        folder.text("one.summary.json"),
        folder.text("two.summary.json")
    );
}

#[test]
fn each_setting_says_where_it_comes_from() {
    let folder = Folder::with(&[("kifu.toml", CONFIG)]);
    let mut command = folder.kifu();
    command.env("KIFU_JOBS", "3");
    command.args([
        "label",
        "--show-config",
        "--rules",
        "aga",
        "--limit",
        "5",
        "--mismatches",
        "m.csv",
    ]);
    let shown = Said::of(command.output().unwrap()).done().out;
    for (key, expected) in [
        ("with", r#"with = ["board", "meta"] # kifu.toml:8"#),
        ("glob", r#"glob = ["*.sgf"] # kifu.toml:9"#),
        ("tolerance", r#"tolerance = "0.5" # kifu.toml:7"#),
        ("strict", "strict = true # kifu.toml:13"),
        ("max-record", "max-record = 1048576 # kifu.toml:12"),
        ("jobs", "jobs = 3 # environment: KIFU_JOBS"),
        ("dead", r#"# dead = "auto" # default"#),
        ("convention", "# convention = \"area\" # by the rules: aga"),
    ] {
        assert_eq!(line(&shown, key), expected);
    }
    for part in [
        "# Settings of kifu label; configuration: kifu.toml, found in this folder.\n",
        "[defaults]\nrules = \"chinese\"                   # kifu.toml:3\n",
        "rules = \"aga\"                       # command line: --rules\n",
        "\n# kifu.toml:15\n[[input]]\npath = \"a/**\"\n",
        "\n# kifu.toml:19\n[[profile]]\nname = \"club\"\n",
        "#   --mismatches m.csv\n#   --limit 5\n",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    let mut command = folder.kifu();
    command.env("KIFU_CONFIG", "kifu.toml");
    command.args(["explain", "--show-config", "--dead", "none"]);
    let shown = Said::of(command.output().unwrap()).done().out;
    assert!(
        shown.contains("kifu.toml, named by KIFU_CONFIG."),
        "{shown}"
    );
    assert!(!shown.contains("\njobs"), "{shown}");
}

/// An engine is passed over where another way is asked for, and says so.
#[test]
fn what_is_passed_over_is_named() {
    let folder = Folder::with(&[("mine.toml", "[label]\ngtp = 'gnugo --mode \"gtp\"'\n")]);
    let shown = folder.run("label --config mine.toml --dead none --show-config");
    assert_eq!(
        line(&shown.done().out, "gtp"),
        "# gtp = none # default; mine.toml:2 is passed over"
    );
}

/// Faults are found as without the flag, and nothing is shown.
#[test]
fn faults_are_the_same() {
    for (config, line) in [
        ("[label]\nkomy = 7\n", "label"),
        ("[label]\ndead = 'soon'\n", "label"),
        ("[label]\ngtp = 'x'\n", "label"),
        ("[label]\nwith = ['boards']\n", "label"),
        ("[label]\noutput-format = 'xml'\n", "label"),
        ("[label]\nfail-on = ['x']\n", "audit"),
        ("[label]\njobs = 1000\n", "audit"),
        ("[label]\nrules = 'renju,fouls=x'\n", "explain"),
        ("", "label --split 1,2,3"),
        ("", "label --tolerance x"),
    ] {
        let folder = Folder::with(&[("kifu.toml", config), ("game.sgf", "(;SZ[9];B[ee])")]);
        let plain = folder.run(&format!("{line} game.sgf"));
        let shown = folder.run(&format!("{line} game.sgf --show-config"));
        assert_eq!(
            (plain.status, shown.status),
            (2, 2),
            "{config}{line}: {}",
            plain.err
        );
        assert_eq!(plain.err, shown.err, "{config}{line}");
        assert_eq!(shown.out, "", "{config}{line}");
    }
}
