//! What tar archives may be.

use tar::{EntryType, Header};

use crate::build::{CODECS, Got, files, gzip, list, noise, tar};

const TEXT: &[u8] = b"(;GM[1]SZ[9];B[ee];W[gc])";

/// A header, its data and their padding.
fn member(kind: EntryType, name: &[u8], data: &[u8]) -> Vec<u8> {
    let mut header = Header::new_ustar();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name);
    header.set_entry_type(kind);
    header.set_size(data.len() as u64);
    close(header, data)
}

fn close(mut header: Header, data: &[u8]) -> Vec<u8> {
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend(data);
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

fn archive(members: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = members.concat();
    bytes.extend([0; 1024]);
    bytes
}

/// Records of PAX.
fn records(pairs: &[(&str, &[u8])]) -> Vec<u8> {
    let mut records = Vec::new();
    for (key, value) in pairs {
        let rest = key.len() + value.len() + 3;
        let length = (1..9)
            .map(|digits| rest + digits)
            .find(|length| length.to_string().len() + rest == *length);
        records.extend(format!("{} {key}=", length.unwrap()).bytes());
        records.extend(*value);
        records.push(b'\n');
    }
    records
}

fn cut(word: &'static str) -> Got {
    Got::Cut(Vec::new(), word)
}

#[test]
fn sizes_at_the_borders_of_blocks_are_right() {
    let bytes = noise(2 << 20, 1);
    let sizes = [
        0,
        1,
        511,
        512,
        513,
        1023,
        1024,
        1025,
        1 << 20,
        (1 << 20) + 1,
        (2 << 20) - 1,
        2 << 20,
    ];
    let names: Vec<String> = sizes.iter().map(|size| format!("{size}.sgf")).collect();
    let members: Vec<(&str, &[u8])> = names
        .iter()
        .zip(sizes)
        .map(|(name, size)| (&**name, &bytes[..size]))
        .collect();
    assert!(list(&tar(&members), "a.tar").members == files(&members));
}

#[test]
fn long_names_come_from_gnu_pax_and_ustar() {
    let long = "d/".repeat(200) + "a.sgf";
    assert_eq!(
        list(&tar(&[(&long, TEXT), ("b", TEXT)]), "a.tar").members,
        files(&[(&long, TEXT), ("b", TEXT)])
    );

    let pax = member(
        EntryType::XHeader,
        b"PaxHeaders/a",
        &records(&[("path", long.as_bytes()), ("comment", b"x=y\n\0")]),
    );
    let bytes = archive(&[
        pax,
        member(EntryType::Regular, b"short", TEXT),
        member(EntryType::Regular, b"b", TEXT),
    ]);
    assert_eq!(
        list(&bytes, "a.tar").members,
        files(&[(&long, TEXT), ("b", TEXT)])
    );

    let mut header = Header::new_ustar();
    header
        .set_path(format!("{}/{}", "d".repeat(120), "n".repeat(90)))
        .unwrap();
    header.set_size(TEXT.len() as u64);
    let listing = list(&archive(&[close(header, TEXT)]), "a.tar");
    assert_eq!(
        listing.names(),
        [format!("{}/{}", "d".repeat(120), "n".repeat(90))]
    );
}

#[test]
fn records_of_pax_say_sizes_and_hold_for_one_member_or_for_all() {
    // The size in the header is wrong on purpose.
    let mut header = Header::new_ustar();
    header.set_path("a").unwrap();
    header.set_size(0);
    let size = TEXT.len().to_string();
    let bytes = archive(&[
        member(
            EntryType::XGlobalHeader,
            b"g",
            &records(&[("comment", b"of git")]),
        ),
        member(
            EntryType::XHeader,
            b"x",
            &records(&[("size", size.as_bytes())]),
        ),
        close(header, TEXT),
        member(EntryType::Regular, b"b", TEXT),
    ]);
    assert_eq!(
        list(&bytes, "a.tar").members,
        files(&[("a", TEXT), ("b", TEXT)])
    );
    let bytes = archive(&[
        member(
            EntryType::XGlobalHeader,
            b"g",
            &records(&[("path", b"all")]),
        ),
        member(EntryType::Regular, b"a", TEXT),
        member(EntryType::Regular, b"b", TEXT),
    ]);
    assert_eq!(
        list(&bytes, "a.tar").members,
        files(&[("all", TEXT), ("all!!2", TEXT)])
    );
}

#[test]
fn old_headers_are_read() {
    // Before ustar there was no magic word, and a folder was a name that ends so.
    let old = |name: &[u8], data: &[u8]| {
        let mut header = Header::new_old();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name);
        header.set_size(data.len() as u64);
        header.as_mut_bytes()[156] = 0;
        close(header, data)
    };
    let bytes = archive(&[old(b"d/", b""), old(b"d/a", TEXT)]);
    assert_eq!(list(&bytes, "a").members, files(&[("d/a", TEXT)]));
    // A size in binary, as GNU writes those above 8 GiB.
    let mut header = Header::new_gnu();
    header.set_path("a").unwrap();
    header.as_mut_bytes()[124..136].copy_from_slice(&[
        0x80,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        TEXT.len() as u8,
    ]);
    assert_eq!(
        list(&archive(&[close(header, TEXT)]), "a.tar").members,
        files(&[("a", TEXT)])
    );
    // A checksum over bytes with sign.
    let mut bytes = member(EntryType::Regular, b"\xba\xda", TEXT);
    let signed: i32 = bytes[..512]
        .iter()
        .enumerate()
        .map(|(at, byte)| match at {
            148..156 => 32,
            _ => i32::from(byte.cast_signed()),
        })
        .sum();
    bytes[148..156].copy_from_slice(format!("{signed:06o}\0 ").as_bytes());
    assert_eq!(
        list(&archive(&[bytes]), "a.tar").members,
        files(&[("%BA%DA", TEXT)])
    );
}

