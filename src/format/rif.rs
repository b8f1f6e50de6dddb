//! RIF, the XML of RenjuNet's database of renju games.
//!
//! A head of dictionaries (`<countries>`, `<rules>`, `<players>` …), then
//! `<game id="7" rule="1" bresult="0.5" …>` with a `<move>` of points such as
//! `h8 i9 j7`, row 1 the lowest, and a `</game>`. `bresult` is Black's result: 1
//! won, 0 lost, 0.5 drawn. A rule is a number, which the head explains
//! (`<rule id="1" name="RIF" category="renju"/>`): games whose rule is of the
//! category gomoku are judged as such, five stones exactly, all others as
//! renju.
//!
//! No tree is built of the XML: tags are looked for where they are wanted, so
//! that damage in one game stays there.

use std::path::Path;

use memchr::{memchr, memchr2, memmem};

use super::{
    Around, Context, FirstRow, Format, Piece, Reading, SplitState,
    whole::{self, offset, warn_torn},
};
use crate::{
    outcome::Side,
    record::{Arena, Notation, Place, ReadError, Record, StepKind, Warning},
};

/// The RIF format.
pub struct Rif;

/// A tag of the head that is longer is passed over.
const MAX_TAG: usize = 4096;

/// A comment that is longer is read as if it was none.
const MAX_COMMENT: usize = 1 << 16;

/// So many bytes tell what a tag is.
const MAX_NAME: usize = 32;

impl Format for Rif {
    fn name(&self) -> &'static str {
        "rif"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["rif"]
    }

    fn sniff(&self, _: &Path, head: &[u8]) -> bool {
        const PARTS: [&[u8]; 5] = [
            b"<game",
            b"<rules",
            b"<players",
            b"<countries",
            b"<openings",
        ];
        let has = |part: &[u8]| memmem::find(head, part).is_some();
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        head.trim_ascii_start().starts_with(b"<")
            && memmem::find(head, b"<database").is_some()
            && PARTS.into_iter().any(has)
    }

    fn split(
        &self,
        state: &mut SplitState,
        window: &[u8],
        eof: bool,
        _: &Context,
        each: &mut dyn FnMut(Piece),
    ) -> usize {
        state.inked |= window.iter().any(|byte| !byte.is_ascii_whitespace());
        split(state, window, eof, each)
    }

    fn read<'a>(
        &self,
        bytes: &'a [u8],
        piece: Piece,
        context: &'a Context,
        _: &'a Arena,
    ) -> Reading<'a> {
        read(bytes, piece, context)
    }
}

/// What the splitter remembers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    /// A bit for each rule that is of the category gomoku, by its number. Larger
    /// numbers are not remembered.
    gomoku: u128,
    /// Whether the tag of a game that was given up is behind.
    passing: bool,
}

impl Memory {
    /// Takes in an entry of the dictionary of rules.
    fn learn(&mut self, tag: &[u8]) {
        let category = attribute(tag, b"category").unwrap_or_default();
        if category.eq_ignore_ascii_case(b"gomoku") {
            self.gomoku |= rule_bit(attribute(tag, b"id"));
        }
    }

    /// The rules of a game with this tag, where they are not renju.
    fn rules(&self, tag: &[u8]) -> Option<&'static str> {
        let known = self.gomoku & rule_bit(attribute(tag, b"rule")) != 0;
        known.then_some("standard")
    }
}

fn rule_bit(id: Option<&[u8]>) -> u128 {
    let id = id.and_then(whole::number);
    id.and_then(|id| 1_u128.checked_shl(id)).unwrap_or_default()
}

