//! Rows with types, read back by the crates that also write them, and held to
//! the CSV of the same run.

use std::fs::File;

use arrow_array::{
    Array, Float32Array, RecordBatch, cast::AsArray, types::Float64Type, types::Int8Type,
    types::Int32Type, types::Int64Type,
};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::DataType;
use parquet::{
    arrow::arrow_reader::ParquetRecordBatchReaderBuilder, basic::Compression,
    file::metadata::ParquetMetaData,
};

use crate::common::run::{
    AGREES, Folder, ILLEGAL, MARGIN_DIFFERS, RESIGNED, Row, Said, WINNER_DIFFERS, kifu, rows,
    sample,
};

/// Every word of `--with`.
const WITH: &str = "ownership,board,canonical_hash,forbidden,legal,position_hash,meta";

fn parquet(folder: &Folder, name: &str) -> (Vec<RecordBatch>, ParquetMetaData) {
    let file = File::open(folder.path(name)).unwrap();
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let about = builder.metadata().as_ref().clone();
    // A batch without rows says which columns there are.
    let empty = RecordBatch::new_empty(builder.schema().clone());
    let read = builder.build().unwrap().map(Result::unwrap);
    (std::iter::once(empty).chain(read).collect(), about)
}

fn stream(bytes: &[u8]) -> Vec<RecordBatch> {
    let reader = StreamReader::try_new(bytes, None).unwrap();
    let empty = RecordBatch::new_empty(reader.schema());
    let read = reader.map(Result::unwrap);
    std::iter::once(empty).chain(read).collect()
}

fn arrow(folder: &Folder, name: &str) -> Vec<RecordBatch> {
    let reader = FileReader::try_new(File::open(folder.path(name)).unwrap(), None).unwrap();
    let empty = RecordBatch::new_empty(reader.schema());
    let read = reader.map(Result::unwrap);
    std::iter::once(empty).chain(read).collect()
}

/// A cell as CSV writes it.
fn field(column: &dyn Array, row: usize) -> String {
    if column.is_null(row) {
        return String::new();
    }
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
        DataType::Int8 => column.as_primitive::<Int8Type>().value(row).to_string(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).to_string(),
        DataType::Float32 => {
            let reals: &Float32Array = column.as_primitive();
            format!("{:.3}", reals.value(row))
        }
        DataType::FixedSizeBinary(_) => {
            let bytes = column.as_fixed_size_binary().value(row);
            bytes.iter().map(|byte| format!("{byte:02x}")).collect()
        }
        DataType::List(_) => {
            let cells = column.as_list::<i32>().value(row);
            let cells = cells.as_primitive::<Int8Type>().values();
            let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
            cells.join(" ")
        }
        other => panic!("{other}"),
    }
}

/// The rows of some batches as CSV has them.
fn fields(batches: &[RecordBatch]) -> Vec<Row> {
    let mut rows = Vec::new();
    for batch in batches {
        let schema = batch.schema();
        for row in 0..batch.num_rows() {
            let columns = schema.fields().iter().zip(batch.columns());
            let cells = columns.map(|(it, column)| (it.name().clone(), field(column, row)));
            rows.push(cells.collect());
        }
    }
    rows
}

/// Rows of CSV as typed outputs have them, but for the boards of xiangqi.
fn typed(mut rows: Vec<Row>) -> Vec<Row> {
    for row in rows.iter_mut().filter(|row| row.contains_key("board")) {
        let mut fen = String::new();
        if row["game"] == "xiangqi" {
            fen = row["board"].clone();
            row.insert("board".to_owned(), cells(&fen));
        }
        row.insert("board_fen".to_owned(), fen);
    }
    rows
}

/// What a FEN shows, as the columns say: a number for each kind of piece.
fn cells(fen: &str) -> String {
    let mut cells = Vec::new();
    for sign in fen.split(' ').next().unwrap().chars() {
        match sign {
            '/' => {}
            '1'..='9' => cells.resize(cells.len() + sign.to_digit(10).unwrap() as usize, 0),
            piece => {
                let kind = " KABNRCP".find(piece.to_ascii_uppercase()).unwrap() as i32;
                cells.push(if piece.is_uppercase() { kind } else { -kind });
            }
        }
    }
    let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
    cells.join(" ")
}

