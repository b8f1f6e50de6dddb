//! What the signs of a board of xiangqi stand for.

use crate::outcome::Side;

/// What a sign is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// Nothing: a blank, a line between points, brackets around a piece.
    Blank,
    /// A point without a piece.
    Empty,
    /// A piece: its letter in FEN as a capital, and whose it is where the sign
    /// alone tells.
    Piece(u8, Option<Side>),
    /// A digit, which numbers a row or a file.
    Digit,
    /// No sign of a board.
    Other,
}

const RED: Option<Side> = Some(Side::First);
const BLACK: Option<Side> = Some(Side::Second);

/// A sign of full width as that of ASCII.
pub(super) fn narrow(letter: char) -> char {
    match u32::from(letter) {
        code @ 0xff01..=0xff5e => char::from_u32(code - 0xfee0).unwrap_or(letter),
        0x3000 => ' ',
        _ => letter,
    }
}

/// What a sign is.
pub(super) fn sign(letter: char) -> Sign {
    let letter = narrow(letter);
    if let Some(letter @ 'A'..='Z') = Some(letter.to_ascii_uppercase()) {
        return match fen(letter as u8) {
            Some(kind) => Sign::Piece(kind, None),
            None => Sign::Other,
        };
    }
    match letter {
        ' ' | '\t' | '\r' | '\n' | '|' | '(' | ')' | '[' | ']' | '<' | '>' | '/' | '\\' => {
            Sign::Blank
        }
        '\u{a0}' | '\u{feff}' | '【' | '】' | '─' | '━' | '═' | '│' | '┃' | '║' | '╲' | '╱'
        | '╳' => Sign::Blank,
        '.' | '+' | '-' | '_' | '*' | ',' | '·' | '・' | '\u{2500}'..='\u{257f}' => Sign::Empty,
        '0'..='9' => Sign::Digit,
        '帥' | '帅' => Sign::Piece(b'K', RED),
        '將' | '将' => Sign::Piece(b'K', BLACK),
        '仕' => Sign::Piece(b'A', RED),
        '士' => Sign::Piece(b'A', None),
        '相' => Sign::Piece(b'B', RED),
        '象' => Sign::Piece(b'B', None),
        '俥' => Sign::Piece(b'R', RED),
        '車' | '车' => Sign::Piece(b'R', None),
        '傌' => Sign::Piece(b'N', RED),
        '馬' | '马' => Sign::Piece(b'N', None),
        '炮' | '砲' | '包' => Sign::Piece(b'C', None),
        '兵' => Sign::Piece(b'P', RED),
        '卒' => Sign::Piece(b'P', BLACK),
        _ => Sign::Other,
    }
}

/// The letter that FEN has for a piece, of those that programs write.
const fn fen(letter: u8) -> Option<u8> {
    Some(match letter {
        b'K' | b'A' | b'B' | b'N' | b'R' | b'C' | b'P' => letter,
        b'E' => b'B',
        b'H' => b'N',
        _ => return None,
    })
}
