//! What the fuzz targets share: a whole file through splitter, reader and judge;
//! moves of xiangqi written and read.

use std::{io::Read, sync::Arc};

use kifu::{
    format::{self, Companion, Context, Format, Piece, SplitState},
    game::xiangqi::{
        Move, Position, fen,
        notation::{Ranks, Script, chinese, read as read_move, wxf},
    },
    pipeline::{Cut, Labeller, Plan, RecordFile},
    source::packed::{Content, Limits, Packed},
};

/// Reads some bytes as a file of a format. The first two bytes choose settings
/// and where windows end.
///
/// # Panics
/// Where splitting in windows gives other records than splitting at once, or a
/// reader or judge panics.
pub fn read(format: &str, strict: bool, data: &[u8]) {
    let [choice, step, bytes @ ..] = data else {
        return;
    };
    let format = format::by_name(format).expect("a format of this name");
    let mut plan = Plan::default();
    plan.settings.dead = Some("none".to_owned());
    plan.context = Context {
        strict,
        meta: choice & 1 != 0,
        size: (choice & 2 != 0).then_some((1 + choice / 8, 1 + choice / 8)),
        companion: (choice & 4 != 0).then(|| companion(format, bytes)),
        ..Context::default()
    };
    let file = RecordFile::new("fuzz", format, &plan);
    let step = usize::from(*step) + 1;
    let whole = pieces(&file, bytes, bytes.len().max(1), usize::MAX);
    let windows = pieces(&file, bytes, step, usize::MAX);
    assert_eq!(whole, windows, "windows of {step} bytes");
    // Where records are given up that are too long, windows matter; what is held
    // is that all bytes are passed over, each once.
    pieces(&file, bytes, step, 64);

    let mut labeller = Labeller::new(&plan);
    for (piece, index) in whole.into_iter().zip(1..) {
        assert!(piece.start <= piece.end && piece.end <= bytes.len(), "{piece:?}");
        let cut = Cut {
            file: &file,
            window: bytes,
            piece,
            index,
            before: 0,
        };
        labeller.label(cut, &mut |label, _| {
            let error = label.first_error();
            assert!(error.is_none_or(|error| error.kind != "panic"), "{error:?}");
        });
    }
}

fn companion(format: &dyn Format, mut bytes: &[u8]) -> Arc<Companion> {
    let read = format.companion("fuzz.index.txt".as_ref(), &mut bytes);
    Arc::new(read.expect("bytes in memory can be read"))
}

/// The pieces of a file that comes in windows, places counted from its start;
/// records longer than `limit` are given up.
fn pieces(file: &RecordFile, bytes: &[u8], step: usize, limit: usize) -> Vec<Piece> {
    let mut state = SplitState::default();
    let mut pieces = Vec::new();
    let (mut from, mut to) = (0, 0);
    while from < bytes.len() {
        to = (to + step).min(bytes.len());
        let eof = to == bytes.len();
        let window = &bytes[from..to];
        let consumed = file
            .format
            .split(&mut state, window, eof, &file.context, &mut |piece| {
                pieces.push(Piece {
                    start: from + piece.start,
                    end: from + piece.end,
                    ..piece
                });
            });
        assert!(consumed <= window.len());
        assert!(!eof || consumed == window.len(), "everything is consumed");
        if consumed == 0 && window.len() > limit && !state.is_passing() {
            state.give_up();
            to = from;
        }
        from += consumed;
    }
    pieces
}

/// Unpacks some bytes, members and their members, under narrow limits.
pub fn unpack(data: &[u8]) {
    let limits = Limits {
        unpacked: 64 << 20,
        members: 10_000,
        window: 8 << 20,
        ..Limits::default()
    };
    let opened = Packed::from_bytes(data.to_vec(), b"fuzz.zip", limits);
    let Ok(Ok(mut packed)) = opened else {
        return;
    };
    let mut buffer = vec![0; 1 << 16];
    let mut drain = |reader: &mut dyn Read| while matches!(reader.read(&mut buffer), Ok(1..)) {};
    while let Some(member) = packed.next() {
        match member.map(|member| member.content) {
            Ok(Content::Blob(blob)) => drain(&mut blob.reader()),
            Ok(Content::Stream(mut reader)) => drain(&mut reader),
            Ok(Content::Fault(_) | Content::Special(_)) | Err(_) => {}
        }
    }
}

/// Positions with several pieces of a kind on a file, and others.
const POSITIONS: [&str; 4] = [
    fen::START,
    "4k4/9/2P1P4/2P1P4/2P6/9/2p3p2/2p3p2/9/4K4 w",
    "3k1a3/4a4/b3b4/r3N4/4N4/r3N4/4C1c2/4C1c2/4A1c2/2BAK4 b",
    "4k4/4R4/4R4/9/4P4/2p1p1p2/9/9/4r4/3KrA3 w",
];

/// Plays moves that some bytes choose, writes every move there is from there in
/// every notation, and reads what is left of the bytes as one.
///
/// # Panics
/// Where what is written is not read as that move, or what is read is no move.
pub fn notation(data: &[u8]) {
    let [start, plies, rest @ ..] = data else {
        return;
    };
    let start = POSITIONS[usize::from(*start) % POSITIONS.len()];
    let mut position = fen::read(start).expect("a position");
    let (chosen, text) = rest.split_at(usize::from(*plies).min(rest.len()));
    for byte in chosen {
        let legal = position.legal();
        let Some(it) = legal.get(usize::from(*byte) % legal.len().max(1)) else {
            break;
        };
        position.make(*it);
    }
    for it in position.legal() {
        for (token, ranks) in tokens(&position, it) {
            let found = read_move(&mut position, &token, ranks);
            assert_eq!(found, Ok(it), "{token} in {}", fen::write(&position));
        }
    }
    for token in String::from_utf8_lossy(text).split_whitespace() {
        for ranks in [Ranks::FromZero, Ranks::FromOne] {
            let before = position.clone();
            if let Ok(it) = read_move(&mut position, token, ranks) {
                assert!(position.is_move(it), "{token} in {}", fen::write(&position));
            }
            assert_eq!(position, before, "{token}");
        }
    }
}

/// A move in every notation.
fn tokens(position: &Position, it: Move) -> Vec<(String, Ranks)> {
    let piece = position.piece(it.from).letter().expect("a piece moves");
    let piece = char::from(piece).to_ascii_uppercase();
    let zero = |text: String| (text, Ranks::FromZero);
    let one = |square: kifu::game::xiangqi::Square| {
        format!("{}{}", char::from(b'a' + square.file()), 10 - square.row())
    };
    vec![
        zero(it.to_string()),
        zero(format!("{}-{}", it.from, it.to).to_uppercase()),
        (one(it.from) + &one(it.to), Ranks::FromOne),
        zero(wxf(position, it)),
        zero(chinese(position, it, Script::Traditional)),
        zero(chinese(position, it, Script::Simplified)),
        zero(format!("{piece}{it}")),
        (format!("{piece}{}x{}+", one(it.from), one(it.to)), Ranks::FromOne),
    ]
}
