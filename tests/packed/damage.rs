//! Damaged packed files: what is before the damage comes out, and the damage
//! is told once.

use kifu::source::packed::Limits;

use crate::build::{
    CODECS, Entry, Got, Listing, deflate, deflated, files, list, list_with, noise, stored, tar, zip,
};

const NAMES: [&str; 3] = ["a.sgf", "b.sgf", "c.sgf"];

/// Small archives of three members, and whether they are compressed as a whole.
fn archives() -> Vec<(String, Vec<u8>)> {
    let texts = texts();
    let members: Vec<(&str, &[u8])> = NAMES
        .into_iter()
        .zip(texts.iter().map(Vec::as_slice))
        .collect();
    let deflated: Vec<Entry<'_>> = members
        .iter()
        .map(|(name, bytes)| deflated(name, bytes))
        .collect();
    let streamed: Vec<Entry<'_>> = deflated
        .iter()
        .map(|entry| Entry {
            descriptor: Some((true, false)),
            ..entry.clone()
        })
        .collect();
    let stored: Vec<Entry<'_>> = members
        .iter()
        .map(|(name, bytes)| stored(name, bytes))
        .collect();
    let plain = tar(&members);
    let mut archives = vec![
        ("deflated.zip".to_owned(), zip(&deflated)),
        ("streamed.zip".to_owned(), zip(&streamed)),
        ("stored.zip".to_owned(), zip(&stored)),
        ("plain.tar".to_owned(), plain.clone()),
    ];
    for (ending, pack) in CODECS {
        archives.push((format!("packed.tar.{ending}"), pack(&plain)));
    }
    archives
}

fn texts() -> [Vec<u8>; 3] {
    [noise(90, 5), noise(700, 6), noise(40, 7)]
}

/// Whether a listing begins as the whole archive does, up to its faults.
fn is_true_to(listing: &Listing, whole: &[(String, Got)]) -> bool {
    listing
        .members
        .iter()
        .enumerate()
        .all(|(index, (name, got))| match got {
            Got::Cut(before, _) => match whole.get(index) {
                Some((_, Got::File(bytes))) => bytes.starts_with(before),
                _ => true,
            },
            Got::File(_) => whole
                .get(index)
                .is_some_and(|(wanted, file)| wanted == name && file == got),
            Got::Special(_) => false,
        })
}

#[test]
fn an_archive_cut_off_anywhere_gives_what_is_whole_and_one_fault() {
    let texts = texts();
    let members: Vec<(&str, &[u8])> = NAMES
        .into_iter()
        .zip(texts.iter().map(Vec::as_slice))
        .collect();
    let whole = files(&members);
    for (name, bytes) in archives() {
        assert_eq!(list(&bytes, &name).members, whole, "{name}");
        let mut most = 0;
        for cut in 0..bytes.len() {
            let Some(listing) = list_with(&bytes[..cut], &name, Limits::default()) else {
                assert!(cut < 263, "{name} cut at {cut} is still an archive");
                continue;
            };
            let good = listing
                .members
                .iter()
                .filter(|(_, got)| matches!(got, Got::File(_)))
                .count();
            assert!(good >= most, "{name} cut at {cut} lost a member");
            most = good;
            assert!(
                is_true_to(&listing, &whole),
                "{name} cut at {cut}: {listing:?}"
            );
            // The second block of zeros of a tar archive is not missed.
            let is_over = name == "plain.tar" && cut >= bytes.len() - 512;
            assert_eq!(
                listing.faults(),
                usize::from(!is_over),
                "{name} cut at {cut}: {listing:?}"
            );
        }
        assert_eq!(most, 3, "{name}: all members come out before the end");
    }
}

#[test]
fn a_compressed_file_cut_off_anywhere_gives_what_was_before() {
    let text = noise(3000, 8);
    for (ending, pack) in CODECS {
        let bytes = [pack(&text), pack(b"second")].concat();
        let first = pack(&text).len();
        for cut in 6..bytes.len() {
            let Some(listing) = list_with(&bytes[..cut], "a.sgf", Limits::default()) else {
                assert!(ending == "bz2" && cut < 10, "{ending} cut at {cut}");
                continue;
            };
            let [(_, got)] = &listing.members[..] else {
                panic!("{ending} cut at {cut}: {listing:?}");
            };
            if cut == first {
                assert_eq!(*got, Got::File(text.clone()), "{ending}");
                continue;
            }
            let Got::Cut(before, word) = got else {
                panic!("{ending} cut at {cut} of {first}: nothing is told");
            };
            assert!(
                ["truncated", "trailing_garbage"].contains(word),
                "{ending} cut at {cut}: {word}"
            );
            let all = [&text[..], b"second"].concat();
            assert!(all.starts_with(before), "{ending} cut at {cut}");
            assert!(
                cut < first || before.len() >= text.len(),
                "{ending} cut at {cut}"
            );
        }
    }
}

