//! The JSON Schema (draft 2020-12) of one row of JSON Lines, from the columns.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use crate::{
    format::FORMATS,
    game::{GAMES, go::Convention},
    label::{
        COLUMNS, Column, EXTRA_COLUMNS, Kind, MAX_RECORDED, RecordedKind, RepeatKind,
        SCHEMA_VERSION, Schema, Status, ValueFrom,
    },
    outcome::{Basis, Ending, From},
};

/// The schema of a row that has exactly the columns asked for, or any of
/// `--with`.
pub(super) fn of_row(asked: Option<&Schema>) -> impl Serialize {
    let extra = || EXTRA_COLUMNS.iter().flat_map(|(_, columns)| *columns);
    let (columns, required, groups) = match asked {
        Some(schema) => (schema.columns.clone(), schema.columns.clone(), Map::new()),
        None => (
            COLUMNS.iter().chain(extra()).collect(),
            COLUMNS.iter().collect(),
            groups(),
        ),
    };
    Row {
        columns,
        required: required.iter().map(|column| column.name).collect(),
        groups,
    }
}

/// Columns that one word of `--with` adds are there together.
fn groups() -> Map<String, Value> {
    let several = EXTRA_COLUMNS
        .iter()
        .filter(|(_, columns)| columns.len() > 1);
    let names = |columns: &[Column]| columns.iter().map(|it| it.name).collect::<Vec<_>>();
    several
        .flat_map(|(_, columns)| columns.iter().map(move |column| (column, *columns)))
        .map(|(column, columns)| (column.name.to_owned(), json!(names(columns))))
        .collect()
}

/// Keys in the order in which people read them.
struct Row {
    columns: Vec<&'static Column>,
    required: Vec<&'static str>,
    groups: Map<String, Value>,
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("$schema", "https://json-schema.org/draft/2020-12/schema")?;
        map.serialize_entry("$id", &format!("urn:kifu:{SCHEMA_VERSION}"))?;
        map.serialize_entry("title", SCHEMA_VERSION)?;
        map.serialize_entry(
            "description",
            "One row of kifu label --output-format jsonl: what the board says of a record, \
             next to what the record says.",
        )?;
        map.serialize_entry("type", "object")?;
        map.serialize_entry("properties", &Properties(&self.columns))?;
        map.serialize_entry("required", &self.required)?;
        map.serialize_entry("additionalProperties", &false)?;
        if !self.groups.is_empty() {
            map.serialize_entry("dependentRequired", &self.groups)?;
        }
        map.serialize_entry("allOf", &together())?;
        map.end()
    }
}

/// Columns that say something in the same rows: both are null, or neither is.
const TOGETHER: &[(&str, &str)] = &[
    ("rules", "rules_from"),
    ("komi", "komi_from"),
    ("winner", "basis"),
    ("first_points", "second_points"),
    ("dead_first", "dead_second"),
    ("value", "value_from"),
    ("error_kind", "error"),
];

fn together() -> Vec<Value> {
    let nothing = json!({"type": "null"});
    let both = |(one, other): &(&str, &str)| {
        let is_null = |name: &str| json!({"properties": {name: nothing}});
        json!({
            "if": is_null(one),
            "then": is_null(other),
            "else": {"properties": {*other: {"not": nothing}}},
        })
    };
    let broken = json!({
        "if": {"properties": {"status": {"const": Status::Broken.word()}}},
        "then": {"properties": {"error_kind": {"type": "string"}}},
    });
    TOGETHER.iter().map(both).chain([broken]).collect()
}

/// The columns, in the order of the row.
struct Properties<'a>(&'a [&'static Column]);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|column| (column.name, property(column))))
    }
}

