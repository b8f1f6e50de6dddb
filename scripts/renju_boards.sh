#!/usr/bin/env bash
# Judges every empty point of random renju boards twice: by the program and by
# the plain judge of tests/kinrow/naive.rs. They must agree on each.
#
#     scripts/renju_boards.sh [BOARDS] [SEED]
#
# BOARDS are 1,000,000 unless given, SEED is 1; another seed makes other boards.
# Prints how many points were judged, how many of each shape (five, overline,
# double four, double three, plain), and on how many the two readings of a
# three differ.
set -euo pipefail
cd "$(dirname "$0")/.."

export KIFU_RENJU_BOARDS=${1:-1000000} KIFU_RENJU_SEED=${2:-1}
cargo test --release --test kinrow -- --ignored --exact --nocapture \
    naive::many_random_boards_are_judged_alike
