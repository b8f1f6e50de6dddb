//! What holds for every record and every input, tried on random ones.

mod common;

use std::collections::{BTreeSet, HashMap};

use common::{label_all, plan, sgf, split};
use kifu::{
    format::{Piece, SplitState},
    game::{
        Judgement,
        go::{Board, Cell, Illegal, Point},
    },
    label::Label,
    outcome::{Ending, From, Points, Side},
    pipeline::{Cut, Labeller, Plan},
};
use proptest::{collection::vec, prelude::*, sample::select};

/// Few cases: each is a whole game.
fn cases(number: u32) -> ProptestConfig {
    ProptestConfig {
        cases: number,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

// ---------------------------------------------------------------------------
// The board against the plainest one that can be written.

/// A board that finds everything anew by flood fill.
struct Plain {
    columns: usize,
    rows: usize,
    stones: Vec<Option<Side>>,
    ko: Option<usize>,
    prisoners: [u32; 2],
}

impl Plain {
    fn new(columns: usize, rows: usize) -> Self {
        Self {
            columns,
            rows,
            stones: vec![None; columns * rows],
            ko: None,
            prisoners: [0; 2],
        }
    }

    fn neighbours(&self, at: usize) -> Vec<usize> {
        let (column, row) = (at % self.columns, at / self.columns);
        let mut near = Vec::new();
        if row > 0 {
            near.push(at - self.columns);
        }
        if column > 0 {
            near.push(at - 1);
        }
        if column + 1 < self.columns {
            near.push(at + 1);
        }
        if row + 1 < self.rows {
            near.push(at + self.columns);
        }
        near
    }

    /// The stones and the liberties of the chain of a stone.
    fn chain(&self, at: usize) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let (mut chain, mut liberties) = (BTreeSet::from([at]), BTreeSet::new());
        let mut open = vec![at];
        while let Some(stone) = open.pop() {
            for near in self.neighbours(stone) {
                if self.stones[near].is_none() {
                    liberties.insert(near);
                } else if self.stones[near] == self.stones[at] && chain.insert(near) {
                    open.push(near);
                }
            }
        }
        (chain, liberties)
    }

    /// Takes a chain without liberties off; how many stones it had.
    fn take(&mut self, at: usize) -> u16 {
        let (chain, liberties) = self.chain(at);
        let Some(side) = self.stones[at].filter(|_| liberties.is_empty()) else {
            return 0;
        };
        for stone in &chain {
            self.stones[*stone] = None;
        }
        self.prisoners[side.other().index()] += chain.len() as u32;
        chain.len() as u16
    }

    /// Stones captured and stones suicided, or why not.
    fn play(&mut self, side: Side, at: usize, suicide: bool) -> Result<(u16, u16), Illegal> {
        if self.stones[at].is_some() {
            return Err(Illegal::Occupied);
        }
        if self.ko == Some(at) {
            return Err(Illegal::Ko);
        }
        let before = (self.stones.clone(), self.prisoners);
        self.stones[at] = Some(side);
        let (mut captured, mut taken) = (0, at);
        for near in self.neighbours(at) {
            if self.stones[near] == Some(side.other()) {
                let stones = self.take(near);
                captured += stones;
                if stones > 0 {
                    taken = near;
                }
            }
        }
        let (chain, liberties) = self.chain(at);
        if liberties.is_empty() {
            if chain.len() == 1 || !suicide {
                (self.stones, self.prisoners) = before;
                return Err(Illegal::Suicide);
            }
            self.ko = None;
            return Ok((captured, self.take(at)));
        }
        let is_ko = captured == 1 && chain.len() == 1 && liberties.len() == 1;
        self.ko = is_ko.then_some(taken);
        Ok((captured, 0))
    }
}

/// Holds that a board shows what the plain one does.
fn assert_same(board: &Board, plain: &Plain, points: &[Point]) {
    let index: HashMap<Point, usize> = points.iter().copied().zip(0..).collect();
    for (at, point) in points.iter().enumerate() {
        assert_eq!(board.cell(*point).side(), plain.stones[at]);
        if plain.stones[at].is_none() {
            assert_eq!(board.cell(*point), Cell::Empty);
            continue;
        }
        let (chain, liberties) = plain.chain(at);
        let stones: Vec<usize> = board.chain(*point).map(|stone| index[&stone]).collect();
        assert_eq!(stones.len(), chain.len(), "each stone once");
        assert_eq!(stones.into_iter().collect::<BTreeSet<_>>(), chain);
        assert_eq!(usize::from(board.stones(*point)), chain.len());
        assert!(chain.contains(&index[&board.head(*point)]));
        for stone in &chain {
            assert_eq!(board.head(points[*stone]), board.head(*point));
        }
        assert_eq!(board.liberties(*point, usize::MAX), liberties.len());
        assert_eq!(board.liberties(*point, 2), liberties.len().min(2));
        assert_eq!(board.is_captured(*point), liberties.is_empty());
    }
    assert_eq!(board.ko(), plain.ko.map(|at| points[at]));
    let prisoners = [Side::First, Side::Second].map(|side| board.prisoners(side));
    assert_eq!(prisoners, plain.prisoners);
}

/// What is done to a board.
#[derive(Clone, Copy, Debug)]
enum Act {
    Play(Side, usize),
    Pass,
    Edit(Option<Side>, usize),
}

fn side() -> impl Strategy<Value = Side> {
    select(&[Side::First, Side::Second])
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        60 => (side(), any::<usize>()).prop_map(|(side, at)| Act::Play(side, at)),
        1 => Just(Act::Pass),
        1 => (proptest::option::of(side()), any::<usize>())
            .prop_map(|(stone, at)| Act::Edit(stone, at)),
    ]
}

