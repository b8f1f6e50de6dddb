//! Corrections of written results, for people who mend archives. Nothing is
//! ever rewritten in place.

use std::borrow::Cow;

use super::{Encoder, Sink};
use crate::{
    game::Judgement,
    label::{Label, Schema, Status},
    outcome::{Ending, From, Outcome, Side},
};

/// A label must be this sure to correct a record.
const SURE: f32 = 0.95;

/// The sink of corrections.
pub(super) struct Fixes;

const COLUMNS: [&str; 6] = [
    "origin",
    "offset",
    "written",
    "suggested",
    "grounds",
    "confidence",
];

impl Sink for Fixes {
    fn name(&self) -> &'static str {
        "fixes"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn header(&self, _: &Schema) -> Vec<u8> {
        let mut out = Vec::new();
        write(&COLUMNS.map(Cow::Borrowed), &mut out);
        out
    }

    fn encoder(&self, _: &Schema) -> Box<dyn Encoder> {
        Box::new(Lines)
    }
}

struct Lines;

impl Encoder for Lines {
    fn row(&mut self, label: &Label<'_>, out: &mut Vec<u8>) {
        let Some(suggested) = suggestion(label) else {
            return;
        };
        let confidence = label.judgement.as_ref().and_then(|it| it.confidence);
        let fields = [
            Cow::Owned(label.origin.to_string()),
            Cow::Owned(label.offset.to_string()),
            Cow::Borrowed(&*label.recorded_text),
            Cow::Owned(suggested),
            Cow::Owned(grounds(label)),
            Cow::Owned(format!("{:.3}", confidence.unwrap_or_default())),
        ];
        write(&fields, out);
    }
}

/// Writes a line of CSV. Writing to memory cannot fail.
fn write(fields: &[Cow<'_, str>; 6], out: &mut Vec<u8>) {
    let mut writer = csv::Writer::from_writer(out);
    let _ = writer.write_record(fields.iter().map(|field| field.as_bytes()));
    let _ = writer.flush();
}

/// The result that a record should have, where the label is sure of it: the
/// written one differs from the board, or there is none though the play came to
/// its end. In the form of SGF (`B+3.5`, `W+`, `0`), in xiangqi in that of PGN
/// (`1-0`).
#[must_use]
pub fn suggestion(label: &Label<'_>) -> Option<String> {
    let judgement = label.judgement.as_ref()?;
    let sure = judgement
        .confidence
        .is_some_and(|confidence| confidence >= SURE);
    let ended = !matches!(judgement.ended, Ending::Open | Ending::Illegal);
    let wanted = label.status.is_mismatch() || label.status == Status::NoResult && ended;
    if !sure || !wanted || is_assumed(label, judgement) {
        return None;
    }
    let outcome = judgement.outcome?;
    // In xiangqi `W` and `B` are letters of Red and Black.
    if label.sides == ["red", "black"] {
        let text = match outcome {
            Outcome::Win(Side::First) => "1-0",
            Outcome::Win(Side::Second) => "0-1",
            Outcome::Draw => "1/2-1/2",
        };
        return Some(text.to_owned());
    }
    let letter = match outcome {
        Outcome::Win(Side::First) => 'B',
        Outcome::Win(Side::Second) => 'W',
        Outcome::Draw => return Some("0".to_owned()),
    };
    let margin = judgement.margin.map(|margin| margin.abs().to_string());
    Some(format!("{letter}+{}", margin.unwrap_or_default()))
}

/// Whether the result may be right all the same: where it fits other rules or
/// another komi, and those in use are only what kifu assumes of records that
/// name none.
fn is_assumed(label: &Label<'_>, judgement: &Judgement) -> bool {
    label.reasons.iter().any(|reason| match reason.word {
        "komi" => judgement.komi_from == From::Default,
        "rules" | "convention" | "false_eyes" | "seki" | "handicap_bonus" => {
            judgement.rules_from == From::Default
        }
        _ => false,
    })
}

/// Why: how the board was counted, and what would explain the written result.
fn grounds(label: &Label<'_>) -> String {
    let mut words = Vec::new();
    if let Some(judgement) = &label.judgement {
        words.extend(judgement.basis.map(|basis| basis.word().to_owned()));
        words.extend(judgement.convention.map(str::to_owned));
        words.push(format!("rules={}", judgement.rules));
        words.extend(judgement.komi.map(|komi| format!("komi={komi}")));
        words.extend(judgement.dead_from.map(|from| format!("dead={from}")));
    }
    words.extend(label.reasons.iter().map(ToString::to_string));
    words.join(";")
}
