//! Files that are known and hold no games.

use std::fs;

use kifu::format::{self, Context};
use proptest::{collection::vec, prelude::*};

use super::{
    assert_same_pieces,
    common::{reference, run::Folder},
    read_all,
};

const PGN: &str = "[Event \"2\"]\n[Black \"a\"]\n[White \"b\"]\n[Result \"0-1\"]\n\
    [Termination \"Black win by five connection\"]\n[PlyCount \"18\"]\n0-1\n\n";

const TABLE: &str = "A - B: 3 : 1\nA 2 - C-D: 0 : 4\nB - C-D: 12 : 0\n";

const RENLIB: &[u8] =
    b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x78\x40";

/// The format that content alone tells.
fn known(bytes: &[u8]) -> Option<&'static str> {
    let chosen = format::choose("a.txt".as_ref(), bytes);
    chosen.map(|(format, _)| format.name())
}

#[test]
fn one_row_says_what_they_are() {
    let long = PGN.repeat(3000);
    for (name, bytes) in [
        ("renlib", RENLIB),
        ("results", PGN.as_bytes()),
        ("results", &long.as_bytes()[..4096]),
        ("table", TABLE.as_bytes()),
    ] {
        assert_eq!(known(bytes), Some(name));
        let mut words = Vec::new();
        read_all(name, &Context::default(), bytes, &mut |record, word| {
            assert!(record.steps.is_empty());
            words.push(word.to_owned());
        });
        assert_eq!(words, ["skipped"], "{name}");
    }
    let folder = Folder::new();
    folder.write("a.lib", RENLIB);
    folder.write("b.pgn", &long);
    folder.write("c.txt", TABLE);
    let rows = folder.run("label . -o -").done().rows();
    let all: Vec<[&str; 3]> = rows
        .iter()
        .map(|row| ["origin", "format", "status"].map(|column| row[column].as_str()))
        .collect();
    assert_eq!(
        all,
        [
            ["./a.lib", "renlib", "skipped"],
            ["./b.pgn", "results", "skipped"],
            ["./c.txt", "table", "skipped"]
        ]
    );
}

#[test]
fn what_is_something_else() {
    for text in [
        "[Event \"2\"]\n[Result \"0-1\"]\n\n1. e4 e5 0-1\n",
        "[Event \"2\"]\n[Result \"0-1\"]\n0-1\n",
        "[PlyCount \"18\"]\n",
        "A - B: 3 : 1\nand more\n",
        "A - B: 3\n",
        "A: 3 : 1\n",
        " - B: 3 : 1\n",
        "A - B: x : 1\n",
        "RenLib",
        "",
    ] {
        assert_eq!(known(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn cut_anywhere_it_is_one_row() {
    for (name, bytes) in [
        ("renlib", RENLIB),
        ("results", PGN.as_bytes()),
        ("table", TABLE.as_bytes()),
    ] {
        for end in 0..=bytes.len() {
            let pieces = assert_same_pieces(name, &Context::default(), &bytes[..end]);
            assert_eq!(pieces.len(), usize::from(end > 0), "{name} {end}");
        }
    }
}

proptest! {
    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..200)) {
        for name in ["renlib", "results", "table"] {
            assert_same_pieces(name, &Context::default(), &bytes);
            read_all(name, &Context::default(), &bytes, &mut |_, word| {
                assert_eq!(word, "skipped");
            });
        }
        known(&bytes);
    }
}

#[test]
fn the_reference_archive() {
    let Some(folder) = reference("kinrow/archives/pgn-results") else {
        return;
    };
    for file in fs::read_dir(folder).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        assert_eq!(known(&bytes[..bytes.len().min(4096)]), Some("results"));
    }
}