/// See [`Format::split`].
fn split(state: &mut SplitState, window: &[u8], eof: bool, each: &mut dyn FnMut(Piece)) -> usize {
    let mut at = 0;
    if state.is_passing() {
        // The window first begins with the tag of the game itself.
        let from = usize::from(!std::mem::replace(&mut state.rif.passing, true));
        match end_of_game(window, from, eof) {
            End::At(end) => at = end,
            End::Behind(keep) => return keep,
        }
        state.rif.passing = false;
        state.pass_over();
    }
    while let Some(length) = memchr(b'<', window.get(at..).unwrap_or_default()) {
        let start = at + length;
        let rest = &window[start..];
        if rest.len() < MAX_NAME && !eof {
            return start;
        }
        at = start + 1;
        if rest.starts_with(b"<!--") {
            // A mark that does not end soon is none.
            let most = rest.get(..MAX_COMMENT).unwrap_or(rest);
            match memmem::find(most, b"-->") {
                Some(end) => at = start + end + 3,
                None if most.len() < MAX_COMMENT && !eof => return start,
                None => {}
            }
            continue;
        }
        if is_tag(rest, b"rule") {
            let tag = rest.get(..MAX_TAG).unwrap_or(rest);
            match memchr2(b'<', b'>', &tag[1..]).map(|end| end + 1) {
                Some(end) if tag[end] == b'>' => state.rif.learn(&tag[..end]),
                None if tag.len() < MAX_TAG && !eof => return start,
                _ => {}
            }
            continue;
        }
        // Moves outside a game are those of one whose tag is damaged.
        if !is_tag(rest, b"game") && !is_tag(rest, b"move") {
            continue;
        }
        let (end, unclosed) = match end_of_game(window, start + 1, eof) {
            End::At(end) => (end, false),
            End::Behind(_) if !eof => return start,
            End::Behind(_) => (window.len(), true),
        };
        at = end;
        state.any = true;
        each(Piece {
            start,
            end,
            around: Around {
                unclosed,
                rules: state.rif.rules(opening(&window[start..end])),
                ..Around::default()
            },
        });
    }
    window.len()
}

/// Where a game ends.
enum End {
    /// Before this byte.
    At(usize),
    /// Behind the window; bytes from here are needed again.
    Behind(usize),
}

/// The end of a game whose tag begins before a place: behind `</game>`, or
/// before what can be in no game.
fn end_of_game(window: &[u8], from: usize, eof: bool) -> End {
    let mut at = from;
    while let Some(length) = memchr(b'<', window.get(at..).unwrap_or_default()) {
        let start = at + length;
        let rest = &window[start..];
        if rest.len() < MAX_NAME && !eof {
            return End::Behind(start);
        }
        if is_tag(rest, b"/game") {
            let close = rest.get(..MAX_NAME).unwrap_or(rest);
            let end = memchr(b'>', close).map_or(b"</game".len(), |end| end + 1);
            return End::At(start + end);
        }
        if is_tag(rest, b"game") || is_tag(rest, b"/games") || is_tag(rest, b"/database") {
            return End::At(start);
        }
        at = start + 1;
    }
    End::Behind(window.len())
}

/// Whether some bytes begin with a tag of this name.
fn is_tag(bytes: &[u8], name: &[u8]) -> bool {
    let rest = bytes
        .strip_prefix(b"<")
        .and_then(|rest| rest.strip_prefix(name));
    rest.is_some_and(|rest| {
        let next = rest.first();
        next.is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))
    })
}

/// The tag that a game begins with, without its bracket.
fn opening(game: &[u8]) -> &[u8] {
    let end = memchr(b'>', game).unwrap_or(game.len());
    if is_tag(game, b"game") {
        &game[..end]
    } else {
        b""
    }
}

/// The value of an attribute of a tag.
fn attribute<'a>(tag: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut rest = tag;
    loop {
        let (key, behind) = rest.split_at_checked(memchr(b'=', rest)?)?;
        let behind = behind.get(1..)?.trim_ascii_start();
        let (value, after) = match behind.split_first() {
            Some((quote @ (b'"' | b'\''), inside)) => {
                let end = memchr(*quote, inside)?;
                (&inside[..end], &inside[end + 1..])
            }
            _ => {
                let end = behind.iter().position(u8::is_ascii_whitespace);
                behind.split_at(end.unwrap_or(behind.len()))
            }
        };
        let mut words = key.trim_ascii_end().rsplit(u8::is_ascii_whitespace);
        if words.next() == Some(name) {
            return Some(value.trim_ascii());
        }
        rest = after;
    }
}

