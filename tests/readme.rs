//! Holds the README and the pages in `docs` to what the tool does. What stands
//! there between `<!-- kept: NAME -->` and `<!-- /kept -->` is made here; with
//! `KIFU_BLESS=1` in the environment it is written anew.
#![cfg(feature = "cli")]

mod common;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use common::run::{Folder, Row, Said, kifu, run};
use kifu::{
    format::FORMATS,
    game::go::{Convention, Rules},
    label::{COLUMNS, Column, EXTRA_COLUMNS, Kind},
};

const README: &str = "README.md";
const DOCS: &str = "docs";
const OPEN: &str = "<!-- kept: ";
const CLOSE: &str = "<!-- /kept -->";

/// Records with faults, and few.
const DIRTY: &str = "data/archive/go/dirty";

/// What the table of rows shows: the columns, and which records.
const SHOWN: &[&str] = &[
    "origin",
    "rules",
    "komi",
    "recorded",
    "winner",
    "margin",
    "basis",
    "dead_first",
    "dead_second",
    "confidence",
    "status",
    "reasons",
    "value",
    "value_from",
];
const RECORDS: &[&str] = &[
    "go/19x19/018.sgf",
    "go/9x9/001.sgf",
    "go/collection.sgf#12",
    "go/dirty/illegal_ko.sgf",
    "go/dirty/resigned.sgf",
    "go/dirty/sina_style.sgf",
    "go/dirty/wrong_margin.sgf",
    "kinrow/dirty/foul_not_claimed.sgf",
    "kinrow/psq/Renju1/0_ant_bee_1.psq",
    "kinrow/rif/games.xml#17",
    "xiangqi/dirty/perpetual_check_drawn.pgn",
    "xiangqi/pgn/traditional_big5.pgn",
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
        "library" => example(),
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
        "differences" => {
            let folder = Folder::new();
            for (output, flags) in [("old.csv", ""), ("new.csv", " --komi 7.5")] {
                let place = folder.path(output).display().to_string();
                run(&format!("label {DIRTY} -q -o {place}{flags}")).done();
            }
            let said = folder.run("diff old.csv new.csv");
            assert_eq!(said.status, 1);
            fenced(&format!(
                "$ kifu label {DIRTY} -q -o old.csv\n\
                 $ kifu label {DIRTY} -q -o new.csv --komi 7.5\n\
                 $ kifu diff old.csv new.csv\n{}",
                said.out
            ))
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

/// The example at the top of the library's own page, which is run with the tests.
fn example() -> String {
    let text = fs::read_to_string("src/lib.rs").unwrap();
    let page = text.lines().map_while(|line| line.strip_prefix("//!"));
    let page = page.map(|line| line.strip_prefix(' ').unwrap_or(line));
    let code = page.skip_while(|line| *line != "```").skip(1);
    // Lines that begin with # are not shown.
    let code = code
        .take_while(|line| *line != "```")
        .filter(|line| !line.starts_with("# "));
    let code: String = code.map(|line| format!("{line}\n")).collect();
    format!("```rust\n{code}```\n")
}

/// A sample's row of the first run.
fn row(record: &str) -> &'static Row {
    let origin = format!("data/archive/{record}");
    let found = FIRST_RUN.1.iter().find(|row| row["origin"] == origin);
    found.unwrap_or_else(|| panic!("no row for {origin}"))
}

fn described(column: &Column) -> [String; 3] {
    let kind = match column.kind {
        Kind::Text => "text",
        Kind::Integer(..) => "integer",
        Kind::Points => "points",
        Kind::Real => "fraction",
        Kind::Hash(_) => "hex digits",
        Kind::Cells(_) => "cells",
        Kind::Board => "cells or text",
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

/// The parts that a page must have.
const PARTS: &[(&str, &str)] = &[
    (README, "first run"),
    (README, "rows"),
    (README, "columns"),
    ("docs/columns.md", "more columns"),
    ("docs/duplicates.md", "differences"),
    ("docs/rules.md", "presets"),
];

/// The README and every page in `docs`, by its path.
fn pages() -> BTreeMap<String, String> {
    let docs = fs::read_dir(DOCS).unwrap().map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        format!("{DOCS}/{name}")
    });
    let pages = docs.filter(|path| path.ends_with(".md"));
    pages
        .chain([README.to_owned()])
        .map(|path| (path.clone(), page(&path)))
        .collect()
}

fn page(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What stands in a page between fences of some language.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let fence = format!("\n```{language}\n");
    let parts = text.split(&fence).skip(1);
    parts
        .map(|part| part.split_once("```").expect("the fence ends").0)
        .collect()
}

#[test]
fn tables_and_outputs_are_true() {
    let mut found = BTreeSet::new();
    let mut wrong = Vec::new();
    for (path, text) in pages() {
        let mut now = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once(OPEN) {
            let (name, after) = after.split_once(" -->\n").expect("the marker ends");
            let (old, after) = after.split_once(CLOSE).expect("the part ends");
            now += &format!("{before}{OPEN}{name} -->\n{}{CLOSE}", made(name, old));
            found.insert((path.clone(), name.to_owned()));
            rest = after;
        }
        now += rest;
        if text == now {
            continue;
        }
        if std::env::var_os("KIFU_BLESS").is_some_and(|bless| bless == "1") {
            fs::write(path, now).unwrap();
        } else {
            let same = text.lines().zip(now.lines()).take_while(|(a, b)| a == b);
            let at = same.count();
            let [kept, now] = [&text, &now].map(|text| text.lines().nth(at).unwrap_or_default());
            wrong.push(format!("{path}:{}\n  {kept}\n  {now}", at + 1));
        }
    }
    assert!(
        wrong.is_empty(),
        "KIFU_BLESS=1 writes these anew:\n{}",
        wrong.join("\n")
    );
    for (path, name) in PARTS {
        let part = ((*path).to_owned(), (*name).to_owned());
        assert!(found.contains(&part), "{path} has lost its part {name:?}");
    }
}

/// Every word that the samples give is explained, and every convention.
#[test]
fn words_of_rows_are_explained() {
    let explained = [
        (README, "status"),
        ("docs/reasons.md", "reasons"),
        ("docs/reasons.md", "warnings"),
        ("docs/reasons.md", "error_kind"),
        ("docs/rules.md", "convention"),
    ];
    let mut words: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (path, column) in explained {
        for row in &FIRST_RUN.1 {
            let said = row[column].split(';');
            words.extend(said.map(|said| (path, said.split(['=', '@']).next().unwrap())));
        }
    }
    words.extend(
        Convention::ALL
            .iter()
            .map(|it| ("docs/rules.md", it.word())),
    );
    let pages = pages();
    let is_missing = |(path, word): &(&str, &str)| {
        let is_in = |end| pages[*path].contains(&format!("`{word}{end}"));
        !word.is_empty() && !["`", "=", "@"].into_iter().any(is_in)
    };
    let missing: Vec<_> = words.into_iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "not explained: {missing:?}");
}

