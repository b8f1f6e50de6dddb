//! The result a record claims, read from the words people and servers use.
//!
//! The text is cut into tokens by tables of words, one table entry per
//! meaning; the tokens are gathered into claims ("Black won by 3.5", "White
//! resigned"), and the claims are weighed against each other. A text that
//! contradicts itself says nothing: no winner is better than a wrong one.

use std::{cmp::Reverse, collections::HashMap, iter, mem, sync::LazyLock};

use crate::outcome::{Points, Side, words};

words! {
    /// What a recorded result is.
    RecordedKind {
        /// A counted margin.
        Score = "score",
        /// One side gave up.
        Resign = "resign",
        /// One side ran out of time.
        Time = "time",
        /// Absence, a lost connection, an illegal move or another penalty.
        Forfeit = "forfeit",
        /// A winner without usable grounds.
        Win = "win",
        /// A draw.
        Draw = "draw",
        /// The game does not count.
        Void = "void",
        /// Nothing can be made of the text, or it contradicts itself.
        Unknown = "unknown",
        /// A number that a server writes for games that were not counted.
        Sentinel = "sentinel",
        /// There is no text.
        Missing = "missing",
    }
}

/// What a record says of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Who won. It can be `None` beside `Resign`, `Time` or `Forfeit`, where
    /// the text names the end of the game but no side.
    pub winner: Option<Side>,
    /// By how much, in points, never negative; zero for a draw.
    pub margin: Option<Points>,
    /// What the text is.
    pub kind: RecordedKind,
    /// The margin was taken as points, but under these rules and without a
    /// unit it could be zi as well.
    pub maybe_zi: bool,
    /// The margin was written in zi and has been doubled.
    pub zi: bool,
}

impl Recorded {
    /// No result at all.
    pub const MISSING: Self = Self::bare(RecordedKind::Missing, None);

    const fn bare(kind: RecordedKind, winner: Option<Side>) -> Self {
        Self {
            winner,
            margin: None,
            kind,
            maybe_zi: false,
            zi: false,
        }
    }

    const fn draw() -> Self {
        Self {
            margin: Some(Points::ZERO),
            ..Self::bare(RecordedKind::Draw, None)
        }
    }
}

/// What is known of the record apart from its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// The rules count as the Chinese do: a margin may be in zi.
    pub zi_fractions: bool,
    /// Fox wrote the record: margins near zero are codes and not counts.
    pub fox: bool,
}

/// Reads the text of a result.
#[must_use]
pub fn parse(text: &str, hints: Hints) -> Recorded {
    let text = plain(text);
    if text.is_empty() {
        return Recorded::MISSING;
    }
    let tokens: Vec<Token> = Lexer::new(&text).collect();
    if let [Token::Amount(amount, _)] = tokens.as_slice() {
        return lone_number(*amount, hints);
    }
    Findings::of(&tokens).weigh(hints)
}

/// A number and nothing else: zero is SGF's word for a draw.
fn lone_number(amount: Amount, hints: Hints) -> Recorded {
    match (amount.is_zero(), hints.fox) {
        (true, true) => Recorded::bare(RecordedKind::Sentinel, None),
        (true, false) => Recorded::draw(),
        (false, _) => Recorded::bare(RecordedKind::Unknown, None),
    }
}

// ------------------------------------------------------------------ words --

/// What a word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// A player.
    Side(Side),
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
enum Doer {
    Winner,
    Loser,
    Unsaid,
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// Points.
    Point,
    /// Stones of the area count, two points each.
    Zi,
    /// Moves, which are no margin.
    Moves,
}

use Doer::{Loser, Unsaid};
use RecordedKind::{Forfeit, Resign, Time};

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
struct Lexicon<T>(HashMap<char, Vec<(&'static str, T)>>);

static LEXICON: LazyLock<Lexicon<Word>> = LazyLock::new(|| Lexicon::of(&[SIDES, WORDS]));
static CODE_LEXICON: LazyLock<Lexicon<Word>> = LazyLock::new(|| Lexicon::of(&[CODES]));
static UNIT_LEXICON: LazyLock<Lexicon<Unit>> = LazyLock::new(|| Lexicon::of(&[UNITS]));

impl<T: Copy> Lexicon<T> {
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
    fn strip<'a>(&self, text: &'a str) -> Option<(T, &'a str)> {
        let words = self.0.get(&text.chars().next()?)?;
        words.iter().find_map(|(word, meaning)| {
            let rest = text.strip_prefix(word)?;
            let cut = word.ends_with(is_latin) && rest.starts_with(is_latin);
            (!cut).then_some((*meaning, rest))
        })
    }
}

/// Whether a letter goes on a Latin word.
const fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic()
}

