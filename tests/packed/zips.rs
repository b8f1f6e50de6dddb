//! What zip archives may be.

use crate::build::{
    Entry, Got, Zip, deflate, deflated, files, gzip, list, noise, stored, xz, zip, zstd,
};

const TEXT: &[u8] = b"(;GM[1]SZ[9];B[ee];W[gc])";

/// An archive whose directory is lost.
fn without_directory(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut zip = Zip::default();
    for entry in entries {
        zip.add(entry);
    }
    zip.bytes
}

fn cut(word: &'static str) -> Got {
    Got::Cut(Vec::new(), word)
}

#[test]
fn members_are_packed_in_any_method_that_is_known() {
    let long = noise(1_100_000, 1);
    for bytes in [TEXT, b"", &long] {
        let with = |method, packed| Entry {
            method,
            packed,
            ..stored("a.sgf", bytes)
        };
        for entry in [
            stored("a.sgf", bytes),
            deflated("a.sgf", bytes),
            with(12, crate::build::bzip2(bytes)),
            with(93, zstd(bytes)),
            with(95, xz(bytes)),
        ] {
            let method = entry.method;
            let listing = list(&zip(&[entry]), "a.zip");
            assert!(
                listing.members == files(&[("a.sgf", bytes)]),
                "method {method}"
            );
        }
    }
}

#[test]
fn other_methods_and_encrypted_members_are_faults_beside_good_ones() {
    let with = |method, flags| Entry {
        method,
        flags,
        ..deflated("odd", TEXT)
    };
    for (entry, word) in [
        (with(9, 0), "unsupported"),
        (with(14, 0), "unsupported"),
        (with(6, 0), "unsupported"),
        (with(1234, 0), "unsupported"),
        (with(8, 1), "encrypted"),
        (with(8, 0x41), "encrypted"),
        (with(99, 1), "encrypted"),
    ] {
        let listing = list(&zip(&[entry, stored("good", TEXT)]), "a.zip");
        let wanted = [
            ("odd".to_owned(), cut(word)),
            ("good".to_owned(), Got::File(TEXT.to_vec())),
        ];
        assert_eq!(listing.members, wanted);
        assert_eq!(listing.fault, None);
    }
}

#[test]
fn sizes_may_come_after_the_data_or_in_64_bits() {
    let wanted = files(&[("a", TEXT), ("b", TEXT)]);
    for descriptor in [
        None,
        Some((true, false)),
        Some((false, false)),
        Some((true, true)),
        Some((false, true)),
    ] {
        for wide in [false, true] {
            let entries = ["a", "b"].map(|name| Entry {
                descriptor,
                wide,
                ..deflated(name, TEXT)
            });
            let mut archive = Zip::default();
            archive.add(&entries[0]).add(&entries[1]);
            for wide_end in [false, true] {
                let listing = list(&archive.close(b"", wide_end), "a.zip");
                assert_eq!(listing.members, wanted, "{descriptor:?} {wide} {wide_end}");
                assert_eq!(listing.fault, None);
            }
            // Without the directory they are found by decoding.
            let listing = list(&archive.bytes, "a.zip");
            assert_eq!(listing.members, wanted, "{descriptor:?} {wide}");
            assert_eq!(listing.word(), Some("truncated"));
        }
    }
}