/// Whatever is wrong, reading ends, and gives no more than there could be.
#[test]
fn a_flipped_byte_does_no_harm() {
    for (name, bytes) in archives() {
        let step = if bytes.len() > 2000 { 3 } else { 1 };
        for at in (0..bytes.len()).step_by(step) {
            for flip in [0xff, 1, 0x20] {
                let mut damaged = bytes.clone();
                damaged[at] ^= flip;
                let Some(listing) = list_with(&damaged, &name, Limits::default()) else {
                    continue;
                };
                assert!(listing.members.len() <= 12, "{name} at {at}: {listing:?}");
                let size: usize = listing
                    .members
                    .iter()
                    .map(|(_, got)| match got {
                        Got::File(bytes) | Got::Cut(bytes, _) => bytes.len(),
                        Got::Special(_) => 0,
                    })
                    .sum();
                assert!(size < 1 << 20, "{name} at {at}: {size} bytes");
            }
        }
    }
}

#[test]
fn damaged_data_are_not_believed() {
    let text = noise(2000, 9);
    // In the checksum at the end of a gzip member; in the data of the others.
    let gz = CODECS[0].1(&text);
    for (at, word) in [(gz.len() - 8, "checksum"), (gz.len() - 1, "checksum")] {
        let mut damaged = gz.clone();
        damaged[at] ^= 4;
        let wanted = Got::Cut(text.clone(), word);
        assert_eq!(
            list(&damaged, "a.sgf.gz").members,
            [(String::new(), wanted)]
        );
    }
    for (ending, pack) in CODECS {
        let sound = pack(&text);
        let mut damaged = sound.clone();
        damaged[sound.len() / 2] ^= 0x10;
        let listing = list(&damaged, &format!("a.sgf.{ending}"));
        let Some((_, Got::Cut(_, word))) = listing.members.first() else {
            panic!("{ending}: {listing:?}");
        };
        assert!(["corrupt", "checksum"].contains(word), "{ending}: {word}");
    }
}

/// One bad member of a zip archive does not hide the others.
#[test]
fn a_zip_member_is_checked_before_it_is_given() {
    let long = noise(1_200_000, 10);
    let wrong = |entry: Entry<'static>| Entry {
        crc: entry.crc ^ 1,
        ..entry
    };
    let short = Entry {
        packed: deflate(b"less"),
        ..deflated("short", b"more than that")
    };
    let large = Entry {
        packed: deflate(b"more than that"),
        ..deflated("large", b"less")
    };
    let stream = deflated("stream", &long);
    let stream = Entry {
        crc: stream.crc ^ 1,
        ..stream
    };
    let listing = list(
        &zip(&[
            wrong(deflated("deflated", b"text")),
            wrong(stored("stored", b"text")),
            short,
            large,
            stream,
            stored("good", b"text"),
        ]),
        "a.zip",
    );
    let cut = |bytes: &[u8]| Got::Cut(bytes.to_vec(), "checksum");
    let wanted = [
        ("deflated", cut(b"")),
        ("stored", cut(b"")),
        ("short", cut(b"")),
        ("large", cut(b"")),
        ("stream", cut(&long)),
        ("good", Got::File(b"text".to_vec())),
    ];
    let wanted = wanted.map(|(name, got)| (name.to_owned(), got));
    assert!(listing.members == wanted, "{:?}", listing.names());
    assert_eq!(listing.fault, None);
}

#[test]
fn a_fault_says_at_which_byte() {
    let plain = tar(&[("a", b"text"), ("b", b"text")]);
    let mut damaged = plain.clone();
    damaged[1024 + 150] = b'x';
    let listing = list(&damaged, "a.tar");
    assert_eq!(listing.members, files(&[("a", b"text")]));
    let (word, sentence) = listing.fault.unwrap();
    assert_eq!(word, "corrupt");
    assert!(sentence.contains("at byte 1024;"), "{sentence}");
    let (word, sentence) = list(&plain[..1500], "a.tar").fault.unwrap();
    assert_eq!(word, "truncated");
    assert!(sentence.contains("at byte 1500;"), "{sentence}");
}
