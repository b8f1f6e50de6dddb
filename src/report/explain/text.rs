//! The explanation for people: the board, what was judged of it, and the row in
//! words.

use super::{Explained, board};
use crate::{
    game::{Chain, Diagram, Explanation, Fate},
    label::Status,
    outcome::{Outcome, Points, Side},
};

/// How an explanation is to look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// With everything that was judged.
    pub verbose: bool,
    /// With the colours of a terminal.
    pub color: bool,
    /// The board in ASCII.
    pub letters: bool,
    /// Everything in ASCII, the board too.
    pub ascii: bool,
}

/// The explanation as text; it ends with a line end.
#[must_use]
pub fn text(explained: &Explained<'_>, look: Look) -> String {
    let mut text = String::new();
    if let Some(told) = explained.told {
        judged(explained, told, look, &mut text);
    }
    text.push('\n');
    row(explained, look, &mut text);
    if look.ascii && !text.is_ascii() {
        return in_ascii(&text);
    }
    text
}

/// Whatever is not ASCII, by its number.
fn in_ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.is_ascii() {
            true => plain.push(letter),
            false => plain.extend(letter.escape_unicode()),
        }
    }
    plain
}

fn end_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

/// What the judge tells.
fn judged(explained: &Explained<'_>, told: &Explanation, look: Look, text: &mut String) {
    if let Some(diagram) = &told.board {
        board::draw(diagram, look, text);
        if look.verbose && !told.groups.is_empty() {
            text.push('\n');
            groups(explained, told, diagram, text);
            if let Some(doubt) = &told.doubt {
                end_line(text, &format!("\n{doubt}"));
            }
        } else {
            for chain in &told.chains {
                end_line(text, &of_chain(explained, chain, diagram));
            }
        }
        text.push('\n');
    }
    for line in &told.lines {
        end_line(text, line);
    }
    for (candidate, letter) in told.candidates.iter().zip('a'..='z') {
        let (worth, line) = (candidate.worth.text(), candidate.worth.line.join(" "));
        end_line(text, &format!("candidate {letter}  {worth:>8}  {line}"));
    }
    let [first, second] = explained.label.sides;
    for count in &told.counts {
        let mark = match (count.is_used, count.is_recorded) {
            (true, true) => "  <- used, as recorded",
            (true, false) => "  <- used",
            (false, true) => "  <- as recorded",
            (false, false) => "",
        };
        let [own, other] = count.points.map(|points| points.to_string());
        let lead = explained.lead(Outcome::of_margin(count.margin), count.margin);
        let convention = count.convention;
        let line = format!("{convention:<18} {first} {own:>6}  {second} {other:>6}  {lead}{mark}");
        end_line(text, &line);
    }
    if look.verbose {
        playing_on(told, text);
    }
    if let Some([own, other]) = told.prisoners {
        let line = format!("{:<18} {first} {own}  {second} {other}", "prisoners");
        end_line(text, &line);
    }
}

/// A chain that does not just live.
pub(super) fn of_chain(explained: &Explained<'_>, chain: &Chain, diagram: &Diagram) -> String {
    let what = match chain.fate {
        Fate::Unclear => "unclear, left alive",
        fate => fate.word(),
    };
    let stones = with_s(&chain.stones.len().to_string(), "stone");
    format!(
        "{what}: {} {} ({stones}, {})",
        explained.label.side_word(chain.side),
        diagram.name(chain.at),
        chain.grounds,
    )
}