#[test]
fn a_comment_and_bytes_before_and_after_do_no_harm() {
    let entries = [stored("a", TEXT), deflated("b", TEXT)];
    let wanted = files(&[("a", TEXT), ("b", TEXT)]);
    let build = |before: &[u8], counted: bool| {
        let mut zip = Zip {
            bytes: before.to_vec(),
            before: if counted { 0 } else { before.len() },
            ..Zip::default()
        };
        zip.add(&entries[0]).add(&entries[1]);
        zip
    };
    let comments: [&[u8]; 4] = [
        b"",
        b"a comment",
        b"PK\x05\x06 in a comment that looks like the end",
        &[b'x'; 65535],
    ];
    for before in [&b""[..], b"MZ an unpacker", &[b'#'; 100_000]] {
        for counted in [false, true] {
            for wide in [false, true] {
                for comment in comments {
                    let bytes = build(before, counted).close(comment, wide);
                    let listing = list(&bytes, "a.zip");
                    let what = format!("{} {counted} {wide} {}", before.len(), comment.len());
                    assert_eq!(listing.members, wanted, "{what}");
                    assert_eq!(listing.fault, None, "{what}");
                }
            }
        }
    }
    let after = [build(b"", false).close(b"", false), b"\r\nmore".to_vec()].concat();
    assert_eq!(list(&after, "a.zip").members, wanted);
}

#[test]
fn names_are_bytes() {
    let with = |name: &'static [u8]| Entry {
        name,
        ..stored("", TEXT)
    };
    let listing = list(
        &zip(&[
            with(b"/etc/passwd"),
            with(b"../../up.sgf"),
            with(b"C:\\games\\a.sgf"),
            with("\u{9ed1}\u{767d}.sgf".as_bytes()),
            with(b"\xba\xda.sgf"),
            with(b"what!#100%\n.sgf"),
            with(b"./here.sgf"),
            with(b""),
        ]),
        "a.zip",
    );
    assert_eq!(
        listing.names(),
        [
            "/etc/passwd",
            "../../up.sgf",
            "C:\\games\\a.sgf",
            "\u{9ed1}\u{767d}.sgf",
            "%BA%DA.sgf",
            "what%21%23100%25%0A.sgf",
            "here.sgf",
            ".",
        ]
    );
    assert_eq!(listing.faults(), 0);
}

#[test]
fn a_name_met_twice_is_two_members() {
    let entries = [("a", &b"1"[..]), ("b", b"2"), ("a", b"3"), ("a", b"4")];
    let entries = entries.map(|(name, bytes)| stored(name, bytes));
    let wanted = files(&[("a", b"1"), ("b", b"2"), ("a!!2", b"3"), ("a!!3", b"4")]);
    assert_eq!(list(&zip(&entries), "a.zip").members, wanted);
}

#[test]
fn folders_are_passed_over_and_links_are_not_followed() {
    let link = Entry {
        attributes: 0o120_777 << 16,
        ..stored("link.sgf", b"a.sgf")
    };
    let folder = Entry {
        attributes: 0x10,
        ..stored("d\\e\\", b"")
    };
    let listing = list(
        &zip(&[stored("d/", b""), folder, link, stored("d/a.sgf", TEXT)]),
        "a.zip",
    );
    let wanted = [
        ("link.sgf".to_owned(), Got::Special("symbolic link")),
        ("d/a.sgf".to_owned(), Got::File(TEXT.to_vec())),
    ];
    assert_eq!(listing.members, wanted);
}

#[test]
fn members_before_damage_come_out_where_the_directory_is_lost() {
    let entries = [stored("a", TEXT), deflated("b", TEXT), stored("c", TEXT)];
    let bytes = without_directory(&entries);
    let all = files(&[("a", TEXT), ("b", TEXT), ("c", TEXT)]);
    let listing = list(&bytes, "a.zip");
    assert_eq!(
        (listing.members.as_slice(), listing.word()),
        (&all[..], Some("truncated"))
    );

    // The directory begins, and has no end.
    let whole = zip(&entries);
    let listing = list(&whole[..bytes.len() + 60], "a.zip");
    assert_eq!(
        (listing.members.as_slice(), listing.word()),
        (&all[..], Some("truncated"))
    );

    // The header of the third member is gone, too.
    let third = bytes.len() - 30 - 1 - TEXT.len();
    let mut damaged = bytes.clone();
    damaged[third] = b'?';
    let listing = list(&damaged, "a.zip");
    assert_eq!(listing.members, all[..2]);
    let (word, sentence) = listing.fault.unwrap();
    assert_eq!(word, "corrupt");
    assert!(
        sentence.contains(&format!("at byte {third};")),
        "{sentence}"
    );
}

