//! Batches of a Parquet file.

use std::{
    fs::File,
    io::{BufReader, Read, Seek, SeekFrom},
    sync::Arc,
};

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use bytes::Bytes;
use parquet::{
    arrow::{
        ProjectionMask,
        arrow_reader::{
            ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
            ParquetRecordBatchReaderBuilder,
        },
    },
    basic::Compression,
    errors::ParquetError,
    file::{
        metadata::ColumnChunkMetaData,
        reader::{ChunkReader, Length},
    },
};

use super::{Batches, damaged, decode};
use crate::rows::CUT_OFF;

/// Rows of a batch.
const ROWS: usize = 1024;

/// What stands at both ends of a file.
const MAGIC: &[u8] = b"PAR1";

/// Bytes of the table at the end, at most: it has some 5 kB for 65,536 rows.
const MAX_FOOTER: u64 = 64 << 20;

/// A file and what its table says.
pub(super) struct Parquet {
    file: Whole,
    about: ArrowReaderMetadata,
    reader: Option<ParquetRecordBatchReader>,
}

impl Parquet {
    pub(super) fn open(file: File) -> Result<Self, String> {
        let file = Whole::new(file).map_err(|error| error.to_string())?;
        file.check()?;
        // Types are those of Parquet: what the file says of Arrow is not needed.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let about = decode(|| ArrowReaderMetadata::load(&file, options))?;
        let groups = about.metadata().row_groups().iter();
        let mut used =
            groups.flat_map(|group| group.columns().iter().map(ColumnChunkMetaData::compression));
        let is_unread =
            |it: &Compression| !matches!(it, Compression::UNCOMPRESSED | Compression::ZSTD(_));
        if let Some(other) = used.find(is_unread) {
            let other = other.to_string();
            let name = other.split('(').next().unwrap_or_default();
            return Err(format!(
                "it is compressed by {name}, and zstd is what this kifu reads: write it again \
                 with zstd"
            ));
        }
        Ok(Self {
            file,
            about,
            reader: None,
        })
    }
}

impl Batches for Parquet {
    fn schema(&self) -> &Schema {
        self.about.schema()
    }

    fn about(&self, key: &str) -> Option<&str> {
        let file = self.about.metadata().file_metadata();
        let mut about = file.key_value_metadata()?.iter();
        about.find(|it| it.key == key)?.value.as_deref()
    }

    fn choose(&mut self, places: &[usize]) -> Result<(), String> {
        let Self { file, about, .. } = self;
        let reader = decode(|| {
            let builder =
                ParquetRecordBatchReaderBuilder::new_with_metadata(file.clone(), about.clone());
            let mask = ProjectionMask::roots(builder.parquet_schema(), places.iter().copied());
            builder.with_projection(mask).with_batch_size(ROWS).build()
        })?;
        self.reader = Some(reader);
        Ok(())
    }

    fn next(&mut self) -> Result<Option<RecordBatch>, String> {
        let Some(reader) = &mut self.reader else {
            return Ok(None);
        };
        decode(|| reader.next().transpose())
    }
}

/// A file that gives no more bytes than it has: lengths that it claims are checked
/// before memory is taken for them.
#[derive(Clone)]
struct Whole {
    file: Arc<File>,
    length: u64,
}

impl Whole {
    fn new(file: File) -> std::io::Result<Self> {
        Ok(Self {
            length: file.metadata()?.len(),
            file: Arc::new(file),
        })
    }

    /// Whether it has its end, and a table of a length that can be.
    fn check(&self) -> Result<(), String> {
        let end = self.length.checked_sub(8).ok_or(CUT_OFF)?;
        let end = self.get_bytes(end, 8).map_err(|error| error.to_string())?;
        let (length, magic) = end.split_first_chunk().ok_or(CUT_OFF)?;
        if magic != MAGIC {
            return Err(CUT_OFF.to_owned());
        }
        let length = u64::from(u32::from_le_bytes(*length));
        if length > MAX_FOOTER || length > self.length {
            return Err(damaged("the length of its table cannot be"));
        }
        Ok(())
    }

    fn at(&self, start: u64) -> std::io::Result<File> {
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(start))?;
        Ok(file)
    }
}

impl Length for Whole {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Whole {
    type T = BufReader<File>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(BufReader::new(self.at(start)?))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length) {
            let message = format!("{length} bytes at {start} are not there");
            return Err(ParquetError::EOF(message));
        }
        let mut bytes = Vec::with_capacity(length);
        self.at(start)?
            .take(length as u64)
            .read_to_end(&mut bytes)?;
        if bytes.len() != length {
            return Err(ParquetError::EOF("the file became shorter".to_owned()));
        }
        Ok(bytes.into())
    }
}
