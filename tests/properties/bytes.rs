//! Splitter and scanner on bytes of any kind.

use kifu::{
    format::{Context, Piece, SplitState},
    outcome::{Ending, From},
};
use proptest::{collection::vec, prelude::*, sample::select};

use super::{
    cases,
    common::{label_all, sgf, split},
    dead_by,
};

/// Pieces with their places in the whole, cut through windows that grow by
/// some numbers of bytes, as a stream is.
fn split_by_windows(bytes: &[u8], steps: &[usize]) -> Vec<Piece> {
    split_from(SplitState::default(), bytes, steps)
}

/// The pieces behind the record at the start of some bytes, which is given up.
fn pieces_behind(bytes: &[u8], steps: &[usize]) -> Vec<Piece> {
    let mut state = SplitState::default();
    state.give_up();
    split_from(state, bytes, steps)
}

fn split_from(mut state: SplitState, bytes: &[u8], steps: &[usize]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut from, mut to) = (0, 0);
    let mut steps = steps.iter().copied().cycle();
    while from < bytes.len() {
        to = bytes.len().min(to + steps.next().unwrap_or(1));
        let eof = to == bytes.len();
        let consumed = sgf().split(
            &mut state,
            &bytes[from..to],
            eof,
            &Context::default(),
            &mut |piece| {
                pieces.push(Piece {
                    start: piece.start + from,
                    end: piece.end + from,
                    ..piece
                });
            },
        );
        assert!(consumed <= to - from, "no more is consumed than there is");
        assert!(!eof || consumed == to - from, "the end consumes everything");
        from += consumed;
    }
    pieces
}

/// Holds that pieces are in order, apart, and inside the input.
fn assert_in_order(pieces: &[Piece], length: usize) {
    let mut end = 0;
    for piece in pieces {
        assert!(piece.start >= end && piece.start < piece.end, "{pieces:?}");
        end = piece.end;
    }
    assert!(end <= length, "{pieces:?}");
}

/// Bytes that hold the signs of SGF far more often than chance would.
fn sgf_like() -> impl Strategy<Value = Vec<u8>> {
    let parts: &[&[u8]] = &[
        b"(",
        b")",
        b";",
        b"[",
        b"]",
        b"\\",
        b"\n",
        b" ",
        b"\0",
        b"(;",
        b"(;FF[4]",
        b"(;GM[1]SZ[19]",
        b";B[pd]",
        b";W[dd]",
        b";B[]",
        b"C[text",
        b"C[a \\] b]",
        b"AB[aa][bb]",
        b"AW",
        b"RE[B+3.5]",
        b"\xef\xbb\xbf",
        b"\xc4\xe3]",
        b"PB",
        b"KM[6.5]",
        b"FF",
        b"GM [1]",
        b"\r\n\r\n",
        b"junk",
        b"\x1a",
        b"(;B[aa](;W[bb])(;W[cc]))",
        b"SZ[19:52]",
        b"b[aa]",
        b"                ",
        b"TB[aa:cc]",
    ];
    let part = prop_oneof![
        12 => select(parts).prop_map(<[u8]>::to_vec),
        1 => vec(any::<u8>(), 1..4),
        // Blanks beyond what the splitter looks ahead.
        1 => select(&[60_usize, 85, 120]).prop_map(|count| vec![b' '; count]),
    ];
    vec(part, 0..60).prop_map(|parts| parts.concat())
}

/// Records as programs write them.
const RECORDS: &[&str] = &[
    "(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]\nRU[Japanese]SZ[19]KM[6.50]\nPW[White]PB[Black]RE[B+3.50]\n\
     ;B[pd]BL[1795.2]\n;W[dp]WL[1790]\n;B[pp];W[dd];B[fc]C[Black: hi \\[1d\\]: ok\n])\n",
    "(;GM[1]FF[4]SZ[19]GN[]DT[2019-07-02]PB[\u{9ed1}\u{65b9}]PW[\u{767d}\u{65b9}]BR[9\u{6bb5}]KM[375]HA[0]\
     RU[Chinese]AP[GNU Go:3.8]RN[6]RE[W+R]TM[60]AP[foxwq]RL[0]\n;B[pd];W[dd];B[pq];W[dp];B[])",
    "(;SZ[9]GM[1]HA[2]AB[cc][gg];W[gc](;B[cg];W[ee])(;B[ee];W[cg]))",
    "(;FF[3]GM[1]SZ[13];B[jj]C[ends here] ;W[dd] ;B[tt] ;W[tt]TB[aa:cc]TW[ll][mm])",
    "(;GM[1]SZ[5];B[aa];W[bb];B[];W[])",
];

