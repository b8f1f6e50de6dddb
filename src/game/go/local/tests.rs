//! Boards of known status, and against exhaustive play.

mod play;

use super::*;
use crate::outcome::Side;

/// A board from rows of `X`, `O` and `.`, of `#` and `@` for stones of the first
/// and second player that stay, and small letters for the chain asked about.
/// Returns who has stones that stay by point, and a stone of that chain.
fn board(rows: &[&str]) -> (Board, Vec<Option<Side>>, Point) {
    let mut board = Board::new(rows[0].len() as u8, rows.len() as u8);
    let mut fixed = vec![None; board.length()];
    let mut asked = 0;
    for (y, row) in rows.iter().enumerate() {
        for (x, sign) in row.bytes().enumerate() {
            let point = board.point(x as u8, y as u8);
            let stone = match sign {
                b'X' | b'x' | b'#' => Some(Side::First),
                b'O' | b'o' | b'@' => Some(Side::Second),
                _ => None,
            };
            board.edit(point, stone);
            if matches!(sign, b'#' | b'@') {
                fixed[usize::from(point)] = stone;
            }
            if sign.is_ascii_lowercase() {
                asked = point;
            }
        }
    }
    board.find_chains();
    (board, fixed, asked)
}

/// What is proved of the chain in small letters: that it is taken or not
/// whoever moves first, or that this decides.
fn proved(text: &str) -> &'static str {
    let rows: Vec<&str> = text.split_whitespace().collect();
    let (board, fixed, stone) = board(&rows);
    let owners = vec![0.0; board.length()];
    let view = View::new(&board, false, &fixed, &owners);
    let zone = view.zone(stone).expect("a small zone");
    let proves = |prover, mover| {
        let sides = (prover, mover);
        view.proves(&zone, stone, sides, &mut Table::default(), &mut 30_000)
    };
    // What holds for the side that moves second holds if it moves first.
    let (taken, kept) = (proves(ATTACKER, DEFENDER), proves(DEFENDER, ATTACKER));
    assert!(!taken || proves(ATTACKER, ATTACKER), "{text}");
    assert!(!kept || proves(DEFENDER, DEFENDER), "{text}");
    assert!(!taken || !kept, "{text}");
    match (taken, kept) {
        (true, _) => "dead",
        (_, true) => "alive",
        _ if proves(ATTACKER, ATTACKER) && proves(DEFENDER, DEFENDER) => "open",
        _ => "unknown",
    }
}

fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|&(text, wanted)| (text, wanted, proved(text)))
        .filter(|(_, wanted, found)| wanted != found)
        .map(|(text, wanted, found)| {
            let rows: Vec<&str> = text.split_whitespace().collect();
            format!("{wanted}, found {found}\n{}\n", rows.join("\n"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn eye_spaces() {
    check(&[
        // Three in a row or bent: whoever takes the middle point.
        ("...x@ xxxx@ @@@@@", "open"),
        ("..x@ .xx@ xx@@ @@@@", "open"),
        // Four in a row, and in a square.
        ("....x@ xxxxx@ @@@@@@", "alive"),
        ("..x@ ..x@ xxx@ @@@@", "dead"),
        // Three in a row with the opponent in the middle.
        (".O.x@ xxxx@ @@@@@", "dead"),
        // Two eyes, one, and one with a false one.
        (".x.x@ xxxx@ @@@@@", "alive"),
        (".xxx@ xxxx@ @@@@@", "dead"),
        (".xx.@ xx@@@ @@@..", "dead"),
    ]);
}

#[test]
fn walls() {
    check(&[
        // Cut off from its side, beside it, and a move away from it.
        (".x@ x@@ @@.", "dead"),
        ("#x. @@# @.#", "alive"),
        (".x.@ @@#@ @.#@", "open"),
    ]);
}

#[test]
fn snapback_takes_nothing_for_good() {
    check(&[
        ("#Ox.# #OOO# ##### ..#..", "alive"),
        ("#oX.# #ooo# ##### ..#..", "dead"),
    ]);
}

#[test]
fn ko_proves_nothing() {
    check(&[(".xx.X@ xxxx@@ @@@@@@", "unknown")]);
}

#[test]
fn races_and_sekis() {
    check(&[
        // Two shared liberties and no eyes: who plays there is taken.
        ("@@#### @xOOO# @x..O# @xxxO# @@@@##", "alive"),
        ("@@#### @Xooo# @X..o# @XXXo# @@@@##", "alive"),
        // One side has an eye.
        ("@@@@#### @xxxOOO# @x.x..O# @xxxxxO# @@@@@@##", "alive"),
        ("@@@@#### @XXXooo# @X.X..o# @XXXXXo# @@@@@@##", "dead"),
        // A liberty of one side more: the other fills it in time.
        ("@@@#### @.Xooo# @XX..o# @XXXXo# @@@@@##", "open"),
    ]);
}
