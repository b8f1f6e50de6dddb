//! Sound packed files, whoever made them and however they are opened.

use std::{
    fs,
    io::{self, Cursor, Read},
    path::Path,
};

use kifu::source::packed::{Content, Limits, Opened, Packed, Packing, recognise};

use crate::build::{
    CODECS, Got, bzip2, deflated, files, gzip, list, list_all, noise, stored, tar, xz, zip, zstd,
};

const ONE: &[u8] = b"(;GM[1]SZ[9];B[ee];W[gc])\n";
const TWO: &[u8] = b"(;GM[1]SZ[13];B[dd])\n";

#[track_caller]
fn packed(opened: io::Result<Opened>) -> Packed {
    match opened.unwrap() {
        Opened::Packed(packed) => *packed,
        Opened::Plain(_) => panic!("it is packed"),
    }
}

#[track_caller]
fn plain(opened: io::Result<Opened>) -> Vec<u8> {
    let Opened::Plain(mut reader) = opened.unwrap() else {
        panic!("it is not packed");
    };
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).unwrap();
    bytes
}

/// Made by the programs they are named after, from the same two records.
#[test]
fn files_of_other_programs_are_read() {
    let folder = Path::new("tests/packed/made");
    let both = [ONE, TWO].concat();
    let mut met = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let listing = list_all(packed(Packed::open(&path, Limits::default())));
        let wanted = match name.contains(".sgf") {
            true => files(&[("", &both)]),
            false => files(&[("one.sgf", ONE), ("two.sgf", TWO)]),
        };
        assert_eq!(listing.members, wanted, "{name}");
        assert_eq!(listing.fault, None, "{name}");
        met += 1;
    }
    assert_eq!(met, 10);
}

#[test]
fn compressed_files_give_all_their_parts() {
    let long = noise(300_000, 1);
    for (ending, pack) in CODECS {
        let bytes = [pack(ONE), pack(b""), pack(&long), pack(TWO)].concat();
        let listing = list(&bytes, &format!("games.sgf.{ending}"));
        let all = [ONE, &long, TWO].concat();
        assert_eq!(listing.members, files(&[("", &all)]), "{ending}");
        assert_eq!(listing.file_names, ["games.sgf"], "{ending}");
        assert_eq!(listing.fault, None, "{ending}");
    }
}

#[test]
fn padding_is_passed_over_and_garbage_told() {
    for (ending, pack) in CODECS {
        let name = format!("games.sgf.{ending}");
        let zeros = [pack(ONE), vec![0; 1000]].concat();
        assert_eq!(list(&zeros, &name).members, files(&[("", ONE)]), "{ending}");
        let between = [pack(ONE), vec![0; 512], pack(TWO)].concat();
        let both = [ONE, TWO].concat();
        assert_eq!(
            list(&between, &name).members,
            files(&[("", &both)]),
            "{ending}"
        );
        for garbage in [&b"x"[..], b"\0\0\0\0garbage", b"PK\x03\x04"] {
            let listing = list(&[&pack(ONE)[..], garbage].concat(), &name);
            let wanted = Got::Cut(ONE.to_vec(), "trailing_garbage");
            assert_eq!(
                listing.members,
                [(String::new(), wanted)],
                "{ending} {garbage:?}"
            );
            assert_eq!(listing.faults(), 1);
        }
    }
}

#[test]
fn frames_to_be_skipped_are_skipped() {
    let skipped = [&b"\x53\x2a\x4d\x18\x05\0\0\0"[..], b"hello"].concat();
    let bytes = [&skipped[..], &zstd(ONE), &skipped, &zstd(TWO), &skipped].concat();
    let both = [ONE, TWO].concat();
    assert_eq!(list(&bytes, "a.sgf.zst").members, files(&[("", &both)]));
}