fn games() -> Folder {
    let folder = Folder::with(&[("games/0.sgf", ILLEGAL), ("games/1.sgf", RESIGNED)]);
    for (name, source) in [
        ("games/2.sgf", AGREES),
        ("games/3.sgf", WINNER_DIFFERS),
        ("games/4.sgf", MARGIN_DIFFERS),
    ] {
        folder.write(name, sample(source));
    }
    folder
}

/// Enough rows for several batches and row groups.
fn many() -> Folder {
    let folder = Folder::new();
    folder.write("games/a.sgf", RESIGNED.repeat(70_000));
    folder.write("games/b.sgf", sample("collection.sgf"));
    folder.write("games/c.sgf", sample(WINNER_DIFFERS));
    folder
}

/// The sample archive, with all columns there are, and what no sample says.
#[test]
fn every_column_holds_what_csv_holds() {
    let ranked = "(;GM[1]SZ[9]RE[B+R]BR[3d]WR[1k]PC[KGS];B[ee])";
    let folder = Folder::with(&[("ranked.sgf", ranked)]);
    let mut command = kifu();
    command.args([
        "label",
        "data/archive",
        "--quiet",
        "--dead",
        "none",
        "--judge",
        "all",
    ]);
    command.arg(folder.path("ranked.sgf"));
    command.args(["--with", WITH]);
    for name in ["a.csv", "a.parquet", "a.arrow", "a.arrows"] {
        command.arg("-o").arg(folder.path(name));
    }
    let said = Said::of(command.output().unwrap()).done();
    assert_eq!(said.err, "");
    let expected = typed(folder.rows("a.csv"));
    assert!(expected.len() > 600, "{}", expected.len());
    let found = fields(&parquet(&folder, "a.parquet").0);
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
    assert_eq!(fields(&arrow(&folder, "a.arrow")), expected);
    assert_eq!(fields(&stream(&folder.read("a.arrows"))), expected);
    // Nothing is left out of the comparison by being empty everywhere.
    for name in expected[0].keys() {
        assert!(expected.iter().any(|row| !row[name].is_empty()), "{name}");
    }
}

#[test]
fn columns_have_types() {
    let folder = games();
    folder
        .run(&format!("label games --with {WITH} -o a.parquet"))
        .done();
    let (batches, about) = parquet(&folder, "a.parquet");
    let schema = batches[0].schema();
    for (name, expected, nullable) in [
        ("origin", "Utf8", false),
        ("offset", "Int64", false),
        ("status", "Utf8", false),
        ("recorded", "Utf8", true),
        ("moves", "Int64", true),
        ("neutral", "Int32", true),
        ("value", "Int8", true),
        ("check", "Int8", true),
        ("komi", "Float64", true),
        ("confidence", "Float32", true),
        ("game_hash", "FixedSizeBinary(16)", true),
        ("position_hash", "FixedSizeBinary(8)", true),
        ("board_fen", "Utf8", true),
        ("event", "Utf8", true),
    ] {
        let field = schema.field_with_name(name).unwrap();
        let found = (field.data_type().to_string(), field.is_nullable());
        assert_eq!(found, (expected.to_owned(), nullable), "{name}");
    }
    for name in ["board", "ownership"] {
        let field = schema.field_with_name(name).unwrap();
        let DataType::List(element) = field.data_type() else {
            panic!("{field}");
        };
        assert_eq!(element.data_type(), &DataType::Int8, "{name}");
        assert!(!element.is_nullable(), "{name}");
    }
    for group in about.row_groups() {
        for column in group.columns() {
            assert!(matches!(column.compression(), Compression::ZSTD(_)));
        }
    }
}