// ---------------------------------------------------------------- numbers --

/// A number as written: an exact fraction, since not every number that
/// stands in a result is one of quarters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Amount {
    over: i64,
    under: i64,
}

impl Amount {
    /// No term of a sum grows beyond this, so that no product overflows.
    const LIMIT: i64 = 1_000_000;
    const HALF: Self = Self { over: 1, under: 2 };

    fn new(over: i64, under: i64) -> Option<Self> {
        let fits = (0..=Self::LIMIT).contains(&over) && (1..=Self::LIMIT).contains(&under);
        fits.then_some(Self { over, under })
    }

    const fn is_zero(self) -> bool {
        self.over == 0
    }

    fn plus(self, other: Self) -> Option<Self> {
        Self::new(
            self.over * other.under + other.over * self.under,
            self.under * other.under,
        )
    }

    /// Whether it is below a quarter and not zero: smaller than any margin.
    const fn is_tiny(self) -> bool {
        self.over > 0 && self.over * 4 < self.under
    }

    /// The quarters behind a number that has lost its second decimal: 3.2 for
    /// 3.25 and 0.7 for 0.75, or 3.3 and 0.8 where it was rounded.
    const fn uncut(self) -> Self {
        if self.under != 10 {
            return self;
        }
        let over = match self.over % 10 {
            2 | 7 => self.over * 10 + 5,
            3 | 8 => self.over * 10 - 5,
            _ => return self,
        };
        Self { over, under: 100 }
    }

    /// As points, where it is a number of quarters and not beyond any board.
    fn points(self) -> Option<Points> {
        /// Every point of the largest board, twice.
        const MOST: i64 = 52 * 52 * 2;
        let whole_quarters = (self.over * 4) % self.under == 0 && self.over <= MOST * self.under;
        let quarters = i32::try_from(self.over * 4 / self.under).ok()?;
        whole_quarters.then_some(Points::quarters(quarters))
    }
}

/// Reads `3`, `3.5`, `1/4`, `2又3/4`, `2 3/4`, 四, 半, 二又四分之三, `3半` and
/// the like from the start of a text; returns what is left of it.
///
/// The amount is `None` where a number is too long to mean anything.
fn scan_amount(text: &str) -> Option<(Option<Amount>, &str)> {
    if let Some(rest) = text.strip_prefix('半').or_else(|| text.strip_prefix('반')) {
        return Some((Some(Amount::HALF), rest));
    }
    let (mut amount, mut rest) = scan_simple(text)?;
    if let Some((fraction, after)) = scan_joined_fraction(rest) {
        amount = amount.and_then(|whole| whole.plus(fraction));
        rest = after;
    }
    Some(with_half(amount, rest))
}

/// Adds a half said after a number or after its unit: `3半`, `3目半`.
fn with_half(amount: Option<Amount>, rest: &str) -> (Option<Amount>, &str) {
    match rest.strip_prefix('半').or_else(|| rest.strip_prefix('반')) {
        Some(after) => (amount.and_then(|whole| whole.plus(Amount::HALF)), after),
        None => (amount, rest),
    }
}

/// Reads one number: decimal, fraction or Chinese.
fn scan_simple(text: &str) -> Option<(Option<Amount>, &str)> {
    scan_fraction(text)
        .or_else(|| scan_decimal(text))
        .or_else(|| scan_numeral(text).map(|(n, rest)| (Amount::new(n, 1), rest)))
}

