#!/usr/bin/env python3
"""Makes a large archive of small SGF files, and the same games in one file.

    python3 scripts/make_bench_archive.py FOLDER [FILES]

FOLDER gets 200 folders with FILES files (100000 unless given) under fresh
names, and FOLDER.sgf the same games joined. The games are those of
data/archive on 13x13 and 19x19, repeated.
"""

import pathlib
import sys


def main() -> None:
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    files = int(sys.argv[2]) if len(sys.argv) == 3 else 100_000
    samples = pathlib.Path(__file__).parent.parent / "data" / "archive" / "go"
    games = [
        path.read_bytes()
        for size in ("13x13", "19x19")
        for path in sorted((samples / size).glob("*.sgf"))
    ]
    if not games:
        sys.exit(f"no games in {samples}")
    joined = folder.with_name(folder.name + ".sgf")
    folder.mkdir(parents=True, exist_ok=True)
    with joined.open("wb") as collection:
        for number in range(files):
            # A stride through the games, so that neighbours differ.
            game = games[number * 7919 % len(games)]
            part = folder / f"{number * 200 // files:03d}"
            part.mkdir(exist_ok=True)
            (part / f"g{number:06d}.sgf").write_bytes(game)
            collection.write(game)
    size = sum(map(len, games)) / len(games)
    print(f"{files} files of about {size:.0f} bytes in {folder}, joined in {joined}")


if __name__ == "__main__":
    main()
