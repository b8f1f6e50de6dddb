#!/usr/bin/env python3
"""Holds kifu's judge of dead stones against others, on the same finished games, and prints a table.

The others are GNU Go (Debian package `gnugo`), through `kifu label --dead gtp`, and the npm package
`@sabaki/deadstones`, which is installed into a temporary folder and needs `node` and `npm`. One that is not there is
named as missing. All lists of dead stones are counted by kifu: those of deadstones as marked territory in copies.

    scripts/peers.py FOLDER... [--kifu BIN] [--every N]

FOLDER holds SGF files of one finished game each, with counted results. Times are processor times of one thread, GNU
Go's with its own process: each game is run alone, and what kifu takes for it without any dead stones is taken off, and
what GNU Go takes to start.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from measure_conventions import rows_of, with_dead

DEADSTONES = "@sabaki/deadstones@2.1.2"
GNU_GO = "gnugo --mode gtp --level 1"

# Reads boards as JSON, a line each; prints the dead stones of each and the microseconds that it took.
NODE = """
const deadstones = require('@sabaki/deadstones')
const lines = require('fs').readFileSync(0, 'utf8').split('\\n').filter(line => line)
;(async () => {
    await deadstones.guess([[0, 1], [-1, 0]], {finished: true, iterations: 1})
    for (const line of lines) {
        const before = process.cpuUsage()
        const dead = await deadstones.guess(JSON.parse(line), {finished: true, iterations: 100})
        const {user, system} = process.cpuUsage(before)
        console.log(JSON.stringify({dead, micros: user + system}))
    }
})()
"""


def cpu() -> float:
    """Processor seconds of everything that was started and has ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def costs(kifu: str, files: list[Path], arguments: list[str]) -> list[float]:
    """Processor milliseconds of a run over each file alone."""
    taken = []
    for file in files:
        before = cpu()
        command = [kifu, "label", str(file), "-q", "-j", "1", "--output-format", "csv", *arguments]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
        taken.append(1000 * (cpu() - before))
    return taken


def start_of_gnu_go() -> float:
    """Processor milliseconds that it takes to start and end."""
    taken = []
    for _ in range(9):
        before = cpu()
        subprocess.run(GNU_GO.split(), input="boardsize 19\nclear_board\nquit\n", capture_output=True, text=True)
        taken.append(1000 * (cpu() - before))
    return statistics.median(taken)


def less(costs: list[float], base: list[float]) -> list[float]:
    return [max(0.0, cost - without) for cost, without in zip(costs, base, strict=True)]


def boards(kifu: str, files: list[Path]) -> dict[Path, list[list[int]]]:
    """The final positions of those that hold one game, row by row from the top: 1 Black, -1 White, 0 nothing."""
    found = {}
    for file in files:
        command = [kifu, "label", str(file), "-q", "--dead", "none", "--with", "board", "--output-format", "jsonl"]
        rows = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        row = json.loads(rows[0]) if len(rows) == 1 else {}
        cells = row.get("board")
        if not cells:
            print(f"left out: {file} is not one game")
            continue
        columns = int(str(row["size"]).split("x")[0])
        found[file] = [cells[at : at + columns] for at in range(0, len(cells), columns)]
    return found


def ask_deadstones(positions: list[list[list[int]]]) -> list[dict] | str:
    """What deadstones says of positions, or why it cannot be asked."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return "missing: node or npm is not in PATH"
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", DEADSTONES]
        if subprocess.run(command, cwd=folder, capture_output=True).returncode != 0:
            return f"missing: npm cannot install {DEADSTONES}"
        (Path(folder) / "ask.js").write_text(NODE, encoding="utf-8")
        lines = "".join(json.dumps(position) + "\n" for position in positions)
        asked = subprocess.run([node, "ask.js"], cwd=folder, input=lines, capture_output=True, text=True)
    if asked.returncode != 0:
        return f"failed: {(asked.stderr.strip() or 'it said nothing').splitlines()[-1]}"
    return [json.loads(line) for line in asked.stdout.splitlines()]


def copies(files: list[Path], folder: Path, change=lambda file, record: record) -> Path:
    """Copies of the records, changed, in a folder that is new."""
    folder.mkdir()
    for nth, file in enumerate(files):
        (folder / f"{nth:06}.sgf").write_bytes(change(file, file.read_bytes()))
    return folder


class Peer:
    """What came of a judge: its rows, and milliseconds for each position."""

    def __init__(self, name: str, rows: list[dict[str, str]], taken: list[float], *dead_from: str) -> None:
        self.name, self.rows, self.taken = name, rows, taken
        self.other = sum(row["dead_from"] not in dead_from for row in rows)

    def __str__(self) -> str:
        count = len(self.rows)
        exact = sum(row["status"] == "agree" for row in self.rows)
        won = sum(row["winner"] != "" and row["winner"] == row["recorded_winner"] for row in self.rows)
        times = f"{statistics.median(self.taken):8.1f} / {statistics.mean(self.taken):.1f}"
        note = f"   {self.other} not judged by it" if self.other else ""
        return f"{self.name:<22} {count:>7} {100 * exact / count:>9.1f} {100 * won / count:>9.1f} {times:>20}{note}"


def compare(kifu: str, found: dict[Path, list[list[int]]]) -> None:
    files = list(found)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        plain = copies(files, folder / "plain")
        base = costs(kifu, files, ["--dead", "none"])
        # Marks that a record may hold are not looked at.
        own = ["--dead", "playout"]
        print(Peer("kifu", rows_of(kifu, plain, own), less(costs(kifu, files, own), base), "judged"), flush=True)
        if shutil.which("gnugo") is None:
            print("gnugo                  missing: it is not in PATH")
        else:
            engine = ["--dead", "gtp", "--gtp", GNU_GO]
            rows = rows_of(kifu, plain, [*engine, "-j", "1"])
            start = start_of_gnu_go()
            taken = less(costs(kifu, files, engine), [without + start for without in base])
            print(Peer("gnugo --level 1", rows, taken, "engine"), flush=True)
        answers = ask_deadstones(list(found.values()))
        if isinstance(answers, str):
            print(f"deadstones             {answers}")
            return
        asked = dict(zip(files, answers, strict=True))

        def mark(file: Path, record: bytes) -> bytes:
            rows = ["".join(".XO"[cell] for cell in row) for row in found[file]]
            return with_dead(record, rows, asked[file]["dead"])

        rows = rows_of(kifu, copies(files, folder / "marked", mark), ["--dead", "marked"])
        taken = [answer["micros"] / 1000 for answer in answers]
        # Where no stone is dead, there is nothing to mark.
        print(Peer(DEADSTONES.rpartition("@")[0], rows, taken, "marked", "none"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--kifu", default="target/release/kifu")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth file of a folder, by name")
    arguments = parser.parse_args()
    kifu = str(Path(arguments.kifu).resolve())
    # Debian keeps it where not every PATH leads.
    os.environ["PATH"] = os.environ.get("PATH", "") + os.pathsep + "/usr/games"
    for folder in arguments.folder:
        files = [file.resolve() for file in sorted(folder.rglob("*.sgf"))[:: max(1, arguments.every)]]
        print(f"\n{folder}")
        found = boards(kifu, files)
        print(f"{'peer':<22} {'records':>7} {'exact %':>9} {'winner %':>9} {'ms median / mean':>20}")
        if found:
            compare(kifu, found)


if __name__ == "__main__":
    main()
