//! Xiangqi: what the rules say of positions and records.

#[path = "../common/mod.rs"]
mod common;

mod archives_binary;
mod moves;
mod notation;
mod suites;
