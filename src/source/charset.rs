//! How the bytes of one record are encoded.
//!
//! More than half of the records in old archives are not UTF-8, many carry no
//! label, some carry a wrong one, and one server cuts characters in two. So
//! the bytes are asked first, then the label, then the vocabulary of the
//! field: a record of a Go game that says 黑 and 胜 in one encoding says
//! nothing of the kind in the others.

use std::borrow::Cow;

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
    WINDOWS_1252,
};

use crate::record::Charset;

/// The encoding of a record, and what was odd about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detected {
    /// The encoding to read the record in.
    pub charset: Charset,
    /// The record names another encoding, or one that nobody knows.
    pub label_was_wrong: bool,
    /// Some characters are broken.
    pub damaged: bool,
}

/// Decides how the bytes of one record are encoded. `label` is the record's
/// own claim, if it makes one.
///
/// In this order: UTF-8 where all bytes are valid, or where most are and the
/// rest is damage (which no other encoding looks like); the label where the
/// bytes decode without error; the encoding in which the record speaks of Go;
/// GB18030 where the bytes decode; Windows-1252, in which all bytes do.
#[must_use]
pub fn detect(bytes: &[u8], label: Option<&[u8]>) -> Detected {
    if bytes.is_ascii() {
        return Detected {
            charset: Charset::UTF8,
            label_was_wrong: false,
            damaged: false,
        };
    }
    let claim = label.map(Claim::of).unwrap_or_default();
    let (encoding, damaged) = decide(bytes, claim);
    Detected {
        charset: Charset(Some(encoding).filter(|found| *found != UTF_8)),
        label_was_wrong: claim.is_wrong(encoding),
        damaged,
    }
}

/// Finds an encoding by one of its names, in any spelling.
#[must_use]
pub fn by_name(name: &str) -> Option<Charset> {
    named(name.as_bytes()).map(|found| Charset(Some(found).filter(|found| *found != UTF_8)))
}

/// The encoding of a name.
///
/// # Errors
/// One sentence that says which are known.
pub fn find(name: &str) -> Result<Charset, String> {
    by_name(name).ok_or_else(|| {
        format!(
            "unknown encoding '{name}'; known are utf-8, gb18030, big5, shift_jis, euc-jp, euc-kr, \
             windows-1252 and their aliases"
        )
    })
}

/// The text of UTF-16 bytes as UTF-8, where they begin with a byte order mark.
#[must_use]
pub fn from_utf16(bytes: &[u8]) -> Option<Vec<u8>> {
    let (encoding, text) = match bytes {
        [0xff, 0xfe, text @ ..] => (UTF_16LE, text),
        [0xfe, 0xff, text @ ..] => (UTF_16BE, text),
        _ => return None,
    };
    let (text, _) = encoding.decode_without_bom_handling(text);
    Some(text.into_owned().into_bytes())
}

/// The length of a UTF-8 byte order mark at the start: 0 or 3.
#[must_use]
pub fn utf8_mark(bytes: &[u8]) -> usize {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if bytes.starts_with(MARK) {
        MARK.len()
    } else {
        0
    }
}

/// A test for the first byte of a two-byte character.
pub type LeadByte = fn(u8) -> bool;

/// The test for the first byte of a two-byte character whose second byte may
/// be a sign such as `]` or `\`, in the encodings that have such characters.
///
/// UTF-8, the single-byte encodings and EUC-JP have none. EUC-KR with its
/// extension (UHC) has ASCII letters for second bytes, but none of `[\]`; a
/// reader that looks for these signs must not skip them there.
#[must_use]
pub fn ascii_trail(charset: Charset) -> Option<LeadByte> {
    let encoding = charset.0?;
    if encoding == GB18030 || encoding == GBK || encoding == BIG5 {
        Some(|lead| matches!(lead, 0x81..=0xfe))
    } else if encoding == SHIFT_JIS {
        Some(|lead| matches!(lead, 0x81..=0x9f | 0xe0..=0xfc))
    } else {
        None
    }
}

// ----------------------------------------------------------------- labels --

/// What a record says of its encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Claim {
    /// Nothing.
    #[default]
    Silent,
    /// A name that nobody knows, or of an encoding that the bytes cannot be in.
    Unusable,
    /// The name of an encoding.
    Named(&'static Encoding),
}

impl Claim {
    fn of(label: &[u8]) -> Self {
        let label = label.trim_ascii();
        if label.is_empty() {
            return Self::Silent;
        }
        named(label).map_or(Self::Unusable, Self::Named)
    }

