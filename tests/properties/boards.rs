//! Boards as text: cut and read from bytes of any kind.

use kifu::{
    format::{self, Context, Format, Piece, Reading, SplitState},
    game::{Claim, Telling},
    outcome::{From, Side},
    pipeline::{Cut, Labeller, RecordFile},
    record::{Arena, StepKind},
};
use proptest::{collection::vec, prelude::*, sample::select};

use super::{cases, common::plan};

fn board() -> &'static dyn Format {
    format::by_name("board").unwrap()
}

/// Pieces with their places in the whole, cut through windows that grow by
/// some numbers of bytes, as a stream is.
fn split_by_windows(bytes: &[u8], context: &Context, steps: &[usize]) -> Vec<Piece> {
    let mut state = SplitState::default();
    let mut pieces = Vec::new();
    let (mut from, mut to) = (0, 0);
    let mut steps = steps.iter().copied().cycle();
    while from < bytes.len() {
        to = bytes.len().min(to + steps.next().unwrap_or(1));
        let eof = to == bytes.len();
        let window = &bytes[from..to];
        let consumed = board().split(&mut state, window, eof, context, &mut |piece| {
            pieces.push(Piece {
                start: piece.start + from,
                end: piece.end + from,
                ..piece
            });
        });
        assert!(!eof || consumed == to - from, "the end consumes everything");
        from += consumed;
    }
    pieces
}

/// Lines that boards are made of, far more often than chance would.
fn board_like() -> impl Strategy<Value = Vec<u8>> {
    let parts: &[&str] = &[
        "X.O",
        "XO.",
        "...",
        "X . O",
        "---",
        "-X-",
        "--",
        "===",
        "+-+",
        "120",
        "012",
        "1 2 0",
        "7",
        "7.5",
        "3.75zi",
        "0",
        "10",
        "A B C",
        "abc",
        "AB",
        "1 2 3",
        "2 X.O 2",
        "1 . X O",
        "12",
        "komi: 5",
        "rules = chinese",
        "game: go",
        "size: 3",
        "result: B+1",
        "to move: white",
        "mood: calm",
        "White (O) has captured 3 stones",
        "X.O   captured",
        "a text",
        "XzO",
        "●○┼",
        "┌─┐",
        "└─┘",
        "│·●○│",
        "\u{feff}",
        "(",
        ")",
        "|",
        " ",
        "\t",
        ",",
        "",
    ];
    let part = prop_oneof![
        12 => select(parts).prop_map(|part| part.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..4),
    ];
    let end = select(&["\n", "\n", "\n", "\r\n", "\r", "\n\n", " \n", ""])
        .prop_map(|end| end.as_bytes().to_vec());
    vec((part, end), 0..40).prop_map(|lines| {
        lines
            .into_iter()
            .flat_map(|(line, end)| [line, end].concat())
            .collect()
    })
}

fn context() -> impl Strategy<Value = Context> {
    select(&[None, Some((3, 2)), Some((3, 1))]).prop_map(|size| Context {
        size,
        ..Context::default()
    })
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn windows_do_not_change_the_boards(
        bytes in prop_oneof![4 => board_like(), 1 => vec(any::<u8>(), 0..300)],
        context in context(),
        steps in vec(prop_oneof![1..4_usize, 1..100_usize], 1..10),
    ) {
        let pieces = split_by_windows(&bytes, &context, &[bytes.len().max(1)]);
        let mut end = 0;
        for piece in &pieces {
            prop_assert!(piece.start >= end && piece.start < piece.end, "{:?}", pieces);
            end = piece.end;
        }
        prop_assert!(end <= bytes.len());
        prop_assert_eq!(split_by_windows(&bytes, &context, &steps), pieces);
    }

    /// Every piece is read, and a record that can be used has only stones that
    /// lie on its board, each once, at the bytes where they are drawn.
    #[test]
    fn every_piece_is_read(bytes in board_like(), context in context()) {
        for piece in split_by_windows(&bytes, &context, &[bytes.len().max(1)]) {
            let arena = Arena::default();
            let text = &bytes[piece.start..piece.end];
            let Reading::Game(record) = board().read(text, piece, &context, &arena) else {
                continue;
            };
            let (columns, rows) = record.size.expect("a size");
            let mut points = Vec::new();
            for step in &record.steps {
                if let StepKind::Place(side) = step.kind {
                    let [column, row] = step.token else { panic!("{step:?}") };
                    let (column, row) = (column - b'a', row - b'a');
                    prop_assert!(column < columns && row < rows);
                    points.push((column, row));
                    let drawn = String::from_utf8_lossy(&text[step.at as usize..]).chars().next();
                    let signs = if side == Side::First { "Xx#@Bb●1" } else { "OoWw○2" };
                    prop_assert!(signs.contains(drawn.unwrap()), "{drawn:?}");
                }
            }
            points.sort_unstable();
            points.dedup();
            let stones = record.steps.iter().filter(|s| matches!(s.kind, StepKind::Place(_)));
            prop_assert_eq!(points.len(), stones.count());
        }
    }
}

proptest! {
    #![proptest_config(cases(300))]

    /// Whatever is drawn is judged or refused, and each board is one row.
    #[test]
    fn every_board_is_a_row(bytes in board_like(), rules in select(&["japanese", "tromp-taylor"])) {
        let mut plan = plan();
        plan.settings.default_rules = Some((rules.to_owned(), From::Default));
        let mut labeller = Labeller::new(&plan);
        let mut rows = 0;
        let pieces = split_by_windows(&bytes, &plan.context, &[bytes.len().max(1)]);
        let file = RecordFile::new("a.board", board(), &plan);
        for (piece, index) in pieces.iter().zip(1..) {
            let cut = Cut {
                file: &file,
                window: &bytes,
                piece: *piece,
                index,
                before: 0,
            };
            labeller.label(cut, &mut |label, judge| {
                rows += 1;
                let error = label.first_error();
                assert_ne!(error.map(|error| error.kind), Some("panic"), "{error:?}");
                if let (Some(judge), Some(judgement)) = (judge, &label.judgement) {
                    let told = judge.explain(&Claim::default(), judgement, Telling::default());
                    assert!(told.board.is_some());
                }
            });
        }
        prop_assert_eq!(rows, pieces.len());
    }
}

/// Lines of one kind, by the hundred thousand, are looked at a few times each.
#[test]
fn long_texts_take_no_time() {
    for line in [
        "---\n",
        "X\n",
        "komi: 5\n",
        "1\n",
        "\n",
        "text\n",
        "ABC\n",
        "X\n\nkomi: 5\n",
    ] {
        let text = line.repeat(200_000);
        let pieces = split_by_windows(text.as_bytes(), &Context::default(), &[text.len()]);
        assert!(pieces.len() <= 200_000, "{line}");
    }
}
