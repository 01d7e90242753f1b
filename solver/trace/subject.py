"""What is being searched, as far as a trace has to speak of it."""

from __future__ import annotations

from itertools import pairwise

from solver.errors import UserError, did_you_mean

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    from solver.trace.trace import Trace
    from solver.trace.visit import Visit


if TYPE_CHECKING:

    class Game(Protocol):
        """What a trace asks of a game."""

        NAME: str

        def move_name(self, parent: Any, child: Any, squares: bool = False) -> str: ...

    class Subject(Protocol):
        """A game or a tree: how its moves and places are called."""

        NAME: str

        def move(self, parent: Any, child: Any) -> str: ...
        def place(self, line: Sequence[Any]) -> str: ...
        def rows(self, position: Any) -> tuple[str, ...] | None: ...


class OfGame:
    """Positions of a game."""

    def __init__(self, game: Game, squares: bool = False) -> None:
        self.game = game
        self.squares = squares
        self.NAME = game.NAME

    def move(self, parent: Any, child: Any) -> str:
        return self.game.move_name(parent, child, self.squares)

    def place(self, line: Sequence[Any]) -> str:
        """Where the last position of a line from the root is: `9-14 after 11-15 24-20`."""
        moves = [self.move(*pair) for pair in pairwise(line)]
        return f"{moves[-1]} after {' '.join(moves[:-1])}" if moves[:-1] else moves[-1]

    def rows(self, position: Any) -> tuple[str, ...] | None:
        return tuple(str(position).split("\n"))


class OfTree:
    """Nodes of a tree that was written down: a name tells the place, too."""

    NAME = "tree"

    def move(self, parent: Any, child: Any) -> str:
        return str(child.name)

    def place(self, line: Sequence[Any]) -> str:
        return str(line[-1].name)

    def rows(self, position: Any) -> tuple[str, ...] | None:
        return None


# Which visits of a trace are to be told.


ONLY = ("pv", "cuts")


def chosen(trace: Trace, subject: Subject, path: str, only: str | None) -> list[Visit]:
    """The visits at a path and below it; of them all, or only one kind."""
    found = _below(trace, subject, path) if path else trace.visits
    if only == "pv":
        return [visit for visit in found if visit.number in trace.line]
    if only == "cuts":
        return [visit for visit in found if trace.is_cut(visit)]
    return found


def _below(trace: Trace, subject: Subject, path: str) -> list[Visit]:
    """A path is numbers or names of moves with dots between: `2.1`, `11-15.24-20`."""
    position = trace.root
    kept = {visit.number for visit in trace.below[-1]}
    for word in path.split("."):
        children = position.children()
        names = [subject.move(position, child) for child in children]
        numbers = [str(number) for number in range(1, len(children) + 1)]
        if word not in names and word not in numbers:
            raise UserError(
                f"--node {path}: there is no move {word!r}.{did_you_mean(word, names)} "
                f"Here are {', '.join(names) or 'none'}."
            )
        position = children[names.index(word) if word in names else numbers.index(word)]
        kept = {
            visit.number
            for number in kept
            for visit in trace.below.get(number, [])
            if visit.position == position
        }
    if not kept:
        raise UserError(f"--node {path}: the search has not looked at it. Try the node above.")
    for visit in trace.visits:  # parents come before their children
        if visit.parent in kept:
            kept.add(visit.number)
    return [visit for visit in trace.visits if visit.number in kept]