#[test]
fn what_is_not_a_file_is_told_and_folders_are_not() {
    let bytes = archive(&[
        member(EntryType::Directory, b"d", b""),
        member(EntryType::Link, b"hard", b""),
        member(EntryType::Symlink, b"soft", b""),
        member(EntryType::Char, b"tty", b""),
        member(EntryType::Fifo, b"pipe", b""),
        member(EntryType::Continuous, b"a", TEXT),
        // Of an unknown kind: a file.
        member(EntryType::new(b'Q'), b"b", TEXT),
    ]);
    let special = |name: &str, what| (name.to_owned(), Got::Special(what));
    let mut wanted = vec![
        special("hard", "hard link"),
        special("soft", "symbolic link"),
        special("tty", "device"),
        special("pipe", "named pipe"),
    ];
    wanted.extend(files(&[("a", TEXT), ("b", TEXT)]));
    assert_eq!(list(&bytes, "a.tar").members, wanted);
}

#[test]
fn sparse_files_are_faults_that_hide_nothing() {
    let mut header = Header::new_gnu();
    header.set_path("old").unwrap();
    header.set_entry_type(EntryType::GNUSparse);
    header.set_size(TEXT.len() as u64);
    header.as_mut_bytes()[482] = 1;
    let mut old = close(header, &[0; 512]);
    old.truncate(1024);
    old.extend(TEXT);
    old.resize(1536, 0);
    let pax = records(&[
        ("GNU.sparse.major", b"1"),
        ("GNU.sparse.name", b"new"),
        ("path", b"x/new"),
    ]);
    let bytes = archive(&[
        old,
        member(EntryType::XHeader, b"x", &pax),
        member(EntryType::Regular, b"GNUSparseFile.0/new", TEXT),
        member(EntryType::Regular, b"a", TEXT),
    ]);
    let mut wanted = vec![
        ("old".to_owned(), cut("unsupported")),
        ("new".to_owned(), cut("unsupported")),
    ];
    wanted.extend(files(&[("a", TEXT)]));
    assert_eq!(list(&bytes, "a.tar").members, wanted);
}

