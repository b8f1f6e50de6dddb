//! The strict reader: the whole tree by the `sgf-parse` crate.
//!
//! It refuses what the crate refuses and reads what the crate reads: the main
//! line of the parsed tree is written out again as plain SGF and handed to the
//! scan, so that both readers make the same kind of record.

use sgf_parse::{GameTree, SgfNode, SgfProp};

use super::{
    super::{Context, Piece, Reading},
    scan,
};
use crate::{
    record::{Arena, Place, ReadError, Record},
    source::charset,
};

/// Dropping a tree of some 30 000 nodes overflows a stack of 2 MiB and ends
/// the process, so larger records are refused before they are parsed.
const MAX_NODES: usize = 10_000;

/// Reads one record strictly.
pub(super) fn read<'a>(
    bytes: &'a [u8],
    piece: Piece,
    context: &Context,
    arena: &'a Arena,
) -> Reading<'a> {
    match main_line(bytes, piece) {
        Ok((text, label_was_wrong)) => {
            let reading = scan::read(arena.keep(text.into_bytes()), Piece::default(), context);
            restore(reading, bytes, label_was_wrong)
        }
        Err(error) => Reading::Broken(Record::empty(bytes), error),
    }
}

/// The main line as SGF text in UTF-8, and whether the record names a charset
/// that it is not in.
fn main_line(bytes: &[u8], piece: Piece) -> Result<(String, bool), ReadError> {
    if piece.around.extra_close || piece.around.leading_text || piece.around.trailing_text {
        return Err(refuse("text or brackets around the game tree"));
    }
    let nodes = memchr::memchr_iter(b';', bytes).count();
    if nodes > MAX_NODES {
        return Err(ReadError::new(
            "too_many_nodes",
            format!("{nodes} nodes, more than {MAX_NODES}: read this file without --strict"),
        ));
    }
    let detected = charset::detect(bytes, scan::charset_label(bytes));
    let text = detected.charset.decode(bytes);
    let trees = sgf_parse::parse(&text).map_err(|error| refuse(&error.to_string()))?;
    let line = match trees.first() {
        Some(GameTree::GoGame(root)) => write(root),
        Some(GameTree::Unknown(root)) => write(root),
        None => return Err(refuse("no game tree")),
    };
    Ok((line, detected.label_was_wrong))
}

fn refuse(why: &str) -> ReadError {
    ReadError::new(
        "not_strict_sgf",
        format!("{}: read this file without --strict", why.to_lowercase()),
    )
}

/// Writes the nodes of the main line one by one.
fn write<Prop: SgfProp>(root: &SgfNode<Prop>) -> String {
    let mut text = String::from("(");
    for node in root.main_variation() {
        let alone = SgfNode::new(node.properties.clone(), Vec::new(), node.is_root);
        let written = alone.serialize();
        text.push_str(written.trim_start_matches('(').trim_end_matches(')'));
    }
    text.push(')');
    text
}

/// Gives the record its own bytes back. Places in the rewritten text are not
/// places in the file, and the text is UTF-8 whatever its label says.
fn restore<'a>(reading: Reading<'a>, bytes: &'a [u8], label_was_wrong: bool) -> Reading<'a> {
    let fix = |mut record: Record<'a>| {
        record.bytes = bytes;
        record
            .warnings
            .retain(|warning| label_was_wrong || warning.word != "wrong_charset");
        for warning in &mut record.warnings {
            if let Place::Byte(_) = warning.place {
                warning.place = Place::Record;
            }
        }
        record
    };
    match reading {
        Reading::Game(record) => Reading::Game(fix(record)),
        Reading::NotAGame(record, what) => Reading::NotAGame(fix(record), what),
        Reading::Broken(record, error) => Reading::Broken(fix(record), error),
    }
}
