"""Explicit game trees, read from text: `((3 12 8) (2 4 6) (14 5 2))`.  Numbers are leaf values for
Max; parentheses or brackets hold children.  Names are optional, `A(x=3 y=12)`; commas are blanks;
`#` begins a comment; a first word `min` makes Min move first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from solver.errors import BoardError, Fault
from solver.search.position import MOST_RANKED, QUIET, Position

MAX = "Max"
MIN = "Min"


@dataclass(eq=False, repr=False)
class Tree(Position):
    """A node; `value` is what a leaf is worth to Max.  `number` identifies a node in its tree;
    `path` is its place: 2.1 is the first child of the second."""

    number: int
    nodes: tuple[Tree, ...] = ()
    value: int = 0
    max_moves: bool = True
    label: str = ""
    path: str = ""

    def children(self) -> list[Tree]:
        return list(self.nodes)

    def status(self) -> int:
        """No node is lost: leaves have values instead."""
        return QUIET

    def key(self) -> int:
        return self.number

    board_key = key

    def move_key(self, child: Tree) -> int:
        return self.nodes.index(child)

    def mover(self) -> str:
        return MAX if self.max_moves else MIN

    @property
    def name(self) -> str:
        return self.label or self.path

    @property
    def height(self) -> int:
        """The plies to the deepest leaf."""
        return 1 + max(node.height for node in self.nodes) if self.nodes else 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and self.number == other.number

    def __hash__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return f"Tree({self})"

    def __str__(self) -> str:
        """Reads back as the same tree."""
        if not self.nodes:
            return f"{self.label}={self.value}" if self.label else str(self.value)
        return f"{self.label}({' '.join(map(str, self.nodes))})"


def leaf_value(tree: Position) -> int:
    """The heuristic of trees, for the side to move."""
    assert isinstance(tree, Tree)
    return tree.value if tree.max_moves else -tree.value


ADVICE = "A tree is written like ((3 12 8) (2 4 6)): numbers are leaves, parentheses hold nodes."
LARGEST = 900_000  # leaf value; larger ones are reserved for won games
DEEPEST = 50  # plies
CLOSING = {"(": ")", "[": "]"}
TOKEN = re.compile(
    r"(?P<blank>[\s,]+|\#[^\n]*)|(?P<open>[(\[])|(?P<close>[)\]])"
    r"|(?P<leaf>(?:[^\W\d]\w*\s*=\s*)?[-+]?\d+(?![\w.]))|(?P<name>[^\W\d]\w*)"
)
LOOKS = re.compile(
    r"(?:\s|#[^\n]*\n)*(?:(?:max|min)\b\s*)?(?:[^\W\d]\w*\s*)?[(\[]\s*[-+\w(\[]", re.IGNORECASE
)


def looks_like_tree(content: str) -> bool:
    return LOOKS.match(content) is not None and "[FEN" not in content


def parse(content: str, source: str) -> Tree:
    """Raises `BoardError` with the first fault."""
    return _Reading(content, source).tree()


class _Reading:
    def __init__(self, content: str, source: str) -> None:
        self.content = content
        self.source = source
        self.at = 0
        self.start = 0  # of the last token
        self.numbered = 0

    def tree(self) -> Tree:
        kind, word = self._next()
        max_moves = True
        if kind == "name" and word.lower() in ("max", "min"):
            max_moves = word.lower() == "max"
            kind, word = self._next()
        if kind == "leaf":
            self._fail("a tree begins with a parenthesis")
        root = self._node(kind, word, max_moves, ())
        kind, word = self._next()
        if kind:
            self._fail(f"{word!r} after the end of the tree")
        return root

    def _node(self, kind: str, word: str, max_moves: bool, path: tuple[int, ...]) -> Tree:
        """The node that begins with this token."""
        number = self.numbered = self.numbered + 1
        place = ".".join(map(str, path))
        if kind == "leaf":
            label, _, value = word.rpartition("=")
            if len(value) > 8 or abs(int(value)) > LARGEST:
                self._fail(f"a value is at most {LARGEST}")
            label = label.strip()
            return Tree(number, (), int(value), max_moves=max_moves, label=label, path=place)
        label = ""
        if kind == "name":
            label = word
            kind, word = self._next()
        if kind != "open":
            self._fail("a node is a number or begins with a parenthesis")
        if len(path) >= DEEPEST:
            self._fail(f"more than {DEEPEST} plies")
        nodes = self._children(CLOSING[word], not max_moves, path)
        return Tree(number, tuple(nodes), max_moves=max_moves, label=label, path=place)

    def _children(self, closing: str, max_moves: bool, path: tuple[int, ...]) -> list[Tree]:
        opened = self.start
        nodes: list[Tree] = []
        while True:
            kind, word = self._next()
            if not kind:
                self.start = opened
                self._fail("this is never closed")
            if kind != "close":
                nodes.append(self._node(kind, word, max_moves, (*path, len(nodes) + 1)))
            elif word != closing:
                self._fail(f"{word!r} where {closing!r} is due")
            elif not nodes:
                self._fail("a node without children; a leaf is a number")
            elif len(nodes) > MOST_RANKED:
                self._fail(f"{len(nodes)} children, a node has at most {MOST_RANKED}")
            else:
                return nodes

    def _next(self) -> tuple[str, str]:
        """The kind and text of the next token; both empty at the end."""
        while self.at < len(self.content):
            found = TOKEN.match(self.content, self.at)
            self.start = self.at
            if found is None:
                self._fail(f"{self.content[self.at]!a} has no meaning here")
            self.at = found.end()
            if found.lastgroup != "blank":
                return str(found.lastgroup), found[0]
        self.start = self.at
        return "", ""

    def _fail(self, rule: str) -> NoReturn:
        before = self.content[: self.start]
        line = before.count("\n") + 1
        column = self.start - before.rfind("\n")
        raise BoardError(self.source, [Fault(line, column, rule)], ADVICE)
