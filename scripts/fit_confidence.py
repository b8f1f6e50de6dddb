#!/usr/bin/env python3
"""Fits what makes margins doubtful, again: the weights and rates of src/game/go/confidence.rs.

Runs `kifu label` and `kifu explain -v` on an archive of counted records, takes the signs that the second prints, and
fits a logistic regression for a written margin to come out exactly. It prints the weights from all records and from
each half of them by the hash of the file name, and, for the weights from one half, how the margins of the other half
come out by the doubt they give. Records with an open border are left out: they are never counted.

    scripts/fit_confidence.py ARCHIVE [--kifu BIN] [--played-on FOLDER]...

Records of folders named by --played-on are counted as played on (`--convention territory_finished`).
"""

import argparse
import csv
import hashlib
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

COUNTED = ("agree", "winner_differs", "margin_differs", "unfinished")
NAMES = ("apart", "apart_surrounded", "least", "weak", "atari", "unbelieved", "changed", "neutral")
# Records explained by one command.
MANY = 200
# Weight of the squares of weights against the likelihood.
RIDGE = 1.0
# Upper ends of classes of doubt.
CLASSES = (0.2, 1.0, 1.7, 2.2, 2.8, 3.7, 4.5, 6.0, math.inf)


def label(kifu: str, archive: Path, wanted: list[str], options: list[str]) -> list[dict]:
    """Counted records: origin, whether the margin is exact, and the signs."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "labels.csv"
        command = [kifu, "label", *wanted, "-o", str(out), *options]
        subprocess.run(command, cwd=archive, check=True, stderr=subprocess.DEVNULL)
        with out.open(encoding="utf-8", newline="") as rows:
            found = [row for row in csv.DictReader(rows) if row["recorded_kind"] == "score"]
    found = [row for row in found if row["status"] in COUNTED and "open_border" not in row["warnings"]]
    told = {}
    for first in range(0, len(found), MANY):
        origins = [row["origin"] for row in found[first : first + MANY]]
        command = [kifu, "explain", "-v", *origins, *options]
        text = subprocess.run(command, cwd=archive, check=True, capture_output=True, text=True).stdout
        told.update(read(text))
    return [
        {"name": row["origin"], **told[row["origin"]]}
        for row in found
        if row["origin"] in told
    ]


def read(text: str) -> dict[str, dict]:
    """Signs and outcomes by origin."""
    told, signs = {}, None
    margin = None
    for line in text.splitlines():
        if found := re.match(r"doubt [\d.]+: (.*)", line):
            signs = dict(word.split("=") for word in found[1].split())
            margin = None
        elif "<- used" in line:
            margin = "as recorded" in line
        elif (found := re.match(r"record +(\S+) ", line)) and signs is not None and margin is not None:
            told[found[1]] = {"exact": margin, "signs": values(signs)}
            signs = None
    return told


def values(signs: dict) -> list[float]:
    """What the weights are for: as in `Signs::doubt`."""
    apart = min(float(signs["apart"]), 3)
    is_played_on = signs["kept"] in ("played_on", "unknown")
    return [
        1.0,
        -apart,
        -apart * (signs["kept"] in ("surrounded", "unknown")),
        -max(0.8 - float(signs["least"]), 0),
        -max(min(float(signs["weak"]), 40) - 8, 0),
        -min(float(signs["atari"]), 3),
        -(signs["believed"] == "false"),
        -min(float(signs["changed"]), 3) * is_played_on,
        -min(float(signs["neutral"]), 30) * is_played_on,
    ]


def half(row: dict) -> int:
    name = row["name"].rsplit("/", 1)[-1]
    return hashlib.md5(name.encode(), usedforsecurity=False).digest()[-1] & 1


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solves a system that is symmetric and positive definite."""
    size = len(right)
    rows = [[*matrix[row], right[row]] for row in range(size)]
    for pivot in range(size):
        for row in range(pivot + 1, size):
            factor = rows[row][pivot] / rows[pivot][pivot]
            rows[row] = [one - factor * other for one, other in zip(rows[row], rows[pivot], strict=True)]
    found = [0.0] * size
    for row in reversed(range(size)):
        rest = sum(rows[row][at] * found[at] for at in range(row + 1, size))
        found[row] = (rows[row][size] - rest) / rows[row][row]
    return found


def fit(rows: list[dict]) -> list[float]:
    """Weights of a logistic regression, by Newton's method."""
    size = len(NAMES) + 1
    weights = [0.0] * size
    for _ in range(30):
        slope = [0.0] + [-RIDGE * weight for weight in weights[1:]]
        bend = [[RIDGE * (row == at > 0) for at in range(size)] for row in range(size)]
        for row in rows:
            signs = row["signs"]
            chance = 1 / (1 + math.exp(-sum(map(float.__mul__, weights, map(float, signs)))))
            for at, sign in enumerate(signs):
                slope[at] += (row["exact"] - chance) * sign
                for other, value in enumerate(signs):
                    bend[at][other] += chance * (1 - chance) * sign * value
        step = solve(bend, slope)
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
        if max(map(abs, step)) < 1e-7:
            break
    return weights


def show(title: str, weights: list[float], rows: list[dict]) -> None:
    """Weights, and how often margins are exact by the doubt that these give."""
    print(f"{title}: start {weights[0]:.2f}, " + ", ".join(f"{n} {w:.3g}" for n, w in zip(NAMES, weights[1:], strict=True)))
    doubts = [(sum(-w * s for w, s in zip(weights[1:], row["signs"][1:], strict=True)), row["exact"]) for row in rows]
    low = -math.inf
    for high in CLASSES:
        exact = [right for doubt, right in doubts if low < doubt <= high]
        if exact:
            print(f"  doubt up to {high:3}: {len(exact):5} records, exact {100 * sum(exact) / len(exact):5.1f} %")
        low = high


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("archive", type=Path)
    parser.add_argument("--kifu", default="kifu")
    parser.add_argument("--played-on", action="append", default=[], metavar="FOLDER")
    arguments = parser.parse_args()
    folders = sorted(path.name for path in arguments.archive.iterdir() if path.is_dir())
    standing = [folder for folder in folders if folder not in arguments.played_on]
    rows = []
    for wanted, options in ((standing, []), (arguments.played_on, ["--convention", "territory_finished"])):
        if wanted:
            rows += label(arguments.kifu, arguments.archive, wanted, options)
    halves = [[row for row in rows if half(row) == which] for which in (0, 1)]
    if not all(halves):
        print("no counted records found", file=sys.stderr)
        return 1
    for which in (0, 1):
        show(f"weights from half {which}, records of half {1 - which}", fit(halves[which]), halves[1 - which])
    show("all records", fit(rows), rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
