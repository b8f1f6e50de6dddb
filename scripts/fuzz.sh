#!/usr/bin/env bash
# Fuzzes the readers, the result parser, the notations of xiangqi and the unpacking
# of files.
#
#     scripts/fuzz.sh [SECONDS] [TARGET...]
#
# Each target runs for SECONDS (600 unless given), all of them unless named.
# Needs a nightly compiler and cargo-fuzz (cargo install cargo-fuzz). Seeds are
# made of the samples in data/; what is found stays in fuzz/artifacts. A target
# fails that crashes, takes more than 10 seconds for one input or more than 256
# MB. What it found becomes an ordinary test.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-600}
shift || true
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    targets=(sgf strict board lines gib ngf ugf psq moves rif pos pgn xiangqi_lists xqf cbl dhtmlxq xiangqi_board notation result packed)
fi
python3 -B scripts/make_fuzz_seeds.py fuzz/corpus
failed=()
for target in "${targets[@]}"; do
    printf '\n==> %s\n' "$target"
    # Everything here is safe Rust, so no sanitizer takes memory and time.
    cargo +nightly fuzz run --sanitizer none "$target" -- \
        -max_total_time="$seconds" -rss_limit_mb=256 -timeout=10 -max_len=65536 \
        -print_final_stats=1 2>&1 | grep -E '^(stat::|SUMMARY|==[0-9]+==|Test unit|thread)|panicked|cov:' | tail -12 ||
        failed+=("$target")
done
if [ ${#failed[@]} -gt 0 ]; then
    printf 'failed: %s\n' "${failed[*]}"
    exit 1
fi
