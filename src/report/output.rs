//! Files of rows: written under a temporary name and renamed when whole, or
//! streamed to standard output.

use std::{
    cell::RefCell,
    ffi::OsString,
    fmt::Write as _,
    fs::File,
    io::{self, BufWriter, Read, Write},
    path::{Path, PathBuf},
    rc::Rc,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
    time::SystemTime,
};

use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// How a file is compressed, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// `.gz`
    Gzip,
    /// `.zst`
    Zstd,
}

impl Compression {
    /// The compression that a file name asks for.
    #[must_use]
    pub fn of(name: &str) -> Self {
        if name.ends_with(".gz") {
            Self::Gzip
        } else if name.ends_with(".zst") {
            Self::Zstd
        } else {
            Self::None
        }
    }

    /// A file name without the extension of its compression.
    #[must_use]
    pub fn strip(name: &str) -> &str {
        name.strip_suffix(".gz")
            .or_else(|| name.strip_suffix(".zst"))
            .unwrap_or(name)
    }
}

/// The file that goes with a file of rows: `labels.summary.json` beside
/// `labels.csv.gz`. Beside standard input and output there is none.
#[must_use]
pub fn beside(rows: &Path, ending: &str) -> Option<PathBuf> {
    let name = Path::new(rows.file_name().filter(|name| *name != "-")?);
    // By parts, as a name need not be text.
    let packed = Compression::of(&name.to_string_lossy()) != Compression::None;
    let plain = if packed {
        name.file_stem()?
    } else {
        name.as_os_str()
    };
    let mut beside = Path::new(plain).file_stem()?.to_owned();
    beside.push(".");
    beside.push(ending);
    Some(rows.with_file_name(beside))
}

/// Temporary files that are there.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every temporary file, for a process that ends at once.
pub fn remove_unfinished() {
    for temporary in unfinished().drain(..) {
        // Perhaps it has got its name in the meantime.
        let _ = std::fs::remove_file(temporary);
    }
}

/// A file that is being written, or standard output.
///
/// Dropped without [`Output::finish`], it leaves nothing behind.
pub struct Output {
    writer: Writer,
    /// What it is called in errors.
    name: String,
    /// Temporary and final name, where there is a file.
    names: Option<(PathBuf, PathBuf)>,
    /// What is in the file.
    seal: Rc<RefCell<Seal>>,
}

enum Writer {
    Plain(Box<dyn Write>),
    Gzip(Even<GzEncoder<BufWriter<Sealed>>>),
    Zstd(Even<zstd::Encoder<'static, BufWriter<Sealed>>>),
    Finished,
}

/// A file that has got its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Its name, as it was given.
    pub path: String,
    /// How long it is.
    pub bytes: u64,
    /// SHA-256 of all its bytes, in lower-case hex digits, as `sha256sum` prints it.
    pub sha256: String,
}

impl Written {
    /// Whether a file holds these bytes still. It is read only where it is as long.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn is_in(&self, path: &Path) -> io::Result<bool> {
        let mut file = File::open(path)?;
        if file.metadata()?.len() != self.bytes {
            return Ok(false);
        }
        let mut seal = Seal::default();
        let mut buffer = vec![0; 1 << 20];
        loop {
            match file.read(&mut buffer) {
                Ok(0) => break,
                Ok(length) => seal.add(buffer.get(..length).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(seal.sha256() == self.sha256)
    }
}

/// What is in a file so far.
#[derive(Default)]
struct Seal {
    bytes: u64,
    hash: Sha256,
}

impl Seal {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.hash.update(bytes);
    }

    /// In lower-case hex digits.
    fn sha256(self) -> String {
        let mut digits = String::with_capacity(64);
        for byte in self.hash.finalize() {
            // Writing to a string cannot fail.
            let _ = write!(digits, "{byte:02x}");
        }
        digits
    }
}

/// A file whose bytes are hashed as they are written, and not read again for that.
struct Sealed {
    file: File,
    /// None where the file gets no name, so that nobody is told.
    seal: Option<Rc<RefCell<Seal>>>,
}

impl Write for Sealed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        if let Some(seal) = &self.seal {
            seal.borrow_mut().add(bytes.get(..written).unwrap_or(bytes));
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Hands bytes on in pieces of one length: what compression makes of bytes depends
/// on how they come, and the same rows are to give the same file.
struct Even<W> {
    writer: Box<W>,
    piece: Vec<u8>,
}

impl<W: Write> Even<W> {
    const LENGTH: usize = 1 << 16;

