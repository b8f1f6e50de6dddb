#!/usr/bin/env python3
"""Make the sample archive of Go games under data/.

    python3 scripts/make_samples.py            play, write, make dirty copies, check
    python3 scripts/make_samples.py --dirty    only remake the dirty copies
    python3 scripts/make_samples.py --check    only check what is on disk

GNU Go 3.8 (Debian package `gnugo`) plays every game against itself over GTP;
nothing but Python's standard library is needed besides.  The output depends
only on the plan below and on --seed: each attempt at a game runs in a fresh
gnugo process with a seed of its own, so the number of --jobs does not matter.
"""
import argparse
import collections
import concurrent.futures
import csv
import pathlib
import random
import re
import shutil
import subprocess
import sys

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
GO_CSV, DIRTY_CSV = "expected-go.csv", "expected-dirty.csv"
APP = "kifu-samples:1"
GTP_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
SGF_LETTERS = "abcdefghijklmnopqrstuvwxyz"
AREA_RULES = ("Chinese", "AGA", "NZ")

# The plan.  One row makes `count` games:
#   folder, size, count, rules, komi as written, handicap, wish
# rules: the RU value, or "" for no RU (counted by territory), or "area" for no
#   RU with area counting.  A komi ending in "z" is written in zi (half points).
# wish: "" a counted game, "marks" one with TB/TW, "draw", "resign", "cut"
#   (stopped early, RE absent), "cut?" (the same, with RE[?]).
PLAN = [
    ("9x9", 9, 4, "Japanese", "6.5", 0, ""), ("9x9", 9, 2, "Japanese", "6.5", 0, "marks"),
    ("9x9", 9, 2, "Japanese", "5.5", 0, ""), ("9x9", 9, 1, "Japanese", "0.5", 0, ""),
    ("9x9", 9, 1, "Japanese", "0", 0, ""), ("9x9", 9, 1, "Japanese", "-3.5", 0, ""),
    ("9x9", 9, 2, "Japanese", "0.5", 2, ""), ("9x9", 9, 1, "Japanese", "0", 3, "marks"),
    ("9x9", 9, 1, "Japanese", "0.5", 4, ""), ("9x9", 9, 1, "Japanese", "6", 0, "draw"),
    ("9x9", 9, 2, "Japanese", "6.5", 0, "resign"), ("9x9", 9, 1, "Japanese", "6.5", 0, "cut"),
    ("9x9", 9, 3, "Chinese", "7.5", 0, ""), ("9x9", 9, 2, "Chinese", "7.5", 0, "marks"),
    ("9x9", 9, 3, "Chinese", "3.75z", 0, ""), ("9x9", 9, 1, "Chinese", "2.75z", 0, ""),
    ("9x9", 9, 1, "Chinese", "-5.5", 0, ""), ("9x9", 9, 1, "Chinese", "0.5", 2, ""),
    ("9x9", 9, 1, "Chinese", "0", 3, ""), ("9x9", 9, 1, "Chinese", "0", 4, "marks"),
    ("9x9", 9, 1, "Chinese", "7.5", 0, "resign"), ("9x9", 9, 1, "Chinese", "7.5", 0, "cut?"),
    ("9x9", 9, 3, "AGA", "7.5", 0, ""), ("9x9", 9, 1, "AGA", "0.5", 1, ""),
    ("9x9", 9, 1, "AGA", "0.5", 2, "marks"), ("9x9", 9, 1, "AGA", "0", 4, ""),
    ("9x9", 9, 2, "NZ", "7", 0, ""), ("9x9", 9, 1, "NZ", "7.5", 0, ""),
    ("9x9", 9, 1, "NZ", "0.5", 3, ""),
    ("9x9", 9, 3, "", "6.5", 0, ""), ("9x9", 9, 1, "", "0.5", 2, ""),
    ("9x9", 9, 2, "area", "7.5", 0, ""),

    ("13x13", 13, 4, "Japanese", "6.5", 0, ""), ("13x13", 13, 1, "Japanese", "5.5", 0, "marks"),
    ("13x13", 13, 1, "Japanese", "0", 2, ""), ("13x13", 13, 1, "Japanese", "0.5", 3, ""),
    ("13x13", 13, 1, "Japanese", "0.5", 5, "marks"), ("13x13", 13, 1, "Japanese", "0.5", 9, "resign"),
    ("13x13", 13, 1, "Japanese", "-5.5", 0, ""), ("13x13", 13, 1, "Japanese", "6.5", 0, "resign"),
    ("13x13", 13, 1, "Japanese", "6.5", 0, "cut"),
    ("13x13", 13, 2, "Chinese", "7.5", 0, ""), ("13x13", 13, 2, "Chinese", "3.75z", 0, ""),
    ("13x13", 13, 1, "Chinese", "0", 2, ""), ("13x13", 13, 1, "Chinese", "0.5", 4, "marks"),
    ("13x13", 13, 1, "Chinese", "0", 9, ""), ("13x13", 13, 1, "Chinese", "7.5", 0, "resign"),
    ("13x13", 13, 2, "AGA", "7.5", 0, ""), ("13x13", 13, 1, "AGA", "0.5", 3, ""),
    ("13x13", 13, 1, "AGA", "0.5", 5, "marks"),
    ("13x13", 13, 2, "NZ", "7", 0, ""), ("13x13", 13, 1, "NZ", "0.5", 2, ""),
    ("13x13", 13, 2, "", "6.5", 0, ""), ("13x13", 13, 1, "area", "7.5", 0, ""),

    ("19x19", 19, 4, "Japanese", "6.5", 0, ""), ("19x19", 19, 1, "Japanese", "5.5", 0, "marks"),
    ("19x19", 19, 1, "Japanese", "0.5", 0, ""), ("19x19", 19, 1, "Japanese", "0.5", 2, ""),
    ("19x19", 19, 1, "Japanese", "0", 3, "marks"), ("19x19", 19, 1, "Japanese", "0.5", 5, ""),
    ("19x19", 19, 1, "Japanese", "0.5", 9, ""), ("19x19", 19, 2, "Japanese", "6.5", 0, "resign"),
    ("19x19", 19, 1, "Japanese", "6.5", 0, "cut"),
    ("19x19", 19, 2, "Chinese", "7.5", 0, ""), ("19x19", 19, 1, "Chinese", "7.5", 0, "marks"),
    ("19x19", 19, 2, "Chinese", "3.75z", 0, ""), ("19x19", 19, 1, "Chinese", "3.75z", 2, ""),
    ("19x19", 19, 1, "Chinese", "0", 4, ""), ("19x19", 19, 1, "Chinese", "7.5", 0, "cut?"),
    ("19x19", 19, 2, "AGA", "7.5", 0, ""), ("19x19", 19, 1, "AGA", "0.5", 3, ""),
    ("19x19", 19, 1, "AGA", "0", 9, ""), ("19x19", 19, 1, "NZ", "7", 0, ""),
    ("19x19", 19, 1, "NZ", "0.5", 5, ""), ("19x19", 19, 2, "", "6.5", 0, ""),
    ("19x19", 19, 1, "area", "7.5", 0, ""),

    ("odd", 7, 2, "Japanese", "8.5", 0, ""), ("odd", 7, 1, "Chinese", "9", 0, "draw"),
    ("odd", 7, 1, "Chinese", "4.25z", 0, "marks"), ("odd", 5, 1, "Chinese", "7.5", 0, ""),
    ("odd", 5, 1, "Japanese", "0", 0, ""), ("odd", 17, 1, "Japanese", "6.5", 0, ""),
    ("odd", 17, 1, "NZ", "0", 2, ""),

    ("collection", 9, 4, "Japanese", "6.5", 0, ""), ("collection", 9, 3, "Chinese", "7.5", 0, ""),
    ("collection", 9, 1, "AGA", "0.5", 2, ""), ("collection", 9, 1, "", "6.5", 0, "marks"),
    ("collection", 9, 1, "Japanese", "6.5", 0, "resign"), ("collection", 13, 1, "NZ", "7", 0, ""),
    ("collection", 7, 1, "Chinese", "9", 0, ""),
]


