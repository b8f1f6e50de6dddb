//! Tokens to moves.

use super::{FILES, Kind, Move, Piece, Position, RANKS, Square, Way, file_of, on_file, target};

/// How ranks of coordinates are numbered, from Red's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranks {
    /// From 0: ICCS.
    FromZero,
    /// From 1: UCI as Fairy-Stockfish has it.
    FromOne,
}

/// Why a token is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// Written in no known way.
    Unknown,
    /// No piece of the side to move goes like that.
    NoSuchMove,
    /// Several pieces do.
    Ambiguous(Vec<Move>),
}

/// A sign of a token, whatever script it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Piece(Kind),
    Number(u8),
    /// `+`, which is forward or front.
    Plus,
    /// `-`, which is back or rear.
    Minus,
    Way(Way),
    Place(Nth),
}

/// Which of several pieces on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nth {
    Front,
    Middle,
    Rear,
    /// From 1 at the front.
    Number(u8),
}

/// A letter, of full width too, as it is in ASCII.
fn narrow(letter: char) -> Option<char> {
    match u32::from(letter) {
        code @ 0xff01..=0xff5e => char::from_u32(code - 0xfee0),
        _ => Some(letter),
    }
}

fn sign(letter: char) -> Option<Sign> {
    let letter = narrow(letter)?;
    Some(match letter {
        '1'..='9' => Sign::Number(letter as u8 - b'0'),
        '+' => Sign::Plus,
        '-' | '\u{2212}' | '\u{2013}' | '—' => Sign::Minus,
        '=' | '.' | '平' => Sign::Way(Way::Level),
        '进' | '進' => Sign::Way(Way::Forward),
        '退' => Sign::Way(Way::Back),
        '前' => Sign::Place(Nth::Front),
        '中' => Sign::Place(Nth::Middle),
        '后' | '後' => Sign::Place(Nth::Rear),
        '一' => Sign::Number(1),
        '二' => Sign::Number(2),
        '三' => Sign::Number(3),
        '四' => Sign::Number(4),
        '五' => Sign::Number(5),
        '六' => Sign::Number(6),
        '七' => Sign::Number(7),
        '八' => Sign::Number(8),
        '九' => Sign::Number(9),
        '帅' | '帥' | '将' | '將' => Sign::Piece(Kind::General),
        '仕' | '士' => Sign::Piece(Kind::Advisor),
        '相' | '象' => Sign::Piece(Kind::Elephant),
        '马' | '馬' | '傌' => Sign::Piece(Kind::Horse),
        '车' | '車' | '俥' => Sign::Piece(Kind::Chariot),
        '炮' | '砲' | '包' => Sign::Piece(Kind::Cannon),
        '兵' | '卒' => Sign::Piece(Kind::Soldier),
        _ if letter.is_ascii_alphabetic() => Sign::Piece(Kind::of_letter(letter as u8)?),
        _ => return None,
    })
}

/// The number of a soldier that a letter stands for, as in `Pa=6`.
fn lettered_number(letter: char) -> Option<u8> {
    match narrow(letter)?.to_ascii_lowercase() {
        letter @ 'a'..='e' => Some(letter as u8 - b'a' + 1),
        _ => None,
    }
}

/// Which pieces a token means, and where they go.
struct Meant {
    /// The kind, where the token says it; else soldiers.
    kind: Kind,
    /// The number of the file, where it is said.
    file: Option<u8>,
    nth: Option<Nth>,
    way: Way,
    number: u8,
}

/// Reads a token as a move of the side to move; the move may leave its general
/// attacked.
///
/// Where several pieces can go as the token says, only those that do it without
/// leaving the general attacked are looked at.
///
/// # Errors
/// Where it is none, or may be several.
pub fn read(position: &mut Position, token: &str, ranks: Ranks) -> Result<Move, Unread> {
    let squares = coordinates(token, ranks);
    if let Some(it) = squares.filter(|it| position.is_move(*it)) {
        return Ok(it);
    }
    // Most tokens mean one move.
    let mut only = None;
    let mut several = Vec::new();
    let each = |it| {
        match only {
            None => only = Some(it),
            Some(first) if several.is_empty() => several.extend([first, it]),
            Some(_) => several.push(it),
        };
    };
    let lettered = || Lettered::of(token, ranks).map(|it| it.candidates(position));
    match (squares, meant(token)) {
        (None, Some(meant)) => candidates(position, &meant, each),
        // `H7g5` may be two squares as well.
        (Some(_), _) => lettered().unwrap_or_default().into_iter().for_each(each),
        (None, None) => {
            let found = lettered().ok_or(Unread::Unknown)?;
            found.into_iter().for_each(each);
        }
    }
    if several.is_empty() {
        return only.ok_or(Unread::NoSuchMove);
    }
    several.retain(|it| !position.exposes(*it));
    match several[..] {
        [] => Err(Unread::NoSuchMove),
        [only] => Ok(only),
        _ => Err(Unread::Ambiguous(several)),
    }
}