    fn new(writer: W) -> Self {
        Self {
            writer: Box::new(writer),
            piece: Vec::with_capacity(Self::LENGTH),
        }
    }

    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let room = Self::LENGTH - self.piece.len();
            let (now, later) = bytes.split_at(bytes.len().min(room));
            self.piece.extend_from_slice(now);
            bytes = later;
            if self.piece.len() == Self::LENGTH {
                self.writer.write_all(&self.piece)?;
                self.piece.clear();
            }
        }
        Ok(())
    }

    /// The writer, which has all bytes.
    fn into_inner(mut self) -> io::Result<W> {
        self.writer.write_all(&self.piece)?;
        Ok(*self.writer)
    }
}

/// Whether bytes go where they are, and not into a file that gets its name at
/// the end: standard output (`-`), a device, a pipe.
#[must_use]
pub fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-" || path.metadata().is_ok_and(|found| !found.is_file())
}

impl Output {
    /// Opens a file under a temporary name beside it, compressed as its name
    /// says; `-` is standard output.
    ///
    /// # Errors
    /// Where the file cannot be made; the error names it.
    pub fn create(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            let stdout = BufWriter::new(io::stdout().lock());
            return Ok(Self::into_writer(Box::new(stdout), "standard output"));
        }
        let name = path.display().to_string();
        let (file, names) = if is_stream(path) {
            // To replace a device by a file would be no favour.
            (File::options().write(true).open(path), None)
        } else {
            let names = names(path);
            // Held over both, so that no file is made that nobody removes.
            let mut unfinished = unfinished();
            let file = File::create_new(&names.0);
            if file.is_ok() {
                unfinished.push(names.0.clone());
            }
            (file, Some(names))
        };
        let file = file.map_err(|error| named(&error, &name))?;
        let seal = Rc::<RefCell<Seal>>::default();
        let sealed = Sealed {
            file,
            seal: names.is_some().then(|| Rc::clone(&seal)),
        };
        let buffer = BufWriter::with_capacity(1 << 16, sealed);
        let writer = match Compression::of(&path.to_string_lossy()) {
            Compression::None => Writer::Plain(Box::new(buffer)),
            Compression::Gzip => Writer::Gzip(Even::new(GzEncoder::new(
                buffer,
                flate2::Compression::default(),
            ))),
            Compression::Zstd => Writer::Zstd(Even::new(zstd::Encoder::new(buffer, 0)?)),
        };
        Ok(Self {
            writer,
            name,
            names,
            seal,
        })
    }

    /// Rows that stay in this process.
    #[must_use]
    pub fn into_writer(writer: Box<dyn Write>, name: &str) -> Self {
        Self {
            writer: Writer::Plain(writer),
            name: name.to_owned(),
            names: None,
            seal: Rc::default(),
        }
    }

    /// Writes some whole rows.
    ///
    /// # Errors
    /// Where the bytes cannot be written; the error names the file.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let result = match &mut self.writer {
            Writer::Plain(writer) => writer.write_all(bytes),
            Writer::Gzip(writer) => writer.write(bytes),
            Writer::Zstd(writer) => writer.write(bytes),
            Writer::Finished => Ok(()),
        };
        result.map_err(|error| named(&error, &self.name))
    }

    /// Flushes what was written so far, where somebody may be reading along.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn flush(&mut self) -> io::Result<()> {
        let flushed = match &mut self.writer {
            Writer::Plain(writer) if self.names.is_none() => writer.flush(),
            _ => Ok(()),
        };
        flushed.map_err(|error| named(&error, &self.name))
    }

    /// Writes what comes last.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn end(&mut self) -> io::Result<()> {
        let ended = match std::mem::replace(&mut self.writer, Writer::Finished) {
            Writer::Plain(mut writer) => writer.flush(),
            Writer::Gzip(writer) => writer
                .into_inner()
                .and_then(GzEncoder::finish)
                .and_then(|mut buffer| buffer.flush()),
            Writer::Zstd(writer) => writer
                .into_inner()
                .and_then(zstd::Encoder::finish)
                .and_then(|mut buffer| buffer.flush()),
            Writer::Finished => Ok(()),
        };
        ended.map_err(|error| named(&error, &self.name))
    }

    /// Has a file that has ended survive a loss of power.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn sync(&self) -> io::Result<()> {
        let Some((temporary, _)) = &self.names else {
            return Ok(());
        };
        let synced = File::open(temporary).and_then(|file| file.sync_all());
        synced.map_err(|error| named(&error, &self.name))
    }

    /// Gives a file that has ended its name, and says what it holds; nothing of
    /// what is no file.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn keep(mut self) -> io::Result<Option<Written>> {
        if let Some((temporary, path)) = &self.names {
            std::fs::rename(temporary, path).map_err(|error| named(&error, &self.name))?;
        }
        let Some((temporary, _)) = self.names.take() else {
            return Ok(None);
        };
        unfinished().retain(|path| *path != temporary);
        let seal = self.seal.take();
        Ok(Some(Written {
            path: self.name.clone(),
            bytes: seal.bytes,
            sha256: seal.sha256(),
        }))
    }

    /// Ends the file and gives it its name.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn finish(mut self) -> io::Result<()> {
        self.end()?;
        self.keep().map(|_| ())
    }

    /// What it is called in errors.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a file that gets its name at the end.
    #[must_use]
    pub const fn is_file(&self) -> bool {
        self.names.is_some()
    }

    /// An error of what is written into it.
    #[must_use]
    pub fn wrong(&self, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
        named(&io::Error::other(error), &self.name)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some((temporary, _)) = self.names.take() {
            // The run has failed already: this is not worth an error of its own.
            let _ = std::fs::remove_file(&temporary);
            unfinished().retain(|path| *path != temporary);
        }
    }
}