fn read<'a>(bytes: &'a [u8], piece: Piece, context: &'a Context) -> Reading<'a> {
    let mut record = Record::empty(bytes);
    let rules = piece.around.rules;
    record.game = Some(if rules.is_some() { "gomoku" } else { "renju" });
    record.rules = Some(rules.unwrap_or("renju").as_bytes());
    record.size = Some((15, 15));
    record.notation = Notation::Letters {
        from_bottom: context.first_row != Some(FirstRow::Top),
    };
    context.set_charset(&mut record, bytes, None);
    if !is_tag(bytes, b"game") {
        let warning = Warning::new("missing_header", Place::Record);
        record.warnings.push(warning);
    }
    let tag = opening(bytes);
    record.id = attribute(tag, b"id").filter(|id| !id.is_empty());
    match attribute(tag, b"bresult").unwrap_or_default() {
        b"1" => record.result = Some(b"B+"),
        b"0" => record.result = Some(b"W+"),
        b"0.5" => record.result = Some(b"draw"),
        b"" => {}
        odd => {
            let text: String = record.text(odd).chars().take(16).collect();
            let at = offset(bytes, odd) as u32;
            let warning = Warning::with("odd_result", text, Place::Byte(at));
            record.warnings.push(warning);
        }
    }
    if memmem::find(bytes, b"</game").is_none() {
        let warning = Warning::new("missing_end", Place::Record);
        record.warnings.push(warning);
    }
    moves(&mut record);
    if record.steps.is_empty() {
        let error = ReadError::new(
            "no_moves",
            "the game has no moves: they are written as <move>h8 i9 j7</move>",
        );
        return Reading::Broken(record, error);
    }
    Reading::Game(record)
}

/// Reads the list of moves, up to the next tag. Where there is none, the file
/// breaks off in it, and a last move that touches the end may not be whole.
fn moves(record: &mut Record<'_>) {
    let bytes = record.bytes;
    let found = memmem::find_iter(bytes, b"<move").find(|at| is_tag(&bytes[*at..], b"move"));
    let Some(from) = found.and_then(|at| Some(at + memchr(b'>', &bytes[at..])? + 1)) else {
        return;
    };
    let list = &bytes[from..];
    let end = memchr(b'<', list);
    let list = &list[..end.unwrap_or(list.len())];
    let mut side = Side::First;
    for token in list.split(u8::is_ascii_whitespace) {
        let at = offset(bytes, token);
        if token.is_empty() {
            continue;
        }
        if end.is_none() && at + token.len() == bytes.len() {
            warn_torn(record, at);
            break;
        }
        whole::step(record, StepKind::Play(side), token, at);
        side = side.other();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_of_tags() {
        for (tag, name, expected) in [
            ("<game id=\"7\" rule='1'", "id", Some("7")),
            ("<game id=\"7\" rule='1'", "rule", Some("1")),
            ("<game id=\"7\" rule='1'", "bresult", None),
            ("<game rid=\"7\" id = \" 8 \"", "id", Some("8")),
            ("<game a=\"id=9\" id=8", "id", Some("8")),
            ("<game\nid=\"\"", "id", Some("")),
            ("<game id=\"7", "id", None),
            ("<game id", "id", None),
            ("", "id", None),
        ] {
            let found = attribute(tag.as_bytes(), name.as_bytes());
            assert_eq!(found, expected.map(str::as_bytes), "{tag} {name}");
        }
    }

    #[test]
    fn rules_by_their_numbers() {
        let mut memory = Memory::default();
        memory.learn(b"<rule id=\"2\" name=\"Swap2\" category=\"gomoku\"/");
        memory.learn(b"<rule id=\"1\" name=\"RIF\" category=\"renju\"/");
        memory.learn(b"<rule id=\"200\" category=\"gomoku\"/");
        for (tag, expected) in [
            ("<game rule=\"1\"", None),
            ("<game rule=\"2\"", Some("standard")),
            ("<game rule=\"200\"", None),
            ("<game rule=\"x\"", None),
            ("<game", None),
        ] {
            assert_eq!(memory.rules(tag.as_bytes()), expected, "{tag}");
        }
    }
}
