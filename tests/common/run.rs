//! Runs the binary as a user does, in a clean environment: from the root of
//! the repository, or in a folder of its own.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Output,
    time::Duration,
};

use assert_cmd::Command;
use tempfile::TempDir;

/// A row by the names of its columns.
pub type Row = BTreeMap<String, String>;

/// A game that was resigned, so that nothing is judged.
pub const RESIGNED: &str = "(;GM[1]SZ[9]KM[6.5]RE[B+R];B[ee])";

/// A game with a move that cannot be played.
pub const ILLEGAL: &str = "(;GM[1]SZ[9]KM[6.5]RE[B+R];B[ee];W[ee])";

/// Samples whose status is beyond doubt, below `data/archive/go`.
pub const AGREES: &str = "9x9/041.sgf";
pub const WINNER_DIFFERS: &str = "dirty/wrong_result.sgf";
pub const MARGIN_DIFFERS: &str = "dirty/wrong_margin.sgf";

/// What a command answered.
#[derive(Debug)]
pub struct Said {
    /// The exit status; -1 where a signal ended it.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Said {
    pub fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("messages are UTF-8");
        Self {
            status: output.status.code().unwrap_or(-1),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// The rows on standard output.
    pub fn rows(&self) -> Vec<Row> {
        rows(self.out.as_bytes())
    }

    /// The origins of the rows on standard output.
    pub fn origins(&self) -> Vec<String> {
        column(&self.rows(), "origin")
    }

    /// The same, where the run went well.
    #[track_caller]
    pub fn done(self) -> Self {
        assert_eq!(self.status, 0, "{}", self.err);
        self
    }
}

/// What of the environment changes what is printed; colours are also asked for by
/// `CI`, which machines that run tests set.
pub const HEEDED: &[&str] = &[
    "KIFU_CONFIG",
    "KIFU_JOBS",
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "CI",
];

/// The binary, run from the root of the repository.
pub fn kifu() -> Command {
    let mut command = Command::new(binary());
    for name in HEEDED {
        command.env_remove(name);
    }
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("COLUMNS", "100")
        .timeout(Duration::from_secs(60));
    command
}

/// Where the binary is.
pub fn binary() -> PathBuf {
    assert_cmd::cargo::cargo_bin!("kifu").to_owned()
}

/// Runs a command given as one line, from the root of the repository.
pub fn run(line: &str) -> Said {
    Said::of(kifu().args(line.split_whitespace()).output().unwrap())
}

/// The rows of a CSV file.
pub fn rows(csv: &[u8]) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(csv);
    reader.deserialize().map(|row| row.unwrap()).collect()
}

/// One column of some rows.
pub fn column(rows: &[Row], name: &str) -> Vec<String> {
    rows.iter().map(|row| row[name].clone()).collect()
}

/// The bytes of a bundled sample, such as `9x9/001.sgf`.
pub fn sample(name: &str) -> Vec<u8> {
    fs::read(Path::new("data/archive/go").join(name)).unwrap()
}

/// A folder that goes away with the test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder that holds some files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    /// A folder that holds copies of some samples, under their own names.
    pub fn of_samples(samples: &[&str]) -> Self {
        let folder = Self::new();
        for name in samples {
            folder.write(name, sample(name));
        }
        folder
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and the folders it lies in.
    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The bytes of a file, where the name is not that of a folder.
    pub fn read_if_file(&self, name: &str) -> Option<Vec<u8>> {
        self.path(name).is_file().then(|| self.read(name))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The rows of a CSV file in it.
    pub fn rows(&self, name: &str) -> Vec<Row> {
        rows(&self.read(name))
    }

    /// The names directly in it, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The binary, run in this folder.
    pub fn kifu(&self) -> Command {
        let mut command = kifu();
        command.current_dir(self.0.path());
        command
    }

    /// Explains a record.
    pub fn explain(&self, origin: &str) -> Said {
        Said::of(self.kifu().args(["explain", origin]).output().unwrap())
    }

    /// Runs a command given as one line, in this folder.
    pub fn run(&self, line: &str) -> Said {
        Said::of(self.kifu().args(line.split_whitespace()).output().unwrap())
    }

    /// The same, with something on standard input.
    pub fn feed(&self, line: &str, input: impl Into<Vec<u8>>) -> Said {
        let mut command = self.kifu();
        let command = command.args(line.split_whitespace()).write_stdin(input);
        Said::of(command.output().unwrap())
    }
}

/// The rows of a bundled archive, with some flags, by the names that the table of
/// what is known of them has.
pub fn labels_of(archive: &str, flags: &str) -> BTreeMap<String, Row> {
    let rows = run(&format!("label {archive} {flags} --quiet"))
        .done()
        .rows();
    let named = rows.into_iter().map(|row| {
        let name = row["origin"].strip_prefix(archive).unwrap();
        (name.trim_start_matches('/').to_owned(), row)
    });
    named.collect()
}

/// The name of a record in such a table: the first of a file has no index.
pub fn known_name(known: &Row) -> String {
    match known["record"].as_str() {
        "1" => known["file"].clone(),
        record => format!("{}#{record}", known["file"]),
    }
}
