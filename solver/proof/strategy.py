"""A winning strategy as a file that anyone can check by the rules.

It holds one code for every position that the loser can bring about, in the order in which a walk
through the replies first meets them; positions that are equal by symmetry count as one.  A code is
the index of the winner's move, or says that a small search proves a win within some plies.  A book
of the moves, sorted by position, saves players the walk; a check of the file includes it.
"""

from __future__ import annotations

import json
import lzma
import sys
from array import array
from bisect import bisect_left
from contextlib import suppress

from solver.errors import FileError, UserError
from solver.proof.checkpoint import sealed, unsealed
from solver.proof.wins import WinProof
from solver.search.limits import Limits, Stop
from solver.search.position import LOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from solver.search.heuristic import Exact
    from solver.search.position import Position

FORMAT = "checkmark strategy 1"
SEARCHED = 128  # codes from here on: a search proves a win in 1, 3, 5, ... plies
NODES = 2000  # of such a search, at most
SMALL = 1  # megabytes
MOST_BYTES = 1 << 26


class StrategyFault(UserError):
    """Where a strategy does not win."""


def search_wins(position: Position, exact: Exact, plies: int, nodes: int) -> bool:
    """Whether a small search finds a win within these plies."""
    try:
        proof = WinProof(Limits(), exact, SMALL)
        proof.most_expanded = nodes
        return proof.forces(position, plies)
    except Stop:
        return False


class Writer:
    """Finds the winner's moves with a proof that has solved the root."""

    def __init__(self, proof: WinProof, listener: Callable[[int], None]) -> None:
        self.proof = proof
        self.exact = proof.exact
        self.listener = listener
        self.plies: dict[Position, int] = {}  # within which each position must be won
        self.codes: dict[Position, int] = {}

    def write(self, root: Position, plies: int) -> tuple[bytes, bytes]:
        """The codes and the book of a root that is won, or lost, in that many plies."""
        if plies & 1:
            self._win(self.exact.simplest(root), plies)
        else:
            self._answer_all(root, plies)
        codes = bytearray()
        walk = Walk(self.exact, lambda position: self._code(position, codes))
        walk.run(root, plies)
        return bytes(codes), make_book(walk, bytes(codes)).content

    def _code(self, position: Position, codes: bytearray) -> int:
        codes.append(self.codes[position])
        return codes[-1]

    def _answer_all(self, position: Position, plies: int) -> None:
        for reply in position.children():
            self._win(self.exact.simplest(reply), plies - 1)

    def _win(self, position: Position, plies: int) -> None:
        if self.plies.get(position, plies + 1) <= plies:
            return
        self.listener(len(self.plies))
        self.plies[position] = plies
        if search_wins(position, self.exact, plies, NODES):
            self.codes[position] = SEARCHED + plies // 2
            return
        children = position.children()
        index = next(i for i, child in enumerate(children) if self.proof.yields(child, plies - 1))
        self.codes[position] = index
        self._answer_all(children[index], plies - 1)


class Walk:
    """Follows a strategy against all replies; `code` tells that of each position once."""

    def __init__(
        self, exact: Exact, code: Callable[[Position], int], nodes: int | None = None
    ) -> None:
        self.exact = exact
        self.code = code
        self.nodes = nodes  # of each search; None to believe the codes
        self.plies: dict[Position, int] = {}
        self.met: list[Position] = []  # in the order of their codes

    def run(self, root: Position, plies: int) -> int:
        """The plies within which the strategy wins; odd if the winner is to move."""
        return self.win(self.exact.simplest(root)) if plies & 1 else self.lose(root)

    def win(self, position: Position) -> int:
        if position not in self.plies:
            self.met.append(position)
            self.plies[position] = self._win(position, self.code(position))
        return self.plies[position]

    def lose(self, position: Position) -> int:
        if position.status() == LOST:
            return 0
        return 1 + max(self.win(self.exact.simplest(reply)) for reply in position.children())

    def _win(self, position: Position, code: int) -> int:
        if code >= SEARCHED:
            plies = 2 * (code - SEARCHED) + 1
            if self.nodes is not None and not search_wins(position, self.exact, plies, self.nodes):
                raise StrategyFault(
                    f"No win within {plies} plies and {self.nodes} nodes:\n{position}"
                )
            return plies
        children = position.children()
        if code >= len(children):
            raise StrategyFault(f"There is no move {code}:\n{position}")
        return 1 + self.lose(children[code])


