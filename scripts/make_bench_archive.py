#!/usr/bin/env python3
"""Makes large archives for timing, in several forms of the same games.

    python3 scripts/make_bench_archive.py FOLDER [--games N] [--members N] [--forms WORDS]

FOLDER gets, for each word of --forms (all of them unless given):

    files       files/, one game a file in 200 folders, under fresh names
    collection  games.sgf, all games in one file
    gz, zst     games.sgf.gz, games.sgf.zst (zst needs the program zstd)
    zip, tar    games.zip, games.tar: --members files (100000 unless given)
                with as many games each as it takes

The games are those of data/archive on 13x13 and 19x19, repeated, --games of
them (100000 unless given).
"""

import argparse
import gzip
import io
import pathlib
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator

FORMS = ("files", "collection", "gz", "zst", "zip", "tar")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--members", type=int, default=100_000)
    parser.add_argument("--forms", default=",".join(FORMS))
    options = parser.parse_args()
    forms = options.forms.split(",")
    if unknown := set(forms) - set(FORMS):
        parser.error(f"unknown forms {', '.join(sorted(unknown))}; known are {', '.join(FORMS)}")
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    games = samples()

    def chosen() -> Iterator[bytes]:
        # A stride through the games, so that neighbours differ.
        return (games[number * 7919 % len(games)] for number in range(options.games))

    if "files" in forms:
        write_files(folder / "files", chosen(), options.games)
    plain = folder / "games.sgf"
    if {"collection", "gz", "zst"} & set(forms):
        with plain.open("wb") as collection:
            for game in chosen():
                collection.write(game)
    if "gz" in forms:
        with plain.open("rb") as read, gzip.open(folder / "games.sgf.gz", "wb", 6) as write:
            shutil.copyfileobj(read, write, 1 << 20)
    if "zst" in forms:
        subprocess.run(["zstd", "-qf", str(plain), "-o", f"{plain}.zst"], check=True)
    if {"zip", "tar"} & set(forms):
        write_members(folder, forms, chosen(), options.games, options.members)
    size = sum(map(len, games)) / len(games)
    print(f"{options.games} games of about {size:.0f} bytes in {folder}: {', '.join(forms)}")


def samples() -> list[bytes]:
    folder = pathlib.Path(__file__).parent.parent / "data" / "archive" / "go"
    games = [
        path.read_bytes()
        for size in ("13x13", "19x19")
        for path in sorted((folder / size).glob("*.sgf"))
    ]
    if not games:
        raise SystemExit(f"no games in {folder}")
    return games


def write_files(folder: pathlib.Path, games: Iterator[bytes], count: int) -> None:
    for number, game in enumerate(games):
        part = folder / f"{number * 200 // count:03d}"
        part.mkdir(parents=True, exist_ok=True)
        (part / f"g{number:06d}.sgf").write_bytes(game)


def write_members(
    folder: pathlib.Path, forms: list[str], games: Iterator[bytes], count: int, members: int
) -> None:
    """Writes a zip and a tar at once, games shared out evenly."""
    archives = []
    if "zip" in forms:
        zipped = zipfile.ZipFile(folder / "games.zip", "w", zipfile.ZIP_DEFLATED)
        archives.append((zipped, lambda name, data: zipped.writestr(name, data)))
    if "tar" in forms:
        tarred = tarfile.open(folder / "games.tar", "w")

        def add(name: str, data: bytes) -> None:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tarred.addfile(entry, io.BytesIO(data))

        archives.append((tarred, add))
    for member in range(members):
        share = (member + 1) * count // members - member * count // members
        data = b"".join(next(games) for _ in range(share))
        for _, write in archives:
            write(f"{member // 1000:03d}/g{member:06d}.sgf", data)
    for archive, _ in archives:
        archive.close()


if __name__ == "__main__":
    main()