/// Columns and rows: mostly small, where captures and kos abound.
fn size() -> impl Strategy<Value = (u8, u8)> {
    prop_oneof![
        8 => (1..=6u8, 1..=6u8),
        2 => (1..=19u8, 1..=19u8),
        1 => select(&[(52, 52), (1, 52), (52, 3), (37, 25)]),
    ]
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn a_board_is_what_flood_fill_says(
        (columns, rows) in size(),
        suicide in any::<bool>(),
        acts in vec(act(), 0..150),
    ) {
        let mut board = Board::new(columns, rows);
        let mut plain = Plain::new(columns.into(), rows.into());
        let points: Vec<Point> = board.points().collect();
        // The same stones have the same hash, and no others have.
        let mut hashes = HashMap::from([(plain.stones.clone(), board.hash())]);
        let mut positions = HashMap::from([(board.hash(), plain.stones.clone())]);
        for (turn, act) in acts.into_iter().enumerate() {
            match act {
                Act::Play(side, at) => {
                    let at = at % points.len();
                    let played = board.play(side, points[at], suicide);
                    let expected = plain.play(side, at, suicide);
                    let played = played.map(|played| (played.captured, played.suicided));
                    prop_assert_eq!(played, expected);
                }
                Act::Pass => {
                    board.pass();
                    plain.ko = None;
                }
                Act::Edit(stone, at) => {
                    let at = at % points.len();
                    board.edit(points[at], stone);
                    plain.stones[at] = stone;
                    plain.ko = None;
                    board.rebuild_if_edited();
                }
            }
            // Large boards are looked at less often: it is slow.
            if points.len() <= 36 || turn.is_multiple_of(10) {
                assert_same(&board, &plain, &points);
            }
            let hash = *hashes.entry(plain.stones.clone()).or_insert(board.hash());
            prop_assert_eq!(hash, board.hash(), "equal stones, equal hash");
            let stones = positions.entry(hash).or_insert_with(|| plain.stones.clone());
            prop_assert_eq!(&*stones, &plain.stones, "equal hash, equal stones");
        }
        assert_same(&board, &plain, &points);
        let used = board.clone();
        board.clear();
        assert_same(&board, &Plain::new(columns.into(), rows.into()), &points);
        prop_assert_eq!(board.hash(), Board::new(columns, rows).hash());
        assert_same(&used, &plain, &points);
    }
}

