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
    assert!(good * 100 > all * 95);
}

#[test]
fn autoscore() {
    exact("go/suite/goban-autoscore.jsonl");
}

#[test]
fn estimator() {
    exact("go/suite/ogs-estimator.jsonl");
}

#[test]
fn engines() {
    let Some(cases) = cases("go/archives/engine-opinions.jsonl") else {
        return;
    };
    let mut judge = DeadStones::new();
    let (mut all, mut like, mut misses) = (0, [0; 4], Vec::new());
    for case in &cases {
        all += 1;
        let verdict = case.judge(&mut judge);
        let ours: BTreeSet<Point> = verdict.dead.iter().copied().collect();
        let lists = ["gnugo", "pachi", "katago"].map(|name| case.points(&case.value[name]["dead"]));
        let same = lists.iter().filter(|list| **list == ours).count();
        let majority = lists
            .iter()
            .find(|list| lists.iter().filter(|other| other == list).count() >= 2);
        like[same] += 1;
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
    tell("engines", all - misses.len(), all, &misses);
    println!("like none, one, two, three of the engines: {like:?}");
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
    tell(
        "pachi-status",
        cases.len() - misses.len(),
        cases.len(),
        &misses,
    );
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
}

#[test]
#[ignore = "prints what judging costs"]
fn cost() {
    for (group, cases) in [
        ("finished", cases("go/suite/ogs-finished-games.jsonl")),
        ("archives", cases("go/archives/engine-opinions.jsonl")),
    ] {
        for size in [9, 19] {
            let mut judge = DeadStones::new();
            let mut times: Vec<f64> = Vec::new();
            let mut settled = [0; 3];
            for case in cases
                .iter()
                .flatten()
                .filter(|case| case.board.size().0 == size)
            {
                let start = cpu();
                let verdict = case.judge(&mut judge);
                times.push((cpu() - start) * 1e3);
                for point in case.board.points() {
                    if case.board.cell(point) != Cell::Empty {
                        settled[verdict.grounds[usize::from(point)] as usize] += 1;
                    }
                }
            }
            times.sort_by(f64::total_cmp);
            let all: f64 = times.iter().sum();
            let count = times.len().max(1);
            let at = |part: f64| {
                times
                    .get((part * count as f64) as usize)
                    .copied()
                    .unwrap_or(0.0)
            };
            println!(
                "{group} {size}: n={count} mean={:.2} ms median={:.2} p95={:.2} p99={:.2} max={:.2} grounds={settled:?}",
                all / count as f64,
                at(0.5),
                at(0.95),
                at(0.99),
                at(0.9999)
            );
        }
    }
}

#[test]
#[ignore = "shows one position"]
fn one() {
    let (file, id) = (
        std::env::var("SUITE").unwrap(),
        std::env::var("ID").unwrap(),
    );
    for case in cases(&file)
        .iter()
        .flatten()
        .filter(|case| case.id.contains(&id))
    {
        let verdict = case.judge(&mut DeadStones::new());
        println!("{}\n{}", case.id, case.draw(&verdict.dead, |_| false));
        let (columns, rows) = case.board.size();
        for row in 0..rows {
            for column in 0..columns {
                let at = usize::from(case.board.point(column, row));
                let sign = ['=', '-', ' '][verdict.grounds[at] as usize];
                print!("{:4.0}{sign}", 100.0 * verdict.ownership[at]);
            }
            println!();
        }
    }
}

/// Seconds of processor time of this thread.
fn cpu() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split(' ').next().and_then(|text| text.parse().ok());
    first.unwrap_or(0.0) / 1e9
}
