//! Packed files: what comes out of them, whole and damaged.
#![cfg(feature = "cli")]

mod build;
mod damage;
mod limits;
mod nested;
mod open;
mod tars;
mod zips;
