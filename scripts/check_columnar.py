#!/usr/bin/env python3
"""Reads Parquet and Arrow with the programs that users read it with.

    python3 scripts/check_columnar.py

Labels data/archive with every column into CSV, Parquet and Arrow in one run, by the
binary that KIFU names, else by one that it builds, and holds what pyarrow, DuckDB,
Polars and pandas read to the CSV: rows, types and values. Then runs the snippets of
docs/data.md on the Parquet file. Needs

    pip install pyarrow duckdb polars pandas

and PyTorch for its snippet, which is left out where there is none.
"""

import csv
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.ipc
import pyarrow.parquet

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "data.md"
WITH = "ownership,board,canonical_hash,forbidden,legal,position_hash,meta"
NAMES = ["labels.csv", "labels.parquet", "labels.arrow", "labels.arrows"]

# What columns hold; all others are text.
INTEGERS = {
    "offset": 64, "handicap": 64, "moves": 64, "plies": 64, "dead_first": 32, "dead_second": 32,
    "neutral": 32, "legal": 32, "value": 8, "check": 8,
}
POINTS = {"komi", "recorded_margin", "margin", "first_points", "second_points", "lead"}
HASHES = {"content_hash": 16, "game_hash": 16, "canonical_hash": 16, "position_hash": 8}
CELLS = {"board", "ownership"}

# The types of the readers, for: integers, points, fraction, hash, cells, text.
ARROW = ("int{}", "double", "float", "fixed_size_binary[{}]", "list<element: int8 not null>", "string")
POLARS = ("Int{}", "Float64", "Float32", "Binary", "List(Int8)", "String")
DUCKDB_INTEGERS = {8: "TINYINT", 32: "INTEGER", 64: "BIGINT"}


def kind(name):
    """The place of a column's type in the lists above, and its width."""
    if name in INTEGERS:
        return 0, INTEGERS[name]
    if name in POINTS:
        return 1, 64
    if name == "confidence":
        return 2, 32
    if name in HASHES:
        return 3, HASHES[name]
    return (4, 8) if name in CELLS else (5, 0)


def expected_types(names, words):
    return {name: words[kind(name)[0]].format(kind(name)[1]) for name in names}


def duckdb_type(name):
    place, width = kind(name)
    if place == 0:
        return DUCKDB_INTEGERS[width]
    return ("", "DOUBLE", "FLOAT", "BLOB", "TINYINT[]", "VARCHAR")[place]


def expected_rows(path):
    """The rows of the CSV file as a reader gives them."""
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: parsed(name, text, row["game"]) for name, text in row.items()}
                | ({"board_fen": row["board"] if row["game"] == "xiangqi" and row["board"] else None})
                for row in csv.DictReader(file)]


def parsed(name, text, game):
    if text == "":
        return None
    place = kind(name)[0]
    if name == "board" and game == "xiangqi":
        return pieces(text)
    if place == 0:
        return int(text)
    if place in (1, 2):
        return float(text)
    if place == 3:
        return bytes.fromhex(text)
    return [int(cell) for cell in text.split()] if place == 4 else text


def pieces(fen):
    """
    >>> pieces("k1R/3 w")
    [-1, 0, 5, 0, 0, 0]
    """
    cells = []
    for sign in fen.split()[0].replace("/", ""):
        if sign.isdigit():
            cells += [0] * int(sign)
        else:
            number = " KABNRCP".index(sign.upper())
            cells.append(number if sign.isupper() else -number)
    return cells


def compare(reader, found, expected):
    """Fails where some rows are not those expected, value by value."""
    assert len(found) == len(expected), f"{reader}: {len(found)} rows, not {len(expected)}"
    for number, (row, wanted) in enumerate(zip(found, expected)):
        assert row.keys() == wanted.keys(), f"{reader}: {row.keys() ^ wanted.keys()}"
        for name, value in wanted.items():
            read = row[name]
            if name == "confidence" and read is not None:
                read = round(read, 3)
            same = read == value and (value is None or type(read) is type(value))
            assert same, f"{reader}: row {number} {name}: {row[name]!r}, not {value!r}"
    print(f"ok  {reader}: {len(found)} rows, {len(expected[0])} columns")