/// The temporary and the final name of a file. A link stays a link, to a file
/// that is new.
fn names(path: &Path) -> (PathBuf, PathBuf) {
    let linked = path.is_symlink().then(|| path.canonicalize().ok());
    let target = linked.flatten().unwrap_or_else(|| path.to_owned());
    let mut name = OsString::from(&target);
    name.push(ending());
    (name.into(), target)
}

/// The name of a file while it is written: this process's own, so that two runs
/// never write into one file.
#[must_use]
pub fn temporary(path: &Path) -> PathBuf {
    names(path).0
}

/// Whether a file has such a name, of whatever process.
#[must_use]
pub fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number = name
        .strip_suffix(".tmp")
        .and_then(|name| name.rsplit_once('.'));
    number.is_some_and(|(_, number)| {
        let mut parts = number.split('-');
        parts.clone().count() == 2
            && parts.all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

/// What names end with while a file is written: the number of the process, and
/// when it began to write, as in a container every process has the same number.
fn ending() -> &'static str {
    static ENDING: OnceLock<String> = OnceLock::new();
    ENDING.get_or_init(|| {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_micros());
        format!(".{}-{now}.tmp", std::process::id())
    })
}

/// The error with the name of the file it is about.
fn named(error: &io::Error, name: &str) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write {name}: {error}"))
}
