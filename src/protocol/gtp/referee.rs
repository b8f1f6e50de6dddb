//! Those who judge the game that is asked about.

use std::mem;

use super::game::{Game, SIZE};
use crate::{
    game::{
        Claim, Diagram, Explanation, Game as _, Judge, Judgement, Scope, Settings, Spot, Telling,
        Want,
        go::{Go, Rules, parse_vertex, vertex},
    },
    outcome::{Ending, From, Points, Side},
    record::Record,
};

/// A game, and its judges.
pub(super) struct Referee {
    settings: Settings,
    /// Counts.
    judge: Box<dyn Judge>,
    /// Only replays.
    replay: Box<dyn Judge>,
    pub(super) game: Game,
}

impl Referee {
    /// A referee on an empty board, under some settings: their komi is that of
    /// games without one.
    ///
    /// # Errors
    /// One sentence, where the settings cannot be used.
    pub(super) fn new(settings: &Settings) -> Result<Self, String> {
        let mut settings = settings.clone();
        settings.scope = Scope::All;
        settings.default_komi = settings.komi.take().or(settings.default_komi);
        let [judge, replay] = judges(&settings)?;
        Ok(Self {
            settings,
            judge,
            replay,
            game: Game::new((SIZE, SIZE)),
        })
    }

    /// Begins a game on a board of so many columns and rows; komi and rules stay.
    pub(super) fn clear(&mut self, size: (u8, u8)) {
        self.game = Game {
            komi: self.game.komi.take(),
            rules: self.game.rules.take(),
            ..Game::new(size)
        };
    }

    /// The komi that counts, in points.
    pub(super) fn komi(&mut self) -> Points {
        self.replayed().0.komi.unwrap_or(Points::ZERO)
    }

    /// Goes by rules from now on, whatever files say.
    ///
    /// # Errors
    /// One sentence, where they are not known.
    pub(super) fn set_rules(&mut self, rules: &str) -> Result<(), String> {
        Rules::parse(rules).map_err(|error| error.to_string())?;
        let mut settings = self.settings.clone();
        settings.rules = Some((rules.to_owned(), From::Flag));
        [self.judge, self.replay] = judges(&settings)?;
        self.settings = settings;
        Ok(())
    }

    /// The point of a word; nothing for a pass.
    ///
    /// # Errors
    /// One sentence, where it is neither.
    pub(super) fn vertex(&self, word: Option<&str>) -> Result<Option<Spot>, String> {
        let word = word.unwrap_or_default();
        if word.eq_ignore_ascii_case("pass") {
            return Ok(None);
        }
        let (columns, rows) = self.game.size;
        let found = parse_vertex(word, self.game.size);
        found.map(Some).ok_or_else(|| {
            let last = vertex((columns.saturating_sub(1), 0), rows);
            format!("invalid coordinate: points are A1 to {last}, or pass")
        })
    }

    /// Makes a move.
    ///
    /// # Errors
    /// One sentence, where it is not legal.
    pub(super) fn play(&mut self, side: Side, at: Option<Spot>) -> Result<(), String> {
        self.game = self.after(side, at)?;
        Ok(())
    }

    /// The game after a move.
    ///
    /// # Errors
    /// One sentence, where it is not legal.
    pub(super) fn after(&mut self, side: Side, at: Option<Spot>) -> Result<Game, String> {
        let mut game = self.game.clone();
        game.play(side, at);
        let (judgement, _) = judged(&mut *self.replay, &game);
        if judgement.ended == Ending::Illegal {
            let why = judgement
                .error
                .map_or("it cannot be played", |error| error.kind);
            return Err(format!("illegal move: {why}"));
        }
        Ok(game)
    }

    /// Takes over a record, as [`Game::of`] does.
    ///
    /// # Errors
    /// One sentence, and the game is what it was.
    pub(super) fn load(&mut self, record: &Record<'_>, until: Option<&str>) -> Result<(), String> {
        let game = Game::of(record, until, self.game.komi.as_ref())?;
        let before = mem::replace(&mut self.game, game);
        let (judgement, _) = self.replayed();
        if let Some(error) = judgement
            .error
            .filter(|_| judgement.ended == Ending::Illegal)
        {
            self.game = before;
            return Err(error.message);
        }
        Ok(())
    }

    /// The position as it stands.
    fn replayed(&mut self) -> (Judgement, Explanation) {
        judged(&mut *self.replay, &self.game)
    }

    /// The board, and the stones that each side has captured.
    ///
    /// # Errors
    /// One sentence, where there is none.
    pub(super) fn board(&mut self) -> Result<(Diagram, [u32; 2]), String> {
        let (_, told) = self.replayed();
        let board = told.board.ok_or("there is no position")?;
        Ok((board, told.prisoners.unwrap_or_default()))
    }

    /// The end: the margin from Black's view, and the board as it was counted.
    ///
    /// # Errors
    /// One sentence, where it cannot be counted.
    pub(super) fn end(&mut self) -> Result<(Points, Diagram), String> {
        let (judgement, told) = judged(&mut *self.judge, &self.game.ended());
        let margin = judgement.margin.filter(|_| judgement.outcome.is_some());
        let board = told.board.filter(|board| board.is_counted);
        margin
            .zip(board)
            .ok_or_else(|| "cannot score: the game is not finished".to_owned())
    }
}

/// One that counts, and one that only replays.
fn judges(settings: &Settings) -> Result<[Box<dyn Judge>; 2], String> {
    let made = |settings: &Settings| Go.judge_for(settings).map_err(|error| error.to_string());
    let replays = Settings {
        dead: Some("none".to_owned()),
        gtp: None,
        ..settings.clone()
    };
    Ok([made(settings)?, made(&replays)?])
}

fn judged(judge: &mut dyn Judge, game: &Game) -> (Judgement, Explanation) {
    let claim = Claim::default();
    let judgement = judge.judge(&game.record(), None, &claim, &Want::default());
    let told = judge.explain(&claim, &judgement, Telling::default());
    (judgement, told)
}
