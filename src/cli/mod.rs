//! The command line: arguments, configuration, progress and messages.

mod amount;
mod args;
mod calibrate;
mod config;
mod diff;
mod explain;
mod generate;
mod label;
mod list;
mod places;
mod profiles;
mod progress;
#[cfg(feature = "report")]
mod report;
mod selfplay;
mod setup;
mod show;
#[cfg(feature = "parquet")]
mod worker;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{CommandFactory, FromArgMatches};
use tracing_subscriber::filter::LevelFilter;

use args::{Cli, Command, Common};

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
        Command::Selfplay(args) => selfplay::selfplay(args),
        Command::Generate(args) => generate::generate(args),
        #[cfg(feature = "parquet")]
        Command::Worker(args) => worker::worker(args),
        #[cfg(feature = "report")]
        Command::Report(args) => report::report(&args),
    };
    match result {
        Ok(status) => ExitCode::from(status),
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be listening; the status says it too.
            let _ = writeln!(io::stderr(), "kifu: {error:#}");
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

/// The error with what it is about.
#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn stdout_error(error: io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("cannot write standard output: {error}"),
    )
}

/// Sets up messages on standard error.
fn start_log(common: &Common) {
    let level = match (common.quiet, common.verbose) {
        (true, _) => LevelFilter::ERROR,
        (false, 0) => LevelFilter::WARN,
        (false, 1) => LevelFilter::INFO,
        (false, _) => LevelFilter::DEBUG,
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(io::stderr)
        .with_target(false)
        .without_time()
        .with_ansi(false)
        .init();
    // A panic in a record becomes its row; its text is for those who ask.
    std::panic::set_hook(Box::new(|panic| tracing::info!("{panic}")));
}