# --- the board -----------------------------------------------------------------

class Board:
    """A Go board: stones by point (x, y), y counted from the top, simple ko."""

    def __init__(self, size):
        self.size, self.stones, self.ko = size, {}, None
        self.taken = {"B": 0, "W": 0}  # stones lost by each colour

    def points(self):
        return [(x, y) for y in range(self.size) for x in range(self.size)]

    def near(self, point):
        x, y = point
        around = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        return [(a, b) for a, b in around if 0 <= a < self.size and 0 <= b < self.size]

    def region(self, start):
        """Points joined to `start` with the same content, and what borders them."""
        kind, seen, border, todo = self.stones.get(start), {start}, set(), [start]
        while todo:
            for q in self.near(todo.pop()):
                if self.stones.get(q) != kind:
                    border.add(self.stones.get(q))
                elif q not in seen:
                    seen.add(q)
                    todo.append(q)
        return seen, border

    def play(self, colour, point):
        """Play a move (None passes); False, and nothing changed, if illegal."""
        if point is None:
            self.ko = None
            return True
        on_board = 0 <= point[0] < self.size and 0 <= point[1] < self.size
        if not on_board or point in self.stones or point == self.ko:
            return False
        self.stones[point] = colour
        caught = set()
        for q in self.near(point):
            if self.stones.get(q, colour) != colour and q not in caught:
                group, border = self.region(q)
                if None not in border:
                    caught |= group
        for q in caught:
            del self.stones[q]
        own, border = self.region(point)
        if None not in border:
            del self.stones[point]
            return False
        self.taken[other(colour)] += len(caught)
        alone = len(own) == 1 and len(caught) == 1
        self.ko = caught.pop() if alone and sum(q not in self.stones for q in self.near(point)) == 1 else None
        return True

    def territory(self, dead):
        """Empty points (dead stones lifted) that border on one colour only."""
        bare = Board(self.size)
        bare.stones = {p: c for p, c in self.stones.items() if p not in dead}
        owned, seen = {"B": set(), "W": set()}, set(bare.stones)
        for p in bare.points():
            if p not in seen:
                group, border = bare.region(p)
                seen |= group
                if len(border) == 1:
                    owned[border.pop()] |= group
        return owned

    def lead(self, dead, area):
        """Black's lead without komi or handicap compensation."""
        owned = self.territory(dead)
        score = len(owned["B"]) - len(owned["W"])
        for p, c in self.stones.items():
            if area and p not in dead:
                score += 1 if c == "B" else -1
            elif not area and p in dead:
                score += 1 if c == "W" else -1
        return score if area else score + self.taken["W"] - self.taken["B"]


