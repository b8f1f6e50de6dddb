//! What merges of shards write beside rows of CSV, and rows by column.

use std::fs;

#[cfg(feature = "parquet")]
use parquet::file::reader::{FileReader, SerializedFileReader};
#[cfg(feature = "parquet")]
use serde_json::Value;

use super::common::run::{Folder, ILLEGAL, RESIGNED, WINNER_DIFFERS, sample};
use super::fleets::{archive, named, refused, same};

/// Rows by column, with every type that there is; so many rows that Parquet has two row
/// groups, and batches of shards end elsewhere than those of one run.
#[cfg(feature = "parquet")]
#[test]
fn shards_by_column_are_one_run() {
    let folder = archive();
    // Broken rows cost little.
    folder.write("all/many.sgf", "(;GM[1]SZ[9]B[zz])\n".repeat(70_000));
    let with = "--with board,ownership,meta,position_hash,legal --dead none --search none";
    folder
        .run(&format!("label all -o one.parquet -q {with}"))
        .done();
    folder.run("plan all --shards 7 -o plan -q").done();
    fs::create_dir(folder.path("out")).unwrap();
    for number in 1..=7 {
        let out = format!("out/{number}.parquet -o out/{number}.arrow");
        folder
            .run(&format!(
                "label --manifest plan/{number:04}.jsonl -o {out} -q {with}"
            ))
            .done();
    }
    let shards = |ending: &str| -> String {
        let names = (1..=7).rev().map(|number| format!("out/{number}.{ending}"));
        names.collect::<Vec<_>>().join(" ")
    };
    let parquet = shards("parquet");
    folder
        .run(&format!("merge {parquet} --plan plan -o merged.parquet"))
        .done();
    same(&folder, "one.parquet", "merged.parquet");
    let file = fs::File::open(folder.path("one.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    assert!(reader.metadata().num_row_groups() > 1);
    folder
        .run(&format!("label all -o one.arrow -o one.arrows -q {with}"))
        .done();
    let arrow = shards("arrow");
    for output in ["all.arrow", "again.arrows"] {
        folder.run(&format!("merge {arrow} -o {output}")).done();
    }
    same(&folder, "one.arrow", "all.arrow");
    same(&folder, "one.arrows", "again.arrows");

    // All that is asked of text.
    let missing = parquet.replace("out/3.parquet", "");
    for (shards, flags, words) in [
        (&*missing, "", &["1 of 7 shards: 3"][..]),
        (&missing, "--plan plan", &["3 (0003.jsonl)"]),
        (&format!("{parquet} out/3.parquet"), "", &["twice"]),
        (
            &format!("{missing} out/3.arrow"),
            "",
            &["out/3.arrow is arrow", "is parquet"],
        ),
    ] {
        let said = folder.run(&format!("merge {shards} {flags} -o less.parquet"));
        refused(&said, words);
    }
    for output in ["less.csv", "less.arrow"] {
        let said = folder.run(&format!("merge {parquet} -o {output}"));
        refused(&said, &["shards are parquet", output]);
    }
    let said = folder.run(&format!("merge {parquet} -o less.parquet.gz"));
    refused(&said, &["compressed inside"]);
    assert!(!folder.names().iter().any(|name| name.contains("less")));
    folder
        .run(&format!("merge {missing} -o less.parquet --partial"))
        .done();
    let summary = folder.text("less.summary.json");
    assert!(summary.contains("6 shards, not all"), "{summary}");
    folder.run("diff less.parquet less.parquet").done();
}

#[cfg(feature = "parquet")]
#[test]
fn shards_by_column_that_cannot_be_merged() {
    let folder = Folder::new();
    for number in 0..20 {
        folder.write(format!("all/{number}.sgf"), RESIGNED);
    }
    for (name, flags) in [
        ("s1", "--shard 1/2"),
        ("s2", "--shard 2/2"),
        ("meta", "--shard 2/2 --with meta"),
    ] {
        folder
            .run(&format!("label all {flags} -o {name}.parquet -q"))
            .done();
    }
    // Rows of another shard, under its number and with its summary.
    for ending in ["parquet", "mismatches.csv", "rejects.csv"] {
        folder.write(format!("s3.{ending}"), folder.read(&format!("s1.{ending}")));
    }
    let summary = folder.text("s1.summary.json");
    folder.write("s3.summary.json", summary.replace("1/2", "2/2"));
    // Other columns than its summary says.
    for ending in ["mismatches.csv", "rejects.csv", "summary.json"] {
        folder.write(format!("s4.{ending}"), folder.read(&format!("s2.{ending}")));
    }
    folder.write("s4.parquet", folder.read("meta.parquet"));
    let cut = |name: &str, length: usize| {
        let whole = folder.read(name);
        whole[..length.min(whole.len())].to_vec()
    };
    for (name, bytes) in [
        ("cut", cut("s2.parquet", 2000)),
        ("text", b"origin\na.sgf\n".to_vec()),
    ] {
        folder.write(format!("{name}.parquet"), bytes);
        for ending in ["mismatches.csv", "rejects.csv", "summary.json"] {
            folder.write(
                format!("{name}.{ending}"),
                folder.read(&format!("s2.{ending}")),
            );
        }
    }
    let first = "all/";
    for (shard, words) in [
        ("meta", ["with is not set", "meta"]),
        ("s3", [first, "s3.parquet"]),
        ("s4", ["s4.parquet", "different columns"]),
        ("cut", ["cut.parquet", "cut off"]),
        ("text", ["s1.parquet is parquet", "text.parquet is csv"]),
    ] {
        let said = folder.run(&format!("merge s1.parquet {shard}.parquet -o all.parquet"));
        refused(&said, &words);
    }
    let summary = folder.text("s2.summary.json");
    let rows = summary.find("\"rows\": ").unwrap() + 8;
    let wrong = format!("{}1{}", &summary[..rows], &summary[rows..]);
    folder.write("s2.summary.json", wrong);
    let said = folder.run("merge s1.parquet s2.parquet -o all.parquet");
    refused(&said, &["s2.parquet", "by its summary"]);
    for shard in ["s1", "s2"] {
        let name = format!("{shard}.summary.json");
        let older = summary_of_version(&folder.text(&name), "0.0.1");
        folder.write(&name, older);
    }
    let said = folder.run("merge s1.parquet s2.parquet -o all.parquet");
    refused(&said, &["of kifu 0.0.1", "the version that wrote it"]);
    assert!(folder.read_if_file("all.parquet").is_none());
    assert!(!folder.names().iter().any(|name| name.contains(".tmp")));
}

/// A summary as another version would have written it.
#[cfg(feature = "parquet")]
fn summary_of_version(summary: &str, version: &str) -> String {
    let mut summary: Value = serde_json::from_str(summary).unwrap();
    summary["version"] = version.into();
    summary.to_string()
}

/// Bytes that changed on their way are found, though they are rows still and as many.
#[test]
fn shards_are_what_their_runs_wrote() {
    let folder = Folder::with(&[("all/a.sgf", RESIGNED), ("all/b.sgf", ILLEGAL)]);
    folder.write("all/c.sgf", sample(WINNER_DIFFERS));
    fs::create_dir(folder.path("there")).unwrap();
    folder
        .run("label all --shard 1/1 -o there/out.csv --fixes there/out.fixes.csv -q")
        .done();
    fs::rename(folder.path("there"), folder.path("here")).unwrap();
    folder.run("merge here/out.csv -o all.csv").done();
    let report = folder.read("here/out.run.json");
    for (ending, from, to) in [
        ("csv", "all/a.sgf", "all/A.sgf"),
        ("mismatches.csv", "all/c.sgf", "all/C.sgf"),
        ("rejects.csv", "all/b.sgf", "all/B.sgf"),
        ("fixes.csv", "all/c.sgf", "all/C.sgf"),
        ("summary.json", "{\n", "{ \n"),
    ] {
        let name = format!("here/out.{ending}");
        let whole = folder.text(&name);
        let changed = whole.replacen(from, to, 1);
        assert_ne!(whole, changed, "{name}");
        folder.write(&name, changed);
        let said = folder.run("merge here/out.csv -o less.csv");
        refused(&said, &[&name, "SHA-256 in here/out.run.json"]);
        assert!(folder.read_if_file("less.csv").is_none());
        // Nothing tells, where only rows were moved.
        fs::remove_file(folder.path("here/out.run.json")).unwrap();
        folder.run("merge here/out.csv -o all.csv").done();
        folder.write("here/out.run.json", &report);
        folder.write(&name, whole);
    }
    folder.write("here/out.run.json", "{");
    let said = folder.run("merge here/out.csv -o less.csv");
    refused(&said, &["cannot read here/out.run.json"]);
}

/// Corrections beside rows are rows too, as long as every shard has them.
#[test]
fn corrections_are_merged() {
    let folder = archive();
    folder
        .run("label all -o one.csv --fixes one.fixes.csv -q")
        .done();
    assert!(folder.text("one.fixes.csv").lines().count() > 3);
    folder.run("plan all --shards 4 -o plan -q").done();
    fs::create_dir(folder.path("out")).unwrap();
    for number in 1..=4 {
        let packed = ["", ".gz", ".zst"][number % 3];
        folder
            .run(&format!(
                "label --manifest plan/{number:04}.jsonl -o out/{number}.csv -q --fixes \
                 out/{number}.fixes.csv{packed}"
            ))
            .done();
    }
    let named = named(&folder, "out");
    folder
        .run(&format!("merge {named} --plan plan -o merged.csv"))
        .done();
    same(&folder, "one.csv", "merged.csv");
    assert!(folder.read("one.fixes.csv") == folder.read("merged.fixes.csv"));

    folder.write("out/1.fixes.csv.gz", "");
    folder.write("out/1.fixes.csv", folder.read("one.fixes.csv"));
    let said = folder.run(&format!("merge {named} -o less.csv"));
    refused(&said, &["out/1.fixes.csv", "both of out/1.csv"]);
    for packed in ["", ".gz"] {
        fs::remove_file(folder.path(format!("out/1.fixes.csv{packed}"))).unwrap();
    }
    let rows = "out/1.csv out/2.csv out/3.csv out/4.csv";
    let said = folder.run(&format!("merge {rows} -o less.csv"));
    refused(&said, &["out/1.csv has no fixes.csv", "out/2.fixes.csv"]);
    assert!(!folder.names().iter().any(|name| name.contains("less")));
}
