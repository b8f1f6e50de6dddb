//! Stones in seki, which are to be left alive. Playouts break most sekis, so the
//! floors are low: they are there to be raised.

use super::*;

/// Prints on how many boards no stone in seki is called dead, and returns how
/// many of the stones live.
fn kept(suite: &str, seki: impl Fn(&Case) -> BTreeSet<Point>) -> Option<(usize, usize)> {
    let cases = cases(suite)?;
    let mut judge = DeadStones::new();
    let (mut boards, mut living, mut stones, mut misses) = (0, 0, 0, Vec::new());
    for case in &cases {
        let seki = seki(case);
        if seki.is_empty() {
            continue;
        }
        boards += 1;
        let verdict = case.judge(&mut judge);
        let dies = |point: Point| seki.contains(&point) && verdict.dead.contains(&point);
        let wrong = seki.iter().filter(|point| dies(**point)).count();
        stones += seki.len();
        living += seki.len() - wrong;
        if wrong > 0 {
            let drawn = case.draw(&verdict.dead, dies);
            let sure = verdict.clarity.least;
            misses.push(format!("{} ({wrong} wrong, {sure})\n{drawn}", case.id));
        }
    }
    tell(suite, boards - misses.len(), boards, &misses);
    println!("{living} of {stones} stones");
    Some((living, stones))
}

/// Moves that break a seki. The suite asks of a move whether to play it, which
/// playouts alone must know; what can be asked of the judge is that the stones
/// beside such a move live.
#[test]
fn around_a_nakade() {
    let beside = |case: &Case| {
        let expected = &case.value["expected"];
        if expected["breaks_nakade_seki"] != true {
            return BTreeSet::new();
        }
        let point = case.named(expected["move"].as_str().unwrap());
        let stones = case.board.neighbours(point).into_iter();
        stones
            .filter(|at| case.board.cell(*at).side().is_some())
            .flat_map(|at| case.board.chain(at))
            .collect()
    };
    if let Some((living, stones)) = kept("go/suite/pachi-nakade-seki.jsonl", beside) {
        assert!(living * 100 >= stones * 30, "{living} of {stones}");
    }
}

/// Boards that show how sekis are counted; their stones are drawn dead or alive
/// by hand, and some of the boards were never games.
#[test]
fn drawn_by_hand() {
    let drawn = |case: &Case| {
        let rows: Vec<&str> = texts(&case.value["expected"]["seki"]).collect();
        let in_seki = |point: &Point| {
            let (column, row) = case.board.place(*point);
            let row = rows.get(usize::from(row)).map(|row| row.as_bytes());
            row.is_some_and(|row| matches!(row[usize::from(column)], b'x' | b'o'))
        };
        case.board.points().filter(in_seki).collect()
    };
    if let Some((living, stones)) = kept("go/suite/goscorer-territory.jsonl", drawn) {
        assert!(living * 100 >= stones * 57, "{living} of {stones}");
    }
}
