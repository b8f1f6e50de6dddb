#!/usr/bin/env python3
"""Holds rows of JSON Lines to the schema that `kifu generate schema` prints.

    python3 scripts/check_schema.py

Labels everything in data with every column, by the binary that KIFU names, else by one
that it builds, and validates each row. Then damages rows in ways that the schema must
notice. Needs

    pip install jsonschema
"""

import collections
import json
import os
import pathlib
import subprocess

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parent.parent
WITH = ("ownership,board,canonical_hash,duplicate_of,split,forbidden,legal,position_hash,"
        "meta")
PATHS = ["data/archive", "data/boards", "data/formats"]
# What runs differ in: settings that lead to other values.
RUNS = [
    ["--judge", "all", "--with", WITH],
    ["--dead", "none", "--rules", "chinese", "--komi", "-3.75zi"],
    ["--input-format", "sgf", "--strict", "--with", "meta,board"],
    ["--search", "eval", "--fouls", "claimed", "--with", "legal,forbidden"],
    ["--default-rules", "renju", "--tolerance", "1", "--with", "split"],
]
# A column, a value that no row may have there, and the status of the row.
WRONG = [
    ("origin", "", "agree"), ("origin", None, "agree"), ("offset", -1, "agree"),
    ("offset", "0", "agree"), ("game", "chess", "agree"), ("size", "19x", "agree"),
    ("komi", 6.6, "agree"), ("komi", "6.5", "agree"), ("komi", None, "agree"),
    ("margin", -1, "agree"), ("winner", "first", "agree"), ("basis", None, "agree"),
    ("confidence", 1.5, "agree"), ("status", None, "agree"), ("value", 2, "agree"),
    ("value", 0.5, "agree"), ("value_from", None, "agree"), ("game_hash", "12", "agree"),
    ("board", [2], "agree"), ("board", [0.5], "agree"), ("ownership", ".", "agree"),
    ("split", "dev", "agree"), ("check", 2, "agree"), ("recorded", "x" * 201, "agree"),
    ("error_kind", None, "broken"), ("error", None, "broken"), ("error_kind", "Two words", "broken"),
    ("reasons", "; ", "winner_differs"), ("extra", 1, "agree"),
]


def program():
    return [os.environ["KIFU"]] if "KIFU" in os.environ else ["cargo", "run", "--quiet", "--locked", "--"]


def kifu(*arguments):
    done = subprocess.run([*program(), *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE)
    return done.stdout.decode("utf-8")


def validator(*arguments):
    schema = json.loads(kifu("generate", "schema", *arguments))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def rows(flags):
    text = kifu("label", *PATHS, "--quiet", "--output-format", "jsonl", *flags)
    return [json.loads(line) for line in text.splitlines()]


def check_rows(schema, found, flags):
    for row in found:
        for error in schema.iter_errors(row):
            raise SystemExit(f"{row['origin']}: {'/'.join(map(str, error.path))}: {error.message}")
    statuses = collections.Counter(row["status"] for row in found)
    print(f"ok  {' '.join(flags)}: {len(found)} rows,", ", ".join(f"{n} {it}" for it, n in statuses.items()))


def check_use(schema, found):
    """Every column that is there says something somewhere, and every game is met."""
    never = [name for name in schema.schema["properties"] if all(row[name] is None for row in found)]
    assert not never, f"always null: {never}"
    games = {game for game in schema.schema["properties"]["game"]["enum"] if game}
    assert games <= {row["game"] for row in found}, "the data have lost a game"


def check_damage(schema, found):
    for name, value, status in WRONG:
        row = next(row for row in found if row["status"] == status and row["board"] is not None
                   or row["status"] == status == "broken")
        assert not schema.is_valid({**row, name: value}), f"{name} may be {value!r}"
    row = found[0]
    for name in schema.schema["required"]:
        assert not schema.is_valid({key: row[key] for key in row if key != name}), f"{name} may be missing"
    for name in schema.schema["dependentRequired"]:
        assert not schema.is_valid({key: row[key] for key in row if key != name}), f"{name} may be alone"
    print(f"ok  {len(WRONG)} wrong values are refused, and rows that lack a column")


def main():
    schema = validator()
    for flags in RUNS:
        found = rows(flags)
        check_rows(schema, found, flags)
        if flags is RUNS[0]:
            check_use(schema, found)
            check_damage(schema, found)
    some = validator("--with", "board,meta")
    found = rows(["--with", "board,meta"])
    check_rows(some, found, ["--with", "board,meta"])
    assert not some.is_valid({key: value for key, value in found[0].items() if key != "board"})
    assert not some.is_valid({**found[0], "split": "test"})


if __name__ == "__main__":
    main()
