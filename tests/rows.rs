//! Rows that were written, read again: the same values, whatever they are
//! written as; and damaged files of types.
#![cfg(all(feature = "cli", feature = "parquet"))]

mod common;

use std::{fs, path::Path, sync::Arc};

use arrow_array::{ArrayRef, Int8Array, Int64Array, ListArray, RecordBatch, StringArray};
use arrow_ipc::writer::StreamWriter;
use common::run::{AGREES, Folder, MARGIN_DIFFERS, WINNER_DIFFERS, kifu};
use kifu::rows::Rows;
use parquet::{arrow::ArrowWriter, file::metadata::KeyValue};

/// Every word of `--with`.
const WITH: &str =
    "ownership,board,canonical_hash,forbidden,legal,position_hash,meta,duplicate_of,split";

/// The four ways to write rows, and both of Arrow.
const NAMES: [&str; 6] = [
    "a.csv",
    "a.jsonl",
    "a.jsonl.zst",
    "a.parquet",
    "a.arrow",
    "a.arrows",
];

/// All values of a file, after its columns; or what is wrong with it.
fn values(path: &Path) -> Result<Vec<Vec<String>>, String> {
    let mut rows = Rows::open(path)?;
    let columns = rows.columns().ok_or("no columns")?.to_vec();
    rows.choose(columns.iter().map(String::as_str));
    let mut all = vec![columns];
    while rows.advance()? {
        all.push(
            (0..all[0].len())
                .map(|at| rows.value(at).to_owned())
                .collect(),
        );
    }
    Ok(all)
}

/// Labels some samples in a folder, in every way.
fn labelled(paths: &[&str]) -> Folder {
    let folder = Folder::new();
    let mut command = kifu();
    command.args(["label", "--quiet", "--dead", "none", "--judge", "all"]);
    command.args(["--with", WITH]).args(paths);
    for name in NAMES {
        command.arg("-o").arg(folder.path(name));
    }
    command.assert().success();
    folder
}

#[test]
fn every_value_of_every_sample_is_that_of_csv() {
    let folder = labelled(&["data"]);
    // Held against a reader of CSV that is not kifu's.
    let expected = folder.rows("a.csv");
    assert!(expected.len() > 600, "{}", expected.len());
    for name in NAMES {
        let found = values(&folder.path(name)).unwrap();
        let (columns, rows) = found.split_first().unwrap();
        assert_eq!(columns.len(), expected[0].len(), "{name}");
        assert_eq!(rows.len(), expected.len(), "{name}");
        for (row, expected) in rows.iter().zip(&expected) {
            for (column, value) in columns.iter().zip(row) {
                assert_eq!(value, &expected[column], "{name}: {column}");
            }
        }
    }
    // Boards of both kinds were among them.
    let boards = |game: &str| -> Vec<&str> {
        let of_game = expected.iter().filter(|row| row["game"] == game);
        of_game.map(|row| row["board"].as_str()).collect()
    };
    assert!(boards("xiangqi").iter().any(|it| it.contains('/')));
    assert!(boards("go").iter().any(|it| it.contains("0 1 -1")));
    for name in &NAMES[1..] {
        let said = folder.run(&format!("diff a.csv {name}")).done();
        assert!(said.out.ends_with("the same\n"), "{name}: {}", said.out);
        assert!(!said.out.contains("columns"), "{name}: {}", said.out);
    }
}

#[test]
fn some_columns_in_any_order_are_those_of_csv() {
    let folder = labelled(&["data/archive/xiangqi", "data/archive/go/dirty"]);
    let chosen = ["status", "board", "no_such", "origin", "komi", "origin"];
    let read = |name: &str| -> Vec<Vec<String>> {
        let mut rows = Rows::open(&folder.path(name)).unwrap();
        rows.choose(chosen.into_iter());
        let mut all = Vec::new();
        while rows.advance().unwrap() {
            all.push(
                (0..=chosen.len())
                    .map(|at| rows.value(at).to_owned())
                    .collect(),
            );
        }
        all
    };
    let expected = read("a.csv");
    assert!(expected.iter().any(|row| row[1].contains('/')));
    for name in NAMES {
        assert_eq!(read(name), expected, "{name}");
    }
    // Whoever asks for nothing still learns how many rows there are.
    for name in NAMES {
        let mut rows = Rows::open(&folder.path(name)).unwrap();
        let count = std::iter::from_fn(|| rows.advance().unwrap().then_some(())).count();
        assert_eq!(count, expected.len(), "{name}");
    }
}