/// Reads the fraction that follows a whole number, as in `2又3/4` or `2 3/4`.
fn scan_joined_fraction(text: &str) -> Option<(Amount, &str)> {
    let rest = text.trim_start();
    let joined = ["又", "and ", "と"]
        .iter()
        .find_map(|word| rest.strip_prefix(word));
    // Without a word between them, only a blank keeps the numbers apart.
    if joined.is_none() && rest.len() == text.len() {
        return None;
    }
    match scan_fraction(joined.unwrap_or(rest).trim_start())? {
        (Some(fraction), after) if fraction.over < fraction.under => Some((fraction, after)),
        _ => None,
    }
}

/// Reads `3/4` or 四分之三.
fn scan_fraction(text: &str) -> Option<(Option<Amount>, &str)> {
    if let Some((under, rest)) = scan_numeral(text)
        && let Some(rest) = rest
            .strip_prefix("分之")
            .or_else(|| rest.strip_prefix("分の"))
    {
        let (over, rest) = scan_numeral(rest)?;
        return Some((Amount::new(over, under), rest));
    }
    let (over, rest) = split_digits(text);
    let (under, rest) = split_digits(rest.strip_prefix('/')?);
    let amount = Amount::new(over.parse().ok()?, under.parse().ok()?);
    Some((amount, rest))
}

/// Reads a decimal with a point or a comma.
fn scan_decimal(text: &str) -> Option<(Option<Amount>, &str)> {
    let (whole, after_whole) = split_digits(text);
    let (decimals, rest) = after_whole
        .strip_prefix(['.', ','])
        .map(split_digits)
        .filter(|(decimals, _)| !decimals.is_empty())
        .unwrap_or(("", after_whole));
    if whole.is_empty() && decimals.is_empty() {
        return None;
    }
    Some((decimal_value(whole, decimals.trim_end_matches('0')), rest))
}

/// The value of the digits before and after a decimal point.
fn decimal_value(whole: &str, decimals: &str) -> Option<Amount> {
    let under = 10_i64.checked_pow(u32::try_from(decimals.len()).ok()?)?;
    let number = |digits: &str| match digits {
        "" => Some(0),
        _ => digits.parse::<i64>().ok(),
    };
    let over = number(whole)?
        .checked_mul(under)?
        .checked_add(number(decimals)?)?;
    Amount::new(over, under)
}

/// The digits at the start of a text, and the rest.
fn split_digits(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Reads a Chinese numeral below a thousand.
fn scan_numeral(text: &str) -> Option<(i64, &str)> {
    let (mut total, mut digit, mut rest) = (0, None, text);
    while let Some(c) = rest.chars().next() {
        match numeral_value(c) {
            Some(scale @ (10 | 100)) => total += digit.take().unwrap_or(1) * scale,
            Some(value) => digit = Some(value),
            None => break,
        }
        rest = rest.strip_prefix(c)?;
    }
    (rest.len() < text.len()).then_some((total + digit.unwrap_or(0), rest))
}

/// The value of a Chinese numeral character.
const fn numeral_value(c: char) -> Option<i64> {
    Some(match c {
        '〇' | '零' => 0,
        '一' | '壹' => 1,
        '二' | '两' | '兩' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        '十' => 10,
        '百' => 100,
        _ => return None,
    })
}

// ----------------------------------------------------------------- tokens --

/// One piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Word(Word),
    Amount(Amount, Option<Unit>),
    /// Something that is not understood.
    Other,
}

/// Cuts a text into tokens.
struct Lexer<'a> {
    rest: &'a str,
    /// The last token was a `+`.
    after_plus: bool,
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.rest = skip_punctuation(self.rest);
        let first = self.rest.chars().next()?;
        let after_plus = mem::replace(&mut self.after_plus, first == '+');
        let code = after_plus.then(|| CODE_LEXICON.strip(self.rest)).flatten();
        if let Some((word, rest)) = code.or_else(|| LEXICON.strip(self.rest)) {
            self.rest = rest;
            return Some(Token::Word(word));
        }
        if let Some((amount, rest)) = scan_amount(self.rest) {
            self.rest = rest;
            return Some(self.measure(amount));
        }
        self.rest = skip_unknown(self.rest, first);
        Some(Token::Other)
    }
}

impl<'a> Lexer<'a> {
    const fn new(text: &'a str) -> Self {
        Self {
            rest: text,
            after_plus: false,
        }
    }

