//! Archives that are labelled in parts: plans, shards, and what merges them.

use std::{fmt::Write, fs, path::Path};

use serde_json::Value;

use crate::common::run::{Folder, ILLEGAL, RESIGNED, Said, WINNER_DIFFERS, sample};

/// What a run writes beside `NAME.csv`, and what does not tell times.
const BESIDE: [&str; 3] = ["mismatches.csv", "rejects.csv", "summary.json"];

/// A collection of some megabytes, with things between its games that do not
/// belong there, and games that are cut off or broken.
fn collection(megabytes: usize) -> String {
    let mut text = String::new();
    let mut number = 0_usize;
    while text.len() < megabytes << 20 {
        number += 1;
        let talk = "so it goes ".repeat(number * 7919 % 500);
        let between = ["\n", "", "\n\n", " a remark\n", "\n more text\n(;"][number % 97 % 5];
        let end = if number.is_multiple_of(89) { "" } else { ")" };
        let point = ["ee", "dd", "", "zz"][number % 4];
        write!(
            text,
            "(;GM[1]SZ[9]KM[6.5]RE[W+R]C[{number} {talk}];B[{point}]{end}{between}"
        )
        .unwrap();
    }
    text
}

/// Games in PGN, as many as take some megabytes.
fn games(megabytes: usize) -> Vec<u8> {
    let one = fs::read("data/archive/xiangqi/pgn/iccs.pgn").unwrap();
    let mut all = Vec::new();
    while all.len() < megabytes << 20 {
        all.extend_from_slice(&one);
        all.extend_from_slice(b"\n\n");
    }
    all
}

/// The bundled samples, with collections that are large enough to be cut.
pub(crate) fn archive() -> Folder {
    let folder = Folder::new();
    for from in ["data/archive", "data/formats"] {
        copy(Path::new(from), &folder.path(from.replace("data", "all")));
    }
    folder.write("all/big.sgf", collection(9));
    folder.write("all/notes!/100%.sgf", RESIGNED);
    folder.write("all/readme.txt", "no record");
    folder.write("all/z.pgn", games(6));
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Compares all that two runs wrote.
#[track_caller]
pub(crate) fn same(folder: &Folder, one: &str, other: &str) {
    let (stem, other_stem) = (one.split('.').next(), other.split('.').next());
    let (stem, other_stem) = (stem.unwrap(), other_stem.unwrap());
    assert!(folder.read(one) == folder.read(other), "{one} {other}");
    for ending in BESIDE {
        let [a, b] = [stem, other_stem].map(|stem| folder.read(&format!("{stem}.{ending}")));
        assert!(a == b, "{other_stem}.{ending}");
    }
}

/// Labels each shard of a plan.
fn label_all(folder: &Folder, plan: &str, shards: u32, out: &str, ending: &str) {
    fs::create_dir_all(folder.path(out)).unwrap();
    for number in 1..=shards {
        folder
            .run(&format!(
                "label --manifest {plan}/{number:04}.jsonl -o {out}/{number:04}.{ending} -q"
            ))
            .done();
    }
}

/// The rows of all shards, as a shell would name them: also those that disagree.
pub(crate) fn named(folder: &Folder, out: &str) -> String {
    let mut names: Vec<String> = fs::read_dir(folder.path(out))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with(".json"))
        .map(|name| format!("{out}/{name}"))
        .collect();
    names.sort();
    names.join(" ")
}

/// The lines of all manifests of a plan, without their heads.
fn lines(folder: &Folder, plan: &str, shards: u32) -> Vec<Value> {
    let manifests = (1..=shards).map(|number| folder.text(&format!("{plan}/{number:04}.jsonl")));
    let lines =
        manifests.flat_map(|text| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>());
    lines
        .map(|line| serde_json::from_str(&line).unwrap())
        .collect()
}

#[track_caller]
pub(crate) fn refused(said: &Said, words: &[&str]) {
    assert_eq!(said.status, 2, "{}", said.err);
    for word in words {
        assert!(said.err.contains(word), "{word}: {}", said.err);
    }
}

