//! `kifu selfplay`: games that a search plays against itself.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context as _, Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::{
    INTERRUPTED,
    args::SelfplayArgs,
    config::Config,
    label::{jobs, stop_on_interrupt},
    log, setup, start_log,
};
use crate::{
    format,
    game::{GAMES, Game, Match, Played, SelfPlay, kinrow::Rules},
    outcome::{Outcome, Side},
    pipeline::Progress,
    report::Output,
    selfplay,
};

/// The longest list of openings that is read, in bytes: each player keeps all of
/// them.
const MAX_OPENINGS: u64 = 1 << 20;

/// The word for openings that nobody listed.
const RANDOM: &str = "random";

/// `kifu selfplay`
pub(super) fn selfplay(args: SelfplayArgs) -> Result<u8> {
    start_log(&args.common);
    let config = Config::load(args.common.config.as_deref())?;
    let game = setup::find_game(&args.game)?;
    let player = player_of(game)?;
    let openings = match args.openings.as_deref() {
        None => None,
        Some(path) if path.as_os_str() == RANDOM => None,
        Some(path) => Some(read_openings(path)?),
    };
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    let plan = Match {
        nodes: args.nodes,
        plies: args.plies,
        seed: args.seed,
        form: form_of(output, game, player)?,
        notation: args.notation,
        rules: args.rules,
        size: args.size,
        openings,
    };
    // Whatever cannot be used is said before a file is made.
    player.player(&plan).map_err(|sentence| {
        let file = args
            .openings
            .as_deref()
            .filter(|_| sentence.starts_with("line "));
        match file {
            Some(file) => anyhow!("cannot use {}, {sentence}", file.display()),
            None => anyhow!(sentence),
        }
    })?;
    let word = match plan.form {
        ONE_A_FILE => word_of(output, game.name(), &plan)
            .map_err(|why| anyhow!("a .{ONE_A_FILE} holds neither rules nor result, {why}"))?,
        _ => game.name(),
    };
    let jobs = jobs(args.jobs, &config)?;
    let progress = Arc::new(Progress::default());
    stop_on_interrupt(&progress);
    let bar = bar(args.games, args.common.quiet);
    let goes_on = || {
        bar.inc(1);
        !progress.stopped()
    };
    let mut games = match plan.form {
        ONE_A_FILE => Games::Each(output, word),
        _ => Games::Together(Output::create(output)?),
    };
    let (mut tally, mut round) = (Tally::default(), 0);
    let played = selfplay::play(
        player,
        &plan,
        args.games,
        jobs,
        &goes_on,
        &mut |text, played| {
            tally.count(played);
            round += 1;
            games.write(text, round, played)
        },
    );
    bar.finish_and_clear();
    played?;
    if let Games::Together(out) = games {
        out.finish()?;
    }
    if !args.common.quiet {
        log::say(&tally.sentence(game));
    }
    if round < args.games {
        log::say("kifu: interrupted; every game written is whole\n");
        return Ok(INTERRUPTED);
    }
    Ok(0)
}

/// How many games are done, where somebody is watching.
fn bar(games: u64, quiet: bool) -> ProgressBar {
    if quiet || log::is_json() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(games);
    let style = "{bar:30} {pos}/{len} games  {per_sec}  {eta} left";
    match ProgressStyle::with_template(style) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The form whose files hold one game, and no result.
const ONE_A_FILE: &str = "psq";

/// Where games go.
enum Games<'a> {
    /// All into one file.
    Together(Output),
    /// Each into a file of its own, whose name begins like this one and says the
    /// rules and the result, as Gomocup's do.
    Each(&'a Path, &'static str),
}

impl Games<'_> {
    fn write(&mut self, text: &[u8], round: u64, played: Played) -> io::Result<()> {
        let (path, word) = match self {
            Self::Together(out) => return out.write(text),
            Self::Each(path, word) => (path, word),
        };
        let result = match played.outcome {
            Some(Outcome::Win(Side::First)) => "_1",
            Some(Outcome::Win(Side::Second)) => "_2",
            Some(Outcome::Draw) => "_0",
            None => "",
        };
        let mut out = Output::create(&one_of(path, word, round, result))?;
        out.write(text)?;
        out.finish().map(|_| ())
    }
}

/// The file of a game among those that are named like one.
fn one_of(path: &Path, word: &str, round: u64, result: &str) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("_{word}_{round:04}_kifu_kifu{result}.{ONE_A_FILE}"));
    path.with_file_name(name)
}

