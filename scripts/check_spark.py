#!/usr/bin/env python3
"""Labels an archive with kifu and with Spark, and holds the rows against each other.

    python3 scripts/check_spark.py [--short] [--records N] [--keep FOLDER]

The archive is made of the samples: copies of all files, a few collections, a dump with
its index and a zip. `kifu label` labels it here, and scripts/spark_label.py on Spark
with two threads; rows must be the same in every column. Then once more by spark-submit,
with the program and kifu.toml sent along and a folder for each game, while a worker that
has rows in flight is killed (SIGKILL): Spark must try its task again, and come to the
same rows. Both must have two partitions or more for each thread. Needs Java 17 or later
and

    pip install pyspark==4.0.1 pyarrow pandas

The binary is the one that KIFU names, else target/release/kifu.
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

import pyarrow
import pyarrow.dataset

ROOT = pathlib.Path(__file__).resolve().parent.parent
KIFU = pathlib.Path(os.environ.get("KIFU", ROOT / "target" / "release" / "kifu")).resolve()
FLAGS = ["--with", "board,meta,position_hash", "--dead", "none"]
# The same in kifu.toml.
CONFIG = """\
[label]
with = ["board", "meta", "position_hash"]
dead = "none"
"""
THREADS = 2


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--short", action="store_true", help="1000 records, and only by spark-submit")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="work there, and leave it")
    args = parser.parse_args()
    work = args.keep or pathlib.Path(tempfile.mkdtemp(prefix="kifu-spark-"))
    work.mkdir(parents=True, exist_ok=True)
    try:
        wrong = check(work.resolve(), 1000 if args.short else args.records, args.short)
    finally:
        if not args.keep:
            shutil.rmtree(work)
    print("the rows are the same" if not wrong else f"{wrong} things differ")
    return 1 if wrong else 0


def check(work, records, is_short):
    archive = work / "archive"
    indexes = make(archive, records)
    began = time.monotonic()
    rows = work / "labels.parquet"
    subprocess.run([KIFU, "label", archive, "--root", archive, "-q", "-o", rows, *FLAGS], check=True, cwd=work)
    expected = table(rows)
    print(f"kifu label: {expected.num_rows} records, {time.monotonic() - began:.1f} s", flush=True)
    wrong = 0 if is_short else differ(expected, spark(work, "calm", archive, indexes))
    # Workers of few records are gone before one is met, at times.
    for _ in range(3):
        killer = Killer()
        wrong += differ(expected, spark(work, "submitted", archive, indexes, killer))
        if killer.killed is not None:
            return wrong
    print("no worker was killed")
    return wrong + 1


def make(archive, records):
    """Copies of the samples, until they hold enough records; what lies beside dumps."""
    shutil.rmtree(archive, ignore_errors=True)
    samples = ROOT / "data" / "archive"
    games = sorted((samples / "go").glob("*x*/*.sgf"))
    whole = b"\n".join(path.read_bytes() for path in games)
    for place in range(3):
        (archive / "large").mkdir(parents=True, exist_ok=True)
        (archive / "large" / f"{place} of 3.sgf").write_bytes(whole * (1 + records // 10 // len(games)))
    with zipfile.ZipFile(archive / "large" / "packed.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for path in games:
            packed.write(path, f"a#b/{path.parent.name}/{path.name}")
    # A dump, and the index that it is read with.
    shutil.copytree(ROOT / "data" / "formats", archive / "formats")
    # Names that URIs would escape.
    shutil.copy(games[0], archive / "large" / "100%41 é.sgf")
    made = 3 * len(games) * (1 + records // 10 // len(games))
    copy = 0
    while made < records:
        shutil.copytree(samples, archive / f"{copy:03}")
        # What the samples hold is in the table in the README.
        made += 700
        copy += 1
    for path in archive.rglob("*"):
        # Spark passes over them, without a word.
        if path.is_file() and path.stat().st_size == 0:
            path.unlink()
    words = ("kifu", "index")
    return [path for path in archive.rglob("*") if path.is_file() and any(it in path.name for it in words)]


def table(path):
    # Where there is a folder for each game, their names say it.
    folders = pyarrow.dataset.partitioning(pyarrow.schema([("game", pyarrow.string())]), flavor="hive")
    rows = pyarrow.dataset.dataset(path, partitioning=folders).to_table().sort_by("origin")
    binary = lambda kind: pyarrow.binary() if pyarrow.types.is_fixed_size_binary(kind) else kind
    columns = {}
    for field in rows.schema:
        column = rows.column(field.name)
        is_list = pyarrow.types.is_list(field.type)
        columns[field.name] = column.cast(pyarrow.list_(pyarrow.int8()) if is_list else binary(field.type))
    # By names, as a column that parts rows into folders comes last.
    return pyarrow.table({name: columns[name] for name in sorted(columns)})


def spark(work, name, archive, indexes, killer=None):
    """Rows as Spark makes them; where a worker is killed, all that can be sent is sent."""
    output = work / name
    shutil.rmtree(output, ignore_errors=True)
    began = time.monotonic()
    master = ["--master", f"local[{THREADS},4]"]
    own = [
        ROOT / "scripts" / "spark_label.py", archive, "-o", output, "--root", archive,
        "--kifu", KIFU, "--batch", "64",
    ]
    own += ["--index", *indexes] if indexes else []
    if killer:
        config = work / "sent" / "kifu.toml"
        config.parent.mkdir(exist_ok=True)
        config.write_text(CONFIG)
        submit = pathlib.Path(sys.executable).with_name("spark-submit")
        command = [submit, *master, *own, "--ship", "--config", config, "--partition-by", "game"]
    else:
        command = [sys.executable, *own, *master, "--", *FLAGS]
    environment = {
        **os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(work / "spark"),
    }
    with open(work / f"{name}.log", "w+") as log:
        job = subprocess.Popen(command, stdout=log, stderr=log, cwd=work, env=environment)
        if killer:
            threading.Thread(target=killer.watch, args=(job.pid,), daemon=True).start()
        status = job.wait()
        log.seek(0)
        said = log.read()
    if status:
        sys.exit(f"{said}\nSpark ended with {status}")
    if killer and killer.killed is not None and f"kifu worker ended with -{signal.SIGKILL:d}" not in said:
        sys.exit(f"{said}\nno task failed by its worker")
    rows = table(output)
    # part-00007-….parquet, perhaps in several folders.
    parts = len({path.name.split("-")[1] for path in output.rglob("*.parquet")})
    took = time.monotonic() - began
    print(f"Spark, {name}: {rows.num_rows} rows of {parts} partitions, {took:.1f} s", flush=True)
    if parts < 2 * THREADS:
        sys.exit(f"{parts} partitions are fewer than two for each of {THREADS} threads")
    return rows


class Killer:
    """Kills one worker below a process, once it has written rows and not yet ended: one
    of a program that was sent, as that on the driver writes no rows."""

    def __init__(self):
        self.killed = None
        # What runs now is no worker.
        self.others = set(pathlib.Path("/proc").glob("[0-9]*"))

    def watch(self, top):
        while self.killed is None and pathlib.Path(f"/proc/{top}").exists():
            for worker in self.workers(top):
                try:
                    os.kill(worker, signal.SIGSTOP)
                    written = pathlib.Path(f"/proc/{worker}/io").read_text().split("wchar: ")[1].split()[0]
                    if int(written) > 0 and pathlib.Path(f"/proc/{worker}/cmdline").read_bytes():
                        os.kill(worker, signal.SIGKILL)
                        self.killed = worker
                        print(f"killed worker {worker} after {written} bytes of rows", flush=True)
                        return
                    os.kill(worker, signal.SIGCONT)
                except OSError:
                    continue
            time.sleep(0.001)

    def workers(self, top):
        """Processes of kifu that descend from one, by their numbers."""
        parents = {}
        for folder in set(pathlib.Path("/proc").glob("[0-9]*")) - self.others:
            try:
                # The name of the program may hold blanks.
                parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
        for process in parents:
            above = parents.get(process)
            while above and above != top:
                above = parents.get(above)
            try:
                command = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            # The program itself runs on the driver alone, to say what columns there are.
            program = pathlib.Path(os.fsdecode(command[0]))
            if above == top and command[1:2] == [b"worker"] and program.name == KIFU.name and program != KIFU:
                yield process


def differ(expected, rows):
    """How many columns differ, with an example of each."""
    if expected.column_names != rows.column_names or expected.num_rows != rows.num_rows:
        print(f"{rows.num_rows} rows of {rows.column_names}, expected {expected.num_rows}")
        return 1
    wrong = 0
    for name in expected.column_names:
        if rows.column(name).equals(expected.column(name)):
            continue
        wrong += 1
        pairs = zip(expected.column("origin"), expected.column(name), rows.column(name))
        print(name, next(pair for pair in pairs if pair[1] != pair[2]))
    return wrong


if __name__ == "__main__":
    sys.exit(main())
