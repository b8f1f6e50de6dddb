//! `kifu list`: what would be read, without judging.

use std::io::{self, BufWriter, Write};

use anyhow::Result;

use super::{args::ListArgs, config::Config, log, setup, start_log, stdout_error};
use crate::{
    format::{Chosen, Reading},
    pipeline::{Cut, Met, Plan, visit},
    record::{Arena, Record},
    source::{Entry, Found, Walk},
};

/// `kifu list`
pub(super) fn list(mut args: ListArgs) -> Result<u8> {
    start_log(&args.common);
    let config = Config::load(args.common.config.as_deref())?;
    config.fill_inputs(&mut args.inputs);
    let mut plan = setup::reading(&mut args.reading, &config)?;
    plan.hidden = args.inputs.hidden;
    let walk = setup::walk(&args.inputs, &[])?;
    let listed = write_list(&plan, walk).map_err(stdout_error)?;
    if !args.common.quiet {
        let words = if listed.files == 0 {
            setup::nothing_found(&args.inputs)
        } else {
            format!(
                "{} in {}\n",
                setup::counted(listed.records, "record"),
                setup::counted(listed.files, "file")
            )
        };
        log::say(&words);
    }
    Ok(0)
}

/// How much was listed.
#[derive(Default)]
struct Listed {
    records: u64,
    files: u64,
}

/// Lists what a walk finds.
fn write_list(plan: &Plan, walk: Walk) -> io::Result<Listed> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut listed = Listed::default();
    writeln!(out, "origin\tformat\tchosen_by\tgame\toffset\tbytes\tnote")?;
    for found in walk {
        listed.files += 1;
        match found {
            Found::File(entry) => listed.records += list_file(plan, &entry, &mut out)?,
            Found::Special(entry) => {
                writeln!(out, "{}\t\t\t\t\t\tnot a regular file", entry.name)?;
            }
            Found::Unreadable(entry, error) => {
                writeln!(out, "{}\t\t\t\t\t\tcannot be read: {error}", entry.name)?;
            }
            Found::Loop(path) => tracing::warn!("{} is a loop of links", path.display()),
        }
    }
    out.flush()?;
    Ok(listed)
}

/// Lists the records of a file; how many there are.
fn list_file(plan: &Plan, entry: &Entry, out: &mut impl Write) -> io::Result<u64> {
    let mut records = 0;
    let mut written = Ok(());
    visit(plan, entry, &mut |met| {
        written = match met {
            Met::Record(cut) => {
                records += 1;
                list_record(plan, cut, out)
            }
            Met::Bare(bare) => writeln!(
                out,
                "{}\t{}\t\t\t{}\t\t{}",
                bare.origin, bare.format, bare.offset, bare.error.message
            ),
        };
        written.is_ok()
    });
    written.map(|()| records)
}

fn list_record(plan: &Plan, cut: Cut<'_>, out: &mut impl Write) -> io::Result<()> {
    let arena = Arena::default();
    let bytes = cut.bytes();
    let game = |record: &Record<'_>| cut.file.game_of(record).name();
    let (origin, game, note) = if bytes.len() > plan.max_record {
        (cut.origin(), "", "longer than --max-record".to_owned())
    } else {
        match cut.read(&arena) {
            Reading::Game(record) => (cut.origin_of(&record), game(&record), String::new()),
            Reading::Broken(record, error) => {
                (cut.origin_of(&record), game(&record), error.message)
            }
            Reading::NotAGame(record, what) => (cut.origin_of(&record), "", what.to_owned()),
        }
    };
    writeln!(
        out,
        "{origin}\t{}\t{}\t{game}\t{}\t{}\t{note}",
        cut.file.format.name(),
        chosen_word(cut.file.chosen),
        cut.offset(),
        bytes.len(),
    )
}

const fn chosen_word(chosen: Chosen) -> &'static str {
    match chosen {
        Chosen::Flag => "flag",
        Chosen::Config => "config",
        Chosen::Extension => "extension",
        Chosen::Content => "content",
    }
}