    const fn encoding(self) -> Option<&'static Encoding> {
        match self {
            Self::Named(encoding) => Some(encoding),
            Self::Silent | Self::Unusable => None,
        }
    }

    fn is_wrong(self, found: &'static Encoding) -> bool {
        match self {
            Self::Silent => false,
            Self::Unusable => true,
            Self::Named(encoding) => encoding != found,
        }
    }
}

/// Names in use that the WHATWG list of labels lacks, in lower case without
/// blanks and signs.
const ALIASES: &[(&str, &Encoding)] = &[
    ("utf", UTF_8),
    ("utf16", UTF_16LE),
    ("utf16le", UTF_16LE),
    ("utf16be", UTF_16BE),
    ("euccn", GB18030),
    ("gb", GB18030),
    ("cp936", GB18030),
    ("ms936", GB18030),
    ("windows936", GB18030),
    ("gb180302000", GB18030),
    ("big5hkscs", BIG5),
    ("cp950", BIG5),
    ("windows950", BIG5),
    ("big5eten", BIG5),
    ("mskanji", SHIFT_JIS),
    ("shiftjis", SHIFT_JIS),
    ("cp932", SHIFT_JIS),
    ("ms932", SHIFT_JIS),
    ("eucjp", EUC_JP),
    ("ujis", EUC_JP),
    ("euckr", EUC_KR),
    ("uhc", EUC_KR),
    ("cp949", EUC_KR),
    ("ms949", EUC_KR),
    ("ksc5601", EUC_KR),
    ("latin", WINDOWS_1252),
    ("latin1", WINDOWS_1252),
    ("iso88591", WINDOWS_1252),
    ("cp1252", WINDOWS_1252),
    ("ansi", WINDOWS_1252),
];

/// The encoding of a label, if it is one that a record can be in.
fn named(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label).or_else(|| {
        let simple: String = label
            .iter()
            .filter(|byte| byte.is_ascii_alphanumeric())
            .map(|byte| char::from(byte.to_ascii_lowercase()))
            .collect();
        let alias = ALIASES.iter().find(|(name, _)| *name == simple);
        alias.map(|(_, encoding)| *encoding)
    })?;
    match encoding {
        // Such a text is made UTF-8 before it is read, and keeps its label.
        _ if encoding == UTF_16LE || encoding == UTF_16BE => Some(UTF_8),
        // GBK is the part of GB18030 that old records use.
        _ if encoding == GBK => Some(GB18030),
        _ if encoding.is_ascii_compatible() => Some(encoding),
        _ => None,
    }
}

// --------------------------------------------------------------- decision --

/// The encoding of bytes that are not all ASCII, and whether they are damaged.
fn decide(bytes: &[u8], claim: Claim) -> (&'static Encoding, bool) {
    if std::str::from_utf8(bytes).is_ok() {
        return (UTF_8, false);
    }
    let text = foreign_part(bytes);
    if is_mostly_utf8(&text, claim == Claim::Named(UTF_8)) {
        return (UTF_8, true);
    }
    let claimed = claim.encoding().filter(|encoding| *encoding != UTF_8);
    if let Some(encoding) = claimed
        && decodes(encoding, &text)
        && is_plausible(encoding, &text)
    {
        return (encoding, false);
    }
    if let Some(found) = by_vocabulary(&text) {
        return found;
    }
    let fallback = claimed.unwrap_or(GB18030);
    let (chars, errors) = count_errors(fallback, &text);
    if looks_western(&text) || errors * 4 > chars {
        (WINDOWS_1252, false)
    } else {
        (fallback, errors > 0)
    }
}

/// Whether a label that fits is to be believed. Anything is valid in
/// Windows-1252, and some programs write its name into every record.
fn is_plausible(encoding: &'static Encoding, text: &[u8]) -> bool {
    encoding != WINDOWS_1252 || looks_western(text) || by_vocabulary(text).is_none()
}

/// The bytes outside ASCII, each with the byte after it, which may be its
/// second half; a blank stands for whatever was between.
///
/// A record is mostly moves: what is left is short enough to be decoded
/// several times.
fn foreign_part(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut after_foreign = false;
    let mut gap = false;
    for byte in bytes {
        let foreign = !byte.is_ascii();
        if foreign && gap {
            out.push(b' ');
            gap = false;
        }
        if foreign || after_foreign {
            out.push(*byte);
        } else {
            gap = !out.is_empty();
        }
        after_foreign = foreign;
    }
    out
}

