"""Perft of Two Flags against known numbers, in both rule sets: one wrong rule changes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support import naive_twoflags as naive
from support.builds import times
from support.pawn_drawings import exchanged, game_of, mirrored, pawns, position_of

from solver.games.twoflags import game
from solver.search.position import perft

DATA = Path(__file__).parents[3] / "perft" / "twoflags.json"
# Leaves: from the start depth 5 when interpreted, a second, and depth 7 when compiled, twelve.
AFFORDABLE = times(200_000_000, 1_000_000)
AFFORDABLE_AGAIN = times(200_000_000, 100_000)
VARIANTS = {"en-passant": "", "no-en-passant": "no-en-passant"}


def cases(most: int) -> list[Any]:
    """Text, variant, depth and number of leaves, up to that many of them."""
    return [
        pytest.param(entry["position"], variant, depth, leaves, id=f"{entry['name']}-{key}-{depth}")
        for entry in json.loads(DATA.read_text("utf-8"))
        for key, variant in VARIANTS.items()
        for depth, leaves in enumerate(entry.get(key, []), 1)
        if leaves <= most
    ]


def check(position: Any, depth: int, leaves: int) -> None:
    assert perft(position, depth) == leaves, divide(position, depth)


def divide(position: Any, depth: int) -> str:
    """The board, and the leaves below each move: what to compare with another generator."""
    lines = [f"depth {depth}", game.write(position, "board")]
    for child in position.children():
        lines.append(f"{game.move_name(position, child)} {perft(child, depth - 1)}")
    return "\n".join(lines)


@pytest.mark.parametrize(("text", "variant", "depth", "leaves"), cases(AFFORDABLE))
def test_perft(text: str, variant: str, depth: int, leaves: int) -> None:
    check(pawns(text, variant), depth, leaves)


@pytest.mark.parametrize(("text", "variant", "depth", "leaves"), cases(AFFORDABLE_AGAIN))
def test_perft_with_colours_exchanged(text: str, variant: str, depth: int, leaves: int) -> None:
    """Black in White's place and to move, on the board turned upside down."""
    check(position_of(exchanged(game_of(text, variant))), depth, leaves)


@pytest.mark.parametrize(("text", "variant", "depth", "leaves"), cases(times(100_000, 30_000)))
def test_perft_in_a_mirror(text: str, variant: str, depth: int, leaves: int) -> None:
    """What is true of file a is true of file h."""
    check(position_of(mirrored(game_of(text, variant))), depth, leaves)


@pytest.mark.parametrize(("text", "variant", "depth", "leaves"), cases(2_500))
def test_the_slow_generator_agrees(text: str, variant: str, depth: int, leaves: int) -> None:
    """So that it may judge other positions, and did not copy a mistake into the data."""
    assert naive.perft(game_of(text, variant), depth) == leaves


def test_the_counts_of_the_two_rule_sets_first_differ_at_depth_five() -> None:
    """No pawn can be taken en passant before: four plies bring a pawn to rank 5 and past it."""
    start = json.loads(DATA.read_text("utf-8"))[0]
    pairs = list(zip(start["en-passant"], start["no-en-passant"], strict=True))
    assert [one == other for one, other in pairs] == [True] * 4 + [False] * 3


def test_a_wrong_count_shows_the_board_and_every_move() -> None:
    """A message to work with."""
    assert divide(pawns("Setup Wd5 Be5 WHITE e6"), 2).split("\n") == [
        "depth 2",
        *["........"] * 3,
        "...wb...",
        *["........"] * 4,
        "white e6",
        "d5e6 0",
        "d5d6 1",
    ]


def test_depth_zero_is_the_position_itself() -> None:
    assert perft(pawns(game.start()), 0) == 1


def test_nothing_follows_a_landing() -> None:
    position = pawns("Setup Wa7 Bh7 WHITE")
    assert [perft(position, depth) for depth in (1, 2, 3)] == [1, 0, 0]
