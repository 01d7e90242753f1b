"""What is being searched, as far as a trace has to speak of it."""

from __future__ import annotations

from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

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