def plain(value):
    """A value of pandas as Python has it."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if value is None or value is pandas.NA or value != value:
        return None
    return value


def program():
    return [os.environ["KIFU"]] if "KIFU" in os.environ else ["cargo", "run", "--quiet", "--locked", "--"]


def label(folder):
    command = [*program(), "label", "data/archive", "--quiet", "--judge", "all", "--with", WITH]
    for name in NAMES:
        command += ["-o", str(folder / name)]
    subprocess.run(command, cwd=ROOT, check=True)


def check_readers(folder):
    text, parquet, arrow, stream = (folder / name for name in NAMES)
    expected = expected_rows(text)
    names = list(pyarrow.parquet.read_schema(parquet).names)

    table = pyarrow.parquet.read_table(parquet)
    compare("pyarrow, parquet", table.to_pylist(), expected)
    with pyarrow.ipc.open_file(arrow) as reader:
        from_file = reader.read_all()
    with pyarrow.ipc.open_stream(stream) as reader:
        from_stream = reader.read_all()
    for name, found in (("file", from_file), ("stream", from_stream)):
        compare(f"pyarrow, arrow {name}", found.to_pylist(), expected)
        assert found.schema.metadata[b"kifu.schema"] == b"label.v1"
    for found in (table, from_file, from_stream):
        types = {field.name: str(field.type) for field in found.schema}
        wanted = expected_types(names, ARROW)
        assert types == wanted, types.items() ^ wanted.items()
        assert [field.name for field in found.schema if not field.nullable] == ["origin", "offset", "status"]
    for about in (pyarrow.parquet.read_metadata(parquet).metadata, table.schema.metadata):
        assert about[b"kifu.schema"] == b"label.v1" and b"kifu.version" in about
        assert json.loads(about[b"kifu.settings"])["judge"] == "all"

    found = duckdb.sql(f"SELECT * FROM '{parquet}'")
    types = dict(zip(found.columns, map(str, found.types)))
    wanted = {name: duckdb_type(name) for name in names}
    assert types == wanted, types.items() ^ wanted.items()
    compare("DuckDB", [dict(zip(names, row)) for row in found.fetchall()], expected)

    wanted = expected_types(names, POLARS)
    for reader, found in (
        ("parquet", polars.read_parquet(parquet)),
        ("parquet, scanned", polars.scan_parquet(parquet).collect()),
        ("arrow file", polars.read_ipc(arrow)),
        ("arrow stream", polars.read_ipc_stream(stream)),
    ):
        types = {name: str(it) for name, it in found.schema.items()}
        assert types == wanted, f"{reader}: {types.items() ^ wanted.items()}"
        compare(f"Polars, {reader}", found.to_dicts(), expected)

    for reader, found in (
        ("parquet", pandas.read_parquet(parquet, dtype_backend="pyarrow")),
        ("feather", pandas.read_feather(arrow, dtype_backend="pyarrow")),
    ):
        rows = found.to_dict("records")
        compare(f"pandas, {reader}", [{name: plain(row[name]) for name in row} for row in rows], expected)
    # Without it integers with nulls are floating.
    assert len(pandas.read_parquet(parquet)) == len(expected)


def check_written_again(folder):
    """Rows that pyarrow writes again are those that kifu wrote; it names what it cannot read."""
    table = pyarrow.parquet.read_table(folder / "labels.parquet")
    again = folder / "again.parquet"

    def diff(table, **how):
        pyarrow.parquet.write_table(table, again, **how)
        command = [*program(), "diff", str(folder / "labels.csv"), str(again)]
        done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True)
        return done.returncode, done.stderr

    for how in ({"compression": "zstd"}, {"compression": "none", "row_group_size": 100}):
        assert diff(table, **how)[0] == 0, how
    other = table.replace_schema_metadata({**table.schema.metadata, b"kifu.schema": b"label.v9"})
    for table, codec, word in ((table, "snappy", "SNAPPY"), (other, "zstd", "label.v9")):
        status, said = diff(table, compression=codec)
        assert status == 2 and word in said, said
    print("ok  written again by pyarrow")


def check_snippets(folder):
    """Runs what docs/data.md shows."""
    parts = re.findall(r"^### (.*?)\n(.*?)(?=^##|\Z)", PAGE.read_text("utf-8"), re.M | re.S)
    for title, body in parts:
        code = "\n".join(re.findall(r"^```python\n(.*?)^```", body, re.M | re.S))
        assert code, f"{PAGE.name}: nothing to run under {title}"
        if "import torch" in code and importlib.util.find_spec("torch") is None:
            print(f"skipped  the snippet for {title}: torch is not installed")
            continue
        ran = subprocess.run([sys.executable, "-c", code], cwd=folder, text=True, stdout=subprocess.PIPE)
        assert ran.returncode == 0 and ran.stdout, f"the snippet for {title} failed"
        print(f"ok  the snippet for {title}: {len(ran.stdout.splitlines())} lines")
    assert len(parts) == 4, "the page has lost a snippet"


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        label(folder)
        check_readers(folder)
        check_written_again(folder)
        check_snippets(folder)


if __name__ == "__main__":
    main()
