"""Games of k-in-a-row for make_kinrow_samples.py, and a judge of them: the rules,
written from their definitions.

A point is an index into a grid with a frame around it, so that a step in any
direction stays in the grid. Black plays X and moves first.
"""

import functools
import pathlib
import re
from dataclasses import dataclass, field, replace

BLACK, WHITE, EMPTY, FRAME = b"XO.#"
FRAME_WIDTH = 5
FOULS = ("overline", "double_four", "double_three")


@dataclass(frozen=True)
class Rule:
    """Rules, by the text that names them; `exact` and `fouls` name sides."""

    text: str
    game: str
    line: int = 5
    exact: str = ""
    blocked: bool = False
    fouls: bool = False
    draw_at: int = 0


RULES = {
    rule.text: rule
    for rule in [
        Rule("freestyle", "gomoku"),
        Rule("freestyle,draw_at=25", "gomoku", draw_at=25),
        Rule("standard", "gomoku", exact="BW"),
        Rule("renju", "renju", exact="B", fouls=True),
        Rule("renju,draw_at=25", "renju", exact="B", fouls=True, draw_at=25),
        Rule("caro", "caro", blocked=True),
        Rule("tictactoe", "tictactoe", line=3),
        Rule("kinrow,line=4", "kinrow", line=4),
    ]
}


class Board:
    """Stones in a frame."""

    def __init__(self, size: int):
        self.size = size
        self.width = size + 2 * FRAME_WIDTH
        self.grid = bytearray([FRAME]) * (self.width * self.width)
        self.points = [self.index(x, y) for y in range(size) for x in range(size)]
        for point in self.points:
            self.grid[point] = EMPTY
        self.steps = (1, self.width, self.width + 1, self.width - 1)

    def index(self, x: int, y: int) -> int:
        """A column and a row from the top, both from 0."""
        return (y + FRAME_WIDTH) * self.width + x + FRAME_WIDTH

    def place(self, point: int) -> tuple[int, int]:
        y, x = divmod(point, self.width)
        return x - FRAME_WIDTH, y - FRAME_WIDTH

    def row(self, point: int, step: int) -> list[int]:
        """The unbroken row of stones that the stone on a point belongs to."""
        grid, colour = self.grid, self.grid[point]
        first = point
        while grid[first - step] == colour:
            first -= step
        row = [first]
        while grid[row[-1] + step] == colour:
            row.append(row[-1] + step)
        return row

    def empty(self) -> int:
        return sum(self.grid[point] == EMPTY for point in self.points)


# The rules.


def shape(board: Board, point: int) -> str:
    """What a stone of Black on an empty point makes, by the definitions of renju:
    "five", one of FOULS, or "plain"."""
    board.grid[point] = BLACK
    found = shape_of_stone(board, point)
    board.grid[point] = EMPTY
    return found


def shape_of_stone(board: Board, point: int) -> str:
    lengths = [len(board.row(point, step)) for step in board.steps]
    if 5 in lengths:
        return "five"
    if max(lengths) > 5:
        return "overline"
    if sum(len(fours(board, point, step)) for step in board.steps) > 1:
        return "double_four"
    if sum(len(threes(board, point, step)) for step in board.steps) > 1:
        return "double_three"
    return "plain"


def added(board: Board, point: int, step: int, reach: int):
    """Tries a stone of Black on each empty point of a line near a point; gives the
    point tried and the row that it is then in, where the first point is in it."""
    for away in range(-reach, reach + 1):
        tried = point + away * step
        # Only within the frame, which is wider than the reach.
        if board.grid[tried] != EMPTY:
            continue
        board.grid[tried] = BLACK
        row = board.row(tried, step)
        if point in row:
            yield tried, row
        board.grid[tried] = EMPTY


def fours(board: Board, point: int, step: int) -> set:
    """A four is four stones to which one can be added to make a five."""
    return {frozenset(row) - {tried} for tried, row in added(board, point, step, 4) if len(row) == 5}


def threes(board: Board, point: int, step: int) -> set:
    """A three is three stones to which one can be added to make a straight four,
    without making a five at the same time, by a move that is allowed."""
    straight = []
    for tried, row in added(board, point, step, 3):
        ends = [row[0] - step, row[-1] + step]
        if len(row) == 4 and all(makes_five(board, end, step) for end in ends):
            straight.append((tried, frozenset(row) - {tried}))
    return {stones for tried, stones in straight if shape(board, tried) == "plain"}