/// What a column may hold.
fn property(column: &Column) -> Value {
    let mut property = Map::new();
    let mut put = |key: &str, value: Value| property.insert(key.to_owned(), value);
    put("description", json!(column.doc));
    let types: &[&str] = match column.kind {
        Kind::Text | Kind::Hash(_) => &["string"],
        Kind::Integer(..) => &["integer"],
        Kind::Points | Kind::Real => &["number"],
        Kind::Cells(_) => &["array"],
        Kind::Board => &["array", "string"],
    };
    let null = column.is_nullable().then_some("null");
    let types: Vec<&str> = types.iter().copied().chain(null).collect();
    match types.as_slice() {
        [one] => put("type", json!(one)),
        several => put("type", json!(several)),
    };
    match column.kind {
        Kind::Text => {
            put("minLength", json!(1));
        }
        Kind::Integer(least, most) => {
            put("minimum", json!(least));
            // No limit at all.
            if most < i64::MAX {
                put("maximum", json!(most));
            }
        }
        Kind::Points => {
            put("multipleOf", json!(0.25));
        }
        Kind::Real => {
            put("minimum", json!(0));
            put("maximum", json!(1));
        }
        Kind::Hash(bytes) => {
            put(
                "pattern",
                json!(format!("^[0-9a-f]{{{}}}$", 2 * u32::from(bytes))),
            );
        }
        Kind::Cells(most) => {
            put("items", cell(most));
            put("maxItems", json!(MOST_CELLS));
        }
        Kind::Board => {
            put("items", cell(1));
            put("maxItems", json!(MOST_CELLS));
            put("minLength", json!(1));
        }
    }
    if let Some(words) = words(column.name) {
        let null = column.is_nullable().then_some(Value::Null);
        put(
            "enum",
            words.into_iter().map(Value::from).chain(null).collect(),
        );
    }
    if let Some(pattern) = pattern(column.name) {
        put("pattern", json!(pattern));
    }
    match column.name {
        "margin" | "recorded_margin" => drop(put("minimum", json!(0))),
        "recorded" => drop(put("maxLength", json!(MAX_RECORDED))),
        _ => {}
    }
    Value::Object(property)
}

/// Points of the largest board.
const MOST_CELLS: u32 = 52 * 52;

fn cell(most: i8) -> Value {
    json!({"type": "integer", "minimum": -most, "maximum": most})
}

/// The words of a column that has no others.
fn words(column: &str) -> Option<Vec<&'static str>> {
    let from = |left_out: &[From]| {
        let all = From::ALL.iter().filter(|from| !left_out.contains(from));
        all.map(|from| from.word()).collect()
    };
    Some(match column {
        "game" => GAMES.iter().map(|game| game.name()).collect(),
        "format" => FORMATS.iter().map(|format| format.name()).collect(),
        "rules_from" => from(&[From::Scaled]),
        "komi_from" => from(&[]),
        "convention" => Convention::ALL.iter().map(|it| it.word()).collect(),
        "ended" => Ending::ALL.iter().map(|it| it.word()).collect(),
        "basis" => Basis::ALL.iter().map(|it| it.word()).collect(),
        "winner" | "recorded_winner" => winners(),
        "recorded_kind" => RecordedKind::ALL.iter().map(|it| it.word()).collect(),
        "dead_from" => vec!["none", "marked", "judged", "engine"],
        "status" => Status::ALL.iter().map(|it| it.word()).collect(),
        "value_from" => ValueFrom::ALL.iter().map(|it| it.word()).collect(),
        "duplicate_kind" => RepeatKind::ALL.iter().map(|it| it.word()).collect(),
        "split" => vec!["train", "validation", "test"],
        _ => return None,
    })
}

/// The words of the sides of every game, and that of a draw.
fn winners() -> Vec<&'static str> {
    let mut words = Vec::new();
    for word in GAMES.iter().flat_map(|game| game.sides()).chain(["draw"]) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// The form of a text that has one.
fn pattern(column: &str) -> Option<&'static str> {
    Some(match column {
        "size" => "^[1-9][0-9]?(x[1-9][0-9]?)?$",
        "error_kind" => "^[a-z][a-z0-9_]*$",
        "reasons" | "warnings" => "^[a-z][a-z0-9_]*([=@;].*)?$",
        "forbidden" => "^[a-z]+[0-9]+( [a-z]+[0-9]+)*$",
        _ => return None,
    })
}
