"""One-bug rules: right without a bug, and wrong in the one way that each bug says."""

from __future__ import annotations

import pytest
from support import naive_checkers
from support.positions import random_positions

from solver.games.checkers import game
from solver.games.checkers.bugs import BUGS, PlainCheckers

KEYS = [bug.key for bug in BUGS]


def place(pieces: str) -> str:
    """`Rc3 bd4` as 64 squares."""
    cells = ["."] * 64
    for piece in pieces.split():
        cells[(8 - int(piece[2])) * 8 + "abcdefgh".index(piece[1])] = piece[0]
    return "".join(cells)


def moves(pieces: str, side: str, bug: str) -> set[str]:
    return {after[:64] for after in PlainCheckers(bug).moves(place(pieces) + side)}


# For each bug a board, the side to move, a move that it adds and one that it takes away.
WRONG = {
    "kings-forward": ("Rc3 bh8", "red", "", "Rb2 bh8"),
    "kings-jump-forward": ("Rc5 bd4", "red", "Rb6 bd4", "Re3"),
    "kings-step-forward": ("Rc3 bh8", "red", "", "Rb2 bh8"),
    "men-jump-back": ("rc5 bd4", "red", "re3", "rb6 bd4"),
    "one-jump": ("rc1 bd2 bf4", "red", "re3 bf4", "rg5"),
    "stop-early": ("rc1 bd2 bf4", "red", "re3 bf4", ""),
    "crowned-jumps-on": ("ra6 bb7 bd7", "red", "Re6", "Rc8 bd7"),
    "black-uncrowned": ("bc2 ra7", "black", "bb1 ra7", "Bb1 ra7"),
    "red-uncrowned": ("rc7 ba3", "red", "rb8 ba3", "Rb8 ba3"),
    "uncrowned": ("rc7 ba3", "red", "rb8 ba3", "Rb8 ba3"),
    "jump-uncrowned": ("ra6 bb7", "red", "rc8", "Rc8"),
    "optional": ("rc1 bd2 ra3", "red", "rc1 bd2 rb4", ""),
    "own-piece": ("rc1 bd2 ra3", "red", "rc1 bd2 rb4", ""),
    "longest": ("rc1 bd2 bf4 bb2", "red", "", "ra3 bd2 bf4"),
    "black-up": ("bc3 ra7", "black", "bb4 ra7", "bb2 ra7"),
    "no-row-0": ("rc7 ba3", "red", "", "Rb8 ba3"),
    "no-column-0": ("rb4 bh8", "red", "", "ra5 bh8"),
    "no-line-0": ("rb4 bh8", "red", "", "ra5 bh8"),
    "no-row-7": ("bc2 ra7", "black", "", "Bb1 ra7"),
    "no-column-7": ("rg3 ba7", "red", "", "rh4 ba7"),
    "no-line-7": ("rg3 ba7", "red", "", "rh4 ba7"),
    "wraps": ("ra3 bd8", "red", "rh4 bd8", ""),
}


@pytest.mark.parametrize("key", KEYS)
def test_a_bug_changes_what_it_says(key: str) -> None:
    pieces, side, added, removed = WRONG[key]
    right, wrong = moves(pieces, side, ""), moves(pieces, side, key)
    assert not added or place(added) in wrong - right
    assert not removed or place(removed) in right - wrong


def test_without_a_bug_the_rules_are_right() -> None:
    rules = PlainCheckers()
    for position in random_positions(300, range(2, 16), seed=7):
        *rows, side = game.with_side(position).split("\n")
        expected = {"".join(after) for after in naive_checkers.moves(tuple(rows), side)}
        assert {after[:64] for after in rules.moves("".join(rows) + side)} == expected