/// Text between records: nothing in it begins one.
fn junk() -> impl Strategy<Value = Vec<u8>> {
    let signs = b"abzXY09 \t\n\r.,:-)]=\0\xe9\x81\\";
    vec(select(signs), 0..30)
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn the_splitter_takes_any_bytes(bytes in prop_oneof![sgf_like(), vec(any::<u8>(), 0..400)]) {
        let (pieces, _) = split(&bytes);
        assert_in_order(&pieces, bytes.len());
    }

    #[test]
    fn windows_do_not_change_the_pieces(
        bytes in sgf_like(),
        steps in vec(prop_oneof![1..4_usize, 1..200_usize], 1..20),
    ) {
        let (pieces, _) = split(&bytes);
        prop_assert_eq!(split_by_windows(&bytes, &steps), pieces);
    }

    #[test]
    fn every_record_among_junk_is_found(
        parts in vec((select(RECORDS), junk()), 0..6),
        leading in junk(),
        steps in vec(1..300_usize, 1..5),
    ) {
        let mut bytes = leading;
        for (record, junk) in &parts {
            bytes.extend_from_slice(record.as_bytes());
            bytes.extend_from_slice(junk);
        }
        let (pieces, _) = split(&bytes);
        prop_assert_eq!(pieces.len(), parts.len());
        for (piece, (record, _)) in pieces.iter().zip(&parts) {
            let found = &bytes[piece.start..piece.end];
            prop_assert_eq!(found, record.trim_end().as_bytes());
            prop_assert!(!piece.around.unclosed);
        }
        prop_assert_eq!(split_by_windows(&bytes, &steps), pieces);
    }
}

/// Trees with many variations, and values of all kinds.
fn tree() -> impl Strategy<Value = Vec<u8>> {
    let parts: &[&str] = &[
        "(;W[dd];B[pq])",
        "(;W[dd]C[a \\] \\\\])",
        "(;B[aa](;W[bb])(;W[cc]C[[(;FF[4\\]]))",
        ";B[pd]",
        ";W[]",
        "(;PB[name];B[ab])",
        "C[(; ;B[aa\\] \\[]",
        "LB[aa:1][bb:2]",
        " \n",
        "C[]",
        ";",
    ];
    let close = prop_oneof![4 => Just(")"), 1 => Just(""), 1 => Just("C[no end ")];
    let inside = vec(select(parts), 0..40).prop_map(|parts| parts.concat());
    (inside, close)
        .prop_map(|(inside, close)| format!("(;GM[1]SZ[19];B[pd]{inside}{close}\n").into_bytes())
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn a_record_given_up_hides_and_invents_none(
        tree in tree(),
        parts in vec((select(RECORDS), junk()), 0..3),
        steps in vec(prop_oneof![1..4_usize, 1..200_usize], 1..20),
    ) {
        let mut bytes = tree;
        for (record, junk) in &parts {
            bytes.extend_from_slice(record.as_bytes());
            bytes.extend_from_slice(junk);
        }
        let places = |pieces: &[Piece]| -> Vec<_> {
            pieces.iter().map(|piece| (piece.start, piece.end)).collect()
        };
        let (all, _) = split(&bytes);
        let behind = pieces_behind(&bytes, &steps);
        prop_assert_eq!(places(&behind), places(&all[1..]));
    }

    #[test]
    fn windows_do_not_change_the_pieces_behind_a_record_given_up(
        bytes in sgf_like(),
        steps in vec(prop_oneof![1..4_usize, 1..200_usize], 1..20),
    ) {
        let whole = pieces_behind(&bytes, &[bytes.len()]);
        assert_in_order(&whole, bytes.len());
        prop_assert_eq!(pieces_behind(&bytes, &steps), whole);
    }
}

