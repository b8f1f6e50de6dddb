"""Games of k-in-a-row for make_kinrow_samples.py: the rules, written from their
definitions, and a small player that plays both sides, slips included.

A point is an index into a grid with a frame around it, so that a step in any
direction stays in the grid. Black plays X and moves first.
"""

import functools
import random
from dataclasses import dataclass, field

SEED = "kinrow 1"
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
    return finish(board, rule, verdict)


def finish(board: Board, rule: Rule, verdict: Verdict) -> Verdict:
    if verdict.end == "open" and board.empty() <= rule.draw_at:
        verdict.end = "limit" if board.empty() else "full"
        verdict.winner = "D"
    return verdict


# The player.

WEIGHTS = {
    "five": (10_000_000, 1_000_000),
    "straight": (100_000, 20_000),
    "four": (1_500, 500),
    "three": (1_000, 400),
    "two": (120, 60),
    "closed": (60, 30),
    "": (0, 0),
}


def completions(cells: bytes, line: int) -> list[int]:
    """The empty cells that make a line with the one in the middle."""
    return [at for at, cell in enumerate(cells) if cell == EMPTY and is_line(filled(cells, at), line)]


def filled(cells: bytes, at: int) -> bytes:
    return cells[:at] + bytes([BLACK]) + cells[at + 1 :]


def is_line(cells: bytes, line: int) -> bool:
    first = last = len(cells) // 2
    while first > 0 and cells[first - 1] == BLACK:
        first -= 1
    while last < len(cells) - 1 and cells[last + 1] == BLACK:
        last += 1
    return last - first + 1 >= line


@functools.cache
def pattern(cells: bytes, line: int) -> str:
    """What the cells of a line around a new stone of X are, as a player sees it."""
    if is_line(cells, line):
        return "five"
    count = len(completions(cells, line))
    if count:
        return "straight" if count > 1 else "four"
    then = [pattern(filled(cells, at), line) for at, cell in enumerate(cells) if cell == EMPTY]
    for better, name in [("straight", "three"), ("three", "two"), ("four", "closed")]:
        if better in then:
            return name
    return ""


SWAPPED = bytes.maketrans(b"XO", b"OX")


@functools.cache
def worth(cells: bytes, line: int, mine: bool) -> int:
    middle = len(cells) // 2
    if not mine:
        cells = cells.translate(SWAPPED)
    return WEIGHTS[pattern(filled(cells, middle), line)][not mine]


@dataclass
class Style:
    """How a side plays."""

    # How often it does not look.
    slips: float = 0.05
    # It does not know which moves are forbidden to it.
    blind: bool = False
    # It only wants to hinder.
    peaceful: bool = False
    # It prefers to make rows of more than a line.
    long: bool = False


