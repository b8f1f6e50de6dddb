#!/usr/bin/env bash
# Makes a release for this machine's kind of Linux: a static binary where musl is
# there (rustup adds the target; Debian's musl-tools compile what is C), else a usual
# one. Writes OUT/kifu-VERSION-TARGET.tar.gz, which holds the binary, manual pages,
# completions, the JSON Schema of rows, licences, README and docs, and its sha256.
#
#     scripts/release.sh [OUT]          OUT is target/release-files without it
#
# CARGO_TARGET_DIR and the CARGO_PROFILE_RELEASE_* variables of cargo hold.
set -euo pipefail
cd "$(dirname "$0")/.."

main() {
    local out=${1:-target/release-files}
    local target version binary name
    target=$(target)
    version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
    cargo build --locked --release --target "$target"
    binary=${CARGO_TARGET_DIR:-target}/$target/release/kifu
    name=kifu-$version-$target
    rm -rf "${out:?}/$name"
    mkdir -p "$out/$name"
    pack "$binary" "$out/$name" "$version"
    # The same files give the same bytes.
    tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(moment)" \
        -cf - "$name" | gzip -9n >"$out/$name.tar.gz"
    (cd "$out" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
    sizes "$binary" "$out" "$name"
}

# The musl target where it can be built, else the one of this compiler.
target() {
    local host musl
    host=$(rustc -vV | sed -n 's/^host: //p')
    musl=${host/-gnu/-musl}
    if [ "$musl" != "$host" ] && command -v musl-gcc >/dev/null &&
        rustup target add "$musl" >/dev/null 2>&1; then
        host=$musl
    else
        echo "no musl-gcc, or no musl target: the binary needs the libc of this system" >&2
    fi
    echo "$host"
}

# Fills a folder with what is released.
pack() {
    local binary=$1 folder=$2 version=$3
    strip -o "$folder/kifu" "$binary"
    [ "$("$folder/kifu" --version)" = "kifu $version" ]
    "$folder/kifu" generate man -o "$folder/man/man1"
    mkdir -p "$folder/completions"
    "$folder/kifu" generate completions bash >"$folder/completions/kifu.bash"
    "$folder/kifu" generate completions zsh >"$folder/completions/_kifu"
    "$folder/kifu" generate completions fish >"$folder/completions/kifu.fish"
    "$folder/kifu" generate completions powershell >"$folder/completions/_kifu.ps1"
    "$folder/kifu" generate completions elvish >"$folder/completions/kifu.elv"
    "$folder/kifu" generate schema >"$folder/label.schema.json"
    cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$folder"
    cp -r docs "$folder"
}

# When the sources last changed.
moment() {
    echo "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}"
}

sizes() {
    local binary=$1 out=$2 name=$3
    printf '%12d  bytes, %s as built\n' "$(stat -c %s "$binary")" "$binary"
    printf '%12d  bytes, stripped\n' "$(stat -c %s "$out/$name/kifu")"
    printf '%12d  bytes, %s\n' "$(stat -c %s "$out/$name.tar.gz")" "$out/$name.tar.gz"
    cat "$out/$name.tar.gz.sha256"
}

main "$@"