def makes_five(board: Board, point: int, step: int) -> bool:
    if board.grid[point] != EMPTY:
        return False
    board.grid[point] = BLACK
    length = len(board.row(point, step))
    board.grid[point] = EMPTY
    return length == 5


@dataclass
class Verdict:
    """How the rules end a game: "line", "foul", "full", "limit" or "open"."""

    end: str = "open"
    winner: str = ""
    foul: str = ""
    point: tuple[int, int] | None = None
    # Moves until the end.
    plies: int = 0
    # "six", "ignored" for an overline that is nothing, "blocked" for a five.
    notes: set = field(default_factory=set)


def play(board: Board, rule: Rule, point: int, side: str, verdict: Verdict) -> None:
    """Makes one move, and judges it."""
    verdict.plies += 1
    if rule.fouls and side == "B":
        found = shape(board, point)
        if found in FOULS:
            verdict.end, verdict.winner, verdict.foul = "foul", "W", found
            verdict.point = board.place(point)
    colour = BLACK if side == "B" else WHITE
    other = WHITE if side == "B" else BLACK
    board.grid[point] = colour
    if verdict.end != "open":
        return
    for step in board.steps:
        row = board.row(point, step)
        shut = board.grid[row[0] - step] == other == board.grid[row[-1] + step]
        if len(row) < rule.line:
            continue
        if len(row) > rule.line and side in rule.exact:
            verdict.notes.add("ignored")
        elif len(row) == rule.line and rule.blocked and shut:
            verdict.notes.add("blocked")
        else:
            verdict.end, verdict.winner = "line", side
            if len(row) > rule.line:
                verdict.notes.add("six")


def judge(rule: Rule, size: int, moves: list) -> Verdict:
    """Plays moves, columns and rows from the top, until the rules end the game."""
    board, verdict = Board(size), Verdict()
    for number, (x, y) in enumerate(moves):
        play(board, rule, board.index(x, y), "BW"[number % 2], verdict)
        if verdict.end != "open":
            return verdict
    if board.empty() <= rule.draw_at:
        verdict.end = "limit" if board.empty() else "full"
        verdict.winner = "D"
    return verdict


# Games.


@dataclass
class Game:
    """A game, its moves as columns and rows from the top."""

    name: str
    rule: Rule
    size: int
    moves: list
    verdict: Verdict
    # "resign", "time", "open", or as the verdict.
    end: str
    # Who won as written: "B", "W", "D" or "".
    winner: str


# Rules, size, how many games end so, and behind a colon what else is wanted.
WANTED = [
    ("freestyle", 15, "line:B", 4),
    ("freestyle", 15, "line:W", 2),
    ("freestyle", 15, "line:six", 1),
    ("freestyle", 15, "resign", 1),
    ("freestyle", 15, "time", 1),
    ("freestyle", 15, "open", 1),
    ("freestyle,draw_at=25", 15, "limit", 1),
    ("freestyle", 20, "line:B", 2),
    ("freestyle", 20, "line:W", 2),
    ("standard", 15, "line:B", 2),
    ("standard", 15, "line:W", 2),
    ("standard", 15, "line:ignored", 2),
    ("standard", 15, "full", 1),
    ("standard", 15, "resign", 1),
    ("renju", 15, "line:B", 7),
    ("renju", 15, "line:W", 4),
    ("renju", 15, "line:six", 2),
    ("renju", 15, "foul:overline", 3),
    ("renju", 15, "foul:double_four", 4),
    ("renju", 15, "foul:double_three", 6),
    ("renju", 15, "full", 1),
    ("renju,draw_at=25", 15, "limit", 1),
    ("renju", 15, "resign", 2),
    ("renju", 15, "time", 1),
    ("renju", 15, "open", 1),
    ("caro", 15, "line:B", 2),
    ("caro", 15, "line:blocked", 1),
    ("caro", 15, "line:six", 1),
    ("caro", 15, "line:W", 1),
    ("tictactoe", 3, "line", 2),
    ("tictactoe", 3, "full", 2),
    ("kinrow,line=4", 7, "line:B", 2),
    ("kinrow,line=4", 7, "line:W", 1),
    ("kinrow,line=4", 7, "full", 1),
]


# The games that kifu played against itself, one run behind the other:
#     kifu selfplay gomoku --games 45 --nodes 1000 --seed 22
#     kifu selfplay renju --games 100 --nodes 1000 --seed 6
#     kifu selfplay caro --games 16 --nodes 1000 --seed 4
#     kifu selfplay tictactoe --games 4 --nodes 1000 --seed 6
SELFPLAY = pathlib.Path(__file__).with_name("kinrow_selfplay.sgf")
# Games of rules and boards that are not played so, and of players who err.
COMPOSED = pathlib.Path(__file__).with_name("kinrow_composed.sgf")


