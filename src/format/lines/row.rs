//! Rows of an index: fields with tabs between them, one row a game.

use std::{
    io::{self, Read},
    ops::Range,
};

use super::{super::Companion, ink, read};

/// No row has more fields: two of the longest, joined.
const MAX_FIELDS: usize = 24;

/// Lines of an index or a dump are kept up to this length; ids, and rows with
/// their names, are far shorter.
const MAX_KEPT: usize = 4096;

/// What a row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row<'a> {
    pub(super) date: &'a [u8],
    pub(super) white: &'a [u8],
    pub(super) black: &'a [u8],
    pub(super) komi: Option<&'a [u8]>,
    pub(super) result: &'a [u8],
    pub(super) moves: &'a [u8],
}

/// Where the fields of a row are.
struct Layout {
    /// How many there are; the first is the id and the last the time limits.
    fields: usize,
    black: usize,
    komi: Option<usize>,
    result: usize,
    moves: usize,
}

/// Tom: id, date, white, black, komi, result, moves, time. Tygem: id, date,
/// white, white's other name, nation, black, black's other name, nation,
/// result, moves, time.
const LAYOUTS: [Layout; 2] = [
    Layout {
        fields: 8,
        black: 3,
        komi: Some(4),
        result: 5,
        moves: 6,
    },
    Layout {
        fields: 11,
        black: 5,
        komi: None,
        result: 8,
        moves: 9,
    },
];

/// Reads a row, `None` where it has not the fields of one.
pub(super) fn parse(row: &[u8]) -> Option<Row<'_>> {
    let fields = Fields::of(row);
    let layout = LAYOUTS
        .iter()
        .find(|layout| layout.fields == fields.count)?;
    id(row)?;
    let date = fields.get(1);
    // Tygem writes a letter before the date.
    let date = date.strip_prefix(b"C").unwrap_or(date);
    let row = Row {
        date,
        white: fields.get(2),
        black: fields.get(layout.black),
        komi: layout.komi.map(|komi| fields.get(komi)),
        result: fields.get(layout.result),
        moves: fields.get(layout.moves),
    };
    // A row that lost its end can have as many fields as the other layout.
    let counted = !row.moves.is_empty() && row.moves.iter().all(u8::is_ascii_digit);
    (counted && is_date(date)).then_some(row)
}

/// Whether a line begins as a row: an id, a date, and then more.
pub(super) fn is_row(line: &[u8]) -> bool {
    let fields = Fields::of(line);
    let date = fields.get(1);
    fields.count > 2 && id(line).is_some() && is_date(date.strip_prefix(b"C").unwrap_or(date))
}

/// Whether a line is a row and nothing else: its result is one as servers
/// write it, and its moves are a number.
pub(super) fn is_plain_row(line: &[u8]) -> bool {
    let starts: [&[u8]; 6] = [b"B+", b"W+", b"Draw", b"Jigo", b"Void", b"No"];
    rows(line).all(|(place, _)| {
        parse(&line[place])
            .is_some_and(|row| starts.iter().any(|start| row.result.starts_with(start)))
    })
}

/// The id that a line begins with, before the first tab.
pub(super) fn id(line: &[u8]) -> Option<&[u8]> {
    let head = &line[..line.len().min(MAX_ID + 1)];
    let end = memchr::memchr(b'\t', head)?;
    Some(&head[..end]).filter(|id| is_id(id))
}

/// Longest id.
const MAX_ID: usize = 64;

/// Whether some bytes can be an id: one word without the signs of moves.
fn is_id(bytes: &[u8]) -> bool {
    let sign = |byte: &u8| !byte.is_ascii_graphic() || matches!(byte, b';' | b'[' | b']');
    (1..=MAX_ID).contains(&bytes.len()) && !bytes.iter().any(sign)
}

/// `2005.11.02 10:48`: a year, a sign and more digits.
fn is_date(text: &[u8]) -> bool {
    let Some((year, [sign, rest @ ..])) = text.split_at_checked(4) else {
        return false;
    };
    year.iter().all(u8::is_ascii_digit)
        && matches!(sign, b'.' | b'-' | b'/')
        && rest.first().is_some_and(u8::is_ascii_digit)
}