#[test]
fn seven_shards_of_a_plan_are_one_run() {
    let folder = archive();
    folder.run("label all -o one.csv -q").done();
    folder.run("plan all --shards 7 -o plan -q").done();
    let cut: Vec<Value> = lines(&folder, "plan", 7)
        .into_iter()
        .filter(|line| line.get("from").is_some())
        .collect();
    for file in ["all/big.sgf", "all/z.pgn"] {
        let ranges = cut.iter().filter(|line| line["path"] == file).count();
        assert!(ranges > 1, "{file} is cut: {cut:?}");
    }
    label_all(&folder, "plan", 7, "out", "csv");
    let named = named(&folder, "out");
    assert!(named.contains("mismatches"), "{named}");
    folder
        .run(&format!("merge {named} --plan plan -o merged.csv"))
        .done();
    same(&folder, "one.csv", "merged.csv");

    // In any order, and without the plan.
    let backward: Vec<&str> = named.split(' ').rev().collect();
    folder
        .run(&format!("merge {} -o again.csv", backward.join(" ")))
        .done();
    same(&folder, "one.csv", "again.csv");

    let missing = named.replace("out/0003.csv", "");
    for plan in ["", "--plan plan"] {
        let said = folder.run(&format!("merge {missing} {plan} -o less.csv"));
        // Without its rows, what lies beside them is a shard of its own.
        refused(&said, &["0003.mismatches.summary.json"]);
    }
    let missing = missing.replace("out/0003.mismatches.csv", "");
    let missing = missing.replace("out/0003.rejects.csv", "");
    let said = folder.run(&format!("merge {missing} -o less.csv"));
    refused(&said, &["1 of 7 shards: 3"]);
    let said = folder.run(&format!("merge {missing} --plan plan -o less.csv"));
    refused(&said, &["1 of 7 shards: 3 (0003.jsonl)"]);
    assert!(folder.read_if_file("less.csv").is_none());
    folder
        .run(&format!(
            "merge {missing} --plan plan -o less.csv --partial"
        ))
        .done();
    assert!(
        folder
            .text("less.summary.json")
            .contains("6 shards, not all")
    );

    let said = folder.run(&format!("merge {named} out/0003.csv -o less2.csv"));
    refused(&said, &["3/7 0003.jsonl", "twice", "out/0003.csv"]);
}

#[test]
fn seven_shards_by_name_are_one_run() {
    let folder = archive();
    folder
        .run("label all -o one.jsonl.zst -q --with meta")
        .done();
    fs::create_dir(folder.path("out")).unwrap();
    for number in 1..=7 {
        folder
            .run(&format!(
                "label all --shard {number}/7 -o out/{number}.jsonl.gz -q --with meta"
            ))
            .done();
    }
    let named = named(&folder, "out");
    folder
        .run(&format!("merge {named} -o merged.jsonl.zst"))
        .done();
    same(&folder, "one.jsonl.zst", "merged.jsonl.zst");
    assert_eq!(
        folder.run(&format!("merge {named} -o merged.csv")).status,
        2,
        "of another kind"
    );
    assert!(folder.read_if_file("merged.csv").is_none());
    assert!(!folder.names().iter().any(|name| name.contains(".tmp")));
}

