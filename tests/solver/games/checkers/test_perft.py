"""Perft of checkers against known numbers: one wrong rule changes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support import naive_checkers as naive
from support.builds import times
from support.positions import board

from solver.games.checkers import game
from solver.search.position import perft

DATA = Path(__file__).parents[3] / "perft" / "checkers.json"
# Leaves: from the start depth 8 when interpreted and depth 10 when compiled, about a second.
AFFORDABLE = times(20_000_000, 1_000_000)
CONVENTIONS = {"counts": False, "unique": True}

Rows = tuple[str, ...]


def cases(most: int) -> list[Any]:
    """Text, depth, convention and number of leaves, up to that many of them."""
    return [
        pytest.param(entry["position"], depth, unique, leaves, id=f"{entry['name']}-{key}-{depth}")
        for entry in json.loads(DATA.read_text("utf-8"))
        for key, unique in CONVENTIONS.items()
        for depth, leaves in enumerate(entry[key], 1)
        if leaves <= most
    ]


def check(position: Any, depth: int, unique: bool, leaves: int) -> None:
    found = perft(position, depth, unique)
    assert found == leaves, divide(position, depth, unique)


def divide(position: Any, depth: int, unique: bool) -> str:
    """The board, and the leaves below each move: what to compare with another generator."""
    lines = [f"{position.mover()} to move, depth {depth}", str(position)]
    for child in position.children() if unique else position.moves():
        name = game.move_name(position, child)
        lines.append(f"{name:20} {perft(child, depth - 1, unique)}")
    return "\n".join(lines)


def rows_of(text: str) -> Rows:
    return tuple(str(board(text)).split("\n"))


@pytest.mark.parametrize(("text", "depth", "unique", "leaves"), cases(AFFORDABLE))
def test_perft(text: str, depth: int, unique: bool, leaves: int) -> None:
    check(board(text), depth, unique, leaves)


@pytest.mark.parametrize(("text", "depth", "unique", "leaves"), cases(40_000))
def test_perft_in_a_mirror(text: str, depth: int, unique: bool, leaves: int) -> None:
    """Dark squares become light ones; the game stays the same."""
    rows = [row[::-1] for row in rows_of(text)]
    check(board("\n".join(rows)), depth, unique, leaves)


@pytest.mark.parametrize(("text", "depth", "unique", "leaves"), cases(40_000))
def test_perft_with_sides_exchanged(text: str, depth: int, unique: bool, leaves: int) -> None:
    """The board turned round, black in red's place and to move."""
    swap = str.maketrans("rbRB", "brBR")
    rows = [row[::-1].translate(swap) for row in reversed(rows_of(text))]
    position = board("\n".join(rows))
    halves = [half.passed() for half in position.boards()]
    check(halves[0] if len(halves) == 1 else type(position)(*halves), depth, unique, leaves)


@pytest.mark.parametrize(("text", "depth", "unique", "leaves"), cases(4_000))
def test_the_slow_generator_agrees(text: str, depth: int, unique: bool, leaves: int) -> None:
    """So that it may judge other positions, and did not copy a mistake into the data."""
    assert naive.perft(rows_of(text), "red", depth, unique) == leaves


def test_a_wrong_count_shows_the_board_and_every_move() -> None:
    """A message to work with: the same king jump twice, because it has two orders."""
    position = board("""
        ........
        ........
        ........
        ..b.b...
        ........
        ..b.b...
        ...R....
        ........
    """)
    assert divide(position, 1, unique=False).split("\n") == [
        "red to move, depth 1",
        *str(position).split("\n"),
        "7x14x23x16x7         1",
        "7x14x23x16x7         1",
    ]
    assert divide(position, 1, unique=True).count("7x14x23x16x7") == 1


def test_depth_zero_is_the_position_itself() -> None:
    assert perft(board(game.start()), 0) == 1


def test_nothing_follows_a_lost_game() -> None:
    """Black, without pieces, has lost: red's one step is the last move."""
    position = board("B:W:B4")
    assert [perft(position, depth) for depth in (1, 2, 3)] == [1, 0, 0]
