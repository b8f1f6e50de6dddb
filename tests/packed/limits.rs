//! Packed files that unpack to more than is wanted.

use std::io::Read;

use kifu::source::packed::{Content, Limits, Packed, fault_of};

use crate::build::{
    CODECS, Entry, Got, Zip, deflated, gzip, list, list_with, noise, stored, tar, xz, zip,
};

const MIB: usize = 1 << 20;

/// How many bytes come out before the last word, and that word.
fn drain(bytes: Vec<u8>, name: &str, limits: Limits) -> (u64, Option<&'static str>) {
    let mut packed = Packed::from_bytes(bytes, name.as_bytes(), limits)
        .unwrap()
        .ok()
        .unwrap();
    let mut total = 0;
    let mut word = None;
    while let Some(next) = packed.next() {
        assert_eq!(word, None, "nothing comes after a limit");
        match next.map(|member| member.content) {
            Ok(Content::Stream(mut reader)) => {
                let mut chunk = vec![0; 1 << 16];
                loop {
                    match reader.read(&mut chunk) {
                        Ok(0) => break,
                        Ok(count) => total += count as u64,
                        Err(error) => {
                            word = Some(fault_of(&error).kind);
                            break;
                        }
                    }
                }
            }
            Ok(Content::Blob(blob)) => {
                let mut read = Vec::new();
                blob.reader().read_to_end(&mut read).unwrap();
                total += read.len() as u64;
            }
            Ok(Content::Fault(fault)) | Err(fault) => word = Some(fault.kind),
            Ok(Content::Special(_)) => {}
        }
    }
    (total, word)
}

#[test]
fn bombs_are_stopped_by_their_ratio() {
    let zeros = vec![0; MIB];
    let bomb_of = |pack: fn(&[u8]) -> Vec<u8>| pack(&zeros).repeat(12);
    let mut bombs: Vec<(String, Vec<u8>)> = CODECS
        .iter()
        .map(|(ending, pack)| (format!("a.{ending}"), bomb_of(*pack)))
        .collect();
    let large = vec![0; 12 * MIB];
    let many: Vec<String> = (0..12).map(|index| index.to_string()).collect();
    let small = deflated("", &zeros);
    let small: Vec<Entry<'_>> = many
        .iter()
        .map(|name| Entry {
            name: name.as_bytes(),
            ..small.clone()
        })
        .collect();
    bombs.extend([
        ("stream.zip".to_owned(), zip(&[deflated("a", &large)])),
        ("blobs.zip".to_owned(), zip(&small)),
        ("a.tar.gz".to_owned(), gzip(&tar(&[("a", &large)]))),
        (
            "inner.zip".to_owned(),
            zip(&[stored("b.zip", &zip(&[deflated("a", &large)]))]),
        ),
        ("inner.tar".to_owned(), tar(&[("b.gz", &bomb_of(gzip))])),
    ]);
    let limits = Limits {
        ratio_from: 8 * MIB as u64,
        ..Limits::default()
    };
    for (name, bytes) in bombs {
        let (total, word) = drain(bytes, &name, limits);
        assert_eq!(word, Some("bomb"), "{name}");
        assert!(total <= 9 * MIB as u64, "{name} gave {total} bytes");
    }
}

#[test]
fn a_small_compressed_member_is_bounded_by_its_own_ratio() {
    let bomb = gzip(&vec![0; MIB]).repeat(80);
    assert!(bomb.len() < MIB);
    let listing = list(&tar(&[("a.sgf.gz", &bomb), ("b.sgf", b"text")]), "a.tar");
    assert_eq!(listing.members.len(), 2);
    // Its first bytes are all that is asked for; the rest is refused in time.
    let mut packed = Packed::from_bytes(tar(&[("a.sgf.gz", &bomb)]), b"a.tar", Limits::default())
        .unwrap()
        .ok()
        .unwrap();
    let Content::Blob(blob) = packed.next().unwrap().unwrap().content else {
        panic!("a small member is a blob");
    };
    let mut reader = blob.reader();
    let mut total = 0;
    let mut chunk = vec![0; 1 << 16];
    let word = loop {
        match reader.read(&mut chunk) {
            Ok(0) => break None,
            Ok(count) => total += count,
            Err(error) => break Some(fault_of(&error).kind),
        }
    };
    assert_eq!(word, Some("bomb"));
    assert!(total <= bomb.len() * 200 + MIB);
}