def read_sgf(text: str) -> list[Game]:
    """The games of a collection without variations, whose rules are named as in
    RULES; who won by the rules must have won by the record, at its end."""
    found = []
    for number, part in enumerate(text.split("(;")[1:], 1):
        tags = dict(re.findall(r"\b([A-Z]{2})\[([^\]]*)\]", part))
        name = f"played-{number:03}"
        assert tags["RU"] in RULES, (name, tags)
        rule, size = RULES[tags["RU"]], int(tags["SZ"])
        moves = [(ord(x) - ord("a"), ord(y) - ord("a")) for x, y in re.findall(r";[BW]\[(\w)(\w)\]", part)]
        verdict = judge(rule, size, moves)
        winner = {"B": "B", "W": "W", "0": "D"}.get(tags.get("RE", "")[:1], "")
        assert (verdict.winner, verdict.plies) == (winner, len(moves)), (name, verdict)
        found.append(Game(name, rule, size, moves, verdict, verdict.end, winner))
    return found


def stopped(game: Game, want: str) -> tuple[list, str]:
    """The moves of a game that is broken off, and who is given as the winner."""
    if want == "resign":
        # Who resigns is to move, and cannot stop the line any more.
        return game.moves[:-2], game.winner
    moves = game.moves[: -(len(game.moves) // 3) - 1]
    return moves, "BW"[(len(moves) + 1) % 2] if want == "time" else ""


@functools.cache
def forbidden(moves: tuple, size: int) -> dict[str, list]:
    """The moves of a game of renju up to where Black last could make a foul, by the
    foul, and with it; only where no other move was forbidden."""
    board, found = Board(size), {}
    for number, (x, y) in enumerate(moves):
        if number % 2 == 0:
            shapes = {point: shape(board, point) for point in board.points if board.grid[point] == EMPTY}
            fouls = [point for point, made in shapes.items() if made in FOULS]
            if len(fouls) == 1:
                found[shapes[fouls[0]]] = [*moves[:number], board.place(fouls[0])]
        board.grid[board.index(x, y)] = (BLACK, WHITE)[number % 2]
    return found


def ending_as(game: Game, rule: Rule, want: str) -> Game | None:
    """A game made from one that was played, under rules that may differ from its own,
    if it ends as is wanted."""
    moves, (end, _, more) = game.moves, want.partition(":")
    if end == "foul" and game.end == "line":
        moves = forbidden(tuple(moves), game.size).get(more, [])
    moves = moves[: game.size**2 - rule.draw_at]
    verdict = judge(rule, game.size, moves)
    broken_off = end in ("resign", "time", "open")
    has = more in {"", verdict.winner, verdict.foul, *verdict.notes}
    plain = more in verdict.notes or verdict.end != "line" or not verdict.notes
    if verdict.end != ("line" if broken_off else end) or verdict.plies < len(moves) or not (has and plain):
        return None
    if not broken_off:
        return Game("", rule, game.size, moves, verdict, verdict.end, verdict.winner)
    moves, winner = stopped(game, want)
    return Game("", rule, game.size, moves, judge(rule, game.size, moves), want, winner)


def games() -> tuple[list[Game], Game]:
    """Every game, and one of renju whose players saw no foul: Black made one, White
    went on, and Black won by a five."""
    left = read_sgf(SELFPLAY.read_text()) + read_sgf(COMPOSED.read_text())
    made = []
    for text, size, want, count in WANTED:
        rule = RULES[text]
        for _ in range(count):
            alike = [game for game in left if (game.rule.game, game.size) == (rule.game, size)]
            found = ((source, game) for source in alike if (game := ending_as(source, rule, want)))
            source, game = next(found, (None, None))
            assert source, f"too few games for {text} {want}"
            left.remove(source)
            number = 1 + sum(game.rule.game == rule.game for game in made)
            made.append(replace(game, name=f"{rule.game}-{number:02}"))
    return made, next(filter(None, map(unclaimed, left)))


def unclaimed(game: Game) -> Game | None:
    """A game of gomoku as one of renju, if it is such that nobody claimed a foul."""
    rule = RULES["renju"]
    verdict = judge(rule, game.size, game.moves)
    seen = verdict.foul == "double_three" and verdict.plies < len(game.moves) - 3
    if game.rule.game != "gomoku" or game.winner != "B" or game.verdict.notes or not seen:
        return None
    return Game("", rule, game.size, game.moves, verdict, verdict.end, game.winner)
