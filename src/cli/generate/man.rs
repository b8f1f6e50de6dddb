//! Manual pages, made of what `--help` says.

use std::io;

use clap::{Command, CommandFactory};
use clap_mangen::{
    Man,
    roff::{Roff, bold, italic, roman},
};

use crate::cli::args::Cli;

/// The environment, for every page of a command that reads it.
const ENVIRONMENT: &[(&str, &str)] = &[
    (
        "KIFU_CONFIG",
        "The configuration file, as --config names it.",
    ),
    ("KIFU_JOBS", "Threads, as --jobs says."),
    (
        "NO_COLOR",
        "Where it is set to anything, no text has colours.",
    ),
];

/// Every page with the name of its file: `kifu.1`, `kifu-label.1`, ...
pub(super) fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut paths = vec![Vec::new()];
    let mut pages = Vec::new();
    let root = root();
    while let Some(path) = paths.pop() {
        for below in at(&root, &path)
            .get_subcommands()
            .filter(|it| !it.is_hide_set())
        {
            let mut longer = path.clone();
            longer.push(below.get_name().to_owned());
            paths.push(longer);
        }
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        pages.push((format!("{}.1", title(&names)), page(&names)?));
    }
    pages.sort();
    Ok(pages)
}

/// The page of a command: of `[]` that of kifu.
pub(super) fn page(path: &[&str]) -> io::Result<Vec<u8>> {
    let root = root();
    let command = at(&root, path);
    let man = Man::new(command.clone());
    // The date is left empty: the same sources give the same page.
    let mut out = format!(
        ".TH {} 1 \"\" \"kifu {}\" \"User commands\"\n",
        title(path).to_uppercase(),
        env!("CARGO_PKG_VERSION"),
    )
    .into_bytes();
    man.render_name_section(&mut out)?;
    synopsis(command).to_writer(&mut out)?;
    man.render_description_section(&mut out)?;
    if command.get_subcommands().next().is_some() {
        man.render_subcommands_section(&mut out)?;
    }
    if command
        .get_arguments()
        .any(|argument| !argument.is_hide_set())
    {
        man.render_options_section(&mut out)?;
    }
    if let Some(text) = command.get_after_help() {
        after(&text.to_string()).to_writer(&mut out)?;
    }
    let reads_settings = command.get_arguments().any(|it| it.get_id() == "config");
    if path.is_empty() || reads_settings {
        surroundings().to_writer(&mut out)?;
    }
    see_also(&root, path).to_writer(&mut out)?;
    // A blank line, as mandoc wants it.
    let page = String::from_utf8_lossy(&out).replace("\n.br\n\n.br\n", "\n.sp\n");
    Ok(page.into_bytes())
}

fn root() -> Command {
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    root
}

/// The command at a path, or the last one on it that there is.
fn at<'c>(root: &'c Command, path: &[impl AsRef<str>]) -> &'c Command {
    path.iter().fold(root, |command, name| {
        command.find_subcommand(name.as_ref()).unwrap_or(command)
    })
}

fn title(path: &[&str]) -> String {
    [&["kifu"], path].concat().join("-")
}

/// The line that `--help` shows.
fn synopsis(command: &Command) -> Roff {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let name = command.get_bin_name().unwrap_or("kifu");
    let rest = usage.strip_prefix(name).unwrap_or(usage);
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    roff.text([bold(name), roman(rest)]);
    roff
}

/// What stands below the flags: examples and lists as they are, prose filled.
fn after(text: &str) -> Roff {
    let mut roff = Roff::new();
    let mut in_notes = false;
    for block in text.split("\n\n") {
        if let Some(examples) = block.strip_prefix("Examples:\n") {
            roff.control("SH", ["EXAMPLES"]);
            roff.control("nf", []);
            for line in examples.lines() {
                roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
            }
            roff.control("fi", []);
            in_notes = false;
            continue;
        }
        let prose = if let Some(statuses) = block.strip_prefix("Exit status: ") {
            roff.control("SH", ["EXIT STATUS"]);
            in_notes = false;
            statuses
        } else {
            if in_notes {
                roff.control("PP", []);
            } else {
                roff.control("SH", ["NOTES"]);
            }
            in_notes = true;
            block
        };
        for line in prose.lines() {
            roff.text([roman(line)]);
        }
    }
    roff
}

/// Environment and files.
fn surroundings() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["ENVIRONMENT"]);
    for (name, what) in ENVIRONMENT {
        roff.control("TP", []);
        roff.text([bold(*name)]);
        roff.text([roman(*what)]);
    }
    roff.control("SH", ["FILES"]);
    roff.control("TP", []);
    roff.text([italic("kifu.toml")]);
    roff.text([roman(
        "In the current folder: settings and profiles, where no other file is named.",
    )]);
    roff
}

/// The pages above and below, or those beside.
fn see_also(root: &Command, path: &[&str]) -> Roff {
    let below = at(root, path).get_subcommands();
    let mut pages: Vec<String> = below
        .filter(|below| !below.is_hide_set())
        .map(|below| title(&[path, &[below.get_name()]].concat()))
        .collect();
    if let Some((_, above)) = path.split_last() {
        pages.insert(0, title(above));
    }
    let mut line = Vec::new();
    for page in pages {
        if !line.is_empty() {
            line.push(roman(", "));
        }
        line.extend([bold(page), roman("(1)")]);
    }
    let mut roff = Roff::new();
    roff.control("SH", ["SEE ALSO"]);
    roff.text(line);
    roff
}