fn decode_exactly<'a>(encoding: &'static Encoding, text: &'a [u8]) -> Option<Cow<'a, str>> {
    encoding.decode_without_bom_handling_and_without_replacement(text)
}

fn decodes(encoding: &'static Encoding, text: &[u8]) -> bool {
    decode_exactly(encoding, text).is_some()
}

/// The number of characters outside ASCII, and how many of them are broken.
fn count_errors(encoding: &'static Encoding, text: &[u8]) -> (usize, usize) {
    let (decoded, _) = encoding.decode_without_bom_handling(text);
    let chars = decoded.chars().filter(|c| !c.is_ascii()).count();
    let errors = decoded.matches(char::REPLACEMENT_CHARACTER).count();
    (chars, errors)
}

/// Whether most bytes outside ASCII belong to three-byte UTF-8 characters,
/// whole ones or such in which a byte became `?` or the end was cut off.
///
/// Two-byte characters prove nothing unless the record claims to be UTF-8
/// (`pairs`): pairs of GB18030 often look like them, and like the beginning of
/// a three-byte character.
fn is_mostly_utf8(text: &[u8], pairs: bool) -> bool {
    let is_next = |byte: u8| matches!(byte, 0x80..=0xbf);
    let (mut proven, mut total, mut rest) = (0, 0, text);
    loop {
        let (length, foreign) = match *rest {
            [0xe0..=0xef, b, c, ..] if is_next(b) && is_next(c) => (3, 3),
            [0xe0..=0xef, b, b'?', ..] if is_next(b) => (3, 2),
            [0xe0..=0xef, b'?', c, ..] if is_next(c) => (3, 2),
            [0xc2..=0xdf, b, ..] if pairs && is_next(b) => (2, 2),
            [0xe0..=0xef, b, c, ..] if pairs && is_next(b) && c.is_ascii() => (2, 2),
            [first, ..] => {
                total += usize::from(!first.is_ascii());
                (1, 0)
            }
            [] => return proven * 2 > total,
        };
        proven += foreign;
        total += foreign;
        rest = rest.get(length..).unwrap_or_default();
    }
}

/// Whether most bytes outside ASCII stand alone between ASCII letters, as
/// accented letters do and the halves of two-byte characters do not.
fn looks_western(text: &[u8]) -> bool {
    let runs = text.split(u8::is_ascii).map(<[u8]>::len);
    let (alone, total) = runs.fold((0, 0), |(alone, total), run| {
        (alone + usize::from(run == 1), total + run)
    });
    alone * 2 > total
}

// ------------------------------------------------------------- vocabulary --

/// The characters that records of Go games use most, by encoding. Names of
/// players are no help: they are any characters, and so is misread text.
///
/// GB18030 comes first and wins a draw: it is by far the most frequent.
const VOCABULARIES: [(&Encoding, &str); 5] = [
    (
        GB18030,
        "黑白胜负目子半中盘段手共围棋赛届第战局杯年月日贴方和先让分业国人无",
    ),
    (
        SHIFT_JIS,
        "黒白勝負目半中押段手完番碁戦第期局年月日先互本名人棋院大会杯",
    ),
    (
        EUC_KR,
        "흑백승패집반불계단수기국제회배점년월일전대결번선덤시간무부",
    ),
    (
        BIG5,
        "黑白勝負目子半中盤段手共圍棋賽屆第戰局盃年月日貼方和先讓分業國人無",
    ),
    (
        EUC_JP,
        "黒白勝負目半中押段手完番碁戦第期局年月日先互本名人棋院大会杯",
    ),
];

/// The encoding in which the text says most about Go, and whether some of it
/// is damaged; `None` where it says nothing in any.
fn by_vocabulary(text: &[u8]) -> Option<(&'static Encoding, bool)> {
    let undamaged = best(|encoding| Some((decode_exactly(encoding, text)?, 0)));
    let found = undamaged.map(|encoding| (encoding, false));
    found.or_else(|| {
        let damaged = best(|encoding| {
            let (decoded, _) = encoding.decode_without_bom_handling(text);
            let errors = decoded.matches(char::REPLACEMENT_CHARACTER).count();
            Some((decoded, errors))
        });
        damaged.map(|encoding| (encoding, true))
    })
}