#[test]
fn many_batches_are_read_to_their_end() {
    let folder = Folder::new();
    let game = "(;GM[1]SZ[9]KM[6.5]RE[B+R];B[ee])";
    folder.write("games/a.sgf", game.repeat(70_000));
    folder
        .run("label games -q --dead none -o a.csv -o a.parquet -o a.arrow -o a.arrows")
        .done();
    let expected = values(&folder.path("a.csv")).unwrap();
    assert_eq!(expected.len(), 70_001);
    for name in ["a.parquet", "a.arrow", "a.arrows"] {
        assert!(values(&folder.path(name)).unwrap() == expected, "{name}");
    }
}

#[test]
fn files_without_rows_have_columns() {
    let folder = Folder::new();
    fs::create_dir(folder.path("games")).unwrap();
    folder
        .run("label games -q -o a.csv -o a.parquet -o a.arrow -o a.arrows")
        .done();
    let expected = values(&folder.path("a.csv")).unwrap();
    assert_eq!(expected.len(), 1);
    for name in ["a.parquet", "a.arrow", "a.arrows"] {
        assert_eq!(values(&folder.path(name)).unwrap(), expected, "{name}");
        folder.run(&format!("diff a.csv {name}")).done();
    }
}

#[test]
fn audits_know_what_was_found_before() {
    let folder = Folder::of_samples(&[WINNER_DIFFERS, MARGIN_DIFFERS, AGREES]);
    for name in ["a.parquet", "a.arrow"] {
        let said = folder.run(&format!("audit 9x9 dirty -q -o {name}"));
        assert_eq!(said.status, 1, "{}", said.err);
        let said = folder.run(&format!("audit 9x9 dirty -q --baseline {name}"));
        assert_eq!(
            (said.status, said.out.as_str()),
            (0, ""),
            "{name}: {}",
            said.err
        );
    }
}

/// A pipe gives a stream of Arrow; Parquet has to lie in a file.
#[test]
fn pipes_are_read_as_far_as_that_can_be() {
    let folder = Folder::of_samples(&[WINNER_DIFFERS, AGREES]);
    folder
        .run("label 9x9 dirty -q -o a.csv -o a.parquet -o a.arrow -o a.arrows")
        .done();
    for name in ["a.arrow", "a.arrows"] {
        folder.feed("diff a.csv -", folder.read(name)).done();
    }
    let said = folder.feed("diff a.csv -", folder.read("a.parquet"));
    assert_eq!(said.status, 2);
    let sentence = "cannot read -: Parquet is read from a file that is not compressed";
    assert!(said.err.contains(sentence), "{}", said.err);
}

/// A file that ends anywhere but at its end is refused, and so is one with more
/// behind it: never fewer rows without a word.
#[test]
fn a_file_that_is_cut_is_refused() {
    let folder = Folder::of_samples(&[WINNER_DIFFERS, AGREES]);
    folder
        .run("label 9x9 dirty -q --with board -o a.parquet -o a.arrow -o a.arrows")
        .done();
    for name in ["a.parquet", "a.arrow", "a.arrows"] {
        let whole = folder.read(name);
        // Every border of four bytes, where messages and pages end.
        for end in (4..whole.len()).step_by(4).chain([whole.len() - 1]) {
            folder.write("cut", &whole[..end]);
            let why = values(&folder.path("cut")).expect_err(&format!("{name}, {end} bytes"));
            let is_told = why.contains("cut off") || why.contains("damaged");
            assert!(is_told, "{name}, {end} bytes: {why}");
        }
    }
    let whole = folder.read("a.arrows");
    folder.write("twice", [&whole[..], &whole[..]].concat());
    let why = values(&folder.path("twice")).unwrap_err();
    assert!(why.contains("something follows the end"), "{why}");
}

/// Whatever byte is another one: rows or a sentence, and the process lives.
#[test]
fn a_file_with_a_wrong_byte_never_panics() {
    let folder = Folder::of_samples(&[WINNER_DIFFERS, AGREES]);
    folder
        .run("label 9x9 dirty -q --with board -o a.parquet -o a.arrow -o a.arrows")
        .done();
    // Some are caught behind the decoders, each with a trace otherwise.
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    let (mut refused, mut read) = (0, 0);
    // A file of Arrow is a stream with marks around it.
    for (name, step) in [("a.parquet", 3), ("a.arrows", 3), ("a.arrow", 16)] {
        let whole = folder.read(name);
        for at in (4..whole.len()).step_by(step) {
            let mut bytes = whole.clone();
            bytes[at] ^= [0x80, 0x01, 0xff, 0x10, 0x7f][at % 5];
            folder.write("wrong", &bytes);
            match values(&folder.path("wrong")) {
                Ok(_) => read += 1,
                Err(why) => {
                    refused += 1;
                    assert!(
                        why.len() < 600 && !why.contains('\n'),
                        "{name}, {at}: {why}"
                    );
                }
            }
        }
    }
    assert!(refused > 1000 && read > 0, "{refused} refused, {read} read");
}