#[test]
fn a_gzip_header_may_have_all_its_parts() {
    let mut bytes = vec![0x1f, 0x8b, 8, 4 | 8 | 16 | 2, 0, 0, 0, 0, 0, 3];
    bytes.extend([3, 0, 1, 2, 3]);
    bytes.extend(b"a name\0a comment\0\x12\x34");
    bytes.extend(&gzip(ONE)[10..]);
    assert_eq!(list(&bytes, "a.sgf.gz").members, files(&[("", ONE)]));
    bytes[3] |= 0x20;
    let wanted = Got::Cut(Vec::new(), "corrupt");
    assert_eq!(list(&bytes, "a.sgf.gz").members, [(String::new(), wanted)]);
}

#[test]
fn archives_keep_their_order_and_empty_members() {
    let long = noise(1_500_000, 2);
    let members: &[(&str, &[u8])] = &[
        ("z.sgf", TWO),
        ("a/b.sgf", ONE),
        ("empty.sgf", b""),
        ("m.sgf", &long),
        ("0.sgf", ONE),
    ];
    let entries: Vec<_> = members
        .iter()
        .enumerate()
        .map(|(index, (name, bytes))| match index % 2 {
            0 => deflated(name, bytes),
            _ => stored(name, bytes),
        })
        .collect();
    let plain = tar(members);
    let mut archives = vec![
        ("a.zip".to_owned(), zip(&entries)),
        ("a.tar".to_owned(), plain.clone()),
    ];
    for (ending, pack) in CODECS {
        archives.push((format!("a.tar.{ending}"), pack(&plain)));
        // What it is does not hang on its name.
        archives.push((format!("a.{ending}"), pack(&plain)));
    }
    for (name, bytes) in archives {
        let listing = list(&bytes, &name);
        assert_eq!(listing.members, files(members), "{name}");
        assert_eq!(listing.fault, None, "{name}");
    }
}

#[test]
fn archives_without_members_are_archives() {
    for (name, bytes) in [
        ("a.zip", zip(&[])),
        ("a.tar", vec![0; 10240]),
        ("a.tar.gz", gzip(&[0; 10240])),
        ("a.tgz", gzip(&[0; 1024])),
        ("a.tar.xz", xz(&[0; 1024])),
    ] {
        let listing = list(&bytes, name);
        assert_eq!(
            (listing.members, listing.fault),
            (
                vec![(String::new(), Got::Special("archive without members"))],
                None
            ),
            "{name}"
        );
    }
    // Not by its name: a file of zeros.
    assert!(
        Packed::from_bytes(vec![0; 1024], b"a.sgf", Limits::default())
            .unwrap()
            .is_err()
    );
}

/// An archive is the same from a file, a pipe and memory.
#[test]
fn there_are_three_ways_in() {
    let members: &[(&str, &[u8])] = &[("one.sgf", ONE), ("two.sgf", TWO)];
    let entries = [deflated("one.sgf", ONE), stored("two.sgf", TWO)];
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [
        ("a.zip", zip(&entries)),
        ("a.tar", tar(members)),
        ("a.tar.bz2", bzip2(&tar(members))),
    ] {
        let wanted = files(members);
        assert_eq!(list(&bytes, name).members, wanted, "{name} from memory");
        let path = folder.path().join(name);
        fs::write(&path, &bytes).unwrap();
        let opened = packed(Packed::open(&path, Limits::default()));
        assert_eq!(list_all(opened).members, wanted, "{name} from a file");
        let reader = Box::new(Cursor::new(bytes));
        let opened = packed(Packed::from_reader(reader, b"-", Limits::default()));
        assert_eq!(list_all(opened).members, wanted, "{name} from a pipe");
    }
}