/// The encoding whose decoding scores best, if any scores enough.
fn best<'a>(
    decode: impl Fn(&'static Encoding) -> Option<(Cow<'a, str>, usize)>,
) -> Option<&'static Encoding> {
    let mut winner: Option<(&Encoding, usize)> = None;
    for (encoding, vocabulary) in VOCABULARIES {
        let Some((text, errors)) = decode(encoding) else {
            continue;
        };
        let score = score(encoding, vocabulary, &text).saturating_sub(3 * errors);
        // One hit is chance, except in the most frequent encoding.
        let needed = if encoding == GB18030 { 1 } else { 2 };
        if score >= needed && winner.is_none_or(|(_, best)| score > best) {
            winner = Some((encoding, score));
        }
    }
    winner.map(|(encoding, _)| encoding)
}

/// How often the text uses the vocabulary, and in Japanese also kana.
fn score(encoding: &'static Encoding, vocabulary: &str, text: &str) -> usize {
    /// Characters that are looked at: long comments say no more than short ones.
    const ENOUGH: usize = 1000;
    let japanese = encoding == SHIFT_JIS || encoding == EUC_JP;
    text.chars()
        .filter(|c| !c.is_ascii())
        .take(ENOUGH)
        .filter(|c| vocabulary.contains(*c) || japanese && matches!(c, '\u{3041}'..='\u{30f6}'))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The encoding in short: `gb18030`, with `!` where the label was wrong
    /// and `?` where characters are broken.
    fn short(bytes: &[u8], label: &str) -> String {
        let label = Some(label.as_bytes()).filter(|label| !label.is_empty());
        let found = detect(bytes, label);
        let wrong = if found.label_was_wrong { "!" } else { "" };
        let damaged = if found.damaged { "?" } else { "" };
        format!("{}{wrong}{damaged}", found.charset.name())
    }

    #[test]
    fn encodings_are_told_apart() {
        let cases: &[(&[u8], &str, &str)] = &[
            // ASCII is UTF-8, whatever the label.
            (b"(;GM[1];B[dd])", "", "UTF-8"),
            (b"(;GM[1];B[dd])", "big5", "UTF-8"),
            (b"(;GM[1];B[dd])", "nonsense", "UTF-8"),
            // Valid UTF-8 is UTF-8.
            ("PB[黑棋]".as_bytes(), "", "UTF-8"),
            ("PB[黑棋]".as_bytes(), " utf8 ", "UTF-8"),
            ("PB[黑棋]".as_bytes(), "UTF-16BE", "UTF-8"),
            ("PB[黑棋]".as_bytes(), "gb2312", "UTF-8!"),
            ("PB[黑棋]".as_bytes(), "nonsense", "UTF-8!"),
            // Labels, under all their names.
            (b"PB[\xb0]]", "gb2312", "gb18030"),
            (b"PB[\xb0\\]", "GBK", "gb18030"),
            (b"PB[\xb0[]", "EUC-CN", "gb18030"),
            (b"PB[\xb0]]", "big5", "Big5"),
            (b"PB[\xb0\\]", "Big5-HKSCS", "Big5"),
            (b"PB[\xe0]]", "shift_jis", "Shift_JIS"),
            (b"PB[\xe0\\]", "ms_kanji", "Shift_JIS"),
            (b"PB[\xc8\xe6]", "ks_c_5601-1987", "EUC-KR"),
            (b"PB[\xc8\xe6]", "UHC", "EUC-KR"),
            (b"PB[\xb9\xf5]", "EUC_JP", "EUC-JP"),
            (b"PB[\xcf\xf0\xe8]", "windows-1251", "windows-1251"),
            (b"PB[Jos\xe9]", "ISO8859_1", "windows-1252"),
            // Labels that cannot be true, or are not what they say.
            (b"RE[\xba\xda\xd6\xd0\xc5\xcc\xca\xa4]", "UTF-8", "gb18030!"),
            (
                b"RE[\xba\xda\xd6\xd0\xc5\xcc\xca\xa4]",
                "latin1",
                "gb18030!",
            ),
            (
                b"RE[\xba\xda\xd6\xd0\xc5\xcc\xca\xa4]",
                "UTF-16LE",
                "gb18030!",
            ),
            (b"PB[Jos\xe9]", "utf-8", "windows-1252!"),
            // No label: the vocabulary decides.
            (
                b"RE[\xb0\xd7\xca\xa43\xc4\xbf\xb0\xeb]PB[\xb0]\xca\xd6]",
                "",
                "gb18030",
            ),
            (
                b"RE[257\x8e\xe8\x8a\xae, \x8d\x95\x92\x86\x89\x9f\x82\xb5\x8f\x9f\x82\xbf]",
                "",
                "Shift_JIS",
            ),
            (b"RE[\xc8\xe6 \xba\xd2\xb0\xe8\xbd\xc2]", "", "EUC-KR"),
            (b"RE[\xb6\xc2\xa4\xa4\xbd\x4c\xb3\xd3]", "", "Big5"),
            (
                b"RE[\xb9\xf5\xc3\xe6\xb2\xa1\xa4\xb7\xbe\xa1\xa4\xc1]",
                "",
                "EUC-JP",
            ),
            // No label and no word of Go.
            (b"PB[\xb9\xc5\xc1\xa6]", "", "gb18030"),
            (b"PB[Jos\xe9]PW[M\xfcller]", "", "windows-1252"),
            (b"C[\xff\xff\xff]", "", "windows-1252"),
            // Broken UTF-8: a byte became `?`, or the last one was lost.
            (b"PB[\xe9\xbb\x91\xe6\xa3\x8b\xe9\x80?]", "", "UTF-8?"),
            (b"PB[\xe9\xbb\x91\xe9?\x89\xe6\x89\x8b]", "utf-8", "UTF-8?"),
            (b"PB[\xe9\xbb\x91\xe6\xa3\x8b\xe6\x89]", "", "UTF-8?"),
            (
                b"PB[\xe9\xbb\x91\xe6\xa3\x8b\xe9\x80?]",
                "gb2312",
                "UTF-8!?",
            ),
            (b"PB[Jos\xc3\xa9]PW[M\xc3?ller]", "UTF-8", "UTF-8?"),
            // Broken GB18030: the first half of a character is lost.
            (
                b"PB[\xd7]RE[\xba\xda\xd6\xd0\xc5\xcc\xca\xa4]PW[\xba\xff]",
                "",
                "gb18030?",
            ),
            (
                b"PB[\xb9\xc5\xc1\xa6\xb9\xc5\xc1\xa6\xff]",
                "gb2312",
                "gb18030?",
            ),
        ];
        for (bytes, label, expected) in cases {
            assert_eq!(
                short(bytes, label),
                *expected,
                "{:?} {label}",
                bytes.escape_ascii()
            );
        }
    }

    #[test]
    fn only_some_encodings_hide_signs() {
        let hides = |label: &str, lead: u8| {
            let encoding = named(label.as_bytes());
            ascii_trail(Charset(encoding)).is_some_and(|test| test(lead))
        };
        for label in ["gbk", "big5", "shift_jis"] {
            assert!(hides(label, 0x95), "{label}");
            assert!(!hides(label, b'a'), "{label}");
        }
        // A half-width kana of Shift_JIS stands alone.
        assert!(!hides("shift_jis", 0xb1));
        assert!(hides("gbk", 0xb1));
        for label in ["euc-kr", "euc-jp", "latin1"] {
            assert!(!hides(label, 0xb1), "{label}");
        }
        assert!(ascii_trail(Charset::UTF8).is_none());
    }

    /// Every character whose second byte is one of `[\]` must be found by the
    /// test, in every encoding.
    #[test]
    fn no_hidden_sign_is_missed() {
        for encoding in [GB18030, BIG5, SHIFT_JIS, EUC_KR, EUC_JP] {
            let test = ascii_trail(Charset(Some(encoding)));
            for lead in 0x80..=0xff {
                for sign in *b"[\\]" {
                    let is_pair = decode_exactly(encoding, &[lead, sign])
                        .is_some_and(|text| text.chars().count() == 1);
                    let found = test.is_some_and(|test| test(lead));
                    assert!(found || !is_pair, "{} {lead:x}", encoding.name());
                }
            }
        }
    }

    #[test]
    fn marks_of_unicode() {
        assert_eq!(utf8_mark(b"\xef\xbb\xbf(;"), 3);
        assert_eq!(utf8_mark(b"\xef\xbb"), 0);
        let expected = Some("(黑".as_bytes().to_vec());
        assert_eq!(from_utf16(b"\xff\xfe(\x00\xd1\x9e"), expected);
        assert_eq!(from_utf16(b"\xfe\xff\x00(\x9e\xd1"), expected);
        assert_eq!(from_utf16(b"(;"), None);
        // Half a character is replaced.
        assert_eq!(
            from_utf16(b"\xff\xfe(\x00\xd1"),
            Some("(\u{fffd}".as_bytes().to_vec())
        );
    }

    #[test]
    fn any_bytes_have_an_encoding() {
        for first in 0..=255 {
            for second in (0..=255).step_by(5) {
                let bytes = [b'[', first, second, b']'];
                let found = detect(&bytes, Some(&[second, first]));
                assert!(!found.charset.decode(&bytes).is_empty());
            }
        }
    }
}