#[test]
fn overlapping_members_are_refused() {
    let text = noise(100_000, 1);
    let kernel = stored("kernel", &text);
    let mut archive = Zip::default();
    archive.add(&kernel);
    for _ in 0..50 {
        archive.list(&kernel, 0, 0);
    }
    let listing = list(&archive.close(b"", false), "a.zip");
    assert_eq!((listing.members.len(), listing.word()), (1, Some("bomb")));
}

#[test]
fn limits_are_told_with_what_to_raise() {
    let text = noise(10_000, 2);
    let members: &[(&str, &[u8])] = &[("a", &text), ("b", &text), ("c", &text)];
    let entries: Vec<Entry<'_>> = members
        .iter()
        .map(|(name, bytes)| deflated(name, bytes))
        .collect();
    let unpacked = Limits {
        unpacked: 25_000,
        ..Limits::default()
    };
    let listing = list_with(&zip(&entries), "a.zip", unpacked).unwrap();
    let (word, sentence) = listing.fault.unwrap();
    assert_eq!((listing.members.len(), word), (2, "unpacked_too_large"));
    assert!(sentence.contains("--max-unpacked"), "{sentence}");
    for (ending, pack) in CODECS {
        let listing = list_with(&pack(&text.repeat(3)), &format!("a.{ending}"), unpacked).unwrap();
        let Got::Cut(before, "unpacked_too_large") = &listing.members[0].1 else {
            panic!("{ending}: {:?}", listing.names());
        };
        assert!(before.len() <= 25_000, "{ending}");
        assert_eq!(listing.faults(), 1);
    }

    let few = Limits {
        members: 2,
        ..Limits::default()
    };
    for (name, bytes) in [
        ("a.zip", zip(&entries)),
        ("a.tar", tar(members)),
        ("a.tgz", gzip(&tar(members))),
    ] {
        let listing = list_with(&bytes, name, few).unwrap();
        let (word, sentence) = listing.fault.unwrap();
        assert_eq!(
            (listing.members.len(), word),
            (2, "too_many_members"),
            "{name}"
        );
        assert!(sentence.contains("--max-members"), "{sentence}");
    }
    // The members of an inner archive count as well; nothing comes after.
    let bytes = tar(&[("in.zip", &zip(&entries)), ("after", b"")]);
    let listing = list_with(&bytes, "a.tar", few).unwrap();
    assert_eq!(
        listing.members.last().unwrap(),
        &(
            "in.zip".to_owned(),
            Got::Cut(Vec::new(), "too_many_members")
        )
    );
    assert_eq!(listing.faults(), 1);
}

#[test]
fn decoders_are_held_to_their_memory() {
    let text = noise(10_000, 3);
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(24).unwrap();
    std::io::Write::write_all(&mut encoder, &text).unwrap();
    let wide = encoder.finish().unwrap();
    let narrow = Limits {
        window: 1 << 17,
        ..Limits::default()
    };
    for (name, bytes) in [("a.zst", wide), ("a.xz", xz(&text))] {
        assert!(
            list(&bytes, name).members[0].1 == Got::File(text.clone()),
            "{name}"
        );
        let listing = list_with(&bytes, name, narrow).unwrap();
        assert_eq!(
            listing.members[0].1,
            Got::Cut(Vec::new(), "window_too_large"),
            "{name}"
        );
    }
    let nothing = Limits {
        window: 0,
        ..Limits::default()
    };
    for (ending, pack) in [CODECS[1], CODECS[2]] {
        let listing = list_with(&pack(&text), &format!("a.{ending}"), nothing).unwrap();
        let wanted = Got::Cut(Vec::new(), "window_too_large");
        assert_eq!(listing.members[0].1, wanted, "{ending}");
    }
}

/// Sizes in headers are claims: nothing is reserved for them.
#[test]
fn claimed_sizes_are_not_believed() {
    let mut header = tar::Header::new_gnu();
    header.set_path("a").unwrap();
    header.set_size(1 << 60);
    header.set_cksum();
    let listing = list(header.as_bytes(), "a.tar");
    assert_eq!(listing.members[0].1, Got::Cut(Vec::new(), "truncated"));
    assert_eq!(listing.faults(), 1);
    let mut archive = Zip::default();
    archive.add(&stored("a", b"text"));
    let mut bytes = archive.close(b"", false);
    let size = archive.bytes.len() + 20;
    bytes[size..size + 8].copy_from_slice(&[0xfe, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff]);
    let listing = list(&bytes, "a.zip");
    assert_eq!(listing.members[0].1, Got::Cut(Vec::new(), "truncated"));
}
