//! `kifu worker`: files as Arrow in, rows as Arrow out, held to `kifu label`.

use std::{
    fs,
    io::{Read, Write},
    path::Path,
    process::{Command, Output, Stdio},
    sync::Arc,
};

use arrow_array::{
    ArrayRef, BinaryArray, BinaryViewArray, Int64Array, LargeBinaryArray, LargeStringArray,
    RecordBatch, StringArray, StringViewArray, cast::AsArray,
};
use arrow_ipc::{reader::StreamReader, writer::StreamWriter};
use arrow_schema::{DataType, Field, Schema};

use crate::common::run::{AGREES, Folder, ILLEGAL, RESIGNED, binary, kifu, sample};

/// Paths and what they hold.
type Files<'f> = &'f [(&'f str, Option<&'f [u8]>)];

fn worker(args: &[&str], stdin: &[u8]) -> Output {
    kifu()
        .arg("worker")
        .args(args)
        .write_stdin(stdin)
        .output()
        .unwrap()
}

fn written(batches: &[RecordBatch]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::try_new(&mut bytes, &batches[0].schema()).unwrap();
    batches
        .iter()
        .for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
    drop(writer);
    bytes
}

/// As Spark has them, with a column that is no concern of kifu's between the two.
fn batch(files: Files<'_>) -> RecordBatch {
    let paths: StringArray = files.iter().map(|(path, _)| Some(*path)).collect();
    let sizes: Int64Array = files.iter().map(|_| Some(7)).collect();
    let contents: BinaryArray = files.iter().map(|(_, content)| *content).collect();
    let columns: [(&str, ArrayRef); 3] = [
        ("path", Arc::new(paths)),
        ("length", Arc::new(sizes)),
        ("content", Arc::new(contents)),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
        .unwrap()
}

fn rows(bytes: &[u8]) -> Vec<RecordBatch> {
    let reader = StreamReader::try_new(bytes, None).unwrap();
    reader.map(Result::unwrap).collect()
}

/// Origins and one more column.
fn told(bytes: &[u8], name: &str) -> Vec<(String, String)> {
    let mut told = Vec::new();
    for batch in rows(bytes) {
        let texts = |name| batch.column_by_name(name).unwrap().as_string::<i32>();
        let pairs = texts("origin").iter().zip(texts(name));
        told.extend(pairs.map(|(origin, text)| {
            let text = text.unwrap_or_default().to_owned();
            (origin.unwrap().to_owned(), text)
        }));
    }
    told
}

/// Every file below a folder, in the order of a walk.
fn files_below(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut found: Vec<_> = fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
    found.sort_by_key(std::fs::DirEntry::file_name);
    for entry in found {
        let path = entry.path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push((
                format!("file://{}", path.display()),
                fs::read(path).unwrap(),
            ));
        }
    }
    files
}

#[test]
fn rows_are_those_of_label_for_any_number_of_threads() {
    let root = fs::canonicalize("data").unwrap();
    let root = root.to_str().unwrap();
    let files = files_below(Path::new(root));
    let batches: Vec<RecordBatch> = files
        .chunks(50)
        .map(|files| {
            let files: Vec<_> = files
                .iter()
                .map(|(path, bytes)| (path.as_str(), Some(bytes.as_slice())))
                .collect();
            batch(&files)
        })
        .collect();
    let stdin = written(&batches);
    let with = ["--with", "board,meta,forbidden", "--root", root];
    let one = worker(
        &[&with[..], &["--beside", root, "-j", "1"]].concat(),
        &stdin,
    );
    let three = worker(
        &[&with[..], &["--beside", root, "-j", "3"]].concat(),
        &stdin,
    );
    assert_eq!(String::from_utf8_lossy(&one.stderr), "");
    assert!(one.stdout == three.stdout);
    let label = kifu()
        .args(["label", root, "-q", "--output-format", "arrow"])
        .args(with)
        .output()
        .unwrap();
    let (ours, theirs) = (rows(&one.stdout), rows(&label.stdout));
    let schema = theirs[0].schema();
    assert_eq!(ours[0].schema(), schema);
    let all = |batches: &[RecordBatch]| {
        let all = batches.iter().map(|batch| format!("{:?}", batch.columns()));
        all.collect::<Vec<_>>()
    };
    // Batches end where those of files do: rows are compared one by one.
    let single = |batches: &[RecordBatch]| -> Vec<String> {
        let rows = batches.iter().flat_map(|batch| {
            (0..batch.num_rows())
                .map(|row| batch.slice(row, 1))
                .collect::<Vec<_>>()
        });
        all(&rows.collect::<Vec<_>>())
    };
    let (ours, theirs) = (single(&ours), single(&theirs));
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs);
    }
}