/// A number of things.
fn with_s(count: &str, what: &str) -> String {
    match count {
        "1" => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// The count, group by group.
fn groups(explained: &Explained<'_>, told: &Explanation, diagram: &Diagram, text: &mut String) {
    let [first, second] = explained.label.sides;
    let header = format!(
        "group             stones  territory  dead taken  {first:>6}  {second:>6}  status   decided by"
    );
    end_line(text, &header);
    let mut sums = [Points::ZERO; 2];
    for group in &told.groups {
        let chain = &group.chain;
        let mut points = [String::new(), String::new()];
        if chain.fate != Fate::Dead {
            points[chain.side.index()] = group.points.to_string();
        }
        sums[chain.side.index()] += group.points;
        let line = format!(
            "{} {:<10}  {:>6}  {:>9}  {:>10}  {:>6}  {:>6}  {:<7}  {}",
            explained.label.side_word(chain.side),
            diagram.name(chain.at),
            chain.stones.len(),
            group.territory,
            group.taken,
            points[0],
            points[1],
            chain.fate.word(),
            chain.grounds,
        );
        end_line(text, &line);
    }
    let mut add = |what: &str, points: [String; 2]| {
        let [own, other] = points;
        end_line(
            text,
            &format!("{what:<16}  {:>29}  {own:>6}  {other:>6}", ""),
        );
    };
    for (what, points) in &told.others {
        let shown = points.map(|points| match points {
            Points::ZERO => String::new(),
            _ => points.to_string(),
        });
        add(what, shown);
        for (sum, more) in sums.iter_mut().zip(points) {
            *sum += *more;
        }
    }
    add("together", sums.map(|sum| sum.to_string()));
}

/// What playing on from the position came to, move by move.
fn playing_on(told: &Explanation, text: &mut String) {
    let (Some(playing_on), Some(diagram)) = (&told.playing_on, &told.board) else {
        return;
    };
    let moves = playing_on.moves.iter().map(|(side, at)| {
        let who = match side {
            Side::First => 'B',
            Side::Second => 'W',
        };
        format!("{who} {}", diagram.name(*at))
    });
    let moves: Vec<String> = moves.collect();
    let mut line = format!(
        "{:<18} {}",
        "playing on",
        with_s(&moves.len().to_string(), "move")
    );
    if !moves.is_empty() {
        let changed = with_s(&playing_on.changed.to_string(), "point");
        line.push_str(&format!(", changes {changed}: {}", moves.join(", ")));
    }
    if let Some(why) = playing_on.disbelieved {
        line.push_str(&format!(" (not believed: {why})"));
    }
    end_line(text, &line);
}

/// Colours of a terminal for words that matter.
const GREEN: u8 = 32;
const RED: u8 = 31;
const YELLOW: u8 = 33;

fn colored(word: &str, color: u8, look: Look) -> String {
    match look.color {
        true => format!("\x1b[{color}m{word}\x1b[0m"),
        false => word.to_owned(),
    }
}

/// The row in words.
fn row(explained: &Explained<'_>, look: Look, text: &mut String) {
    let label = explained.label;
    let mut add = |line: &str| end_line(text, line);
    add(&format!(
        "record     {}  (byte {})",
        label.origin, label.offset
    ));
    if let Some(judgement) = &label.judgement {
        let komi = judgement.komi.map_or(String::new(), |komi| {
            let (from, handicap) = (judgement.komi_from.word(), judgement.handicap);
            format!("   komi {komi} (from {from})   handicap {handicap}")
        });
        add(&format!(
            "rules      {} (from {}){komi}",
            judgement.rules,
            judgement.rules_from.word(),
        ));
        add(&format!(
            "play       {} of {} moves replayed, ended: {}",
            judgement.plies,
            judgement.moves,
            judgement.ended.word()
        ));
        let confidence = judgement.confidence.map_or(String::new(), |confidence| {
            format!("   confidence {confidence:.3}")
        });
        add(&format!("board      {}{confidence}", explained.verdict()));
    }
    add(&format!("recorded   {}", explained.recorded()));
    let color = match label.status {
        Status::Agree => GREEN,
        Status::Broken | Status::WinnerDiffers | Status::MarginDiffers => RED,
        _ => YELLOW,
    };
    let status = colored(label.status.word(), color, look);
    add(&format!("status     {status}"));
    let reasons: Vec<String> = label.reasons.iter().map(ToString::to_string).collect();
    if !reasons.is_empty() {
        add(&listed("reasons", &reasons));
    }
    if let Some((outcome, from)) = label.value {
        add(&format!(
            "value      {} (from {})",
            outcome.value(),
            from.word()
        ));
    }
    add(&format!("text       {}", label.charset.name()));
    for warning in label.all_warnings() {
        let place = explained
            .byte_in_file(warning)
            .map_or(String::new(), |byte| format!("  (byte {byte} of the file)"));
        let warning = colored(&warning.to_string(), YELLOW, look);
        add(&format!("warning    {warning}{place}"));
    }
    if let Some(error) = label.first_error() {
        let kind = colored(error.kind, RED, look);
        add(&format!("error      {kind}: {}", error.message));
    }
}

/// Items behind a title, on lines that are not too wide.
fn listed(title: &str, items: &[String]) -> String {
    const WIDTH: usize = 80;
    let mut text = format!("{title:<10}");
    let mut width = text.len();
    for (place, item) in items.iter().enumerate() {
        let end = if place + 1 < items.len() { ";" } else { "" };
        let length = item.chars().count() + 1 + end.len();
        if place > 0 && width + length > WIDTH {
            text.push_str("\n          ");
            width = 10;
        }
        text.push(' ');
        text.push_str(item);
        text.push_str(end);
        width += length;
    }
    text
}
