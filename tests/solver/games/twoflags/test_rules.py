"""The rules of Two Flags: one board for every mistake that is easily made, then any board at all
against a slow generator and in mirrors; and the names of moves."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from support import naive_twoflags as naive
from support.builds import times
from support.naive_twoflags import Game
from support.pawn_drawings import (
    VARIANT,
    any_game,
    exchanged,
    game_of,
    mirrored,
    passable,
    pawns,
    position_of,
    shown,
)

from solver.games.twoflags import game, text
from solver.games.twoflags.text import child_named, move_name
from solver.search.position import LOST, QUIET, TAKEN

NO = "no-en-passant"


def named(position: Any) -> dict[str, Any]:
    """Every child by the name of its move."""
    return {move_name(position, child): child for child in position.children()}


def after(setup: str, moves: str, variant: str = "") -> Any:
    """The position after these moves, which must be legal."""
    position = pawns(f"Setup {setup}", variant)
    for name in moves.split():
        position = named(position)[name]
    return position


# (what is shown, setup, rule set, every legal move with the pawns that stand there after it)
MOVES = [
    ("one step or two", "Wb2 Wf3 Bh7", "", "b2b3 Wb3 Wf3 Bh7, b2b4 Wb4 Wf3 Bh7, f3f4 Wb2 Wf4 Bh7"),
    ("down", "Wa2 Bb7 Bf6 BLACK", "", "b7b6 Wa2 Bb6 Bf6, b7b5 Wa2 Bb5 Bf6, f6f5 Wa2 Bb7 Bf5"),
    (
        "a double step goes neither over a pawn nor onto one",
        "Wa2 Wc2 We2 Wg2 Wc3 Wg4 Ba3 Be4",
        "",
        "e2e3 Wa2 Wc2 We3 Wg2 Wc3 Wg4 Ba3 Be4, c3c4 Wa2 Wc2 We2 Wg2 Wc4 Wg4 Ba3 Be4,"
        "g2g3 Wa2 Wc2 We2 Wg3 Wc3 Wg4 Ba3 Be4, g4g5 Wa2 Wc2 We2 Wg2 Wc3 Wg5 Ba3 Be4",
    ),
    (
        "nor does Black's",
        "Wa6 We5 Ba7 Bc7 Be7 Bc6 BLACK",
        "",
        "e7e6 Wa6 We5 Ba7 Bc7 Be6 Bc6, c6c5 Wa6 We5 Ba7 Bc7 Be7 Bc5",
    ),
    ("the far start rank gives no double step", "Wa7 Bh2", "", "a7a8 Wa8 Bh2"),
    ("nothing is taken straight ahead", "Wd4 Bd5", "", ""),
    ("nor by Black", "Wd4 Bd5 BLACK", "", ""),
    (
        "captures go diagonally forward only",
        "Wd4 Bc5 Bd5 Be5 Bc3 Be3",
        "",
        "d4c5 Wc5 Bd5 Be5 Bc3 Be3, d4e5 We5 Bc5 Bd5 Bc3 Be3",
    ),
    ("own pawns are not taken", "Wd4 Wc5 We5 Bd5 Bc6 Be6", "", ""),
    ("nothing is taken round the edge", "Wa4 Wh3 Ba5 Bh4", "", ""),
    ("nor by Black", "Wa4 Wh3 Ba5 Bh4 BLACK", "", ""),
    ("a landing needs no free way elsewhere", "Wa4 Wg7 Ba5", "", "g7g8 Wa4 Wg8 Ba5"),
    ("en passant", "Wd5 Be5 WHITE e6", "", "d5e6 We6, d5d6 Wd6 Be5"),
    ("by Black", "Wd4 Wg2 Be4 BLACK d3", "", "e4d3 Wg2 Bd3, e4e3 Wd4 Wg2 Be3"),
    (
        "from both sides",
        "Wd5 Wf5 Be5 Bh2 WHITE e6",
        "",
        "d5e6 We6 Wf5 Bh2, f5e6 Wd5 We6 Bh2, d5d6 Wd6 Wf5 Be5 Bh2, f5f6 Wd5 Wf6 Be5 Bh2",
    ),
    (
        "at the left edge",
        "Wa4 Wh2 Bb4 Bg4 BLACK a3",
        "",
        "b4a3 Wh2 Ba3 Bg4, b4b3 Wa4 Wh2 Bb3 Bg4, g4g3 Wa4 Wh2 Bb4 Bg3",
    ),
    ("at the right edge", "Wg5 Bb2 Bh5 WHITE h6", "", "g5h6 Wh6 Bb2, g5g6 Wg6 Bb2 Bh5"),
    (
        "a capture and en passant at once",
        "Wd5 Bc6 Be5 WHITE e6",
        "",
        "d5e6 We6 Bc6, d5c6 Wc6 Be5, d5d6 Wd6 Bc6 Be5",
    ),
    ("en passant may be the only move", "Wa5 Wb4 Ba6 Bb5 WHITE b6", "", "a5b6 Wb4 Wb6 Ba6"),
    ("without it there is none", "Wa5 Wb4 Ba6 Bb5", "", ""),
    ("the other rule set has no en passant", "Wd5 Be5", NO, "d5d6 Wd6 Be5"),
]


@pytest.mark.parametrize(
    ("setup", "variant", "moves"), [row[1:] for row in MOVES], ids=[row[0] for row in MOVES]
)
def test_exactly_these_moves_are_legal(setup: str, variant: str, moves: str) -> None:
    position = pawns(f"Setup {setup}", variant)
    wanted = {name: set(stand) for name, *stand in (row.split() for row in moves.split(",") if row)}
    assert {name: set(text.pawns(child)) for name, child in named(position).items()} == wanted
    twins = naive.moves(game_of(f"Setup {setup}", variant))
    drawn = {name: tuple(str(child).split("\n")) for name, child in named(position).items()}
    assert {name: twin.rows for name, twin in twins.items()} == drawn
    assert position.status() == (QUIET if wanted else LOST)


PAST = "Wd5 Wa2 Be7 Bh7 BLACK"


@pytest.mark.parametrize(
    ("setup", "moves", "variant", "last_line", "names"),
    [
        (PAST, "e7e5", "", "white e6", "a2a3 a2a4 d5d6 d5e6"),
        (PAST, "e7e5 a2a3 h7h6", "", "white", "a3a4 d5d6"),  # for one turn only
        (PAST, "e7e6 a2a3 e6e5", "", "white", "a3a4 d5d6"),  # after a double step only
        (PAST, "e7e5", NO, "white", "a2a3 a2a4 d5d6"),
        ("Wa5 Wb4 Ba6 Bb7 BLACK", "b7b5", "", "white b6", "a5b6"),
        ("Wa5 Wb4 Ba6 Bb7 BLACK", "b7b5", NO, "white", ""),
        # Only a square where a pawn can take is remembered: no other makes a difference.
        ("We2 Bd4", "e2e4", "", "black e3", "d4d3 d4e3"),
        ("We2 Bf4", "e2e4", "", "black e3", "f4e3 f4f3"),
        ("We2 Bd4 Bf4", "e2e4", "", "black e3", "d4d3 d4e3 f4e3 f4f3"),
        ("We2 Bc4", "e2e4", "", "black", "c4c3"),
        ("We2 Bd3", "e2e4", "", "black", "d3d2"),
        ("We2 Bd5", "e2e4", "", "black", "d5d4 d5e4"),
        ("We2 Be5", "e2e4", "", "black", ""),
        ("We2 Bh4 Ba4", "e2e4", "", "black", "a4a3 h4h3"),
        ("We2 Wd4 Bh6", "e2e4", "", "black", "h6h5"),  # an own pawn beside it takes nothing
        ("Wa2 Bh3", "a2a4", "", "black", "h3h2"),  # neighbours in memory only
        ("Wh2 Ba5", "h2h4", "", "black", "a5a4"),
    ],
)
def test_en_passant_is_possible_or_not(
    setup: str, moves: str, variant: str, last_line: str, names: str
) -> None:
    position = after(setup, moves, variant)
    assert shown(position).split("\n")[-1] == last_line
    assert sorted(named(position)) == names.split()
    assert position == pawns(shown(position), variant)


@pytest.mark.parametrize(
    ("setup", "moves", "stand", "result"),
    [
        # Black could land too, and could take: it is too late.
        ("Wa7 Wc3 Bb2 Bd4", "a7a8", "Wa8", "white has won: a white pawn has reached the last rank"),
        ("Wg7 Wa2 Bh2 BLACK", "h2h1", "Bh1", "black has won: a black pawn has reached the last"),
        ("Wd4 Be5", "d4e5", "We5", "white has won: black has no pawn left"),
        ("Wd5 Be5 WHITE e6", "d5e6", "We6", "white has won: black has no pawn left"),
        ("Wa4 Wc2 Ba6 Bc3 BLACK", "a6a5", "Wa4", "black has won: white is to move and has no leg"),
        *((f"W{file}7 Ba6 Bh6", f"{file}7{file}8", f"W{file}8", "white") for file in "bdh"),
        *((f"Wa3 Wh3 B{file}2 BLACK", f"{file}2{file}1", f"B{file}1", "black") for file in "ace"),
    ],
)
def test_the_end_of_the_game(setup: str, moves: str, stand: str, result: str) -> None:
    position = after(setup, moves)
    assert (position.children(), position.status()) == ([], LOST)
    assert stand in text.pawns(position)
    assert str(game.outcome(position)).startswith(result)


def test_children_come_landings_first_then_captures_then_double_steps() -> None:
    """The order decides between equally good moves, so it is part of the behaviour."""
    assert list(named(pawns("Setup Wa7 Wb2 Wd4 We2 Bc5 Be5 Bh7 WHITE"))) == [
        *("a7a8", "d4c5", "d4e5"),
        *("b2b4", "e2e4", "b2b3", "e2e3", "d4d5"),
    ]


def test_a_whole_game_agrees_with_the_slow_twin_at_every_step() -> None:
    """Each side takes once en passant, and Black lands in the end."""
    names = (
        "e2e4 d7d5 e4e5 f7f5 e5f6 g7f6 h2h4 d5d4 c2c4 d4c3 b2c3 f6f5 h4h5 f5f4 "
        "c3c4 f4f3 c4c5 f3g2 c5c6 g2g1"
    )
    twin, position = game_of(game.start()), pawns(game.start())
    for name in names.split():
        twin, position = naive.moves(twin)[name], named(position)[name]
        assert shown(position) == naive.text_of(twin)
    assert str(game.outcome(position)).startswith("black has won: a black pawn has reached")


# --- any board at all ----------------------------------------------------------------------


@settings(max_examples=times(800, 120))
@given(any_game())
def test_any_board_has_the_moves_of_the_slow_generator(start: Game) -> None:
    position = position_of(start)
    children = position.children()
    twins = {name: naive.text_of(child) for name, child in naive.moves(start).items()}
    assert {name: shown(child) for name, child in named(position).items()} == twins
    assert len(children) == len(twins)
    assert position.moves() == children
    assert position.status() == (QUIET if twins else LOST)
    keys = [position.move_key(child) for child in children]
    assert len(set(keys)) == len(children)
    enemy = naive.OTHER[start.mover][0]
    for child, key in zip(children, keys, strict=True):
        assert key >> TAKEN == Counter(str(position))[enemy] - Counter(str(child))[enemy]
        # A child holds nothing that its text does not show: no bit stays behind.
        assert game.read(shown(child), "test", True, VARIANT[start.en_passant]).position == child
        name = move_name(position, child)
        assert child_named(position, name) == child_named(position, name.upper()) == child
        if child.passed:
            assert child.passed & position.passed == 0
            rows = tuple(str(child).split("\n"))
            assert shown(child).split()[-1] in passable(Game(rows, child.mover()))


@given(any_game())
def test_a_mirror_and_exchanged_sides_change_nothing(start: Game) -> None:
    for change in (mirrored, exchanged):
        there = position_of(change(start))
        seen = [naive.text_of(change(child)) for child in naive.moves(start).values()]
        assert Counter(map(shown, there.children())) == Counter(seen)
        assert there.status() == position_of(start).status()


# --- names ---------------------------------------------------------------------------------


def test_there_is_one_notation_and_a_promotion_means_nothing() -> None:
    position = pawns("Setup Wa7 Wc2 Bh7 WHITE")
    for name, child in named(position).items():
        assert game.move_name(position, child, squares=True) == name
    landed = child_named(position, "a7a8")
    assert landed is not None
    for suffix in "qrbnQN":
        assert child_named(position, "a7a8" + suffix) == landed


@pytest.mark.parametrize(
    "name",
    [
        *("", "e", "e2", "e2e", "e2e5", "e2d3", "e7e5", "e3e4", "e2-e4", "0000", "exit"),
        *("e2e4x", "e2e4k", "e2e4qq", " e2e4", "a7a8"),
    ],
)
def test_what_is_no_legal_move_has_no_child(name: str) -> None:
    assert child_named(pawns(game.start()), name) is None
    assert child_named(pawns("Setup Wa8 Wb2 Bh7 WHITE"), "b2b3") is None  # the game is over
