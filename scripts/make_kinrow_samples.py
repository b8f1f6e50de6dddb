#!/usr/bin/env python3
"""Writes the sample games of k-in-a-row, in every format that kifu reads.

    python3 scripts/make_kinrow_samples.py [--games FILE.sgf] [--check]

kinrow_games.py takes them from those that kifu played and those that were composed,
and judges them by rules of its own. They go to data/archive/kinrow, and what is known
of every record to data/expected-kinrow.csv. With --check nothing is written; the files
there must be those that would be.

--games adds games of an SGF as `kifu selfplay` writes it: of games won or drawn by the
rules, whose names in RU are those of kifu.
"""

import argparse
import pathlib
import re
from dataclasses import replace

import kinrow_games
from kinrow_games import Board, Game, judge
from sample_archive import Archive

COLUMNS = "file record id fault game rules size moves plies end foul point winner recorded".split()

# How the rules are written in `RU`.
WORDS = {
    "freestyle": ["Freestyle", "0", "gomoku", "five in a row", "free"],
    "standard": ["1", "standard", "exact five"],
    "renju": ["4"],
    "caro": ["8", "caro", "freestyle caro"],
    "tictactoe": ["tic-tac-toe", "tictactoe"],
}
# How results are written, by the way a game ended and who won.
RESULTS = {
    "B": ["B+1", "B+", "1-0"],
    "W": ["W+1", "W+", "0-1"],
    "D": ["0", "Draw"],
    "resign B": ["B+R", "B+Resign"],
    "resign W": ["W+R", "W+Resign"],
    "time B": ["B+T", "B+Time"],
    "time W": ["W+T", "W+Time"],
    "": ["?"],
}
SIDES = {"B": "Black", "W": "White"}


def known(game: Game, **other) -> dict:
    """What a record of a whole game should be found to hold."""
    verdict = game.verdict
    point = name(game, *verdict.point) if verdict.point else ""
    return {
        "id": game.name,
        "fault": "",
        "game": game.rule.game,
        "rules": game.rule.text,
        "size": game.size,
        "moves": len(game.moves),
        "plies": verdict.plies,
        "end": game.end,
        "foul": verdict.foul,
        "point": point,
        "winner": verdict.winner,
        "recorded": game.winner,
    } | other


def told(game: Game) -> Game:
    """A game as a format tells it that has no word for why it was broken off."""
    return replace(game, end=game.verdict.end)


def cut(game: Game, count: int, **other) -> Game:
    """A game of the first moves only."""
    verdict = judge(game.rule, game.size, game.moves[:count])
    return replace(game, moves=game.moves[:count], verdict=verdict, end=verdict.end, **other)


# Points and results as they are written.


def name(game: Game, x: int, y: int) -> str:
    return f"{chr(ord('a') + x)}{game.size - y}"


def names(game: Game) -> list[str]:
    return [name(game, x, y) for x, y in game.moves]


def letters(x: int, y: int) -> str:
    return chr(ord("a") + x) + chr(ord("a") + y)


def result(game: Game, turn: int) -> str:
    broken_off = game.end in ("resign", "time")
    choices = RESULTS[f"{game.end} {game.winner}" if broken_off else game.winner]
    return choices[turn % len(choices)]


def ending(game: Game) -> str:
    """How the game ended in words, as c-gomoku-cli has them."""
    winner, loser = SIDES.get(game.winner, ""), SIDES["W" if game.winner == "B" else "B"]
    return {
        "line": f"{winner} win by five connection",
        "foul": f"Black play forbidden move - {game.verdict.foul.replace('_', ' ')}",
        "full": "Draw by fullfilled board",
        "limit": "Draw by adjudication",
        "resign": f"{loser} resigns",
        "time": f"{winner} win by opponent time forfeit",
        "open": "",
    }[game.end]


# Formats.


