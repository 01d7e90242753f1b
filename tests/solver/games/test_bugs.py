"""One-bug rules: right without a bug, and wrong in the one way that each bug says."""

from __future__ import annotations

from random import Random

import pytest
from support import naive_checkers
from support.positions import random_positions

from solver.games import game_named

# For each bug a board, the side to move, a move that it adds and one that it takes away.
WRONG = {
    "checkers": {
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
    },
    "twoflags": {
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
    },
}


def place(pieces: str) -> str:
    """`Rc3 bd4` as 64 squares."""
    cells = ["."] * 64
    for piece in pieces.split():
        cells[(8 - int(piece[2])) * 8 + "abcdefgh".index(piece[1])] = piece[0]
    return "".join(cells)


def moves(name: str, position: str, bug: str = "") -> set[str]:
    return {after[:64] for after in game_named(name).plain_rules(bug).moves(position)}


@pytest.mark.parametrize(("name", "key"), [(name, key) for name in WRONG for key in WRONG[name]])
def test_a_bug_changes_what_it_says(name: str, key: str) -> None:
    pieces, side, added, removed = WRONG[name][key]
    right, wrong = (moves(name, place(pieces) + side, bug) for bug in ("", key))
    assert not added or place(added) in wrong - right
    assert not removed or place(removed) in right - wrong


def test_every_bug_of_the_moves_is_shown() -> None:
    for name, shown in WRONG.items():
        assert {bug.key for bug in game_named(name).bugs()} - {*shown} <= {"no-promotion"}


def test_a_pawn_that_has_landed_wins_except_with_one_bug() -> None:
    game, landed = game_named("twoflags"), place("wd8 ba6") + "black"
    assert [bug.key for bug in game.bugs() if not game.plain_rules(bug.key).is_lost(landed)] == [
        *("no-promotion", "swapped", "always-white")
    ]


def test_without_a_bug_the_rules_of_checkers_are_right() -> None:
    game = game_named("checkers")
    for position in random_positions(300, range(2, 16), seed=7):
        *rows, side = game.with_side(position).split("\n")
        expected = {"".join(after) for after in naive_checkers.moves(tuple(rows), side)}
        assert moves("checkers", "".join(rows) + side) == expected


def test_without_a_bug_the_rules_of_two_flags_are_right() -> None:
    game, chance = game_named("twoflags"), Random(7)
    for _ in range(20):
        position = game.read(game.start(), "start", True).position
        while game.outcome(position) is None:
            children = position.children()
            expected = {str(child).replace("\n", "") for child in children}
            assert moves("twoflags", game.with_side(position).replace("\n", "")) == expected
            position = chance.choice(children)
