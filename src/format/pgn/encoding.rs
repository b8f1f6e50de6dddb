//! How the bytes of a record of xiangqi are encoded: no record says it.

use std::sync::LazyLock;

use encoding_rs::{BIG5, Encoding, GB18030};

use crate::{
    format::Context,
    record::{Charset, Place, Record, Warning},
};

/// Characters of moves, results and heads of records, in both scripts.
const GLYPHS: &str = "一二三四五六七八九１２３４５６７８９进進退平前后後中车車俥马馬傌炮砲包相象仕士\
    帅帥將将兵卒红紅黑胜勝负負和先局赛賽杯盃年月日届屆届全国國象棋团團体體锦錦标標个個人";

/// Characters that tell an encoding: some moves and the tags before them.
const LOOKED_AT: usize = 100;

/// A bit for each number of 16 bits.
struct Bits(Vec<u64>);

impl Bits {
    fn of(numbers: impl Iterator<Item = u16>) -> Self {
        let mut bits = vec![0; 1024];
        for number in numbers {
            bits[usize::from(number >> 6)] |= 1 << (number & 63);
        }
        Self(bits)
    }

    fn has(&self, number: u16) -> bool {
        self.0[usize::from(number >> 6)] >> (number & 63) & 1 != 0
    }
}

/// The glyphs as numbers of each encoding.
struct Glyphs {
    unicode: Bits,
    big5: Bits,
    gb18030: Bits,
}

static KNOWN: LazyLock<Glyphs> = LazyLock::new(|| {
    let pairs = |encoding: &'static Encoding| {
        Bits::of(GLYPHS.chars().filter_map(|glyph| {
            let mut text = [0; 4];
            let (bytes, _, failed) = encoding.encode(glyph.encode_utf8(&mut text));
            match *bytes {
                [first, second] if !failed => Some(u16::from_be_bytes([first, second])),
                _ => None,
            }
        }))
    };
    Glyphs {
        unicode: Bits::of(
            GLYPHS
                .chars()
                .filter_map(|glyph| u16::try_from(u32::from(glyph)).ok()),
        ),
        big5: pairs(BIG5),
        gb18030: pairs(GB18030),
    }
});

/// How characters are cut out of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    Utf8,
    Big5,
    Gb18030,
    /// A byte each.
    Bytes,
}

impl Cut {
    pub(super) fn of(charset: Charset) -> Self {
        match charset.0 {
            None => Self::Utf8,
            Some(encoding) if encoding == BIG5 => Self::Big5,
            Some(encoding) if encoding == GB18030 => Self::Gb18030,
            Some(_) => Self::Bytes,
        }
    }

    /// The length of the first character, which is not ASCII, and whether it is
    /// whole. Half a character is one byte.
    pub(super) fn length(self, bytes: &[u8]) -> (usize, bool) {
        let is_next = |byte: u8| matches!(byte, 0x80..=0xbf);
        let length = match (self, bytes) {
            (Self::Bytes, _) => 1,
            (Self::Utf8, [0xc2..=0xdf, b, ..]) if is_next(*b) => 2,
            (Self::Utf8, [0xe0..=0xef, b, c, ..]) if is_next(*b) && is_next(*c) => 3,
            (Self::Utf8, [0xf0..=0xf4, b, c, d, ..])
                if is_next(*b) && is_next(*c) && is_next(*d) =>
            {
                4
            }
            (Self::Big5, [0x81..=0xfe, 0x40..=0x7e | 0xa1..=0xfe, ..]) => 2,
            (Self::Gb18030, [0x81..=0xfe, 0x40..=0x7e | 0x80..=0xfe, ..]) => 2,
            (Self::Gb18030, [0x81..=0xfe, b'0'..=b'9', 0x81..=0xfe, b'0'..=b'9', ..]) => 4,
            _ => return (1, false),
        };
        (length, true)
    }

    /// How many bytes a character takes.
    pub(super) const fn width(self, letter: char) -> usize {
        match self {
            Self::Utf8 => letter.len_utf8(),
            _ if letter.is_ascii() => 1,
            Self::Bytes => 1,
            Self::Big5 | Self::Gb18030 => 2,
        }
    }

    /// The known glyphs among the first characters of some bytes that are not
    /// ASCII.
    fn known(self, bytes: &[u8]) -> usize {
        let mut known = 0;
        for (letter, _) in self.letters(bytes).take(LOOKED_AT) {
            let hit = match (self, letter) {
                (Self::Utf8, [a, b, c]) => {
                    let bits = |byte: &u8| u16::from(byte & 0x3f);
                    KNOWN
                        .unicode
                        .has(u16::from(*a) << 12 | bits(b) << 6 | bits(c))
                }
                (Self::Big5, [a, b]) => KNOWN.big5.has(u16::from_be_bytes([*a, *b])),
                (Self::Gb18030, [a, b]) => KNOWN.gb18030.has(u16::from_be_bytes([*a, *b])),
                _ => false,
            };
            known += usize::from(hit);
        }
        known
    }

    /// Whether some bytes are no characters.
    fn is_damaged(self, bytes: &[u8]) -> bool {
        self.letters(bytes).any(|(_, whole)| !whole)
    }

    /// The characters of some bytes that are not ASCII, and whether each is whole.
    fn letters(self, mut rest: &[u8]) -> impl Iterator<Item = (&[u8], bool)> {
        std::iter::from_fn(move || {
            while let [first, behind @ ..] = rest {
                if first.is_ascii() {
                    rest = behind;
                    continue;
                }
                let (length, whole) = self.length(rest);
                let letter;
                (letter, rest) = rest.split_at(length);
                return Some((letter, whole));
            }
            None
        })
    }
}

/// Sets the encoding of a record: what the user says, else UTF-8 where that is
/// possible, else the one of three in which most of the text is known.
pub(in crate::format) fn set_charset(record: &mut Record<'_>, bytes: &[u8], context: &Context) {
    if context.charset.is_some() {
        return context.set_charset(record, bytes, None);
    }
    if std::str::from_utf8(bytes).is_ok() {
        record.charset = Charset::UTF8;
        return;
    }
    let mut best = (0, None);
    let mut others = 0;
    for (cut, charset) in [
        (Cut::Gb18030, Charset(Some(GB18030))),
        (Cut::Big5, Charset(Some(BIG5))),
        (Cut::Utf8, Charset::UTF8),
    ] {
        let known = cut.known(bytes);
        if known > best.0 {
            others = best.0;
            best = (known, Some((charset, cut)));
        } else {
            others = others.max(known);
        }
        if known == LOOKED_AT {
            break;
        }
    }
    // One glyph says something where it is one in no other encoding.
    match best.1.filter(|_| best.0 > 1 || others == 0) {
        Some((charset, cut)) => {
            record.charset = charset;
            if cut.is_damaged(bytes) {
                let warning = Warning::new("damaged_text", Place::Record);
                record.warnings.push(warning);
            }
        }
        None => context.set_charset(record, bytes, None),
    }
}
