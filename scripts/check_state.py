#!/usr/bin/env python3
"""Kills runs with --state over and over, and compares what comes out in the end.

    scripts/check_state.py [--kills 50] [--folder DIR] [--kifu PATH]

An archive is made of the sample games: many small files, one large collection and
a zip. For one and two threads, and rows as CSV, gzip and Parquet, a run is killed
(SIGKILL) again and again, each time after a number of new rows in its journal, and
goes on the next time. In the end the outputs must be those of an undisturbed run,
byte for byte; after each kill no more than one batch a thread may be done again.
Then the journal is cut at every byte of its last line, and files are added, changed,
touched and taken away. Prints what was done; ends with 1 if anything differs.
"""

import argparse
import filecmp
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--folder", type=Path, help="where to work [default: a temporary one]")
    parser.add_argument("--kifu", default=os.environ.get("KIFU", str(ROOT / "target/release/kifu")))
    parser.add_argument("--copies", type=int, default=40, help="copies of the samples [default: 40]")
    args = parser.parse_args()
    work = Path(args.folder or tempfile.mkdtemp(prefix="kifu-state-"))
    work.mkdir(parents=True, exist_ok=True)
    check = Check(args.kifu, work)
    check.make(args.copies)
    for ending in ("csv", "csv.gz", "parquet"):
        for jobs in (1, 2):
            check.kills(ending, jobs, args.kills)
    check.torn_journal()
    check.grown_archive()
    if not args.folder:
        shutil.rmtree(work)
    print("all as it should be" if not check.wrong else f"{check.wrong} things differ")
    return 1 if check.wrong else 0


