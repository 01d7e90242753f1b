"""Trees as text: `((3 12 8) (2 4 6) (14 5 2))`.

Numbers are leaves and their values for Max; parentheses or brackets hold the children of a node.
Names are optional, `A(x=3 y=12)`; commas count as blanks; `#` begins a comment.  A first word
`min` says that Min is to move at the root.
"""

from __future__ import annotations

import re

from solver.errors import BoardError, Fault
from solver.explicit.tree import Tree
from solver.position import MOST_RANKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

ADVICE = "A tree is written like ((3 12 8) (2 4 6)): numbers are leaves, parentheses hold nodes."
LARGEST = 900_000  # of a leaf's value: the search keeps what is beyond for won games
DEEPEST = 50  # plies
CLOSING = {"(": ")", "[": "]"}
TOKEN = re.compile(
    r"(?P<blank>[\s,]+|\#[^\n]*)|(?P<open>[(\[])|(?P<close>[)\]])"
    r"|(?P<leaf>(?:[^\W\d]\w*\s*=\s*)?[-+]?\d+(?![\w.]))|(?P<name>[^\W\d]\w*)",
)
LOOKS = re.compile(
    r"(?:\s|#[^\n]*\n)*(?:(?:max|min)\b\s*)?(?:[^\W\d]\w*\s*)?[(\[]\s*[-+\w(\[]", re.IGNORECASE
)


def looks_like_tree(content: str) -> bool:
    return LOOKS.match(content) is not None and "[FEN" not in content


def parse(content: str, source: str) -> Tree:
    """The tree that a text describes; raises `BoardError` with its first fault."""
    return _Reading(content, source).tree()


class _Reading:
    """A text and how far it has been read."""

    def __init__(self, content: str, source: str) -> None:
        self.content = content
        self.source = source
        self.at = 0
        self.start = 0  # of the token that was read last
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
        return Tree(number, nodes, max_moves=max_moves, label=label, path=place)

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
        """The next token and its kind; twice nothing at the end."""
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
