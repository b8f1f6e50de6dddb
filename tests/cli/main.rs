//! The command line as users meet it: exit statuses, messages, what is read,
//! what is written.
#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

mod audit;
mod boards;
mod colors;
#[cfg(feature = "parquet")]
mod columnar;
mod diff;
mod duplicates;
#[cfg(unix)]
mod engine;
mod explain;
mod fixes;
mod fleets;
mod generate;
mod hostile;
mod inputs;
mod merged;
mod messages;
mod outputs;
mod packed;
mod profiles;
mod protocols;
mod repeats;
mod runs;
mod selfplay;
mod settings;
mod show;
mod state;
mod watched;
#[cfg(feature = "parquet")]
mod worker;
mod worth;