    /// The token of a number just read, with the unit and the half after it.
    fn measure(&mut self, mut amount: Option<Amount>) -> Token {
        let unit = UNIT_LEXICON.strip(self.rest.trim_start());
        if let Some((_, rest)) = unit {
            (amount, self.rest) = with_half(amount, rest);
        }
        amount.map_or(Token::Other, |amount| {
            Token::Amount(amount, unit.map(|(unit, _)| unit))
        })
    }
}

/// Skips signs that part words without meaning anything; a point before a
/// digit begins a number.
fn skip_punctuation(text: &str) -> &str {
    let rest = text.trim_start_matches([' ', ',', ':', ';', '=', '!', '\'', '"', '、']);
    match rest.strip_prefix('.') {
        Some(after) if !after.starts_with(|c: char| c.is_ascii_digit()) => skip_punctuation(after),
        _ => rest,
    }
}

/// Skips a Latin word or a single other character.
fn skip_unknown(text: &str, first: char) -> &str {
    if is_latin(first) {
        text.trim_start_matches(is_latin)
    } else {
        text.strip_prefix(first).unwrap_or(text)
    }
}

/// Lower case, half width, single blanks, no blanks around; brackets of any
/// kind stay, as signs that part words.
fn plain(text: &str) -> String {
    /// Characters that are read of a text: no result is longer.
    const LONGEST: usize = 400;
    let mut out = String::with_capacity(text.len().min(LONGEST));
    for c in text.chars().take(LONGEST) {
        match c {
            '\u{ff01}'..='\u{ff5e}' => {
                let narrow = char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c);
                out.push(narrow.to_ascii_lowercase());
            }
            '。' | '·' => out.push('.'),
            '﹢' => out.push('+'),
            '−' | '–' => out.push('-'),
            '¼' => out.push_str(" 1/4"),
            '½' => out.push_str(" 1/2"),
            '¾' => out.push_str(" 3/4"),
            c if c.is_whitespace() || c.is_control() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            c => out.push(c.to_ascii_lowercase()),
        }
    }
    out.trim().to_owned()
}

// ----------------------------------------------------------------- claims --

/// What is said of one side, from its name to the next name.
#[derive(Clone, Copy, Debug, Default)]
struct Claim {
    won: bool,
    lost: bool,
    ground: Option<(RecordedKind, Doer)>,
    /// The margin, and a unit where it is written.
    margin: Option<(Amount, Option<Unit>)>,
    /// Another margin than the first.
    torn: bool,
}

impl Claim {
    /// Who won by this claim on a side; `Err` where it contradicts itself,
    /// `Ok(None)` where it is only a mention.
    fn winner(&self, side: Side) -> Result<Option<Side>, ()> {
        match (self.won, self.lost, self.ground) {
            (true, true, _) => Err(()),
            (true, false, _) | (false, false, Some((_, Doer::Winner))) => Ok(Some(side)),
            (false, true, _) | (false, false, Some((_, Loser))) => Ok(Some(side.other())),
            _ => Ok(None),
        }
    }

    fn add_margin(&mut self, amount: Amount, unit: Option<Unit>) {
        match self.margin {
            None => self.margin = Some((amount, unit)),
            Some(known) => self.torn |= known != (amount, unit),
        }
    }
}

/// All that a text says.
#[derive(Debug, Default)]
struct Findings {
    claims: Vec<(Side, Claim)>,
    /// What is said before any side is named.
    unnamed: Claim,
    draw: bool,
    void: bool,
    doubt: bool,
    nonsense: bool,
    /// The text has nothing but the name of a side.
    bare: bool,
}

impl Findings {
    fn of(tokens: &[Token]) -> Self {
        let mut found = Self {
            bare: tokens.len() == 1,
            ..Self::default()
        };
        let before = iter::once(None).chain(tokens.iter().copied().map(Some));
        let after = tokens.iter().copied().map(Some).skip(1).chain([None]);
        let mut announced = false;
        for ((token, before), after) in tokens.iter().zip(before).zip(after) {
            match *token {
                Token::Word(Word::Side(side)) => {
                    let claim = Claim {
                        won: announced,
                        ..Claim::default()
                    };
                    found.claims.push((side, claim));
                    announced = false;
                }
                Token::Word(Word::Winner) => announced = true,
                Token::Word(word) => found.take(word),
                Token::Amount(amount, unit) if is_margin(unit, before, after) => {
                    found.current().add_margin(amount, unit);
                }
                Token::Amount(..) | Token::Other => {}
            }
        }
        found
    }

