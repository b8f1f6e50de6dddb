//! Packed files in packed files.

use crate::build::{CODECS, Entry, Got, deflated, files, gzip, list, noise, stored, tar, zip};

const TEXT: &[u8] = b"(;GM[1]SZ[9];B[ee];W[gc])";

fn deep() -> Got {
    Got::Cut(Vec::new(), "nested_too_deep")
}

/// A member in each kind of archive.
fn wrapped(name: &str, bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    vec![
        (
            "stored.zip".to_owned(),
            zip(&[
                stored("before", TEXT),
                stored(name, bytes),
                stored("after", TEXT),
            ]),
        ),
        (
            "deflated.zip".to_owned(),
            zip(&[
                stored("before", TEXT),
                deflated(name, bytes),
                stored("after", TEXT),
            ]),
        ),
        (
            "plain.tar".to_owned(),
            tar(&[("before", TEXT), (name, bytes), ("after", TEXT)]),
        ),
        (
            "packed.tgz".to_owned(),
            gzip(&tar(&[("before", TEXT), (name, bytes), ("after", TEXT)])),
        ),
    ]
}

/// What is expected between the members before and after it.
fn around(members: Vec<(String, Got)>) -> Vec<(String, Got)> {
    [
        files(&[("before", TEXT)]),
        members,
        files(&[("after", TEXT)]),
    ]
    .concat()
}

#[test]
fn archives_in_archives_are_opened() {
    // Small ones are in memory, large ones are streams.
    let long = noise(1_300_000, 1);
    for text in [TEXT, &long] {
        let members: &[(&str, &[u8])] = &[("x.sgf", text), ("d/y.sgf", TEXT), ("x.sgf", b"")];
        let entries: Vec<Entry<'_>> = members
            .iter()
            .map(|(name, bytes)| stored(name, bytes))
            .collect();
        for (inner, bytes) in [
            ("in.zip", zip(&entries)),
            ("in.tar", tar(members)),
            ("in.tar.gz", gzip(&tar(members))),
        ] {
            let names = ["x.sgf", "d/y.sgf", "x.sgf!!2"].map(|name| format!("{inner}!{name}"));
            let wanted: Vec<(&str, &[u8])> = names
                .iter()
                .map(|name| &**name)
                .zip([text, TEXT, b""])
                .collect();
            for (outer, bytes) in wrapped(inner, &bytes) {
                let listing = list(&bytes, &outer);
                assert!(
                    listing.members == around(files(&wanted)),
                    "{inner} in {outer}: {:?}",
                    listing.names()
                );
                assert_eq!(listing.file_names[1], "x.sgf");
                assert_eq!(listing.fault, None);
            }
        }
    }
}

#[test]
fn compressed_members_are_unpacked() {
    let long = noise(2_200_000, 2);
    for (ending, pack) in CODECS {
        for (text, stems) in [
            (TEXT, &["a.sgf", "a"][..]),
            (b"", &["a.sgf", "a"]),
            (&long, &["a"]),
        ] {
            let packed = pack(text);
            for stem in stems {
                let name = format!("{stem}.{ending}");
                for (outer, bytes) in wrapped(&name, &packed) {
                    let listing = list(&bytes, &outer);
                    assert!(
                        listing.members == around(files(&[(&name, text)])),
                        "{name} in {outer}"
                    );
                    assert_eq!(listing.file_names[1], *stem, "{name} in {outer}");
                }
            }
        }
    }
}

#[test]
fn an_archive_may_be_compressed_twice_over() {
    let wanted = files(&[("a.sgf", TEXT)]);
    assert_eq!(
        list(&gzip(&zip(&[stored("a.sgf", TEXT)])), "a.zip.gz").members,
        wanted
    );
    assert_eq!(
        list(&gzip(&gzip(&tar(&[("a.sgf", TEXT)]))), "a.tar.gz.gz").members,
        wanted
    );
    assert_eq!(
        list(&gzip(&gzip(TEXT)), "a.sgf.gz.gz").members,
        files(&[("", TEXT)])
    );
    assert_eq!(
        list(&gzip(&gzip(&gzip(TEXT))), "a.gz").members,
        [(String::new(), deep())]
    );
}