#[test]
fn files_say_what_made_them() {
    let folder = games();
    folder
        .run("label games --dead none --tolerance 1 -o a.parquet -o a.arrow")
        .done();
    let summary: serde_json::Value =
        serde_json::from_slice(&folder.read("a.summary.json")).unwrap();
    let (_, about) = parquet(&folder, "a.parquet");
    let pairs = about.file_metadata().key_value_metadata().unwrap().clone();
    let of_parquet = |key: &str| {
        let pair = pairs.iter().find(|pair| pair.key == key).unwrap();
        pair.value.clone().unwrap()
    };
    let schema = arrow(&folder, "a.arrow")[0].schema();
    let of_arrow = |key: &str| schema.metadata().get(key).unwrap().to_owned();
    for of in [&of_parquet as &dyn Fn(&str) -> String, &of_arrow] {
        assert_eq!(of("kifu.version"), env!("CARGO_PKG_VERSION"));
        assert_eq!(of("kifu.schema"), "label.v1");
        let settings: serde_json::Value = serde_json::from_str(&of("kifu.settings")).unwrap();
        assert_eq!(settings, summary["settings"]);
        assert_eq!(settings["tolerance"], "1");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = many();
    for jobs in [1, 2] {
        folder
            .run(&format!(
                "label games -q --dead none --jobs {jobs} -o {jobs}.parquet -o {jobs}.arrow"
            ))
            .done();
    }
    for ending in ["parquet", "arrow"] {
        let [one, two] = [1, 2].map(|jobs| folder.read(&format!("{jobs}.{ending}")));
        assert!(one == two, "{ending}");
    }
    let (batches, about) = parquet(&folder, "1.parquet");
    let groups: Vec<i64> = about
        .row_groups()
        .iter()
        .map(parquet::file::metadata::RowGroupMetaData::num_rows)
        .collect();
    assert_eq!(groups[0], 1 << 16, "{groups:?}");
    assert_eq!(groups.len(), 2, "{groups:?}");
    let read: usize = batches.iter().map(RecordBatch::num_rows).sum();
    assert_eq!(groups.iter().sum::<i64>(), read as i64);
    assert!(arrow(&folder, "1.arrow").len() > 10);
}

#[test]
fn nothing_to_label_gives_a_file_without_rows() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("games")).unwrap();
    for line in ["label games", "label games --limit 0"] {
        folder
            .run(&format!("{line} -o a.parquet -o a.arrow -o a.arrows"))
            .done();
        for batches in [
            parquet(&folder, "a.parquet").0,
            arrow(&folder, "a.arrow"),
            stream(&folder.read("a.arrows")),
        ] {
            assert!(fields(&batches).is_empty());
            assert_eq!(batches[0].num_columns(), kifu::label::COLUMNS.len());
        }
    }
}

#[test]
fn parts_of_the_input_are_those_of_csv() {
    let folder = many();
    for part in [
        "--limit 5",
        "--limit 9000",
        "--sample 40 --seed 3",
        "--sample 1",
    ] {
        let line = format!("label games -q --dead none {part} -o a.csv -o a.parquet");
        folder.run(&line).done();
        let found = fields(&parquet(&folder, "a.parquet").0);
        assert!(found == typed(folder.rows("a.csv")), "{part}");
    }
}

#[test]
fn side_files_and_standard_output_have_them_as_well() {
    let folder = games();
    let mut command = folder.kifu();
    command.args("label games -q -o - --output-format parquet".split(' '));
    command.args("--mismatches m.arrow --rejects r.parquet".split(' '));
    let output = command.output().unwrap();
    folder.write("out.parquet", output.stdout);
    let expected = folder.run("label games -q").done().rows();
    assert_eq!(fields(&parquet(&folder, "out.parquet").0), expected);
    let of = |statuses: &[&str]| -> Vec<Row> {
        let wanted = |row: &&Row| statuses.contains(&row["status"].as_str());
        expected.iter().filter(wanted).cloned().collect()
    };
    let mismatches = fields(&arrow(&folder, "m.arrow"));
    assert_eq!(mismatches, of(&["winner_differs", "margin_differs"]));
    assert_eq!(mismatches.len(), 2);
    assert_eq!(fields(&parquet(&folder, "r.parquet").0), of(&["broken"]));

    // A pipe gets the form that can be read from one end to the other.
    let mut command = folder.kifu();
    command.args("label games -q --output-format arrow".split(' '));
    let bytes = command.output().unwrap().stdout;
    assert_eq!(fields(&stream(&bytes)), expected);
}

#[test]
fn an_audit_writes_them_too() {
    let folder = games();
    let said = folder.run("audit games -q -o a.parquet");
    assert_eq!(said.status, 1);
    assert_eq!(said.out.lines().count(), 3, "{}", said.out);
    assert_eq!(fields(&parquet(&folder, "a.parquet").0).len(), 5);
}

