//! The suites.

use super::*;

/// Positions of a suite whose dead stones are exactly those listed; points
/// about which the suite says nothing are left out.
fn exact(suite: &str) -> Option<(usize, usize)> {
    let cases = cases(suite)?;
    let mut judge = DeadStones::new();
    let mut misses = Vec::new();
    let mut all = 0;
    for case in &cases {
        let expected = &case.value["expected"];
        if expected["dead"].is_null() {
            continue;
        }
        all += 1;
        let dead = case.points(&expected["dead"]);
        let verdict = case.judge(&mut judge);
        let ownership: Vec<&str> = texts(&expected["ownership"]).collect();
        let differs = |point: Point| {
            let (column, row) = case.board.place(point);
            let owner = ownership.get(usize::from(row)).map(|text| text.as_bytes());
            let open = owner.is_some_and(|text| matches!(text[usize::from(column)], b'?' | b's'));
            !open && dead.contains(&point) != verdict.dead.contains(&point)
        };
        let wrong = case.board.points().filter(|point| differs(*point)).count();
        if wrong > 0 {
            let drawn = case.draw(&verdict.dead, differs);
            let sure = verdict.clarity.least;
            misses.push(format!("{} ({wrong} wrong, {sure})\n{drawn}", case.id));
        }
    }
    tell(suite, all - misses.len(), all, &misses);
    Some((all - misses.len(), all))
}

#[test]
fn finished_games() {
    let Some((good, all)) = exact("go/suite/ogs-finished-games.jsonl") else {
        return;
    };
    // 441 of 442 measured.
    assert!(good + 2 >= all, "{good} of {all}");
}

/// Missed are sekis in a corner and in a fight, and a game that is not finished.
#[test]
fn autoscore() {
    // 16 of 19 measured.
    if let Some((good, all)) = exact("go/suite/goban-autoscore.jsonl") {
        assert!(good >= 15, "{good} of {all}");
    }
}

#[test]
fn estimator() {
    // All 33 measured.
    if let Some((good, all)) = exact("go/suite/ogs-estimator.jsonl") {
        assert!(good >= 32, "{good} of {all}");
    }
}

/// What three engines say of real final positions. Where two agree against us,
/// most are right by the written result: groups that live or die by answers.
#[test]
fn engines() {
    let Some(cases) = cases("go/archives/engine-opinions.jsonl") else {
        return;
    };
    let mut judge = DeadStones::new();
    let (mut all, mut decided, mut like, mut misses) = (0, 0, [0; 4], Vec::new());
    // Every tenth: there are thousands.
    for case in cases.iter().step_by(10) {
        all += 1;
        let verdict = case.judge(&mut judge);
        let ours: BTreeSet<Point> = verdict.dead.iter().copied().collect();
        let lists = ["gnugo", "pachi", "katago"].map(|name| case.points(&case.value[name]["dead"]));
        let same = lists.iter().filter(|list| **list == ours).count();
        let majority = lists
            .iter()
            .find(|list| lists.iter().filter(|other| other == list).count() >= 2);
        like[same] += 1;
        decided += usize::from(majority.is_some());
        if let Some(majority) = majority
            && *majority != ours
        {
            let differs = |point: Point| majority.contains(&point) != ours.contains(&point);
            let wrong = case.board.points().filter(|point| differs(*point)).count();
            let drawn = case.draw(&verdict.dead, differs);
            misses.push(format!(
                "{} ({wrong} wrong, {})\n{drawn}",
                case.id, verdict.clarity.least
            ));
        }
    }
    let good = decided - misses.len();
    tell("engines, as a majority of them", good, decided, &misses);
    println!(
        "and with those on which no two agree: {} of {all}",
        all - misses.len()
    );
    println!("like none, one, two, three of the engines: {like:?}");
    assert!(good * 100 >= decided * 96, "{good} of {decided}");
}
