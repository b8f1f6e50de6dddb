//! `.pos`: a game in bytes.

use std::fs;

use kifu::format::{self, Chosen, Context, SplitState};
use proptest::{collection::vec, prelude::*};

use super::{
    assert_same_pieces,
    common::{
        reference,
        run::{Folder, Row},
    },
    format_of, read_all, steps, warnings,
};

/// The records of some bytes: steps, warnings, and the word of the error.
fn read(bytes: &[u8]) -> Vec<String> {
    let mut all = Vec::new();
    read_all("pos", &Context::default(), bytes, &mut |record, word| {
        assert_eq!(record.size, Some((15, 15)));
        all.push(format!("{} | {} | {word}", steps(record), warnings(record)));
    });
    all
}

#[test]
fn bytes_of_moves() {
    for (bytes, expected) in [
        // h8 is the centre, 0 the top left corner, 14 the top right one.
        (&[3, 112, 0, 14][..], &["B hh W aa B oa |  | game"][..]),
        (&[1, 224], &["B oo |  | game"]),
        (&[1, 225], &[r"B \xe1 |  | game"]),
        // Blanks and line ends are numbers.
        (&[1, b' '], &["B cc |  | game"]),
        (&[10, 1], &["B ba | move_count=header=10,moves=1 | game"]),
        (
            &[3, 112, 0],
            &["B hh W aa | move_count=header=3,moves=2 | game"],
        ),
        (&[1, 112, 0, 14], &["B hh | trailing_bytes | game"]),
        (&[0], &[" |  | no_moves"]),
        (&[5], &[" |  | no_moves"]),
        (&[0, 1], &[" | trailing_bytes | no_moves"]),
        (&[], &[]),
    ] {
        assert_eq!(read(bytes), expected, "{bytes:?}");
        assert_same_pieces("pos", &Context::default(), bytes);
    }
}

#[test]
fn it_is_known_by_its_name_and_its_length() {
    let chosen = |name: &str, bytes: &[u8]| {
        format::choose(name.as_ref(), bytes).map(|(format, by)| (format.name(), by))
    };
    let game = [2, 112, 0];
    assert_eq!(chosen("a.pos", &game), Some(("pos", Chosen::Extension)));
    assert_eq!(chosen("a.POS", &game), Some(("pos", Chosen::Extension)));
    assert_eq!(chosen("a.bin", &game), None);
    // What is plainly something else is that, whatever its name.
    assert_eq!(
        chosen("a.pos", b"(;GM[1]SZ[9];B[ee])"),
        Some(("sgf", Chosen::Content))
    );
    assert_eq!(chosen("a.pos", &[2, 112]), Some(("pos", Chosen::Extension)));
}

#[test]
fn a_file_that_was_given_up_is_passed_over() {
    let mut state = SplitState::default();
    state.give_up();
    let context = Context::default();
    let mut none = |_| panic!("no piece");
    let consumed = format_of("pos").split(&mut state, &[1, 2, 3], true, &context, &mut none);
    assert_eq!(consumed, 3);
}

proptest! {
    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..300)) {
        assert_same_pieces("pos", &Context::default(), &bytes);
        let mut met = 0;
        read_all("pos", &Context::default(), &bytes, &mut |record, _| {
            met += 1;
            let count = usize::from(bytes[0]).min(bytes.len() - 1);
            assert_eq!(record.moves(), count);
        });
        prop_assert_eq!(met, usize::from(!bytes.is_empty()));
    }
}

/// The files of the reference archive are the first games of its RIF file.
#[test]
fn the_reference_archive() {
    let Some(folder) = reference("kinrow/archives") else {
        return;
    };
    let copy = Folder::new();
    copy.write("games.xml", fs::read(folder.join("rif/games.xml")).unwrap());
    for number in 0..20 {
        let name = format!("g{number:02}.pos");
        copy.write(&name, fs::read(folder.join("pos").join(&name)).unwrap());
    }
    let rows = copy.run("label . -o -").done().rows();
    let (bytes, xml): (Vec<Row>, Vec<Row>) =
        rows.into_iter().partition(|row| row["format"] == "pos");
    assert_eq!(bytes.len(), 20);
    // Of these some are damaged in the RIF file.
    let same = bytes
        .iter()
        .zip(&xml)
        .filter(|(bytes, xml)| bytes["game_hash"] == xml["game_hash"])
        .inspect(|(bytes, xml)| assert_eq!(bytes["winner"], xml["winner"]));
    assert!(same.count() >= 16);
    assert!(bytes.iter().all(|row| row["warnings"].is_empty()));
}
