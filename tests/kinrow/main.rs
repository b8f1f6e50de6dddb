//! k-in-a-row and renju: what the rules say of boards and records.
#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

mod archives;
mod clauses;
mod naive;
mod play;
mod presets;
mod reasons;
mod records;
mod samples;
mod search;
mod search_cases;
mod selfplay;
mod solved;
mod suites;
mod vcf;
mod vct;
