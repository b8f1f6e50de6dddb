//! The words of results, in tables: one entry for each meaning.

use std::{cmp::Reverse, collections::HashMap, sync::LazyLock};

use super::RecordedKind::{self, Forfeit, Resign, Time};
use crate::outcome::Side;
use Doer::{Loser, Unsaid};

/// What a word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// A player.
    Side(Side),
    /// A player by when he moves; behind a named side, when that one does.
    Order(Side),
    /// The side named before has won; also `+` and `by`.
    Won,
    /// The side named next has won.
    Winner,
    /// The side named before has lost.
    Lost,
    /// How the game ended, and whose doing the word alone says it was.
    Ground(RecordedKind, Doer),
    /// Nobody won.
    Draw,
    /// The game does not count.
    Void,
    /// The writer is not sure, or the game was not over.
    Doubt,
    /// Two signs that no result has side by side.
    Nonsense,
    /// Known, and no part of a result.
    Ignored,
}

/// Whose deed a ground is when neither winning nor losing is mentioned:
/// "White resigns" speaks of the loser, 黑中盘 of the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doer {
    /// The winner's.
    Winner,
    /// The loser's.
    Loser,
    /// The word does not say.
    Unsaid,
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Points.
    Point,
    /// Stones of the area count, two points each.
    Zi,
    /// Moves, which are no margin.
    Moves,
}

/// Words by meaning; the words of one meaning are parted by `|`.
type Table<T> = &'static [(T, &'static str)];

/// The players of Go. A game with other colours brings a table of its own.
const SIDES: Table<Word> = &[
    (
        Word::Side(Side::First),
        "b|black|黑|黑棋|黑方|黑番|黒|黒番|흑|흑번",
    ),
    (
        Word::Side(Side::Second),
        "w|white|白|白棋|白方|白番|백|백번",
    ),
];

/// The players of xiangqi, and what is said of its results alone.
const XIANGQI: Table<Word> = &[
    (
        Word::Side(Side::First),
        "r|red|w|white|红|紅|红方|紅方|红棋|紅棋",
    ),
    (Word::Side(Side::Second), "b|black|黑|黑方|黑棋"),
    (Word::Order(Side::First), "先|先手"),
    (Word::Order(Side::Second), "后|後|后手|後手"),
    (Word::Draw, "和|作和|平"),
];

/// Words of results, in English, Chinese (both scripts), Japanese and Korean.
/// The longest word that fits wins, so 认输 is not read as 输. Latin words
/// must be whole words.
const WORDS: Table<Word> = &[
    (
        Word::Won,
        "+|by|win|wins|won|winning|胜|勝|勝ち|赢|贏|승|승리",
    ),
    (Word::Winner, "winner|胜者|勝者|胜方|勝方|승자"),
    (Word::Lost, "lose|loses|lost|负|負|負け|败|敗|敗け|输|輸|패"),
    (
        Word::Ground(Resign, Loser),
        "resign|resigns|resigned|gives up|gave up|认输|認輸|认负|認負|投子|投子认负|投子認負|投了|\
         投降|기권",
    ),
    (
        Word::Ground(Resign, Doer::Winner),
        "中盘|中盤|中押し|中押|불계|不计点|不計點",
    ),
    (Word::Ground(Resign, Unsaid), "resignation"),
    (
        Word::Ground(Time, Loser),
        "timeout|time out|timed out|times out|overtime|out of time|超时|超時|逾时|逾時|时间到|\
         時間到|時間切れ|時間切|切れ|시간초과",
    ),
    (
        Word::Ground(Time, Unsaid),
        "time|time over|on time|时间|時間|시간",
    ),
    (
        Word::Ground(Forfeit, Loser),
        "forfeits|forfeited|disconnects|disconnected|disqualified|leaves|left the game|弃权|棄權|\
         棄権|缺席|犯规|犯規|反則|반칙|掉线|掉線|断线|斷線|逃跑",
    ),
    (
        Word::Ground(Forfeit, Unsaid),
        "forfeit|default|illegal|foul|offline|disconnect|disconnection|disqualification|不战|不戰|\
         不戦|부전|몰수|접속|접속끊김",
    ),
    (
        Word::Draw,
        "d+|draw|drawn|drew|jigo|tie|tied|和棋|和局|平局|平手|持碁|持棋|引き分け|引分け|引分|ジゴ|\
         무승부|비김",
    ),
    (
        Word::Void,
        "void|no result|annulled|cancelled|canceled|both lose|both lost|无胜负|無勝負|无效|無效|\
         無効|무효|双负|双方负|双方判负|雙負|両負け|両者負け",
    ),
    (
        Word::Doubt,
        "?|unfinished|adjourned|suspended|aborted|estimated|about|maybe|probably|ahead|打挂|打掛|\
         打掛け|打ち掛け|封盘|封盤|停止|中止|中断|约|約|봉수|중단",
    ),
    (Word::Nonsense, "+-"),
    // They hold words of winning or losing, and mean neither.
    (Word::Ignored, "胜负|勝負|승부|승패"),
];

/// Letters that mean something only straight after `+`.
const CODES: Table<Word> = &[
    (Word::Ground(Resign, Unsaid), "r|res"),
    (Word::Ground(Time, Unsaid), "t"),
    (Word::Ground(Forfeit, Unsaid), "f"),
];

/// Words after a number.
const UNITS: Table<Unit> = &[
    (Unit::Point, "point|points|pt|pts|moku|目|点|點|집|호"),
    (Unit::Zi, "zi|子"),
    (Unit::Moves, "move|moves|手|수"),
];

/// Tables made ready for looking words up.
pub(super) struct Lexicon<T>(HashMap<char, Vec<(&'static str, T)>>);

/// What may stand anywhere in a result.
pub(super) static LEXICON: LazyLock<Lexicon<Word>> = LazyLock::new(|| Lexicon::of(&[SIDES, WORDS]));
/// The same in xiangqi.
pub(super) static XIANGQI_LEXICON: LazyLock<Lexicon<Word>> =
    LazyLock::new(|| Lexicon::of(&[XIANGQI, WORDS]));
/// What may stand straight after a `+`, besides.
pub(super) static CODE_LEXICON: LazyLock<Lexicon<Word>> = LazyLock::new(|| Lexicon::of(&[CODES]));
/// What may stand after a number.
pub(super) static UNIT_LEXICON: LazyLock<Lexicon<Unit>> = LazyLock::new(|| Lexicon::of(&[UNITS]));

impl<T: Copy> Lexicon<T> {
    /// The words of some tables, longest first.
    fn of(tables: &[Table<T>]) -> Self {
        let mut by_first: HashMap<char, Vec<(&str, T)>> = HashMap::new();
        for (meaning, words) in tables.iter().copied().flatten() {
            for word in words.split('|') {
                let first = word.chars().next().unwrap_or_default();
                by_first.entry(first).or_default().push((word, *meaning));
            }
        }
        for words in by_first.values_mut() {
            words.sort_by_key(|(word, _)| Reverse(word.len()));
        }
        Self(by_first)
    }

    /// The longest word at the start of a text, and what follows it.
    pub(super) fn strip<'a>(&self, text: &'a str) -> Option<(T, &'a str)> {
        let words = self.0.get(&text.chars().next()?)?;
        words.iter().find_map(|(word, meaning)| {
            let rest = text.strip_prefix(word)?;
            let cut = word.ends_with(is_latin) && rest.starts_with(is_latin);
            (!cut).then_some((*meaning, rest))
        })
    }
}

/// Whether a letter goes on a Latin word.
pub(super) const fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic()
}
