"""Games of xiangqi for make_xiangqi_samples.py: the rules, written from their
definitions, games that kifu played, and endings composed by hand."""

import pathlib
import re
from dataclasses import dataclass, replace
from functools import lru_cache

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"

# A board is 90 letters, as in Forsyth-Edwards notation, from Black's back rank and
# Red's left; a square is its index. Red's pieces are capitals.
Board = list[str]
Move = tuple[int, int]


def read_fen(text: str) -> tuple[Board, str]:
    rows, side = text.split()[:2]
    signs = ("." * int(sign) if sign.isdigit() else sign for sign in rows.replace("/", ""))
    board = list("".join(signs))
    assert len(board) == 90, text
    return board, "R" if side == "w" else "B"


def write_fen(board: Board, side: str) -> str:
    rows = []
    for at in range(0, 90, 9):
        row, empty = "", 0
        for letter in board[at : at + 9] + [""]:
            if letter == ".":
                empty += 1
                continue
            row += (str(empty) if empty else "") + letter
            empty = 0
        rows.append(row)
    return "/".join(rows) + (" w" if side == "R" else " b")


def other(side: str) -> str:
    return "B" if side == "R" else "R"


def owner(letter: str) -> str:
    return "" if letter == "." else "R" if letter.isupper() else "B"


def is_palace(row: int, file: int, side: str) -> bool:
    return 3 <= file <= 5 and (row >= 7 if side == "R" else row <= 2)


def is_home(row: int, side: str) -> bool:
    """Whether a row is on a side's bank of the river."""
    return row >= 5 if side == "R" else row <= 4


STRAIGHT = [(-1, 0), (1, 0), (0, -1), (0, 1)]
SLANTED = [(-1, -1), (-1, 1), (1, -1), (1, 1)]


def inside(row: int, file: int) -> bool:
    return 0 <= row < 10 and 0 <= file < 9


@lru_cache(None)
def rays(square: int) -> list[list[int]]:
    """The squares beside one in each direction, nearest first."""
    found = []
    for down, right in STRAIGHT:
        row, file, ray = square // 9 + down, square % 9 + right, []
        while inside(row, file):
            ray.append(row * 9 + file)
            row, file = row + down, file + right
        found.append(ray)
    return found


@lru_cache(None)
def steps(square: int, kind: str, side: str) -> list[tuple[int, int]]:
    """Where a piece that does not slide may go, and the square that must be empty
    for it (its own where none must)."""
    row, file, found = square // 9, square % 9, []
    if kind == "k":
        found = [(row + down, file + right, row, file) for down, right in STRAIGHT]
        found = [it for it in found if is_palace(it[0], it[1], side)]
    elif kind == "a":
        found = [(row + down, file + right, row, file) for down, right in SLANTED]
        found = [it for it in found if is_palace(it[0], it[1], side)]
    elif kind == "b":
        found = [(row + 2 * down, file + 2 * right, row + down, file + right) for down, right in SLANTED]
        found = [it for it in found if is_home(it[0], side)]
    elif kind == "n":
        for down, right in STRAIGHT:
            for turn in (-1, 1):
                to = (row + 2 * down + turn * (right != 0), file + 2 * right + turn * (down != 0))
                found.append((*to, row + down, file + right))
    elif kind == "p":
        forward = -1 if side == "R" else 1
        found = [(row + forward, file, row, file)]
        if not is_home(row, side):
            found += [(row, file - 1, row, file), (row, file + 1, row, file)]
    return [(r * 9 + f, free_row * 9 + free_file) for r, f, free_row, free_file in found if inside(r, f)]


def targets(board: Board, square: int) -> list[int]:
    """Where the piece of a square goes to if nobody cared about generals. A general
    goes to the other one where nothing stands between: they may not face."""
    letter = board[square]
    kind, side = letter.lower(), owner(letter)
    if kind == "r" or kind == "c":
        found = []
        for ray in rays(square):
            screens = 0
            for to in ray:
                if board[to] == ".":
                    if screens == 0:
                        found.append(to)
                    continue
                screens += 1
                if kind == "r" or screens == 2:
                    if owner(board[to]) != side:
                        found.append(to)
                    break
        return found
    found = [
        to
        for to, free in steps(square, kind, side)
        if owner(board[to]) != side and (free == square or board[free] == ".")
    ]
    if kind == "k":
        for ray in rays(square)[:2]:
            first = next((to for to in ray if board[to] != "."), None)
            if first is not None and board[first].lower() == "k":
                found.append(first)
    return found


def moves_of(board: Board, side: str) -> list[Move]:
    return [
        (square, to)
        for square, letter in enumerate(board)
        if letter != "." and letter.isupper() == (side == "R")
        for to in targets(board, square)
    ]


