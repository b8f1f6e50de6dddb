#!/usr/bin/env python3
"""Measures how far labels of counted records can be trusted.

Runs `kifu label` on an archive and prints, for each of its folders, how many records are called unfinished, how many
written margins come out exactly and how often the winner does; then how often labels of each confidence are right, on
two halves by the hash of the file name, and what it cost. Settings that lie in the archive (`kifu.toml`) are not used.

    scripts/measure_labels.py ARCHIVE [--kifu BIN] [--args "--convention territory_finished"]
"""

import argparse
import collections
import csv
import hashlib
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

COUNTED = ("agree", "winner_differs", "margin_differs")


def label(arguments: argparse.Namespace) -> tuple[list[dict], int]:
    """The rows of the counted records, and the number of all."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "labels.csv"
        settings = Path(folder) / "none.toml"
        settings.touch()
        program = shutil.which(arguments.kifu)
        if program is None:
            sys.exit(f"no program {arguments.kifu}: name it by --kifu")
        command = [str(Path(program).resolve()), "label", ".", "-o", str(out), *shlex.split(arguments.args)]
        if "--config" not in command:
            command += ["--config", str(settings)]
        done = subprocess.run(command, cwd=arguments.archive, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"{shlex.join(command)}: {done.stderr.strip()}")
        with out.open(encoding="utf-8", newline="") as rows:
            found = list(csv.DictReader(rows))
    counted = [row for row in found if row["recorded_kind"] == "score"]
    return [row for row in counted if row["status"] in (*COUNTED, "unfinished")], len(found)


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:5.1f}" if whole else "    -"


def half(row: dict) -> int:
    name = row["origin"].rsplit("/", 1)[-1]
    return hashlib.md5(name.encode(), usedforsecurity=False).digest()[-1] & 1


def folder_of(row: dict) -> str:
    return row["origin"].split("/")[-2] if "/" in row["origin"] else "."


def folders(rows: list[dict]) -> None:
    """One line for each folder: shares in percent."""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[folder_of(row)].append(row)
    print("folder        records  unfinished  exact of decided  exact of all  winner")
    for name, group in sorted(groups.items()):
        decided = [row for row in group if row["status"] != "unfinished"]
        exact = sum(row["status"] == "agree" for row in decided)
        winner = sum(row["winner"] == row["recorded_winner"] for row in decided)
        print(
            f"{name:12}  {len(group):7}  {share(len(group) - len(decided), len(group)):>10}  "
            f"{share(exact, len(decided)):>16}  {share(exact, len(group)):>12}  {share(winner, len(decided)):>6}"
        )


def calibration(rows: list[dict]) -> None:
    """One line for each folder: what confidence says of its decided records, and what is so, in percent."""
    groups = collections.defaultdict(list)
    for row in rows:
        if row["status"] != "unfinished":
            groups[folder_of(row)].append(row)
    print("folder        decided  mean confidence  exact")
    for name, group in sorted(groups.items()):
        mean = sum(float(row["confidence"]) for row in group) / len(group)
        exact = sum(row["status"] == "agree" for row in group)
        print(f"{name:12}  {len(group):7}  {100 * mean:15.1f}  {share(exact, len(group))}")


def curve(rows: list[dict]) -> None:
    """How often labels are right, by tenths of confidence."""
    for which in (0, 1):
        tenths = collections.defaultdict(list)
        for row in rows:
            if half(row) == which and row["status"] != "unfinished":
                tenths[min(9, int(float(row["confidence"]) * 10))].append(row)
        print(f"half {which}: confidence, records, mean confidence, exact")
        for tenth, group in sorted(tenths.items()):
            mean = sum(float(row["confidence"]) for row in group) / len(group)
            exact = sum(row["status"] == "agree" for row in group)
            print(f"  {tenth / 10:.1f}  {len(group):6}  {100 * mean:5.1f}  {share(exact, len(group))}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("archive", type=Path)
    parser.add_argument("--kifu", default="kifu")
    parser.add_argument("--args", default="", help="more arguments for kifu label")
    arguments = parser.parse_args()
    rows, every = label(arguments)
    if not rows:
        print("no counted record found", file=sys.stderr)
        return 1
    folders(rows)
    calibration(rows)
    curve(rows)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    print(f"processor time: {1000 * seconds / every:.1f} ms for each of {every} records")
    return 0


if __name__ == "__main__":
    sys.exit(main())