#[test]
fn text_and_bytes_may_be_of_every_width() {
    let (path, bytes) = ("a.sgf", RESIGNED.as_bytes());
    let columns: [(ArrayRef, ArrayRef); 3] = [
        (
            Arc::new(StringArray::from(vec![path])),
            Arc::new(LargeBinaryArray::from(vec![bytes])),
        ),
        (
            Arc::new(LargeStringArray::from(vec![path])),
            Arc::new(BinaryViewArray::from(vec![bytes])),
        ),
        (
            Arc::new(StringViewArray::from(vec![path])),
            Arc::new(BinaryArray::from(vec![bytes])),
        ),
    ];
    for (path, content) in columns {
        // In any order.
        let batch = RecordBatch::try_from_iter([("content", content), ("path", path)]).unwrap();
        let said = worker(&[], &written(&[batch]));
        let expected = ("a.sgf".to_owned(), "not_comparable".to_owned());
        assert_eq!(told(&said.stdout, "status"), [expected]);
    }
}

#[test]
fn bad_files_are_rows() {
    let files = batch(&[
        ("file:///x/a%20b.sgf", Some(ILLEGAL.as_bytes())),
        ("/x/nothing.sgf", None),
        ("/x/empty.sgf", Some(b"")),
        ("/x/cut.zip", Some(b"PK\x03\x04 and then nothing")),
        ("s3a://x/a%20b.txt", Some(b"no game")),
    ]);
    let said = worker(&["--root", "file:/x"], &written(&[files]));
    assert_eq!(said.status.code(), Some(0));
    let told = told(&said.stdout, "error_kind");
    let expected = [
        ("a b.sgf", "occupied"),
        ("nothing.sgf", "unreadable"),
        ("empty.sgf", "empty_file"),
        ("cut.zip", "truncated"),
        // Only URIs of files are decoded.
        ("s3a://x/a%2520b.txt", "unknown_format"),
    ];
    assert_eq!(
        told,
        expected.map(|(origin, kind)| (origin.to_owned(), kind.to_owned()))
    );
}

