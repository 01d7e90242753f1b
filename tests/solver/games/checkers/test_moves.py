"""Names of moves: PDN numbers and squares, and what can be played back from them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.drawings import drawn
from support.positions import board

from solver.games.checkers import game
from solver.games.checkers.mixed import TwoBoards
from solver.games.checkers.rules import LIGHT

Place = tuple[int, int]


def names(position: Any, squares: bool = False) -> list[str]:
    """The moves of a position in its own order."""
    return [game.move_name(position, child, squares) for child in position.children()]


START_SQUARES = "a3-b4 c3-d4 e3-f4 g3-h4 c3-b4 e3-d4 g3-f4"
CASES = [  # a board, its moves in PDN numbers and in squares, in their order
    # Steps to the right first, then to the left, each from the left edge on.
    (
        ".b.b.b.b/b.b.b.b./.b.b.b.b///r.r.r.r./.r.r.r.r/r.r.r.r.",
        "12-16 11-15 10-14 9-13 11-16 10-15 9-14",
        START_SQUARES,
    ),
    (
        ".b.b.b.b/b.b.b.b./.b.b.b.b///r.r.r.r./.r.r.r.r/r.r.r.r. black",
        "24-20 23-19 22-18 21-17 24-19 23-18 22-17",
        "b6-a5 d6-c5 f6-e5 h6-g5 b6-c5 d6-e5 f6-g5",
    ),
    # A jump names every square it touches; light squares are numbered as their mirror image.
    ("///....b//..b...b/.r.....r", "8x15x22 5x14x23", "b2xd4xf6 h2xf4xd6"),
    ("///...b//.b...b/r.....r", "8x15x22 5x14x23", "g2xe4xc6 a2xc4xe6"),
    # A king that circles ends where it began; both ways round lead to the same board.
    ("///..b.b//..b.b/...R/......R", "7x14x23x16x7", "d2xf4xd6xb4xd2"),
    ("/..b.b/.r", "24x31", "b6xd8"),
    ("/..b/...r//.....R black", "27x18x9", "c7xe5xg3"),
    # On both colours always by squares: PDN has no numbers for the light ones.
    ("//////r/r", "a1-b2 a2-b3", "a1-b2 a2-b3"),
    ("/..b.b//..b.b/...R/.....b/....r", "d4xf6xd8xb6xd4 e2xg4", "d4xf6xd8xb6xd4 e2xg4"),
]


@pytest.mark.parametrize(("short", "numbers", "squares"), CASES)
def test_names(short: str, numbers: str, squares: str) -> None:
    position = drawn(short)
    assert names(position) == numbers.split()
    assert names(position, squares=True) == squares.split()


@st.composite
def any_position(draw: st.DrawFn) -> Any:
    """Dark, light or both, red or black to move; every second row sparse, for long chains."""
    crowded, sparse = draw(
        st.sampled_from([("..bB", "......R"), ("..rR", "......B"), ("..rb", "..RB")])
    )
    colours = draw(st.sampled_from([{0}, {1}, {0, 1}]))
    cells = draw(st.binary(min_size=64, max_size=64))
    rows = [""] * 8
    for square, number in enumerate(cells):
        row, column = divmod(square, 8)
        pieces = (crowded, sparse)[row % 2] if (row + column) % 2 in colours else "."
        rows[row] += pieces[number % len(pieces)]
    rows[0] = rows[0].replace("r", "R")
    rows[7] = rows[7].replace("b", "B")
    position = board("\n".join(rows))
    return draw(st.sampled_from([position, position.passed()]))


@given(any_position())
def test_no_two_children_have_the_same_name(position: Any) -> None:
    for squares in (False, True):
        found = names(position, squares)
        assert len(set(found)) == len(found)


@given(any_position())
def test_a_name_played_back_leads_to_the_child(position: Any) -> None:
    for child in position.children():
        path = [place_of_square(word) for word in words(game.move_name(position, child, True))]
        assert played(position, path) == str(child)
        places, taken = game.move_places(position, child)
        assert places == path
        jumped = [((a + c) // 2, (b + d) // 2) for (a, b), (c, d) in pairwise(path)]
        assert sorted(taken) == (sorted(jumped) if "x" in game.move_name(position, child) else [])


@given(any_position())
def test_numbers_and_squares_name_the_same_places(position: Any) -> None:
    if isinstance(position, TwoBoards):
        assert names(position, squares=False) == names(position, squares=True)
        return
    mirror = position.side & LIGHT != 0
    for by_number, by_square in zip(names(position), names(position, True), strict=True):
        places = [place_of_number(int(word), mirror) for word in words(by_number)]
        assert places == [place_of_square(word) for word in words(by_square)]
        assert by_number.count("x") == by_square.count("x")


def words(name: str) -> list[str]:
    return name.replace("x", "-").split("-")


def place_of_square(square: str) -> Place:
    """Row and column of `a8`, the top left corner, to `h1`."""
    return 8 - int(square[1]), "abcdefgh".index(square[0])


def place_of_number(number: int, mirror: bool) -> Place:
    """Row and column of a PDN number: 32 - (row * 4 + column // 2) on dark squares."""
    row, pair = divmod(32 - number, 4)
    column = pair * 2 + (row + 1) % 2
    return row, 7 - column if mirror else column


def played(position: Any, path: list[Place]) -> str:
    """The board after the piece on the first square has gone along the path."""
    grid = [list(row) for row in str(position).split("\n")]
    (row, column), (last, end) = path[0], path[-1]
    piece, grid[row][column] = grid[row][column], "."
    assert piece in ("rR" if position.mover() == "red" else "bB")
    for (row, column), (to_row, to_column) in pairwise(path):
        assert grid[to_row][to_column] == "."
        if abs(to_row - row) == 2:
            grid[(row + to_row) // 2][(column + to_column) // 2] = "."
    grid[last][end] = piece.upper() if last in (0, 7) else piece
    return "\n".join("".join(row) for row in grid)


def test_no_move_leads_to_an_unrelated_board() -> None:
    parent = board("B:W18:B4")
    with pytest.raises(ValueError, match="no move leads from"):
        game.move_name(parent, board("W:W:B4"))
