//! The numbers of results: decimals, fractions and Chinese numerals.

use crate::outcome::Points;

/// A number as written: an exact fraction, since not every number that
/// stands in a result is one of quarters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Amount {
    /// The numerator.
    over: i64,
    /// The denominator.
    under: i64,
}

impl Amount {
    /// No term of a sum grows beyond this, so that no product overflows.
    const LIMIT: i64 = 1_000_000;
    /// 半.
    const HALF: Self = Self { over: 1, under: 2 };

    /// A fraction, unless its terms are too large.
    fn new(over: i64, under: i64) -> Option<Self> {
        let fits = (0..=Self::LIMIT).contains(&over) && (1..=Self::LIMIT).contains(&under);
        fits.then_some(Self { over, under })
    }

    /// Whether it is nothing.
    pub(super) const fn is_zero(self) -> bool {
        self.over == 0
    }

    /// The sum of two, unless its terms grow too large.
    fn plus(self, other: Self) -> Option<Self> {
        Self::new(
            self.over * other.under + other.over * self.under,
            self.under * other.under,
        )
    }

    /// Whether it is below a quarter and not zero: smaller than any margin.
    pub(super) const fn is_tiny(self) -> bool {
        self.over > 0 && self.over * 4 < self.under
    }

    /// The quarters behind a number that has lost its second decimal: 3.2 for
    /// 3.25 and 0.7 for 0.75, or 3.3 and 0.8 where it was rounded.
    pub(super) const fn uncut(self) -> Self {
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
    pub(super) fn points(self) -> Option<Points> {
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
pub(super) fn scan_amount(text: &str) -> Option<(Option<Amount>, &str)> {
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
pub(super) fn with_half(amount: Option<Amount>, rest: &str) -> (Option<Amount>, &str) {
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
pub(super) fn scan_decimal(text: &str) -> Option<(Option<Amount>, &str)> {
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