/// A move in coordinates: `h2e2`, `H2-E2`, `a10a9`.
fn coordinates(token: &str, ranks: Ranks) -> Option<Move> {
    let (from, rest) = square(token.as_bytes(), ranks)?;
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    let (to, rest) = square(rest, ranks)?;
    rest.is_empty().then_some(Move { from, to })
}

fn square(text: &[u8], ranks: Ranks) -> Option<(Square, &[u8])> {
    let (file, rest) = text.split_first()?;
    let file = file.to_ascii_lowercase().checked_sub(b'a')?;
    if file >= FILES {
        return None;
    }
    let (row, rest) = row(rest, ranks)?;
    Some((Square::at(file, row)?, rest))
}

/// The row of a rank that a text begins with.
fn row(text: &[u8], ranks: Ranks) -> Option<(u8, &[u8])> {
    let digits = match text {
        [b'1', b'0', ..] if ranks == Ranks::FromOne => 2,
        _ => 1,
    };
    let (digits, rest) = text.split_at_checked(digits)?;
    let rank = std::str::from_utf8(digits).ok()?.parse::<u8>().ok()?;
    let rank = match ranks {
        Ranks::FromZero => rank,
        Ranks::FromOne => rank.checked_sub(1)?,
    };
    Some(((RANKS - 1).checked_sub(rank)?, rest))
}

/// A move written as in chess, as XBoard does: the letter of a piece, the square
/// it goes to, and between them what tells it from others of its kind.
struct Lettered {
    kind: Kind,
    file: Option<u8>,
    row: Option<u8>,
    to: Square,
}

impl Lettered {
    /// Takes a token apart: `Cbe2`, `Hg2`, `Pxe6`, `R3xe3`, `Hg2e3+`.
    fn of(token: &str, ranks: Ranks) -> Option<Self> {
        let (letter, rest) = token.as_bytes().split_first()?;
        if !letter.is_ascii_uppercase() || rest.iter().any(u8::is_ascii_uppercase) {
            return None;
        }
        let kind = Kind::of_letter(*letter)?;
        let rest = rest.strip_suffix(b"+").unwrap_or(rest);
        let rest = rest.strip_suffix(b"#").unwrap_or(rest);
        let at = rest.iter().rposition(u8::is_ascii_lowercase)?;
        let (before, end) = rest.split_at(at);
        let (to, b"") = square(end, ranks)? else {
            return None;
        };
        let before = before.strip_suffix(b"x").unwrap_or(before);
        let (file, digits) = match before {
            [file @ b'a'..=b'i', digits @ ..] => (Some(file - b'a'), digits),
            digits => (None, digits),
        };
        let row = match digits {
            [] => None,
            digits => {
                let (row, rest) = row(digits, ranks)?;
                rest.is_empty().then_some(Some(row))?
            }
        };
        Some(Self {
            kind,
            file,
            row,
            to,
        })
    }

    /// What the pieces that are meant do.
    fn candidates(&self, position: &Position) -> Vec<Move> {
        let side = position.turn();
        let wanted = Piece::new(side, self.kind);
        let is_meant = |from: &Square| {
            position.piece(*from) == wanted
                && self.file.is_none_or(|file| file == from.file())
                && self.row.is_none_or(|row| row == from.row())
        };
        position
            .of(side)
            .filter(is_meant)
            .map(|from| Move { from, to: self.to })
            .filter(|it| position.is_move(*it))
            .collect()
    }
}

