//! Recognises packed files by their first bytes and by their names.

use super::{codec::Codec, tar};

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// A zip archive.
    Zip,
    /// A tape archive, not compressed.
    Tar,
    /// Gzip.
    Gzip,
    /// Zstandard.
    Zstd,
    /// XZ.
    Xz,
    /// Bzip2.
    Bzip2,
}

impl Packing {
    /// Its name in sentences.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zip => "zip",
            Self::Tar => "tar",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Xz => "xz",
            Self::Bzip2 => "bzip2",
        }
    }

    /// The codec of a compressed file; `None` for an archive.
    pub(super) const fn codec(self) -> Option<Codec> {
        match self {
            Self::Zip | Self::Tar => None,
            Self::Gzip => Some(Codec::Gzip),
            Self::Zstd => Some(Codec::Zstd),
            Self::Xz => Some(Codec::Xz),
            Self::Bzip2 => Some(Codec::Bzip2),
        }
    }
}

/// The first bytes that recognising looks at, at most.
pub const HEAD: usize = 512;

/// How a file is packed, by its first bytes: [`HEAD`] of them, or all there are.
#[must_use]
pub fn recognise(head: &[u8]) -> Option<Packing> {
    match head {
        [0x1f, 0x8b, 8, ..] => Some(Packing::Gzip),
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Packing::Zstd),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Packing::Xz),
        // A block, or the end of a stream without one.
        [b'B', b'Z', b'h', b'1'..=b'9', block @ ..]
            if block.starts_with(b"1AY&SY") || block.starts_with(b"\x17rE8P\x90") =>
        {
            Some(Packing::Bzip2)
        }
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Packing::Zip),
        _ if tar::is_header(head) => Some(Packing::Tar),
        _ => None,
    }
}

/// Endings of names of compressed single files.
const COMPRESSED: &[&str] = &["gz", "gzip", "zst", "zstd", "xz", "bz2", "bzip2"];

/// Endings of names of files that hold others.
const ARCHIVES: &[&str] = &[
    "zip", "tar", "tgz", "taz", "tzst", "txz", "tbz", "tbz2", "tb2",
];

/// A name without its folders, and its last extension.
fn split(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let base = name.rsplit(|byte| *byte == b'/').next().unwrap_or(name);
    let dot = base.iter().rposition(|byte| *byte == b'.')?;
    Some((&name[..name.len() - base.len() + dot], &base[dot + 1..]))
}

fn is_one_of(extension: &[u8], known: &[&str]) -> bool {
    known
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known.as_bytes()))
}

/// Whether the name of a file says that it is packed.
#[must_use]
pub fn is_packed_name(name: &[u8]) -> bool {
    split(name).is_some_and(|(_, extension)| {
        is_one_of(extension, COMPRESSED) || is_one_of(extension, ARCHIVES)
    })
}

/// Whether the name of a file says that it holds other files.
#[must_use]
pub fn is_archive_name(name: &[u8]) -> bool {
    split(name).is_some_and(|(stem, extension)| {
        is_one_of(extension, ARCHIVES)
            || (is_one_of(extension, COMPRESSED)
                && split(stem).is_some_and(|(_, extension)| is_one_of(extension, &["tar"])))
    })
}

/// Whether the name of a file ends so.
pub(super) fn ends_with(name: &[u8], extension: &str) -> bool {
    split(name).is_some_and(|(_, found)| is_one_of(found, &[extension]))
}

/// The name of what a compressed file holds: `games.sgf` for `games.sgf.gz`.
pub(super) fn unpacked_name(name: &[u8]) -> &[u8] {
    match split(name) {
        Some((stem, extension))
            if is_one_of(extension, COMPRESSED) || is_one_of(extension, ARCHIVES) =>
        {
            stem
        }
        _ => name,
    }
}

/// Whether a name has an extension, and not one of packed files.
pub(super) fn is_plain_name(name: &[u8]) -> bool {
    split(name).is_some() && !is_packed_name(name)
}

/// The name of a packed format that is not read, if a file is in one by its
/// first bytes or, where these say nothing, by its name.
#[must_use]
pub fn unread_packing(name: &[u8], head: &[u8]) -> Option<&'static str> {
    let by_bytes = match head {
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Some("7z"),
        [b'R', b'a', b'r', b'!', 0x1a, 7, ..] => Some("rar"),
        [4, 0x22, 0x4d, 0x18, ..] => Some("lz4"),
        [0x1f, 0x9d, ..] => Some("compress (.Z)"),
        [b'L', b'Z', b'I', b'P', ..] => Some("lzip"),
        [b'M', b'S', b'C', b'F', 0, 0, 0, 0, ..] => Some("cab"),
        [_, _, b'-', b'l', b'h', _, b'-', ..] => Some("lzh"),
        _ => None,
    };
    let by_name = || {
        let (_, extension) = split(name)?;
        let known = [
            ("7z", "7z"),
            ("rar", "rar"),
            ("lz4", "lz4"),
            ("br", "brotli"),
            ("z", "compress (.Z)"),
            ("lzma", "lzma"),
            ("lz", "lzip"),
            ("lzh", "lzh"),
            ("cab", "cab"),
        ];
        let found = known
            .iter()
            .find(|(known, _)| is_one_of(extension, &[known]));
        found.map(|(_, format)| *format)
    };
    by_bytes.or_else(|| {
        if recognise(head).is_some() {
            None
        } else {
            by_name()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_whether_a_file_is_packed_and_holds_others() {
        for (name, packed, archive, plain) in [
            ("a.zip", true, true, "a"),
            ("b/A.TAR", true, true, "b/A"),
            ("a.tgz", true, true, "a"),
            ("a.sgf.gz", true, false, "a.sgf"),
            ("a.tar.Zst", true, true, "a.tar"),
            ("a.tar/b.xz", true, false, "a.tar/b"),
            ("a.tar/b", false, false, "a.tar/b"),
            ("gz", false, false, "gz"),
            (".gz", true, false, ""),
            ("a.sgf", false, false, "a.sgf"),
        ] {
            assert_eq!(is_packed_name(name.as_bytes()), packed, "{name}");
            assert_eq!(is_archive_name(name.as_bytes()), archive, "{name}");
            assert_eq!(unpacked_name(name.as_bytes()), plain.as_bytes(), "{name}");
        }
    }

    #[test]
    fn formats_that_are_not_read_have_names() {
        for (name, head, format) in [
            ("a", &b"7z\xbc\xaf\x27\x1c\0\x04"[..], Some("7z")),
            ("a.sgf", b"Rar!\x1a\x07\x01\0", Some("rar")),
            ("a.LZMA", b"]\0\0\x80\0", Some("lzma")),
            ("a.br", b"\x0b\x02\x80", Some("brotli")),
            ("a.lzh", b"\x20\x2f-lh5-", Some("lzh")),
            ("a.Z", b"\x1f\x9d\x90", Some("compress (.Z)")),
            ("a.z", b"\x1f\x8b\x08", None),
            ("a.sgf", b"(;GM[1])", None),
        ] {
            assert_eq!(unread_packing(name.as_bytes(), head), format, "{name}");
        }
    }
}
