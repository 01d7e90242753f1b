"""Perft of every game against the numbers in tests/perft: one wrong rule changes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support import naive_checkers, naive_twoflags
from support.pawn_drawings import game_of

from solver.games import GAMES, game_named
from solver.search.position import perft

DATA = Path(__file__).parents[2] / "perft"
# What the numbers of an entry count: the variant, and whether moves to the same board are one.
CONVENTIONS = {
    "counts": ("", False),
    "unique": ("", True),
    "en-passant": ("", True),
    "no-en-passant": ("no-en-passant", True),
}
MOST = 200_000_000  # leaves: seconds when compiled
SLOW = 20_000  # leaves: a fraction of a second when interpreted


class Case(NamedTuple):
    game: Any
    text: str  # a board with the side to move below it
    variant: str
    unique: bool
    depth: int
    leaves: int

    def check(self, text: str) -> None:
        position = self.game.read(text, "test", True, self.variant).position
        found = perft(position, self.depth, self.unique)
        assert found == self.leaves, divide(self.game, position, self.depth, self.unique)


def cases(most: int, slow: int) -> list[Any]:
    """The cases of at most `most` leaves; slow are those with more than `slow`."""
    return [
        pytest.param(
            Case(game, game.with_side(position), variant, unique, depth, leaves),
            id=f"{name}-{entry['name']}-{key}-{depth}",
            marks=[pytest.mark.slow] if leaves > slow else [],
        )
        for name in GAMES
        for game in [game_named(name)]
        for entry in json.loads((DATA / f"{name}.json").read_text("utf-8"))
        for key, (variant, unique) in CONVENTIONS.items()
        if key in entry
        for position in [game.read(entry["position"], "test", True, variant).position]
        for depth, leaves in enumerate(entry[key], 1)
        if leaves <= most
    ]


def divide(game: Any, position: Any, depth: int, unique: bool) -> str:
    """The board, and the leaves below each move: what to compare with another generator."""
    lines = [f"depth {depth}", game.with_side(position)]
    for child in position.children() if unique else position.moves():
        name = game.move_name(position, child, squares=True)
        lines.append(f"{name} {perft(child, depth - 1, unique)}")
    return "\n".join(lines)


def mirrored(text: str) -> str:
    """Left and right change places, the square of en passant too."""
    *rows, last = text.split("\n")
    side, *square = last.split()
    passed = ["hgfedcba"["abcdefgh".index(name[0])] + name[1] for name in square]
    return "\n".join([*(row[::-1] for row in rows), " ".join([side, *passed])])


def exchanged(game: Any, text: str) -> str:
    """The board turned round, each side in the place of the other."""
    *rows, last = mirrored(text).split("\n")
    side, *square = last.split()
    passed = [name[0] + str(9 - int(name[1])) for name in square]
    turned = [row.translate(game.swapped()) for row in reversed(rows)]
    return "\n".join([*turned, " ".join([game.other(side), *passed])])


@pytest.mark.parametrize("case", cases(MOST, SLOW))
def test_perft(case: Case) -> None:
    case.check(case.text)


@pytest.mark.parametrize("case", cases(40_000, SLOW // 5))
def test_perft_in_a_mirror_and_with_sides_exchanged(case: Case) -> None:
    """In checkers, dark squares become light ones; the game stays the same."""
    case.check(mirrored(case.text))
    case.check(exchanged(case.game, case.text))


@pytest.mark.parametrize("case", cases(4_000, SLOW // 50))
def test_the_slow_generator_agrees(case: Case) -> None:
    """So that it may judge other positions, and did not copy a mistake into the data."""
    if case.game.NAME == "twoflags":
        found = naive_twoflags.perft(game_of(case.text, case.variant), case.depth)
    elif case.game.NAME == "checkers":
        *rows, side = case.text.split("\n")
        found = naive_checkers.perft(tuple(rows), side, case.depth, case.unique)
    else:
        pytest.skip(f"{case.game.NAME} has no slow generator")
    assert found == case.leaves


@pytest.mark.parametrize(
    ("game", "over_next"), [("checkers", "B:W:B4"), ("twoflags", "Setup Wa7 Bh7 WHITE")]
)
def test_nothing_follows_the_end_of_a_game(game: str, over_next: str) -> None:
    position = game_named(game).read(over_next, "test", True).position
    assert [perft(position, depth) for depth in (0, 1, 2, 3)] == [1, 1, 0, 0]
