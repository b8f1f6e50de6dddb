//! Packed files: what comes out of them, whole and damaged.

mod build;
mod damage;
mod limits;
mod nested;
mod open;
mod tars;
mod zips;
