"""One-bug rules: right without a bug, and wrong in the one way that each bug says."""

from __future__ import annotations

from random import Random

import pytest

from solver.games.twoflags import game
from solver.games.twoflags.bugs import BUGS, PlainTwoFlags


def place(pawns: str) -> str:
    """`wc3 bd4` as 64 squares."""
    cells = ["."] * 64
    for pawn in pawns.split():
        cells[(8 - int(pawn[2])) * 8 + "abcdefgh".index(pawn[1])] = pawn[0]
    return "".join(cells)


# For each bug a board, the side to move, a move that it adds and one that it takes away.
WRONG = {
    "through": ("we2 be3", "white", "we4 be3", ""),
    "no-double": ("we2 ba7", "white", "", "we4 ba7"),
    "double-anywhere": ("be5 wa2", "black", "be3 wa2", ""),
    "no-en-passant": ("wd5 be5", "white e6", "", "we6"),
    "always-en-passant": ("wd5 be5", "white", "we6", ""),
    "beside": ("wd4 be4", "white", "we5", ""),
    "straight": ("wd5 bd6", "white", "wd6", ""),
    "diagonal": ("wd5 ba7", "white", "wc6 ba7", ""),
    "swapped": ("wd5 ba6", "white", "wd5 ba5", "wd6 ba6"),
    "always-white": ("wd5 ba6", "black", "wd6 ba6", "wd5 ba5"),
}


@pytest.mark.parametrize("key", WRONG)
def test_a_bug_changes_what_it_says(key: str) -> None:
    pawns, side, added, removed = WRONG[key]
    right, wrong = (
        {after[:64] for after in PlainTwoFlags(bug).moves(place(pawns) + side)} for bug in ("", key)
    )
    assert not added or place(added) in wrong - right
    assert not removed or place(removed) in right - wrong


def test_a_pawn_that_has_landed_wins_except_with_one_bug() -> None:
    landed = place("wd8 ba6") + "black"
    assert [bug.key for bug in BUGS if not PlainTwoFlags(bug.key).is_lost(landed)] == [
        *("no-promotion", "swapped", "always-white")
    ]


def test_without_a_bug_the_rules_are_right() -> None:
    rules, chance = PlainTwoFlags(), Random(7)
    for _ in range(20):
        position = game.read(game.start(), "start", True).position
        while game.outcome(position) is None:
            children = position.children()
            written = game.with_side(position).replace("\n", "")
            assert {after[:64] for after in rules.moves(written)} == {
                str(child).replace("\n", "") for child in children
            }
            position = chance.choice(children)
