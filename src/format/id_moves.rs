//! Lists of games of xiangqi: an id, a semicolon, moves in coordinates.
//!
//! ```text
//! game00001;h2e2,h9g7,h0g2
//! ```
//!
//! Blanks may stand for the commas. Lines that begin with `#` are remarks, and a
//! head line `id;moves` is passed over.

use std::path::Path;

use super::{
    Context, Format, Piece, Reading, SplitState,
    pgn::set_charset,
    whole::{self, LOOK_AHEAD, head_lines, offset, split_lines, warn_torn},
};
use crate::{
    outcome::Side,
    record::{Arena, Notation, Place, ReadError, Record, StepKind, Warning, warn_once},
};

/// Lists of moves with ids.
pub struct IdMoves;

impl Format for IdMoves {
    fn name(&self) -> &'static str {
        "id-moves"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        // A line may be longer than the head.
        let cut = head.len() >= 4096 && !head.contains(&b'\n');
        let lines = head_lines(head, usize::MAX).filter(|line| remark(line).is_none());
        // One odd line does not make another text of it.
        let (mut lists, mut others) = (0, 0);
        for line in lines.take(LOOK_AHEAD) {
            match is_list(line, cut) {
                true => lists += 1,
                // A game without moves is none that another text has.
                false if line.ends_with(b";") && parts(line).is_some() => {}
                false => others += 1,
            }
        }
        lists > 0 && lists >= others
    }

    fn split(
        &self,
        state: &mut SplitState,
        window: &[u8],
        eof: bool,
        _: &Context,
        each: &mut dyn FnMut(Piece),
    ) -> usize {
        split_lines(state, window, eof, each)
    }

    fn read<'a>(
        &self,
        bytes: &'a [u8],
        piece: Piece,
        context: &'a Context,
        _: &'a Arena,
    ) -> Reading<'a> {
        let mut record = Record::empty(bytes);
        record.game = Some("xiangqi");
        record.notation = Notation::Xiangqi;
        set_charset(&mut record, bytes, context);
        if let Some(what) = remark(bytes) {
            return Reading::NotAGame(record, what);
        }
        let Some(list) = parts(bytes).map(|(id, list)| {
            record.id = Some(id);
            list
        }) else {
            let error = ReadError::new(
                "no_move_line",
                "the line has no id and moves: they are written as id;h2e2,h9g7",
            );
            return Reading::Broken(record, error);
        };
        steps(&mut record, list, piece.around.unclosed);
        if record.steps.is_empty() {
            let error = ReadError::new(
                "no_moves",
                "the line has an id and no moves: they are written as id;h2e2,h9g7",
            );
            return Reading::Broken(record, error);
        }
        Reading::Game(record)
    }
}

/// The id and the moves of a line.
fn parts(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memchr::memchr(b';', line)?;
    let id = line[..at].trim_ascii();
    (!id.is_empty()).then(|| (id, line[at + 1..].trim_ascii()))
}

/// What a line that is no game is there for.
fn remark(line: &[u8]) -> Option<&'static str> {
    // An id may begin with the sign, but not with a blank.
    let is_remark = match line {
        [b'#', next, ..] => !next.is_ascii_alphanumeric() || !is_list(line, false),
        [b'#'] => true,
        _ => false,
    };
    if is_remark {
        return Some("a remark in a list of moves");
    }
    let (_, names) = parts(line)?;
    let is_name = ["moves", "move", "uci", "iccs"]
        .iter()
        .any(|known| known.as_bytes().eq_ignore_ascii_case(names));
    is_name.then_some("the names of the columns of a list of moves")
}

/// Whether a line is an id and moves. `cut` allows a last move that is not whole.
pub(super) fn is_list(line: &[u8], cut: bool) -> bool {
    let Some((_, list)) = parts(line) else {
        return false;
    };
    let mut moves = words(list);
    let last = moves.next_back().unwrap_or_default();
    let mut count = 0;
    let good = moves.all(|word| {
        count += 1;
        is_move(word)
    });
    good && (is_move(last) || count > 0 && (cut || last.is_empty()))
}

/// The words of a list of moves: between commas, or else between blanks.
fn words(list: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    let parted = list.contains(&b',');
    list.split(move |byte| match parted {
        true => *byte == b',',
        false => byte.is_ascii_whitespace(),
    })
    .map(<[u8]>::trim_ascii)
    .filter(move |word| parted || !word.is_empty())
}

fn is_move(word: &[u8]) -> bool {
    squares(word).is_some()
}

/// Whether a word is two squares, as `h2e2`, `H2-E2` or `a10a9`, and whether one
/// of them is on no chessboard.
pub(super) fn squares(word: &[u8]) -> Option<bool> {
    let (first, rest) = square(word)?;
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    let (second, rest) = square(rest)?;
    rest.is_empty().then_some(first || second)
}

fn square(text: &[u8]) -> Option<(bool, &[u8])> {
    let (file @ (b'a'..=b'i' | b'A'..=b'I'), rest) = text.split_first()? else {
        return None;
    };
    let beyond = matches!(file, b'i' | b'I');
    match rest {
        [b'1', b'0', rest @ ..] => Some((true, rest)),
        [b'0' | b'9', rest @ ..] => Some((true, rest)),
        [b'1'..=b'8', rest @ ..] => Some((beyond, rest)),
        _ => None,
    }
}

/// Takes the moves of a list; a last one that the file breaks off in is left
/// out.
fn steps<'a>(record: &mut Record<'a>, list: &'a [u8], unclosed: bool) {
    let bytes = record.bytes;
    let mut side = Side::First;
    for token in words(list) {
        let at = offset(bytes, token);
        let is_last = at + token.len() == bytes.len();
        if is_last && unclosed && !token.is_empty() && !is_move(token) {
            warn_torn(record, at);
        } else if !token.is_empty() {
            whole::step(record, StepKind::Play(side), token, at);
            side = side.other();
        } else if !is_last {
            let warning = Warning::new("stray_text", Place::Byte(at as u32));
            warn_once(&mut record.warnings, warning);
        }
    }
}
