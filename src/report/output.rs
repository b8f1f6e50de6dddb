//! Files of rows: written under a temporary name and renamed when whole, or
//! streamed to standard output.

use std::{
    ffi::OsString,
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use flate2::write::GzEncoder;

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

/// A file that is being written, or standard output.
pub struct Output {
    writer: Writer,
    /// Temporary and final name, where there is a file.
    names: Option<(PathBuf, PathBuf)>,
}

enum Writer {
    Plain(Box<dyn Write>),
    Gzip(Box<GzEncoder<BufWriter<File>>>),
    Zstd(Box<zstd::Encoder<'static, BufWriter<File>>>),
}

impl Output {
    /// Opens a file under a temporary name beside it, compressed as its name
    /// says; `-` is standard output.
    ///
    /// # Errors
    /// Where the file cannot be made; the error names it.
    pub fn create(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self {
                writer: Writer::Plain(Box::new(BufWriter::new(io::stdout().lock()))),
                names: None,
            });
        }
        let mut temporary = OsString::from(path);
        temporary.push(".tmp");
        let temporary = PathBuf::from(temporary);
        let file = File::create(&temporary).map_err(|error| named(&error, path))?;
        let buffer = BufWriter::with_capacity(1 << 16, file);
        let writer = match Compression::of(&path.to_string_lossy()) {
            Compression::None => Writer::Plain(Box::new(buffer)),
            Compression::Gzip => Writer::Gzip(Box::new(GzEncoder::new(
                buffer,
                flate2::Compression::default(),
            ))),
            Compression::Zstd => Writer::Zstd(Box::new(zstd::Encoder::new(buffer, 0)?)),
        };
        Ok(Self {
            writer,
            names: Some((temporary, path.to_owned())),
        })
    }

    /// Writes some whole rows.
    ///
    /// # Errors
    /// Where the bytes cannot be written; the error names the file.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let result = match &mut self.writer {
            Writer::Plain(writer) => writer.write_all(bytes),
            Writer::Gzip(writer) => writer.write_all(bytes),
            Writer::Zstd(writer) => writer.write_all(bytes),
        };
        result.map_err(|error| self.name(&error))
    }

    /// Flushes what was written so far, where somebody may be reading along.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn flush(&mut self) -> io::Result<()> {
        match &mut self.writer {
            Writer::Plain(writer) if self.names.is_none() => writer.flush(),
            _ => Ok(()),
        }
    }

    /// Ends the file and gives it its name.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn finish(mut self) -> io::Result<()> {
        let names = self.names.take();
        let finished = match self.writer {
            Writer::Plain(mut writer) => writer.flush(),
            Writer::Gzip(writer) => writer.finish().and_then(|mut buffer| buffer.flush()),
            Writer::Zstd(writer) => writer.finish().and_then(|mut buffer| buffer.flush()),
        };
        let Some((temporary, path)) = names else {
            return finished;
        };
        finished
            .and_then(|()| std::fs::rename(&temporary, &path))
            .map_err(|error| named(&error, &path))
    }

    fn name(&self, error: &io::Error) -> io::Error {
        match &self.names {
            Some((_, path)) => named(error, path),
            None => io::Error::new(error.kind(), "standard output"),
        }
    }
}

/// The error with the name of the file it is about.
fn named(error: &io::Error, path: &Path) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("cannot write {}: {error}", path.display()),
    )
}
