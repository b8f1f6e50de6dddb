//! The suites.

use super::*;

/// Prints how a suite went.
fn tell(suite: &str, good: usize, all: usize, misses: &[String]) {
    for miss in misses {
        println!("{miss}");
    }
    println!("{suite}: {good} of {all}");
}

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
            let sure = verdict.confidence;
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
    // 440 of 442 measured.
    assert!(good + 3 >= all, "{good} of {all}");
}

#[test]
fn autoscore() {
    // 15 of 19 measured.
    if let Some((good, all)) = exact("go/suite/goban-autoscore.jsonl") {
        assert!(good >= 14, "{good} of {all}");
    }
}

#[test]
fn estimator() {
    // All 33 measured.
    if let Some((good, all)) = exact("go/suite/ogs-estimator.jsonl") {
        assert!(good >= 32, "{good} of {all}");
    }
}

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
                case.id, verdict.confidence
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
    assert!(good * 100 >= decided * 95, "{good} of {decided}");
}

#[test]
fn status() {
    let Some(cases) = cases("go/suite/pachi-status.jsonl") else {
        return;
    };
    let mut judge = DeadStones::new();
    let mut misses = Vec::new();
    for case in &cases {
        let verdict = case.judge(&mut judge);
        let mut wrong = Vec::new();
        for (name, status) in case.value["expected"]["status"].as_object().unwrap() {
            let point = case.named(name);
            let status = status.as_str().unwrap();
            let cell = case.board.cell(point);
            let owner = match cell.side() {
                Some(side) if verdict.dead.contains(&point) => Some(side.other()),
                Some(side) => Some(side),
                None => {
                    let owner = verdict.ownership[usize::from(point)];
                    if owner.abs() < 0.35 {
                        None
                    } else if owner > 0.0 {
                        Some(Side::First)
                    } else {
                        Some(Side::Second)
                    }
                }
            };
            let wanted = match status {
                "X" | "x" => Some(Side::First),
                "O" | "o" => Some(Side::Second),
                // Both live in a seki.
                ":" => cell.side(),
                _ => continue,
            };
            if owner != wanted {
                wrong.push(format!(
                    "{name} {status} {:.2}",
                    verdict.ownership[usize::from(point)]
                ));
            }
        }
        if !wrong.is_empty() {
            let named: Vec<Point> = wrong
                .iter()
                .map(|text| case.named(text.split(' ').next().unwrap()))
                .collect();
            let drawn = case.draw(&verdict.dead, |point| named.contains(&point));
            misses.push(format!(
                "{} {} {:?}\n{drawn}",
                case.id, case.value["inverted"], wrong
            ));
        }
    }
    let (good, all) = (cases.len() - misses.len(), cases.len());
    tell("pachi-status", good, all, &misses);
    // 24 of 38 measured.
    assert!(good >= 23, "{good} of {all}");
}

#[test]
fn dragons() {
    let Some(cases) = cases("go/suite/gnugo-dragonstatus.jsonl") else {
        return;
    };
    let mut judge = DeadStones::new();
    let (mut good, mut all, mut misses) = (0, 0, Vec::new());
    for case in &cases {
        let verdict = case.judge(&mut judge);
        for (name, status) in case.value["expected"]["status"].as_object().unwrap() {
            let status = status.as_str().unwrap();
            let word = status.split(' ').next().unwrap();
            let point = case.named(name);
            let dead = verdict.dead.contains(&point);
            let fits = match word {
                "alive" => !dead,
                "dead" => dead,
                _ => continue,
            };
            all += 1;
            good += usize::from(fits);
            if !fits {
                let drawn = case.draw(&verdict.dead, |at| at == point);
                misses.push(format!("{} {name} {status}\n{drawn}", case.id));
            }
        }
    }
    tell("gnugo-dragonstatus", good, all, &misses);
    // 27 of 31 measured.
    assert!(good >= 26, "{good} of {all}");
}
