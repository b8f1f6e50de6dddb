#!/usr/bin/env python3
"""Labels an archive with kifu and with Spark, and holds the rows against each other.

    python3 scripts/check_spark.py [--short] [--records N] [--keep FOLDER]

The archive is made of the samples: copies of all files, a few collections, a dump with
its index and a zip. `kifu label` labels it here, and scripts/spark_label.py on Spark
with two threads; rows must be the same in every column. Then once more, while a worker
that has rows in flight is killed (SIGKILL): Spark must try its task again, and come to
the same rows. Needs Java 17 or later and

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
import pyarrow.parquet

ROOT = pathlib.Path(__file__).resolve().parent.parent
KIFU = pathlib.Path(os.environ.get("KIFU", ROOT / "target" / "release" / "kifu")).resolve()
FLAGS = ["--with", "board,meta,position_hash", "--dead", "none"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--short", action="store_true", help="1500 records, and only with a kill")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="work there, and leave it")
    args = parser.parse_args()
    work = args.keep or pathlib.Path(tempfile.mkdtemp(prefix="kifu-spark-"))
    work.mkdir(parents=True, exist_ok=True)
    try:
        wrong = check(work.resolve(), 1500 if args.short else args.records, args.short)
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
    wrong = 0 if is_short else differ(expected, spark(work, "calm", archive, indexes, None))
    killer = Killer()
    wrong += differ(expected, spark(work, "killed", archive, indexes, killer))
    if killer.killed is None:
        print("no worker was killed")
        wrong += 1
    return wrong


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
    rows = pyarrow.parquet.read_table(path).sort_by("origin")
    binary = lambda kind: pyarrow.binary() if pyarrow.types.is_fixed_size_binary(kind) else kind
    columns = {}
    for field in rows.schema:
        column = rows.column(field.name)
        is_list = pyarrow.types.is_list(field.type)
        columns[field.name] = column.cast(pyarrow.list_(pyarrow.int8()) if is_list else binary(field.type))
    return pyarrow.table(columns)


def spark(work, name, archive, indexes, killer):
    """Rows as Spark makes them, perhaps under fire."""
    output = work / name
    shutil.rmtree(output, ignore_errors=True)
    began = time.monotonic()
    command = [
        sys.executable, ROOT / "scripts" / "spark_label.py", archive, "-o", output, "--root", archive,
        "--kifu", KIFU, "--batch", "64", "--master", "local[2,4]",
    ]
    command += ["--index", *indexes] if indexes else []
    environment = {
        **os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(work / "spark"),
    }
    with open(work / f"{name}.log", "w+") as log:
        job = subprocess.Popen([*command, "--", *FLAGS], stdout=log, stderr=log, cwd=work, env=environment)
        if killer:
            threading.Thread(target=killer.watch, args=(job.pid,), daemon=True).start()
        status = job.wait()
        log.seek(0)
        said = log.read()
    if status:
        sys.exit(f"{said}\nSpark ended with {status}")
    if killer and f"kifu worker ended with -{signal.SIGKILL:d}" not in said:
        sys.exit(f"{said}\nno task failed by its worker")
    rows = table(output)
    parts = len(list(output.rglob("*.parquet")))
    print(f"Spark, {name}: {rows.num_rows} rows in {parts} files, {time.monotonic() - began:.1f} s", flush=True)
    return rows


class Killer:
    """Kills one worker below a process, once it has written rows and not yet ended."""

    def __init__(self):
        self.killed = None

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
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
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
            # The one on the driver, which says what columns there are, has a batch of none.
            if above == top and parents[process] != top and command[:2] == [os.fsencode(KIFU), b"worker"]:
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
