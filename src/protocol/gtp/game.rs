//! A game in the making, as a record of it would be.

use crate::{
    game::{Spot, go::parse_vertex},
    outcome::Side,
    record::{Notation, Record, Step, StepKind, sgf_point},
};

/// The size of a board that nobody gave one.
pub(super) const SIZE: u8 = 19;

/// Size, set-up and moves of a game, and values as a record writes them.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) size: (u8, u8),
    pub(super) steps: Vec<(StepKind, Vec<u8>)>,
    /// Territory that a file marks at its end.
    pub(super) marks: Vec<(StepKind, Vec<u8>)>,
    pub(super) komi: Option<String>,
    pub(super) rules: Option<String>,
    pub(super) handicap: Option<String>,
    /// Stones that each side had captured before the first step.
    pub(super) prisoners: Option<[u32; 2]>,
}

impl Game {
    /// An empty board of columns and rows.
    pub(super) const fn new(size: (u8, u8)) -> Self {
        Self {
            size,
            steps: Vec::new(),
            marks: Vec::new(),
            komi: None,
            rules: None,
            handicap: None,
            prisoners: None,
        }
    }

    /// What a record holds, up to but without a move: the one of this number from
    /// 1, or the first one on this point. Komi is `komi` where it says none.
    ///
    /// # Errors
    /// One sentence, where it cannot be asked about.
    pub(super) fn of(
        record: &Record<'_>,
        until: Option<&str>,
        komi: Option<&String>,
    ) -> Result<Self, String> {
        if record.game.is_some_and(|game| game != "go") || record.notation != Notation::Sgf {
            return Err("it is no game of Go as SGF or as a board".to_owned());
        }
        let size = record.size.unwrap_or((SIZE, SIZE));
        let point = until.and_then(|word| parse_vertex(word, size));
        let number = until.and_then(|word| word.parse::<usize>().ok());
        if until.is_some() && point.is_none() && number.is_none() {
            return Err("where to stop is neither the number of a move nor a point".to_owned());
        }
        let mut steps = Vec::new();
        let mut moves = 0;
        for step in &record.steps {
            if matches!(step.kind, StepKind::Play(_)) {
                moves += 1;
                let is_there = |(column, row)| step.token == sgf_point(column, row);
                if number == Some(moves) || point.is_some_and(is_there) {
                    break;
                }
            }
            let is_pass = step.token == b"tt" && size.0.max(size.1) <= SIZE;
            let token = if is_pass { &b""[..] } else { step.token };
            steps.push((step.kind, token.to_vec()));
        }
        let marks = record.marks.iter().filter(|_| until.is_none());
        let text = |written: Option<&[u8]>| Some(record.text(written?).trim().to_owned());
        Ok(Self {
            size,
            steps,
            marks: marks.map(|it| (it.kind, it.token.to_vec())).collect(),
            komi: text(record.komi).or_else(|| komi.cloned()),
            rules: text(record.rules),
            handicap: text(record.handicap),
            prisoners: record.prisoners,
        })
    }