/// Takes a token of WXF or Chinese apart.
fn meant(token: &str) -> Option<Meant> {
    let mut signs = [Sign::Plus; 5];
    let mut count = 0;
    for letter in token.chars() {
        let is_soldier = count == 1 && signs[0] == Sign::Piece(Kind::Soldier);
        let number = is_soldier.then(|| lettered_number(letter)).flatten();
        *signs.get_mut(count)? = match number {
            Some(number) => Sign::Place(Nth::Number(number)),
            None => sign(letter)?,
        };
        count += 1;
    }
    let (head, tail) = signs[..count].split_at_checked(count.checked_sub(2)?)?;
    let (way, number) = match *tail {
        [Sign::Way(way), Sign::Number(number)] => (way, number),
        [Sign::Plus, Sign::Number(number)] => (Way::Forward, number),
        [Sign::Minus, Sign::Number(number)] => (Way::Back, number),
        _ => return None,
    };
    let place = |sign| match sign {
        Sign::Place(nth) => Some(nth),
        Sign::Plus => Some(Nth::Front),
        Sign::Minus => Some(Nth::Rear),
        Sign::Number(number) => Some(Nth::Number(number)),
        _ => None,
    };
    let (kind, file, nth) = match *head {
        [Sign::Piece(kind), Sign::Number(file)] => (kind, Some(file), None),
        [Sign::Piece(kind), sign] | [sign, Sign::Piece(kind)] => (kind, None, Some(place(sign)?)),
        // Soldiers that stand one behind the other, by file.
        [sign, Sign::Number(file)] => (Kind::Soldier, Some(file), Some(place(sign)?)),
        [sign, Sign::Piece(kind), Sign::Number(file)] => (kind, Some(file), Some(place(sign)?)),
        _ => return None,
    };
    Some(Meant {
        kind,
        file,
        nth,
        way,
        number,
    })
}

/// Hands over what the pieces that a token may mean do.
fn candidates(position: &Position, meant: &Meant, mut each: impl FnMut(Move)) {
    let side = position.turn();
    // Of soldiers that stand on two files a number may count all.
    let across = match (meant.kind, meant.file, meant.nth) {
        (Kind::Soldier, None, Some(Nth::Number(number))) => across_files(position, number),
        _ => None,
    };
    let across = across.and_then(|from| going(position, meant, from));
    if let Some(it) = across {
        each(it);
    }
    let files = match meant.file {
        Some(number) => {
            let file = file_of(side, number);
            file..file + 1
        }
        None => 0..FILES,
    };
    for file in files {
        let pieces = || on_file(position, side, meant.kind, file);
        let nth = meant.nth.map(|nth| (nth, pieces().count()));
        let place = match nth {
            None => None,
            // One of several.
            Some((_, 0 | 1)) => continue,
            Some((nth, count)) => Some({
                match nth {
                    // Two on a file are called front and rear.
                    Nth::Number(_) if count < 3 && meant.file.is_none() => continue,
                    Nth::Front => 0,
                    Nth::Middle if count > 2 => count / 2,
                    Nth::Middle => continue,
                    Nth::Rear => count - 1,
                    Nth::Number(number) => usize::from(number) - 1,
                }
            }),
        };
        let chosen = pieces().skip(place.unwrap_or(0));
        for from in chosen.take(place.map_or(usize::MAX, |_| 1)) {
            if let Some(it) = going(position, meant, from).filter(|it| Some(*it) != across) {
                each(it);
            }
        }
    }
}

/// What a piece does that goes as a token says, where it can.
fn going(position: &Position, meant: &Meant, from: Square) -> Option<Move> {
    let to = target(position.turn(), meant.kind, from, meant.way, meant.number)?;
    let it = Move { from, to };
    position.is_move(it).then_some(it)
}

/// The soldier of a number where two soldiers or more stand on each of two files:
/// file by file from the mover's right, the foremost first (the specification for
/// computers of the Chinese Xiangqi Association).
fn across_files(position: &Position, number: u8) -> Option<Square> {
    let side = position.turn();
    let on = |file: u8| on_file(position, side, Kind::Soldier, file_of(side, file));
    let files = || (1..=FILES).filter(|file| on(*file).count() > 1);
    let place = usize::from(number).checked_sub(1)?;
    (files().count() > 1).then(|| files().flat_map(on).nth(place))?
}
