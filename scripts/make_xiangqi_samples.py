#!/usr/bin/env python3
"""Writes the sample games of xiangqi, in every format that kifu reads.

    python3 scripts/make_xiangqi_samples.py [--games FILE.pgn] [--check]

xiangqi_games.py plays them and judges them by rules of its own. They go to
data/archive/xiangqi, and what is known of every record to data/expected-xiangqi.csv.
With --check nothing is written; the files there must be those that would be.

--games adds games of a PGN whose moves are coordinates, such as one that other
programs played; `supply` is the one place where games come from.
"""

import argparse
import pathlib
from collections.abc import Callable
from dataclasses import replace

from sample_archive import Archive
from xiangqi_binary import ORDER, cbl, cbr, xqf
from xiangqi_games import START, Board, Game, Move, after, games, iccs, judge, legal, other, owner, read_fen, read_pgn

COLUMNS = "file record id fault start moves plies end winner recorded final legal check".split()

TAGS = {"R": "1-0", "B": "0-1", "D": "1/2-1/2", "": "*"}


def known(game: Game, **more) -> dict:
    """What a record of a whole game should be found to hold."""
    verdict = game.verdict
    return {
        "id": game.name,
        "fault": "",
        "start": "" if game.start == START else game.start,
        "moves": len(game.moves),
        "plies": verdict.plies,
        "end": verdict.end,
        "winner": verdict.winner,
        "recorded": game.winner,
        "final": verdict.final,
        "legal": verdict.legal,
        "check": verdict.check,
    } | more


# Moves as they are written.

Speller = Callable[[Board, Move], str]


def name(square: int, first: int = 0) -> str:
    return f"{'abcdefghi'[square % 9]}{9 - square // 9 + first}"


def coordinates(_: Board, move: Move) -> str:
    return name(move[0]) + name(move[1])


def dashed(_: Board, move: Move) -> str:
    return f"{name(move[0])}-{name(move[1])}".upper()


def from_one(_: Board, move: Move) -> str:
    return name(move[0], 1) + name(move[1], 1)