    /// As a record.
    pub(super) fn record(&self) -> Record<'_> {
        fn bytes(text: &Option<String>) -> Option<&[u8]> {
            text.as_deref().map(str::as_bytes)
        }
        fn written(steps: &[(StepKind, Vec<u8>)]) -> Vec<Step<'_>> {
            let steps = steps.iter().zip(0..);
            steps
                .map(|((kind, token), at)| Step {
                    kind: *kind,
                    at,
                    token,
                })
                .collect()
        }
        Record {
            game: Some("go"),
            size: Some(self.size),
            steps: written(&self.steps),
            marks: written(&self.marks),
            prisoners: self.prisoners,
            komi: bytes(&self.komi),
            rules: bytes(&self.rules),
            handicap: bytes(&self.handicap),
            ..Record::empty(b"")
        }
    }

    /// The same game, ended by passes where it was not: whoever asks for the end has
    /// ended it.
    pub(super) fn ended(&self) -> Self {
        let mut ended = self.clone();
        let is_pass = |(kind, token): &&(StepKind, Vec<u8>)| {
            matches!(kind, StepKind::Play(_)) && token.is_empty()
        };
        let passes = self.steps.iter().rev().take_while(is_pass).count();
        let mut side = self.to_move();
        for _ in passes..2 {
            ended.steps.push((StepKind::Play(side), Vec::new()));
            side = side.other();
        }
        ended
    }

    /// Who is to move.
    pub(super) fn to_move(&self) -> Side {
        let last = self.steps.iter().rev().find_map(|(kind, _)| match kind {
            StepKind::Play(side) => Some(side.other()),
            StepKind::Turn(side) => Some(*side),
            StepKind::Place(_) | StepKind::Clear => None,
        });
        last.unwrap_or(match self.handicap.as_deref() {
            None | Some("" | "0" | "1") => Side::First,
            Some(_) => Side::Second,
        })
    }

    pub(super) fn play(&mut self, side: Side, at: Option<Spot>) {
        self.marks.clear();
        let token = at.map_or(&b""[..], |(column, row)| sgf_point(column, row));
        self.steps.push((StepKind::Play(side), token.to_vec()));
    }

    /// Takes the last move back; `false` where there is none.
    pub(super) fn undo(&mut self) -> bool {
        let is_move = matches!(self.steps.last(), Some((StepKind::Play(_), _)));
        if is_move {
            self.marks.clear();
            self.steps.pop();
        }
        is_move
    }

    /// Sets handicap stones up, on an empty board.
    ///
    /// # Errors
    /// One sentence, where they cannot lie there.
    pub(super) fn set_handicap(&mut self, points: &[Spot]) -> Result<(), String> {
        if !self.steps.is_empty() {
            return Err("board not empty".to_owned());
        }
        let mut different = points.to_vec();
        different.sort_unstable();
        different.dedup();
        let all = usize::from(self.size.0) * usize::from(self.size.1);
        if different.len() != points.len() || points.len() < 2 || points.len() >= all {
            return Err("bad vertex list: points that differ, two at least".to_owned());
        }
        let place = |(column, row): &Spot| {
            let token = sgf_point(*column, *row).to_vec();
            (StepKind::Place(Side::First), token)
        };
        self.steps.extend(points.iter().map(place));
        self.handicap = Some(points.len().to_string());
        Ok(())
    }
}

/// The points of so many handicap stones, as the protocol has them (GTP 2, 4.1.1):
/// corners, then sides, the middle for odd numbers above four. There are none on
/// boards that are not square.
pub(super) fn fixed_handicap((size, rows): (u8, u8), stones: usize) -> Option<Vec<Spot>> {
    if size != rows {
        return None;
    }
    let most = match size {
        0..7 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    };
    if !(2..=most).contains(&stones) {
        return None;
    }
    let near = if size > 12 { 3 } else { 2 };
    let (far, middle) = (size - 1 - near, size / 2);
    let mut points = vec![(near, far), (far, near), (near, near), (far, far)];
    // Corners from the lower left, upper right, upper left, lower right.
    points.truncate(stones.min(4));
    if stones >= 6 {
        points.extend([(near, middle), (far, middle)]);
    }
    if stones >= 8 {
        points.extend([(middle, near), (middle, far)]);
    }
    if stones % 2 == 1 && stones > 4 {
        points.push((middle, middle));
    }
    Some(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::go::vertex;

    #[test]
    fn handicap_stones_lie_where_the_protocol_has_them() {
        for (size, stones, expected) in [
            (19, 2, "D4 Q16"),
            (19, 3, "D4 Q16 D16"),
            (19, 4, "D4 Q16 D16 Q4"),
            (19, 5, "D4 Q16 D16 Q4 K10"),
            (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
            (19, 8, "D4 Q16 D16 Q4 D10 Q10 K16 K4"),
            (19, 9, "D4 Q16 D16 Q4 D10 Q10 K16 K4 K10"),
            (9, 5, "C3 G7 C7 G3 E5"),
            (8, 4, "C3 F6 C6 F3"),
            (13, 2, "D4 K10"),
        ] {
            let points = fixed_handicap((size, size), stones).unwrap();
            let names: Vec<String> = points.into_iter().map(|at| vertex(at, size)).collect();
            assert_eq!(names.join(" "), expected, "{stones} on {size}");
        }
        for (size, stones) in [(19, 1), (19, 10), (8, 5), (7, 5), (6, 2), (0, 2)] {
            assert_eq!(fixed_handicap((size, size), stones), None);
        }
        assert_eq!(fixed_handicap((13, 9), 2), None);
    }

    #[test]
    fn a_game_that_goes_on_is_ended_by_passes() {
        let mut game = Game::new((9, 9));
        game.play(Side::First, Some((2, 3)));
        assert_eq!(game.ended().steps.len(), 3);
        game.play(Side::Second, None);
        assert_eq!(game.ended().steps.len(), 3);
        assert_eq!(game.ended().ended().steps.len(), 3);
        assert!(game.undo() && game.undo() && !game.undo());
    }
}
