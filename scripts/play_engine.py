#!/usr/bin/env python3
"""Plays kifu against a UCI engine that plays xiangqi, such as fairy-stockfish.

    python3 scripts/play_engine.py --games 40 --nodes 20000 --skill -20 --engine-nodes 1000

kifu's moves are those of `kifu label - --search eval`, and who has won is what it
labels. Openings are four random plies; each is played twice, with the sides
exchanged. Prints a line a game and the score, draws as halves."""

import argparse
import csv
import io
import random
import subprocess


class Engine:
    """A UCI engine; ranks count from 1 there."""

    def __init__(self, command, skill, nodes):
        self.nodes = nodes
        self.process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.say("uci")
        self.until("uciok")
        for name, value in [
            ("UCI_Variant", "xiangqi"),
            ("Threads", 1),
            ("Skill Level", skill),
        ]:
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
        """Every legal move of the position."""
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

    def best(self):
        self.say(f"go nodes {self.nodes}")
        return self.until("bestmove").split()[1]


def down(move):
    """A move with ranks from 1 as one with ranks from 0."""
    return shift(move, -1)


def up(move):
    return shift(move, 1)


def shift(move, by):
    squares, at = [], 0
    while at < len(move):
        end = at + 1
        while end < len(move) and move[end].isdigit():
            end += 1
        squares.append(f"{move[at]}{int(move[at + 1:end]) + by}")
        at = end
    return "".join(squares)


def label(kifu, moves, nodes, search):
    """The row of a game."""
    text = "position startpos moves " + " ".join(map(down, moves)) + "\n"
    command = [kifu, "label", "-", "--input-format", "fen", "-q", "-j", "1"]
    command += ["--search", search, "--nodes", str(nodes)]
    said = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return next(csv.DictReader(io.StringIO(said.stdout)))


def play(kifu, engine, opening, nodes, kifu_is_red):
    moves = list(opening)
    while len(moves) < 300:
        kifu_moves = (len(moves) % 2 == 0) == kifu_is_red
        row = label(kifu, moves, nodes, "eval" if kifu_moves else "none")
        if row["error"]:
            raise SystemExit(row["error"])
        if row["ended"] != "open":
            return row["winner"], row["ended"], len(moves)
        if kifu_moves:
            line = next(it for it in row["reasons"].split(";") if it.startswith("line="))
            moves.append(up(line[len("line="):].split(",")[0]))
        else:
            engine.position(moves)
            moves.append(engine.best())
    return "draw", "limit", len(moves)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kifu", default="target/release/kifu")
    parser.add_argument("--engine", default="/usr/games/fairy-stockfish")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=20000)
    parser.add_argument("--skill", type=int, default=-20)
    parser.add_argument("--engine-nodes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chooser = random.Random(args.seed)
    engine = Engine(args.engine, args.skill, args.engine_nodes)
    counts = {"won": 0, "drawn": 0, "lost": 0}
    opening = []
    for game in range(args.games):
        kifu_is_red = game % 2 == 0
        if kifu_is_red:
            opening = []
            while len(opening) < 4:
                engine.position(opening)
                opening.append(chooser.choice(engine.moves()))
        winner, ended, plies = play(args.kifu, engine, opening, args.nodes, kifu_is_red)
        own = "red" if kifu_is_red else "black"
        result = "drawn" if winner == "draw" else "won" if winner == own else "lost"
        counts[result] += 1
        print(f"{game + 1}: kifu {own}, {result} by {ended} after {plies} plies", flush=True)
    engine.say("quit")
    score = counts["won"] + counts["drawn"] / 2
    print(f"{counts}: {score} of {args.games}")


if __name__ == "__main__":
    main()