/// A stored archive in an archive that is cut off right behind it has an end
/// record where the one of the outer archive should be.
#[test]
fn the_directory_of_an_inner_archive_is_not_taken_for_the_lost_one() {
    let inner = zip(&[stored("inner", TEXT)]);
    let bytes = without_directory(&[stored("a", TEXT), stored("b.zip", &inner)]);
    let listing = list(&bytes, "a.zip");
    assert_eq!(
        listing.members,
        files(&[("a", TEXT), ("b.zip!inner", TEXT)])
    );
    assert_eq!(listing.word(), Some("truncated"));
}

#[test]
fn what_cannot_be_passed_over_without_a_directory_ends_the_walk() {
    let odd = |entry: Entry<'static>| Entry {
        descriptor: Some((true, false)),
        ..entry
    };
    for (entry, word) in [
        (odd(stored("odd", TEXT)), "unsupported"),
        (
            Entry {
                flags: 1,
                ..odd(deflated("odd", TEXT))
            },
            "encrypted",
        ),
        (
            Entry {
                crc: 7,
                ..odd(deflated("odd", TEXT))
            },
            "checksum",
        ),
    ] {
        let bytes = without_directory(&[stored("a", TEXT), entry, stored("c", TEXT)]);
        let listing = list(&bytes, "a.zip");
        let wanted = [
            ("a".to_owned(), Got::File(TEXT.to_vec())),
            ("odd".to_owned(), cut(word)),
        ];
        assert_eq!(listing.members, wanted);
        assert_eq!(
            listing.word(),
            Some("corrupt"),
            "the rest is not read, which is told"
        );
    }
}

#[test]
fn a_damaged_directory_is_a_fault_after_the_members_before_it() {
    let entries = [stored("a", TEXT), stored("b", TEXT), stored("c", TEXT)];
    let mut archive = Zip::default();
    for entry in &entries {
        archive.add(entry);
    }
    let start = archive.bytes.len();
    let mut bytes = archive.close(b"", false);
    bytes[start + 47] = b'?';
    let listing = list(&bytes, "a.zip");
    assert_eq!(listing.members, files(&[("a", TEXT)]));
    assert_eq!(listing.word(), Some("corrupt"));

    // Fewer entries than the end record says.
    archive.entries += 1;
    let listing = list(&archive.close(b"", false), "a.zip");
    assert_eq!(listing.members.len(), 3);
    assert_eq!(listing.word(), Some("corrupt"));

    // An entry that leads nowhere.
    let mut archive = Zip::default();
    archive
        .add(&entries[0])
        .list(&entries[1], 0, 7)
        .list(&entries[2], 0, 1 << 30);
    let listing = list(&archive.close(b"", false), "a.zip");
    let words: Vec<_> = listing.members.iter().map(|(_, got)| got.clone()).collect();
    assert_eq!(
        words,
        [Got::File(TEXT.to_vec()), cut("corrupt"), cut("corrupt")]
    );
}

#[test]
fn a_split_archive_is_told() {
    let mut bytes = zip(&[stored("a", TEXT)]);
    let end = bytes.len() - 22;
    bytes[end + 4] = 1;
    let listing = list(&bytes, "a.zip");
    assert_eq!(
        (listing.members.len(), listing.word()),
        (0, Some("unsupported"))
    );
}

#[test]
fn what_is_packed_must_say_so_by_its_name() {
    let inner = gzip(TEXT);
    let listing = list(
        &zip(&[deflated("a.sgf", &inner), stored("b.sgf", TEXT)]),
        "a.zip",
    );
    let wanted = [
        ("a.sgf".to_owned(), cut("unsupported")),
        ("b.sgf".to_owned(), Got::File(TEXT.to_vec())),
    ];
    assert_eq!(listing.members, wanted);
    assert!(!deflate(&inner).is_empty());
}
