#!/usr/bin/env python3
"""Writes some of the sample games in the other formats that kifu reads.

    python3 scripts/make_format_samples.py [--check]

data/formats gets games.kifu.txt and games.index.txt (a dump with its index),
and one file of each format of a server. With --check nothing is written; the
files there must be those that would be.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent
SOURCE = ROOT / "data" / "archive" / "go" / "19x19"
TARGET = ROOT / "data" / "formats"

LETTERS = "abcdefghijklmnopqrs"


def main() -> None:
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    files = written(chosen())
    if not check:
        TARGET.mkdir(exist_ok=True)
    wrong = []
    for name, text in files.items():
        path = TARGET / name
        data = text.encode()
        if not check:
            path.write_bytes(data)
        elif not path.is_file() or path.read_bytes() != data:
            wrong.append(name)
    if wrong:
        sys.exit(f"differs from what this script writes: {', '.join(wrong)}")
    print(f"{len(files)} files in {TARGET.relative_to(ROOT)}{' are as they should be' if check else ''}")


def chosen() -> dict[str, dict[str, str]]:
    """The first six even games under Japanese rules that were counted."""
    games = {}
    for path in sorted(SOURCE.glob("*.sgf")):
        text = path.read_text()
        fields = dict(re.findall(r"\b([A-Z]{2})\[([^\]]*)\]", text.split("\n;")[0]))
        counted = re.fullmatch(r"[BW]\+[\d.]+", fields.get("RE", ""))
        if fields.get("RU") == "Japanese" and counted and "HA" not in fields and "AB[" not in text:
            fields["moves"] = re.findall(r";([BW])\[(\w\w)?\]", text)
            games[path.stem] = fields
        if len(games) == 6:
            return games
    sys.exit(f"too few games in {SOURCE}")


def written(games: dict) -> dict[str, str]:
    dump, index = [], []
    for stem, game in games.items():
        moves = ";".join(f"{side}[{point}]" for side, point in game["moves"])
        dump.append(f"{stem}\t;{moves}\n")
        row = [stem, "2026.01.02 03:04", "white", "black", game["KM"], game["RE"]]
        index.append("\t".join([*row, str(len(game["moves"])), "30/3 5m"]) + "\n")
    first, second, third = list(games.values())[:3]
    return {
        "games.kifu.txt": "".join(dump),
        "games.index.txt": "".join(index),
        "one.gib": gib(first),
        "two.ngf": ngf(second),
        "three.ugf": ugf(third),
    }


def parts(game: dict) -> tuple[str, float]:
    side, margin = game["RE"].split("+")
    return side, float(margin)


def gib(game: dict) -> str:
    side, margin = parts(game)
    winner = {"B": "black", "W": "white"}[side]
    lines = [
        r"\HS",
        r"\[GIBOKIND=Global\]",
        rf"\[GAMERESULT={winner} {margin:g} points win\]",
        rf"\[GAMEZIPSU={margin * 10:.0f}\]",
        r"\[GAMEDUM=0\]",
        rf"\[GAMEGONGJE={float(game['KM']) * 10:.0f}\]",
        rf"\[GAMETOTALNUM={len(game['moves'])}\]",
        r"\[GAMEDATE=2026- 1- 2- 3- 4- 5\]",
        r"\[GAMEWHITENAME=white(1D)\]",
        r"\[GAMEBLACKNAME=black(1D)\]",
        r"\HE",
        r"\GS",
        "2 1 0",
        f"{len(game['moves']) + 1} 0 &4",
        "INI 0 1 0 &4",
    ]
    for number, (side, point) in enumerate(game["moves"], 2):
        colour = {"B": 1, "W": 2}[side]
        if point:
            column, row = map(LETTERS.index, point)
            lines.append(f"STO 0 {number} {colour} {column} {row} ")
        else:
            lines.append(f"SKI 0 {number} {colour} ")
    lines.append(r"\GE")
    return "\r\n".join(lines) + "\r\n"


def ngf(game: dict) -> str:
    side, margin = parts(game)
    winner = {"B": "Black", "W": "White"}[side]
    lines = [
        "game",
        "19",
        "white 1D*",
        "black 1D*",
        "www.example.com",
        "0",
        "0",
        # The half point is not written.
        f"{float(game['KM']) - 0.5:.0f}",
        "20260102 [03:04]",
        "5",
        f"{winner} wins by {margin:g}!",
        str(len(game["moves"])),
    ]
    for number, (side, point) in enumerate(game["moves"], 1):
        count = chr(ord("A") + number // 26 % 26) + chr(ord("A") + number % 26)
        place = "".join(chr(ord("B") + LETTERS.index(letter)) for letter in point) or "AA"
        lines.append(f"PM{count}{side}{place}{place[::-1]}")
    return "\n".join(lines) + "\n"


def ugf(game: dict) -> str:
    side, margin = parts(game)
    lines = [
        "[Header]",
        "Ver=UGF3,200",
        "Lang=UTF8",
        "Date=2026/01/02,03:04:05",
        "Rule=JPN",
        "Size=19",
        f"Hdcp=0,{float(game['KM']):.2f}",
        f"Winner={side},{margin:.2f}",
        "CoordinateType=IGS",
        "PlayerB=black,1d,,",
        "PlayerW=white,1d,,",
        "[Data]",
    ]
    for number, (side, point) in enumerate(game["moves"], 1):
        if point:
            column, row = map(LETTERS.index, point)
            place = chr(ord("A") + column) + chr(ord("A") + 18 - row)
        else:
            place = "YA"
        lines.append(f"{place},{side}1,{number},0")
    return "\r\n".join(lines) + "\r\n"


if __name__ == "__main__":
    main()
