//! Whose pieces are whose.
//!
//! Capitals are Red's, other letters Black's. Some Chinese signs are one side's
//! (帥 仕 相 俥 傌 兵, 將 卒); others are both sides' on some boards, and told
//! apart only by what else is on the board, or by a line that says it. What cannot
//! be told is refused: a piece of the wrong side makes a wrong label.

use super::signs::{Sign, narrow, sign};
use crate::outcome::Side;

/// What is known of the signs of a board.
#[derive(Debug, Default)]
pub(super) struct Sides {
    /// Signs on the board.
    met: Vec<char>,
    /// Signs that a line such as `帥仕 red 將士 black` gives to a side.
    told: Vec<(char, Side)>,
}

impl Sides {
    /// Takes in a sign of the board.
    pub(super) fn meet(&mut self, letter: char) {
        // There are not many signs.
        if !letter.is_ascii() && !self.met.contains(&letter) {
            self.met.push(letter);
        }
    }

    /// Takes in what a line says of signs.
    pub(super) fn tell(&mut self, told: impl Iterator<Item = (char, Side)>) {
        for pair in told {
            if !self.told.contains(&pair) {
                self.told.push(pair);
            }
        }
    }

    /// Whose a piece is that stands on a row, from 0 at Black's side; nothing
    /// where that cannot be told.
    pub(super) fn of(&self, letter: char, row: usize) -> Option<Side> {
        let plain = narrow(letter);
        if plain.is_ascii() {
            return Some(match plain.is_ascii_uppercase() {
                true => Side::First,
                false => Side::Second,
            });
        }
        let mut told = self.told.iter().filter(|(known, _)| *known == letter);
        match (told.next(), told.next()) {
            (Some((_, side)), None) => return Some(*side),
            (Some(_), Some(_)) => return None,
            (None, _) => {}
        }
        if let Sign::Piece(_, Some(side)) = sign(letter) {
            return Some(side);
        }
        let has = |letter| self.met.contains(&letter);
        // Guards never cross the river.
        let by_half = match row {
            0..5 => Side::Second,
            _ => Side::First,
        };
        match letter {
            '士' if has('仕') => Some(Side::Second),
            '象' if has('相') => Some(Side::Second),
            '士' | '象' => Some(by_half),
            // Who writes one of Red's with the sign of a person does so with both.
            '車' | '车' | '馬' | '马' if has('俥') || has('傌') => Some(Side::Second),
            '炮' if has('砲') != has('包') => Some(Side::First),
            '砲' | '包' if has('炮') && has('砲') != has('包') => Some(Side::Second),
            _ => None,
        }
    }
}

/// What a line says of signs: `帥仕相 red 將士象 black`, other words being passed
/// over.
pub(super) fn told(line: &str) -> Vec<(char, Side)> {
    let mut told = Vec::new();
    let mut before = "";
    for word in line.split_whitespace() {
        let side = colour(word.trim_matches([':', ',', '=', '：', '，']));
        let is_piece = |letter: char| !letter.is_ascii() && matches!(sign(letter), Sign::Piece(..));
        if let Some(side) = side.filter(|_| before.chars().all(is_piece)) {
            told.extend(before.chars().map(|letter| (letter, side)));
        }
        before = word;
    }
    told
}

/// The side of a colour.
pub(super) fn colour(word: &str) -> Option<Side> {
    match word.to_lowercase().as_str() {
        "red" | "r" | "w" | "红" | "紅" | "红方" | "紅方" => Some(Side::First),
        "black" | "b" | "黑" | "黑方" => Some(Side::Second),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whose_a_sign_is() {
        let (red, black) = (Some(Side::First), Some(Side::Second));
        for (met, line, letter, row, expected) in [
            ("", "", 'R', 0, red),
            ("", "", 'ｒ', 0, black),
            ("帥", "", '帥', 0, red),
            ("將車", "", '車', 0, None),
            ("俥車", "", '車', 9, black),
            ("俥馬", "", '馬', 9, black),
            ("炮", "", '炮', 0, None),
            ("砲", "", '砲', 0, None),
            ("炮砲", "", '炮', 0, red),
            ("炮砲", "", '砲', 9, black),
            ("炮包", "", '包', 9, black),
            ("砲包", "", '砲', 9, None),
            ("炮砲包", "", '炮', 0, None),
            ("士", "", '士', 1, black),
            ("士", "", '士', 8, red),
            ("仕士", "", '士', 8, black),
            ("象", "", '象', 5, red),
            ("車", "帥車 red", '車', 0, red),
            ("車", "馬車 red 馬砲 black", '馬', 0, None),
            ("車", "馬車 red 馬砲 black", '砲', 0, black),
            ("俥車", "紅 車", '車', 0, black),
        ] {
            let mut sides = Sides::default();
            for letter in met.chars() {
                sides.meet(letter);
            }
            sides.tell(told(line).into_iter());
            assert_eq!(sides.of(letter, row), expected, "{letter} {met} {line}");
        }
    }
}
