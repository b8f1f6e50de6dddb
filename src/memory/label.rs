//! A label that keeps nothing borrowed.

use crate::{
    label::{self as row, Status},
    outcome::{Basis, Points},
};

/// What is known of one record: what it claims, what its board says, and how the
/// two compare. Fields are those of the columns of a row; words are spelled as
/// there.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Label {
    /// Which record it is: the name of the bytes, `!` and the member if they are
    /// packed, and `#` and its place, from 1, if it is not the first.
    pub origin: String,
    /// Bytes before the record in its file.
    pub offset: u64,
    /// The record's own id, where its format has one.
    pub record_id: Option<String>,
    /// The game, such as `go`, `renju` or `xiangqi`; empty where it is not known.
    pub game: &'static str,
    /// The format, such as `sgf`; empty where it is not known.
    pub format: &'static str,
    /// How record and board compare.
    pub status: Status,
    /// Columns and rows of the board.
    pub size: Option<(u8, u8)>,
    /// The rules that it was judged by.
    pub rules: Option<String>,
    /// Points to the second player, as used.
    pub komi: Option<f64>,
    /// Moves on the main line, passes included.
    pub moves: Option<u32>,
    /// The result as the record writes it; empty where it writes none.
    pub recorded: String,
    /// Who won by the record: `black`, `white` or `draw`; in xiangqi `red`, `black`
    /// or `draw`.
    pub recorded_winner: Option<&'static str>,
    /// By how many points, where the record says.
    pub recorded_margin: Option<f64>,
    /// Who won by the board, in the same words; nothing where it does not decide.
    pub winner: Option<&'static str>,
    /// By how many points: a multiple of a quarter.
    pub margin: Option<f64>,
    /// On what grounds, such as `count`, `line` or `mate`.
    pub basis: Option<&'static str>,
    /// Stones of the first and the second player that were judged dead, in Go.
    pub dead: Option<[u32; 2]>,
    /// The measured probability that winner and margin are what strong players
    /// agree on.
    pub confidence: Option<f32>,
    /// What would reconcile the two and what describes the end:
    /// `word[=value][@where]`.
    pub reasons: Vec<String>,
    /// What to train on: 1 the first player won, 0 draw, -1 the second. From the
    /// board or the record, whichever is to be believed.
    pub value: Option<i8>,
    /// The signed margin of the same source, from the first player's view.
    pub lead: Option<f64>,
    /// What was odd: `word[=value][@where]`.
    pub warnings: Vec<String>,
    /// What broke the record: one machine word.
    pub error_kind: Option<&'static str>,
    /// The same in a sentence.
    pub error: Option<String>,
    /// The final position, row-major from the top left, where
    /// [asked for](crate::Options::board): 1 first player, -1 second, 0 empty; in
    /// xiangqi numbers of pieces.
    pub board: Option<Vec<i8>>,
    /// The same as FEN, in xiangqi.
    pub board_fen: Option<String>,
    /// The owner of each point, where [asked for](crate::Options::ownership): 1 first
    /// player, -1 second, 0 nobody.
    pub ownership: Option<Vec<i8>>,
    /// xxh3, 128 bits, of board size, set-up and moves: the same for the same game.
    pub game_hash: Option<u128>,
}

impl Label {
    /// Takes out of a row what it keeps.
    pub(super) fn of(row: &row::Label<'_>) -> Self {
        let judgement = row.judgement.as_ref();
        let error = row.first_error();
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Self {
            origin: row.origin.to_string(),
            offset: row.offset,
            record_id: row.record_id.as_deref().and_then(text),
            game: row.game,
            format: row.format,
            status: row.status,
            size: judgement.map(|it| it.size),
            rules: judgement.and_then(|it| text(&it.rules)),
            komi: judgement.and_then(|it| it.komi).map(points),
            moves: row.moves,
            recorded: row.recorded_text.to_string(),
            recorded_winner: row.recorded_word(),
            recorded_margin: row.recorded.margin.map(points),
            winner: judgement
                .and_then(|it| it.outcome)
                .map(|outcome| row.outcome_word(outcome)),
            margin: judgement
                .and_then(|it| it.margin)
                .map(|margin| points(margin.abs())),
            basis: judgement.and_then(|it| it.basis).map(Basis::word),
            dead: judgement.and_then(|it| it.dead),
            confidence: judgement.and_then(|it| it.confidence),
            reasons: row.reasons.iter().map(ToString::to_string).collect(),
            value: row.value.map(|(outcome, _)| outcome.value()),
            lead: row.lead.map(points),
            warnings: row.all_warnings().map(ToString::to_string).collect(),
            error_kind: error.map(|error| error.kind),
            error: error.map(|error| error.message.to_string()),
            board: judgement.and_then(|it| it.board.clone()),
            board_fen: judgement.and_then(|it| it.diagram.clone()),
            ownership: judgement.and_then(|it| it.ownership.clone()),
            game_hash: judgement.map(|it| it.game_hash),
        }
    }
}

fn points(points: Points) -> f64 {
    f64::from(points.in_quarters()) / 4.0
}