def sgf(game: Game, turn: int, spell=None) -> str:
    words = WORDS.get(game.rule.text, [game.rule.text])
    head = f"(;FF[4]GM[4]SZ[{game.size}]RU[{words[turn % len(words)]}]PB[ant]PW[bee]"
    if game.winner or turn % 2:
        head += f"RE[{result(game, turn)}]"
    if game.winner and turn % 3 == 0:
        head += f"TE[{ending(game)}]"
    spell = spell or letters
    moves = [f";{'BW'[number % 2]}[{spell(x, y)}]" for number, (x, y) in enumerate(game.moves)]
    lines = ["".join(moves[at : at + 12]) for at in range(0, len(moves), 12)]
    return "\n".join([head, *lines]) + ")\n"


def psq(game: Game, first: int = 1) -> str:
    lines = [f"Piskvorky {game.size}x{game.size}, 11:11, 0"]
    lines += [f"{x + first},{y + first},{37 * number % 911}" for number, (x, y) in enumerate(game.moves, 1)]
    return "\n".join([*lines, "ant.zip", "bee.zip", "-1"]) + "\n"


def rec(game: Game) -> str:
    lines = ["ant", "bee"] + [f"{x},{y},{41 * number % 877}" for number, (x, y) in enumerate(game.moves, 1)]
    return "\n".join(lines) + "\n"


def pos(game: Game) -> bytes:
    return bytes([len(game.moves), *(y * 15 + x for x, y in game.moves)])


