//! The explanation as SGF: the record's main line, and behind it a node that
//! says what was judged of the end.
//!
//! Nodes are written one by one by `sgf-parse`, so that no tree is built that
//! would be too deep to be dropped; lists are given to it in order, as its own
//! are sets without one.

use sgf_parse::{Color, SgfNode, SgfProp, SimpleText, unknown_game::Prop};

use super::{Explained, text::of_chain};
use crate::{
    game::{Cell, Diagram, Explanation, Fate, Play, Spot, Step, Style},
    label::{self, Hints, Recorded, RecordedKind},
    outcome::{Outcome, Points, Side},
    record::{Field, sgf_point},
};

/// So many nodes go on a line.
const NODES_ON_A_LINE: usize = 10;

/// The record and what was judged of it, as one game tree on lines of its own.
///
/// # Errors
/// One sentence where SGF cannot hold it.
pub fn sgf(explained: &Explained<'_>) -> Result<String, String> {
    let label = explained.label;
    let (Some(told), Some(judgement)) = (explained.told, &label.judgement) else {
        let why = label
            .first_error()
            .map_or("it was not judged", |error| &error.message);
        return Err(why.to_owned());
    };
    let steps = match (&told.play, &told.board) {
        (Play::Unwritable(why), _) => return Err(why.clone()),
        (Play::Steps(steps), Some(board)) if board.style == Style::Stones => steps,
        _ => return Err("there is no board of stones".to_owned()),
    };
    let mut tree = Tree::default();
    let setup = steps
        .iter()
        .position(|step| matches!(step, Step::Play(..)))
        .unwrap_or(steps.len());
    let (setup, line) = steps.split_at(setup);
    let mut root = root(explained, told, judgement.komi);
    root.extend(edits(setup));
    tree.node(root, true);
    let mut edited = Vec::new();
    for step in line {
        match step {
            Step::Set(..) => edited.push(*step),
            Step::Play(side, at) => {
                if !edited.is_empty() {
                    tree.node(edits(&edited), false);
                    edited.clear();
                }
                let at = at.map_or_else(String::new, point);
                tree.node(vec![played(*side, at)], false);
            }
        }
    }
    if !edited.is_empty() {
        tree.node(edits(&edited), false);
    }
    tree.node(verdict(explained, told), false);
    Ok(tree.end())
}

/// A game tree without variations.
#[derive(Default)]
struct Tree {
    text: String,
    nodes: usize,
}

impl Tree {
    fn node(&mut self, properties: Vec<Prop>, is_root: bool) {
        let written = SgfNode::new(properties, Vec::new(), is_root).serialize();
        // A tree of its own each: what is in the brackets is wanted.
        let inside = written
            .strip_prefix('(')
            .and_then(|it| it.strip_suffix(')'));
        self.text.push_str(if is_root { "(" } else { "" });
        if self.nodes % NODES_ON_A_LINE == 1 {
            self.text.push('\n');
        }
        self.text.push_str(inside.unwrap_or_default());
        self.nodes += 1;
    }

    fn end(mut self) -> String {
        self.text.push_str(")\n");
        self.text
    }
}

fn point((column, row): Spot) -> String {
    String::from_utf8_lossy(sgf_point(column, row)).into_owned()
}

fn played(side: Side, at: String) -> Prop {
    match side {
        Side::First => Prop::B(at),
        Side::Second => Prop::W(at),
    }
}

/// A property of points, or one whose value needs no escapes; none for no value.
fn list(name: &str, values: Vec<String>) -> Option<Prop> {
    (!values.is_empty()).then(|| Prop::Unknown(name.to_owned(), values))
}

/// Points set up: each as it is left.
fn edits(steps: &[Step]) -> Vec<Prop> {
    let mut points: Vec<(Spot, Option<Side>)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for step in steps {
        let Step::Set(side, at) = step else {
            continue;
        };
        let place = *places.entry(*at).or_insert_with(|| {
            points.push((*at, None));
            points.len() - 1
        });
        if let Some((_, stone)) = points.get_mut(place) {
            *stone = *side;
        }
    }
    // In the order of the record, which `game_hash` goes by.
    let mut sides: Vec<Option<Side>> = Vec::new();
    for (_, side) in &points {
        if !sides.contains(side) {
            sides.push(*side);
        }
    }
    let of = |wanted: Option<Side>| {
        let name = match wanted {
            Some(Side::First) => "AB",
            Some(Side::Second) => "AW",
            None => "AE",
        };
        let found = points.iter().filter(|(_, side)| *side == wanted);
        list(name, found.map(|(at, _)| point(*at)).collect())
    };
    sides.into_iter().filter_map(of).collect()
}