/// Whatever the number of shards, ranges follow each other without a gap, and their
/// records are those of the whole file.
#[test]
fn ranges_joined_are_the_file() {
    let folder = Folder::new();
    folder.write("big.sgf", collection(6));
    folder.write(
        "moves.txt",
        "h8 i9 h7 h9 h6 g8\n\nh8 h7 i7 g9\r\n".repeat(6 << 15),
    );
    for file in ["big.sgf", "moves.txt"] {
        folder
            .run(&format!("label {file} -o one.csv -q --search none"))
            .done();
        for shards in [2, 3, 5] {
            let plan = format!("plan-{file}-{shards}");
            folder
                .run(&format!("plan {file} --shards {shards} -o {plan} -q"))
                .done();
            let lines = lines(&folder, &plan, shards);
            assert!(lines.len() > 1, "{file} is cut");
            let mut at = 0;
            for line in &lines {
                assert_eq!(line["from"], at, "{lines:?}");
                at = line["to"].as_u64().unwrap();
            }
            assert_eq!(at, fs::metadata(folder.path(file)).unwrap().len());
            let mut joined = String::new();
            for number in 1..=shards {
                let rows = folder.run(&format!(
                    "label --manifest {plan}/{number:04}.jsonl -q --search none"
                ));
                let rows = rows.done().out;
                let skip = if joined.is_empty() { 0 } else { 1 };
                joined.extend(rows.split_inclusive('\n').skip(skip));
            }
            assert!(joined == folder.text("one.csv"), "{file} in {shards}");
        }
    }
}

/// What is said of a record that is too long depends on whether the window holds its
/// end, so the windows of a range lie as those of the whole run.
#[test]
fn limits_hold_in_ranges_as_in_one_run() {
    let folder = Folder::new();
    let game = |length: usize| format!("(;GM[1]SZ[9]RE[B+R]C[{}];B[ee])\n", "y".repeat(length));
    let short = game(960);
    folder.write(
        "a.sgf",
        [short.repeat(350), game(1_200_000), short.repeat(5000)].concat(),
    );
    let flags = "-q --max-record 600K";
    folder
        .run(&format!("label a.sgf -o one.csv {flags}"))
        .done();
    let long = &folder.rows("one.csv")[350];
    assert_eq!(long["error_kind"], "record_too_large");
    assert!(!long["content_hash"].is_empty(), "its end was met");
    folder
        .run(&format!("plan a.sgf --shards 40 -o plan {flags}"))
        .done();
    let begins = |line: &Value| line["index"] == 351;
    assert!(
        lines(&folder, "plan", 40).iter().any(begins),
        "a range begins with it"
    );
    let mut joined = String::new();
    for number in 1..=40 {
        let rows = folder.run(&format!("label --manifest plan/{number:04}.jsonl {flags}"));
        let skip = usize::from(number > 1);
        joined.extend(rows.done().out.split_inclusive('\n').skip(skip));
    }
    assert!(joined == folder.text("one.csv"));
}

/// Every record can be a range of its own.
#[test]
fn a_range_is_what_begins_in_it() {
    let folder = Folder::new();
    let mut text = String::new();
    for number in 0..20 {
        write!(text, "{RESIGNED}\n{}{ILLEGAL}", "\n".repeat(number)).unwrap();
    }
    folder.write("a.sgf", &text);
    folder.write(
        "b.fen",
        fs::read("data/archive/xiangqi/lists/positions.fen").unwrap(),
    );
    for (file, format) in [("a.sgf", "sgf"), ("b.fen", "fen")] {
        let whole = folder.run(&format!("label {file} -q")).done();
        let size = fs::metadata(folder.path(file)).unwrap().len();
        let offsets = whole.rows().into_iter().skip(1);
        let mut borders: Vec<u64> = offsets.map(|row| row["offset"].parse().unwrap()).collect();
        borders.insert(0, 0);
        borders.push(size);
        let mut manifest = String::new();
        for (pair, index) in borders.windows(2).zip(1..) {
            let (from, to) = (pair[0], pair[1]);
            writeln!(
                manifest,
                r#"{{"path":"{file}","from":{from},"to":{to},"index":{index},"bytes":{size},"format":"{format}"}}"#
            )
            .unwrap();
        }
        folder.write("m.jsonl", manifest);
        let parts = folder.run("label --manifest m.jsonl -q").done();
        assert_eq!(parts.out, whole.out, "{file}");
    }
}