    /// The claim that is being made.
    fn current(&mut self) -> &mut Claim {
        match self.claims.last_mut() {
            Some((_, claim)) => claim,
            None => &mut self.unnamed,
        }
    }

    fn take(&mut self, word: Word) {
        match word {
            Word::Won => self.current().won = true,
            Word::Lost => self.current().lost = true,
            Word::Ground(kind, doer) => {
                self.current().ground.get_or_insert((kind, doer));
            }
            Word::Draw => self.draw = true,
            Word::Void => self.void = true,
            Word::Doubt => self.doubt = true,
            Word::Nonsense => self.nonsense = true,
            Word::Side(_) | Word::Winner | Word::Ignored => {}
        }
    }

    /// The winner that all claims agree on; `Err` where they do not.
    fn winner(&self) -> Result<Option<Side>, ()> {
        let mut agreed = None;
        for (side, claim) in &self.claims {
            if let Some(winner) = claim.winner(*side)? {
                if agreed.is_some_and(|known| known != winner) {
                    return Err(());
                }
                agreed = Some(winner);
            }
        }
        Ok(agreed)
    }

    /// The first ground that the text gives, whoever it is said of.
    fn ground(&self) -> Option<RecordedKind> {
        iter::once(&self.unnamed)
            .chain(self.claims.iter().map(|(_, claim)| claim))
            .find_map(|claim| claim.ground)
            .map(|(kind, _)| kind)
    }

    /// The one margin that the text gives.
    fn margin(&self) -> Option<(Amount, Option<Unit>)> {
        let mut margins = self.claims.iter().filter_map(|(_, claim)| claim.margin);
        let first = margins.next()?;
        let one = !self.claims.iter().any(|(_, claim)| claim.torn);
        (one && margins.all(|other| other == first)).then_some(first)
    }

    /// Decides what the text says.
    fn weigh(&self, hints: Hints) -> Recorded {
        let unknown = Recorded::bare(RecordedKind::Unknown, None);
        let Ok(winner) = self.winner() else {
            return unknown;
        };
        if self.nonsense || winner.is_some() && (self.draw || self.void) {
            return unknown;
        }
        match winner {
            Some(winner) => self.weigh_win(winner, hints),
            None if self.void => Recorded::bare(RecordedKind::Void, None),
            None if self.doubt => unknown,
            None if self.draw => Recorded::draw(),
            None => match (self.claims.as_slice(), self.ground()) {
                ([(side, _)], _) if self.bare => Recorded::bare(RecordedKind::Win, Some(*side)),
                (_, Some(ground)) => Recorded::bare(ground, None),
                _ => unknown,
            },
        }
    }

    /// Decides on what grounds a winner won. A stated ground is stronger than
    /// a margin: programs write a count beside a resignation.
    fn weigh_win(&self, winner: Side, hints: Hints) -> Recorded {
        let bare = |kind| Recorded::bare(kind, Some(winner));
        match (self.ground(), self.margin()) {
            _ if self.doubt => bare(RecordedKind::Win),
            (Some(ground), _) => bare(ground),
            (None, Some((amount, unit))) => weigh_margin(winner, amount, unit, hints),
            (None, None) => bare(RecordedKind::Win),
        }
    }
}

/// Whether a number is a margin: it has a unit of margins, or it stands next
/// to a word of winning. Others count moves, years or stones.
fn is_margin(unit: Option<Unit>, before: Option<Token>, after: Option<Token>) -> bool {
    let won = Some(Token::Word(Word::Won));
    match unit {
        Some(Unit::Moves) => false,
        Some(_) => true,
        None => before == won || after == won,
    }
}

