//! The explanation for programs: the columns of the row under the keys of JSON
//! Lines, and what the judge tells.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use super::{super::jsonl, Explained};
use crate::{
    game::{Chain, Diagram, Explanation, Fate, Spot, Style},
    label::COLUMNS,
    outcome::{Points, Side},
    record::Place,
};

/// The explanation as one JSON object on one line; it ends with a line end.
#[must_use]
pub fn json(explained: &Explained<'_>) -> String {
    let mut text = serde_json::to_string(&Whole(explained)).unwrap_or_default();
    text.push('\n');
    text
}

struct Whole<'a>(&'a Explained<'a>);

impl Serialize for Whole<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for column in COLUMNS {
            jsonl::entry(&mut map, column, self.0.label)?;
        }
        for (key, value) in parts(self.0) {
            map.serialize_entry(key, &value)?;
        }
        map.end()
    }
}

/// What comes beside the columns, always all of it.
fn parts(explained: &Explained<'_>) -> [(&'static str, Value); 20] {
    let nothing = Explanation::default();
    let told = explained.told.unwrap_or(&nothing);
    let word = |side: Side| explained.label.side_word(side);
    let board = told.board.as_ref();
    let name = |at: Spot| board.map_or_else(String::new, |board| board.name(at));
    let groups = told.groups.iter().map(|group| {
        let mut value = chain(explained, &group.chain, &name);
        if let Some(fields) = value.as_object_mut() {
            fields.insert("territory".to_owned(), json!(group.territory));
            fields.insert("dead_taken".to_owned(), json!(group.taken));
            fields.insert("points".to_owned(), number(group.points));
        }
        value
    });
    let others = told.others.iter().map(|(what, [first, second])| {
        json!({
            "what": what,
            "first_points": number(*first),
            "second_points": number(*second),
        })
    });
    let counts = told.counts.iter().map(|count| {
        json!({
            "convention": count.convention,
            "first_points": number(count.points[0]),
            "second_points": number(count.points[1]),
            "lead": number(count.margin),
            "used": count.is_used,
            "as_recorded": count.is_recorded,
        })
    });
    let playing_on = told.playing_on.as_ref().map(|playing_on| {
        let moves = playing_on.moves.iter();
        let moves: Vec<Value> = moves
            .map(|(side, at)| json!({"side": word(*side), "point": name(*at)}))
            .collect();
        json!({
            "moves": moves,
            "changed": number(playing_on.changed),
            "believed": playing_on.disbelieved.is_none(),
            "why_not": playing_on.disbelieved,
        })
    });
    let foul = told
        .foul
        .map(|foul| json!({"shape": foul.word, "point": name(foul.at), "move": foul.number}));
    let forced = told
        .forced
        .as_ref()
        .map(|forced| json!({"winner": word(forced.winner), "moves": forced.moves}));
    let candidates = told.candidates.iter().map(|candidate| {
        json!({
            "eval": candidate.worth.text(),
            "line": candidate.worth.line,
        })
    });
    let repetition = told.repetition.map(|met| {
        json!({
            "times": met.times,
            "since": met.plies[0],
            "until": met.plies[1],
            "first": met.tiers[0],
            "second": met.tiers[1],
            "ends": met.ends,
        })
    });
    let pair = |pair: Option<[u32; 2]>| json!(pair);
    [
        ("charset", json!(explained.label.charset.name())),
        (
            "board",
            board.map_or(Value::Null, |board| diagram(explained, board)),
        ),
        ("position", json!(told.position)),
        ("to_move", json!(told.to_move.map(word))),
        ("legal", json!(told.legal.map(|(moves, _)| moves))),
        ("check", json!(told.legal.map(|(_, check)| check))),
        ("lines", json!(told.lines)),
        ("groups", groups.collect()),
        (
            "chains",
            told.chains
                .iter()
                .map(|it| chain(explained, it, &name))
                .collect(),
        ),
        ("additions", others.collect()),
        ("doubt", json!(told.doubt)),
        ("counts", counts.collect()),
        ("playing_on", json!(playing_on)),
        ("prisoners", pair(told.prisoners)),
        ("stones", pair(told.stones)),
        ("foul", json!(foul)),
        ("forced", json!(forced)),
        ("candidates", candidates.collect()),
        ("repetition", json!(repetition)),
        ("warned", warned(explained)),
    ]
}