/// The root: how it is to be read, and what the record says of itself.
fn root(explained: &Explained<'_>, told: &Explanation, komi: Option<Points>) -> Vec<Prop> {
    let label = explained.label;
    let judgement = label.judgement.as_ref();
    let of_text = |name: &str, text: &str| {
        // A property with its escapes: what its own type makes of the text.
        Prop::new(name.to_owned(), vec![text.to_owned()])
    };
    let mut root = vec![
        Prop::FF(4),
        Prop::GM(if komi.is_some() { 1 } else { 4 }),
        of_text("CA", "UTF-8"),
    ];
    let program = label.written.as_ref().map(|written| written.program.trim());
    if let Some(program) = program.filter(|program| !program.is_empty()) {
        // Some profiles go by it. It has two parts in the standard.
        let (name, version) = program.split_once(':').unwrap_or((program, ""));
        let parts = [name, version].map(SimpleText::from);
        root.push(Prop::AP(parts.into()));
    }
    if let Some(judgement) = judgement {
        let (columns, rows) = judgement.size;
        root.extend(list(
            "SZ",
            vec![match columns == rows {
                true => columns.to_string(),
                false => format!("{columns}:{rows}"),
            }],
        ));
        root.push(of_text("RU", &judgement.rules));
    }
    if let Some(komi) = komi {
        // A bare zero is doubtful in records of some servers.
        let zero = komi == Points::ZERO;
        let komi = if zero {
            "0.0".to_owned()
        } else {
            komi.to_string()
        };
        root.extend(list("KM", vec![komi]));
    }
    let handicap = judgement.map_or(0, |judgement| judgement.handicap);
    if handicap > 1 {
        root.extend(list("HA", vec![handicap.to_string()]));
    }
    if komi.is_some() {
        // Read again, no profile has a say, and marks are as sure as what made them.
        let convention = judgement.and_then(|judgement| judgement.convention);
        let word = convention.filter(|_| told.is_set).unwrap_or("rules");
        let confidence = judgement.and_then(|judgement| judgement.confidence);
        let confidence = confidence.unwrap_or_default();
        root.extend(list("KC", vec![format!("{word}:{confidence:.6}")]));
    }
    for (field, text) in &label.fields {
        let name = match field {
            Field::Date => "DT",
            Field::FirstPlayer => "PB",
            Field::SecondPlayer => "PW",
            Field::FirstRank => "BR",
            Field::SecondRank => "WR",
            Field::Event => "EV",
            Field::Server => "PC",
        };
        let is_new = !root.iter().any(|known| known.identifier() == name);
        if is_new && !text.is_empty() {
            root.push(of_text(name, text));
        }
    }
    let result = result(explained);
    if !result.is_empty() {
        root.push(of_text("RE", &result));
    }
    root
}

/// The result as the record has it; as SGF has it where the text alone would be
/// read otherwise.
fn result(explained: &Explained<'_>) -> String {
    let label = explained.label;
    let text = label.recorded_text.trim();
    let judgement = label.judgement.as_ref();
    let has_margins = judgement.is_some_and(|judgement| judgement.komi.is_some());
    let again = match has_margins {
        true => {
            let hints = Hints {
                zi_fractions: judgement.is_some_and(|it| it.rules.contains("chinese")),
                // Its code is one by the program that is written too.
                fox: label.recorded.kind == RecordedKind::Sentinel,
                red_first: false,
            };
            label::parse_result(text, hints)
        }
        false => label::parse_outcome(text, None, false),
    };
    let same = |one: &Recorded, two: &Recorded| {
        (one.winner, one.margin, one.kind) == (two.winner, two.margin, two.kind)
    };
    if text.is_empty() || same(&again, &label.recorded) {
        return text.to_owned();
    }
    let side = match label.recorded.winner {
        Some(Side::First) => "B+",
        Some(Side::Second) => "W+",
        None => "",
    };
    let margin = label.recorded.margin;
    match (label.recorded.kind, side) {
        (RecordedKind::Draw, _) => "0".to_owned(),
        (RecordedKind::Void, _) => "Void".to_owned(),
        (RecordedKind::Score, side) if !side.is_empty() => {
            format!("{side}{}", margin.unwrap_or_default())
        }
        (RecordedKind::Resign, side) if !side.is_empty() => format!("{side}R"),
        (RecordedKind::Time, side) if !side.is_empty() => format!("{side}T"),
        (RecordedKind::Forfeit, side) if !side.is_empty() => format!("{side}F"),
        (RecordedKind::Win, side) if !side.is_empty() => side.to_owned(),
        _ => "?".to_owned(),
    }
}

