//! Files in a stream of Arrow, as other programs hand them over: a column of paths
//! and one of bytes.

use std::io::Read;

use arrow_array::{Array, ArrayRef, cast::AsArray};
use arrow_schema::DataType;

use super::{
    Fault, short,
    stream::{Form, Stream},
};

/// The columns that are read; others may be there.
const PATH: &str = "path";
const CONTENT: &str = "content";

/// Files, a batch at a time.
pub struct Files {
    stream: Stream,
    /// Places of path and content in batches.
    places: [usize; 2],
}

/// Paths, and what they hold; nothing where that is null.
pub type Batch = Vec<(String, Option<Content>)>;

/// The bytes of one file, which lie in a batch.
pub struct Content {
    column: ArrayRef,
    row: usize,
}

impl AsRef<[u8]> for Content {
    fn as_ref(&self) -> &[u8] {
        bytes(&self.column, self.row)
    }
}

impl Files {
    /// Reads which columns there are.
    ///
    /// # Errors
    /// One sentence, where these bytes hold no files.
    pub fn open(bytes: Box<dyn Read>) -> Result<Self, String> {
        let mut stream = Stream::open(bytes, Form::Fed).map_err(|fault| match fault {
            Fault::Damaged(why) => format!(
                "standard input is not a stream of Arrow ({}): give one with the columns path and \
                 content",
                short(&why)
            ),
            fault => sentence(fault),
        })?;
        let fields = stream.columns().fields();
        let place = |name: &str, known: &[DataType], what: &str| {
            let named = |field: &&_| {
                let field: &arrow_schema::Field = field;
                field.name() == name
            };
            let mut found = fields.iter().map(|field| &**field).enumerate();
            let found = found.find(|(_, field)| named(field)).ok_or_else(|| {
                let names: Vec<&str> = fields.iter().map(|it| it.name().as_str()).collect();
                format!(
                    "standard input has no column {name}: give the columns path (text) and content \
                     (bytes); it has {}",
                    short(&names.join(", "))
                )
            });
            let (place, field) = found?;
            if known.contains(field.data_type()) {
                return Ok(place);
            }
            Err(format!(
                "the column {name} of standard input holds {}, and should hold {what}",
                short(&field.data_type().to_string())
            ))
        };
        let texts = [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View];
        let blobs = [
            DataType::Binary,
            DataType::LargeBinary,
            DataType::BinaryView,
        ];
        let path = place(PATH, &texts, "text (utf8)")?;
        let content = place(CONTENT, &blobs, "bytes (binary)")?;
        // Columns come out in the order of the stream.
        let places = if path < content { [0, 1] } else { [1, 0] };
        stream.choose_places(&[path.min(content), path.max(content)]);
        Ok(Self { stream, places })
    }

    /// The next batch; none at the end.
    ///
    /// # Errors
    /// One sentence, where the stream breaks off, is damaged, or a path is null.
    #[expect(
        clippy::should_implement_trait,
        reason = "what failed once is not asked again"
    )]
    pub fn next(&mut self) -> Result<Option<Batch>, String> {
        let Some(batch) = self.stream.batch().map_err(sentence)? else {
            return Ok(None);
        };
        let [path, content] = self.places.map(|place| batch.columns().get(place));
        let (Some(paths), Some(contents)) = (path, content) else {
            return Err(sentence(Fault::damaged("a batch lacks columns")));
        };
        let file = |row| {
            if paths.is_null(row) {
                return Err(
                    "a path in standard input is null: every file needs one, to name its rows"
                        .to_owned(),
                );
            }
            let column = ArrayRef::clone(contents);
            let content = contents.is_valid(row).then_some(Content { column, row });
            Ok((text(paths, row).to_owned(), content))
        };
        (0..batch.num_rows())
            .map(file)
            .collect::<Result<_, _>>()
            .map(Some)
    }
}

fn text(column: &dyn Array, row: usize) -> &str {
    match column.data_type() {
        DataType::LargeUtf8 => column.as_string::<i64>().value(row),
        DataType::Utf8View => column.as_string_view().value(row),
        _ => column.as_string::<i32>().value(row),
    }
}

fn bytes(column: &dyn Array, row: usize) -> &[u8] {
    match column.data_type() {
        DataType::LargeBinary => column.as_binary::<i64>().value(row),
        DataType::BinaryView => column.as_binary_view().value(row),
        _ => column.as_binary::<i32>().value(row),
    }
}

/// What to say of standard input.
fn sentence(fault: Fault) -> String {
    match fault {
        Fault::CutOff => "standard input is cut off: it ends inside of a message of Arrow, or \
                          without its last one; the rows before are written"
            .to_owned(),
        Fault::Unread(error) => format!("cannot read standard input: {error}"),
        Fault::Damaged(why) => format!(
            "standard input is damaged ({}); the rows before are written",
            short(&why)
        ),
        Fault::Refused(sentence) => format!("standard input: {sentence}"),
    }
}
