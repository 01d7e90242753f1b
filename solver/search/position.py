"""The interface of a game to the search.  Classes, not protocols: compiled code calls their methods
directly, with machine integers."""

from __future__ import annotations

from solver.search.compiled import mypyc_attr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, Self, TypeVar

    from mypy_extensions import i64

    P = TypeVar("P", bound="Position")

# The status of a position.
LOST: Final = 0  # no legal move
QUIET: Final = 1  # a free choice of moves
FORCED: Final = 2  # a capture is compulsory

# A move key is a number for the squares that change, such as their bits, and above it the number of
# pieces taken.
TAKEN: Final = 56  # bits before the number of pieces taken
PLACES: Final = (1 << TAKEN) - 1  # the bits below it

MOST_RANKED: Final = 256  # children that `Ranked` can tell apart


# Acyclic: the garbage collector can ignore positions.
@mypyc_attr(acyclic=True, allow_interpreted_subclasses=True)
class Position:
    """An immutable position, from the point of view of the mover.  A game ends when the mover has
    lost; only the leaves of a tree (`solver.games.tree`) have other values.  Draws by repetition
    belong to a game in progress."""

    __slots__ = ()

    def children(self) -> list[Self]:
        """The positions after every legal move, each once, in a fixed order."""
        raise NotImplementedError

    def moves(self) -> list[Self]:
        """Like `children`, but with one entry for each way to reach a position."""
        return self.children()

    def choices(self, unique: bool = True) -> Choices:
        """`children` or `moves`, generated one by one where the game supports it."""
        return Listed(self, self.children() if unique else self.moves())

    def status(self) -> i64:
        """`LOST`, `QUIET` or `FORCED`; cheaper than `children`."""
        raise NotImplementedError

    def key(self) -> i64:
        """A hash below 2**62 of board and side to move."""
        raise NotImplementedError

    def board_key(self) -> i64:
        """Like `key`, but without the side to move."""
        raise NotImplementedError

    def move_key(self, child: Self) -> i64:
        """Identifies a move, also in similar positions."""
        raise NotImplementedError

    def mover(self) -> str:
        raise NotImplementedError


@mypyc_attr(acyclic=True)
class Choices:
    """The children of one position, each generated on demand."""

    __slots__ = ("count", "index")

    def __init__(self, count: i64) -> None:
        self.count: i64 = count
        self.index: i64 = -1  # of the last child

    def next(self) -> Position | None:
        raise NotImplementedError

    def move_keys(self) -> list[int]:
        """The move key of every child; call it before `next`."""
        raise NotImplementedError

    def child(self, index: i64, move_key: i64) -> Position:
        raise NotImplementedError


@mypyc_attr(acyclic=True, free_list_len=1)
class Listed(Choices):
    """Children that exist already."""

    __slots__ = ("children", "position")

    def __init__(self, position: P, children: list[P]) -> None:
        self.count = len(children)
        self.index = -1
        self.position = position
        self.children: list[Any] = children

    def next(self) -> Position | None:
        index = self.index + 1
        if index >= self.count:
            return None
        self.index = index
        child: Position = self.children[index]
        return child

    def move_keys(self) -> list[int]:
        position = self.position
        found: list[int] = []
        for child in self.children:
            found.append(position.move_key(child))
        return found

    def child(self, index: i64, move_key: i64) -> Position:
        child: Position = self.children[index]
        return child


@mypyc_attr(acyclic=True, free_list_len=1)
class Ranked(Choices):
    """Children sorted by ranks whose lowest bits are the indexes."""

    __slots__ = ("choices", "keys", "place", "ranks")

    def __init__(self, choices: Choices, move_keys: list[int], ranks: list[int]) -> None:
        self.count = choices.count
        self.index = -1
        self.choices = choices
        self.keys = move_keys
        self.ranks = ranks
        self.place: i64 = 0

    def next(self) -> Position | None:
        place = self.place
        if place >= self.count:
            return None
        self.place = place + 1
        rank: i64 = self.ranks[place]
        index = rank & MOST_RANKED - 1
        self.index = index
        return self.choices.child(index, self.keys[index])


def count(bits: i64) -> i64:
    """Population count of the low 60 bits."""
    bits -= bits >> 1 & 0x555555555555555
    bits = (bits & 0x333333333333333) + (bits >> 2 & 0x333333333333333)
    bits = bits + (bits >> 4) & 0xF0F0F0F0F0F0F0F
    bits += bits >> 8
    bits += bits >> 16
    return bits + (bits >> 32) & 0x7F


# Compiled callers use the function above; interpreted ones get the built-in method.
globals()["count"] = int.bit_count


def perft(position: Position, depth: i64, unique: bool = False) -> i64:
    """The number of leaves at that depth.  `unique` counts moves to the same position once."""
    if depth == 0:
        return 1
    choices = position.choices(unique)
    if depth == 1:
        return choices.count
    total: i64 = 0
    child = choices.next()
    while child is not None:
        total += perft(child, depth - 1, unique)
        child = choices.next()
    return total