/// Readers look into these for a footer or a header, not for another format.
#[test]
fn no_compression_is_put_around_them() {
    let folder = games();
    for name in ["a.parquet.gz", "a.parquet.zst", "a.arrow.gz"] {
        let said = folder.run(&format!("label games -o {name}"));
        assert_eq!(said.status, 2, "{name}");
        let start = format!("kifu: will not write {name}: ");
        assert!(said.err.starts_with(&start), "{}", said.err);
        assert_eq!(folder.names(), ["games"]);
    }
}

#[test]
fn outputs_that_cannot_be_made_leave_nothing_behind() {
    let folder = games();
    let said = folder.run("label games -o a.csv -o nosuch/a.parquet");
    assert_eq!(said.status, 2);
    let start = "kifu: cannot write nosuch/a.parquet: No such file or directory";
    assert!(said.err.starts_with(start), "{}", said.err);
    assert_eq!(folder.names(), ["games"]);
}

#[cfg(unix)]
mod unix {
    use std::{
        io::{BufRead, BufReader},
        process::{Command, Stdio},
    };

    use super::*;
    use crate::common::run::binary;

    fn shell(folder: &Folder, line: &str) -> Said {
        let mut command = Command::new("sh");
        command.args(["-c", line]).env("KIFU", binary());
        Said::of(command.current_dir(folder.path("")).output().unwrap())
    }

    #[test]
    fn a_file_that_cannot_be_written_to_its_end_is_told_of() {
        let folder = many();
        for name in ["a.parquet", "a.arrow"] {
            let line = format!(
                "trap '' XFSZ; ulimit -f 8; \"$KIFU\" label games -q --dead none -o {name} --limit 20000"
            );
            let said = shell(&folder, &line);
            assert_eq!(said.status, 2, "{name}");
            let message = format!("kifu: cannot write {name}: File too large");
            assert!(said.err.starts_with(&message), "{name}: {}", said.err);
            assert_eq!(folder.names(), ["games"], "{name}");
        }
    }

    /// Where one file of several cannot be ended, none gets its name.
    #[test]
    fn files_of_a_run_get_their_names_together() {
        let folder = games();
        let large = RESIGNED.repeat(20_000);
        folder.write("games/large.sgf", large);
        // Some 9 MB as text, of which less than 1 MB is left.
        let line = "trap '' XFSZ; ulimit -f 2048; \"$KIFU\" label games -q -o a.parquet -o a.csv";
        let said = shell(&folder, line);
        assert_eq!(said.status, 2);
        let start = "kifu: cannot write a.csv: File too large";
        assert!(said.err.starts_with(start), "{}", said.err);
        assert_eq!(folder.names(), ["games"]);
    }

    #[test]
    fn a_reader_that_has_seen_enough_is_no_error() {
        let folder = many();
        for format in ["parquet", "arrow"] {
            let line = format!(
                "(\"$KIFU\" label games -q --dead none --output-format {format}; echo \"[$?]\" >&2) | true"
            );
            let said = shell(&folder, &line);
            assert_eq!(said.err, "[0]\n", "{format}");
        }
    }

    #[test]
    fn a_run_that_is_stopped_keeps_whole_files() {
        let folder = Folder::new();
        for number in 0..64 {
            folder.write(format!("games/a/{number:03}.sgf"), RESIGNED);
        }
        for number in 0..2000 {
            folder.write(format!("games/b/{number:04}.sgf"), sample("19x19/001.sgf"));
        }
        let mut child = Command::new(binary())
            .args("label games -q --jobs 1 -o a.parquet -o a.arrow -o -".split(' '))
            .current_dir(folder.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The header and the first row: the run is under way.
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        output.read_line(&mut line).unwrap();
        let pid = child.id().to_string();
        let killed = Command::new("kill").args(["-INT", &pid]).status().unwrap();
        assert!(killed.success());
        std::io::Read::read_to_string(&mut output, &mut line).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let expected = rows(line.as_bytes());
        assert!((64..2000).contains(&expected.len()), "{}", expected.len());
        assert!(fields(&parquet(&folder, "a.parquet").0) == expected);
        assert!(fields(&arrow(&folder, "a.arrow")) == expected);
    }
}
