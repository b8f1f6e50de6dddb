//! `kifu generate`: what others read of kifu itself. Manual pages, completions of
//! shells, and the JSON Schema of rows.

mod man;
mod schema;

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, anyhow};
use clap::{Args, CommandFactory, Subcommand};
use clap_complete::Shell;

use super::{args::Cli, pretty, stdout_error};
use crate::label::Schema;

pub(super) const HELP: &str = "\
Examples:
  kifu generate man -o ~/.local/share/man/man1
  kifu generate completions bash > ~/.local/share/bash-completion/completions/kifu
  kifu generate completions zsh > ~/.zfunc/_kifu
  kifu generate schema > label.schema.json";

#[derive(Args, Clone, Debug)]
pub(super) struct GenerateArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Clone, Debug, Subcommand)]
enum What {
    /// Manual pages: kifu.1 and one for each command
    #[command(
        after_help = "Examples:\n  kifu generate man -o ~/.local/share/man/man1\n  kifu generate man | man -l -"
    )]
    Man {
        /// Write all pages into this folder [default: kifu.1 alone, on standard output]
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// Completions of a shell, on standard output
    #[command(
        after_help = "Examples:\n  kifu generate completions bash > ~/.local/share/bash-completion/completions/kifu\n  kifu generate completions zsh > ~/.zfunc/_kifu\n  kifu generate completions fish > ~/.config/fish/completions/kifu.fish"
    )]
    Completions {
        /// Which shell
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
    /// The JSON Schema of one row of JSON Lines, on standard output
    #[command(
        after_help = "Examples:\n  kifu generate schema > label.schema.json\n  kifu generate schema --with board,meta      rows that have exactly these columns"
    )]
    Schema {
        /// Only for rows with these columns of --with, which they all have [default: any may be there]
        #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
        with: Option<Vec<String>>,
    },
}

/// `kifu generate`
pub(super) fn generate(args: GenerateArgs) -> Result<u8> {
    match args.what {
        What::Man { output: None } => print(&man::page(&[])?)?,
        What::Man {
            output: Some(folder),
        } => {
            fs::create_dir_all(&folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
            for (name, page) in man::pages()? {
                write(&folder.join(name), &page)?;
            }
        }
        What::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "kifu", &mut script);
            print(&script)?;
        }
        What::Schema { with } => {
            let asked = with.as_deref().map(Schema::new).transpose();
            let asked = asked.map_err(|sentence| anyhow!(sentence))?;
            print(&pretty(&schema::of_row(asked.as_ref()))?)?;
        }
    }
    Ok(0)
}

fn print(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    let printed = out.write_all(bytes).and_then(|()| out.flush());
    Ok(printed.map_err(stdout_error)?)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
