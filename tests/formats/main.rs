//! Formats other than SGF: what they read, what they make of damage, and how
//! they cut a stream.
#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

mod ccbridge;
mod dhtmlxq;
mod lines;
mod movecsv;
mod moves;
mod other;
mod pgn;
mod pos;
mod psq;
mod rif;
mod samples;
mod servers;
mod xiangqi_lists;
mod xqf;
mod xqwrite;

use kifu::{
    format::{self, Context, Format, Piece, Reading, SplitState},
    outcome::Side,
    record::{Arena, Record, StepKind},
};

/// A format by name.
fn format_of(name: &str) -> &'static dyn Format {
    format::by_name(name).unwrap_or_else(|| panic!("{name} is a format"))
}

/// The pieces of some bytes, cut through windows that grow by a number of
/// bytes, with their places in the whole.
fn pieces(name: &str, context: &Context, bytes: &[u8], step: usize) -> Vec<Piece> {
    let mut state = SplitState::default();
    let mut pieces = Vec::new();
    let (mut from, mut to) = (0, 0);
    while from < bytes.len() {
        to = bytes.len().min(to + step);
        let eof = to == bytes.len();
        let window = &bytes[from..to];
        let consumed = format_of(name).split(&mut state, window, eof, context, &mut |piece| {
            pieces.push(Piece {
                start: piece.start + from,
                end: piece.end + from,
                ..piece
            });
        });
        assert!(consumed <= window.len());
        assert!(!eof || consumed == window.len(), "the end takes everything");
        from += consumed;
    }
    pieces
}

/// Holds that windows of every size give the same pieces, in order and apart.
fn assert_same_pieces(name: &str, context: &Context, bytes: &[u8]) -> Vec<Piece> {
    let whole = pieces(name, context, bytes, bytes.len().max(1));
    for step in (1..bytes.len()).filter(|step| *step < 50 || step % 37 == 0) {
        assert_eq!(
            pieces(name, context, bytes, step),
            whole,
            "windows of {step}"
        );
    }
    let mut end = 0;
    for piece in &whole {
        assert!(piece.start >= end && piece.end <= bytes.len(), "{whole:?}");
        end = piece.end;
    }
    whole
}

/// Reads every record of some bytes: each with the word of its error, `game`
/// or `skipped`.
fn read_all(name: &str, context: &Context, bytes: &[u8], each: &mut dyn FnMut(&Record<'_>, &str)) {
    for piece in pieces(name, context, bytes, bytes.len().max(1)) {
        let arena = Arena::default();
        let text = &bytes[piece.start..piece.end];
        match format_of(name).read(text, piece, context, &arena) {
            Reading::Game(record) => each(&record, "game"),
            Reading::NotAGame(record, _) => each(&record, "skipped"),
            Reading::Broken(record, error) => each(&record, error.kind),
        }
    }
}

/// The steps of a record: `B pd W dd`, placed stones as `AB pd`, passes as
/// `W -`.
fn steps(record: &Record<'_>) -> String {
    let steps = record.steps.iter().map(|step| {
        let what = match step.kind {
            StepKind::Play(Side::First) => "B",
            StepKind::Play(Side::Second) => "W",
            StepKind::Place(Side::First) => "AB",
            StepKind::Place(Side::Second) => "AW",
            StepKind::Clear => "AE",
            StepKind::Turn(_) => "PL",
        };
        let token = match step.token {
            [] => "-".to_owned(),
            token => token.escape_ascii().to_string(),
        };
        format!("{what} {token}")
    });
    steps.collect::<Vec<_>>().join(" ")
}

/// The warnings of a record, without their places.
fn warnings(record: &Record<'_>) -> String {
    let warnings = record.warnings.iter().map(|warning| match &warning.value {
        Some(value) => format!("{}={value}", warning.word),
        None => warning.word.to_owned(),
    });
    warnings.collect::<Vec<_>>().join(" ")
}