def is_attacked(board: Board, square: int, by: str) -> bool:
    row, file = divmod(square, 9)
    for at, letter in enumerate(board):
        if letter == "." or letter.isupper() != (by == "R"):
            continue
        # Only these come from afar.
        if letter not in "RCKrck" and (abs(at // 9 - row) > 2 or abs(at % 9 - file) > 2):
            continue
        if letter in "RCrc" and at // 9 != row and at % 9 != file:
            continue
        if square in targets(board, at):
            return True
    return False


def in_check(board: Board, side: str) -> bool:
    return is_attacked(board, board.index("K" if side == "R" else "k"), other(side))


def after(board: Board, move: Move) -> Board:
    board = board.copy()
    board[move[1]], board[move[0]] = board[move[0]], "."
    return board


def legal(board: Board, side: str) -> list[Move]:
    found = [move for move in moves_of(board, side) if board[move[1]].lower() != "k"]
    return [move for move in found if not in_check(after(board, move), side)]


# Judging.


@dataclass(frozen=True)
class Verdict:
    """What became of a record."""

    plies: int
    # mate, stalemate, repetition, material, open or illegal.
    end: str
    # R, B, D or nothing.
    winner: str
    final: str
    legal: int
    check: int


@lru_cache(None)
def judge(start: str, moves: tuple[Move, ...], unread: bool = False) -> Verdict:
    """Plays moves up to the first that cannot be played; `unread` says that
    another one follows them that is none."""
    board, side = read_fen(start)
    keys, checks, end = [write_fen(board, side)], [], ""
    quiet = 0
    for move in moves:
        left = legal(board, side)
        if not left:
            break
        if move not in left:
            end = "illegal"
            break
        quiet = quiet + 1 if board[move[1]] == "." else 0
        # Neither the limit of moves without a capture is reached by any game here.
        assert quiet < 100, start
        board, side = after(board, move), other(side)
        keys.append(write_fen(board, side))
        checks.append(in_check(board, side))
    left = legal(board, side)
    plies, check = len(checks), in_check(board, side)
    winner = ""
    if not left:
        end, winner = "mate" if check else "stalemate", other(side)
    elif unread:
        end = "illegal"
    elif not end:
        end, winner = ended(board, keys, checks, side)
    return Verdict(plies, end, winner, write_fen(board, side), len(left), int(check))


def ended(board: Board, keys: list[str], checks: list[bool], side: str) -> tuple[str, str]:
    """How a game is over whose last position has moves left."""
    stood = [at for at, key in enumerate(keys) if key == keys[-1]]
    if len(stood) >= 3:
        # Moves since the third time from the last; the side to move made the first.
        since = checks[stood[-3] :]
        mine, theirs = all(since[::2]), all(since[1::2])
        if mine != theirs:
            return "repetition", other(side) if mine else side
        return "repetition", "D"
    if not any(letter in "RNCPrncp" for letter in board):
        return "material", "D"
    return "open", ""


@dataclass
class Game:
    name: str
    start: str
    moves: list[Move]
    # The result as recorded.
    winner: str = ""
    # Why it was broken off, if it was: resign, agreed, or nothing.
    broken_off: str = ""
    # By the rules, unless something else is known.
    verdict: Verdict | None = None

    def __post_init__(self):
        self.verdict = self.verdict or judge(self.start, tuple(self.moves))


# The games that kifu played against itself:
#     kifu selfplay xiangqi --games 40 --nodes 400 --plies 120 --seed 1
SELFPLAY = pathlib.Path(__file__).with_name("xiangqi_selfplay.pgn")

# How many games that came to an end are samples.
ENDED = 18
# Games that did not, and how they are broken off: after how many plies, how, and who
# is given as the winner (+ for who has more pieces).
BROKEN_OFF = [
    (24, "resign", "+"),
    (31, "", ""),
    (40, "agreed", "D"),
    (47, "resign", "+"),
    (58, "resign", "+"),
    (66, "", ""),
    (75, "agreed", "D"),
    (90, "resign", "+"),
    (103, "resign", "+"),
    (120, "agreed", "D"),
]

VALUES = {"r": 9, "c": 4.5, "n": 4, "p": 1, "a": 2, "b": 2, "k": 100, ".": 0}


def material(board: Board, side: str) -> float:
    return sum(VALUES[letter.lower()] for letter in board if owner(letter) == side)


def played() -> list[Game]:
    every = read_pgn(SELFPLAY.read_text())
    over = [game for game in every if game.verdict.end != "open"]
    # Rare ends first.
    over.sort(key=lambda game: game.verdict.end == "mate")
    for game in over:
        assert game.verdict.winner == game.winner, game
    games = [replace(game, broken_off="") for game in over[:ENDED]]
    others = [game for game in every if game.verdict.end == "open"]
    assert len(games) == ENDED and len(others) >= len(BROKEN_OFF)
    for game, (plies, how, winner) in zip(others, BROKEN_OFF):
        game = Game("", START, game.moves[:plies])
        assert game.verdict.end == "open", game
        if winner == "+":
            board, _ = read_fen(game.verdict.final)
            winner = "R" if material(board, "R") > material(board, "B") else "B"
        games.append(replace(game, winner=winner, broken_off=how))
    # In no order that tells how they end.
    games.sort(key=lambda game: game.moves)
    return [replace(game, name=f"xiangqi-{number:02}") for number, game in enumerate(games, 1)]


# Endings.


def square(name: str) -> int:
    """A square of ICCS: `a0` is Red's left corner."""
    return (9 - int(name[1])) * 9 + ord(name[0]) - ord("a")


def iccs(text: str) -> list[Move]:
    return [(square(token[:2]), square(token[2:])) for token in text.split()]


# What each is, where it begins, its moves, and how it must end by who composed it.
ENDINGS = [
    ("mate", "3k5/R8/9/9/9/9/9/9/9/1R2K4 w", "b0b9", "mate R"),
    ("black_mates", "4k4/9/9/9/9/9/9/1r7/r8/3K5 b", "b2b0", "mate B"),
    ("two_cannons", "3aka3/9/9/9/9/9/4C4/2C6/9/3K5 w", "c2e2", "mate R"),
    ("stalemate", "3k5/9/R8/9/9/9/9/9/9/4K4 w", "a7a8", "stalemate R"),
    ("black_stalemates", "4k4/9/9/9/9/9/9/r8/9/3K5 b", "a2a1", "stalemate B"),
    ("bare", "4k4/4P4/9/9/9/9/9/9/9/3K5 b", "e9e8", "material D"),
    ("guards_left", "3k1r3/4a4/9/9/5R3/9/9/4B4/9/4K4 w", "f5f9 e8f9", "material D"),
    (
        "red_checks",
        "3k5/9/9/9/R8/9/9/9/4p4/5K3 w",
        "a5d5" + " d9e9 d5e5 e9d9 e5d5" * 2,
        "repetition B",
    ),
    (
        "black_checks",
        "5k3/9/9/9/9/8r/9/9/9/3K3R1 b",
        "i4d4 d0e0 d4e4" + " e0d0 e4d4 d0e0 d4e4" * 2,
        "repetition R",
    ),
    ("generals_step", "3k5/9/9/r8/9/9/8R/9/9/5K3 w", "f0f1 d9d8 f1f0 d8d9 " * 2, "repetition D"),
    ("chariots_step", START, "a0a1 a9a8 a1a0 a8a9 " * 2, "repetition D"),
    ("went_on", "3k5/9/9/r8/9/9/8R/9/9/5K3 w", "f0f1 d9d8 f1f0 d8d9 " * 2 + "i3i4", "open "),
    # Two horses on a file, soldiers on two files.
    (
        "tandem",
        "3k5/9/2P1P4/2P1P4/6N2/9/6N2/9/9/4K4 w",
        "g3f5 d9d8 g5f7 d8d9 c6d6 d9d8 e6f6 d8d9 c7d7",
        "stalemate R",
    ),
    ("three_soldiers", "3k5/9/4P4/4P4/4P4/9/9/9/9/4K4 w", "e6d6 d9d8 e5f5 d8d9 e7f7", "open "),
]


def endings() -> list[Game]:
    games = []
    for name, start, text, end in ENDINGS:
        moves = iccs(text)
        game = Game(name, start, moves)
        verdict = game.verdict
        said = f"{verdict.end} {verdict.winner}"
        assert said == end, (name, said, verdict)
        games.append(replace(game, winner=verdict.winner))
    return games


def games() -> list[Game]:
    return played() + endings()


# Games that others played.


def read_pgn(text: str) -> list[Game]:
    """The games of a PGN whose moves are coordinates with ranks from 0, `h2e2` or
    `H2-E2`, without comments and variations; judged as those above."""
    found = []
    for number, part in enumerate(re.split(r"\n(?=\[(?:Game|Event) )(?<!\]\n)", text), 1):
        tags = dict(re.findall(r'^\[(\w+) "([^"]*)"\]', part, re.M))
        body = re.sub(r"^\[.*$", "", part, flags=re.M)
        moves = [token.replace("-", "").lower() for token in re.findall(r"\b[A-Ia-i]\d-?[A-Ia-i]\d\b", body)]
        if not moves:
            continue
        fen = " ".join(tags.get("FEN", START).split()[:2]).replace(" r", " w")
        winner = {"1-0": "R", "0-1": "B", "1/2-1/2": "D"}.get(tags.get("Result", ""), "")
        name = f"played-{number:03}"
        found.append(Game(name, fen, iccs(" ".join(moves)), winner, tags.get("Termination", "")))
    return found
