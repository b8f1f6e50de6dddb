//! The command line: arguments, configuration, progress and messages.

mod amount;
mod args;
mod calibrate;
mod config;
mod diff;
mod engine;
mod explain;
mod generate;
mod label;
mod list;
mod log;
mod merge;
mod places;
mod plan;
mod profiles;
mod progress;
#[cfg(feature = "report")]
mod report;
mod selfplay;
mod setup;
mod show;
mod state;
#[cfg(feature = "parquet")]
mod worker;

use std::{io, process::ExitCode, sync::atomic::Ordering};

use clap::{CommandFactory, FromArgMatches};

use args::{Cli, Command};
use log::start_log;

/// Something disagreed or is broken (`audit`).
const FOUND: u8 = 1;
/// The run could not be done.
const FAILED: u8 = 2;
/// Interrupted, with whole rows written.
const INTERRUPTED: u8 = 130;

/// Parses the arguments, runs the command and gives its exit status.
pub fn main() -> ExitCode {
    let matches = Cli::command().get_matches();
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.format(&mut Cli::command()).exit(),
    };
    let result = match cli.command {
        Command::Label(args) if args.show.show_config => show::of_label(args, &matches),
        Command::Audit(args) if args.label.show.show_config => show::of_audit(args, &matches),
        Command::Explain(args) if args.show.show_config => show::of_explain(args, &matches),
        Command::Label(args) => label::label(args),
        Command::Audit(args) => label::audit(args),
        Command::Explain(args) => explain::explain(args),
        Command::List(args) => list::list(args),
        Command::Profiles(args) => profiles::profiles(&args),
        Command::Calibrate(args) => calibrate::calibrate(args),
        Command::Diff(args) => diff::diff(&args),
        Command::Plan(args) => plan::run(args),
        Command::Merge(args) => merge::run(&args),
        Command::Selfplay(args) => selfplay::selfplay(args),
        Command::Engine(args) => engine::engine(args),
        Command::Generate(args) => generate::generate(args),
        #[cfg(feature = "parquet")]
        Command::Worker(args) => worker::worker(args),
        #[cfg(feature = "report")]
        Command::Report(args) => report::report(&args),
    };
    if label::ENDING.load(Ordering::SeqCst) {
        return ExitCode::from(INTERRUPTED);
    }
    match result {
        Ok(status) => ExitCode::from(status),
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            log::fail(&error);
            ExitCode::from(FAILED)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// A value as JSON for people and programs, its line end included.
fn pretty(value: &impl serde::Serialize) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The error with what it is about.
#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn stdout_error(error: io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("cannot write standard output: {error}"),
    )
}