/// Points as rows have them: whole, or with a fraction.
fn number(points: Points) -> Value {
    match points.is_whole() {
        true => json!(points.in_quarters() / 4),
        false => json!(f64::from(points.in_quarters()) / 4.0),
    }
}

fn chain(explained: &Explained<'_>, chain: &Chain, name: &dyn Fn(Spot) -> String) -> Value {
    let stones = chain.stones.iter().map(|at| name(*at));
    json!({
        "side": explained.label.side_word(chain.side),
        "at": name(chain.at),
        "stones": stones.collect::<Vec<_>>(),
        "fate": fate(chain.fate),
        "grounds": chain.grounds,
    })
}

const fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Seki => "seki",
        fate => fate.word(),
    }
}

/// The final position, and what is on its points.
fn diagram(explained: &Explained<'_>, board: &Diagram) -> Value {
    let names = |wanted: &dyn Fn(&crate::game::Cell) -> bool| -> Vec<String> {
        let points = board.points().filter(|(_, cell)| wanted(cell));
        points.map(|(at, _)| board.name(at)).collect()
    };
    let sign = |side: Option<Side>| side.map_or(0, Side::sign);
    let is_alive = |cell: &crate::game::Cell| cell.piece.is_some() && cell.fate != Some(Fate::Dead);
    let owned = |side: Side| names(&|cell| cell.owner == Some(side) && !is_alive(cell));
    let with = |fate: Fate| names(&|cell| cell.fate == Some(fate));
    let counted = |list: Vec<String>| match board.is_counted {
        true => json!(list),
        false => Value::Null,
    };
    let cells: Value = match board.style {
        Style::Stones => board
            .cells
            .iter()
            .map(|cell| json!(sign(cell.piece.map(|piece| piece.side))))
            .collect(),
        Style::Pieces => board
            .cells
            .iter()
            .map(|cell| json!(cell.piece.map(|piece| piece.letter)))
            .collect(),
    };
    let owners = board.is_counted.then(|| {
        let owners = board.cells.iter().map(|cell| sign(cell.owner));
        owners.collect::<Vec<_>>()
    });
    let forbidden = board.points().filter_map(|(at, cell)| {
        let (_, word) = cell.forbidden?;
        Some(json!({"point": board.name(at), "shape": word}))
    });
    let [first, second] = explained.label.sides;
    let style = match board.style {
        Style::Stones => "stones",
        Style::Pieces => "pieces",
    };
    let last = board.last;
    json!({
        "style": style,
        "sides": [first, second],
        "columns": board.columns,
        "rows": board.rows,
        "cells": cells,
        "owners": owners,
        "last": last.map(|(_, to)| board.name(to)),
        "last_from": last.and_then(|(from, _)| from).map(|from| board.name(from)),
        "dead": counted(with(Fate::Dead)),
        "unclear": counted(with(Fate::Unclear)),
        "seki": counted(with(Fate::Seki)),
        "first_territory": counted(owned(Side::First)),
        "second_territory": counted(owned(Side::Second)),
        "neutral": counted(names(&|cell| cell.owner.is_none() && !is_alive(cell))),
        "line": board.line.iter().map(|at| board.name(*at)).collect::<Vec<_>>(),
        "forbidden": forbidden.collect::<Vec<_>>(),
    })
}

/// The warnings of the row one by one, with their places.
fn warned(explained: &Explained<'_>) -> Value {
    let warnings = explained.label.all_warnings();
    let each = warnings.map(|warning| {
        let (byte, number) = match warning.place {
            Place::Record => (None, None),
            Place::Byte(at) => (Some(at), None),
            Place::Move(number) => (None, Some(number)),
        };
        json!({
            "word": warning.word,
            "value": warning.value,
            "byte": byte,
            "byte_in_file": explained.byte_in_file(warning),
            "move": number,
        })
    });
    each.collect()
}
