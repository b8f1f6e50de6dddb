//! What was found, as a table for people.

use std::fmt::Write;

use super::{Candidate, Finding, Key, Shares, Verdict, propose::rounded_up};
use crate::{
    game::Rounding,
    game::go::{Bonus, Convention},
    outcome::Points,
};

/// The widest name of a group.
const MAX_NAME: usize = 54;

const HEAD: [&str; 8] = [
    "group", "records", "chosen", "held out", "winner", "control", "p", "verdict",
];

type Row = [String; HEAD.len()];

/// What is used today and the two best candidates of every group, at most 120
/// signs wide; groups of too few records are one line, unless `each` is wanted.
#[must_use]
pub fn table(findings: &[Finding], each: bool) -> String {
    let mut rows = vec![HEAD.map(str::to_owned)];
    let is_shown = |finding: &&Finding| each || finding.verdict != Verdict::TooFew;
    for finding in findings.iter().filter(is_shown) {
        rows.extend(lines(finding));
    }
    let others: Vec<&Finding> = findings.iter().filter(|it| !is_shown(it)).collect();
    if !others.is_empty() {
        let sum =
            |part: &dyn Fn(&Finding) -> usize| -> usize { others.iter().map(|it| part(it)).sum() };
        let mut row = Row::default();
        row[0] = match others.len() {
            1 => "1 other group".to_owned(),
            count => format!("{count} other groups"),
        };
        row[1] = sum(&Finding::records).to_string();
        row[2] = percent(sum(&|it| it.today.chosen), sum(&|it| it.sizes[0]));
        row[3] = percent(sum(&|it| it.today.held_out), sum(&|it| it.sizes[1]));
        row[4] = percent(sum(&|it| it.today.winners), sum(&Finding::records));
        Verdict::TooFew.word().clone_into(&mut row[7]);
        rows.push(row);
    }
    let widths: Vec<usize> = (0..HEAD.len())
        .map(|column| {
            rows.iter()
                .map(|row| width(&row[column]))
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let blanks = " ".repeat(width - self::width(cell));
            let is_text = column == 0 || column == HEAD.len() - 1;
            let (before, after) = if is_text {
                ("", &*blanks)
            } else {
                (&*blanks, "")
            };
            let gap = if column == 0 { "" } else { "  " };
            // Writing to a string cannot fail.
            let _ = write!(line, "{gap}{before}{cell}{after}");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Columns of a text: wide letters take two.
fn width(text: &str) -> usize {
    text.chars()
        .map(|c| if c >= '\u{1100}' { 2 } else { 1 })
        .sum()
}

fn percent(part: usize, all: usize) -> String {
    match all {
        0 => "-".to_owned(),
        _ => format!("{:.1}", part as f64 * 100.0 / all as f64),
    }
}

/// The lines of a group: its name, what is used today, what fits best.
fn lines(finding: &Finding) -> Vec<Row> {
    let [chosen, held_out] = finding.sizes;
    let is_tried = finding.verdict != Verdict::TooFew;
    let mut head = Row::default();
    head[0] = short(&finding.key);
    head[1] = finding.records().to_string();
    if is_tried {
        head[5] = format!("{:.1}", finding.control * 100.0);
    }
    if finding.p < 1.0 {
        head[6] = format!("<{}", rounded_up(finding.p));
    }
    finding.verdict.word().clone_into(&mut head[7]);
    if finding.together {
        head[7].push_str(" together");
    }
    let komi = finding.komi.map_or_else(
        || "various".to_owned(),
        |komi| Points::quarters(komi).to_string(),
    );
    let way = |name: &str, way: &str, shares: Shares| {
        let mut row = Row::default();
        row[0] = format!("  {name:<7}{way}");
        row[2] = percent(shares.chosen, chosen);
        row[3] = percent(shares.held_out, held_out);
        row[4] = percent(shares.winners, chosen + held_out);
        row
    };
    let used = format!("{}, komi {komi}", convention_word(finding.convention));
    let mut rows = vec![head, way("used", &used, finding.today)];
    if is_tried {
        for (name, (candidate, shares)) in ["best", "second"].iter().zip(finding.best) {
            rows.push(way(name, &described(&candidate), shares));
        }
    }
    rows
}

fn convention_word(place: usize) -> &'static str {
    Convention::ALL.get(place).map_or("", |it| it.word())
}

/// What a candidate changes.
fn described(candidate: &Candidate) -> String {
    let mut parts = Vec::new();
    if let Some(place) = candidate.convention {
        parts.push(convention_word(place).to_owned());
    }
    if let Some(komi) = candidate.komi {
        parts.push(format!("komi {}", Points::quarters(komi)));
    }
    match candidate.rounding {
        Some(Rounding::Up) => parts.push("rounded up".to_owned()),
        Some(Rounding::Down) => parts.push("rounded down".to_owned()),
        Some(Rounding::None) | None => {}
    }
    if let Some(bonus) = candidate.bonus.and_then(|place| Bonus::ALL.get(place)) {
        parts.push(format!("bonus {}", bonus.word()));
    }
    match parts.is_empty() {
        true => "as used".to_owned(),
        false => parts.join(", "),
    }
}

/// A group by its marks; what is too long is cut in front.
fn short(key: &Key) -> String {
    let mut name = if key.place.is_empty() {
        "."
    } else {
        &*key.place
    }
    .to_owned();
    for (word, value) in [("", &key.program), ("RU ", &key.rules), ("KM ", &key.komi)] {
        if !value.is_empty() {
            let value: String = value.chars().take(16).collect();
            let _ = write!(name, " {word}{}", value.replace(char::is_control, " "));
        }
    }
    name.push_str(match key.handicap {
        0 => "",
        1 => " HA1",
        _ => " HA",
    });
    if width(&name) <= MAX_NAME {
        return name;
    }
    let mut left = MAX_NAME - 1;
    let end = name.char_indices().rev().find(|(_, letter)| {
        let width = width(letter.encode_utf8(&mut [0; 4]));
        let fits = width <= left;
        left = left.saturating_sub(width);
        !fits
    });
    let start = end.map_or(0, |(at, letter)| at + letter.len_utf8());
    format!("…{}", &name[start..])
}

/// How many counted records fit now, and would with the proposals.
#[must_use]
pub fn totals(findings: &[Finding]) -> String {
    let all: usize = findings.iter().map(Finding::records).sum();
    let sum = |part: &dyn Fn(&Finding) -> usize| -> f64 {
        findings.iter().map(part).sum::<usize>() as f64 * 100.0 / all.max(1) as f64
    };
    let exact = |shares: Shares| shares.chosen + shares.held_out;
    let proposed = findings.iter().filter(|it| it.verdict == Verdict::Proposed);
    format!(
        "{all} counted records, groups {}, proposals {}\n\
         today           {:5.1} % exact  {:5.1} % winner\n\
         with proposals  {:5.1} % exact  {:5.1} % winner\n",
        findings.len(),
        proposed.count(),
        sum(&|it| exact(it.today)),
        sum(&|it| it.today.winners),
        sum(&|it| exact(it.followed())),
        sum(&|it| it.followed().winners),
    )
}
