//! `kifu engine`: answers other programs by their protocols.

use std::{
    io,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

use super::{
    args::{Common, Judging, Reading},
    config::Config,
    explain::record_of,
    label::end_on_interrupt,
    setup, start_log, stdout_error,
};
use crate::{
    pipeline::{Met, Plan, visit},
    protocol,
    record::{Arena, Record},
    search::MAX_THREADS,
    source::{Entry, escape},
};

pub(super) const HELP: &str = "\
Each reads commands on standard input until its end and answers on standard output, as
the programs that people play or judge with expect of an engine.

Examples:
  kifu engine gomocup                plays k-in-a-row (Piskvork and other managers)
  kifu engine uci                    plays xiangqi (UCI, and UCCI where it is greeted so)
  kifu engine gtp --rules chinese    judges Go: play, loadsgf, final_score, final_status_list

Exit status: 0 done, also where nobody reads on; 2 could not run.";

#[derive(Args, Clone, Debug)]
pub(super) struct EngineArgs {
    #[command(subcommand)]
    protocol: Protocol,
}

#[derive(Subcommand, Clone, Debug)]
enum Protocol {
    /// Play gomoku, renju and caro in managers of Gomocup's protocol
    Gomocup(GomocupArgs),
    /// Play xiangqi in programs that speak UCI or UCCI
    Uci,
    /// Judge Go for programs that speak GTP: what is legal, who has won, what is dead
    Gtp(Box<GtpArgs>),
}

#[derive(Args, Clone, Debug)]
struct GomocupArgs {
    /// Threads that think, up to 64
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// Positions for a move, at most: the same moves each time, with one thread and time enough
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

/// A number of threads.
fn threads(text: &str) -> Result<usize, String> {
    let number = text
        .parse()
        .ok()
        .filter(|it| (1..=MAX_THREADS).contains(it));
    number.ok_or_else(|| format!("write a number from 1 to {MAX_THREADS}"))
}

#[derive(Args, Clone, Debug)]
struct GtpArgs {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten, next_help_heading = "Run")]
    common: Common,
}

/// `kifu engine`
pub(super) fn engine(args: EngineArgs) -> Result<u8> {
    let (input, output) = (io::stdin().lock(), io::stdout());
    match args.protocol {
        Protocol::Gomocup(args) => {
            let means = protocol::Means {
                threads: args.threads,
                nodes: args.nodes,
            };
            protocol::gomocup(input, output, means).map_err(engine_error)?;
        }
        Protocol::Uci => protocol::uci(input, output).map_err(engine_error)?,
        Protocol::Gtp(mut args) => {
            start_log(&args.common);
            let config = Config::load(args.common.config.as_deref())?;
            // Rules are those of Go.
            if let Some(other) = args.reading.game.filter(|game| game != "go") {
                bail!(
                    "kifu judges Go by GTP, not {other}: kifu engine gomocup and uci play others"
                );
            }
            args.reading.game = Some("go".to_owned());
            let plan = setup::plan(&mut args.reading, &mut args.judging, &config)?;
            if plan.settings.gtp.is_some() {
                end_on_interrupt();
            }
            let mut load =
                |path: &Path, each: &mut dyn FnMut(&Record<'_>)| first_record(&plan, path, each);
            let answered = protocol::gtp(input, output.lock(), &plan.settings, &mut load);
            answered.map_err(engine_error)?;
        }
    }
    Ok(0)
}

/// The error with what it is about: what is not said to come of the input comes of the
/// output.
fn engine_error(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::InvalidInput => error,
        _ => stdout_error(error),
    }
}

/// Hands over the first record of a file.
fn first_record(plan: &Plan, path: &Path, each: &mut dyn FnMut(&Record<'_>)) -> Result<(), String> {
    // That is where the commands come from.
    if path.as_os_str() == "-" {
        return Err("standard input is no file here".to_owned());
    }
    let entry = Entry {
        name: escape(path),
        path: PathBuf::from(path),
        named: true,
        once: false,
        container: None,
        range: None,
    };
    let mut found = Ok(());
    visit(plan, &entry, &mut |met| {
        match met {
            Met::Record(cut) => {
                let arena = Arena::default();
                each(&record_of(cut.read(&arena)));
            }
            Met::Bare(bare) => found = Err(bare.error.message),
        }
        false
    });
    found
}