/// Whether a line names the columns and holds no game: words with tabs
/// between them.
pub(super) fn is_heading(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let word = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'\t' | b'_' | b'-');
    line.contains(&b'\t') && line.iter().all(word)
}

/// The rows of a line: one, or two where the end of a row was lost. Then its
/// time limits are glued to the id of the next, `30/3 10m293005992`. Says
/// where each is, and whether it was joined.
pub(super) fn rows(line: &[u8]) -> impl Iterator<Item = (Range<usize>, bool)> {
    let halves = unjoin(line).map(|at| [(0..at, true), (at..line.len(), true)]);
    let whole = halves.is_none().then_some((0..line.len(), false));
    halves.into_iter().flatten().chain(whole)
}

/// Where the second of two joined rows begins.
fn unjoin(line: &[u8]) -> Option<usize> {
    let fields = Fields::of(line);
    let layout = LAYOUTS
        .iter()
        .find(|layout| layout.fields * 2 - 1 == fields.count)?;
    let glued = fields.place(layout.fields - 1);
    let text = line.get(glued.clone())?;
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let at = glued.end - digits.count();
    let both = glued.start < at && at < glued.end;
    (both && parse(&line[..at]).is_some() && parse(&line[at..]).is_some()).then_some(at)
}

/// The fields of a row.
struct Fields<'a> {
    row: &'a [u8],
    /// Where each begins; then one past the end of the last.
    starts: [usize; MAX_FIELDS + 1],
    count: usize,
}

impl<'a> Fields<'a> {
    fn of(row: &'a [u8]) -> Self {
        let row = row.trim_ascii_end();
        let mut fields = Self {
            row,
            starts: [0; MAX_FIELDS + 1],
            count: 1,
        };
        for tab in memchr::memchr_iter(b'\t', row) {
            if fields.count == MAX_FIELDS {
                break;
            }
            fields.starts[fields.count] = tab + 1;
            fields.count += 1;
        }
        fields.starts[fields.count] = row.len() + 1;
        fields
    }

    /// Where a field is; at the end of the row where there are fewer.
    fn place(&self, number: usize) -> Range<usize> {
        if number >= self.count {
            return self.row.len()..self.row.len();
        }
        self.starts[number]..self.starts[number + 1] - 1
    }

    fn get(&self, number: usize) -> &'a [u8] {
        self.row
            .get(self.place(number))
            .unwrap_or_default()
            .trim_ascii()
    }
}

// -------------------------------------------------------------- companion --

/// How a row stood in its index: the first byte of what is kept of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stood {
    /// Joined with another row.
    pub(super) joined: bool,
    /// Ended as lines do in other systems.
    pub(super) crlf: bool,
}

/// Keeps a line of a companion file: a row as it is, and of a line of moves
/// only the id.
pub(super) fn keep(companion: &mut Companion, line: &[u8]) {
    let line = &line[ink(line)..];
    if read::is_move_line(line) || !is_row(line) {
        if let Some(id) = id(line) {
            companion.add(id, b"");
        }
        return;
    }
    let crlf = line.ends_with(b"\r");
    for (place, joined) in rows(line) {
        let row = &line[place];
        let stood = b'0' + u8::from(joined) + 2 * u8::from(crlf);
        if let Some(id) = id(row) {
            companion.add(id, &[&[stood], row].concat());
        }
    }
}

/// A row that was kept, and how it stood in its file.
pub(super) fn kept(line: &[u8]) -> Option<(&[u8], Stood)> {
    let (stood, row) = line.split_first()?;
    let stood = Stood {
        joined: stood & 1 != 0,
        crlf: stood & 2 != 0,
    };
    Some((row, stood))
}

