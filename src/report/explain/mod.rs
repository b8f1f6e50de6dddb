//! One record, explained: as text, as JSON, as a picture, as SGF. All of them
//! are made from the row and from what the judge tells.

mod board;
mod json;
mod sgf;
mod svg;
mod text;

pub use json::json;
pub use sgf::sgf;
pub use svg::svg;
pub use text::{Look, text};

use crate::{
    game::Explanation,
    label::Label,
    outcome::{Outcome, Points},
    record::{Place, Warning},
};

/// A row, and what the judge tells of it, where it was judged.
#[derive(Clone, Copy, Debug)]
pub struct Explained<'a> {
    /// The row.
    pub label: &'a Label<'a>,
    /// What the judge tells.
    pub told: Option<&'a Explanation>,
}

impl Explained<'_> {
    /// What the board says, in words: `black+3.5`, `white wins`.
    fn verdict(&self) -> String {
        let Some(judgement) = &self.label.judgement else {
            return "was not judged".to_owned();
        };
        match (judgement.outcome, judgement.margin) {
            (Some(Outcome::Draw), _) => "draw".to_owned(),
            (Some(outcome), Some(margin)) => self.lead(outcome, margin),
            (Some(outcome), None) => format!("{} wins", self.label.outcome_word(outcome)),
            _ => "does not decide".to_owned(),
        }
    }

    fn lead(&self, outcome: Outcome, margin: Points) -> String {
        match outcome {
            Outcome::Draw => "draw".to_owned(),
            outcome => format!("{}+{}", self.label.outcome_word(outcome), margin.abs()),
        }
    }

    /// The written result and what it was taken for.
    fn recorded(&self) -> String {
        let text = match &*self.label.recorded_text {
            "" => "nothing",
            text => text,
        };
        format!("{text} ({})", self.label.recorded.kind.word())
    }

    /// Where in its file a warning points to, in bytes.
    fn byte_in_file(&self, warning: &Warning) -> Option<u64> {
        match warning.place {
            Place::Byte(at) => Some(self.label.offset + u64::from(at)),
            Place::Record | Place::Move(_) => None,
        }
    }
}