fn stream(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

fn parquet(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    for (key, value) in batch.schema_ref().metadata() {
        writer.append_key_value_metadata(KeyValue::new(key.clone(), value.clone()));
    }
    writer.into_inner().unwrap()
}

#[test]
fn files_of_others_are_refused_as_their_csv_is() {
    let text = |text: &str| -> ArrayRef { Arc::new(StringArray::from(vec![text])) };
    let list =
        ListArray::from_iter_primitive::<arrow_array::types::Int64Type, _, _>([Some([Some(1)])]);
    let number: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let other = RecordBatch::try_from_iter([("name", text("x")), ("score", number)]).unwrap();
    let nested = RecordBatch::try_from_iter([
        ("origin", Arc::new(list) as ArrayRef),
        ("status", text("agree")),
    ])
    .unwrap();
    let folder = Folder::with(&[("other.csv", "name,score\nx,1\n"), ("a.sgf", "(;GM[1])")]);
    folder.run("label a.sgf -q -o good.csv").done();
    let refused = |line: &str| {
        let said = folder.run(line);
        assert_eq!(said.status, 2, "{line}: {}", said.err);
        said.err
    };
    type Write = fn(&RecordBatch) -> Vec<u8>;
    for (name, write) in [("parquet", parquet as Write), ("arrows", stream)] {
        folder.write(format!("other.{name}"), write(&other));
        folder.write(format!("nested.{name}"), write(&nested));
        for line in ["diff good.csv other", "audit a.sgf --baseline other"] {
            let of_csv = refused(&format!("{line}.csv"));
            let found = refused(&format!("{line}.{name}"));
            assert_eq!(found.replace(name, "csv"), of_csv);
        }
        let err = refused(&format!("audit a.sgf --baseline nested.{name}"));
        let sentence = "the column origin holds nested values, which no column of labels does";
        assert!(err.contains(sentence), "{err}");
    }
}

#[test]
fn rows_of_another_schema_are_refused() {
    let text = |text: &str| -> ArrayRef { Arc::new(StringArray::from(vec![text])) };
    let batch =
        RecordBatch::try_from_iter([("origin", text("a.sgf")), ("status", text("agree"))]).unwrap();
    let of = |schema: &str| {
        let about = [("kifu.schema".to_owned(), schema.to_owned())];
        let schema = batch.schema().as_ref().clone().with_metadata(about);
        let columns = batch.columns().to_vec();
        RecordBatch::try_new(Arc::new(schema), columns).unwrap()
    };
    let folder = Folder::new();
    type Write = fn(&RecordBatch) -> Vec<u8>;
    for (name, write) in [("rows.parquet", parquet as Write), ("rows.arrows", stream)] {
        for (schema, is_read) in [("label.v1", true), ("label.v9", false)] {
            folder.write(name, write(&of(schema)));
            let opened = Rows::open(&folder.path(name));
            assert_eq!(opened.is_ok(), is_read, "{name} of {schema}");
            if let Err(why) = opened {
                for word in ["label.v9", "label.v1", "label again"] {
                    assert!(why.contains(word), "{name}: {why}");
                }
            }
        }
    }
}

/// Rows that other programs wrote again: wider texts, hashes of any length.
#[test]
fn columns_that_were_not_asked_for_may_be_anything() {
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None]));
    let large: ArrayRef = Arc::new(arrow_array::LargeStringArray::from(vec!["b", "c"]));
    let bytes: ArrayRef = Arc::new(arrow_array::BinaryArray::from(vec![
        Some(&b"\x0f\xa0"[..]),
        None,
    ]));
    let odd: ArrayRef = Arc::new(arrow_array::BooleanArray::from(vec![true, false]));
    let small: ArrayRef = Arc::new(Int8Array::from(vec![Some(-1), None]));
    let columns = [
        ("odd", odd),
        ("value", small),
        ("origin", texts),
        ("status", large),
        ("game_hash", bytes),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.map(|(name, column)| (name, column, true)),
    )
    .unwrap();
    let folder = Folder::new();
    for bytes in [parquet(&batch), stream(&batch)] {
        folder.write("rows", bytes);
        let mut rows = Rows::open(&folder.path("rows")).unwrap();
        rows.choose(["origin", "status", "game_hash", "value"].into_iter());
        let mut found = Vec::new();
        while rows.advance().unwrap() {
            found.push([0, 1, 2, 3].map(|at| rows.value(at).to_owned()));
        }
        assert_eq!(found, [["a", "b", "0fa0", "-1"], ["", "c", "", ""]]);
        let mut rows = Rows::open(&folder.path("rows")).unwrap();
        rows.choose(["odd"].into_iter());
        let why = rows.advance().unwrap_err();
        assert!(
            why.contains("the column odd holds values of type Boolean"),
            "{why}"
        );
    }
}
