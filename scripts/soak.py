#!/usr/bin/env python3
"""A million records, kills, a full disk and unreadable files: is every record there?

    scripts/soak.py [--records 1000000] [--kills 30] [--folder DIR] [--kifu PATH]

The samples of all games and formats are copied, as files, into zips and into tar
archives, until there are so many records; dangling links, random bytes and files
that may not be read lie between them. Runs with --state are killed at random, and
meet a disk that is full, until one comes through. Then each copy must have exactly
the rows that the samples have by themselves, and each odd file its one row. Peak
memory of every run is measured. Stones are counted as they stand (--dead none),
unless --judge is given. Prints what was found; ends with 1 if a record is missing,
doubled or different, or if a run took more than --memory.
"""

import argparse
import collections
import csv
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ["archive", "formats", "boards"]
# Columns that do not depend on where a record lies.
COMPARED = ["status", "winner", "margin", "recorded", "error_kind", "content_hash", "game_hash"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--memory", type=int, default=100, help="MB that a run may take")
    parser.add_argument("--judge", action="store_true", help="judge dead stones")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--kifu", default=os.environ.get("KIFU", str(ROOT / "target/release/kifu")))
    args = parser.parse_args()
    work = Path(args.folder or tempfile.mkdtemp(prefix="kifu-soak-"))
    work.mkdir(parents=True, exist_ok=True)
    soak = Soak(args, work)
    try:
        soak.make()
        soak.disturb()
        soak.account()
    finally:
        soak.unmount()
        if not args.folder:
            shutil.rmtree(work)
    print("every record is there" if not soak.wrong else f"{soak.wrong} things are wrong")
    return 1 if soak.wrong else 0


class Soak:
    """An archive, the runs over it, and what went wrong so far."""

    def __init__(self, args, work):
        self.args = args
        self.work = work
        self.archive = work / "archive"
        self.chance = random.Random(7)
        self.peak = 0
        self.wrong = 0
        self.copies = []
        self.odd = 0
        self.mounted = None

    def say(self, is_right, what):
        print(("ok     " if is_right else "WRONG  ") + what, flush=True)
        self.wrong += not is_right

    def run(self, command, seconds=None):
        """Runs a command, killed after some time; its status, errors and peak memory."""
        log = open(self.work / "stderr.txt", "w+")
        process = subprocess.Popen(command, stderr=log, stdout=subprocess.DEVNULL)
        if seconds is not None:
            time.sleep(seconds)
            # One that has ended waits for wait4.
            os.kill(process.pid, signal.SIGKILL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        self.peak = max(self.peak, usage.ru_maxrss / 1024)
        log.seek(0)
        return status, log.read()

    def label(self, paths, out, state=None):
        command = [self.args.kifu, "label", *map(str, paths), "-o", str(out)]
        command += ["--quiet", "--jobs", str(self.args.jobs), "--no-profiles"]
        command += [] if self.args.judge else ["--dead", "none"]
        return command + (["--state", str(state)] if state else [])

    def make(self):
        shutil.rmtree(self.archive, ignore_errors=True)
        self.archive.mkdir(parents=True)
        files = [
            path
            for folder in SAMPLES
            for path in sorted((ROOT / "data" / folder).rglob("*"))
            if path.is_file()
        ]
        self.copy(files, self.archive / "one")
        status, said = self.run(self.label([self.archive / "one"], self.work / "one.csv"))
        assert status == 0, said
        self.expected = collections.Counter(
            (origin.split("/one/", 1)[1], values) for origin, values in rows(self.work / "one.csv")
        )
        each = sum(self.expected.values())
        self.copies.append("one/")
        count = each
        number = 0
        while count < self.args.records:
            number += 1
            if number % 4 == 1:
                name = f"copy{number:05}"
                self.copy(files, self.archive / name)
                self.copies.append(name + "/")
                count += each
                continue
            # Members of a packed file are as good as files in a folder.
            name = f"packed{number:05}" + (".zip" if number % 4 else ".tar.gz")
            times = 16
            pack(files, self.archive / name, times)
            self.copies += [f"{name}!{copy:02}/" for copy in range(times)]
            count += each * times
        for number in range(50):
            os.symlink("nowhere", self.archive / f"link{number}.sgf")
            (self.archive / f"noise{number}.sgf").write_bytes(self.chance.randbytes(5000))
            closed = self.archive / f"closed{number}.sgf"
            closed.write_bytes(b"(;GM[1])")
            if os.geteuid() == 0:
                closed.unlink()
                os.mkfifo(closed)
            else:
                closed.chmod(0)
            self.odd += 3
        print(f"{count} records in {len(self.copies)} copies, {self.odd} odd files", flush=True)

    def copy(self, files, to):
        for path in files:
            target = to / path.relative_to(ROOT / "data")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)

    def disturb(self):
        """Kills runs and fills their disk, then lets one come through."""
        state, out = self.work / "state", self.work / "labels.csv"
        shutil.rmtree(state, ignore_errors=True)
        full = self.mount(state)
        status, said = self.run(self.label([self.archive], out, state))
        if full:
            self.say(status != 0 and "space" in said, f"a full disk ends a run: {said.strip()}")
            subprocess.run(["mount", "-o", "remount,size=8g", str(state)], check=True)
        kills = done = 0
        # So that the kills together reach well into the archive.
        pause = max(0.3, self.args.records / 200_000)
        while kills < self.args.kills and not done:
            status, said = self.run(self.label([self.archive], out, state), self.chance.uniform(0.1, pause))
            kills += status != 0
            done = status == 0
        last = [json.loads(line) for line in (state / "journal.jsonl").read_text().splitlines()]
        kept = {line["rows"]["segment"]: line["rows"]["records"] for line in last if "rows" in line}
        print(f"{kills} kills; {sum(kept.values())} records kept by then", flush=True)
        started = time.monotonic()
        status, said = self.run(self.label([self.archive], out, state))
        seconds = time.monotonic() - started
        self.say(status == 0, f"the last run came through in {seconds:.1f} s {said.strip()}")
        left = [path.name for path in self.work.glob("*.tmp")]
        self.say(not left, f"{len(left)} temporary files left behind")
        self.say(self.peak <= self.args.memory, f"peak memory of all runs {self.peak:.1f} MB")

    def mount(self, state):
        """Puts a small disk under the state, where that is allowed."""
        if os.geteuid() != 0:
            return False
        state.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(state)])
        self.mounted = state if mounted.returncode == 0 else None
        return self.mounted is not None

    def unmount(self):
        if self.mounted:
            subprocess.run(["umount", str(self.mounted)])
            self.mounted = None

    def account(self):
        """Compares the rows of every copy with those of the samples."""
        found = collections.Counter()
        wrong = collections.Counter()
        odd = 0
        # A copy is done when the next begins, so that only one is in memory.
        current, seen, done = None, collections.Counter(), set()
        prefixes = set(self.copies)
        for origin, values in rows(self.work / "labels.csv"):
            name = origin.split("/archive/", 1)[1]
            head = name.split("/", 1)[0] + "/"
            if head not in prefixes:
                odd += 1
                continue
            if head != current:
                self.close(current, seen, done, wrong)
                current, seen = head, collections.Counter()
            seen[name[len(head) :], values] += 1
            found["rows"] += 1
        self.close(current, seen, done, wrong)
        missing = len(prefixes - done)
        self.say(not wrong and not missing, f"{found['rows']} rows in {len(done)} copies, {missing} copies missing, differences: {dict(wrong.most_common(5))}")
        self.say(odd == self.odd, f"{odd} rows for {self.odd} odd files")
        summary = json.loads((self.work / "labels.summary.json").read_text())
        self.say(summary["rows"] == found["rows"] + odd, f"{summary['rows']} rows by the summary")

    def close(self, copy, seen, done, wrong):
        if copy is None:
            return
        if copy in done:
            wrong["copies in two places"] += 1
        done.add(copy)
        if seen != self.expected:
            wrong["rows missing"] += sum((self.expected - seen).values())
            wrong["rows that should not be"] += sum((seen - self.expected).values())


def rows(path):
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            yield row["origin"], tuple(row[name] for name in COMPARED)


def pack(files, to, times):
    if to.suffix == ".zip":
        with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
            for copy in range(times):
                for path in files:
                    packed.write(path, f"{copy:02}/{path.relative_to(ROOT / 'data')}")
        return
    with tarfile.open(to, "w:gz", compresslevel=1) as packed:
        for copy in range(times):
            for path in files:
                entry = tarfile.TarInfo(f"{copy:02}/{path.relative_to(ROOT / 'data')}")
                content = path.read_bytes()
                entry.size = len(content)
                packed.addfile(entry, io.BytesIO(content))


if __name__ == "__main__":
    sys.exit(main())
