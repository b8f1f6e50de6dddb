#!/usr/bin/env python3
"""Plays kifu against a UCI engine that plays xiangqi, such as fairy-stockfish.

    python3 scripts/play_engine.py --games 40 --nodes 20000 --skill -20 --engine-nodes 1000

Both are asked over UCI (`kifu engine uci`), and who has won is what `kifu label` says.
Openings are four random plies; each is played twice, with the sides exchanged. Prints a
line a game and the score, draws as halves."""

import argparse
import random

from talk import Talk, xiangqi_row


def legal(engine):
    """Every legal move of the position, as Stockfish and its kin list them."""
    engine.say("go perft 1")
    found = []
    for line in engine.lines():
        if line.startswith("Nodes searched"):
            return found
        if ":" in line and line[0] in "abcdefghi":
            found.append(line.split(":")[0])


def play(kifu, players, opening):
    """Who wins, how, and after how many plies; players with their nodes, Red first."""
    moves = list(opening)
    while len(moves) < 300:
        row = xiangqi_row(kifu, moves, "--search", "none")
        if row["error"]:
            raise SystemExit(row["error"])
        if row["ended"] != "open":
            return row["winner"], row["ended"], len(moves)
        player, nodes = players[len(moves) % 2]
        moves.append(player.best(moves, nodes))
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
    kifu, engine = Talk(args.kifu, "engine", "uci"), Talk(args.engine)
    kifu.uci(Ranks=1)
    engine.uci(UCI_Variant="xiangqi", Threads=1, Skill__Level=args.skill)
    counts = {"won": 0, "drawn": 0, "lost": 0}
    opening = []
    for game in range(args.games):
        kifu_is_red = game % 2 == 0
        if kifu_is_red:
            opening = []
            while len(opening) < 4:
                engine.position(opening)
                opening.append(chooser.choice(legal(engine)))
        players = [(kifu, args.nodes), (engine, args.engine_nodes)]
        if not kifu_is_red:
            players.reverse()
        winner, ended, plies = play(args.kifu, players, opening)
        own = "red" if kifu_is_red else "black"
        result = "drawn" if winner == "draw" else "won" if winner == own else "lost"
        counts[result] += 1
        print(f"{game + 1}: kifu {own}, {result} by {ended} after {plies} plies", flush=True)
    for each in (kifu, engine):
        each.end("quit")
    score = counts["won"] + counts["drawn"] / 2
    print(f"{counts}: {score} of {args.games}")


if __name__ == "__main__":
    main()