// ---------------------------------------------------------------------------
// Records: what does not change their label, and what turns it.

/// A record, before it is written down.
#[derive(Clone, Debug)]
struct Game {
    size: (u8, u8),
    setup: Vec<(Side, u8, u8)>,
    /// Sides and points; no point is a pass.
    moves: Vec<(Side, Option<(u8, u8)>)>,
    komi: i32,
    rules: &'static str,
}

impl Game {
    fn text(&self) -> String {
        let (columns, rows) = self.size;
        let (komi, rules) = (Points::quarters(2 * self.komi), self.rules);
        let mut text = format!("(;GM[1]FF[4]SZ[{columns}:{rows}]KM[{komi}]RU[{rules}]");
        for (side, column, row) in &self.setup {
            let name = ["AB", "AW"][side.index()];
            text.push_str(&format!("{name}[{}{}]", letter(*column), letter(*row)));
        }
        for (side, point) in &self.moves {
            let name = ["B", "W"][side.index()];
            let point = point.map(|(column, row)| [letter(column), letter(row)]);
            let point = String::from_iter(point.into_iter().flatten());
            text.push_str(&format!(";{name}[{point}]"));
        }
        text + ")"
    }

    /// The same record with every point moved by one of eight symmetries.
    fn turned(&self, symmetry: usize) -> Self {
        let (columns, rows) = self.size;
        let turn = |column, row| turn(symmetry, self.size, (column, row));
        Self {
            size: if symmetry & 4 == 0 {
                (columns, rows)
            } else {
                (rows, columns)
            },
            setup: self
                .setup
                .iter()
                .map(|(side, column, row)| {
                    let (column, row) = turn(*column, *row);
                    (*side, column, row)
                })
                .collect(),
            moves: self
                .moves
                .iter()
                .map(|(side, point)| (*side, point.map(|(column, row)| turn(column, row))))
                .collect(),
            ..*self
        }
    }

    /// The same record with colours exchanged.
    fn swapped(&self) -> Self {
        let mut game = self.clone();
        for (side, ..) in &mut game.setup {
            *side = side.other();
        }
        for (side, _) in &mut game.moves {
            *side = side.other();
        }
        game
    }
}

fn letter(index: u8) -> char {
    char::from(if index < 26 {
        b'a' + index
    } else {
        b'A' + index - 26
    })
}

/// Where a symmetry takes a point.
fn turn(symmetry: usize, (columns, rows): (u8, u8), (column, row): (u8, u8)) -> (u8, u8) {
    let flip = |flipped: usize, size: u8, at: u8| {
        if symmetry & flipped == 0 {
            at
        } else {
            size - 1 - at
        }
    };
    let (column, row) = (flip(1, columns, column), flip(2, rows, row));
    if symmetry & 4 == 0 {
        (column, row)
    } else {
        (row, column)
    }
}

/// Random games, legal or not; most go on for a while.
fn game(largest: u8) -> impl Strategy<Value = Game> {
    let rules = select(&[
        "Japanese",
        "Chinese",
        "New Zealand",
        "aga-button",
        "ancient-area",
        "japanese,pass_stones=yes",
    ]);
    let sizes = prop_oneof![
        (1..=largest).prop_map(|size| (size, size)),
        (1..=largest, 1..=largest),
    ];
    let setup = vec((side(), any::<u8>(), any::<u8>()), 0..20);
    let moves = vec(
        (
            any::<u8>(),
            proptest::option::weighted(0.95, any::<(u8, u8)>()),
        ),
        0..60,
    );
    (sizes, setup, moves, -20..20, rules).prop_map(
        |((columns, rows), setup, moves, komi, rules)| {
            let mut taken = BTreeSet::new();
            let setup = setup
                .into_iter()
                .map(|(side, column, row)| (side, column % columns, row % rows))
                .filter(|(_, column, row)| taken.insert((*column, *row)))
                .collect();
            // Turns alternate but for a slip; few points are taken twice.
            let moves = moves
                .into_iter()
                .zip([Side::First, Side::Second].into_iter().cycle())
                .map(|((slip, point), turn)| {
                    let side = if slip == 0 { turn.other() } else { turn };
                    (
                        side,
                        point.map(|(column, row)| (column % columns, row % rows)),
                    )
                })
                .filter(|(_, point)| point.is_none_or(|point| taken.insert(point)))
                .collect();
            Game {
                size: (columns, rows),
                setup,
                moves,
                komi,
                rules,
            }
        },
    )
}