class Check:
    """A binary, a folder, and what went wrong so far."""

    def __init__(self, kifu, work):
        self.kifu = kifu
        self.work = work
        self.archive = work / "archive"
        self.wrong = 0

    def say(self, is_right, what):
        print(("ok     " if is_right else "WRONG  ") + what, flush=True)
        self.wrong += not is_right

    def make(self, copies):
        shutil.rmtree(self.archive, ignore_errors=True)
        samples = [path for path in sorted((ROOT / "data").rglob("*")) if path.is_file()]
        for copy in range(copies):
            for path in samples:
                to = self.archive / f"{copy:03}" / path.relative_to(ROOT / "data")
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, to)
        games = [path for path in samples if path.suffix == ".sgf" and path.stat().st_size < 20000]
        whole = b"\n".join(path.read_bytes() for path in games)
        # Large ones are cut into windows, and packed ones unpacked member by member.
        (self.archive / "large.sgf").write_bytes(whole * (1 + (copies << 20) // len(whole)))
        with zipfile.ZipFile(self.archive / "packed.zip", "w", zipfile.ZIP_DEFLATED) as packed:
            for copy in range(2 * copies):
                for path in games:
                    packed.write(path, f"{copy}/{path.relative_to(ROOT / 'data')}")

    def command(self, out, state=None, jobs=1):
        command = [self.kifu, "label", str(self.archive), "--quiet", "-j", str(jobs), "-o", str(out)]
        # Judging is not what is tried here.
        command += ["--dead", "none"]
        return command + (["--state", str(state)] if state else [])

    def run(self, out, state=None, jobs=1):
        subprocess.run(self.command(out, state, jobs), check=True)

    def outputs(self, out):
        """Every file beside an output that the same input gives again."""
        stem = out.name.split(".")[0]
        paths = sorted(out.parent.glob(stem + ".*"))
        return [path for path in paths if not path.name.endswith("run.json")]

    def clear(self, state):
        """Takes what an earlier check left away."""
        shutil.rmtree(state, ignore_errors=True)
        for path in self.work.glob("*.*"):
            path.unlink()

    def same(self, first, second):
        ours, theirs = self.outputs(first), self.outputs(second)
        names = [path.name.split(".", 1)[1] for path in ours]
        if names != [path.name.split(".", 1)[1] for path in theirs]:
            return False
        return all(filecmp.cmp(a, b, shallow=False) for a, b in zip(ours, theirs))

    def kills(self, ending, jobs, count):
        whole = self.work / f"whole.{ending}"
        killed = self.work / f"killed.{ending}"
        state = self.work / "state"
        self.clear(state)
        self.run(whole, jobs=jobs)
        rows = json.loads((self.work / "whole.summary.json").read_text())["rows"]
        # A batch goes beyond its aim.
        step = max(1, rows * 6 // (10 * count))
        kills, between, again, empty = 0, 0, 0, 0
        for _ in range(4 * count):
            if kills >= count:
                break
            before = recorded(state)
            process = subprocess.Popen(self.command(killed, state, jobs))
            while process.poll() is None and recorded(state) < before + step:
                time.sleep(0.0005)
            process.send_signal(signal.SIGKILL)
            if process.wait() == 0:
                break
            now = recorded(state)
            kills += 1
            between += 0 < now < rows
            empty += now == before
        done = recorded(state)
        self.run(killed, state, jobs)
        again = recorded(state) - rows
        left = [path.name for path in self.work.glob("*.tmp")]
        self.say(
            self.same(whole, killed) and not left,
            f"{ending}, {jobs} job(s): {kills} kills, {between} of them between first and last "
            f"segment, {empty} without a new batch; {rows} rows, {done} kept before the last run, "
            f"{again} labelled twice, {len(left)} files left behind",
        )

    def torn_journal(self):
        whole, torn, state = self.work / "whole.csv", self.work / "torn.csv", self.work / "state"
        self.clear(state)
        self.run(whole)
        process = subprocess.Popen(self.command(torn, state))
        while process.poll() is None and recorded(state) < 2000:
            time.sleep(0.0005)
        process.kill()
        process.wait()
        journal = (state / "journal.jsonl").read_bytes()
        last = journal.rstrip(b"\n").rfind(b"\n") + 1
        saved = self.work / "saved"
        shutil.rmtree(saved, ignore_errors=True)
        shutil.copytree(state, saved)
        wrong = 0
        for length in range(last, len(journal) + 1):
            shutil.rmtree(state)
            shutil.copytree(saved, state)
            (state / "journal.jsonl").write_bytes(journal[:length])
            self.run(torn, state)
            wrong += not self.same(whole, torn)
        self.say(not wrong, f"the last line of the journal cut at each of its {len(journal) - last} bytes")

    def grown_archive(self):
        chance = random.Random(1)
        whole, grown, state = self.work / "whole.csv", self.work / "grown.csv", self.work / "state"
        self.clear(state)
        self.run(grown, state)
        paths = [path for path in sorted(self.archive.rglob("*.sgf")) if path.stat().st_size < 20000]
        chance.shuffle(paths)
        for number, path in enumerate(paths[:20]):
            shutil.copy(path, path.with_name(f"new{number}.sgf"))
        for path in paths[20:40]:
            path.write_bytes(path.read_bytes().replace(b"KM[6.5]", b"KM[7.5]") + b" ")
        for path in paths[40:60]:
            # The same size and time, other bytes.
            times = path.stat()
            path.write_bytes(path.read_bytes().replace(b"RE[B", b"RE[W").replace(b"RE[0", b"RE[W"))
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        for path in paths[60:80]:
            os.utime(path, (1, 1))
        for path in paths[80:100]:
            path.unlink()
        with open(self.archive / "large.sgf", "ab") as large:
            large.write(paths[0].read_bytes())
        self.run(grown, state)
        self.run(whole)
        self.say(self.same(whole, grown), "20 files added, 40 changed, 20 touched, 20 removed, one grown")
        for number in range(12):
            paths[0].write_bytes(paths[0].read_bytes() + b" ")
            (self.archive / f"night{number}.sgf").write_bytes(paths[1].read_bytes())
            self.run(grown, state)
        self.run(whole)
        files = len(list(state.glob("*.rows")))
        self.say(self.same(whole, grown) and files <= 9, f"after 12 more nights, in {files} files of rows")


def recorded(state):
    """Records in the whole lines of a journal."""
    try:
        lines = (state / "journal.jsonl").read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return 0
    segments = {}
    for line in lines:
        rows = json.loads(line).get("rows")
        if rows:
            segments[rows["segment"]] = rows["records"]
    return sum(segments.values())


if __name__ == "__main__":
    sys.exit(main())