#[test]
fn manifests_that_cannot_be_labelled() {
    let folder = Folder::with(&[
        ("a.sgf", RESIGNED),
        (
            "twice.jsonl",
            "{\"path\":\"a.sgf\"}\n{\"path\":\"./a.sgf\"}\n",
        ),
        ("bad.jsonl", "{\"path\":\"a.sgf\"}\n{\"paths\":\"b.sgf\"}\n"),
        (
            "old.jsonl",
            "{\"kifu\":\"0.0.1\",\"shard\":1,\"shards\":2}\n",
        ),
    ]);
    for (flags, words) in [
        ("--manifest twice.jsonl", ["a.sgf", "lines 1 and 2"]),
        ("--manifest bad.jsonl", ["line 2", "paths"]),
        ("--manifest old.jsonl", ["0.0.1", "plan again"]),
        ("--manifest none.jsonl", ["none.jsonl", "cannot read"]),
        (
            "--manifest twice.jsonl a.sgf",
            ["--manifest", "cannot be used"],
        ),
        ("a.sgf --shard 3", ["\"3\"", "3/7"]),
        ("a.sgf --shard 0/7", ["no shard 0", "1 to 7"]),
        ("a.sgf --shard 8/7", ["no shard 8", "1 to 7"]),
        (
            "a.sgf --shard 1/7 --with split",
            ["--with split", "--shard"],
        ),
        (
            "a.sgf --shard 1/7 --duplicates",
            ["--duplicates", "--shard"],
        ),
    ] {
        refused(&folder.run(&format!("label {flags}")), &words);
    }
    let said = folder.run("label --manifest bad.jsonl -o bad.jsonl");
    refused(&said, &["bad.jsonl"]);
}

/// A manifest may be older than the archive.
#[test]
fn files_that_have_gone_or_changed_are_rows() {
    let folder = Folder::with(&[
        ("all/a.sgf", RESIGNED),
        ("all/b.sgf", RESIGNED),
        ("all/c.sgf", RESIGNED),
    ]);
    folder.run("plan all --shards 1 -o plan -q").done();
    fs::remove_file(folder.path("all/b.sgf")).unwrap();
    let rows = folder.run("label --manifest plan/0001.jsonl -q").done();
    let kinds: Vec<String> = rows
        .rows()
        .iter()
        .map(|row| row["error_kind"].clone())
        .collect();
    assert_eq!(rows.origins(), ["all/a.sgf", "all/b.sgf", "all/c.sgf"]);
    assert!(kinds[0].is_empty() && kinds[2].is_empty());
    assert_eq!(rows.rows()[1]["status"], "broken");
    assert_eq!(
        folder.run("audit --manifest plan/0001.jsonl -q").status,
        1,
        "an audit tells"
    );

    let range = |bytes: usize, format: &str| {
        format!(
            "{{\"path\":\"all/a.sgf\",\"from\":9,\"to\":12,\"index\":4,\"bytes\":{bytes},\
             \"format\":\"{format}\"}}\n"
        )
    };
    let gone = range(RESIGNED.len(), "sgf").replace("a.sgf", "b.sgf");
    folder.write("m.jsonl", gone);
    let rows = folder.run("label --manifest m.jsonl -q").done().rows();
    assert_eq!(rows[0]["origin"], "all/b.sgf#4");
    assert_eq!(rows[0]["error_kind"], "unreadable");
    for (line, word) in [
        (range(RESIGNED.len() + 1, "sgf"), "bytes"),
        (range(RESIGNED.len(), "pgn"), "pgn"),
    ] {
        folder.write("m.jsonl", line);
        let rows = folder.run("label --manifest m.jsonl -q").done().rows();
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0]["origin"], "all/a.sgf#4");
        assert_eq!(rows[0]["error_kind"], "changed_file");
        assert!(rows[0]["error"].contains(word), "{}", rows[0]["error"]);
    }
}