def other(colour):
    return "W" if colour == "B" else "B"


def compensation(rules, handicap):
    """Points White receives for the handicap stones under the named rules."""
    if handicap < 2:
        return 0
    return {"Chinese": handicap, "AGA": handicap - 1}.get(rules, 0)


def number(value):
    return f"{value:g}"


def signed(score):
    """A score as GTP writes it (B+2.5, W+4.0, 0) as Black's lead."""
    return float(score.replace("B", "").replace("W+", "-"))


def to_gtp(size, point):
    return GTP_LETTERS[point[0]] + str(size - point[1]) if point else "pass"


def from_gtp(size, text):
    return None if text.lower() == "pass" else (GTP_LETTERS.index(text[0].upper()), size - int(text[1:]))


def to_sgf(point):
    return SGF_LETTERS[point[0]] + SGF_LETTERS[point[1]] if point else ""


def from_sgf(text):
    return (SGF_LETTERS.index(text[0]), SGF_LETTERS.index(text[1])) if text else None


# --- SGF -----------------------------------------------------------------------
# A game is a list of nodes, a node a list of (property, [values]).

def render_node(node):
    return ";" + "".join(name + "".join(f"[{v}]" for v in values) for name, values in node)


def render(nodes):
    lines, line = ["(" + render_node(nodes[0])], ""
    for node in nodes[1:]:
        text = render_node(node)
        if len(line) + len(text) > 72:
            lines.append(line)
            line = ""
        line += text
    return "\n".join(lines + [line] if line else lines) + ")\n"


def parse(text):
    """Read well-formed SGF without variations; returns a list of games."""
    games = []
    for token in re.findall(r"[();]|[A-Z]+|\[(?:\\.|[^\]\\])*\]", text, re.S):
        if token == "(":
            games.append([])
        elif token == ";":
            games[-1].append([])
        elif token[0] == "[":
            games[-1][-1][-1][1].append(token[1:-1])
        elif token != ")":
            games[-1][-1].append((token, []))
    return games


def root(nodes, name, default=""):
    return dict(nodes[0]).get(name, [default])[0]


def moves_of(nodes):
    return [(name, from_sgf(values[0])) for node in nodes for name, values in node if name in "BW"]


def replay(nodes):
    """Board after the game and the number of moves played before any illegal one."""
    board, count = Board(int(root(nodes, "SZ"))), 0
    for colour in "BW":
        board.stones.update({from_sgf(v): colour for v in dict(nodes[0]).get("A" + colour, [])})
    for colour, point in moves_of(nodes):
        if not board.play(colour, point):
            break
        count += 1
    return board, count


# --- playing -------------------------------------------------------------------

class GnuGo:
    def __init__(self, program, seed, area):
        rules = "--chinese-rules" if area else "--japanese-rules"
        command = [program, "--mode", "gtp", rules, "--never-resign", "--seed", str(seed)]
        self.process = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = []
        for line in self.process.stdout:
            if line.strip():
                answer.append(line.strip())
            elif answer:
                break
        if not answer or answer[0][0] != "=":
            raise RuntimeError(f"{command}: {answer}")
        return " ".join(answer)[1:].split()

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def random_opening(rng, board, moves):
    """A few random moves away from the edge, so that no two games are alike."""
    margin = 1 if board.size < 13 else 2
    count = {5: 1, 7: 2, 9: 3, 13: 4}.get(board.size, 6)
    for _ in range(rng.randint(max(1, count - 2), count)):
        inner = [p for p in board.points() if p not in board.stones
                 and all(margin <= v < board.size - margin for v in p)]
        moves.append(rng.choice(inner))
        yield moves[-1]


