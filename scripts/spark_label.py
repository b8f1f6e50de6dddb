#!/usr/bin/env python3
"""Labels an archive with Spark: kifu worker in every task, rows into Parquet.

    spark-submit scripts/spark_label.py INPUT… -o labels [options] [-- flags of kifu]
    python3 scripts/spark_label.py data/archive -o labels --master 'local[2,4]' -- --dead none

Spark reads the files (binaryFile), so INPUT is a folder or file of any file system that
it knows. Each task starts one `kifu worker`, feeds it and passes its rows on. A worker
that dies fails its task, with what it said, and Spark runs the task again. The rows are
those of `kifu label --root ROOT`, in another order. Needs pyspark and pyarrow; see
docs/spark.md.
"""

import argparse
import atexit
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

import pyarrow
import pyarrow.compute
import pyarrow.ipc
from pyspark import SparkFiles
from pyspark.sql import SparkSession

FED = pyarrow.schema([("path", pyarrow.string()), ("content", pyarrow.binary())])

# Spark gives paths of files as URIs, but escapes nothing in them: kifu must not unescape.
LOCAL = r"^file:(//)?/"

# How Spark calls the types of rows.
KINDS = {
    "string": "string", "int8": "tinyint", "int32": "int", "int64": "bigint", "float": "float",
    "double": "double", "binary": "binary", "list<element: int8>": "array<tinyint>",
}


def main():
    args, flags = arguments()
    builder = SparkSession.builder.appName("kifu label")
    if args.master:
        builder = builder.master(args.master)
    spark = builder.getOrCreate()
    context = spark.sparkContext
    # Batches are held by Spark and by the worker: few files a batch, as some are large.
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(args.batch))
    # A lost task costs little, and the last ones do not leave others waiting.
    partitions = args.partitions or 2 * context.defaultParallelism
    spark.conf.set("spark.sql.files.minPartitionNum", str(partitions))

    root = re.sub(LOCAL, "/", args.root) if args.root else None
    if root:
        flags += ["--root", root]
    kifu, shipped = args.kifu, {}
    schema = rows_schema(kifu, flags + (["--config", args.config] if args.config else []))
    if args.ship:
        context.addFile(args.kifu)
        kifu = None
        shipped[None] = pathlib.Path(args.kifu).name
    if args.config:
        context.addFile(args.config)
        shipped["--config"] = pathlib.Path(args.config).name
    if args.index:
        archive = packed(args.index, root)
        context.addArchive(archive)
        shipped["--beside"] = pathlib.Path(archive).name

    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
    if args.glob:
        files = files.option("pathGlobFilter", args.glob)
    files = files.load(args.input).select("path", "content")
    if files.rdd.getNumPartitions() < partitions:
        files = files.repartition(partitions)

    def label(batches):
        command = [kifu, "worker", "--jobs", "1", *flags]
        for flag, name in shipped.items():
            path = SparkFiles.get(name)
            command[:1] = [path] if flag is None else command[:1]
            command += [flag, path] if flag else []
        yield from through(command, batches, schema)

    columns = ", ".join(f"`{field.name}` {KINDS[str(field.type)]}" for field in schema)
    rows = files.mapInArrow(label, columns)
    if args.partition_by:
        rows.write.partitionBy(*args.partition_by).parquet(args.output)
    else:
        rows.write.parquet(args.output)
    spark.stop()


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0],
        epilog="What follows -- are flags of kifu worker, such as --with board --rules chinese.",
    )
    parser.add_argument("input", nargs="+", help="folders and files, as Spark names them")
    parser.add_argument("-o", "--output", required=True, help="a folder for Parquet, not there yet")
    parser.add_argument("--root", help="name records from this folder")
    parser.add_argument("--glob", help="only files of such names, as Spark matches them: '*.{sgf,zip}'")
    parser.add_argument(
        "--index", nargs="+", default=[], metavar="FILE",
        help="files that others are read with, such as the index of a dump; below --root",
    )
    parser.add_argument("--partition-by", nargs="+", metavar="COLUMN", help="such as game")
    parser.add_argument("--partitions", type=int, help="[default: two for each core of the cluster]")
    parser.add_argument("--batch", type=int, default=256, help="files a batch [default: 256]")
    parser.add_argument("--kifu", default="kifu", help="the program, on every machine [default: kifu]")
    parser.add_argument("--ship", action="store_true", help="send --kifu, a path, to the machines")
    parser.add_argument("--config", help="kifu.toml, which is sent to the machines")
    parser.add_argument("--master", help="[default: what spark-submit says]")
    own = sys.argv[1:]
    flags = []
    if "--" in own:
        at = own.index("--")
        own, flags = own[:at], own[at + 1:]
    return parser.parse_args(own), flags