#[cfg(unix)]
#[test]
fn names_survive_a_plan() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    folder.write("all/x.sgf", RESIGNED);
    for name in [&b"\xba\xda.sgf"[..], b"a#1!%.sgf", b"line\nend.sgf"] {
        let name = Path::new("all").join(std::ffi::OsStr::from_bytes(name));
        folder.write(name, RESIGNED);
    }
    for flags in ["", "--root all", "--glob *.sgf"] {
        let plan = format!("plan{}", flags.len());
        folder
            .run(&format!("label all -o one.csv -q {flags}"))
            .done();
        folder
            .run(&format!("plan all --shards 3 -o {plan} -q {flags}"))
            .done();
        let out = format!("out{}", flags.len());
        label_all(&folder, &plan, 3, &out, "csv");
        let named = named(&folder, &out);
        let merged = folder.run(&format!("merge {named} --plan {plan} -o merged.csv -q"));
        merged.done();
        same(&folder, "one.csv", "merged.csv");
    }
}

/// A file under two names has two rows, in one run and in shards.
#[cfg(unix)]
#[test]
fn names_of_one_file_are_told_apart() {
    let folder = Folder::with(&[("all/a.sgf", RESIGNED), ("all/b/c.sgf", RESIGNED)]);
    std::os::unix::fs::symlink("../a.sgf", folder.path("all/b/link.sgf")).unwrap();
    let whole = folder.run("label all all/b/../a.sgf -q").done();
    let named = [
        "all/a.sgf",
        "all/b/../a.sgf",
        "all/b/c.sgf",
        "all/b/link.sgf",
    ];
    let mut origins = whole.origins();
    origins.sort();
    assert_eq!(origins, named);
    folder
        .run("plan all all/b/../a.sgf --shards 1 -o plan -q")
        .done();
    let planned = folder.run("label --manifest plan/0001.jsonl -q").done();
    assert_eq!(planned.out, whole.out);
}

#[test]
fn plans_that_are_not_made() {
    let folder = Folder::with(&[("a.sgf", RESIGNED), ("there/b.sgf", RESIGNED)]);
    for (flags, words) in [
        ("a.sgf --shards 0 -o p", ["1 to 99999", "0"]),
        (
            "a.sgf --shards 2 -o there",
            ["there holds something", "new folder"],
        ),
        ("- --shards 2 -o p", ["standard input", "twice"]),
        ("none --shards 2 -o q", ["none", "spelled"]),
    ] {
        refused(&folder.run(&format!("plan {flags}")), &words);
    }
}

#[test]
fn shards_that_do_not_belong_together() {
    let folder = Folder::with(&[("all/a.sgf", RESIGNED), ("all/b.sgf", ILLEGAL)]);
    // So many that each shard has some.
    for number in 0..20 {
        folder.write(format!("all/{number}.sgf"), RESIGNED);
    }
    folder.run("plan all --shards 2 -o plan -q").done();
    for (name, flags) in [
        ("m1", "--manifest plan/0001.jsonl"),
        ("m2", "--manifest plan/0002.jsonl"),
        ("s1", "all --shard 1/2"),
        ("s2", "all --shard 2/2"),
        ("t2", "all --shard 2/3"),
        ("rules", "all --shard 2/2 --rules chinese"),
        ("columns", "all --shard 2/2 --with meta"),
        ("limit", "all --shard 2/2 --limit 1"),
        ("whole", "all"),
    ] {
        folder
            .run(&format!("label {flags} -o {name}.csv -q"))
            .done();
    }
    folder.run("label all --shard 2/2 -o rows.parquet -q");
    for (rows, words) in [
        (
            "m1.csv s2.csv",
            ["m1.csv and s2.csv", "not shards of one run"],
        ),
        ("s1.csv t2.csv", ["1/2", "2/3"]),
        ("s1.csv rules.csv", ["rules is not set", "chinese"]),
        ("s1.csv columns.csv", ["with is not set", "meta"]),
        ("limit.csv s1.csv", ["limit.csv", "--limit"]),
        ("whole.csv", ["whole.csv", "not of a shard"]),
        ("s1.csv", ["1 of 2 shards: 2", "--partial"]),
        (
            "m1.csv s1.csv --plan plan",
            ["s1.csv", "no manifest of this plan"],
        ),
        ("s1.csv none.csv", ["none.csv", "cannot read"]),
        ("s1.csv s2.csv -o x.parquet", ["cannot be used", "--output"]),
    ] {
        let said = folder.run(&format!("merge {rows} -o all.csv"));
        refused(&said, &words);
    }
    let said = folder.run("merge s1.csv s2.csv -o s1.csv");
    refused(&said, &["will not write over s1.csv"]);
    #[cfg(feature = "parquet")]
    {
        let said = folder.run("merge s1.csv s2.csv -o all.parquet");
        refused(
            &said,
            &["shards are csv", "all.parquet is named as parquet"],
        );
    }
    assert!(folder.read_if_file("all.csv").is_none());

    // The same rows under another number.
    let summary = folder.text("s1.summary.json").replace("1/2", "2/2");
    folder.write("s3.summary.json", summary);
    for ending in ["csv", "mismatches.csv", "rejects.csv"] {
        folder.write(format!("s3.{ending}"), folder.read(&format!("s1.{ending}")));
    }
    let said = folder.run("merge s1.csv s3.csv -o all.csv");
    let first = folder.rows("s1.csv")[0]["origin"].clone();
    refused(&said, &[&first, "s1.csv", "s3.csv"]);
    assert!(folder.read_if_file("all.csv").is_none());

    // Rows that were lost since.
    let rows = folder.text("m1.csv");
    let header = rows.lines().next().unwrap();
    folder.write("m1.csv", format!("{header}\n"));
    let said = folder.run("merge m1.csv m2.csv -o all.csv");
    refused(&said, &["m1.csv", "by its summary"]);
}

