"""Records of xiangqi programs that are not text, for make_xiangqi_samples.py: XQF of
XQStudio, CBR and CBL of CCBridge. Written from descriptions of the formats, for
samples only: a main line, one other move, one remark."""

from dataclasses import dataclass

from xiangqi_games import Board, Game, Move, after, legal, owner, read_fen

# The order of 32 pieces in XQF.
ORDER = "RNBAKABNRCCPPPPPrnbakabnrccppppp"
RESULT = {"": 0, "R": 1, "B": 2, "D": 3}
COPYRIGHT = b"[(C) Copyright Mr. Dong Shiwei.]"


@dataclass
class Node:
    """A move of the tree; the root has none."""

    move: Move | None
    has_next: bool
    has_sibling: bool = False
    remark: str = ""


def tree(game: Game, remark: str) -> list[Node]:
    """The main line depth first, then what could be played in place of its last move,
    where there is such; a remark on the first move."""
    moves = game.moves
    nodes = [Node(None, bool(moves))]
    nodes += [Node(move, number < len(moves)) for number, move in enumerate(moves, 1)]
    nodes[1].remark = remark
    board, side = read_fen(game.start)
    for move in moves[:-1]:
        board, side = after(board, move), "B" if side == "R" else "R"
    others = [move for move in legal(board, side) if move != moves[-1]]
    if others:
        nodes[-1].has_sibling = True
        nodes.append(Node(others[0], False))
    return nodes


def number(square: int) -> int:
    """A square as XQF has it: file and rank from Red's left corner."""
    return square % 9 * 10 + 9 - square // 9


def listed(board: Board) -> list[int]:
    left = {letter: [at for at in range(90) if board[at] == letter] for letter in set(ORDER)}
    squares = [number(left[letter].pop(0)) if left[letter] else 255 for letter in ORDER]
    assert not any(left.values())
    return squares


def short(text: str, room: int) -> bytes:
    data = text.encode("gb18030")
    assert len(data) < room, text
    return bytes([len(data)]) + data.ljust(room - 1, b"\0")


def xqf(game: Game, version: int, keys: tuple[int, int, int], texts: tuple[str, str, str], remark="") -> bytes:
    """A record; from version 11 on it is enciphered by three keys."""
    board, side = read_fen(game.start)
    head = bytearray(1024)
    head[:3] = b"XQ" + bytes([version])
    piece_key = from_key = to_key = remark_key = 0
    stream = bytes(32)
    if version > 10:
        xy, start, to = keys
        # The four keys add up to a multiple of 256.
        total = -(xy + start + to) % 256
        mix = lambda key: (((key * key * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8
        piece_key = mix(xy) * xy % 256
        from_key = mix(start) * piece_key % 256
        to_key = mix(to) * from_key % 256
        remark_key = (total * 256 + xy) % 32000 + 767
        mask, bits = 0x3A, (0x41, 0x12, 0x84, 0x28)
        head[3], head[8:12], head[12:16] = mask, bytes(bits), bytes([total, xy, start, to])
        cut = [key & mask | bit for key, bit in zip(head[12:16], bits)]
        stream = bytes(sign & cut[place % 4] for place, sign in enumerate(COPYRIGHT))
    for slot, square in enumerate(listed(board)):
        place = (slot - 1 - piece_key) % 32 if version >= 12 else slot
        head[16 + place] = (square + piece_key) % 256
    head[50], head[51] = side == "B", RESULT[game.winner]
    for at, room, text in zip((80, 304, 320), (64, 16, 16), texts):
        head[at : at + room] = short(text, room)
    body = bytearray()
    for node in tree(game, remark):
        start, to = node.move or (81, 81)
        said = node.remark.encode("gb18030")
        flags = 0xF0 * node.has_next + 0x0F * node.has_sibling
        if version > 10:
            flags = 0x80 * node.has_next + 0x40 * node.has_sibling + 0x20 * bool(said)
        body += bytes([(number(start) + 0x18 + from_key) % 256, (number(to) + 0x20 + to_key) % 256, flags, 0])
        if version <= 10 or said:
            body += (len(said) + remark_key).to_bytes(4, "little") + said
    return bytes(head) + bytes((byte + stream[at % 32]) % 256 for at, byte in enumerate(body))


def cbr(game: Game, texts: tuple[str, str, str], remark: str = "") -> bytes:
    """A record of CCBridge."""
    board, side = read_fen(game.start)
    head = bytearray(b"CCBridge Record\0".ljust(2214, b"\0"))
    for at, text in zip((180, 1076, 1300), texts):
        data = text.encode("utf-16-le")
        assert len(data) < 64, text
        head[at : at + len(data)] = data
    head[2076], head[2112] = RESULT[game.winner], 1 if side == "R" else 2
    for square, letter in enumerate(board):
        if letter != ".":
            head[2120 + square] = (0x10 if owner(letter) == "R" else 0x20) + 1 + "rnbakcp".index(letter.lower())
    body = bytearray()
    for node in tree(game, remark):
        said = node.remark.encode("utf-16-le")
        flags = (not node.has_next) + 2 * node.has_sibling + 4 * bool(said)
        body += bytes([flags, 0, *(node.move or (0, 0))])
        if said:
            body += len(said).to_bytes(4, "little") + said
    return bytes(head + body)


def cbl(records: list[bytes]) -> bytes:
    """A library of records, each with a place of its own; its index is left empty."""
    room = 4096
    head = bytearray(b"CCBridgeLibrary\0".ljust(66624 + 276 * len(records), b"\0"))
    head[60:64] = len(records).to_bytes(4, "little")
    return bytes(head) + b"".join(record.ljust(-(-len(record) // room) * room, b"\0") for record in records)
