//! What several tests need: records from bytes, and the folder of reference
//! data where it is present.

#![allow(dead_code, unreachable_pub)]

pub mod pack;
pub mod run;

use std::path::PathBuf;

use kifu::{
    format::{self, Context, Format, Piece, SplitState},
    game::{Judgement, Telling, Want},
    label::Label,
    pipeline::{Cut, Labeller, Plan, RecordFile, RowFn},
    report::explain::{Explained, Look, text},
};

/// A plan with nothing set.
pub fn plan() -> Plan {
    Plan {
        want: Want {
            board: true,
            ownership: true,
            canonical_hash: true,
            counts: true,
            forbidden: true,
            legal: true,
            chain: false,
        },
        ..Plan::default()
    }
}

/// The SGF format.
pub fn sgf() -> &'static dyn Format {
    format::by_name("sgf").expect("sgf is a format")
}

/// The pieces of some bytes, cut as a file is.
pub fn split(bytes: &[u8]) -> (Vec<Piece>, SplitState) {
    let mut state = SplitState::default();
    let mut pieces = Vec::new();
    let consumed = sgf().split(&mut state, bytes, true, &Context::default(), &mut |piece| {
        pieces.push(piece);
    });
    assert_eq!(consumed, bytes.len(), "everything is consumed at the end");
    (pieces, state)
}

/// Labels every record of some SGF bytes.
pub fn label_all(plan: &Plan, bytes: &[u8], each: &mut dyn FnMut(&Label<'_>)) {
    row_all(plan, bytes, &mut |label, _| each(label));
}

/// Labels every record of some SGF bytes and explains it at length.
pub fn explain_all(plan: &Plan, bytes: &[u8], each: &mut dyn FnMut(&Label<'_>, &str)) {
    row_all(plan, bytes, &mut |label, judge| {
        if let (Some(judge), Some(judgement)) = (judge, &label.judgement) {
            let claim = kifu::label::claim(&label.recorded);
            let told = judge.explain(&claim, judgement, Telling::default());
            let look = Look {
                verbose: true,
                ..Look::default()
            };
            let explained = Explained {
                label,
                told: Some(&told),
            };
            each(label, &text(&explained, look));
        }
    });
}

fn row_all(plan: &Plan, bytes: &[u8], each: &mut RowFn<'_>) {
    let mut labeller = Labeller::new(plan);
    let file = RecordFile::new("test.sgf", sgf(), plan);
    for (piece, index) in split(bytes).0.into_iter().zip(1..) {
        let cut = Cut {
            file: &file,
            window: bytes,
            piece,
            index,
            before: 0,
        };
        labeller.label(cut, each);
    }
}

/// What the board says of the only record in some SGF.
pub fn judge(plan: &Plan, text: &str) -> Judgement {
    let mut judged = Vec::new();
    label_all(plan, text.as_bytes(), &mut |label| {
        assert_eq!(label.error, None, "{text}");
        judged.push(label.judgement.clone().expect("it was judged"));
    });
    assert_eq!(judged.len(), 1, "one record: {text}");
    judged.remove(0)
}

/// A file or folder of the reference data; says so where it is absent.
pub fn reference(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("KIFU_REFERENCE_DATA")
        .map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    let path = root.join(path);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: no data folder");
    None
}