def parts(board: Board, move: Move) -> tuple[str, list[int], int, int, str, int]:
    """The piece, where all like it stand on its file (the foremost first), its own
    place among them, its file, the way it goes, and the file or the steps."""
    letter, (start, to) = board[move[0]], move
    red = owner(letter) == "R"
    file = lambda square: 9 - square % 9 if red else square % 9 + 1
    alike = [at for at in range(start % 9, 90, 9) if board[at] == letter]
    if not red:
        alike.reverse()
    rows = (start // 9 - to // 9) * (1 if red else -1)
    way = "=" if rows == 0 else "+" if rows > 0 else "-"
    number = file(to) if rows == 0 or letter.lower() in "nba" else abs(rows)
    return letter, alike, alike.index(start), file(start), way, number


def pawns_abound(board: Board, letter: str, file: int) -> bool:
    """Whether soldiers stand one behind the other on another file too."""
    columns = [range(column, 90, 9) for column in range(9) if column != file]
    return letter in "Pp" and any(sum(board[at] == letter for at in column) > 1 for column in columns)


def wxf(board: Board, move: Move) -> str:
    letter, alike, place, file, way, number = parts(board, move)
    piece = {"n": "H", "b": "E"}.get(letter.lower(), letter.upper())
    # Guards on one file go different ways.
    if len(alike) == 1 or piece in "EA":
        return f"{piece}{file}{way}{number}"
    if len(alike) > 2 or pawns_abound(board, letter, move[0] % 9):
        return f"{place + 1}{file}{way}{number}"
    return f"{piece}{'+-'[place]}{way}{number}"


PIECES = {
    "traditional": dict(zip("KABNRCPkabnrcp", "帥仕相馬車炮兵將士象馬車砲卒")),
    "simplified": dict(zip("KABNRCPkabnrcp", "帅仕相马车炮兵将士象马车炮卒")),
}
NUMERALS = "〇一二三四五六七八九"


def chinese(script: str, digits: str) -> Speller:
    """Moves in Chinese, Black's numbers in these digits."""
    ways = dict(zip("+-=", "進退平" if script == "traditional" else "进退平"))
    front, back = "前", "後" if script == "traditional" else "后"

    def spell(board: Board, move: Move) -> str:
        letter, alike, place, file, way, number = parts(board, move)
        numbers = NUMERALS if owner(letter) == "R" else digits
        piece, end = PIECES[script][letter], ways[way] + numbers[number]
        if len(alike) == 1 or letter in "ABab":
            return piece + numbers[file] + end
        assert len(alike) <= 3
        word = front if place == 0 else back if place == len(alike) - 1 else "中"
        if pawns_abound(board, letter, move[0] % 9):
            return word + piece + numbers[file] + end
        return word + piece + end

    return spell


def in_chess(first: int) -> Speller:
    """Moves as in chess, ranks counted from a number: a capital, what tells it from
    others of its kind, x, the square."""

    def spell(board: Board, move: Move) -> str:
        start, to = move
        letter = board[start]
        rivals = [at for at, end in legal(board, owner(letter)) if end == to and board[at] == letter and at != start]
        file, rank = name(start, first)[0], name(start, first)[1:]
        if not rivals:
            told = ""
        elif all(at % 9 != start % 9 for at in rivals):
            told = file
        else:
            told = rank if all(at // 9 != start // 9 for at in rivals) else file + rank
        piece = {"n": "H", "b": "E"}.get(letter.lower(), letter.upper())
        return piece + told + ("" if board[to] == "." else "x") + name(to, first)

    return spell


def wide(spell: Speller) -> Speller:
    """The same in signs of full width."""
    return lambda board, move: "".join(chr(ord(sign) + 0xFEE0) for sign in spell(board, move))


FULL_WIDTH, ASCII = "０１２３４５６７８９", "0123456789"
TRADITIONAL = chinese("traditional", FULL_WIDTH)
SIMPLIFIED = chinese("simplified", FULL_WIDTH)


def spelled(game: Game, spell: Speller) -> list[str]:
    """The moves up to the end or the first that cannot be played."""
    board, _ = read_fen(game.start)
    tokens = []
    for move in game.moves[: game.verdict.plies]:
        tokens.append(spell(board, move))
        board = after(board, move)
    return tokens


# Formats.


def movetext(game: Game, tokens: list[str]) -> str:
    first = 0 if game.start.split()[1] == "w" else 1
    words = ["1. ..."] if first and tokens else []
    for number, token in enumerate(tokens, first):
        words += [token] if number % 2 else [f"{number // 2 + 1}.", token]
    return "\n".join(" ".join(words[at : at + 12]) for at in range(0, len(words), 12))


NAMES = {"traditional": ("螞蟻", "蜜蜂"), "simplified": ("蚂蚁", "蜜蜂"), "": ("Ant", "Bee")}


def pgn(game: Game, tokens: list[str], script="", form="", result: str = "", tail: str = "") -> str:
    """A game; `result` and `tail` are the tag and what is behind the moves where
    they are not what the game says."""
    red, black = NAMES[script]
    said = TAGS[game.winner]
    lines = ['[Game "Chinese Chess"]', f'[Event "{game.name}"]', f'[Red "{red}"]', f'[Black "{black}"]']
    lines += [f'[Result "{result or said}"]']
    lines += [f'[FEN "{game.start} - - 0 1"]'] if game.start != START else []
    lines += [f'[Format "{form}"]'] if form else []
    lines += [f'[Termination "{game.broken_off}"]'] if game.broken_off else []
    return "\n".join([*lines, "", movetext(game, tokens), tail or said]) + "\n"


# The 32 pieces of `binit` are in the order of XQF.
WON = {"R": ["紅勝", "红胜", "W"], "B": ["黑勝", "黑胜", "L"], "D": ["和棋", "和局", "D"], "": ["", "", ""]}


def dhtmlxq(game: Game, turn: int) -> str:
    at = lambda square: f"{square % 9}{square // 9}"
    board, _ = read_fen(game.start)
    left = {letter: [square for square in range(90) if board[square] == letter] for letter in set(ORDER)}
    squares = "".join(at(left[letter].pop(0)) if left[letter] else "99" for letter in ORDER)
    assert not any(left.values()), game.name
    moves = "".join(at(start) + at(to) for start, to in game.moves)
    tags = {"ver": "www", "title": game.name, "red": "A", "black": "B", "result": WON[game.winner][turn % 3]}
    tags |= {"binit": squares, "movelist": moves}
    lines = [f"[DhtmlXQ_{tag}]{text}[/DhtmlXQ_{tag}]" for tag, text in tags.items()]
    return "\n".join(["[DhtmlXQ]", *lines, "[/DhtmlXQ]"]) + "\n"


def page(records: list[str]) -> str:
    lines = ["<!DOCTYPE html>", '<html><head><meta charset="utf-8"><title>棋譜</title></head><body>']
    for number, text in enumerate(records, 1):
        lines += [f"<h2>{number}</h2>", f'<div id="game{number}">', text.rstrip("\n"), "</div>"]
    return "\n".join([*lines, "</body></html>"]) + "\n"


HEAD = "game_id,timestamp,move_index,move,game_status,outcome,red_player,black_player"


def table_id(number: int) -> str:
    return f"x{number:04}"


def rows(game: Game, number: int) -> list[str]:
    """One row a move."""
    outcome = {"R": "RED_WINS", "B": "BLACK_WINS", "D": "DRAW", "": ""}[game.winner]
    status = {"resign": "RESIGNED", "agreed": "DRAW_AGREED"}.get(game.broken_off, "")
    lines = []
    for index, token in enumerate(spelled(game, coordinates)):
        time = f"2026-01-{number:02} 10:{index // 60:02}:{index % 60:02}"
        lines.append(f"{table_id(number)},{time},{index},{token},{status},{outcome},ant,bee")
    return lines


FILES = "  a b c d e f g h i"
# Red's have the sign of a person, so that no sign is both sides'.
SIGNS = dict(zip("KABNRCPkabnrcp.", "帥仕相傌俥炮兵將士象馬車砲卒．"))
LEGEND = "帥仕相傌俥炮兵 red  將士象馬車砲卒 black"


def drawn(game: Game, how: str) -> str:
    """The last position of a game as a board, with its result."""
    board, side = read_fen(game.verdict.final)
    rows = [board[at : at + 9] for at in range(0, 90, 9)]
    if how == "letters":
        lines = [f"{9 - number} {' '.join(row)}" for number, row in enumerate(rows)]
        lines[5:5] = ["  ~~~~ 楚河 漢界 ~~~~"]
        lines = [f"to move: {'red' if side == 'R' else 'black'}", FILES, *lines, FILES]
    elif how == "bare":
        lines = ["".join(row) for row in rows] + ["red to move" if side == "R" else "black to move"]
    else:
        lines = ["".join(SIGNS[letter] for letter in row) for row in rows]
        lines[5:5] = ["楚河　　　　　漢界"]
        lines = ["红先" if side == "R" else "黑先", *lines, LEGEND]
    lines += [f"result: {TAGS[game.winner]}"] if game.winner else []
    return "\n".join(lines) + "\n"


# What is written.


def archive(all_games: list[Game]) -> Archive:
    out = Archive()
    whole = [game for game in all_games if game.start == START and len(game.moves) >= 20]
    short = [game for game in all_games if game not in whole]
    write_pgn(out, whole, short)
    bare = whole[::4] + short[::2]
    text = "".join(dhtmlxq(game, turn) for turn, game in enumerate(bare))
    out.add("dhtmlxq/games.txt", text, [known(game) for game in bare])
    paged = whole[1::6] + short[1::3]
    text = page([dhtmlxq(game, turn) for turn, game in enumerate(paged)])
    out.add("dhtmlxq/page.html", text, [known(game) for game in paged])
    listed = [*whole, *(game for game in short if game.start == START)]
    moves = [",".join(spelled(game, coordinates)) for game in listed]
    text = "".join(f"g{number:05};{line}\n" for number, line in enumerate(moves, 1))
    out.add("lists/moves.txt", text, [known(game, recorded="") for game in listed])
    table = whole[::5]
    lines = [HEAD, *(row for number, game in enumerate(table, 1) for row in rows(game, number))]
    records = [known(game, record=f"id={table_id(number)}") for number, game in enumerate(table, 1)]
    out.add("lists/games.csv", "\n".join(lines) + "\n", records)
    write_positions(out, whole, short)
    write_binary(out, whole, short)
    write_boards(out, whole, short)
    write_dirty(out, {game.name: game for game in all_games}, whole)
    return out


def write_pgn(out: Archive, whole: list[Game], short: list[Game]) -> None:
    def write(path: str, chosen: list[Game], spell: Speller, charset="utf-8", ends="\n", footer="", **more):
        text = "\n".join(pgn(game, spelled(game, spell), **more) for game in chosen) + footer
        out.add(path, text.replace("\n", ends).encode(charset), [known(game) for game in chosen])

    write("pgn/traditional_big5.pgn", whole[::2] + short, TRADITIONAL, "big5", script="traditional")
    for game in whole[:6]:
        write(f"pgn/simplified/{game.name}.pgn", [game], SIMPLIFIED, script="simplified")
    for game in whole[6:8] + short[-2:]:
        write(f"pgn/bom/{game.name}.pgn", [game], SIMPLIFIED, "utf-8-sig", "\r\n", script="simplified")
    for game in [*whole[8:11], short[0]]:
        footer = "\n====\n蚂蚁棋谱网，第一页[1]\n"
        spell = chinese("simplified", ASCII)
        write(f"pgn/gb18030/{game.name}.pgn", [game], spell, "gb18030", footer=footer, script="simplified")
    write("pgn/iccs.pgn", whole[1::3] + short[::2], dashed, form="ICCS")
    write("pgn/wxf.pgn", whole[2::3] + short, wxf, form="WXF")
    write("pgn/wxf_wide.pgn", whole[1:2] + short[-2:], wide(wxf))
    write("pgn/xboard.pgn", whole[3::8] + short, in_chess(0))
    # Nothing but a rank of 10 tells one way of counting from the other.
    far = [game for game in [*whole, *short] if any("10" in token for token in spelled(game, from_one))]
    write("pgn/uci.pgn", far[::3], from_one)
    far = [game for game in [*whole, *short] if any("10" in token for token in spelled(game, in_chess(1)))]
    write("pgn/san.pgn", far[1::6], in_chess(1))


def write_binary(out: Archive, whole: list[Game], short: list[Game]) -> None:
    texts = lambda game: (game.name, *NAMES["simplified"])
    versions = [10, 11, 12, 13, 15, 16, 18]
    # Any keys.
    keys = {version: (37 * version % 256, 91 * version % 256, 13 * version % 256) for version in versions}
    chosen = [*zip(versions, short), (10, whole[4]), (18, whole[5])]
    for version, game in chosen:
        data = xqf(game, version, keys[version], texts(game), "好棋" if version % 3 else "")
        out.add(f"xqf/v{version}-{game.name}.xqf", data, [known(game)])
    for game in [short[1], short[8], whole[6]]:
        out.add(f"ccbridge/{game.name}.cbr", cbr(game, texts(game), "好棋"), [known(game)])
    library = [short[4], whole[7], short[10]]
    out.add("ccbridge/library.cbl", cbl([cbr(game, texts(game)) for game in library]), [known(game) for game in library])


def write_boards(out: Archive, whole: list[Game], short: list[Game]) -> None:
    def write(path: str, chosen: list[Game], how: str, charset="utf-8") -> None:
        records = []
        for game in chosen:
            verdict = judge(game.verdict.final, ())
            records.append(known(Game("", verdict.final, [], game.winner), start=verdict.final))
        out.add(path, "\n".join(drawn(game, how) for game in chosen).encode(charset), records)

    write("boards/letters.txt", [*short[:6], *whole[::6]], "letters")
    write("boards/bare.txt", short[3:5], "bare")
    write("boards/chinese.txt", [*short[6:10], *whole[2::9]], "signs")
    write("boards/gb18030.txt", [*short[10:], whole[1]], "signs", "gb18030")
    write("boards/one.board", whole[:1], "letters")


def write_positions(out: Archive, whole: list[Game], short: list[Game]) -> None:
    lines, records = ["# positions of xiangqi"], []
    for game in [*short, *whole[::3]]:
        # What was repeated is not in a position.
        verdict = judge(game.verdict.final, ())
        lines.append(f"{verdict.final} - - 0 1 ; {TAGS[game.winner]}")
        last = Game("", verdict.final, [], game.winner)
        records.append(known(last, start=verdict.final))
    for game in [*short, *whole[1::6]]:
        start = "startpos" if game.start == START else f"fen {game.start} - - 0 1"
        lines.append(f"position {start} moves {' '.join(spelled(game, coordinates))}")
        records.append(known(game, recorded=""))
    # The first line is a remark, which is no record of a game.
    records.insert(0, dict.fromkeys(COLUMNS[2:], "") | {"moves": 0})
    out.add("lists/positions.fen", "\n".join(lines) + "\n", records)


def write_dirty(out: Archive, by_name: dict[str, Game], whole: list[Game]) -> None:
    """Records with one fault each."""

    def add(path: str, text: str | bytes, row: dict) -> None:
        out.add(f"dirty/{path}", text, [row | {"fault": path.split(".")[0]}])

    mated = next(game for game in whole if game.verdict.end == "mate")
    long = next(game for game in whole if game.broken_off == "resign" and len(game.moves) > 40)
    wrong = other(mated.winner)
    simplified = dict(script="simplified")

    # Results.
    text = pgn(mated, spelled(mated, SIMPLIFIED), result=TAGS[wrong], tail=TAGS[wrong], **simplified)
    add("wrong_winner.pgn", text, known(mated, recorded=wrong))
    text = pgn(long, spelled(long, SIMPLIFIED), tail=TAGS[other(long.winner)], **simplified)
    add("tag_against_terminator.pgn", text, known(long, recorded=""))
    checks = by_name["red_checks"]
    text = pgn(checks, spelled(checks, SIMPLIFIED), result="1/2-1/2", tail="1/2-1/2", **simplified)
    add("perpetual_check_drawn.pgn", text, known(checks, recorded="D"))

    checked = by_name["black_checks"]
    said = dict(broken_off="perpetual check")
    text = pgn(replace(checked, **said), spelled(checked, SIMPLIFIED), **simplified)
    add("perpetual_named.pgn", text, known(checked))
    text = pgn(replace(mated, broken_off="perpetual check"), spelled(mated, SIMPLIFIED)[:-4], **simplified)
    short_of = Game("", START, mated.moves[:-4], mated.winner)
    add("no_repetition.pgn", text, known(short_of))

    # Moves.
    def stopped(game: Game, count: int, moves: int) -> dict:
        """What is known of a game whose move after so many is none."""
        verdict = judge(game.start, tuple(game.moves[:count]), unread=True)
        assert verdict.plies == count
        return known(replace(game, name="", verdict=verdict), moves=moves)

    tokens = spelled(long, SIMPLIFIED)
    # No soldier goes back.
    tokens[20] = "兵一退一"
    add("illegal_middle.pgn", pgn(long, tokens, **simplified), stopped(long, 20, len(tokens)))
    tokens = spelled(mated, SIMPLIFIED)
    beyond = [*tokens, "炮二平五", "马８进７", "马二进三"]
    add("after_mate.pgn", pgn(mated, beyond, **simplified), known(mated, moves=len(beyond)))
    # Two chariots on Red's file 5 can both go to file 4.
    twice = Game("", "3k5/9/9/4R4/9/9/4R4/9/9/4K4 w", iccs("e3e4 d9d8"), "R")
    text = pgn(twice, [*spelled(twice, wxf), "R5=4"], form="WXF")
    add("ambiguous_token.pgn", text, stopped(twice, 2, 3))
    # The advisor stands between the generals.
    pinned = Game("", "4k4/4a4/9/9/9/9/9/9/9/4K4 b", iccs("e8d7"), "R")
    add("generals_face.pgn", pgn(pinned, ["E8-D7"], form="ICCS"), known(pinned, id=""))
    ignored = Game("", "3k5/9/9/9/R8/9/9/9/4p4/5K3 w", iccs("a5d5 e1d1"), "R")
    add("check_ignored.pgn", pgn(ignored, ["A5-D5", "E1-D1"], form="ICCS"), known(ignored, id=""))
    taken = Game("", "3k5/9/9/9/3R5/9/9/9/4p4/5K3 w", [], "R")
    add("takes_general.pgn", pgn(taken, ["D5-D9"], form="ICCS"), stopped(taken, 0, 1))

    # Nothing, or not all.
    silent = dict.fromkeys(COLUMNS[2:], "")
    text = pgn(checks, spelled(checks, dashed), form="ICCS").replace("3k5/", "9/")
    row = {"start": checks.start.replace("3k5", "9"), "moves": len(checks.moves), "plies": 0}
    add("no_general.pgn", text, silent | row | {"end": "illegal", "recorded": "B"})
    tokens = spelled(long, SIMPLIFIED)
    text = pgn(long, tokens, **simplified)
    at = [place for place in range(len(text)) if text.startswith(tokens[12], place)][0] + len(tokens[12])
    cut = Game("", START, long.moves[:13], long.winner)
    add("cut.pgn", text[:at], known(cut, id=""))
    # The next move breaks off in its second sign, and is none.
    add("torn_move.pgn", text[:at].encode() + f" {tokens[13]}".encode()[:5], known(cut, id=""))
    nothing = Game("", START, [], "R")
    add("empty.pgn", pgn(nothing, [], **simplified), silent | {"moves": 0, "recorded": "R"})
    board = drawn(mated, "signs").replace(LEGEND + "\n", "")
    last = dict(silent, moves=0, recorded=mated.winner)
    both = board.replace("俥", "車").replace("傌", "馬")
    assert both != board
    add("unclear_side.txt", both, last)
    add("nine_rows.txt", "\n".join(line for at, line in enumerate(drawn(mated, "letters").split("\n")) if at != 4), last)
    text = dhtmlxq(long, 0)
    torn = Game("", START, long.moves[:15], long.winner)
    at = text.index("[DhtmlXQ_movelist]") + len("[DhtmlXQ_movelist]") + 4 * 15 + 2
    add("torn_list.txt", text[:at], known(torn, id=""))
    lines = [HEAD, *rows(long, 1)]
    row = {"record": f"id={table_id(1)}", "moves": 0, "recorded": long.winner}
    add("missing_row.csv", "\n".join(lines[:9] + lines[10:]) + "\n", silent | row)


def supply(path: str | None) -> list[Game]:
    """All games: those that are played and composed here, and those of a file."""
    return games() + (read_pgn(pathlib.Path(path).read_text("utf-8-sig")) if path else [])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", metavar="FILE.pgn")
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    archive(supply(chosen.games)).write("xiangqi", COLUMNS, chosen.check)


if __name__ == "__main__":
    main()