fn dead_by(word: &str) -> Plan {
    let mut plan = plan();
    plan.settings.dead = Some(word.to_owned());
    plan
}

fn judged(labeller: &mut Labeller<'_>, text: &str) -> Judgement {
    let mut judged = None;
    label_one(labeller, text, &mut |label| {
        assert_eq!(label.error, None, "{text}");
        judged = label.judgement.clone();
    });
    judged.expect("a record")
}

/// Labels a text that is one record.
fn label_one(labeller: &mut Labeller<'_>, text: &str, each: &mut dyn FnMut(&Label<'_>)) {
    let piece = Piece {
        start: 0,
        end: text.len(),
        ..Piece::default()
    };
    let cut = Cut {
        format: sgf(),
        window: text.as_bytes(),
        piece,
        name: "test.sgf",
        index: 1,
        before: 0,
    };
    labeller.label(cut, &mut |label, _| each(label));
}

fn row(labeller: &mut Labeller<'_>, text: &str) -> String {
    let mut row = String::new();
    label_one(labeller, text, &mut |label| row = format!("{label:?}"));
    row
}

/// The words of the warnings of a replay.
fn words(judgement: &Judgement) -> Vec<&'static str> {
    judgement
        .warnings
        .iter()
        .map(|warning| warning.word)
        .collect()
}

/// A table by point of a turned record, as it was before turning.
fn unturned(symmetry: usize, (columns, rows): (u8, u8), table: &[i8]) -> Vec<i8> {
    let width = usize::from(if symmetry & 4 == 0 { columns } else { rows });
    (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (column, row)))
        .map(|point| {
            let (column, row) = turn(symmetry, (columns, rows), point);
            table[usize::from(row) * width + usize::from(column)]
        })
        .collect()
}

/// Holds that turning a record turns its label and changes nothing else.
fn assert_turns(plan: &Plan, game: &Game) {
    let mut labeller = Labeller::new(plan);
    let upright = judged(&mut labeller, &game.text());
    for symmetry in 1..8 {
        let turned = judged(&mut labeller, &game.turned(symmetry).text());
        assert_eq!(turned.margin, upright.margin, "{symmetry}");
        assert_eq!(turned.points, upright.points, "{symmetry}");
        assert_eq!(turned.dead, upright.dead, "{symmetry}");
        assert_eq!(turned.neutral, upright.neutral, "{symmetry}");
        assert_eq!(turned.confidence, upright.confidence, "{symmetry}");
        assert_eq!(turned.ended, upright.ended, "{symmetry}");
        assert_eq!((turned.moves, turned.plies), (upright.moves, upright.plies));
        assert_eq!(words(&turned), words(&upright), "{symmetry}");
        for (turned, upright) in [
            (&turned.ownership, &upright.ownership),
            (&turned.board, &upright.board),
        ] {
            let back = turned
                .as_ref()
                .map(|table| unturned(symmetry, game.size, table));
            assert_eq!(&back, upright, "{symmetry}");
        }
        // A rectangle on its side is another game.
        if game.size.0 == game.size.1 || symmetry & 4 == 0 {
            assert_eq!(turned.canonical_hash, upright.canonical_hash, "{symmetry}");
        }
    }
}