class Book:
    """The winner's moves by position, where no small search finds them: 64 bits of each key, then
    the index of each move, then the plies within which it wins."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        size = len(content) // 10
        self.keys = _little_endian(array("q", content[: 8 * size]))
        self.moves = content[8 * size : 9 * size]
        self.plies = content[9 * size :]

    def find(self, position: Position) -> tuple[int, int] | None:
        """The index of the move and the plies, for a position in its simplest form."""
        key = position.key()
        place = bisect_left(self.keys, key)
        if place == len(self.keys) or self.keys[place] != key:
            return None
        return self.moves[place], self.plies[place]


def make_book(walk: Walk, codes: bytes) -> Book:
    """From a walk that has used these codes in their order."""
    moves = [
        (position.key(), code, walk.plies[position])
        for position, code in zip(walk.met, codes, strict=True)
        if code < SEARCHED
    ]
    moves.sort()
    keys = _little_endian(array("q", [key for key, _, _ in moves]))
    rest = bytes([code for _, code, _ in moves]) + bytes([plies for _, _, plies in moves])
    return Book(keys.tobytes() + rest)


def _little_endian(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


class Strategy:
    """What a file holds: a claim about a start, the codes that prove it, and the same as a book."""

    def __init__(self, head: dict[str, Any], codes: bytes, book: bytes = b"") -> None:
        self.head = head
        self.codes = codes
        self.book = book

    def pack(self) -> bytes:
        packed = lzma.compress(self.codes, preset=9)
        head = json.dumps({"format": FORMAT, **self.head}).encode()
        return sealed(head + b"\n" + packed + self.book)

    def open_book(self, root: Position, exact: Exact) -> Book:
        """The book of the file; a file without one is walked through."""
        if self.book:
            return Book(self.book)
        codes = iter(self.codes)
        walk = Walk(exact, lambda position: next(codes))
        walk.run(root, self.head["plies"])
        return make_book(walk, self.codes)

    def check(self, root: Position, exact: Exact, listener: Callable[[int], None]) -> int:
        """The number of positions, if every reply is answered and every line ends in time; else a
        `StrategyFault` is raised."""
        codes = iter(self.codes)

        def next_code(position: Position) -> int:
            listener(len(walk.plies))
            code = next(codes, None)
            if code is None:
                raise StrategyFault(f"There is no answer to this position:\n{position}")
            return code

        plies = self.head["plies"]
        walk = Walk(exact, next_code, self.head["nodes"])
        found = walk.run(root, plies)
        if found > plies:
            raise StrategyFault(f"It takes {found} plies instead of {plies}.")
        if next(codes, None) is not None:
            raise StrategyFault("There are answers to positions that never occur.")
        if self.book not in (b"", make_book(walk, self.codes).content):
            raise StrategyFault("The book has other moves than the proof.")
        return len(walk.plies)


def open_strategy(path: str) -> Strategy:
    try:
        with open(path, "rb") as file:
            return unpack_strategy(file.read(), path)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None


def unpack_strategy(content: bytes, source: str) -> Strategy:
    line, _, packed = unsealed(content).partition(b"\n")
    head: dict[str, Any] = {}
    codes, unpacker = b"", lzma.LZMADecompressor()
    with suppress(ValueError, TypeError, RecursionError, lzma.LZMAError):
        head = dict(json.loads(line))
        codes = unpacker.decompress(packed, MOST_BYTES)
    fields = [("game", str), ("start", str), ("variant", str), ("plies", int), ("nodes", int)]
    right = all(isinstance(head.get(name), kind) for name, kind in fields)
    if not (codes and right and head.get("format") == FORMAT and 0 <= head["nodes"] <= NODES):
        raise FileError(f"{source}: not a strategy, or damaged. 'solver proof write' makes one.")
    return Strategy(head, codes, unpacker.unused_data)
