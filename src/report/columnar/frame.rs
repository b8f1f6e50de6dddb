//! Batches to bytes, in memory: what is ready is taken out and written.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::{
    CompressionType,
    writer::{FileWriter, IpcWriteOptions, StreamWriter},
};
use arrow_schema::{ArrowError, DataType, Schema};
use parquet::{
    arrow::ArrowWriter,
    basic::{Compression, Encoding, ZstdLevel},
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties},
    },
    schema::types::ColumnPath,
};

/// A row group of Parquet ends after this many rows.
const GROUP_ROWS: usize = 1 << 16;

/// Or when its rows take this many bytes, not yet compressed.
const GROUP_BYTES: usize = 12 << 20;

/// Rows of a page of cells: each value takes some bytes until its page is done.
const PAGE_ROWS: usize = 1024;

/// A format of files.
pub(super) trait Frame {
    /// Adds a batch, whose rows took some bytes as workers wrote them.
    fn write(&mut self, batch: &RecordBatch, bytes: usize) -> Result<(), ArrowError>;

    /// Writes what comes last.
    fn end(&mut self) -> Result<(), ArrowError>;

    /// What is ready to be written; to be emptied.
    fn bytes(&mut self) -> Result<&mut Vec<u8>, ArrowError>;
}

/// Parquet.
pub(super) struct Parquet {
    writer: ArrowWriter<Vec<u8>>,
    rows: usize,
    bytes: usize,
}

impl Parquet {
    pub(super) fn new(
        schema: &Arc<Schema>,
        about: [(String, String); 3],
    ) -> Result<Self, ArrowError> {
        // Of its table for those that read it as Parquet, and of its columns for Arrow.
        let of_columns = schema.as_ref().clone().with_metadata(about.clone());
        let about = about.map(|(key, value)| KeyValue::new(key, value));
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            // Groups are cut here.
            .set_max_row_group_row_count(None)
            .set_key_value_metadata(Some(about.into()));
        for field in schema.fields() {
            let path = ColumnPath::from(field.name().as_str());
            if let DataType::List(element) = field.data_type() {
                let parts = [field.name(), "list", element.name()];
                let path = ColumnPath::new(parts.map(str::to_owned).into());
                properties = properties.set_column_data_page_row_count_limit(path, PAGE_ROWS);
                continue;
            }
            // No value of these is there twice, as a rule.
            let encoding = match (field.name().as_str(), field.data_type()) {
                ("origin" | "record_id", _) => Encoding::DELTA_BYTE_ARRAY,
                ("offset", _) => Encoding::DELTA_BINARY_PACKED,
                (_, DataType::FixedSizeBinary(_)) => Encoding::PLAIN,
                _ => continue,
            };
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, encoding);
        }
        let properties = Some(properties.build());
        let writer = ArrowWriter::try_new(Vec::new(), Arc::new(of_columns), properties)?;
        Ok(Self {
            writer,
            rows: 0,
            bytes: 0,
        })
    }
}

impl Frame for Parquet {
    fn write(&mut self, batch: &RecordBatch, bytes: usize) -> Result<(), ArrowError> {
        self.writer.write(batch)?;
        self.rows += batch.num_rows();
        self.bytes += bytes;
        if self.rows >= GROUP_ROWS || self.bytes >= GROUP_BYTES {
            (self.rows, self.bytes) = (0, 0);
            self.writer.flush()?;
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), ArrowError> {
        self.writer.finish()?;
        Ok(())
    }

    fn bytes(&mut self) -> Result<&mut Vec<u8>, ArrowError> {
        self.writer.sync()?;
        Ok(self.writer.inner_mut())
    }
}

/// Arrow, with a table of its batches at the end or without.
pub(super) enum Ipc {
    File(FileWriter<Vec<u8>>),
    Stream(StreamWriter<Vec<u8>>),
}

impl Ipc {
    pub(super) fn new(
        is_file: bool,
        schema: &Schema,
        about: [(String, String); 3],
    ) -> Result<Self, ArrowError> {
        let schema = schema.clone().with_metadata(about);
        let options =
            IpcWriteOptions::default().try_with_compression(Some(CompressionType::ZSTD))?;
        let out = Vec::new();
        Ok(if is_file {
            Self::File(FileWriter::try_new_with_options(out, &schema, options)?)
        } else {
            Self::Stream(StreamWriter::try_new_with_options(out, &schema, options)?)
        })
    }
}

impl Frame for Ipc {
    fn write(&mut self, batch: &RecordBatch, _: usize) -> Result<(), ArrowError> {
        match self {
            Self::File(writer) => writer.write(batch),
            Self::Stream(writer) => writer.write(batch),
        }
    }

    fn end(&mut self) -> Result<(), ArrowError> {
        match self {
            Self::File(writer) => writer.finish(),
            Self::Stream(writer) => writer.finish(),
        }
    }

    fn bytes(&mut self) -> Result<&mut Vec<u8>, ArrowError> {
        Ok(match self {
            Self::File(writer) => writer.get_mut(),
            Self::Stream(writer) => writer.get_mut(),
        })
    }
}