#[test]
fn bad_streams_end_with_a_sentence() {
    let good = written(&[batch(&[("a.sgf", Some(RESIGNED.as_bytes()))])]);
    let of = |fields: &[(&str, DataType)]| {
        let fields = fields
            .iter()
            .map(|(name, kind)| Field::new(*name, kind.clone(), true));
        let schema = Schema::new(fields.collect::<Vec<_>>());
        written(&[RecordBatch::new_empty(Arc::new(schema))])
    };
    let null: StringArray = [None::<&str>].into_iter().collect();
    let content = Arc::new(BinaryArray::from(vec![RESIGNED.as_bytes()]));
    let unnamed = RecordBatch::try_from_iter_with_nullable([
        ("path", Arc::new(null) as ArrayRef, true),
        ("content", content as ArrayRef, true),
    ]);
    for (stdin, sentence) in [
        (Vec::new(), "standard input is cut off"),
        (good[..good.len() - 1].to_vec(), "standard input is cut off"),
        (good[..20].to_vec(), "standard input is cut off"),
        (
            b"path,content\n".to_vec(),
            "standard input is not a stream of Arrow",
        ),
        (
            of(&[("path", DataType::Utf8)]),
            "standard input has no column content",
        ),
        (
            of(&[("path", DataType::Int64), ("content", DataType::Binary)]),
            "the column path of standard input holds Int64",
        ),
        (
            of(&[("path", DataType::Utf8), ("content", DataType::Utf8)]),
            "the column content of standard input holds Utf8",
        ),
        (
            written(&[unnamed.unwrap()]),
            "a path in standard input is null",
        ),
    ] {
        let said = worker(&[], &stdin);
        let error = String::from_utf8_lossy(&said.stderr).into_owned();
        assert_eq!(said.status.code(), Some(2), "{error}");
        assert!(error.starts_with(&format!("kifu: {sentence}")), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    // Rows before the cut are there, without an end.
    let said = worker(&[], &good[..good.len() - 1]);
    assert_eq!(rows(&said.stdout)[0].num_rows(), 1);
    assert!(!said.stdout.ends_with(b"\xff\xff\xff\xff\0\0\0\0"));
    // Any byte of a message may be wrong: nothing breaks but the run.
    for at in (0..good.len()).step_by(5) {
        let mut damaged = good.clone();
        damaged[at] ^= 0x55;
        let code = worker(&["-j", "1"], &damaged).status.code();
        assert!(matches!(code, Some(0 | 2)), "byte {at}: {code:?}");
    }
}

#[test]
fn no_batches_are_no_rows() {
    let empty = RecordBatch::new_empty(batch(&[]).schema());
    let said = worker(&["--with", "board"], &written(&[empty]));
    assert_eq!(said.status.code(), Some(0));
    let reader = StreamReader::try_new(&said.stdout[..], None).unwrap();
    assert!(reader.schema().field_with_name("board").is_ok());
    assert_eq!(reader.count(), 0);
}

#[test]
fn rows_of_a_batch_come_before_the_next_batch() {
    let mut child = Command::new(binary())
        .arg("worker")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let to = child.stdin.take().unwrap();
    let first = batch(&[("a.sgf", Some(RESIGNED.as_bytes()))]);
    let mut to = StreamWriter::try_new(to, &first.schema()).unwrap();
    to.write(&first).unwrap();
    to.get_mut().flush().unwrap();
    // The input stays open all the time.
    let from = child.stdout.take().unwrap();
    let mut from = StreamReader::try_new(from, None).unwrap();
    assert_eq!(from.next().unwrap().unwrap().num_rows(), 1);
    let next = sample(AGREES);
    to.write(&batch(&[("b.sgf", Some(&next)), ("c.sgf", Some(&next))]))
        .unwrap();
    assert_eq!(from.next().unwrap().unwrap().num_rows(), 2);
    // It ends with the last message, not with the pipe.
    to.finish().unwrap();
    assert!(from.next().is_none());
    assert!(child.wait().unwrap().success());
    drop(to);
}

#[test]
fn nobody_who_reads_on_is_no_failure() {
    let files = vec![("a.sgf", Some(RESIGNED.as_bytes())); 2000];
    let batches = vec![batch(&files); 20];
    let mut child = Command::new(binary())
        .args(["worker", "-j", "2"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // Nor does it read on.
    let _ = child.stdin.take().unwrap().write_all(&written(&batches));
    assert!(child.wait().unwrap().success());
    let mut said = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    assert_eq!(said, "");
}

#[test]
fn what_needs_all_records_is_refused() {
    let folder = Folder::new();
    for (args, word) in [
        (["--with", "split"], "--with split"),
        (["--with", "duplicate_of"], "--with duplicate_of"),
        (["--beside", "nowhere"], "--beside nowhere"),
    ] {
        let said = kifu()
            .current_dir(folder.path(""))
            .arg("worker")
            .args(args)
            .output()
            .unwrap();
        assert_eq!(said.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&said.stderr).contains(word));
    }
}
