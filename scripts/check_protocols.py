#!/usr/bin/env python3
"""Has programs that other people wrote talk to `kifu engine`.

    python3 scripts/check_protocols.py [--suite gnugo-finalscore.jsonl]

* PyPI's pygomo-lib plays gomoku and renju by Gomocup's protocol: its board must take
  every move, and kifu must label the game as it ended.
* Fairy-Stockfish plays a game of xiangqi over UCI: no move of either is refused.
* GNU Go plays a game of Go with itself; kifu is asked whether each move is legal and
  for the score, which must be GNU Go's.
* tests/gtp/*.tst, in the form of GNU Go's own regression tests: commands, and behind
  each the answer that is expected.
* With --suite, the positions of GNU Go's own tests of final_score, told as boards.

Needs `pip install pygomo-lib` and Debian's fairy-stockfish and gnugo; what is not there
is passed over, and said. The binary is the one that KIFU names, else target/release/kifu.
Ends with 1 if anything is wrong."""

import argparse
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

from talk import Talk, row, xiangqi_row

ROOT = pathlib.Path(__file__).resolve().parent.parent
KIFU = str(pathlib.Path(os.environ.get("KIFU", ROOT / "target/release/kifu")).resolve())
GAMES = ["/usr/games", *os.environ["PATH"].split(":")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--suite", type=pathlib.Path, metavar="FILE")
    args = parser.parse_args()
    checks = [gomoku, xiangqi, go_game, go_tests]
    if args.suite:
        checks.append(lambda: go_suite(args.suite))
    wrong = 0
    for check in checks:
        said = check()
        print(said, flush=True)
        wrong += said.startswith("wrong")
    return 1 if wrong else 0


def program(name):
    return shutil.which(name, path=os.pathsep.join(GAMES))


def gomoku():
    try:
        from pygomo import EngineClient
        from pygomo.board import BitBoard
    except ImportError:
        return "passed over: pygomo-lib is not installed"
    told = []
    for name, rule in [("gomoku", 0), ("renju", 4)]:
        with tempfile.TemporaryDirectory() as folder:
            # The library starts a program without arguments.
            script = pathlib.Path(folder) / "engine.sh"
            script.write_text(f'#!/bin/sh\nexec "{KIFU}" engine gomocup --nodes 1000\n')
            script.chmod(0o755)
            moves = play_gomoku(EngineClient, BitBoard, str(script), rule)
        points = "".join(f";{side}[{chr(97 + col)}{chr(97 + line)}]" for side, col, line in moves)
        found = row(KIFU, f"(;GM[4]SZ[15]RU[{rule}]{points})", "--input-format", "sgf")
        if found["ended"] not in ("line", "full") or found["error"]:
            return f"wrong: {name} ended with {found['ended']} {found['error']} after {moves}"
        told.append(f"{name}: {found['winner']} wins by {found['ended']} after {len(moves)} moves")
    return "pygomo-lib: " + "; ".join(told)


def play_gomoku(client, bitboard, engine, rule):
    """The moves of a game between two engines, as side, column and row."""
    board = bitboard()
    moves = []
    with client(engine) as black, client(engine) as white:
        for player in (black, white):
            player.start(board_size=15)
            player.set_rule(rule)
            player.configure(timeout_turn=30000)
        found = black.begin()
        while True:
            at = found.move
            if not board.place(at):
                raise SystemExit(f"pygomo-lib does not take the move {at} after {moves}")
            moves.append(("BW"[len(moves) % 2], at.col, at.row))
            if board.check_win(at) or board.is_full():
                return moves
            found = (white, black)[len(moves) % 2 == 0].turn(at)


def xiangqi():
    stockfish = program("fairy-stockfish")
    if not stockfish:
        return "passed over: there is no fairy-stockfish"
    kifu, other = Talk(KIFU, "engine", "uci"), Talk(stockfish)
    kifu.uci(UCI_Variant="xiangqi", Ranks=1)
    other.uci(UCI_Variant="xiangqi", Skill__Level=-20)
    moves = []
    while len(moves) < 300:
        player, nodes = ((kifu, 3000), (other, 100))[len(moves) % 2]
        best = player.best(moves, nodes)
        if best == "(none)":
            break
        moves.append(best)
    ends = kifu.end("quit"), other.end("quit")
    found = xiangqi_row(KIFU, moves)
    if found["error"] or any(ends):
        return f"wrong: {found['error']} {ends} after {' '.join(moves)}"
    return f"Fairy-Stockfish: {found['winner'] or 'nobody'} wins by {found['ended']} after {found['moves']} moves, {found['plies']} legal"


def go_game():
    gnugo = program("gnugo")
    if not gnugo:
        return "passed over: there is no gnugo"
    player, kifu = Talk(gnugo, "--mode", "gtp", "--level", "1", "--seed", "1"), Talk(KIFU, "engine", "gtp")
    for talk in (player, kifu):
        for command in ("boardsize 9", "clear_board", "komi 5.5"):
            if talk.gtp(command)[0] != "=":
                return f"wrong: {command} is refused"
    passes = moves = 0
    while passes < 2 and moves < 200:
        color = ("black", "white")[moves % 2]
        at = player.gtp(f"genmove {color}")[1]
        if kifu.gtp(f"is_legal {color} {at}") != ("=", "1") or kifu.gtp(f"play {color} {at}")[0] != "=":
            return f"wrong: {color} {at} is refused"
        passes = passes + 1 if at == "PASS" else 0
        moves += 1
    stones = ["list_stones black", "list_stones white"]
    boards = [[sorted(talk.gtp(of)[1].split()) for of in stones] for talk in (player, kifu)]
    scores = [talk.gtp("final_score")[1] for talk in (player, kifu)]
    ends = player.end("quit"), kifu.end("quit")
    if boards[0] != boards[1] or scores[0].removesuffix(".0") != scores[1] or any(ends):
        return f"wrong: GNU Go has {boards[0]} {scores[0]}, kifu {boards[1]} {scores[1]}, {ends}"
    return f"GNU Go: {moves} moves, final_score {scores[0]} by both"


def go_tests():
    """Answers are regular expressions for all of the text, as in GNU Go's tests."""
    tests = failed = 0
    for path in sorted((ROOT / "tests/gtp").glob("*.tst")):
        kifu = Talk(KIFU, "engine", "gtp", folder=ROOT)
        answers = {}
        for line in path.read_text().splitlines():
            wanted = re.match(r"#(\d+) \[(!?)(.*)\]", line)
            if wanted:
                number, negated, pattern = wanted.groups()
                tests += 1
                fits = re.fullmatch(pattern, answers[number]) is not None
                if fits == bool(negated):
                    failed += 1
                    print(f"{path.name}:{number}: expected {pattern}, got {answers[number]}")
            elif line.strip() and not line.startswith("#"):
                sign, text = kifu.gtp(line)
                number = re.match(r"\d+", line)
                if number:
                    answers[number.group()] = text
                elif sign != "=":
                    return f"wrong: {path.name}: {line}: {text}"
        kifu.end("quit")
    return f"{'wrong' if failed or not tests else 'tests in GNU Go form'}: {tests - failed} of {tests} answers as expected"


def go_suite(path):
    right = total = 0
    kifu = Talk(KIFU, "engine", "gtp")
    with tempfile.TemporaryDirectory() as folder:
        for line in path.read_text().splitlines():
            case = json.loads(line)
            taken = case["captures"]
            told = pathlib.Path(folder) / "board.txt"
            told.write_text(
                f"rules: {case['rules']}\nkomi: {case['komi']}\n"
                f"prisoners: black {taken['by_black']} white {taken['by_white']}\n\n" + "\n".join(case["rows"]) + "\n"
            )
            if kifu.gtp(f"loadsgf {told}")[0] == "=":
                right += kifu.gtp("final_score")[1] == re.sub(r"\.0$", "", case["expected"]["score"])
            total += 1
    kifu.end("quit")
    return f"positions of GNU Go's tests of final_score: {right} of {total} as expected"


if __name__ == "__main__":
    sys.exit(main())