#[test]
fn plans_and_merges_talk_as_they_are_asked_to() {
    let folder = Folder::with(&[("a.sgf", RESIGNED)]);
    folder.run("label a.sgf --shard 1/1 -o s.csv -q").done();
    for line in ["plan a.sgf --shards 1 -o plan", "merge s.csv -o all.csv"] {
        let said = folder.run(&format!("{line} --log-format json")).done();
        let message: Value = serde_json::from_str(&said.err).unwrap();
        assert_eq!(message["level"], "info", "{line}");
        let words = message["message"].as_str().unwrap();
        assert!(words.contains("1 shard"), "{words}");
        let said = folder.run(&format!("{line} --config none.toml"));
        refused(&said, &["none.toml"]);
    }
}

/// Shards of other inputs, and of another plan, have the same numbers.
#[test]
fn shards_say_what_they_are_of() {
    let folder = Folder::new();
    for number in 0..20 {
        folder.write(format!("all/{number}.sgf"), RESIGNED);
        folder.write(format!("more/{number}.sgf"), ILLEGAL);
    }
    folder.write("list.txt", "all\n");
    let label = |name: &str, flags: &str| {
        folder
            .run(&format!("label {flags} -o {name}.csv -q"))
            .done();
    };
    label("s1", "all --shard 1/2");
    for (name, flags, what) in [
        ("more", "more", "paths is all in the first and more"),
        ("root", "all --root all", "root is not set"),
        ("hidden", "all --hidden", "hidden is not set"),
        ("list", "all --files-from list.txt", "files_from is not set"),
    ] {
        label(name, &format!("{flags} --shard 2/2"));
        let said = folder.run(&format!("merge s1.csv {name}.csv -o all.csv"));
        refused(&said, &["s1.csv", &format!("{name}.csv"), what]);
    }
    label("s2", "all --shard 2/2");
    folder.run("merge s1.csv s2.csv -o all.csv").done();
    assert!(!folder.text("all.summary.json").contains("shard"));

    for archive in ["all", "more"] {
        let said = folder.run(&format!("plan {archive} --shards 2 -o plan-{archive} -q"));
        said.done();
        for number in 1..=2 {
            label(
                &format!("{archive}{number}"),
                &format!("--manifest plan-{archive}/000{number}.jsonl"),
            );
        }
    }
    let said = folder.run("merge all1.csv more2.csv -o mixed.csv");
    refused(&said, &["all1.csv and more2.csv", "plan is"]);
    folder.run("merge more1.csv more2.csv -o mixed.csv").done();
    assert!(!folder.text("mixed.summary.json").contains("shard"));
}

