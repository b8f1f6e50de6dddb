//! The 512-byte header of a tar member, and the records of PAX.

/// A block of an archive.
pub(super) const BLOCK: usize = 512;

/// The header of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header<'a>(pub(super) &'a [u8; BLOCK]);

impl<'a> Header<'a> {
    fn field(&self, at: usize, length: usize) -> &'a [u8] {
        self.0.get(at..at + length).unwrap_or_default()
    }

    /// Whether it says its own checksum, counted from bytes without sign, or
    /// with one as some old programs did.
    pub(super) fn is_sound(&self) -> bool {
        let Some(stated) = number(self.field(148, 8)) else {
            return false;
        };
        let blank = 8 * u64::from(b' ');
        let others = || self.field(0, 148).iter().chain(self.field(156, 356));
        let plain: u64 = others().map(|byte| u64::from(*byte)).sum();
        if plain + blank == stated {
            return true;
        }
        let signed: i64 = others().map(|byte| i64::from(byte.cast_signed())).sum();
        u64::try_from(signed + 8 * i64::from(b' ')) == Ok(stated)
    }

    pub(super) fn is_blank(&self) -> bool {
        self.0.iter().all(|byte| *byte == 0)
    }

    /// What it is a header of, as a letter.
    pub(super) fn kind(&self) -> u8 {
        self.field(156, 1).first().copied().unwrap_or(0)
    }

    pub(super) fn size(&self) -> Option<u64> {
        number(self.field(124, 12))
    }

    /// Whether more blocks of an old sparse header follow.
    pub(super) fn is_extended(&self) -> bool {
        self.field(482, 1) != [0]
    }

    pub(super) fn name(&self) -> Vec<u8> {
        let name = text(self.field(0, 100));
        // GNU has a blank where ustar has a zero, and times where ustar has
        // the first part of a long name.
        let prefix = match self.field(257, 6) {
            b"ustar\0" => text(self.field(345, 155)),
            _ => &[],
        };
        if prefix.is_empty() {
            name.to_vec()
        } else {
            [prefix, b"/", name].concat()
        }
    }
}

/// Whether some bytes begin with a header: 512 of them with the right
/// checksum, or fewer with the magic word.
pub(in crate::source::packed) fn is_header(head: &[u8]) -> bool {
    let magic = head.get(257..262) == Some(b"ustar");
    match head.first_chunk() {
        Some(block) => magic || (Header(block).is_sound() && head.first() != Some(&0)),
        None => magic,
    }
}

/// The bytes before the first zero.
pub(super) fn text(field: &[u8]) -> &[u8] {
    let end = field.iter().position(|byte| *byte == 0);
    &field[..end.unwrap_or(field.len())]
}

/// An octal number between blanks, or a binary one whose first bit is set.
fn number(field: &[u8]) -> Option<u64> {
    if let [first @ 0x80..=0xff, rest @ ..] = field {
        // With the second bit set it is negative: no size is.
        let mut value = u64::from(first & 0x7f);
        if first & 0x40 != 0 {
            return None;
        }
        for byte in rest {
            value = value.checked_mul(256)? + u64::from(*byte);
        }
        return Some(value);
    }
    let digits = text(field).trim_ascii();
    digits.iter().try_fold(0_u64, |value, digit| match digit {
        b'0'..=b'7' => Some(value.checked_mul(8)? + u64::from(digit - b'0')),
        _ => None,
    })
}

/// What records of PAX say that matters here.
#[derive(Clone, Debug, Default)]
pub(super) struct Extension {
    pub(super) name: Option<Vec<u8>>,
    pub(super) size: Option<u64>,
    pub(super) sparse: bool,
}

impl Extension {
    /// Reads records `LENGTH KEY=VALUE` with a line end each; `None` where they
    /// are not such.
    pub(super) fn read(&mut self, mut records: &[u8]) -> Option<()> {
        while !records.is_empty() {
            let blank = records.iter().take(20).position(|byte| *byte == b' ')?;
            let length: usize = std::str::from_utf8(&records[..blank]).ok()?.parse().ok()?;
            let record = records.get(blank + 1..length)?.strip_suffix(b"\n")?;
            let equals = record.iter().position(|byte| *byte == b'=')?;
            let (key, value) = (&record[..equals], &record[equals + 1..]);
            match key {
                b"path" if !self.sparse || self.name.is_none() => {
                    self.name = (!value.is_empty()).then(|| value.to_vec());
                }
                b"GNU.sparse.name" => self.name = Some(value.to_vec()),
                b"size" => {
                    self.size = match value {
                        [] => None,
                        digits => Some(std::str::from_utf8(digits).ok()?.parse().ok()?),
                    };
                }
                _ => {}
            }
            self.sparse |= key.starts_with(b"GNU.sparse.");
            records = &records[length..];
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_octal_or_binary() {
        for (field, value) in [
            (&b"00000001750\0"[..], Some(1000)),
            (b"   1750 \0\0\0\0", Some(1000)),
            (b"777777777777", Some((1 << 36) - 1)),
            (b"\0\0\0\0\0\0\0\0\0\0\0\0", Some(0)),
            (b"\x80\0\0\0\0\0\0\x02\0\0\0\0", Some(1 << 33)),
            (b"\x80\0\0\x01\0\0\0\0\0\0\0\0", None),
            (b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", None),
            (b"0000000018\0\0", None),
        ] {
            assert_eq!(number(field), value, "{field:?}");
        }
    }

    #[test]
    fn records_of_pax_are_counted_not_searched() {
        let mut extension = Extension::default();
        let sound = b"27 comment=a\n12 path=no\n..\n14 path=b\xff/\na\n10 size=7\n";
        assert_eq!(extension.read(sound), Some(()));
        assert_eq!(extension.name.as_deref(), Some(&b"b\xff/\na"[..]));
        assert_eq!(extension.size, Some(7));
        for damaged in [
            &b"99 path=a\n"[..],
            b"path=a\n",
            b"0 \n",
            b"10 path=ab",
            b"1 path=a\n",
            b"11 size=-1\n",
            b"18446744073709551616 a=b\n",
        ] {
            assert_eq!(Extension::default().read(damaged), None, "{damaged:?}");
        }
    }
}