def play_game(job):
    """One attempt at a game: (row for the csv and nodes) or the reason to drop it."""
    program, (_, size, _, rules, komi_text, handicap, wish), seed = job
    rng = random.Random(seed)
    area, rules = rules == "area" or rules in AREA_RULES, "" if rules == "area" else rules
    komi = 2 * float(komi_text[:-1]) if komi_text.endswith("z") else float(komi_text)
    top = 2 if size > 13 else 3
    levels = {"B": rng.randint(1, top), "W": rng.randint(1, top)}
    gnugo = GnuGo(program, seed, area)
    try:
        for command in (f"boardsize {size}", "clear_board", f"komi {number(komi)}"):
            gnugo.ask(command)
        board, moves, positions, result, kind, dead = Board(size), [], set(), "", "score", []
        stones = gnugo.ask(f"fixed_handicap {handicap}") if handicap > 1 else []
        stones = [from_gtp(size, s) for s in stones]
        board.stones.update({p: "B" for p in stones})
        colour = first = "W" if stones else "B"
        opening = random_opening(rng, board, []) if not stones or rng.random() < 0.5 else iter(())
        limit = rng.randint(size * 3, size * size // 2) if wish.startswith("cut") else size * size * 3
        patience, loser = rng.randint(size * 2, size * 5), "W" if handicap > 4 else rng.choice("BW")
        while True:
            if len(moves) == limit:
                kind = "none"
                break
            point = next(opening, None)
            if point:
                gnugo.ask(f"play {colour} {to_gtp(size, point)}")
            else:
                gnugo.ask(f"level {levels[colour]}")
                # At these levels GNU Go hardly ever resigns, so the script does
                # it for the player whose own estimate has become hopeless.
                if wish == "resign" and len(moves) > patience and colour == loser and len(moves) % 6 < 2:
                    if signed(gnugo.ask("estimate_score")[0]) * (1 if colour == "B" else -1) < -1.5 * size:
                        result, kind = other(colour), "resign"
                        break
                point = from_gtp(size, gnugo.ask(f"genmove {colour}")[0])
            if not board.play(colour, point):
                return "move not legal on our board"
            position = frozenset(board.stones.items())
            if point and position in positions:
                return "whole-board repetition"
            positions.add(position)
            moves.append((colour, point))
            if len(moves) > 1 and moves[-1][1] is None and moves[-2][1] is None:
                # Under AGA rules White makes the last pass.
                if rules == "AGA" and colour == "B":
                    moves.append(("W", None))
                break
            colour = other(colour)
        if kind != {"resign": "resign", "cut": "none", "cut?": "none"}.get(wish, "score"):
            return f"ended by {kind}" if wish != "" else "too long"
        margin = None
        if kind == "score":
            told = signed(gnugo.ask("final_score")[0])
            dead = sorted((from_gtp(size, s) for s in gnugo.ask("final_status_list dead")), key=lambda p: p[::-1])
            lead = board.lead(dead, area)
            # GNU Go's Chinese rules give White a point per handicap stone.
            if told != lead - komi - (compensation("Chinese", handicap) if area else 0):
                return "gnugo's score differs from the count"
            margin = lead - komi - compensation(rules, handicap)
            result = "D" if margin == 0 else "B" if margin > 0 else "W"
            if wish == "draw" and margin:
                return "not a draw"
    finally:
        gnugo.close()

    re_text = {"score": "0" if margin == 0 else f"{result}+{number(abs(margin or 0))}",
               "resign": f"{result}+R", "none": "?" if wish == "cut?" else ""}[kind]
    head = [("GM", ["1"]), ("FF", ["4"]), ("CA", ["UTF-8"]), ("AP", [APP]), ("SZ", [str(size)]),
            ("PB", [f"GNU Go 3.8 level {levels['B']}"]), ("PW", [f"GNU Go 3.8 level {levels['W']}"]),
            ("RU", [rules] if rules else []), ("KM", [komi_text.rstrip("z")]),
            ("HA", [str(handicap)] if handicap else []), ("AB", [to_sgf(p) for p in stones]),
            ("PL", ["W"] if stones and rng.random() < 0.5 else []), ("RE", [re_text] if re_text else [])]
    nodes = [[(n, v) for n, v in head if v]] + [[(c, [to_sgf(p)])] for c, p in moves]
    if wish == "marks":
        owned = board.territory(dead)
        nodes[-1] += [("T" + c, [to_sgf(p) for p in sorted(owned[c])]) for c in "BW" if owned[c]]
    row = {"size": size, "rules": rules, "komi": number(komi), "handicap": handicap, "result": result,
           "margin": "" if margin is None else number(abs(margin)), "kind": kind,
           "dead": " ".join(to_gtp(size, p) for p in dead), "moves": len(moves),
           "counting": ("area" if area else "territory") if kind == "score" else ""}
    return row, nodes


def first_good(job):
    """Repeat a planned game with fresh seeds until one attempt is kept."""
    program, plan, seed = job
    dropped = collections.Counter()
    for attempt in range(100):
        outcome = play_game((program, plan, seed + attempt))
        if not isinstance(outcome, str):
            return outcome, dropped
        dropped[outcome] += 1
    raise SystemExit(f"no usable game for {plan}: {dict(dropped)}")


def make_games(program, seed, workers):
    jobs = [plan for plan in PLAN for _ in range(plan[2])]
    jobs = [(program, plan, seed * 100_000 + 100 * i) for i, plan in enumerate(jobs)]
    # The long games start first; the answers are put back into plan order.
    order = sorted(range(len(jobs)), key=lambda i: -jobs[i][1][1])
    answers = [None] * len(jobs)
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for i, answer in zip(order, pool.map(first_good, [jobs[i] for i in order])):
            answers[i] = answer
            print(f"{jobs[i][1]}: {answer[0][0]['kind']} {answer[0][0]['moves']} moves", file=sys.stderr)
    shutil.rmtree(DATA / "archive" / "go", ignore_errors=True)
    dropped, serial, rows, collection = collections.Counter(), collections.Counter(), [], ""
    for (_, (folder, *_), _), ((row, nodes), lost) in zip(jobs, answers):
        dropped += lost
        serial[folder] += 1
        if folder == "collection":
            name = f"go/collection.sgf#{serial[folder]}"
            collection += render(nodes) + "\n"
        else:
            name = f"go/{folder}/{serial[folder]:03}.sgf"
            write(name, render(nodes).encode())
        rows.append({"file": name, **row})
    write("go/collection.sgf", collection.rstrip("\n").encode() + b"\n")
    write_csv(GO_CSV, rows)
    print("dropped attempts:", dict(dropped))


def write(name, content):
    path = DATA / "archive" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def write_csv(name, rows):
    with open(DATA / name, "w", newline="", encoding="utf-8") as out:
        table = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def read_csv(name):
    with open(DATA / name, newline="", encoding="utf-8") as source:
        return list(csv.DictReader(source))


# --- dirty copies ----------------------------------------------------------------

class Source:
    """A clean game to spoil: its csv row, its nodes and its text."""

    def __init__(self, row):
        self.row, self.size = row, int(row["size"])
        self.text = (DATA / "archive" / row["file"]).read_text("utf-8")
        self.nodes = parse(self.text)[0]
        self.count = len(moves_of(self.nodes))

    def legal(self):
        return replay(self.nodes)[1]

    def set(self, name, *values):
        """Replace, add or (without values) remove a property of the root."""
        if values and name not in dict(self.nodes[0]):
            self.nodes[0].append((name, []))
        self.nodes[0] = [(n, list(values) if n == name else v) for n, v in self.nodes[0] if n != name or values]

    def cut(self, share):
        self.nodes = self.nodes[: int(self.count * share) + 1]

    def change(self, index, point):
        """Put another value on move number `index` (0 is the first)."""
        self.nodes[index + 1] = [(self.nodes[index + 1][0][0], [point])]

    def out(self, **properties):
        for name, value in properties.items():
            self.set(name, value)
        return render(self.nodes)


def make_dirty():
    """Write dirty/*.sgf; returns {name: bytes} and the csv rows."""
    rows = [r for r in read_csv(GO_CSV) if "#" not in r["file"]]
    files, table, uses = {}, [], collections.Counter()

    def pick(test=lambda r: True, **wanted):
        """The least used clean counted game with these csv values."""
        wanted = {"size": "9", "kind": "score", "handicap": "0", **wanted}
        fits = [r for r in rows if all(r[k] == v for k, v in wanted.items()) and test(r)]
        row = min(fits, key=lambda r: uses[r["file"]])
        uses[row["file"]] += 1
        return Source(row)

    def add(name, fault, game, content, moves=None, playable=None):
        """`moves` a reader should find and how many of them can be played."""
        moves = (moves if moves is not None else len(moves_of(game.nodes)))
        files[name] = content if isinstance(content, bytes) else content.encode()
        table.append({"file": f"go/dirty/{name}.sgf", "fault": fault, "moves": moves,
                      "playable": moves if playable is None else playable,
                      "source": game.row["file"] if game else ""})

    half = lambda r: r["komi"].endswith(".5") and not r["komi"].startswith("-")
    won = lambda r: half(r) and float(r["margin"]) >= 2.5

    # Damage around the game and to its frame.
    g = pick(); add("extra_close", "one closing parenthesis too many", g, g.text.rstrip() + ")\n")
    g = pick(); add("missing_close", "last closing parenthesis missing", g, g.text.rstrip()[:-1] + "\n")
    g = pick(); add("leading_text", "prose before the game", g, "Saved by the club server.\nGame 17 follows:\n\n" + g.text)
    g = pick(); add("leading_paren", "prose with parentheses before the game", g, "Board 3 (9x9; second round) was saved here\n" + g.text)
    g = pick(); add("trailing_text", "prose after the game", g, g.text + "\n-- \nend of record (thanks for playing)\n")
    g = pick(); add("nul_after", "block of NUL bytes after the game", g, g.text.encode() + bytes(512 - len(g.text) % 512))
    add("nul_only", "nothing but NUL bytes", None, bytes(1024), 0)
    add("empty", "empty file", None, b"", 0)
    g = pick(); add("no_semicolon", "no semicolon before the root properties", g, g.text.replace("(;", "(", 1))
    g = pick(); add("no_open_paren", "no opening parenthesis", g, g.text[1:])
    g = pick(); add("crlf", "CR LF line ends and a blank line after each", g, g.text.replace("\n", "\r\n\r\n"))
    g = pick(); add("move_in_root", "first move stands in the root node", g, g.text.replace("\n;", "\n", 1))
    add("not_sgf", "HTML page under an SGF name", None, "<!DOCTYPE html>\n<html><head><title>Not found</title></head>\n"
        "<body><h1>404</h1><p>This game (see list; page 2) is gone [or moved].</p></body></html>\n", 0)

    # Character sets.  The result is spelled out in the language of the file.
    def spelled(game, text):
        whole, part = divmod(float(game.row["margin"]), 1)
        side = {"B": "\u9ed1", "W": "\u767d"}[game.row["result"]]
        return text.format(side, f"{int(whole)}\u76ee" + ("\u534a" if part else ""))

    black, white, wins = "\u9ed1\u65b9", "\u767d\u65b9", "{}\u80dc{}"
    for name, fault, charset in (("gbk_no_ca", "GB18030 text without CA", None),
                                 ("gbk_wrong_ca", "GB18030 text with CA[UTF-8]", "UTF-8")):
        g = pick(won, rules="Japanese")
        g.set("CA", *filter(None, [charset]))
        add(name, fault, g, g.out(PB=black, PW=white, RE=spelled(g, wins)).encode("gb18030"))
    # In these two encodings the second byte of some letters is [ \ or ].
    g = pick(won, rules="Japanese"); g.set("CA")
    g.nodes[1].append(("C", ["\u6c92\u4e57\u4fd2 \u9ed1"]))
    add("gbk_trail_byte", "GB18030 letters holding bracket and backslash bytes", g, g.out().encode("gb18030"))
    for name, fault, charset in (("sjis", "Shift_JIS letters holding bracket and backslash bytes", "Shift_JIS"),
                                 ("sjis_no_ca", "Shift_JIS letters holding bracket and backslash bytes without CA", None)):
        g = pick(won, rules="Japanese")
        g.set("CA", *filter(None, [charset]))
        g.nodes[1].append(("C", ["\u30bc\u30bd\u30be \u8868"]))
        text = g.out(PB="\u9ed2\u756a", PW="\u767d\u756a", RE=spelled(g, "{}{}\u52dd\u3061").replace("\u9ed1", "\u9ed2"))
        add(name, fault, g, text.encode("shift_jis"))
    g = pick(); g.nodes[1].append(("C", ["\u9ed1\u68cb?"]))
    add("utf8_damaged", "UTF-8 comment with a cut letter and a stray byte", g, g.out().encode().replace(b"\x8b?]", b" \xff]"))
    g = pick(); add("utf16le", "UTF-16 little endian with a byte order mark", g, b"\xff\xfe" + g.text.encode("utf-16-le"))
    g = pick(); add("bom", "UTF-8 byte order mark", g, b"\xef\xbb\xbf" + g.text.encode())

    # Habits of servers and programs.
    def fox(game):
        game.set("AP")
        game.set("CA")
        game.nodes[0][2:2] = [("AP", ["GNU Go:3.8"]), ("AP", ["foxwq"])]
        game.set("RU", "Chinese")
        game.set("KM", "375")

    g = pick(size="19", rules="Chinese", komi="7.5", handicap="2")
    fox(g); stones = dict(g.nodes[0])["AB"]; g.set("AB"); g.set("PL")
    g.nodes.insert(1, [("AB", stones)])
    add("fox_style", "two AP and KM in hundredths of zi and handicap stones in the second node", g, g.out(), playable=g.count)
    g = pick(size="19", rules="Chinese", komi="7.5"); fox(g); g.cut(0.55)
    add("fox_sentinel", "cut short with the stand-in result B+0.02", g, g.out(RE="B+0.02"))
    g = pick(won, rules="Chinese", komi="7.5", result="B")
    whole, part = divmod(float(g.row["margin"]) / 2, 1)
    zi = "\u53c8".join(filter(None, [str(int(whole)) if whole else "", {0.25: "1/4", 0.75: "3/4"}[part]])) + "\u5b50"
    head = f"(\nTE[GNU Go 3.8]\nSZ[9]\nPB[{black}]\nPW[{white}]\nKO[7.5]\nRE[\u9ed1\u80dc{zi}]\n\n"
    add("sina_style", "no semicolon and KO for komi and result in zi and GBK", g, (head + g.text.split("\n", 1)[1]).encode("gbk"))
    g = pick(half); add("komi_comma", "decimal comma in KM", g, g.out(KM=root(g.nodes, "KM").replace(".", ",")))
    g = pick(); add("tt_pass", "passes written tt on a small board", g, g.text.replace("B[]", "B[tt]").replace("W[]", "W[tt]"))
    g = pick(); add("valueless_pass", "passes without brackets", g, g.text.replace("B[]", "B").replace("W[]", "W"))
    g = pick()
    for i in range(4, g.count):  # the first black move the game can do without
        kept = g.nodes[i + 1]
        if kept[0][0] == "B" and kept[0][1][0]:
            g.change(i, "")
            if g.legal() == g.count:
                break
            g.nodes[i + 1] = kept
    add("valueless", "a move lost its value", g, g.out().replace("B[]", "B", 1))
    g = pick(); g.nodes[3].append(("C", ["joseki [one of two\\] ends here"]))
    add("unescaped_bracket", "closing bracket not escaped in a comment", g, g.out().replace("\\]", "]"))

    # Faults of the game itself.
    g = pick(); g.change(20, moves_of(g.nodes)[19][1] and to_sgf(moves_of(g.nodes)[19][1]))
    add("illegal_occupied", "a move on an occupied point", g, g.out(), playable=g.legal())
    ko = parse("(;GM[1]FF[4]CA[UTF-8]AP[kifu-samples:1]SZ[5]PB[GNU Go 3.8 level 1]PW[GNU Go 3.8 level 1]KM[0]"
               "AB[bc][cb][cd]AW[cc][db][dd][ec]PL[B]RE[?];B[dc];W[cc];B[aa];W[ea])")[0]
    add("illegal_ko", "a ko retaken at once", None, render(ko), 4, replay(ko)[1])
    g = pick(); g.change(16, "kk"); add("off_board", "a move outside the board", g, g.out(), playable=g.legal())
    g = pick(); add("bad_size", "impossible board size", g, g.out(SZ="99"), playable=0)
    g = pick(won); lost = other(g.row["result"])
    add("wrong_result", "winner swapped in RE", g, g.out(RE=f"{lost}+{g.row['margin']}"))
    g = pick(won); add("wrong_margin", "margin in RE too large by 2", g,
                       g.out(RE=f"{g.row['result']}+{number(float(g.row['margin']) + 2)}"))
    g = pick(won, rules="Chinese", komi="7.5")
    add("zi_result", "margin in RE written in zi", g, g.out(RE=f"{g.row['result']}+{number(float(g.row['margin']) / 2)}"))
    g = pick(won); g.cut(0.5); add("unfinished", "moves cut off half way with the score kept", g, g.out())
    g = pick(won); g.cut(0.7); add("resigned", "moves cut off and the result made a resignation", g, g.out(RE=g.row["result"] + "+R"))
    g = pick(); at = 12
    board, _ = replay(g.nodes[: at + 1])
    free = [p for p in board.points() if p not in board.stones and any(q not in board.stones for q in board.near(p))]
    line = [render_node([(c, [to_sgf(p)])]) for (c, _), p in zip(moves_of(g.nodes)[at:], (free[0], free[-1], free[len(free) // 2]))]
    trunk, rest = render(g.nodes[: at + 1]).rstrip()[:-1], "".join(map(render_node, g.nodes[at + 1:]))
    add("variations", "side lines beside the game", g, f"{trunk}\n({rest})\n({line[0]}{line[1]}\n({line[2]})({line[2]}C[another]))\n({line[0]}))\n")
    return files, table


def write_dirty():
    files, table = make_dirty()
    shutil.rmtree(DATA / "archive" / "go" / "dirty", ignore_errors=True)
    for name, content in files.items():
        write(f"go/dirty/{name}.sgf", content)
    write_csv(DIRTY_CSV, table)


# --- checking --------------------------------------------------------------------

def faults_of(row, nodes):
    """What in a clean game disagrees with its csv row or with a recount."""
    board, count = replay(nodes)
    size, handicap, komi = board.size, int(root(nodes, "HA", "0")), float(row["komi"])
    written = float(root(nodes, "KM"))
    told = root(nodes, "RE")
    ok = {"size": size == int(row["size"]), "rules": root(nodes, "RU") == row["rules"],
          "handicap": handicap == int(row["handicap"]), "moves": count == len(moves_of(nodes)) == int(row["moves"]),
          "komi": komi == written or komi == 2 * written and written % 0.5 == 0.25 and row["rules"] == "Chinese",
          "stones": len(dict(nodes[0]).get("AB", [])) == (handicap if handicap > 1 else 0)}
    if row["kind"] == "score":
        dead = {from_gtp(size, s) for s in row["dead"].split()}
        margin = board.lead(dead, row["counting"] == "area") - komi - compensation(row["rules"], handicap)
        side = "B" if margin > 0 else "W" if margin < 0 else "D"
        ok["RE"] = told == (f"{side}+{number(abs(margin))}" if margin else "0")
        ok["csv"] = (row["result"], row["margin"]) == (side, number(abs(margin)))
        ok["passes"] = [p for _, p in moves_of(nodes)[-2:]] == [None, None]
        ok["last pass"] = row["rules"] != "AGA" or moves_of(nodes)[-1][0] == "W"
        ok["dead"] = dead <= set(board.stones)
        marks = {c: {from_sgf(v) for v in dict(nodes[-1]).get("T" + c, [])} for c in "BW"}
        ok["marks"] = not any(marks.values()) or marks == board.territory(dead)
    else:
        ok["RE"] = told == f"{row['result']}+R" if row["kind"] == "resign" else told in ("", "?")
    return [name for name, good in ok.items() if not good]


def check():
    rows, bad, seen = read_csv(GO_CSV), 0, collections.Counter()
    for row in rows:
        name, _, index = row["file"].partition("#")
        games = parse((DATA / "archive" / name).read_text("utf-8"))
        faults = faults_of(row, games[int(index or 1) - 1])
        seen[name] += 1
        if faults or seen[name] > len(games):
            bad += 1
            print(f"{row['file']}: {', '.join(faults)}")
    files, table = make_dirty()
    bad += [{k: str(v) for k, v in r.items()} for r in table] != read_csv(DIRTY_CSV)
    expected = set(seen) | {r["file"] for r in table}
    for name, content in files.items():
        bad += (DATA / "archive" / "go" / "dirty" / f"{name}.sgf").read_bytes() != content
    found = {p.relative_to(DATA / "archive").as_posix() for p in (DATA / "archive" / "go").rglob("*") if p.is_file()}
    for name in sorted(expected ^ found):
        bad += 1
        print(f"{name}: {'missing' if name in expected else 'not in the csv'}")
    for column in ("size", "rules", "handicap", "kind", "result", "counting"):
        print(column, dict(sorted(collections.Counter(r[column] or "-" for r in rows).items())))
    print(f"{len(rows)} clean games, {len(table)} dirty copies, {bad} faults")
    return bad == 0


def main():
    parser = argparse.ArgumentParser(description="Make or check the sample archive of Go games.")
    parser.add_argument("--seed", type=int, default=1, help="what the games depend on (default 1)")
    parser.add_argument("--jobs", type=int, default=2, help="games played side by side (default 2)")
    parser.add_argument("--gnugo", default=shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games"),
                        help="the program to run (default: from PATH or /usr/games)")
    parser.add_argument("--dirty", action="store_true", help="only remake the dirty copies")
    parser.add_argument("--check", action="store_true", help="only check what is on disk")
    options = parser.parse_args()
    if not options.check:
        if not options.dirty:
            if not options.gnugo:
                parser.error("gnugo not found")
            make_games(options.gnugo, options.seed, options.jobs)
        write_dirty()
    sys.exit(0 if check() else 1)


if __name__ == "__main__":
    main()
