//! What an audit found, a line for each row, for people and `grep`.

use std::io::Write;

use super::{Encoder, Sink};
use crate::label::{Label, Schema, Status};

/// The sink of findings.
pub(super) struct Findings;

impl Sink for Findings {
    fn name(&self) -> &'static str {
        "findings"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn encoder(&self, _: &Schema) -> Box<dyn Encoder> {
        Box::new(Lines)
    }
}

struct Lines;

impl Encoder for Lines {
    fn row(&mut self, label: &Label<'_>, out: &mut Vec<u8>) {
        // Writing to memory cannot fail.
        let _ = write!(out, "{}: {}", label.origin, label.status.word());
        if label.status == Status::Broken {
            if let Some(error) = label.first_error() {
                let _ = write!(out, ": {}: {}", error.kind, error.message);
            }
        } else {
            let _ = write!(out, ": recorded {}", label.recorded_text);
        }
        let reasons: Vec<String> = label.reasons.iter().map(ToString::to_string).collect();
        if !reasons.is_empty() {
            let _ = write!(out, " ({})", reasons.join(", "));
        }
        out.push(b'\n');
    }
}
