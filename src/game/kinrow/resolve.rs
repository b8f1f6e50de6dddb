//! Which rules and which board a record is judged under, and where each comes
//! from.

use super::rules::{FiveEye, Fouls, Rules};
use crate::{
    game::{
        Profile, RulesText, Settings,
        point::{self, Token},
        rules_of,
    },
    outcome::From,
    record::{Notation, Record, StepKind, Warning},
};

/// Sides of boards where nothing is said of the size: the first that has all
/// points of the record.
const USUAL_SIZES: [u8; 2] = [15, 20];

/// Finds rules for records under some settings.
#[derive(Debug)]
pub(super) struct Resolver {
    /// The preset of the game that was asked for.
    preset: Rules,
    forced: Option<(Rules, From)>,
    default: Option<(Rules, From)>,
    five_eye: Option<FiveEye>,
    fouls: Option<Fouls>,
    /// The text of rules met last, and what it says: records of one file mostly
    /// have the same.
    met: (Vec<u8>, Option<Rules>),
}

impl Resolver {
    /// A resolver for a game under some settings.
    ///
    /// # Errors
    /// The sentence about rules that cannot be read.
    pub(super) fn new(preset: Rules, settings: &Settings) -> Result<Self, String> {
        let parse = |setting: &Option<(String, From)>| match setting {
            Some((text, from)) => Rules::parse(text).map(|rules| Some((rules, *from))),
            None => Ok(None),
        };
        let choice = |what: &str, text: &str, known: &str| {
            format!("unknown {what} '{text}'; known are {known}")
        };
        let five_eye = match &settings.five_eye {
            None => None,
            Some(text) => {
                let known = FiveEye::of_word(text);
                Some(known.ok_or_else(|| choice("reading of threes", text, "rif, counts"))?)
            }
        };
        let fouls =
            match &settings.fouls {
                None => None,
                Some(text) => {
                    let known = Fouls::of_word(text);
                    Some(known.ok_or_else(|| {
                        choice("treatment of fouls", text, "strict, claimed, off")
                    })?)
                }
            };
        Ok(Self {
            preset,
            forced: parse(&settings.rules)?,
            default: parse(&settings.default_rules)?,
            five_eye,
            fouls,
            met: (Vec::new(), None),
        })
    }

    /// The rules of a record: those forced, else its profile's, else its own,
    /// else the default, else those of its game.
    pub(super) fn rules(
        &mut self,
        record: &Record<'_>,
        profile: Option<&Profile>,
        warnings: &mut Vec<Warning>,
    ) -> (Rules, From) {
        let (mut rules, from) = self.unswitched(record, profile, warnings);
        if rules.fouls != Fouls::Off {
            rules.fouls = self.fouls.unwrap_or(rules.fouls);
            rules.five_eye = self.five_eye.unwrap_or(rules.five_eye);
        }
        (rules, from)
    }

    fn unswitched(
        &mut self,
        record: &Record<'_>,
        profile: Option<&Profile>,
        warnings: &mut Vec<Warning>,
    ) -> (Rules, From) {
        let (met, any_number) = (&mut self.met, self.preset.preset == "kinrow");
        let read = |text: RulesText<'_>| match text {
            RulesText::Profile(text) => Rules::parse(text).ok(),
            RulesText::Record(written) => {
                if met.0 != written {
                    let text = record.text(written);
                    // Where any number in a row may be asked for, a number names no rules.
                    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
                    let known = !is_number || !any_number;
                    let rules = known.then(|| Rules::parse(&text).ok()).flatten();
                    *met = (written.to_vec(), rules);
                }
                met.1
            }
        };
        if let Some(found) = rules_of(self.forced, profile, record, warnings, read) {
            return found;
        }
        if let Some(default) = self.default {
            return default;
        }
        let tictactoe = record.size == Some((3, 3)) && self.preset.preset == "freestyle";
        let small = Rules::preset("tictactoe").filter(|_| tictactoe);
        (small.unwrap_or(self.preset), From::Default)
    }
}

/// Columns and rows: as the record says, else as usual, else as many as its
/// points need.
pub(super) fn size(record: &Record<'_>, rules: &Rules) -> (u8, u8) {
    if let Some(size) = record.size {
        return size;
    }
    let usual = match rules.preset {
        "tictactoe" => &[3][..],
        _ => &USUAL_SIZES,
    };
    let played = record
        .steps
        .iter()
        .filter(|step| matches!(step.kind, StepKind::Play(_) | StepKind::Place(_)));
    let needed = played
        .filter_map(|step| extent(step.token, record.notation))
        .fold(1, u8::max);
    let side = usual.iter().copied().find(|side| *side >= needed);
    let side = side.unwrap_or(needed);
    (side, side)
}

/// The least board that has a point.
fn extent(token: &[u8], notation: Notation) -> Option<u8> {
    const ALL: (u8, u8) = (52, 52);
    // A row from the bottom is a number that depends on no size.
    let by_name =
        |token| point::letters(token).map(|(column, row)| (column.saturating_add(1)).max(row));
    let extent = match notation {
        Notation::Letters { .. } => by_name(token.trim_ascii())?,
        _ => match point::parse(token, notation, ALL) {
            Token::At(column, row) => column.max(row) + 1,
            _ => by_name(token.trim_ascii())?,
        },
    };
    // `tt` is a pass.
    let is_pass = token == b"tt" && notation == Notation::Sgf;
    (extent <= 52 && !is_pass).then_some(extent)
}
