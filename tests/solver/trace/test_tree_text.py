"""Trees as text, right and wrong."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.minimax import Minimax

from solver.errors import BoardError
from solver.games.tree import DEEPEST, leaf_value, looks_like_tree, parse
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.techniques import plain

shapes = st.recursive(
    st.integers(-999, 999), lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=25
).filter(lambda shape: isinstance(shape, list))


def minimax(shape: Any, maximise: bool = True) -> int:
    """The value of nested lists, the shortest way to say it."""
    if isinstance(shape, int):
        return shape
    return (max if maximise else min)(minimax(part, not maximise) for part in shape)


@given(shapes)
def test_every_tree_has_the_value_of_minimax_and_reads_back(shape: Any) -> None:
    tree = parse(str(shape), "test")
    assert looks_like_tree(str(shape))
    assert str(parse(str(tree), "test")) == str(tree)
    result = Search(leaf_value, plain()).run(tree, Limits(depth=tree.height))
    assert result.score == minimax(shape) == Minimax(leaf_value).value(tree, tree.height)


@pytest.mark.parametrize(
    "text",
    [
        "((3 12 8) (2 4 6))",
        "[[3, 12, 8], [2, 4, 6]]",
        "# homework 3\nmax (\n  (3 12 8)\n  (2 4 6)\n)\n",
        "(B(3, 12, 8), C(2 4 6))",
        "root(B(x=3 y=12 z=8) C(2 4 6)) # done",
    ],
)
def test_many_ways_to_write_the_same(text: str) -> None:
    tree = parse(text, "test")
    assert looks_like_tree(text)
    assert [[leaf.value for leaf in node.nodes] for node in tree.nodes] == [[3, 12, 8], [2, 4, 6]]


def test_names_are_kept() -> None:
    tree = parse("(B(x=3 12) C(2 4))", "test")
    assert str(tree) == "(B(x=3 12) C(2 4))"
    assert [node.label for node in tree.nodes] == ["B", "C"]


@pytest.mark.parametrize(
    ("text", "line", "column", "rule"),
    [
        ("", 1, 1, "a node is a number or begins with a parenthesis"),
        ("7", 1, 1, "a tree begins with a parenthesis"),
        ("((3 12)\n (2 4", 2, 2, "this is never closed"),
        ("((3 12))\n)", 2, 1, "')' after the end of the tree"),
        ("((3 12) [2 4))", 1, 13, "')' where ']' is due"),
        ("((3 12) ())", 1, 10, "a node without children; a leaf is a number"),
        ("((3 12) (2 x))", 1, 13, "a node is a number or begins with a parenthesis"),
        ("((3 12) (2 4.5))", 1, 12, "'4' has no meaning here"),
        ("((3 12) (2 *))", 1, 12, "'*' has no meaning here"),
        ("((3 999999999))", 1, 5, "a value is at most 900000"),
        ("(1 (2 -900001))", 1, 7, "a value is at most 900000"),
        ("(" * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1), 1, DEEPEST + 1, "more than 50 plies"),
        (f"({'1 ' * 257})", 1, 516, "257 children, a node has at most 256"),
    ],
)
def test_what_is_wrong_and_where(text: str, line: int, column: int, rule: str) -> None:
    with pytest.raises(BoardError, match=f"line {line}, column {column}: {re.escape(rule)}"):
        parse(text, "homework.txt")


@pytest.mark.parametrize(
    "text",
    [
        ".b.b....\n" * 8,
        "B:W18,24,K30:B1,K5",
        '[FEN "B:W18,24,K30:B1,K5"]',
        "Setup Wa2 Bb7",
        "",
    ],
)
def test_boards_do_not_look_like_trees(text: str) -> None:
    assert not looks_like_tree(text)