/// Turns a margin as written into points.
fn weigh_margin(winner: Side, amount: Amount, unit: Option<Unit>, hints: Hints) -> Recorded {
    let bare = |kind| Recorded::bare(kind, Some(winner));
    let amount = if hints.zi_fractions && unit != Some(Unit::Point) {
        amount.uncut()
    } else {
        amount
    };
    if amount.is_zero() && !hints.fox {
        return Recorded::bare(RecordedKind::Unknown, None);
    }
    if amount.is_zero() || amount.is_tiny() {
        return bare(RecordedKind::Sentinel);
    }
    let Some(written) = amount.points() else {
        return bare(RecordedKind::Win);
    };
    // Points have no quarters, whatever unit is written.
    let zi = unit == Some(Unit::Zi) || written.has_quarter();
    Recorded {
        winner: Some(winner),
        margin: Some(if zi { written.doubled() } else { written }),
        kind: RecordedKind::Score,
        maybe_zi: hints.zi_fractions && !zi && unit.is_none(),
        zi,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Hints = Hints {
        zi_fractions: false,
        fox: false,
    };
    const CHINESE: Hints = Hints {
        zi_fractions: true,
        fox: false,
    };
    const FOX: Hints = Hints {
        zi_fractions: false,
        fox: true,
    };

    /// A result in short: `B 3.5`, `W 5.5 zi`, `B 3.5 zi?`, `W resign`, `draw`.
    fn short(recorded: Recorded) -> String {
        let winner = match recorded.winner {
            Some(Side::First) => "B ",
            Some(Side::Second) => "W ",
            None => "",
        };
        let what = match (recorded.kind, recorded.margin) {
            (RecordedKind::Score, Some(margin)) => margin.to_string(),
            (RecordedKind::Draw, Some(Points::ZERO)) => "draw".to_owned(),
            (kind, None) => kind.word().to_owned(),
            odd => format!("{odd:?}"),
        };
        let unit = match (recorded.zi, recorded.maybe_zi) {
            (true, _) => " zi",
            (false, true) => " zi?",
            (false, false) => "",
        };
        format!("{winner}{what}{unit}")
    }

    fn check(hints: Hints, cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            assert_eq!(short(parse(text, hints)), *expected, "{text:?}");
        }
    }

    #[test]
    fn english() {
        check(
            PLAIN,
            &[
                ("B+3.5", "B 3.5"),
                ("W+12", "W 12"),
                ("w+4.5", "W 4.5"),
                ("B+2.5    ", "B 2.5"),
                ("B+3,5", "B 3.5"),
                ("B+74.0 ", "B 74"),
                ("B+0.50", "B 0.5"),
                ("B+.5", "B 0.5"),
                ("W + 7", "W 7"),
                ("Black+3.5", "B 3.5"),
                ("B+3.5 points", "B 3.5"),
                ("Black wins by 3.5", "B 3.5"),
                ("White by 2.5", "W 2.5"),
                ("black 4 points win", "B 4"),
                ("white 59.5 win", "W 59.5"),
                ("Black wins by 0.5!", "B 0.5"),
                ("Black wins by 34win >> White(58):Black(92)", "B 34"),
                ("black wins by 5 3/4 points", "B 11.5 zi"),
                ("B+3¾", "B 7.5 zi"),
                ("W+15 (moves beyond 215 not known)", "W 15"),
                ("W+15 {Moves beyond 215 not known}", "W 15"),
                ("W+R", "W resign"),
                ("B+r", "B resign"),
                ("b+res", "B resign"),
                ("W+Resign", "W resign"),
                ("White+Resign", "W resign"),
                ("W by resignation", "W resign"),
                ("White wins by  resign!", "W resign"),
                ("White resigns.", "B resign"),
                ("Black resigns. W 10.5 B 4.0", "W resign"),
                ("Black resigned, White wins", "W resign"),
                ("B+T", "B time"),
                ("W+Time", "W time"),
                ("W+time", "W time"),
                ("W+Time Over", "W time"),
                ("white wins by time", "W time"),
                ("White lost on time", "B time"),
                ("Black timed out", "W time"),
                ("B+F", "B forfeit"),
                ("W+Forfeit", "W forfeit"),
                ("B+Illegal", "B forfeit"),
                ("B+Offline", "B forfeit"),
                ("Black forfeits", "W forfeit"),
                ("W+", "W win"),
                ("W", "W win"),
                ("black", "B win"),
                ("Winner: White", "W win"),
                ("W+J", "W win"),
                ("B+AW", "B win"),
                ("B+V", "B win"),
                ("W+Repetition", "W win"),
                ("B+?", "B win"),
                ("W+3.5?", "W win"),
                ("B+3.02", "B win"),
                ("B+0.98", "B win"),
                ("B+99999", "B win"),
                ("W+123456789012345678901234567890", "W win"),
                ("B+2.5 (W+R)", "unknown"),
                ("W+3.5 (time)", "W time"),
                ("0", "draw"),
                ("0.0", "draw"),
                ("Draw", "draw"),
                ("draw by agreement", "draw"),
                ("Jigo", "draw"),
                ("D+J", "draw"),
                ("Jigo?", "unknown"),
                ("Void", "void"),
                ("Void (quadruple ko)", "void"),
                ("No result", "void"),
                ("both lost", "void"),
                ("?", "unknown"),
                ("? (No further moves known)", "unknown"),
                ("B+2.5 ? W+timeout", "unknown"),
                ("B+1.5 ? W+timeout", "unknown"),
                ("B+-3.5", "unknown"),
                ("has adjourned.", "unknown"),
                ("Left unfinished", "unknown"),
                ("Black left, unfinished", "unknown"),
                ("Black left the game", "W forfeit"),
                ("110-bb", "unknown"),
                ("x+, xxxx xxxxxxx xx xxx 000xx xxxx, xxx ", "unknown"),
                ("W 10.5", "unknown"),
                ("3.5", "unknown"),
                ("Black 58 points, White 92 points", "unknown"),
                ("Bob wins", "unknown"),
                ("", "missing"),
                (" \n\t", "missing"),
            ],
        );
    }

    #[test]
    fn chinese() {
        check(
            PLAIN,
            &[
                ("白中盘胜", "W resign"),
                ("白中盤勝", "W resign"),
                ("共102手 黑中盘胜", "B resign"),
                ("共162手白中盘胜", "W resign"),
                ("共一百零二手 黑中盘胜", "B resign"),
                ("黑棋中盘胜!", "B resign"),
                ("黑中盘负", "W resign"),
                ("黑方认输", "W resign"),
                ("白投子认负", "B resign"),
                ("黑不计点胜", "B resign"),
                ("共262手 白胜3目半", "W 3.5"),
                ("共173手后略 黑胜1目", "B 1"),
                ("黑胜半目", "B 0.5"),
                ("白棋2.5目胜!", "W 2.5"),
                ("白胜43.5目", "W 43.5"),
                ("白4目半胜", "W 4.5"),
                ("白勝四目半", "W 4.5"),
                ("白胜十二目", "W 12"),
                ("黑胜二十一目半", "B 21.5"),
                ("黑勝兩目", "B 2"),
                ("白勝3.5點", "W 3.5"),
                ("黑胜2又3/4子", "B 5.5 zi"),
                ("黑胜２又３／４子", "B 5.5 zi"),
                ("黑胜3又1/2子", "B 7 zi"),
                ("黑勝二又四分之三子", "B 5.5 zi"),
                ("白胜1/4子", "W 0.5 zi"),
                ("黑胜四分之一子", "B 0.5 zi"),
                ("W+1/4子", "W 0.5 zi"),
                ("黑胜1.5子", "B 3 zi"),
                ("白胜两子半", "W 5 zi"),
                ("黑胜半子", "B 1 zi"),
                ("黑胜1/3子", "B win"),
                ("白棋超时胜!", "W time"),
                ("黑超时", "W time"),
                ("黑超时判负", "W time"),
                ("黑胜(白超时)", "B time"),
                ("共25手 黑不战胜", "B forfeit"),
                ("黑方弃权", "W forfeit"),
                ("黑数子胜", "B win"),
                ("白胜", "W win"),
                ("黑方", "B win"),
                ("和棋", "draw"),
                ("共266手 和棋", "draw"),
                ("无胜负", "void"),
                ("無勝負", "void"),
                ("双方判负", "void"),
                ("打挂", "unknown"),
                ("共88手 打挂", "unknown"),
                ("对局停止!", "unknown"),
                ("胜负未定", "unknown"),
                ("黑胜白胜", "unknown"),
                ("3目半胜", "unknown"),
                ("中盘胜", "resign"),
            ],
        );
    }

    #[test]
    fn japanese_and_korean() {
        check(
            PLAIN,
            &[
                ("黒3目半勝ち", "B 3.5"),
                ("黒三目半勝", "B 3.5"),
                ("黒番の３目半勝ち", "B 3.5"),
                ("白1目勝", "W 1"),
                ("白半目勝ち", "W 0.5"),
                ("白中押し勝ち", "W resign"),
                ("黒中押勝", "B resign"),
                ("257手完, 黒中押し勝ち", "B resign"),
                ("257手完、黒中押し勝ち", "B resign"),
                ("257手完", "unknown"),
                ("黒時間切れ", "W time"),
                ("白時間切れ勝ち", "W time"),
                ("時間切れ", "time"),
                ("白の反則負け", "B forfeit"),
                ("黒不戦勝", "B forfeit"),
                ("持碁", "draw"),
                ("引き分け", "draw"),
                ("흑 불계승", "B resign"),
                ("백불계승", "W resign"),
                ("백 기권승", "W resign"),
                ("백 기권", "B resign"),
                ("흑 시간승", "B time"),
                ("시간승", "time"),
                ("흑 시간패", "W time"),
                ("250수 백 3.5집승", "W 3.5"),
                ("294수 흑0.5집승", "B 0.5"),
                ("흑 3집반승", "B 3.5"),
                ("백 반집승", "W 0.5"),
                ("흑 반칙패", "W forfeit"),
                ("무승부", "draw"),
            ],
        );
    }

    #[test]
    fn full_width() {
        check(
            PLAIN,
            &[
                ("Ｂ＋３．５", "B 3.5"),
                ("Ｗ＋Ｒ", "W resign"),
                ("　Ｗ＋Ｔｉｍｅ　", "W time"),
                ("B+3。5", "B 3.5"),
                ("黑胜３目半", "B 3.5"),
                ("？", "unknown"),
            ],
        );
    }

    #[test]
    fn zi_by_rules_and_fraction() {
        check(
            CHINESE,
            &[
                ("B+1.75", "B 3.5 zi"),
                ("B+3.75", "B 7.5 zi"),
                ("W+0.25", "W 0.5 zi"),
                ("W+3.2", "W 6.5 zi"),
                ("B+0.2", "B 0.5 zi"),
                ("B+1.8", "B 3.5 zi"),
                ("B+0.02", "B sentinel"),
                ("B+3.1", "B win"),
                ("B+3.5", "B 3.5 zi?"),
                ("B+3", "B 3 zi?"),
                ("黑胜3目", "B 3"),
                ("黑胜3子", "B 6 zi"),
                ("B+R", "B resign"),
            ],
        );
        check(PLAIN, &[("B+1.75", "B 3.5 zi"), ("W+3.2", "W win")]);
    }

    #[test]
    fn fox_codes() {
        check(
            FOX,
            &[
                ("B+0.0", "B sentinel"),
                ("W+0.00", "W sentinel"),
                ("W+0", "W sentinel"),
                ("B+0.02", "B sentinel"),
                ("W+0.03", "W sentinel"),
                ("0.0", "sentinel"),
                ("W+0.25", "W 0.5 zi"),
                ("B+0.50", "B 0.5"),
                ("draw", "draw"),
            ],
        );
        check(
            PLAIN,
            &[
                ("B+0.02", "B sentinel"),
                ("B+0.0", "unknown"),
                ("W+0", "unknown"),
            ],
        );
    }

    #[test]
    fn hostile_texts_are_unknown_and_quick() {
        let long = "一".repeat(100_000);
        let odd = [
            "9/0",
            "半半半",
            "又",
            "1/",
            "分之",
            "+",
            "🄱+3",
            "\u{0}",
            "B+9/0",
            &long,
        ];
        for text in odd {
            let recorded = parse(text, PLAIN);
            assert_eq!(recorded.margin, None, "{text:?}");
        }
    }
}