/// Holds that exchanging colours without komi turns the score round.
fn assert_swaps(plan: &Plan, game: &Game) {
    let mut labeller = Labeller::new(plan);
    let one = judged(&mut labeller, &game.text());
    let other = judged(&mut labeller, &game.swapped().text());
    assert_eq!(other.margin, one.margin.map(|margin| -margin));
    assert_eq!(
        other.points,
        one.points.map(|[first, second]| [second, first])
    );
    assert_eq!(other.dead, one.dead.map(|[first, second]| [second, first]));
    assert_eq!(other.neutral, one.neutral);
    assert_eq!(other.confidence, one.confidence);
    assert_eq!((other.ended, other.plies), (one.ended, one.plies));
    let negated = |table: &Option<Vec<i8>>| -> Option<Vec<i8>> {
        table
            .as_ref()
            .map(|table| table.iter().map(|owner| -owner).collect())
    };
    assert_eq!(negated(&other.ownership), one.ownership);
    assert_eq!(negated(&other.board), one.board);
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn a_label_is_a_function_of_its_record(games in vec(game(9), 1..6), again in any::<usize>()) {
        let plan = dead_by("none");
        let texts: Vec<String> = games.iter().map(Game::text).collect();
        let fresh_rows: Vec<String> = texts
            .iter()
            .map(|text| row(&mut Labeller::new(&plan), text))
            .collect();
        let mut labeller = Labeller::new(&plan);
        for (text, fresh) in texts.iter().zip(&fresh_rows) {
            prop_assert_eq!(&row(&mut labeller, text), fresh);
            prop_assert_eq!(&row(&mut labeller, text), fresh);
            let other = again % texts.len();
            let repeated = row(&mut labeller, &texts[other]);
            prop_assert_eq!(repeated.as_str(), fresh_rows[other].as_str());
        }
    }

    #[test]
    fn the_replay_plays_what_it_can(game in game(9)) {
        let judged = judged(&mut Labeller::new(&dead_by("none")), &game.text());
        prop_assert_eq!(judged.moves as usize, game.moves.len());
        prop_assert!(judged.plies <= judged.moves);
        prop_assert_eq!(judged.plies < judged.moves, judged.ended == Ending::Illegal);
        prop_assert_eq!(judged.error.is_some(), judged.ended == Ending::Illegal);
        prop_assert_eq!(judged.margin.is_none(), judged.ended == Ending::Illegal);
        // Points and neutral points are all there are.
        if let Some(ownership) = judged.ownership {
            let nobody = ownership.iter().filter(|owner| **owner == 0).count();
            prop_assert_eq!(Some(nobody as u32), judged.neutral);
        }
    }

    #[test]
    fn symmetric_records_have_symmetric_labels(game in game(9)) {
        assert_turns(&dead_by("none"), &game);
    }

    #[test]
    fn exchanged_colours_turn_the_score_round(game in game(9)) {
        let game = Game { komi: 0, ..game };
        assert_swaps(&dead_by("none"), &game);
    }
}

proptest! {
    #![proptest_config(cases(12))]

    /// The playouts that judge dead stones see no colour and no direction.
    #[test]
    fn dead_stones_are_symmetric(game in game(7)) {
        assert_turns(&plan(), &game);
        assert_swaps(&plan(), &Game { komi: 0, ..game });
    }

    #[test]
    fn dead_stones_do_not_depend_on_records_before(games in vec(game(7), 2..4)) {
        let plan = plan();
        let mut labeller = Labeller::new(&plan);
        for game in games.iter().chain(&games) {
            let fresh = row(&mut Labeller::new(&plan), &game.text());
            prop_assert_eq!(row(&mut labeller, &game.text()), fresh);
        }
    }
}

// ---------------------------------------------------------------------------
// Splitter and scanner on bytes of any kind.

/// Pieces with their places in the whole, cut through windows that grow by
/// some numbers of bytes, as a stream is.
fn split_by_windows(bytes: &[u8], steps: &[usize]) -> Vec<Piece> {
    let mut state = SplitState::default();
    let mut pieces = Vec::new();
    let (mut from, mut to) = (0, 0);
    let mut steps = steps.iter().copied().cycle();
    while from < bytes.len() {
        to = bytes.len().min(to + steps.next().unwrap_or(1));
        let eof = to == bytes.len();
        let consumed = sgf().split(&mut state, &bytes[from..to], eof, &mut |piece| {
            pieces.push(Piece {
                start: piece.start + from,
                end: piece.end + from,
                ..piece
            });
        });
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