/// The node behind the last move.
fn verdict(explained: &Explained<'_>, told: &Explanation) -> Vec<Prop> {
    let mut node = Vec::new();
    match told.to_move {
        Some(Side::First) => node.push(Prop::PL(Color::Black)),
        Some(Side::Second) => node.push(Prop::PL(Color::White)),
        None => {}
    }
    if let Some(board) = &told.board {
        node.extend(marks(explained, board));
    }
    let comment = comment(explained, told);
    node.push(Prop::C(comment.as_str().into()));
    node
}

/// Territory, where the board decides by it, and marks on what is dead, wins or
/// was forbidden.
fn marks(explained: &Explained<'_>, board: &Diagram) -> Vec<Prop> {
    let judgement = explained.label.judgement.as_ref();
    let is_decided = judgement.is_some_and(|judgement| {
        judgement.outcome.is_some() && judgement.dead_from != Some("none")
    });
    let is_area = judgement
        .and_then(|judgement| judgement.convention)
        .is_some_and(|convention| convention.starts_with("area"));
    let points = |wanted: &dyn Fn(&Cell) -> bool| -> Vec<String> {
        let found = board.points().filter(|(_, cell)| wanted(cell));
        found.map(|(at, _)| point(at)).collect()
    };
    let is_dead = |cell: &Cell| cell.fate == Some(Fate::Dead);
    let owned = |side: Side| {
        points(&|cell| match cell.piece {
            // Dead where it is nobody's point too: else it would live again.
            Some(piece) if is_dead(cell) => piece.side != side,
            // What is counted by area are stones as well.
            Some(piece) => is_area && piece.side == side && cell.owner == Some(side),
            None => cell.owner == Some(side),
        })
    };
    let mut marks = Vec::new();
    if board.is_counted && is_decided {
        marks.extend(list("TB", owned(Side::First)));
        marks.extend(list("TW", owned(Side::Second)));
    }
    let mut crossed = points(&is_dead);
    if let Some(foul) = explained.told.and_then(|told| told.foul) {
        crossed.push(point(foul.at));
    }
    marks.extend(list("MA", crossed));
    let line = board.line.iter().map(|at| point(*at));
    marks.extend(list("CR", line.collect()));
    marks
}

/// The verdict in words.
fn comment(explained: &Explained<'_>, told: &Explanation) -> String {
    let label = explained.label;
    let [first, second] = label.sides;
    let confidence = label
        .judgement
        .as_ref()
        .and_then(|judgement| judgement.confidence)
        .map_or(String::new(), |confidence| {
            format!(", confidence {confidence:.3}")
        });
    let mut lines = vec![
        format!("board: {}{confidence}", explained.verdict()),
        format!("recorded: {}", explained.recorded()),
        format!("status: {}", label.status.word()),
    ];
    let reasons: Vec<String> = label.reasons.iter().map(ToString::to_string).collect();
    if !reasons.is_empty() {
        lines.push(format!("reasons: {}", reasons.join("; ")));
    }
    lines.extend(told.lines.iter().cloned());
    if let Some(board) = &told.board {
        let chains = told.chains.iter();
        lines.extend(chains.map(|chain| of_chain(explained, chain, board)));
    }
    for count in &told.counts {
        let lead = explained.lead(Outcome::of_margin(count.margin), count.margin);
        let used = if count.is_used { " (used)" } else { "" };
        let [own, other] = count.points;
        let convention = count.convention;
        lines.push(format!(
            "{convention}: {first} {own}, {second} {other}, {lead}{used}"
        ));
    }
    lines.join("\n")
}
