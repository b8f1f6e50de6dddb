//! The `kifu` command: parse arguments, run, map to an exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    kifu::cli::main()
}
