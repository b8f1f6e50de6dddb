#!/usr/bin/env python3
"""Writes seeds for the fuzz targets.

    python3 scripts/make_fuzz_seeds.py FOLDER

FOLDER gets a folder for each target, with inputs made of the samples in data/.
"""

import gzip
import io
import lzma
import pathlib
import re
import sys
import tarfile
import zipfile
import bz2

DATA = pathlib.Path(__file__).parent.parent / "data"

# The first bytes of an input of a reader choose settings and windows.
PREFIXES = (b"\0\xff", b"\x05\x20", b"\x07\x03")

PSQ = b"Piskvorky 15x15, 11:11, 0\r\n8,8,118\r\n9,7,20\r\none\r\ntwo\r\n-1\r\n"
RIF = b"""<?xml version="1.0"?><database>
<rules><rule id="1" category="renju"/><rule id="2" category="gomoku"/></rules>
<games><game id="1" rule="2" bresult="0.5"><move>h8 i9</move><info></info></game></games></database>
"""
DHTMLXQ = (
    b"[DhtmlXQ][DhtmlXQ_result]W[/DhtmlXQ_result][DhtmlXQ_binit]" + b"9" * 64 + b"[/DhtmlXQ_binit]"
    b"[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][/DhtmlXQ]"
)


def xqf(version: int) -> bytes:
    """Two moves with a remark and another first move; keys of zero where there are any."""
    head = bytearray(b"XQ" + bytes([version])).ljust(1024, b"\0")
    head[16:32] = bytes([0, 10, 20, 30, 40, 50, 60, 70, 80, 12, 72, 3, 23, 43, 63, 83])
    head[32:48] = bytes([9, 19, 29, 39, 49, 59, 69, 79, 89, 17, 77, 6, 26, 46, 66, 86])
    after, other = (0xF0, 0x0F) if version <= 10 else (0x80, 0x40)
    nodes = [(0, 0, after, b""), (72, 42, after | other, b""), (79, 67, 0, b"remark"), (12, 42, 0, b"")]
    tree = b""
    for start, end, flags, remark in nodes:
        if version > 10 and remark:
            flags |= 0x20
        tree += bytes([start + 0x18, end + 0x20, flags, 0])
        if version <= 10:
            tree += len(remark).to_bytes(4, "little") + remark
        elif remark:
            tree += (len(remark) + 767).to_bytes(4, "little") + remark
    return bytes(head) + tree


def cbr() -> bytes:
    """Two moves with a remark and another first move, from the two generals."""
    head = bytearray(b"CCBridge Record\0").ljust(2214, b"\0")
    head[2124], head[2205] = 0x25, 0x15
    return bytes(head) + bytes([0, 0, 0, 0, 2, 0, 85, 76, 5, 0, 4, 13, 2, 0, 0, 0, 65, 0, 1, 0, 85, 84])

PGN = """[Game "Chinese Chess"]
[Event "\u529f"]
[Result "1-0"]
[FEN "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1"]

1. \u70ae\u4e8c\u5e73\u4e94 {a} \u99ac\uff18\u9032\uff17 (C2=5) $1 \uff08a\uff09 2. h2e2 *
====
a
[Event "b"]
[Red "c"]

h2e2 0-1
"""


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    games = [path.read_bytes() for path in sorted((DATA / "archive").rglob("*.sgf"))]
    short = [game for game in games if len(game) < 2500]
    formats = DATA / "formats"
    dump, index = ((formats / f"games.{name}.txt").read_bytes() for name in ("kifu", "index"))
    boards = [path.read_bytes() for path in sorted((DATA / "boards").glob("*.txt"))]
    seeds = {
        "sgf": short[:60],
        "strict": short[:30],
        "board": boards,
        "lines": [dump[:3000], index],
        "gib": [(formats / "one.gib").read_bytes()],
        "ngf": [(formats / "two.ngf").read_bytes()],
        "ugf": [(formats / "three.ugf").read_bytes()],
        "psq": [PSQ],
        "moves": [b"h8i9j7\n1.h8 2.i9\n", b"h8i9,j7,2\n", b"0-1\tfive\t15\th8 i9\n"],
        "rif": [RIF],
        "pos": [bytes([3, 112, 113, 98])],
        "pgn": [PGN.encode(encoding) for encoding in ("utf-8", "big5", "gb18030")],
        "xiangqi_lists": [
            b"g1;h2e2,h9g7\n",
            b"4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 ; 1-0\nposition startpos moves h2e2\n",
        ],
        "xqf": [xqf(10), xqf(18)],
        "cbl": [b"CCBridgeLibrary\0" + bytes(48) + cbr(), cbr() + bytes(900) + cbr()],
        "xiangqi_board": [path.read_bytes()[:1200] for path in sorted((DATA / "archive/xiangqi/boards").iterdir())],
        "dhtmlxq": [DHTMLXQ, b"<p>" + DHTMLXQ + DHTMLXQ[:80]],
    }
    for target, inputs in seeds.items():
        write(folder / target, [prefix + data for data in inputs for prefix in PREFIXES])
    # The position, how many moves and which, tokens.
    tokens = "h2e2 H7-G5 a10a9 C2=5 H++7 15=6 Hg2 R3xe5+ \u70ae\u4e8c\u5e73\u4e94 \u524d\u99ac\u9000\uff12 \uff23\uff12\uff1d\uff15"
    write(folder / "notation", [bytes([start, 3, 7, 1, 40]) + tokens.encode() for start in range(4)])
    results = {found for game in games for found in re.findall(rb"RE\[([^\]]*)\]", game)}
    write(folder / "result", sorted(results))
    write(folder / "packed", packed(short[:4]))


def packed(games: list[bytes]) -> list[bytes]:
    tarred, zipped = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=tarred, mode="w") as archive:
        for number, game in enumerate(games):
            entry = tarfile.TarInfo(f"{'long/' * 30 * (number % 2)}{number}.sgf")
            entry.size = len(game)
            archive.addfile(entry, io.BytesIO(game))
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, game in enumerate(games):
            archive.writestr(f"{number}.sgf", game)
    tar, zip_ = tarred.getvalue(), zipped.getvalue()
    return [
        tar,
        zip_,
        gzip.compress(games[0]) + gzip.compress(games[1]),
        gzip.compress(tar),
        bz2.compress(games[0]),
        lzma.compress(games[0]),
        lzma.compress(zip_),
    ]


def write(folder: pathlib.Path, inputs: list[bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(inputs):
        (folder / f"seed-{number:03d}").write_bytes(data)


if __name__ == "__main__":
    main()
