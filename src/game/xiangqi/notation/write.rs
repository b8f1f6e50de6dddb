//! Moves to tokens.

use super::{Kind, Move, Position, RANKS, Ranks, Square, Way, number_of, on_file, read};
use crate::{game::xiangqi::FILES, outcome::Side};

/// A move in coordinates, with ranks counted from 0 or from 1: `h2e2`, `h3e3`.
#[must_use]
pub fn coordinates(it: Move, ranks: Ranks) -> String {
    let square = |square: Square| {
        let rank = RANKS - 1 - square.row() + u8::from(ranks == Ranks::FromOne);
        format!("{}{rank}", char::from(b'a' + square.file()))
    };
    format!("{}{}", square(it.from), square(it.to))
}

/// The script of Chinese tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// As in Taiwan and Hong Kong: 車 馬 進 後.
    Traditional,
    /// As in China: 车 马 进 后.
    Simplified,
}

/// What a token says of a move.
struct Said {
    kind: Kind,
    /// The number of the file it begins on.
    file: u8,
    /// Its place among pieces of its kind on the file, from 0 at the front, and
    /// how many they are.
    place: (usize, usize),
    /// Whether pieces of the kind stand one behind the other on another file.
    also_elsewhere: bool,
    way: Way,
    number: u8,
}

impl Said {
    /// What is said of a move of the side to move; nothing where no piece of a
    /// known kind stands there.
    fn of(position: &Position, it: Move) -> Option<Self> {
        let side = position.turn();
        let kind = position.piece(it.from).kind()?;
        let others = || on_file(position, side, kind, it.from.file());
        let place = others().position(|square| square == it.from)?;
        let also_elsewhere = (0..FILES)
            .filter(|file| *file != it.from.file())
            .any(|file| on_file(position, side, kind, file).nth(1).is_some());
        let up = it.to.row() < it.from.row();
        let way = match (it.to.row() == it.from.row(), up == (side == Side::First)) {
            (true, _) => Way::Level,
            (false, true) => Way::Forward,
            (false, false) => Way::Back,
        };
        let by_file =
            way == Way::Level || matches!(kind, Kind::Advisor | Kind::Elephant | Kind::Horse);
        Some(Self {
            kind,
            file: number_of(side, it.from.file()),
            place: (place, others().count()),
            also_elsewhere,
            way,
            number: match by_file {
                true => number_of(side, it.to.file()),
                false => it.to.row().abs_diff(it.from.row()),
            },
        })
    }
}

/// Whether a token is read as a move again.
fn says(position: &Position, token: &str, it: Move) -> bool {
    read(&mut position.clone(), token, Ranks::FromZero) == Ok(it)
}

/// Writes a move of the side to move in WXF: `C2=5`; `C+-1` where two stand on
/// a file; `15=6` for one of several soldiers. Empty where there is no piece.
#[must_use]
pub fn wxf(position: &Position, it: Move) -> String {
    let Some(said) = Said::of(position, it) else {
        return String::new();
    };
    let letter = match said.kind {
        Kind::Elephant => 'E',
        Kind::Horse => 'H',
        kind => char::from(kind.letter()),
    };
    let way = match said.way {
        Way::Forward => '+',
        Way::Back => '-',
        Way::Level => '=',
    };
    let (place, count) = said.place;
    let plain = format!("{letter}{}{way}{}", said.file, said.number);
    let by_number = format!("{}{}{way}{}", place + 1, said.file, said.number);
    let sign = if place == 0 { '+' } else { '-' };
    let by_sign = format!("{letter}{sign}{way}{}", said.number);
    match (said.kind, count) {
        (_, 1) => plain,
        // By file alone, as one goes forward and the other back.
        (Kind::Advisor | Kind::Elephant, _) if says(position, &plain, it) => plain,
        (Kind::Soldier, 3..) => by_number,
        (Kind::Soldier, _) if said.also_elsewhere => by_number,
        (_, 2) => by_sign,
        // Set-ups can have more.
        _ if place == 0 || place == count - 1 => by_sign,
        _ => it.to_string(),
    }
}

/// Writes a move of the side to move in Chinese: 炮二平五, 前車退２. Empty where
/// there is no piece.
#[must_use]
pub fn chinese(position: &Position, it: Move, script: Script) -> String {
    let Some(said) = Said::of(position, it) else {
        return String::new();
    };
    let side = position.turn();
    let either = |traditional, simplified| match script {
        Script::Traditional => traditional,
        Script::Simplified => simplified,
    };
    let piece = glyph(side, said.kind, script);
    let way = match said.way {
        Way::Forward => either('進', '进'),
        Way::Back => '退',
        Way::Level => '平',
    };
    let end = format!("{way}{}", numeral(side, said.number));
    let file = numeral(side, said.file);
    let (place, count) = said.place;
    let plain = format!("{piece}{file}{end}");
    let nth = match (place, count) {
        (0, _) => '前',
        _ if place == count - 1 => either('後', '后'),
        (_, 3) => '中',
        _ => numeral(Side::First, place as u8 + 1),
    };
    match (said.kind, count) {
        (_, 1) => plain,
        (Kind::Advisor | Kind::Elephant, _) if says(position, &plain, it) => plain,
        (Kind::Soldier, _) if said.also_elsewhere => format!("{nth}{piece}{file}{end}"),
        _ => format!("{nth}{piece}{end}"),
    }
}

/// The character of a piece.
pub(in crate::game::xiangqi) fn glyph(side: Side, kind: Kind, script: Script) -> char {
    let pair = match (side, kind) {
        (Side::First, Kind::General) => ('帥', '帅'),
        (Side::Second, Kind::General) => ('將', '将'),
        (Side::First, Kind::Advisor) => ('仕', '仕'),
        (Side::Second, Kind::Advisor) => ('士', '士'),
        (Side::First, Kind::Elephant) => ('相', '相'),
        (Side::Second, Kind::Elephant) => ('象', '象'),
        (_, Kind::Horse) => ('馬', '马'),
        (_, Kind::Chariot) => ('車', '车'),
        (Side::First, Kind::Cannon) => ('炮', '炮'),
        (Side::Second, Kind::Cannon) => ('砲', '炮'),
        (Side::First, Kind::Soldier) => ('兵', '兵'),
        (Side::Second, Kind::Soldier) => ('卒', '卒'),
    };
    match script {
        Script::Traditional => pair.0,
        Script::Simplified => pair.1,
    }
}

/// A number as a side writes it: 一 to 九 for Red, full-width digits for Black.
fn numeral(side: Side, number: u8) -> char {
    const RED: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    const BLACK: [char; 10] = ['０', '１', '２', '３', '４', '５', '６', '７', '８', '９'];
    let row = match side {
        Side::First => RED,
        Side::Second => BLACK,
    };
    row.get(usize::from(number)).copied().unwrap_or('?')
}
