//! Numbers with a unit, as people write them.

use std::{fmt, str::FromStr};

use serde::Deserialize;

/// A number of things or bytes: `200`, `64K`, `16M`, `1.5G`, `2T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub(super) struct Amount(pub(super) u64);

/// How the configuration may write it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(u64),
    Text(String),
}

impl TryFrom<Written> for Amount {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        match written {
            Written::Number(0) => Err("must be at least 1".to_owned()),
            Written::Number(number) => Ok(Self(number)),
            Written::Text(text) => text.parse(),
        }
    }
}

impl FromStr for Amount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let cannot =
            || format!("cannot read {text:?}: write a number such as 200, 64K, 16M or 1.5G");
        let plain = text
            .trim()
            .trim_end_matches(['B', 'b'])
            .trim_end_matches('i');
        let (digits, shift) = match plain.chars().last().map(|last| last.to_ascii_uppercase()) {
            Some('K') => (&plain[..plain.len() - 1], 10),
            Some('M') => (&plain[..plain.len() - 1], 20),
            Some('G') => (&plain[..plain.len() - 1], 30),
            Some('T') => (&plain[..plain.len() - 1], 40),
            _ => (plain, 0),
        };
        let number: f64 = digits.trim().parse().map_err(|_| cannot())?;
        let amount = (number * f64::from(1 << 10).powi(shift / 10)).round();
        // Whole numbers up to 2^53 are exact, and nobody has a larger archive.
        if !(1.0..=9e15).contains(&amount) {
            return Err(if amount < 1.0 {
                "must be at least 1".to_owned()
            } else {
                cannot()
            });
        }
        Ok(Self(amount as u64))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_powers_of_1024() {
        for (text, amount) in [
            ("200", 200),
            ("64K", 64 << 10),
            ("16m", 16 << 20),
            ("1.5G", 3 << 29),
            ("2 TiB", 2 << 40),
            ("16MB", 16 << 20),
        ] {
            assert_eq!(text.parse(), Ok(Amount(amount)), "{text}");
        }
        for text in ["", "0", "-1", "M", "12X", "nan", "inf", "1e300", "é"] {
            assert!(text.parse::<Amount>().is_err(), "{text}");
        }
    }
}
