#!/usr/bin/env python3
"""Plays kifu against a UCI engine that plays xiangqi, such as fairy-stockfish.

    python3 scripts/play_engine.py --games 40 --nodes 20000 --skill -20 --engine-nodes 1000

Both are asked over UCI (`kifu engine uci`), and who has won is what `kifu label` says.
Openings are four random plies; each is played twice, with the sides exchanged. Prints a
line a game and the score, draws as halves."""

import argparse
import csv
import io
import random
import subprocess


class Engine:
    """A UCI engine; ranks count from 1."""

    def __init__(self, command, nodes, options):
        self.nodes = nodes
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.say("uci")
        self.until("uciok")
        for name, value in options:
            self.say(f"setoption name {name} value {value}")
        self.say("isready")
        self.until("readyok")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word):
        for line in self.process.stdout:
            if line.startswith(word):
                return line
        raise SystemExit("the engine has ended")

    def moves(self):
        """Every legal move of the position, as Stockfish and its kin list them."""
        self.say("go perft 1")
        found = []
        for line in self.process.stdout:
            if line.startswith("Nodes searched"):
                return found
            if ":" in line and line[0] in "abcdefghi":
                found.append(line.split(":")[0])
        raise SystemExit("the engine has ended")

    def position(self, moves):
        self.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))

    def best(self, moves):
        self.position(moves)
        self.say(f"go nodes {self.nodes}")
        return self.until("bestmove").split()[1]


def label(kifu, moves):
    """The row of a game."""
    text = "position startpos moves " + " ".join(moves) + "\n"
    command = [kifu, "label", "-", "--input-format", "fen", "-q", "-j", "1", "--search", "none"]
    said = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return next(csv.DictReader(io.StringIO(said.stdout)))


def play(kifu, red, black, opening):
    moves = list(opening)
    while len(moves) < 300:
        row = label(kifu, moves)
        if row["error"]:
            raise SystemExit(row["error"])
        if row["ended"] != "open":
            return row["winner"], row["ended"], len(moves)
        moves.append((red, black)[len(moves) % 2].best(moves))
    return "draw", "limit", len(moves)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kifu", default="target/release/kifu")
    parser.add_argument("--engine", default="/usr/games/fairy-stockfish")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=20000)
    parser.add_argument("--skill", type=int, default=-20)
    parser.add_argument("--engine-nodes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chooser = random.Random(args.seed)
    kifu = Engine([args.kifu, "engine", "uci"], args.nodes, [("Ranks", 1)])
    options = [("UCI_Variant", "xiangqi"), ("Threads", 1), ("Skill Level", args.skill)]
    engine = Engine([args.engine], args.engine_nodes, options)
    counts = {"won": 0, "drawn": 0, "lost": 0}
    opening = []
    for game in range(args.games):
        kifu_is_red = game % 2 == 0
        if kifu_is_red:
            opening = []
            while len(opening) < 4:
                engine.position(opening)
                opening.append(chooser.choice(engine.moves()))
        players = (kifu, engine) if kifu_is_red else (engine, kifu)
        winner, ended, plies = play(args.kifu, *players, opening)
        own = "red" if kifu_is_red else "black"
        result = "drawn" if winner == "draw" else "won" if winner == own else "lost"
        counts[result] += 1
        print(f"{game + 1}: kifu {own}, {result} by {ended} after {plies} plies", flush=True)
    for each in (kifu, engine):
        each.say("quit")
    score = counts["won"] + counts["drawn"] / 2
    print(f"{counts}: {score} of {args.games}")


if __name__ == "__main__":
    main()