def packed(files, root):
    """An archive of some files under the paths that rows name."""
    above = pathlib.Path(tempfile.mkdtemp(prefix="kifu-beside-"))
    atexit.register(shutil.rmtree, above, ignore_errors=True)
    folder = above / above.name
    folder.mkdir()
    for file in files:
        path = pathlib.Path(re.sub(LOCAL, "/", file))
        inner = path.relative_to(root) if root else path.relative_to(path.anchor)
        (folder / inner).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder / inner)
    return shutil.make_archive(str(folder), "zip", folder)


def rows_schema(kifu, flags):
    """What workers write, as Spark reads it: of no files there are no rows."""
    sink = pyarrow.BufferOutputStream()
    pyarrow.ipc.new_stream(sink, FED).close()
    done = subprocess.run([kifu, "worker", *flags], input=sink.getvalue().to_pybytes(), capture_output=True)
    if done.returncode:
        sys.exit(done.stderr.decode(errors="replace").strip() or f"{kifu} ended with {done.returncode}")
    fields = pyarrow.ipc.open_stream(done.stdout).schema
    return pyarrow.schema([(field.name, readable(field.type)) for field in fields])


def readable(kind):
    """Spark has no bytes of fixed length, and no lists that cannot hold nulls."""
    if pyarrow.types.is_fixed_size_binary(kind):
        return pyarrow.binary()
    if pyarrow.types.is_list(kind):
        return pyarrow.list_(pyarrow.field("element", kind.value_type))
    return kind


def through(command, batches, schema):
    """Rows of a worker that is fed with batches of files."""
    with tempfile.TemporaryFile() as said:
        worker = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said
        )
        failures = []
        # Both pipes are full at times: one thread writes while the other reads.
        feeder = threading.Thread(target=feed, args=(worker.stdin, batches, failures), daemon=True)
        feeder.start()
        cut = None
        try:
            try:
                for batch in pyarrow.ipc.open_stream(worker.stdout):
                    columns = [column.cast(kind) for column, kind in zip(batch.columns, schema.types)]
                    yield pyarrow.RecordBatch.from_arrays(columns, schema=schema)
            except (pyarrow.ArrowInvalid, OSError) as error:
                # Why it is cut off its end says.
                cut = error
                worker.stdout.close()
            status = worker.wait()
            feeder.join()
        finally:
            # Where nobody wants more rows.
            worker.kill()
            worker.wait()
        if failures:
            raise failures[0]
        if status or cut:
            said.seek(0)
            words = said.read().decode(errors="replace").strip()
            raise RuntimeError(f"kifu worker ended with {status}: {words or cut or 'it said nothing'}")


def feed(pipe, batches, failures):
    try:
        with pipe, pyarrow.ipc.new_stream(pipe, FED) as stream:
            for batch in batches:
                path, content = batch.column("path"), batch.column("content")
                path = pyarrow.compute.replace_substring_regex(path, LOCAL, "/")
                stream.write_batch(pyarrow.RecordBatch.from_arrays([path, content], schema=FED))
    except BrokenPipeError:
        # The worker has ended: its status says why.
        pass
    except BaseException as error:  # noqa: B902: the other thread raises it
        failures.append(error)


if __name__ == "__main__":
    main()