/// Every word that the sources give to a warning, a reason or an error is
/// explained.
#[test]
fn words_of_sources_are_explained() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = walkdir::WalkDir::new(root).into_iter().map(Result::unwrap);
    let sources = files.filter(|file| file.path().extension().is_some_and(|it| it == "rs"));
    let mut words = BTreeSet::new();
    for source in sources {
        let text = fs::read_to_string(source.path()).unwrap();
        // What follows belongs to tests.
        let text = text.split("mod tests {").next().unwrap_or_default();
        for begin in ["Warning::", "Reason::", "ReadError::"] {
            for said in text.split(begin).skip(1) {
                let called = said.strip_prefix("new(").or(said.strip_prefix("with("));
                let word = called.and_then(|rest| rest.trim_start().strip_prefix('"'));
                words.extend(
                    word.and_then(|word| word.split('"').next())
                        .map(str::to_owned),
                );
            }
        }
    }
    assert!(words.len() > 50, "{words:?}");
    let pages = [
        page(README),
        page("docs/reasons.md"),
        page("docs/formats.md"),
    ]
    .concat();
    let is_known = |word: &String| {
        ["`", "=", "@"]
            .into_iter()
            .any(|end| pages.contains(&format!("`{word}{end}")))
    };
    words.retain(|word| !is_known(word));
    assert!(words.is_empty(), "not explained: {words:?}");
}

