#!/usr/bin/env python3
"""Checks the dependencies against deny.toml: licences, banned crates, sources.

    python3 scripts/check_licences.py

Reads `cargo metadata --locked` and fails on

* a licence that the `allow` list of deny.toml does not cover,
* a crate that deny.toml bans,
* a version requirement of our own that is `*`,
* a crate that comes from anywhere but a registry.

It is the part of `cargo deny check` that needs neither an installation nor a
list of advisories. Only the standard library of Python 3.11 is used.
"""

import json
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def allowed_by(expression, allowed):
    """Whether a licence expression can be met with some licences.

    >>> allowed_by("MIT OR GPL-3.0", {"MIT"})
    True
    >>> allowed_by("MIT AND GPL-3.0", {"MIT"})
    False
    >>> allowed_by("(MIT OR Apache-2.0) AND BSD-3-Clause", {"MIT"})
    False
    >>> allowed_by("A AND B OR C", {"C"}), allowed_by("A AND (B OR C)", {"C"})
    (True, False)
    >>> allowed_by("Unlicense/MIT", {"MIT"})
    True
    >>> allowed_by("Apache-2.0 WITH LLVM-exception", {"Apache-2.0"})
    False
    >>> allowed_by("", {"MIT"})
    Traceback (most recent call last):
    ...
    ValueError: cannot read the licence ''
    >>> allowed_by("MIT OR", {"MIT"})
    Traceback (most recent call last):
    ...
    ValueError: cannot read the licence 'MIT OR'
    """
    words = re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))
    wrong = ValueError(f"cannot read the licence {expression!r}")

    def either():
        met = both()
        while words[:1] == ["OR"]:
            words.pop(0)
            met = both() or met
        return met

    def both():
        met = one()
        while words[:1] == ["AND"]:
            words.pop(0)
            met = one() and met
        return met

    def one():
        word = words.pop(0) if words else ""
        if word == "(":
            met = either()
            if words[:1] != [")"]:
                raise wrong
            words.pop(0)
            return met
        if word in ("", ")", "AND", "OR", "WITH"):
            raise wrong
        if words[:1] == ["WITH"] and len(words) > 1:
            word = f"{word} WITH {words[1]}"
            del words[:2]
        return word in allowed

    met = either()
    if words:
        raise wrong
    return met


def name_of(entry):
    """The crate of an entry in `bans.deny`: a text or a table."""
    if isinstance(entry, dict):
        entry = entry.get("crate") or entry["name"]
    return re.split("[@:]", entry)[0]


def faults(metadata, rules):
    """What is wrong, a sentence each."""
    allowed = set(rules["licenses"]["allow"])
    banned = {name_of(entry) for entry in rules["bans"]["deny"]}
    own = set(metadata["workspace_members"])
    for package in metadata["packages"]:
        crate = f"{package['name']} {package['version']}"
        licence = package["license"] or ""
        try:
            if not allowed_by(licence, allowed):
                yield f"{crate}: the licence {licence} is not in the allow list of deny.toml"
        except ValueError as error:
            yield f"{crate}: {error}"
        if package["name"] in banned:
            yield f"{crate}: banned by deny.toml"
        if package["id"] in own:
            for needed in package["dependencies"]:
                if needed["req"] == "*":
                    yield f"{crate}: needs any version of {needed['name']}"
        elif not (package["source"] or "").startswith("registry+"):
            yield f"{crate}: comes from {package['source'] or 'a path'}, not from a registry"


def main():
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--all-features"]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)
    rules = tomllib.loads((ROOT / "deny.toml").read_text("utf-8"))
    found = list(faults(metadata, rules))
    print("\n".join(found + [f"{len(metadata['packages'])} crates, {len(found)} faults"]))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