#[test]
fn what_is_not_packed_comes_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.sgf", "a.zip", "a.tar", "a.gz", "a.exe"] {
        for bytes in [&b""[..], b"P", ONE, b"MZ not a program", &[0; 100]] {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            let opened = Packed::open(&path, Limits::default());
            assert_eq!(plain(opened), bytes, "{name} from a file");
            let back = Packed::from_bytes(bytes.to_vec(), name.as_bytes(), Limits::default());
            assert_eq!(back.unwrap().err().as_deref(), Some(bytes), "{name}");
            let reader = Box::new(Cursor::new(bytes.to_vec()));
            let opened = Packed::from_reader(reader, name.as_bytes(), Limits::default());
            assert_eq!(plain(opened), bytes, "{name} from a pipe");
        }
    }
}

#[test]
fn bytes_say_how_a_file_is_packed() {
    let plain = tar(&[("a.sgf", ONE)]);
    for (bytes, packing) in [
        (gzip(ONE), Some(Packing::Gzip)),
        (zstd(ONE), Some(Packing::Zstd)),
        (b"\x5f\x2a\x4d\x18\0\0\0\0".to_vec(), Some(Packing::Zstd)),
        (xz(ONE), Some(Packing::Xz)),
        (bzip2(ONE), Some(Packing::Bzip2)),
        (bzip2(b""), Some(Packing::Bzip2)),
        (zip(&[stored("a", ONE)]), Some(Packing::Zip)),
        (zip(&[]), Some(Packing::Zip)),
        (plain[..300].to_vec(), Some(Packing::Tar)),
        (plain, Some(Packing::Tar)),
        (b"BZh9 is how this text begins".to_vec(), None),
        (b"(;GM[1])".to_vec(), None),
        (vec![0; 512], None),
        (Vec::new(), None),
    ] {
        assert_eq!(
            recognise(&bytes),
            packing,
            "{:?}",
            &bytes[..bytes.len().min(9)]
        );
    }
}

/// A large member may be left unread, in part or as a whole.
#[test]
fn members_may_be_passed_over() {
    let long = noise(3_000_000, 3);
    let members: &[(&str, &[u8])] = &[("a", &long), ("b", &long), ("c", ONE)];
    let entries: Vec<_> = members
        .iter()
        .map(|(name, bytes)| deflated(name, bytes))
        .collect();
    for (name, bytes) in [
        ("a.zip", zip(&entries)),
        ("a.tar", tar(members)),
        ("a.tar.gz", gzip(&tar(members))),
    ] {
        let mut packed = Packed::from_bytes(bytes, name.as_bytes(), Limits::default())
            .unwrap()
            .ok()
            .unwrap();
        let mut next = || packed.next().unwrap().unwrap();
        let Content::Stream(mut first) = next().content else {
            panic!("{name}: a large member is a stream");
        };
        let mut some = [0; 1000];
        first.read_exact(&mut some).unwrap();
        assert_eq!(some, long[..1000]);
        assert!(matches!(next().content, Content::Stream(_)));
        let Content::Blob(last) = next().content else {
            panic!("{name}: a small member is a blob");
        };
        let mut read = Vec::new();
        last.reader().read_to_end(&mut read).unwrap();
        assert_eq!(read, ONE, "{name}");
        assert!(packed.next().is_none());
    }
}

#[test]
fn blobs_go_to_other_threads_and_say_when_they_are_large() {
    fn is_send<T: Send>() {}
    is_send::<kifu::source::packed::Blob>();
    let long = noise(5000, 4);
    for bytes in [
        zip(&[deflated("a.sgf", &long)]),
        tar(&[("a.sgf.gz", &gzip(&long))]),
    ] {
        let mut packed = Packed::from_bytes(bytes, b"a", Limits::default())
            .unwrap()
            .ok()
            .unwrap();
        let Content::Blob(blob) = packed.next().unwrap().unwrap().content else {
            panic!("a small member is a blob");
        };
        let mut buffer = Vec::new();
        use kifu::source::packed::Unpacked;
        assert_eq!(blob.unpack(&mut buffer, 4999), Ok(Unpacked::Larger));
        assert_eq!(blob.unpack(&mut buffer, 5000), Ok(Unpacked::Whole(5000)));
        assert_eq!(&buffer[..5000], long);
    }
}
