//! What other programs' tests say of single stones and points.

use super::*;

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
    // Missed are semeai, bent fours, and sekis.
    assert!(good * 100 >= all * 75, "{good} of {all}");
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
    // Missed are groups in corners that live or die by answers.
    assert!(good * 100 >= all * 84, "{good} of {all}");
}

/// Points that GNU Go settles for good. Those it leaves undecided are left out:
/// our judge goes on where it stops.
#[test]
fn unconditional() {
    let Some(cases) = cases("go/suite/gnugo-unconditional.jsonl") else {
        return;
    };
    let mut judge = DeadStones::new();
    let (mut good, mut all, mut misses) = (0, 0, Vec::new());
    for case in &cases {
        let verdict = case.judge(&mut judge);
        let mut wrong = Vec::new();
        for (name, status) in case.value["expected"]["status"].as_object().unwrap() {
            let point = case.named(name);
            let owner = verdict.ownership[usize::from(point)];
            let fits = match status.as_str().unwrap() {
                "alive" => !verdict.dead.contains(&point),
                "dead" => verdict.dead.contains(&point),
                "black_territory" => owner > 0.0,
                "white_territory" => owner < 0.0,
                _ => continue,
            };
            all += 1;
            good += usize::from(fits);
            if !fits {
                wrong.push(point);
            }
        }
        if !wrong.is_empty() {
            let drawn = case.draw(&verdict.dead, |point| wrong.contains(&point));
            misses.push(format!("{} ({} wrong)\n{drawn}", case.id, wrong.len()));
        }
    }
    tell("gnugo-unconditional", good, all, &misses);
    assert!(good * 100 >= all * 98, "{good} of {all}");
}

/// What KataGo holds to be a side's whatever happens is so for our judge too.
///
/// Only that part of the suite is about which stones are dead; its areas are
/// compared where counting is tested. Two of its boards lack stones that their
/// test adds, and say nothing here.
#[test]
fn pass_alive_areas() {
    let Some(cases) = cases("go/suite/katago-area.jsonl") else {
        return;
    };
    let mut judge = DeadStones::new();
    let (mut good, mut all, mut misses) = (0, 0, Vec::new());
    for case in &cases {
        if ["katago-area/84b58d9e", "katago-area/70ac790a"].contains(&case.id.as_str()) {
            continue;
        }
        for mode in case.value["expected"]["area_modes"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let on = |switch: &str| mode[switch] == 1;
            if on("safe_big") || on("unsafe_big") || on("non_pass_alive_stones") {
                continue;
            }
            let verdict = judge.judge(&case.board, on("suicide"));
            let area: Vec<&str> = texts(&mode["area"]).collect();
            let differs = |point: Point| {
                let (column, row) = case.board.place(point);
                let owner = match area[usize::from(row)].as_bytes()[usize::from(column)] {
                    b'X' => Side::First,
                    b'O' => Side::Second,
                    _ => return false,
                };
                match case.board.cell(point).side() {
                    Some(side) => verdict.dead.contains(&point) == (side == owner),
                    None => verdict.ownership[usize::from(point)] * owner.sign() as f32 <= 0.0,
                }
            };
            all += 1;
            let wrong = case.board.points().filter(|point| differs(*point)).count();
            good += usize::from(wrong == 0);
            if wrong > 0 {
                let drawn = case.draw(&verdict.dead, differs);
                misses.push(format!("{} ({wrong} wrong)\n{drawn}", case.id));
            }
        }
    }
    tell("katago-area, for good", good, all, &misses);
    assert_eq!(good, all);
}

/// Stones that float in enemy territory are dead.
#[test]
fn floating_stones() {
    let Some(cases) = cases("go/suite/deadstones.jsonl") else {
        return;
    };
    let mut judge = DeadStones::new();
    let mut misses = Vec::new();
    for case in &cases {
        let verdict = case.judge(&mut judge);
        let floating = case.points(&case.value["expected"]["floating_stones"]);
        let missed = |point: Point| floating.contains(&point) && !verdict.dead.contains(&point);
        if floating.iter().any(|point| missed(*point)) {
            misses.push(format!("{}\n{}", case.id, case.draw(&verdict.dead, missed)));
        }
    }
    tell(
        "deadstones",
        cases.len() - misses.len(),
        cases.len(),
        &misses,
    );
    assert!(misses.is_empty());
}

/// A group with two eyes lives. Of the others the suite does not say whether
/// they do.
#[test]
fn two_eyes() {
    let Some(cases) = cases("go/suite/pachi-two-eyes.jsonl") else {
        return;
    };
    let mut judge = DeadStones::new();
    let (mut all, mut misses) = (0, Vec::new());
    for case in &cases {
        let expected = &case.value["expected"];
        if expected["two_eyes"] != true {
            continue;
        }
        all += 1;
        let group = case.named(expected["group"].as_str().unwrap());
        let verdict = case.judge(&mut judge);
        let mean = verdict.ownership[usize::from(group)].abs();
        if verdict.dead.contains(&group) {
            let drawn = case.draw(&verdict.dead, |point| point == group);
            misses.push(format!("{} {mean:.2}\n{drawn}", case.id));
        }
    }
    tell("pachi-two-eyes", all - misses.len(), all, &misses);
    assert!(misses.is_empty());
}
