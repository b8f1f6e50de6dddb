//! Xiangqi: what the rules say of positions and records.
#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

mod archives;
mod archives_binary;
mod archives_text;
mod ends;
mod moves;
mod notation;
mod play;
mod records;
mod repetition;
mod samples;
mod search;
mod suites;
