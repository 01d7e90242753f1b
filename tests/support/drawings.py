"""Checkers boards as rows of text, to be drawn in tests or by hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from support.positions import board

Rows = tuple[str, ...]


def at(text: str, mover: str = "red") -> Any:
    """The position of a board text, which says nothing about the side to move."""
    position = board(text)
    return position if mover == "red" else position.passed()


def drawn(short: str) -> Any:
    """A board from its rows, without the empty squares and rows that end it; `black` moves."""
    rows, _, mover = short.partition(" ")
    padded = [row.ljust(8, ".") for row in (rows.split("/") + [""] * 8)[:8]]
    return board("\n".join([*padded, mover or "red"]))


def text_of(rows: Rows) -> str:
    return "\n".join(rows)


def rows_of(position: Any) -> Rows:
    return tuple(str(position).split("\n"))


def side_by_side(drawing: str) -> list[Rows]:
    """The boards drawn next to each other, from left to right."""
    lines = [line.split() for line in drawing.split("\n") if line.strip()]
    return list(zip(*lines, strict=True))


# The pieces of even and of odd rows: few, many, men only; and kings on the one with enemies
# on the other, for long chains and circles.
FILLINGS = [
    ("." * 12 + "rbRB", "." * 12 + "rbRB"),
    ("...rbRB", "...rbRB"),
    ("..rb", "..rb"),
    ("......R", "..bB"),
    ("..rR", "......B"),
]


@st.composite
def any_rows(draw: st.DrawFn) -> Rows:
    """A board on dark squares, light squares or both; no man stands on its crowning row."""
    colours = draw(st.sampled_from(["dark", "light", "dark and light"]))
    filling = draw(st.sampled_from(FILLINGS))
    numbers = draw(st.binary(min_size=64, max_size=64))
    rows = [""] * 8
    for square, number in enumerate(numbers):
        row, column = divmod(square, 8)
        pieces = filling[row % 2] if colour_of(row, column) in colours else "."
        rows[row] += pieces[number % len(pieces)]
    rows[0] = rows[0].replace("r", "R")
    rows[7] = rows[7].replace("b", "B")
    return tuple(rows)


def colour_of(row: int, column: int) -> str:
    return "dark" if (row + column) % 2 else "light"


either_side = st.sampled_from(["red", "black"])