/// The word for the rules of games in names of their files, from which labels take
/// them.
fn word_of(output: &Path, game: &'static str, plan: &Match) -> Result<&'static str, String> {
    let folder = output.parent().filter(|it| !it.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(format!("and there is no folder {}", folder.display()));
    }
    let wanted = Rules::parse(plan.rules.as_deref().unwrap_or(game))?;
    let word = match plan.rules {
        None => game,
        Some(_) => wanted.preset,
    };
    let path = one_of(output, word, 1, "");
    let said = format::psq::rules(&path.to_string_lossy());
    let said = said.map_or(Ok(None), |said| {
        Rules::parse(&String::from_utf8_lossy(said)).map(Some)
    })?;
    let is_small = plan.size.is_none_or(|size| size == wanted.line);
    match said {
        Some(said) if said == wanted => Ok(word),
        None if wanted.preset == "tictactoe" && wanted.line == 3 && is_small => Ok(word),
        None if wanted.to_string() == "kinrow" => Ok(word),
        Some(said) => Err(format!(
            "and the name {} says rules {said}, not {wanted}: write .sgf, or choose another name",
            path.display()
        )),
        None => Err(format!("and no name says rules {wanted}: write .sgf")),
    }
}

/// The form of games, by the name of the file: the usual one where that says none.
fn form_of(output: &Path, game: &dyn Game, player: &dyn SelfPlay) -> Result<&'static str> {
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_lowercase();
    let packed = [".gz", ".zst"].into_iter().find(|end| name.ends_with(end));
    let plain = packed
        .and_then(|end| name.strip_suffix(end))
        .unwrap_or(&name);
    let end = plain.rsplit_once('.').map(|(_, end)| end);
    let forms = player.forms();
    let all = GAMES.iter().filter_map(|game| game.selfplay());
    let is_other = end.is_some_and(|end| all.flat_map(SelfPlay::forms).any(|form| *form == end));
    let form = forms.iter().copied().find(|form| Some(*form) == end);
    match form {
        None if is_other => bail!(
            "{}: games of {} are written as .{}",
            output.display(),
            game.name(),
            forms.join(" or .")
        ),
        Some(ONE_A_FILE) if packed.is_some() => bail!(
            "{}: a .{ONE_A_FILE} holds one game and is not packed; write .sgf",
            output.display()
        ),
        Some(form) => Ok(form),
        None => Ok(forms.first().copied().unwrap_or_default()),
    }
}

/// How some games went.
#[derive(Default)]
struct Tally {
    won: [u64; 2],
    drawn: u64,
    open: u64,
    plies: u64,
}

impl Tally {
    fn count(&mut self, played: Played) {
        let count = match played.outcome {
            Some(Outcome::Win(side)) => &mut self.won[side.index()],
            Some(Outcome::Draw) => &mut self.drawn,
            None => &mut self.open,
        };
        *count += 1;
        self.plies += u64::from(played.plies);
    }

    fn sentence(&self, game: &dyn Game) -> String {
        let [first, second] = [Side::First, Side::Second].map(|side| {
            let words = game.sides();
            format!("{} {}", words[side.index()], self.won[side.index()])
        });
        let games = self.won[0] + self.won[1] + self.drawn + self.open;
        format!(
            "{} of {} plies in all: {first}, {second}, drawn {}, broken off {}\n",
            setup::counted(games, "game"),
            self.plies,
            self.drawn,
            self.open
        )
    }
}

/// What plays a game by itself, where something does.
fn player_of(game: &'static dyn Game) -> Result<&'static dyn SelfPlay> {
    if let Some(player) = game.selfplay() {
        return Ok(player);
    }
    let able = GAMES.iter().filter(|game| game.selfplay().is_some());
    let able: Vec<&str> = able.map(|game| game.name()).collect();
    bail!(
        "kifu cannot play {} by itself; it plays {}",
        game.name(),
        able.join(", ")
    )
}

fn read_openings(path: &Path) -> Result<Arc<str>> {
    let about = || format!("cannot read the openings {}", path.display());
    let mut text = String::new();
    let file = File::open(path).with_context(about)?;
    file.take(MAX_OPENINGS + 1)
        .read_to_string(&mut text)
        .with_context(about)?;
    if text.len() as u64 > MAX_OPENINGS {
        bail!("{}: more than {MAX_OPENINGS} bytes", about());
    }
    Ok(text.into())
}