/// Inputs whose pieces once depended on where a window ended.
#[test]
fn windows_that_end_anywhere() {
    let blanks = " ".repeat(100);
    for text in [
        // A byte order mark, whole or in part, is no text.
        "\u{feff}(;GM[1];B[aa])".to_owned(),
        format!("(;GM[1];B[aa])\n\u{feff}{blanks}(;GM[1];B[bb])"),
        // A value may stand far behind its name.
        format!("(AW{blanks}[aa];B[bb])"),
        format!("(;SZ{blanks}[9];B[bb];W[cc](;GM{blanks}[1];B[aa])"),
        // A value that was not ended hides the root after it, or not.
        "(;(](](;C[text(;GM[1]SZ[19];B[aa])".to_owned(),
        format!("(;GM[1];B[aa]C[text{blanks}(;GM[1]{blanks}SZ[19];B[aa])"),
        format!("(;GM[1];B[aa](;PB[a]{blanks}PW[b]{blanks}FF[4];B[bb])"),
    ] {
        let (pieces, _) = split(text.as_bytes());
        for step in 1..text.len() {
            assert_eq!(
                split_by_windows(text.as_bytes(), &[step]),
                pieces,
                "{text} by {step}"
            );
        }
    }
}

/// One damage of a byte string.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Flip(usize, u8),
    Delete(usize, usize),
    Insert(usize, u8),
    Repeat(usize, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let sign = prop_oneof![any::<u8>(), select(b"()[];\\:".as_slice())];
    prop_oneof![
        (any::<usize>(), any::<u8>()).prop_map(|(at, bits)| Damage::Flip(at, bits)),
        (any::<usize>(), 1..20_usize).prop_map(|(at, count)| Damage::Delete(at, count)),
        (any::<usize>(), sign).prop_map(|(at, sign)| Damage::Insert(at, sign)),
        (any::<usize>(), 1..40_usize).prop_map(|(at, count)| Damage::Repeat(at, count)),
    ]
}

fn apply(bytes: &mut Vec<u8>, damage: Damage) {
    if bytes.is_empty() {
        return;
    }
    let length = bytes.len();
    match damage {
        Damage::Flip(at, bits) => bytes[at % length] ^= bits,
        Damage::Insert(at, sign) => bytes.insert(at % length, sign),
        Damage::Delete(at, count) => {
            let at = at % length;
            bytes.drain(at..length.min(at + count));
        }
        Damage::Repeat(at, count) => {
            let at = at % length;
            let part = bytes[at..length.min(at + count)].to_vec();
            bytes.splice(at..at, part);
        }
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn damaged_records_give_rows(
        records in vec(select(RECORDS), 1..3),
        damages in vec(damage(), 0..12),
        rules in select(&["japanese", "tromp-taylor"]),
    ) {
        let mut bytes = records.concat().into_bytes();
        for damage in damages {
            apply(&mut bytes, damage);
        }
        let mut plan = dead_by("none");
        plan.settings.default_rules = Some((rules.to_owned(), From::Default));
        plan.context.meta = true;
        let (pieces, _) = split(&bytes);
        let mut rows = 0;
        label_all(&plan, &bytes, &mut |label| {
            rows += 1;
            let error = label.first_error();
            assert_ne!(error.map(|error| error.kind), Some("panic"), "{error:?}");
            if let Some(judgement) = &label.judgement {
                assert!(judgement.plies <= judgement.moves);
                let stopped = judgement.ended == Ending::Illegal;
                assert_eq!(judgement.plies < judgement.moves, stopped);
            }
        });
        prop_assert_eq!(rows, pieces.len());
    }
}

/// Signs that could begin a record, by the million, are looked at once each.
#[test]
fn a_run_of_signs_takes_no_time() {
    for sign in ["(", ";", "[", ")", "( ;"] {
        let text = sign.repeat(2_000_000);
        assert!(split(text.as_bytes()).0.len() <= 1, "{sign}");
    }
}