#[test]
fn extension_headers_are_not_kept_whatever_their_size() {
    let name = vec![b'n'; 64 << 10];
    let allowed = archive(&[
        member(EntryType::GNULongName, b"x", &name[1..]),
        member(EntryType::Regular, b"a", TEXT),
    ]);
    let listing = list(&allowed, "a.tar");
    assert_eq!(
        (listing.names()[0].len(), listing.faults()),
        ((64 << 10) - 1, 0)
    );
    let name = vec![b'n'; (64 << 10) + 1];
    let value = vec![b'v'; 1 << 20];
    for ahead in [
        member(EntryType::GNULongName, b"x", &name),
        member(EntryType::XHeader, b"x", &records(&[("path", &value)])),
    ] {
        let bytes = archive(&[
            ahead,
            member(EntryType::Regular, b"a", TEXT),
            member(EntryType::Regular, b"b", TEXT),
        ]);
        let mut wanted = vec![("a".to_owned(), cut("corrupt"))];
        wanted.extend(files(&[("b", TEXT)]));
        assert_eq!(list(&bytes, "a.tar").members, wanted);
    }
    // A header that claims more than there is.
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::GNULongName);
    header.set_size(1 << 40);
    let listing = list(&close(header, TEXT), "a.tar");
    assert_eq!(
        (listing.members.len(), listing.word()),
        (0, Some("truncated"))
    );
}

#[test]
fn an_archive_ends_with_zeros() {
    let one = member(EntryType::Regular, b"a", TEXT);
    let end = [0; 512];
    let wanted = files(&[("a", TEXT)]);
    // Two blocks, whatever follows; one at the end of the file.
    for tail in [&[&end[..], &end, b"garbage"].concat()[..], &end] {
        let listing = list(&[&one, tail].concat(), "a.tar");
        assert_eq!(
            (listing.members.as_slice(), listing.faults()),
            (&wanted[..], 0)
        );
    }
    // One between members is passed over.
    let listing = list(&[&one[..], &end, &one, &end, &end].concat(), "a.tar");
    assert_eq!(listing.names(), ["a", "a!!2"]);
    // None: there may have been more.
    let listing = list(&one, "a.tar");
    assert_eq!(
        (listing.members.as_slice(), listing.word()),
        (&wanted[..], Some("truncated"))
    );
    let listing = list(&[&one[..], &[1; 512]].concat(), "a.tar");
    assert_eq!(
        (listing.members.as_slice(), listing.word()),
        (&wanted[..], Some("corrupt"))
    );
}

/// The last checksum of a compressed archive lies behind its end.
#[test]
fn a_compressed_archive_is_read_to_its_end() {
    let plain = tar(&[("a", TEXT)]);
    let wanted = files(&[("a", TEXT)]);
    for (ending, pack) in CODECS {
        let name = format!("a.tar.{ending}");
        let packed = pack(&plain);
        let listing = list(&packed[..packed.len() - 1], &name);
        assert_eq!(
            (listing.members.as_slice(), listing.word()),
            (&wanted[..], Some("truncated")),
            "{ending}"
        );
        let listing = list(&[&packed[..], b"garbage"].concat(), &name);
        assert_eq!(
            (listing.members.as_slice(), listing.word()),
            (&wanted[..], Some("trailing_garbage")),
            "{ending}"
        );
    }
    let mut damaged = gzip(&plain);
    let crc = damaged.len() - 8;
    damaged[crc] ^= 1;
    assert_eq!(list(&damaged, "a.tgz").word(), Some("checksum"));
}

#[test]
fn a_member_that_is_cut_off_says_so_itself() {
    let long = noise(1_500_000, 2);
    let bytes = tar(&[("a", TEXT), ("b", &long)]);
    let listing = list(&bytes[..1_000_000], "a.tar");
    let [_, (name, Got::Cut(before, "truncated"))] = &listing.members[..] else {
        panic!("{:?}", listing.names());
    };
    assert_eq!(name, "b");
    assert!(long.starts_with(before));
    assert_eq!(before.len(), 1_000_000 - 1536);
    assert_eq!(listing.faults(), 1);
}