/// Hands over the lines of a reader, each up to a length, with the `\r` that
/// may be at their end.
pub(super) fn each_line(reader: &mut dyn Read, each: &mut dyn FnMut(&[u8])) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    let mut line = Vec::new();
    loop {
        let count = match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let mut rest = &buffer[..count];
        while let Some(end) = memchr::memchr(b'\n', rest) {
            extend(&mut line, &rest[..end]);
            each(&line);
            line.clear();
            rest = &rest[end + 1..];
        }
        extend(&mut line, rest);
    }
    if !line.is_empty() {
        each(&line);
    }
    Ok(())
}

fn extend(line: &mut Vec<u8>, part: &[u8]) {
    let room = MAX_KEPT.saturating_sub(line.len());
    line.extend_from_slice(&part[..part.len().min(room)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOM: &[u8] = b"17\t2004.01.02 03:04\tw\tb\t6.5\tB+0.5\t21\t30/3 5m";
    const TYGEM: &[u8] = b"18\tC2005.01.02 03:04\tw\tx\t2\tb\ty\t0\tW+Time\t9\t30/3 10m";

    #[test]
    fn rows_of_both_servers() {
        let tom = parse(TOM).unwrap();
        assert_eq!((tom.white, tom.black), (&b"w"[..], &b"b"[..]));
        assert_eq!((tom.komi, tom.result), (Some(&b"6.5"[..]), &b"B+0.5"[..]));
        assert_eq!(
            (tom.date, tom.moves),
            (&b"2004.01.02 03:04"[..], &b"21"[..])
        );
        let tygem = parse(TYGEM).unwrap();
        assert_eq!((tygem.white, tygem.black), (&b"w"[..], &b"b"[..]));
        assert_eq!((tygem.komi, tygem.result), (None, &b"W+Time"[..]));
        assert_eq!(
            (tygem.date, tygem.moves),
            (&b"2005.01.02 03:04"[..], &b"9"[..])
        );
    }

    #[test]
    fn other_lines_are_no_rows() {
        for line in [
            &b""[..],
            b"17",
            b"17\t2004.01.02",
            b"17\tC2005.01.02\tw\tx\t2\tb\ty\t0",
            b"17\tB+0.5\tw\tb\t6.5\t2004.01.02\t21\t30/3 5m",
            b"a b\t2004.01.02\tw\tb\t6.5\tB+0.5\t21\t30/3 5m",
            b"17\t;B[aa];W[bb]\tw\tb\t6.5\tB+0.5\t21\t30/3 5m",
        ] {
            assert_eq!(parse(line), None, "{:?}", line.escape_ascii());
        }
        assert!(!is_row(b"name\tsize\tdate"));
        assert!(is_row(b"17\t2004.01.02\tx") && !is_plain_row(b"17\t2004.01.02\tx"));
        let sales = b"17\t2004-01-02\tsmith\tnorth\t6.5\tpaid\t21\tcash";
        assert!(parse(sales).is_some() && !is_plain_row(sales));
        assert!(is_plain_row(TOM) && is_plain_row(TYGEM));
        assert!(is_heading(b"id\tdate\twhite\r"));
        assert!(!is_heading(TOM));
    }

    #[test]
    fn joined_rows_come_apart() {
        for row in [TOM, TYGEM] {
            let joined = [row, row].concat();
            let places: Vec<_> = rows(&joined).collect();
            let middle = row.len();
            assert_eq!(
                places,
                [(0..middle, true), (middle..2 * middle, true)],
                "{:?}",
                joined.escape_ascii()
            );
            assert_eq!(rows(row).collect::<Vec<_>>(), [(0..middle, false)]);
        }
        // Where the fields do not tell, a line stays whole.
        let torn = [TOM, TYGEM].concat();
        assert_eq!(rows(&torn).count(), 1);
    }

    #[test]
    fn lines_are_read_through_a_buffer() {
        let long = [b"9\t".as_slice(), &b"x".repeat(200_000), b"\n"].concat();
        let text = [TOM, b"\r\n", &long, TYGEM].concat();
        let mut lines = Vec::new();
        each_line(&mut text.as_slice(), &mut |line| lines.push(line.to_vec())).unwrap();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], [TOM, b"\r"].concat());
        assert_eq!(lines[1].len(), MAX_KEPT);
        assert_eq!(lines[2], TYGEM);
    }
}
