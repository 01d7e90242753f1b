"""The heuristics against the words of their documents.

First boards whose value is worked out by hand, then properties of every heuristic, then each
one written a second time, slowly, on the eight rows of text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builds import times
from hypothesis import example, given, settings
from hypothesis import strategies as st
from naive_heuristics import SLOW, six_regions
from naive_tuned import tuned
from positions import board, value

from solver.checkers import game
from solver.checkers.catalogue import HEURISTICS, explain
from solver.score import DECISIVE

if TYPE_CHECKING:
    from collections.abc import Callable

Place = tuple[int, int]

NAMES = ("material", "safe-mobile", "advance-shield", "centre", "six-regions", "tuned")
CARE_WHO_MOVES = ("six-regions", "tuned")
WRITTEN_ON_TEXT = {**SLOW, "tuned": tuned}
DARK = [(row, column) for row in range(8) for column in range(8) if (row + column) % 2]
LIGHT = [(row, column) for row in range(8) for column in range(8) if (row + column) % 2 == 0]

FEW = settings(max_examples=60, deadline=None)
MANY = settings(max_examples=times(300, 100), deadline=None)

# What the documents, or where they are silent the comments in `heuristics`, let things weigh.
WEIGHTS = {
    "material": {"men": 1, "kings": 2},
    "safe-mobile": {
        "men": 50,
        "kings": 100,
        "men on the edge": 2,
        "kings on the edge": 2,
        "men with a free square two steps ahead": 4,
        "kings with a free square two steps away": 4,
        "rows advanced by men in their own half": 3,
        "rows advanced by men in the far half": 6,
        "free squares on the crowning row": 5,
    },
    "advance-shield": {
        "men": 3,
        "kings": 5,
        "rows advanced by men": 4,
        "pieces beside an ally": 2,
    },
    "centre": {"kings": 4, "men in the middle sixteen squares": 2, "other men": 1},
    # Twenty times the 5, 17.5, 2, 2, 0.5, 2.5, 8.75 and 0.3 of the text.
    "six-regions": {
        "men": 100,
        "kings": 350,
        "pieces in the far half": 40,
        "pieces on the left and right edge": 40,
        "pieces on the home row": 10,
        "men the mover can take": 50,
        "kings the mover can take": 175,
        "pieces beside an ally": 6,
    },
    # What `grader tune` finds.
    "tuned": {
        "men": 72,
        "kings": 44,
        "pieces ahead, in 64ths of all pieces": 15,
        "rows advanced by men": -2,
        "men one or two rows from being crowned": 28,
        "kings in the middle sixteen squares": 11,
        "steps that kings can make": 19,
        "pieces that can be taken": 38,
        "having the last move, at most eight pieces": 13,
    },
}


# --- every heuristic: weights and terms ----------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("fen", [game.start(), "W:W:B", "W:WK1,14:BK32,19", "B:W15:BK11"])
def test_explain_shows_the_documented_weights(name: str, fen: str) -> None:
    terms = explain(HEURISTICS[name], board(fen))
    assert [(term.title, term.weight) for term in terms] == list(WEIGHTS[name].items())


def test_every_heuristic_of_the_catalogue_is_tested_here() -> None:
    assert tuple(HEURISTICS) == tuple(game.heuristics()) == NAMES


# --- every heuristic: properties -----------------------------------------------------------


@st.composite
def drawings(draw: Callable[..., Any], squares: list[Place] | None = None) -> str:
    """Eight rows with pieces on one colour of squares or on both, crowded or sparse."""
    if squares is None:
        squares = draw(st.sampled_from([DARK, LIGHT, DARK + LIGHT]))
    choice = draw(st.sampled_from(["......rbRB", "....rbRB", "..rbRB", "......rrbb"]))
    # One draw of bytes is much faster than a draw for every square.
    drawn = draw(st.binary(min_size=len(squares), max_size=len(squares)))
    rows = [["."] * 8 for _ in range(8)]
    for (row, column), byte in zip(squares, drawn, strict=True):
        piece = choice[byte % len(choice)]
        crowned = (row, piece) in ((0, "r"), (7, "b"))
        rows[row][column] = piece.upper() if crowned else piece
    return "\n".join("".join(row) for row in rows)


def only(drawing: str, squares: list[Place]) -> str:
    """The drawing with nothing but these squares."""
    rows = drawing.splitlines()
    return "\n".join(
        "".join(rows[row][column] if (row, column) in squares else "." for column in range(8))
        for row in range(8)
    )


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(drawing=drawings())
def test_the_terms_add_up_to_the_value(name: str, drawing: str) -> None:
    red, black = board(drawing), board(drawing).passed()
    assert sum(term.total for term in game.explain(name, red)) == value(name, red)
    assert sum(term.total for term in game.explain(name, black)) == -value(name, black)


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(drawing=drawings())
def test_turning_the_board_and_swapping_the_colours_changes_nothing(
    name: str, drawing: str
) -> None:
    turned = drawing[::-1].translate(str.maketrans("rbRB", "brBR"))
    assert value(name, board(turned)) == value(name, board(drawing).passed())


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(drawing=drawings(DARK), black=st.booleans())
def test_a_board_and_its_mirror_image_on_light_squares_are_worth_the_same(
    name: str, drawing: str, black: bool
) -> None:
    mirrored = "\n".join(row[::-1] for row in drawing.splitlines())
    dark, light = board(drawing), board(mirrored)
    if black:
        dark, light = dark.passed(), light.passed()
    assert value(name, dark) == value(name, light)


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(drawing=drawings(DARK + LIGHT), black=st.booleans())
def test_a_mixed_board_is_worth_its_dark_and_its_light_half(
    name: str, drawing: str, black: bool
) -> None:
    boards = [board(drawing), board(only(drawing, DARK)), board(only(drawing, LIGHT))]
    if black:
        boards = [position.passed() for position in boards]
    mixed, dark, light = boards
    assert value(name, mixed) == value(name, dark) + value(name, light)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in CARE_WHO_MOVES])
@FEW
@given(drawing=drawings())
def test_the_other_turn_negates_the_value(name: str, drawing: str) -> None:
    assert value(name, board(drawing).passed()) == -value(name, board(drawing))


@FEW
@given(drawing=drawings())
def test_the_other_turn_shifts_six_regions_by_what_both_can_take(drawing: str) -> None:
    red, black = board(drawing), board(drawing).passed()
    red_takes, black_takes = takes(drawing, "r"), takes(drawing, "b")
    assert value("six-regions", red) + value("six-regions", black) == red_takes + black_takes


def takes(drawing: str, colour: str) -> int:
    """What six-regions adds for the pieces that a colour could take."""
    _, _, _, _, _, men, kings, _ = six_regions(drawing.splitlines(), colour, colour)
    return 50 * men + 175 * kings


FULL = "\n".join(["RRRRRRRR"] * 8)
EDGES_AGAINST_INSIDE = "\n".join(["RRRRRRRR"] + ["RB.B.B.R"] * 6 + ["RRRRRRRR"])


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(drawing=drawings())
@example(drawing=FULL)
@example(drawing=FULL.lower().replace("r", "B"))
@example(drawing=EDGES_AGAINST_INSIDE)
def test_no_board_is_worth_as_much_as_a_proven_win(name: str, drawing: str) -> None:
    for position in (board(drawing), board(drawing).passed()):
        assert -DECISIVE < value(name, position) < DECISIVE


def test_sixty_four_kings_are_worth_what_their_weights_say() -> None:
    worth = {name: value(name, board(FULL)) for name in NAMES}
    edge, opposite, side_edges, home, middle = 28, 32, 16, 8, 16
    assert worth == {
        "material": 64 * 2,
        "safe-mobile": 64 * 100 + edge * 2,
        "advance-shield": 64 * (5 + 2),
        "centre": 64 * 4,
        "six-regions": 64 * (350 + 6) + opposite * 40 + side_edges * 40 + home * 10,
        "tuned": 64 * 44 + 2 * 64 * 15 + middle * 11,
    }


@pytest.mark.parametrize("name", NAMES)
@MANY
@given(drawing=drawings(), mover=st.sampled_from(["red", "black"]))
def test_a_heuristic_agrees_with_itself_written_on_text(
    name: str, drawing: str, mover: str
) -> None:
    rows = drawing.splitlines()
    red, black = (WRITTEN_ON_TEXT[name](rows, colour, mover[0]) for colour in "rb")
    position = board(drawing) if mover == "red" else board(drawing).passed()
    terms = game.explain(name, position)
    assert [term.first for term in terms] == red
    assert [term.second for term in terms] == black
    weighed = zip(WEIGHTS[name].values(), red, black, strict=True)
    for_red = sum(weight * (ours - theirs) for weight, ours, theirs in weighed)
    assert value(name, position) == (for_red if mover == "red" else -for_red)
