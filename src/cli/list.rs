//! `kifu list`: what would be read, without judging.

use std::io::{self, BufWriter, Write};

use anyhow::{Result, bail};

use super::{args::ListArgs, config::Config, setup, start_log, stdout_error};
use crate::{
    format::{Chosen, Context, Format, Reading},
    pipeline::visit,
    record::{Arena, Origin},
    source::{Entry, Found, Walk},
};

/// `kifu list`
pub(super) fn list(mut args: ListArgs) -> Result<u8> {
    start_log(&args.common);
    let config = Config::load(args.common.config.as_deref())?;
    config.fill_inputs(&mut args.inputs);
    if args.inputs.paths.iter().any(|path| setup::is_stdin(path)) {
        bail!("standard input cannot be listed; name files or folders");
    }
    let walk = setup::walk(&args.inputs, &[])?;
    let (records, files) = write_list(walk).map_err(stdout_error)?;
    if !args.common.quiet {
        let _ = writeln!(io::stderr(), "{records} records in {files} files");
    }
    Ok(0)
}

/// Lists what a walk finds; how many records, and in how many files.
fn write_list(walk: Walk) -> io::Result<(u64, u64)> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut files = 0;
    let mut records = 0;
    writeln!(out, "origin\tformat\tchosen_by\tgame\toffset\tbytes")?;
    for found in walk {
        files += 1;
        match found {
            Found::File(entry) => records += list_file(&entry, &mut out)?,
            Found::Special(entry) => writeln!(out, "{}\t\t\t\t\tnot a regular file", entry.name)?,
            Found::Unreadable(entry, error) => {
                writeln!(out, "{}\t\t\t\t\tcannot be read: {error}", entry.name)?;
            }
            Found::Loop(path) => tracing::warn!("{} is a loop of links", path.display()),
        }
    }
    out.flush()?;
    Ok((records, files))
}

/// Lists the records of a file; how many there are.
fn list_file(entry: &Entry, out: &mut impl Write) -> io::Result<u64> {
    let mut records = 0;
    let mut write = Ok(());
    let met = visit(entry, usize::MAX, &mut |cut, chosen| {
        records += 1;
        let bytes = &cut.window[cut.piece.start..cut.piece.end];
        let line = format!(
            "{}\t{}\t{}\t{}\t{}\t{}",
            cut.origin(),
            cut.format.name(),
            chosen_word(chosen),
            game(cut.format, bytes, cut.piece),
            cut.before + cut.piece.start as u64,
            bytes.len()
        );
        if write.is_ok() {
            write = writeln!(out, "{line}");
        }
        write.is_ok()
    });
    write?;
    if let Err((_, error)) = met {
        let origin = Origin::new(entry.name.as_str(), 1);
        writeln!(out, "{origin}\t\t\t\t\t{}", error.message)?;
    }
    Ok(records)
}

const fn chosen_word(chosen: Chosen) -> &'static str {
    match chosen {
        Chosen::Flag => "flag",
        Chosen::Config => "config",
        Chosen::Extension => "extension",
        Chosen::Content => "content",
    }
}

fn game(format: &'static dyn Format, bytes: &[u8], piece: crate::format::Piece) -> &'static str {
    let arena = Arena::default();
    let context = Context::default();
    match format.read(bytes, piece, &context, &arena) {
        Reading::Game(record) | Reading::Broken(record, _) => record.game.unwrap_or("go"),
        Reading::NotAGame(..) => "other",
    }
}