def near(board: Board) -> list[int]:
    """Empty points at most two away from a stone; the middle of an empty board."""
    around = [dy * board.width + dx for dy in range(-2, 3) for dx in range(-2, 3)]
    stones = [point for point in board.points if board.grid[point] in (BLACK, WHITE)]
    found = {stone + away for stone in stones for away in around}
    found = [point for point in sorted(found) if board.grid[point] == EMPTY]
    middle = board.index(board.size // 2, board.size // 2)
    return found or ([] if stones else [middle])


def value(board: Board, rule: Rule, point: int, side: str, style: Style) -> int:
    reach = rule.line - 1
    total = 0
    for step in board.steps:
        cells = bytes(board.grid[point - reach * step : point + reach * step + 1 : step])
        if side == "W":
            cells = cells.translate(SWAPPED)
        own = worth(cells, rule.line, True)
        total += worth(cells, rule.line, False) + (-own if style.peaceful else own)
    return total


def longest(board: Board, point: int, colour: int) -> int:
    board.grid[point] = colour
    length = max(len(board.row(point, step)) for step in board.steps)
    board.grid[point] = EMPTY
    return length


def long_move(board: Board, rule: Rule, side: str, points: list[int], rng: random.Random) -> int | None:
    """A move that makes more than a line, or that prepares one."""
    colour = BLACK if side == "B" else WHITE
    for point in points:
        if longest(board, point, colour) > rule.line:
            return point
    if rng.random() < 0.3:
        return None
    for point in points:
        if longest(board, point, colour) >= rule.line:
            continue
        board.grid[point] = colour
        line = [point + away * step for step in board.steps for away in range(-5, 6)]
        line = [other for other in line if board.grid[other] == EMPTY]
        prepared = any(longest(board, other, colour) > rule.line for other in line)
        board.grid[point] = EMPTY
        if prepared:
            return point
    return None


def choose(board: Board, rule: Rule, side: str, style: Style, rng: random.Random) -> int | None:
    points = near(board)
    if style.long and (found := long_move(board, rule, side, points, rng)):
        return found
    if rng.random() < style.slips:
        values = {point: rng.random() for point in points}
    else:
        values = {}
        for point in points:
            blurred = value(board, rule, point, side, style) * (1 + rng.random() / 4)
            values[point] = blurred + rng.random() * 20
    for point in sorted(points, key=values.get, reverse=True):
        if style.blind or not (rule.fouls and side == "B") or shape(board, point) not in FOULS:
            return point
    return None


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


def styles(want: str) -> list[Style]:
    """How Black and White play so that a game may end as is wanted."""
    return {
        "foul:overline": [Style(long=True, blind=True), Style(slips=0.4)],
        "foul:double_four": [Style(blind=True), Style(slips=0.2)],
        "foul:double_three": [Style(blind=True), Style(slips=0.1)],
        "line:six": [Style(slips=0.4), Style(long=True)],
        "line:ignored": [Style(long=True), Style(slips=0.3)],
        "line:W": [Style(slips=0.2), Style()],
        "full": [Style(peaceful=True, slips=0), Style(peaceful=True, slips=0)],
        "limit": [Style(peaceful=True, slips=0), Style(peaceful=True, slips=0)],
    }.get(want, [Style(), Style(slips=0.1)])


def one_game(rule: Rule, size: int, want: str, rng: random.Random) -> tuple[list, Verdict] | None:
    """Plays until the end; none where a side has no move left that it would make."""
    board, verdict, moves = Board(size), Verdict(), []
    sides = styles(want)
    while verdict.end == "open" and board.empty() > rule.draw_at:
        side = len(moves) % 2
        # The first moves are scattered around the middle.
        scattered = len(moves) in (1, 2, 3) and size > 3
        style = Style(slips=1) if scattered else sides[side]
        point = choose(board, rule, "BW"[side], style, rng)
        if point is None:
            return None
        moves.append(board.place(point))
        play(board, rule, point, "BW"[side], verdict)
    return moves, finish(board, rule, verdict)


def fits(verdict: Verdict, want: str) -> bool:
    end, _, more = want.partition(":")
    has = more in {"", verdict.winner, verdict.foul, *verdict.notes}
    return verdict.end == end and has and (more in verdict.notes or end != "line" or not verdict.notes)


def games() -> list[Game]:
    """Every game, the same in every run."""
    made = []
    for text, size, want, count in WANTED:
        rule = RULES[text]
        stopped = want in ("resign", "time", "open")
        attempt = 0
        for _ in range(count):
            while True:
                attempt += 1
                rng = random.Random(f"{SEED} {text} {size} {want} {attempt}")
                played = one_game(rule, size, want, rng)
                if played and fits(played[1], "line" if stopped else want):
                    break
            moves, verdict = played
            winner, end = verdict.winner, verdict.end
            if stopped:
                # Who resigns is to move, and cannot stop the line any more.
                moves = moves[: -2 if want == "resign" else -(len(moves) // 3) - 1]
                verdict = judge(rule, size, moves)
                winner = {"resign": winner, "open": ""}.get(want, "BW"[(len(moves) + 1) % 2])
                end = want
            number = 1 + sum(game.rule.game == rule.game for game in made)
            name = f"{rule.game}-{number:02}"
            made.append(Game(name, rule, size, moves, verdict, end, winner))
    return made


def unclaimed() -> Game:
    """A game of renju whose players saw no foul: Black made one, White went on, and
    Black won by a five."""
    rule, open_rule = RULES["renju"], Rule("renju,fouls=off", "renju", exact="B")
    attempt = 0
    while True:
        attempt += 1
        rng = random.Random(f"{SEED} unclaimed {attempt}")
        moves, played = one_game(open_rule, 15, "foul:double_three", rng)
        verdict = judge(rule, 15, moves)
        if played.winner == "B" and verdict.foul == "double_three" and verdict.plies < len(moves) - 3:
            return Game("", rule, 15, moves, verdict, verdict.end, played.winner)
