"""Judges an alpha-beta search of an explicit tree: its value, its best move, and the leaves that it
visited, from which its cuts follow.  An answer has a line for each (`FORMAT`); others are ignored.
A move is the number or the label of a child of the root; leaves are values or labels, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count, pairwise, takewhile, zip_longest
from math import inf, isfinite
from operator import ge, gt

from grader.judge.answer import Unreadable, decode
from solver.errors import shown
from solver.games.tree import Tree

FORMAT = "value 3, move 1, leaves 3 12 8, one line each"
BLANKS = str.maketrans("\ufeff[](){},:='\"", " " * 12)  # what `print` puts around lists


class Rule(StrEnum):
    """Both are taught; the value of a tree is the same."""

    EQUAL = "≥"
    STRICT = ">"


class SearchedTree:
    """A search and what it did.  `entered` has the window at the parent before each visit of a
    node, `cuts` the window at each node that was cut, both by the numbers of nodes."""

    def __init__(self, tree: Tree, rule: Rule) -> None:
        self.tree = tree
        self.rule = rule
        self.leaves: list[Tree] = []
        self.entered: dict[int, tuple[float, float]] = {}
        self.cuts: dict[int, tuple[float, float]] = {}
        self.value = self._search(tree, -inf, inf)

    def _search(self, node: Tree, alpha: float, beta: float) -> float:
        if not node.nodes:
            self.leaves.append(node)
            return node.value
        is_enough = ge if self.rule is Rule.EQUAL else gt
        best = -inf if node.max_moves else inf
        for child in node.nodes:
            self.entered[child.number] = alpha, beta
            value = self._search(child, alpha, beta)
            if node.max_moves:
                best, alpha = max(best, value), max(alpha, value)
            else:
                best, beta = min(best, value), min(beta, value)
            if is_enough(alpha, beta) and child is not node.nodes[-1]:
                self.cuts[node.number] = alpha, beta
                break
        return best


def find_leaves(node: Tree) -> list[Tree]:
    """All of them, from left to right."""
    return [leaf for child in node.nodes for leaf in find_leaves(child)] or [node]


@dataclass(frozen=True)
class SearchAnswer:
    """What a program says about its search."""

    value: float
    move: str
    leaves: tuple[str, ...]


def read_answer(output: bytes | None) -> SearchAnswer:
    """Raises `Unreadable`."""
    lines = [line.translate(BLANKS).lower().split() for line in decode(output).splitlines()]
    found = {words[0]: words[1:] for words in lines if words}
    for key in ("value", "move", "leaves"):
        if key not in found:
            raise Unreadable(f"there is no line '{key}'. Write {FORMAT}")
        if key != "leaves" and len(found[key]) != 1:
            raise Unreadable(f"line '{key}' needs one word after '{key}'. Write {FORMAT}")
    value = _number(found["value"][0])
    if value is None:
        raise Unreadable(f"{shown(found['value'][0])} is not a value")
    return SearchAnswer(value, found["move"][0], tuple(found["leaves"]))


def _number(word: str) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    return value if isfinite(value) else None


def find_faults(tree: Tree, answer: SearchAnswer, rule: Rule) -> dict[str, str]:
    """What is wrong with each part of an answer.  The leaves come first: what is wrong there is
    the reason for the rest."""
    search = SearchedTree(tree, rule)
    wrong_value = f"your value is {answer.value:g}, but the root is worth {search.value:g}"
    found = {
        "leaves": _compare_leaves(search, answer.leaves),
        "value": wrong_value if answer.value != search.value else "",
        "move": _compare_move(tree, answer),
    }
    return {part: words for part, words in found.items() if words}


def _names(word: str, leaf: Tree) -> bool:
    return word == leaf.label.lower() or _number(word) == leaf.value


def _compare_leaves(search: SearchedTree, words: Sequence[str]) -> str:
    every = find_leaves(search.tree)
    visited = _place(words, every, search.leaves)
    if len(visited) < len(words):
        after = f" after {_describe(visited[-1])}" if visited else ""
        return (
            f"your leaf number {len(visited) + 1} is {shown(words[len(visited)])}, which does not"
            f" come{after}: each leaf is visited once, from left to right"
        )
    pairs = zip_longest(visited, search.leaves)
    mine, due = next((pair for pair in pairs if pair[0] is not pair[1]), (None, None))
    if mine is not None and (due is None or mine.number < due.number):
        return _visited_in_vain(search, mine, len(every) if visited == every else 0)
    return "" if due is None else _left_out(search, due)


def _place(words: Sequence[str], every: Sequence[Tree], due: Sequence[Tree]) -> list[Tree]:
    """The leaves that the words name, from left to right, as far as there are any.  Of equal
    leaves, the one that is due is meant, if the words after it leave that possible."""
    rest = iter(every)
    possible = list(takewhile(lambda word: any(_names(word, leaf) for leaf in rest), words))
    last = [len(every)]  # the last place possible for each word
    for word in reversed(possible):
        last.insert(0, next(at for at in range(last[0] - 1, -1, -1) if _names(word, every[at])))
    places = {leaf.number: at for at, leaf in enumerate(every)}
    chosen = [-1]
    for index, word in enumerate(possible):
        place = places[due[index].number] if index < len(due) else -1
        if not chosen[-1] < place < last[index + 1] or not _names(word, every[place]):
            place = next(at for at in count(chosen[-1] + 1) if _names(word, every[at]))
        chosen.append(place)
    return [every[place] for place in chosen[1:]]


def _visited_in_vain(search: SearchedTree, leaf: Tree, every: int) -> str:
    """`every` is the number of leaves if all were visited."""
    *_, node = (each for each in _line(search.tree, leaf) if each.number in search.cuts)
    alpha, beta = search.cuts[node.number]
    why = f"alpha {alpha:g} {search.rule} beta {beta:g} at {_describe(node)}"
    if every:
        return f"you visited all {every} leaves: no cut was made, though {why}"
    return f"you visited {_describe(leaf)} though {why}"


def _left_out(search: SearchedTree, leaf: Tree) -> str:
    """Where a search could have stopped before the leaf: at the last node on the way to it that
    has children before it."""
    line = _line(search.tree, leaf)
    pairs = [(node, child) for node, child in pairwise(line) if child is not node.nodes[0]]
    if not pairs:
        return f"you left out {_describe(leaf)}, the first leaf of all"
    node, child = pairs[-1]
    alpha, beta = search.entered[child.number]
    sign = "<" if search.rule is Rule.EQUAL else "≤"
    where = f"alpha {alpha:g} {sign} beta {beta:g} at {_describe(node)}"
    return f"you left out {_describe(leaf)}, but {where}"


def _compare_move(tree: Tree, answer: SearchAnswer) -> str:
    """Every move is right that is worth as much as the root."""
    worths = [SearchedTree(child, Rule.EQUAL).value for child in tree.nodes]
    value = max(worths) if tree.max_moves else min(worths)
    names = [{str(number), child.label.lower()} for number, child in enumerate(tree.nodes, 1)]
    given = [worth for worth, known in zip(worths, names, strict=True) if answer.move in known]
    if value in given:
        return ""
    best = " or ".join(
        child.name for child, at in zip(tree.nodes, worths, strict=True) if at == value
    )
    if not given:
        return f"your move {shown(answer.move)} is not a child of the root; the best is {best}"
    hint = "; the value of a node that was cut is only a bound: take a move only if it is better"
    is_tie = answer.value == value
    return f"your move {answer.move} is worth {given[0]:g}, the best is {best}{hint * is_tie}"


def _line(tree: Tree, leaf: Tree) -> list[Tree]:
    """From the root to the leaf."""
    line = [tree]
    for number in map(int, leaf.path.split(".")):
        line.append(line[-1].nodes[number - 1])
    return line


def _describe(node: Tree) -> str:
    if node.nodes:
        return node.label or (f"node {node.path}" if node.path else "the root")
    return f"{node.label or f'leaf {node.path}'} (value {node.value})"