#[test]
fn a_planned_manifest_is_labelled_as_it_was_planned() {
    let folder = Folder::with(&[("all/a.sgf", RESIGNED), ("all/b.sgf", RESIGNED)]);
    folder.run("plan all --shards 1 -o plan -q").done();
    let text = folder.text("plan/0001.jsonl");
    let (head, lines) = text.split_once('\n').unwrap();
    let last = text.trim_end().rfind('\n').unwrap();
    for edited in [
        text.replace("b.sgf", "c.sgf"),
        text[..=last].to_owned(),
        format!("{text}{{\"path\":\"c.sgf\"}}\n"),
        text.replace("\"shard\":1", "\"shard\":2"),
        head.to_owned(),
    ] {
        assert_ne!(edited, text);
        folder.write("m.jsonl", &edited);
        let said = folder.run("label --manifest m.jsonl -q");
        refused(&said, &["m.jsonl", "plan again"]);
    }
    folder.write("m.jsonl", lines);
    folder.run("label --manifest m.jsonl -o m.csv -q").done();
    assert_eq!(folder.rows("m.csv").len(), 2);
}

/// What lies beside rows is of the same run, and what lies beside the merged rows too.
#[test]
fn what_lies_beside_shards_is_merged_with_care() {
    let folder = Folder::with(&[("all/a.sgf", RESIGNED), ("all/b.sgf", ILLEGAL)]);
    folder.write("all/c.sgf", sample(WINNER_DIFFERS));
    folder
        .run("label all --shard 1/1 -o out.csv --fixes out.fixes.csv -q")
        .done();
    folder.run("label all -o all.csv -q").done();
    assert!(folder.read_if_file("all.run.json").is_some());
    folder.run("merge out.csv out.fixes.csv -o all.csv").done();
    assert!(folder.read("out.fixes.csv") == folder.read("all.fixes.csv"));
    assert!(
        folder.read_if_file("all.run.json").is_none(),
        "of another run"
    );
    folder.write("other.csv", folder.read("out.fixes.csv"));
    let said = folder.run("merge out.csv other.csv -o all.csv");
    refused(&said, &["other.summary.json", "rows of shards"]);

    for ending in ["mismatches", "rejects"] {
        let name = format!("out.{ending}.csv");
        let whole = folder.text(&name);
        assert!(whole.lines().count() > 1, "{name}: {whole}");
        let header = whole.lines().next().unwrap();
        folder.write(&name, format!("{header}\n"));
        let said = folder.run("merge out.csv -o less.csv");
        refused(&said, &[&name, "0 rows", "summary of out.csv"]);
        folder.write(&name, whole);
    }
    assert!(folder.read_if_file("less.csv").is_none());
}

/// A state is of one manifest or shard, and keeps the rows of ranges too.
#[test]
fn shards_keep_a_state() {
    let folder = Folder::new();
    folder.write("all/a.sgf", sample("9x9/001.sgf"));
    folder.write("all/big.sgf", collection(9));
    folder.run("plan all --shards 2 -o plan -q").done();
    let label = |number: u32, out: &str| {
        folder.run(&format!(
            "label --manifest plan/000{number}.jsonl -o {out}.csv -q --state state"
        ))
    };
    label(1, "first").done();
    label(1, "again").done();
    assert!(folder.read("first.csv") == folder.read("again.csv"));
    let run: Value = serde_json::from_slice(&folder.read("again.run.json")).unwrap();
    assert_eq!(run["kept"], run["rows"], "{run}");
    assert!(run["rows"].as_u64().unwrap() > 100);
    refused(&label(2, "second"), &["shard", "0001.jsonl", "0002.jsonl"]);
    folder
        .run("label all --shard 1/2 -o s.csv -q --state other")
        .done();
    let said = folder.run("label all --shard 2/2 -o s.csv -q --state other");
    refused(&said, &["shard: was 1/2, is 2/2"]);
}
