"""What a game is to the search: positions that know their children.

Classes and not protocols, because compiled code calls the methods of a class it knows like
functions of C, with machine integers, and those of a protocol through the interpreter.
"""

from __future__ import annotations

from solver.search.compiled import mypyc_attr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, Self

    from mypy_extensions import i64

# The status of a position, as far as it shows without generating children.
LOST: Final = 0  # no legal move
QUIET: Final = 1  # a free choice of moves
FORCED: Final = 2  # a capture is compulsory, so a static value would be taken in mid-exchange

# A move key is one number: the squares that change, and above them how many pieces were taken.
TAKEN: Final = 56  # the count of pieces taken begins after so many bits
PLACES: Final = (1 << TAKEN) - 1  # the bits below it

MOST_RANKED: Final = 256  # children that `Ranked` can tell apart


# Acyclic: positions never form circles, so the garbage collector need not look at them.
@mypyc_attr(acyclic=True, allow_interpreted_subclasses=True)
class Position:
    """An immutable position, seen by the side to move: the mover.

    A game is over when the mover has lost; only a tree (`solver.games.tree`) has other ends, where
    the heuristic says what they are worth.  Draws by repetition belong to a game in progress,
    not to a position.
    """

    __slots__ = ()

    def children(self) -> list[Self]:
        """The positions after every legal move, each once, always in the same order."""
        raise NotImplementedError

    def moves(self) -> list[Self]:
        """Like `children`, but a position is listed once for every way of moving there."""
        raise NotImplementedError

    def choices(self, unique: bool = True) -> Choices:
        """Like `children`, or else like `moves`, but as a rule none of them is made before it
        is asked for."""
        return Listed(self, self.children() if unique else self.moves())

    def status(self) -> i64:
        """`LOST`, `QUIET` or `FORCED`; cheaper than `children`."""
        raise NotImplementedError

    def key(self) -> i64:
        """A number below 2**62 that tells positions apart, the side to move included."""
        raise NotImplementedError

    def board_key(self) -> i64:
        """Like `key`, but the same for either side to move."""
        raise NotImplementedError

    def move_key(self, child: Any) -> i64:
        """Which move led to this child and how much it took; the same move in a similar position
        has the same number."""
        raise NotImplementedError

    def mover(self) -> str:
        """The name of the side to move, for people."""
        raise NotImplementedError


@mypyc_attr(acyclic=True)
class Choices:
    """The children of one position, in the order of the rules, each made when it is asked for:
    often a search has seen enough after the first."""

    __slots__ = ("count", "index")

    def __init__(self, count: i64) -> None:
        self.count: i64 = count  # how many there are
        self.index: i64 = -1  # of the child that was asked for last

    def next(self) -> Position | None:
        """The next child; None after the last."""
        raise NotImplementedError

    def move_keys(self) -> list[int]:
        """The move key of every child, if none has been asked for yet."""
        raise NotImplementedError

    def child(self, index: i64, move_key: i64) -> Position:
        """The child of that index, by its move key."""
        raise NotImplementedError


@mypyc_attr(acyclic=True, free_list_len=1)
class Listed(Choices):
    """Children that have been made already."""

    __slots__ = ("children", "position")

    def __init__(self, position: Position, children: list[Any]) -> None:
        self.count = len(children)
        self.index = -1
        self.position = position
        self.children = children

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
    """Children in another order, given by numbers whose lowest bits are the indexes."""

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
    """How many of the 60 low bits are set, by adding neighbours in ever wider fields."""
    bits -= bits >> 1 & 0x555555555555555
    bits = (bits & 0x333333333333333) + (bits >> 2 & 0x333333333333333)
    bits = bits + (bits >> 4) & 0xF0F0F0F0F0F0F0F
    bits += bits >> 8
    bits += bits >> 16
    return bits + (bits >> 32) & 0x7F


# Compiled callers are bound to the function above, five machine instructions a step.
# Interpreted callers look the name up and find the method that does the same in C.
globals()["count"] = int.bit_count


def perft(position: Position, depth: i64, unique: bool = False, bulk: bool = True) -> i64:
    """The leaves at that depth: one wrong rule changes their number.

    `unique` counts moves to the same position as one; in `bulk`, leaves are counted and not made.
    """
    if depth == 0:
        return 1
    choices = position.choices(unique)
    if depth == 1 and bulk:
        return choices.count
    total: i64 = 0
    child = choices.next()
    while child is not None:
        total += perft(child, depth - 1, unique, bulk)
        child = choices.next()
    return total