def xml(games: list[Game]) -> str:
    """A database; games of renju are of rule 1, those of standard of rule 2."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<database>",
        "<rules>",
        '<rule id="1" name="RIF" category="renju"/>',
        '<rule id="2" name="Gomoku" category="gomoku"/>',
        "</rules>",
        '<players><player id="1" name="Ant" surname="A"/><player id="2" name="Bee &amp; Co" surname="B"/></players>',
        "<games>",
    ]
    for number, game in enumerate(games, 101):
        rule = 1 if game.rule.fouls else 2
        won = {"B": "1", "W": "0", "D": "0.5", "": ""}[game.winner]
        tag = f'<game id="{number}" publisher="1" tournament="1" round="1" rule="{rule}" black="1" white="2"'
        lines.append(f'{tag} bresult="{won}" btime="" wtime="" opening="" alt="" swap="">')
        lines += [f"<move>{' '.join(names(game))}</move>", "<info></info>", "</game>"]
    return "\n".join([*lines, "</games>", "</database>"]) + "\n"


def listed(game: Game, shape: str, turn: int) -> str:
    """A game in one line."""
    moves = names(game)
    if shape == "concatenated":
        return "".join(moves) + "\n"
    if shape == "numbered":
        moves = [f"{number}.{move}" for number, move in enumerate(moves, 1)]
        return (" ".join(moves).upper() if turn % 2 else " ".join(moves)) + "\n"
    score = {"B": "1-0", "W": "0-1", "D": "1/2-1/2", "": "*"}[game.winner]
    if shape == "fields":
        return "\t".join([score, ending(game), str(game.size), " ".join(moves)]) + "\n"
    if shape == "result":
        word = {"B": "[BLACK_WIN]", "W": "[WHITE_WIN]", "D": "[DRAW]", "": "*"}[game.winner]
        return " ".join([word, *moves] if turn % 2 else [*moves, score]) + "\n"
    return " ".join(moves) + "\n"


def sample(game: Game, count: int) -> str:
    """A position of so many moves, a move, and its result for who makes it; rows
    are counted from the top."""
    spelled = [f"{chr(ord('a') + x)}{y + 1}" for x, y in game.moves[: count + 1]]
    won = 1 if game.winner == "D" else 2 if game.winner == "BW"[count % 2] else 0
    return f"{''.join(spelled[:-1])},{spelled[-1]},{won}\n"


def board(game: Game, style: str, head: str) -> str:
    stones = {point: "XO"[number % 2] for number, point in enumerate(game.moves)}
    rows = [[stones.get((x, y), ".") for x in range(game.size)] for y in range(game.size)]
    lines = [("" if style == "tight" else " ").join(row) for row in rows]
    if style == "labelled":
        columns = " ".join(chr(ord("a") + x) for x in range(game.size))
        lines = [f"{game.size - y:2} {line}" for y, line in enumerate(lines)]
        lines = [f"   {columns}", *lines, f"   {columns}"]
    return head + "\n" + "\n".join(lines) + "\n"


def head_lines(game: Game, turn: int) -> str:
    if turn % 2:
        return f"# board rule={game.rule.text} RE={result(game, turn)} TE={ending(game)}"
    return f"game: {game.rule.game}\nrules: {game.rule.text}\nresult: {result(game, turn)}\n"


# What is written.


def archive(games: list[Game], unclaimed: Game) -> Archive:
    out = Archive()
    by_game = {game.name: game for game in games}

    def some(kind: str, end: str, count: int) -> list[Game]:
        return [game for game in games if game.rule.text == kind and game.end == end and game.size == 15][:count]

    write_sgf(out, games)
    for folder, chosen in [
        ("Freestyle1", some("freestyle", "line", 3) + [game for game in games if game.size == 20]),
        ("Standard1", some("standard", "line", 3) + some("standard", "full", 1)),
        ("Renju1", some("renju", "line", 5) + some("renju", "foul", 3) + some("renju", "resign", 2)[1:]),
        ("Caro1", some("caro", "line", 3)),
    ]:
        for number, game in enumerate(chosen):
            text = psq(game) if number else psq(game).replace("\n", "\r\n")
            path = f"psq/{folder}/{number}_ant_bee_{'DBW'.index(game.winner)}.psq"
            out.add(path, text, [known(told(game))])
    for number, game in enumerate(some("renju", "line", 9)[-2:]):
        out.add(f"psq/Renju1/{number}_ant_bee_{'DBW'.index(game.winner)}.rec", rec(game), [known(game)])
    for game in some("freestyle", "open", 1):
        out.add("psq/Freestyle1/unfinished.psq", psq(game), [known(game)])
    chosen = [*some("renju", "line", 13), *some("renju", "foul", 13)]
    chosen += some("renju", "resign", 2) + some("standard", "line", 4)
    out.add("rif/games.xml", xml(chosen), [known(told(game)) for game in chosen])
    for kind, shape, chosen in [
        ("renju", "concatenated", some("renju", "line", 4) + some("renju", "foul", 6)),
        ("renju", "spaced", some("renju", "line", 4) + some("renju", "foul", 6)),
        ("renju", "fields", [game for game in games if game.rule.text == "renju"]),
        ("standard", "numbered", some("standard", "line", 6)),
        ("freestyle", "fields", [game for game in games if game.rule.text == "freestyle"]),
        ("caro", "result", some("caro", "line", 5)),
    ]:
        text = "".join(listed(game, shape, turn) for turn, game in enumerate(chosen))
        rows = [known(game) for game in chosen]
        if shape in ("concatenated", "spaced", "numbered"):
            rows = [row | {"recorded": ""} for row in rows]
        out.add(f"lists/{kind}_{shape}.txt", text, rows)
    for number, game in enumerate(some("renju", "line", 2) + some("renju", "foul", 3), 1):
        out.add(f"pos/{number:03}.pos", pos(game), [known(game, recorded="")])
    write_samples(out, some("renju", "line", 8)[3::4])
    foul = some("renju", "foul", 13)[9]
    shown = "renju-01 renju-08 gomoku-22 caro-04 tictactoe-01 tictactoe-03 kinrow-02 gomoku-10"
    write_boards(out, [by_game[one] for one in shown.split()], foul)
    write_dirty(out, some, by_game, foul, unclaimed)
    return out


def write_sgf(out: Archive, games: list[Game]) -> None:
    for game in games:
        if game.rule.text.startswith("freestyle"):
            number = int(game.name.split("-")[1])
            out.add(f"sgf/freestyle/{game.name}.sgf", sgf(game, number), [known(game)])
    for kind in ("standard", "renju", "caro", "tictactoe", "kinrow"):
        chosen = [game for game in games if game.rule.text.startswith(kind)]
        texts = [sgf(game, turn) for turn, game in enumerate(chosen)]
        out.add(f"sgf/{kind}.sgf", "\n".join(texts), [known(game) for game in chosen])
    renju = [game for game in games if game.rule.text == "renju"]
    for game in renju[6:9] + [game for game in games if game.size == 20][:1]:
        text = sgf(game, 1, lambda x, y: name(game, x, y))
        out.add(f"sgf/letters/{game.name}.sgf", text, [known(game)])


def write_samples(out: Archive, games: list[Game]) -> None:
    lines, rows = [], []
    for game in games:
        for count in [*range(9, len(game.moves) - 1, 5), len(game.moves) - 1]:
            lines.append(sample(game, count))
            whole = count == len(game.moves) - 1
            rows.append(known(game if whole else cut(game, count + 1), id=game.name if whole else ""))
    out.add("samples/renju.csv", "".join(lines), rows)


def write_boards(out: Archive, games: list[Game], foul: Game) -> None:
    texts, rows = [], []
    for turn, game in enumerate(games):
        style = ["spaced", "tight", "labelled"][turn % 3]
        texts.append(board(game, style, head_lines(game, turn)))
        rows.append(known(game, id="", moves=0, plies=0))
    texts.append(board(cut(foul, len(foul.moves) - 1), "spaced", head_lines(foul, 1)))
    rows.append(lacking(foul, moves=0, plies=0))
    out.add("boards/final.txt", "\n".join(texts), rows)


def lacking(foul: Game, **other) -> dict:
    """What is known of a game that a forbidden move ended, without that move."""
    count = len(foul.moves) - 1
    return known(foul, id="", end="open", winner="", **{"moves": count, "plies": count} | other)


def write_dirty(out: Archive, some, by_game: dict, foul: Game, unclaimed: Game) -> None:
    """Records with one fault each."""

    def add(path: str, text: str | bytes, *rows: dict) -> None:
        # Names of PSQ files end with players and the result.
        fault = re.sub(r"(_ant)?(_bee)?_\d$", "", path.split("/")[-1].split(".")[0])
        out.add(f"dirty/{path}", text, [row | {"fault": fault} for row in rows])

    def stopped(game: Game, moves: int, plies: int) -> dict:
        return known(game, moves=moves, plies=plies, end="illegal", winner="", foul="", point="")

    black, white = some("renju", "line", 13)[0], some("renju", "line", 13)[7]
    free = some("freestyle", "line", 3)[2]
    count = len(free.moves)
    silent = dict.fromkeys(COLUMNS[2:], "")

    # Moves.
    again = replace(free, moves=free.moves[:8] + [free.moves[3]] + free.moves[9:])
    add("repeated_point.sgf", sgf(again, 1), stopped(free, count, 8))
    off = replace(free, moves=free.moves[:8] + [(15, 7)] + free.moves[9:])
    add("off_board.sgf", sgf(off, 1), stopped(free, count, 8))
    off = replace(black, moves=black.moves[:8] + [(3, -1)] + black.moves[9:])
    text = " ".join(names(off)).replace("d16", "d0") + "\n"
    add("row_zero_renju.txt", text, stopped(black, len(black.moves), 8) | {"recorded": ""})
    edge = next(move for move, at in enumerate(by_game["gomoku-11"].moves) if 0 in at)
    long = cut(by_game["gomoku-11"], edge + 5)
    add("zero_based_bee_0.psq", psq(long, 0), stopped(long, edge + 5, edge) | {"rules": "freestyle"})
    twice = sgf(free, 1).replace(f";W[{letters(*free.moves[5])}]", f";B[{letters(*free.moves[5])}]")
    add("wrong_turn.sgf", twice, known(free, id="", **judge_sides(free, "BWBWBB" + "BW" * count)))
    swapped = sgf(free, 1).replace(";B[", ";?[").replace(";W[", ";B[")
    swapped = swapped.replace(";?[", ";W[").replace("RE[B", "RE[W")
    add("white_first.sgf", swapped, known(free, id="", **judge_sides(free, "WB" * count), recorded="W"))

    # Nothing, or not all.
    add("empty_list.txt", "\n\n", silent)
    add("empty_move.xml", xml([replace(black, moves=[])]), known(black, id="", moves=0, plies="", end="", winner="", size="", rules=""))
    whole = xml([black, white])
    kept = cut(white, 11)
    torn = whole[: whole.index(" ".join(names(kept))) + len(" ".join(names(kept))) + 2]
    add("cut.xml", torn, known(black), known(kept, id="", winner="", recorded="W"))
    lines = psq(free).split("\n")[:10]
    torn = cut(free, 8)
    add("torn_ant_bee_1.psq", "\n".join(lines)[:-4], known(torn, id="", rules="freestyle"))
    data = pos(black)
    add("count.pos", bytes([len(black.moves) + 3]) + data[1:], known(black, recorded=""))

    # Results and rules.
    wrong = replace(black, winner="W")
    add("wrong_winner.sgf", sgf(wrong, 1), known(black, recorded="W"))
    # No rules of renju explain it: Black made no foul before.
    fair = by_game["gomoku-13"]
    add("wrong_winner_bee_2.psq", psq(fair), known(fair, recorded="W"))
    add("unknown_rules.sgf", sgf(free, 1).replace("RU[0]", "RU[omok]"), known(free))
    left_out = cut(foul, len(foul.moves) - 1, winner="W")
    text = sgf(left_out, 1).replace("PB[", f"TE[{ending(foul)}]PB[")
    add("foul_left_out.sgf", text, lacking(foul))
    add("foul_left_out_renju_2.psq", psq(left_out), lacking(foul))
    add("foul_not_claimed.sgf", sgf(unclaimed, 1), known(unclaimed))
    more = [(x, y) for x in (0, 14) for y in (0, 14) if (x, y) not in black.moves][:3]
    beyond = replace(black, moves=black.moves + more)
    add("after_line.sgf", sgf(beyond, 1), known(black, id="", moves=len(beyond.moves)))

    # A board that no game comes to.
    stones = {(x, y): "X" for y in (2, 5, 8, 11, 13) for x in (0, 2, 4, 6, 9, 11)}
    stones |= {(14, 0): "O", (14, 7): "O", (14, 14): "O"}
    rows = [" ".join(stones.get((x, y), ".") for x in range(15)) for y in range(15)]
    text = "game: gomoku\nresult: B+\n\n" + "\n".join(rows) + "\n"
    add("thirty_to_three.txt", text, known(free, id="", moves=0, plies=0, end="open", winner=""))


def judge_sides(game: Game, sides: str) -> dict:
    """What becomes of the moves of a game when they are made by other sides."""
    playing, verdict = Board(game.size), kinrow_games.Verdict()
    for side, (x, y) in zip(sides, game.moves):
        if verdict.end == "open":
            kinrow_games.play(playing, game.rule, playing.index(x, y), side, verdict)
    return {"plies": verdict.plies, "end": verdict.end, "winner": verdict.winner}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", metavar="FILE.sgf")
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    games, unclaimed = kinrow_games.games()
    if chosen.games:
        games += kinrow_games.read_sgf(pathlib.Path(chosen.games).read_text("utf-8-sig"))
    archive(games, unclaimed).write("kinrow", COLUMNS, chosen.check)


if __name__ == "__main__":
    main()
