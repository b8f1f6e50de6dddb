//! What holds for every record and every input, tried on random ones.
#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

mod board;
mod boards;
mod bytes;
mod kinrow;
mod records;

use common::plan;
use kifu::{outcome::Side, pipeline::Plan};
use proptest::{prelude::*, sample::select};

/// Few cases: some are whole games.
fn cases(number: u32) -> ProptestConfig {
    ProptestConfig {
        cases: number,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn side() -> impl Strategy<Value = Side> {
    select(&[Side::First, Side::Second])
}

/// A plan that finds dead stones in some way.
fn dead_by(word: &str) -> Plan {
    let mut plan = plan();
    plan.settings.dead = Some(word.to_owned());
    plan
}