#[test]
fn nothing_is_opened_two_levels_down() {
    let innermost = zip(&[stored("a.sgf", TEXT)]);
    for (name, bytes) in [
        ("c.zip", innermost.clone()),
        ("c.tar", tar(&[("a.sgf", TEXT)])),
        ("c.sgf.gz", gzip(TEXT)),
        ("c.dat", gzip(TEXT)),
    ] {
        for (outer, inner) in [
            ("b.zip", zip(&[deflated(name, &bytes), stored("d", TEXT)])),
            ("b.tar", tar(&[(name, &bytes), ("d", TEXT)])),
        ] {
            let shown = format!("{outer}!{name}");
            let beside = format!("{outer}!d");
            let wanted = [vec![(shown, deep())], files(&[(&beside, TEXT)])].concat();
            for (kind, bytes) in wrapped(outer, &inner) {
                let listing = list(&bytes, &kind);
                assert_eq!(
                    listing.members,
                    around(wanted.clone()),
                    "{name} in {outer} in {kind}"
                );
            }
        }
        // Compressed is a level, too.
        if name != "c.tar" {
            for (kind, bytes) in wrapped("b.sgf.gz", &gzip(&bytes)) {
                let wanted = vec![("b.sgf.gz".to_owned(), deep())];
                assert_eq!(
                    list(&bytes, &kind).members,
                    around(wanted),
                    "{name} in {kind}"
                );
            }
        }
    }
}

#[test]
fn damage_inside_does_not_hide_what_is_beside() {
    let inner = tar(&[("x", TEXT), ("y", TEXT)]);
    let archive = zip(&[stored("x", TEXT), stored("y", TEXT)]);
    let mut flipped = gzip(TEXT);
    // A block of a type that there is not.
    flipped[10] |= 6;
    for (name, bytes, members, word) in [
        ("in.tar", &inner[..1100], 1, "truncated"),
        ("in.tgz", &gzip(&inner)[..60], 0, "truncated"),
        ("in.zip", &archive[..archive.len() - 30], 2, "truncated"),
        ("in.zip", &archive[..50], 0, "truncated"),
        ("in.sgf.gz", &flipped, 0, "corrupt"),
        ("in.gz", &flipped, 0, "corrupt"),
    ] {
        for (outer, bytes) in wrapped(name, bytes) {
            let listing = list(&bytes, &outer);
            let [before, inside @ .., after] = &listing.members[..] else {
                panic!("{name} in {outer}: {listing:?}");
            };
            assert_eq!(
                (&*before.0, &*after.0),
                ("before", "after"),
                "{name} in {outer}"
            );
            assert_eq!(listing.faults(), 1, "{name} in {outer}: {listing:?}");
            let good = inside.iter().filter(|(_, got)| matches!(got, Got::File(_)));
            assert_eq!(good.count(), members, "{name} in {outer}: {listing:?}");
            let Some((_, Got::Cut(_, found))) = inside.last() else {
                panic!("{name} in {outer}: {listing:?}");
            };
            assert_eq!(*found, word, "{name} in {outer}");
        }
    }
}

#[test]
fn an_inner_archive_without_members_is_told() {
    for (name, bytes) in [("in.zip", zip(&[])), ("in.tar.gz", gzip(&[0; 1024]))] {
        let wanted = vec![(name.to_owned(), Got::Special("archive without members"))];
        for (outer, bytes) in wrapped(name, &bytes) {
            assert_eq!(
                list(&bytes, &outer).members,
                around(wanted.clone()),
                "{name} in {outer}"
            );
        }
    }
}
