//! Cuts the text of a result into words and numbers.

use std::mem;

use super::{
    numbers::{Amount, scan_amount, with_half},
    words::{CODE_LEXICON, LEXICON, Lexicon, UNIT_LEXICON, Unit, Word, XIANGQI_LEXICON, is_latin},
};

/// One piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A word of the tables.
    Word(Word),
    /// A number, and what it counts where that is written.
    Amount(Amount, Option<Unit>),
    /// Something that is not understood.
    Other,
}

/// Cuts a text into tokens.
pub(super) struct Lexer<'a> {
    /// What is not yet read.
    rest: &'a str,
    /// The last token was a `+`.
    after_plus: bool,
    lexicon: &'static Lexicon<Word>,
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.rest = skip_punctuation(self.rest);
        let first = self.rest.chars().next()?;
        let after_plus = mem::replace(&mut self.after_plus, first == '+');
        let code = after_plus.then(|| CODE_LEXICON.strip(self.rest)).flatten();
        if let Some((word, rest)) = code.or_else(|| self.lexicon.strip(self.rest)) {
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
    /// Begins a text that [`plain`] has made plain.
    pub(super) fn new(text: &'a str, red_first: bool) -> Self {
        Self {
            rest: text,
            after_plus: false,
            lexicon: match red_first {
                true => &XIANGQI_LEXICON,
                false => &LEXICON,
            },
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
pub(super) fn plain(text: &str) -> String {
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
