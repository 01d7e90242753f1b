"""A position that is a node of a tree: its children are listed, its leaves have values."""

from __future__ import annotations

from solver.position import Position
from solver.standing import QUIET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MAX = "Max"
MIN = "Min"


class Tree(Position):
    """A node; `value` is what a leaf is worth to Max, whoever is to move there.

    `label` may be empty.  `number` tells the nodes of one tree apart, and `path` tells where one
    is: 2.1 is the first child of the second.
    """

    __slots__ = ("label", "max_moves", "nodes", "number", "path", "value")

    def __init__(
        self,
        number: int,
        nodes: Sequence[Tree] = (),
        value: int = 0,
        *,
        max_moves: bool = True,
        label: str = "",
        path: str = "",
    ) -> None:
        self.number = number
        self.nodes = tuple(nodes)
        self.value = value
        self.max_moves = max_moves
        self.label = label
        self.path = path

    def children(self) -> list[Tree]:
        return list(self.nodes)

    def moves(self) -> list[Tree]:
        return self.children()

    def standing(self) -> int:
        """Nobody is lost in a tree: its leaves have values instead."""
        return QUIET

    def key(self) -> int:
        return self.number

    def board_key(self) -> int:
        return self.number

    def change(self, child: Tree) -> int:
        return self.nodes.index(child)

    def mover(self) -> str:
        return MAX if self.max_moves else MIN

    @property
    def name(self) -> str:
        return self.label or self.path

    @property
    def height(self) -> int:
        """How many plies the longest way to a leaf takes."""
        return 1 + max(node.height for node in self.nodes) if self.nodes else 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and self.number == other.number

    def __hash__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return f"Tree({self})"

    def __str__(self) -> str:
        """The text that is read back as the same tree."""
        if not self.nodes:
            return f"{self.label}={self.value}" if self.label else str(self.value)
        return f"{self.label}({' '.join(map(str, self.nodes))})"


def leaf_value(tree: Any) -> int:
    """The heuristic of trees: what a leaf is worth to whoever would move there."""
    return int(tree.value if tree.max_moves else -tree.value)
