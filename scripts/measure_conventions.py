#!/usr/bin/env python3
"""Measures how well written margins are reproduced, with and without profiles.

Splits every group (folder) of an archive in two by the hash of the file name, runs `kifu calibrate` on one half and
`kifu label` on the other: by the records alone, with the built-in profiles, and with the calibrated ones. The dead
stones are kifu's own, or those that engines gave for the same records, which are then marked as territory (TB, TW) in
copies of them. As a control, the share of margins that fit after every written one was moved by two points.

    scripts/measure_conventions.py ARCHIVE [--opinions FILE] [--kifu BIN] [--by SOURCE ...]

ARCHIVE holds a folder for each group, with SGF files of one game each. FILE is JSON Lines: `file` (its path from the
folder that FILE lies in), `rows` of the final position, and for each engine `{"dead": [[x, y], ...]}`.
"""

import argparse
import collections
import csv
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MARKS = re.compile(rb"(?<![A-Za-z])T[BW]\s*(\[[^\]]*\]\s*)+")
# Shares of fewer records are not shown by group.
FEW = 20


def end_of_main_line(record: bytes) -> int:
    """Where the main line of a record ends: at its first closing parenthesis outside of values."""
    inside = False
    at = record.index(b"(")
    while at < len(record):
        sign = record[at : at + 1]
        if inside and sign == b"\\":
            at += 1
        elif inside:
            inside = sign != b"]"
        elif sign == b"[":
            inside = True
        elif sign == b")":
            return at
        at += 1
    return len(record)


def with_dead(record: bytes, rows: list[str], dead: list[list[int]]) -> bytes:
    """A record whose marks say that some stones are dead, and no others."""
    record = MARKS.sub(b"", record)
    marks = {"X": b"", "O": b""}
    for x, y in dead:
        marks[rows[y][x]] += f"[{LETTERS[x]}{LETTERS[y]}]".encode()
    node = b"".join(
        name + marks[side] for name, side in ((b"TW", "X"), (b"TB", "O")) if marks[side]
    )
    at = end_of_main_line(record)
    return record[:at] + (b";" + node if node else b"") + record[at:]


def half(name: str) -> int:
    return hashlib.sha256(name.encode()).digest()[0] & 1


def run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")


def rows_of(kifu: str, folder: Path, arguments: list[str]) -> list[dict[str, str]]:
    output = folder.parent / "rows.csv"
    run([kifu, "label", ".", "-q", "-o", str(output), *arguments], folder)
    with open(output, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def signed(winner: str, margin: str) -> float | None:
    if not margin:
        return None
    return float(margin) if winner == "black" else -float(margin)


class Share:
    """How many records of a group fit."""

    def __init__(self) -> None:
        self.records = self.exact = self.winner = self.shifted = 0

    def add(self, row: dict[str, str]) -> None:
        self.records += 1
        self.exact += row["status"] == "agree"
        self.winner += row["winner"] != "" and row["winner"] == row["recorded_winner"]
        board = signed(row["winner"], row["margin"])
        written = signed(row["recorded_winner"], row["recorded_margin"])
        self.shifted += board is not None and written is not None and abs(written - board) == 2

    def __str__(self) -> str:
        parts = (self.exact, self.winner, self.shifted / 2)
        return " ".join(f"{100 * part / self.records:5.1f}" for part in parts)


def group_of(row: dict[str, str]) -> str:
    return row["origin"].removeprefix("./").split("/")[0]


def measure(kifu: str, halves: list[Path], arguments: list[str]) -> None:
    config = halves[0].parent / "calibrated.toml"
    config.unlink(missing_ok=True)
    run([kifu, "calibrate", ".", "-q", "-o", str(config), "--no-profiles", *arguments], halves[0])
    ways = {
        "records alone": ["--no-profiles"],
        "built-in": [],
        "calibrated": ["--no-profiles", "--config", str(config)],
        "both": ["--config", str(config)],
    }
    tables = {}
    for way, more in ways.items():
        shares = collections.defaultdict(Share)
        for row in rows_of(kifu, halves[1], [*arguments, *more]):
            shares[group_of(row)].add(row)
            shares["all"].add(row)
        tables[way] = shares
    # The built-in profiles need no half to be found on.
    for row in rows_of(kifu, halves[0], arguments):
        for group in (group_of(row), "all"):
            tables.setdefault("built-in, all", collections.defaultdict(Share))[group].add(row)
    for group, share in tables["built-in"].items():
        whole = tables["built-in, all"][group]
        for count in ("records", "exact", "winner", "shifted"):
            setattr(whole, count, getattr(whole, count) + getattr(share, count))
    print("                     " + "".join(f"{way:>20}" for way in tables))
    print("group         records " + "  exact  won shift   " * len(tables))
    for group in sorted(tables["built-in"], key=lambda group: (group == "all", group)):
        shares = [table[group] for table in tables.values()]
        if shares[0].records >= FEW:
            print(f"{group:<12} {shares[0].records:>8}  " + "   ".join(map(str, shares)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archive", type=Path)
    parser.add_argument("--opinions", type=Path)
    parser.add_argument("--kifu", default="target/release/kifu")
    parser.add_argument("--by", nargs="+", help="own, and engines named in FILE")
    arguments = parser.parse_args()
    kifu = str(Path(arguments.kifu).resolve())
    archive = arguments.archive.resolve()
    opinions = {}
    engines = []
    if arguments.opinions:
        for line in arguments.opinions.read_text(encoding="utf-8").splitlines():
            opinion = json.loads(line)
            opinions[(arguments.opinions.parent / opinion["file"]).resolve()] = opinion
            engines = [name for name, said in opinion.items() if isinstance(said, dict) and "dead" in said]
    files = sorted(path for path in archive.glob("*/*.sgf") if not opinions or path in opinions)
    for source in arguments.by or ["own", *engines]:
        with tempfile.TemporaryDirectory() as folder:
            halves = [Path(folder) / name for name in ("chosen-on", "scored-on")]
            for path in files:
                record = path.read_bytes()
                if source != "own":
                    opinion = opinions[path]
                    record = with_dead(record, opinion["rows"], opinion[source]["dead"])
                place = halves[half(path.name)] / path.relative_to(archive)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(record)
            print(f"\ndead stones: {source}")
            measure(kifu, halves, [] if source == "own" else ["--dead", "marked"])


if __name__ == "__main__":
    main()
