//! How records in memory are read and judged.

use std::{error::Error, fmt};

use crate::{
    format::{self, Context},
    game::{self, GAMES, Scope, Settings, go},
    outcome::{From, Points},
    pipeline::Plan,
    source::charset,
};

/// How records are read and judged. Every option is one of `kifu label`, in the
/// same words; the default is its default, but for the built-in profiles, which
/// are not used: as with `--no-profiles`.
///
/// ```
/// let mut options = kifu::Options::default();
/// options.default_rules = Some("japanese".to_owned());
/// options.board = true;
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Rules of every record, whatever it says, such as `chinese` or `renju`.
    pub rules: Option<String>,
    /// Rules of records that say none.
    pub default_rules: Option<String>,
    /// Komi of every record, in points: a multiple of a quarter.
    pub komi: Option<f64>,
    /// Komi of records that say none.
    pub default_komi: Option<f64>,
    /// The game of every record, such as `go` or `xiangqi`.
    pub game: Option<String>,
    /// The format of the bytes, such as `sgf`.
    pub format: Option<String>,
    /// The encoding of texts, such as `gb18030`.
    pub encoding: Option<String>,
    /// How dead stones of Go are found: `auto`, `playout`, `marked`,
    /// `none`.
    pub dead: Option<String>,
    /// How points of Go are counted, such as `territory_finished`.
    pub convention: Option<String>,
    /// Whether records that were resigned or lost on time are counted as well.
    pub judge_all: bool,
    /// What forbidden moves in renju lead to: `automatic` or `claimed`.
    pub fouls: Option<String>,
    /// How undecided records are searched for a win, such as `vcf` or `mate`.
    pub search: Option<String>,
    /// Positions that a search may look at in one record.
    pub nodes: Option<u32>,
    /// The largest difference between margins, in points, that still agree.
    pub tolerance: f64,
    /// Whether SGF is read by a reader that refuses what is not well formed.
    pub strict: bool,
    /// The longest record, in bytes; 16 MiB where nothing is said.
    pub max_record: Option<usize>,
    /// Whether labels have the final position.
    pub board: bool,
    /// Whether labels have the owner of each point.
    pub ownership: bool,
}

impl Options {
    /// The plan of the pipeline that does what they say.
    pub(super) fn plan(&self) -> Result<Plan, OptionsError> {
        let forced = |text: &Option<String>| text.clone().map(|text| (text, From::Flag));
        let gap = |text: &Option<String>| text.clone().map(|text| (text, From::Default));
        let mut plan = Plan {
            settings: Settings {
                rules: forced(&self.rules),
                default_rules: gap(&self.default_rules),
                komi: komi(self.komi, From::Flag)?,
                default_komi: komi(self.default_komi, From::Default)?,
                dead: self.dead.clone(),
                convention: self.convention.clone(),
                scope: match self.judge_all {
                    true => Scope::All,
                    false => Scope::Counted,
                },
                fouls: self.fouls.clone(),
                search: self.search.clone(),
                nodes: self.nodes,
                ..Settings::default()
            },
            game: self.game.as_deref().map(game::find).transpose()?,
            format: self.format.as_deref().map(format::find).transpose()?,
            context: Context {
                strict: self.strict,
                charset: self.encoding.as_deref().map(charset::find).transpose()?,
                ..Context::default()
            },
            tolerance: tolerance(self.tolerance)?,
            ..Plan::default()
        };
        plan.max_record = self.max_record.unwrap_or(plan.max_record);
        plan.want.board = self.board;
        plan.want.ownership = self.ownership;
        let games = plan.game.map_or(GAMES.to_vec(), |game| vec![game]);
        game::check(&games, &plan.settings)?;
        Ok(plan)
    }
}

fn komi(points: Option<f64>, from: From) -> Result<Option<(Points, From)>, String> {
    let points = points.map(|points| go::parse_komi_setting(&points.to_string()));
    Ok(points.transpose()?.map(|points| (points, from)))
}

fn tolerance(points: f64) -> Result<Points, String> {
    let read: Option<Points> = points.to_string().parse().ok();
    read.filter(|points| *points >= Points::ZERO)
        .ok_or_else(|| {
            format!("cannot use the tolerance {points}: give points, such as 1.0 or 0.5")
        })
}

/// An option that cannot be used: one sentence that says which, and what can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionsError(String);

impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for OptionsError {}

impl std::convert::From<String> for OptionsError {
    fn from(sentence: String) -> Self {
        Self(sentence)
    }
}
