"""The heuristic `patterns` against a slow twin that reads the same weights."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from support.command import SHOT
from support.drawings import Rows, any_rows, at, drawn, either_side, text_of
from support.naive_heuristics import colour_boards, places, tuned
from support.positions import random_positions, value

import solver
from solver.errors import FileError
from solver.games.checkers import game
from solver.games.checkers.patterns import PARTS, SHIPPED, Patterns
from solver.search.score import DECISIVE

CONTENT = Path(SHIPPED).read_bytes()
NUMBERS = struct.unpack(f"<{len(CONTENT) // 4}i", CONTENT)
TERMS = len(Patterns.TERMS)
BLOCKS = 9 * 3**8
# Which terms of `tuned` are terms of `patterns`, too: men, lead, kings' steps, to take, last move.
SHARED = (0, 2, 6, 7, 8)


def slow_value(rows: list[str], mover: str) -> int:
    """On one colour of squares, for the side to move."""
    pairs = [NUMBERS[at : at + 2] for at in range(0, len(NUMBERS) - BLOCKS, 2)]
    sign = 1 if mover == "red" else -1
    red, black = (tuned(rows, colour, mover[0]) for colour in "rb")
    occur = [red[term] - black[term] for term in SHARED] + [sign]
    full, empty = (
        sum(n * pair[end] for n, pair in zip(occur, pairs, strict=False)) for end in (0, 1)
    )
    light = any((row + column) % 2 == 0 for piece in "rbRB" for row, column in places(rows, piece))
    for piece, side in (("R", 1), ("B", -1)):
        for row, column in places(rows, piece):
            square = row * 4 + (7 - column if light else column) // 2
            place = square + square // 8
            pair = pairs[TERMS + (place if piece == "R" else 34 - place)]
            full, empty = full + side * pair[0], empty + side * pair[1]
    for block in range(9):
        entry = 0
        for digit in range(8):
            row = block // 3 * 2 + digit // 2
            across = 2 * (block % 3 + digit % 2)
            start = 6 - across if light else across
            here = rows[row][start : start + 2]
            entry += 3**digit * (1 if "r" in here else 2 if "b" in here else 0)
        small = NUMBERS[len(NUMBERS) - BLOCKS + block * 3**8 + entry]
        first = (small + (1 << 15)) >> 16
        full, empty = full + first, empty + small - (first << 16)
    pieces = sum(c != "." for line in rows for c in line)
    share = min(max(pieces - 4, 0), 20)
    return sign * (int(full) * share + int(empty) * (20 - share))


@given(any_rows(), either_side)
def test_the_value_of_the_slow_twin(rows: Rows, mover: str) -> None:
    expected = sum(slow_value(board, mover) // (20 * PARTS) for board in colour_boards(list(rows)))
    found = value("patterns", at(text_of(rows), mover))
    assert found == expected
    assert abs(found) < DECISIVE


@given(any_rows(), either_side)
def test_the_terms_add_up_to_the_value(rows: Rows, mover: str) -> None:
    position = at(text_of(rows), mover)
    terms = game.explain("patterns", position)
    total = sum(term.total for term in terms)
    assert total == (1 if mover == "red" else -1) * value("patterns", position)
    roundings = [abs(term.total) for term in terms if term.title == "rounding"]
    assert len(roundings) == len(position.boards())


@given(any_rows(), either_side)
def test_turned_round_with_colours_exchanged_it_is_the_same(rows: Rows, mover: str) -> None:
    exchanged = [row[::-1].translate(str.maketrans("rbRB", "brBR")) for row in reversed(rows)]
    other = at("\n".join(exchanged), "black" if mover == "red" else "red")
    assert value("patterns", other) == value("patterns", at(text_of(rows), mover))


def test_blocks_are_drawn_as_squares_of_the_board() -> None:
    position = drawn("/b...b/...b/......r/...R/....r")
    drawings = [term.title for term in game.explain("patterns", position)][TERMS + 1 : -1]
    assert len(drawings) == 9
    assert drawings[0] == "a8-d5 .... b... ...b ...."
    assert drawings[5] == "e6-h3 .... ..r. .... r..."
    on_light = drawn("b/.b///r")
    drawings = [term.title for term in game.explain("patterns", on_light)][TERMS + 1 : -1]
    assert drawings[2] == "a8-d5 b... .b.. .... ...."
    assert drawings[5] == "a6-d3 .... .... r... ...."


def test_weights_of_its_own_are_read_when_they_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "mine.weights"
    mine = Patterns({}, str(path))
    with pytest.raises(FileError, match=r"mine\.weights: No such file"):
        mine.value(drawn("/..b//....R//..r"))
    for damaged in (b"", b"xyz", CONTENT[:-4]):
        path.write_bytes(damaged)
        with pytest.raises(FileError, match="not weights of patterns"):
            mine.value(drawn("/..b//....R//..r"))
    path.write_bytes(CONTENT)
    for position in random_positions(50, range(2, 24), seed=3):
        assert sum(mine.value(b) for b in position.boards()) == value("patterns", position)


def test_a_proven_puzzle_needs_no_weights() -> None:
    mine = Patterns({}, "nowhere.weights")
    assert solver.solve(solver.read(SHOT), heuristic=mine).proven
    with pytest.raises(FileError, match=r"nowhere\.weights"):
        solver.solve(solver.start("checkers"), heuristic=mine, depth=2)


def test_the_weights_are_small_and_a_block_turned_round_is_worth_minus_as_much() -> None:
    assert len(CONTENT) < 300_000
    blocks = NUMBERS[-BLOCKS:]
    for entry in range(0, 3**8, 7):
        turned = 0
        for digit in range(8):
            turned = 3 * turned + (0, 2, 1)[entry // 3**digit % 3]
        for block in range(9):
            assert blocks[block * 3**8 + entry] == -blocks[(8 - block) * 3**8 + turned]