/// Every format has its line, with its extensions, and is a word of its column.
#[test]
fn formats_are_named() {
    let readme = page(README);
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

/// The example of a configuration is one, and every key of `[label]` is named.
#[test]
fn the_configuration_is_read() {
    let text = page("docs/settings.md");
    let folder = Folder::of_samples(&["9x9/001.sgf"]);
    folder.write("kifu.toml", blocks(&text, "toml")[0]);
    let said = folder.run("label . --quiet").done();
    assert_eq!(said.rows().len(), 1);

    folder.write("kifu.toml", "[label]\nno-such-key = 1\n");
    let said = folder.run("label . --quiet");
    let (_, known) = said
        .err
        .split_once("known are ")
        .expect("it names the keys");
    let keys: Vec<&str> = known.trim().split(", ").collect();
    assert!(keys.contains(&"gtp-seconds"), "{keys:?}");
    for key in keys {
        assert!(text.contains(&format!("`{key}`")), "{key} is not explained");
    }
}

/// Every command that is shown for a shell has flags that its help names.
#[test]
fn flags_of_commands_are_known() {
    let mut seen = 0;
    for (path, text) in pages() {
        let lines = blocks(&text, "sh").into_iter().flat_map(str::lines);
        for line in lines.filter(|line| line.starts_with("kifu ")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            // Those of `generate` are commands of their own.
            let command = words[1..]
                .iter()
                .take(1 + usize::from(words[1] == "generate"));
            let command: Vec<&str> = command.copied().collect();
            let help = run(&format!("{} --help", command.join(" "))).done().out;
            let help: Vec<&str> = help.split([' ', ',', '\n']).collect();
            for flag in words.iter().filter(|word| word.starts_with('-')) {
                assert!(help.contains(flag), "{path}: {line}");
            }
            seen += 1;
        }
    }
    assert!(seen > 5, "the recipes are found");
}

/// A page without what stands in fences and between backticks.
fn prose(text: &str) -> String {
    let unfenced: Vec<&str> = text.split("\n```").step_by(2).collect();
    let text = unfenced.join("\n");
    text.split('`').step_by(2).collect()
}

/// The targets of the links of a page.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let parts = prose.split("](").skip(1);
    parts
        .map(|part| part.split_once(')').expect("the link ends").0.to_owned())
        .collect()
}

/// The anchors of a page's headings: lower-case letters, digits and hyphens,
/// blanks as hyphens, all else left out.
fn anchors(text: &str) -> BTreeSet<String> {
    let unfenced: Vec<&str> = text.split("\n```").step_by(2).collect();
    let lines = unfenced.into_iter().flat_map(str::lines);
    let headings = lines.filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
            title.replace('`', "").chars().filter(kept).collect()
        })
        .map(|anchor: String| anchor.replace(' ', "-"))
        .collect()
}

/// What a page links to and is not there.
fn broken_links(path: &str, text: &str) -> Vec<String> {
    let leads = |link: &String| {
        let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
        let target: PathBuf = match file {
            "" => path.into(),
            file => Path::new(path).with_file_name(file),
        };
        let has_anchor =
            || fs::read_to_string(&target).is_ok_and(|text| anchors(&text).contains(anchor));
        target.exists() && (anchor.is_empty() || has_anchor())
    };
    let ours = links(text).into_iter().filter(|link| !link.contains("://"));
    ours.filter(|link| !leads(link)).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut pages = pages();
    let linked = |path: &String| pages[README].contains(&format!("]({path})"));
    let lost: Vec<_> = pages.keys().filter(|path| !linked(path)).collect();
    assert_eq!(lost, [README], "pages that the README does not link to");
    for path in ["CONTRIBUTING.md", "CHANGELOG.md"] {
        pages.insert(path.to_owned(), page(path));
    }
    for (path, text) in pages {
        let broken = broken_links(&path, &text);
        assert!(broken.is_empty(), "{path} links to {broken:?}");
    }
}

#[test]
fn broken_links_are_found() {
    let text = "# One: two, `three`\n\n[a](#one-two-three) [b](#one) [c](../README.md#limits)\n\
                [d](../README.md#nothing) [e](no.md) [f](settings.md) [g](https://x.org/#y)\n\
                `[h](none.md)`\n```text\n# Not a heading\n[i](none.md)\n```\n[j](#not-a-heading)\n";
    let folder = Folder::with(&[
        ("README.md", "# A\n\n## Limits\n"),
        ("docs/page.md", text),
        ("docs/settings.md", ""),
    ]);
    let path = folder.path("docs/page.md").display().to_string();
    let found = broken_links(&path, text);
    assert_eq!(
        found,
        ["#one", "../README.md#nothing", "no.md", "#not-a-heading"]
    );
}
