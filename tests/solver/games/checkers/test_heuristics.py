"""The heuristics against their documents: boards worked out by hand, and slow twins."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from support.drawings import Rows, any_rows, at, drawn, either_side, text_of
from support.naive_heuristics import SLOW
from support.positions import board, value

from solver.games.checkers import game
from solver.search.score import DECISIVE

# What the documents, or where they are silent the comments in `heuristics`, let things weigh.
WEIGHTS = {
    "material": (1, 2),
    "safe-mobile": (50, 100, 2, 2, 4, 4, 3, 6, 5),
    "advance-shield": (3, 5, 4, 2),
    "centre": (4, 2, 1),
    # Twenty times the 5, 17.5, 2, 2, 0.5, 2.5, 8.75 and 0.3 of the text.
    "six-regions": (100, 350, 40, 40, 10, 50, 175, 6),
    # Fitted to results of games and endings.
    "tuned": (72, 44, 15, -2, 28, 11, 19, 38, 13),
}


BY_HAND = [
    ("material", "/..b//....R//..r", 1 + 2 - 1),
    ("material", "/..b//....R//..r black", 1 - (1 + 2)),
    ("material", ".R.....B///b/.......r///r.r...B", (3 * 1 + 2) - (1 + 2 * 2)),
    ("material", "BB//////rrr", 3 * 1 - 2 * 2),  # on both colours of squares
    ("centre", "//..r..r///..r..r", 4 * 2),  # the corners of the middle
    ("centre", "/..r..r/.r....r///.r....r/..r..r", 8 * 1),  # right outside it
    ("centre", ".......B///....R//..R", 4 + 4 - 4),
    ("centre", "/b//....b/...b/..r...r//......B black", (1 + 2 + 2 + 4) - (2 + 1)),
    ("advance-shield", "/..b////..r", (3 + 28 - 5 * 4) - (3 + 1 * 4)),
    ("advance-shield", "...b/r/////.......b/..r black", 3 + (3 + 24) - (3 + 24) - 3),
    ("advance-shield", ".R//.....B/..R////......R", 3 * 5 - 5),  # a king is 5 on every row
    # Two for a piece with allies, however many; none from enemies or round the edge.
    ("advance-shield", "///....r/...r/..r", 3 * 3 + 4 * (4 + 3 + 2) + 3 * 2),
    ("advance-shield", "////...b/..r", (3 + 28 - 5 * 4) - (3 + 4 * 4)),
    ("advance-shield", "//.......r/r/.......r/r", 4 * 3 + 4 * (5 + 4 + 3 + 2)),
    ("advance-shield", "//...R.R/....R/...R.R///...R...R", 7 * 5 + 5 * 2),
    ("advance-shield", ".B/..b//////r black", 5 + (3 + 1 * 4) + 2 * 2 - (3 + 28 - 7 * 4)),
    # The row, and two steps ahead a free square; crowning rows are free for both.
    ("safe-mobile", "/////..r", 50 + 4 + 3 * 2),
    ("safe-mobile", "///..b//r", (50 + 2 + 3 * 2) - (50 + 4 + 3 * 3)),  # (3, 2) is taken
    ("safe-mobile", "/////..r.r/...r", 3 * 50 + 3 * 4 + 3 * (2 + 2 + 1)),  # allies between
    ("safe-mobile", "//.....b/....b/...r", 50 + 4 + 9 - (2 * 50 + 2 * 4 + 9 + 6)),
    ("safe-mobile", "///....r/.r", 2 * 50 + 2 * 4 + 6 * 4 + 3 * 3),  # double in the far half
    ("safe-mobile", "///....b/.......b black", (50 + 4 + 3 * 3) + (50 + 2 + 4 + 6 * 4)),
    ("safe-mobile", "/....r", 50 + 0 + 6 * 6),  # before its crowning row it is not movable
    ("safe-mobile", "/....R/...b black", (50 + 4 + 3 * 2) - (100 + 4)),  # a king looks back
    ("safe-mobile", "/////..r//R", (50 + 4 + 6) + (100 + 2) + 5 * 4 - 5 * 3),
    ("safe-mobile", ".b.b/////....r", 50 + 4 + 6 + 5 * 2 - 2 * (50 + 2 + 4) - 5 * 4),
    ("safe-mobile", "//....b//......r/.......r", 59 + (50 + 2 + 4 + 6) - (50 + 4 + 6)),
    # Twenty times: the words make a king 17.5 and a man 5.
    ("six-regions", "//...b///..R", 20 * (17.5 - 5)),
    ("six-regions", "///......r/.r/....b//..B", 20 * (5 + 5 + 2 - (5 + 2) - (17.5 + 2))),
    ("six-regions", "/....b/.......b///r/.......r black", 20 * (5 + 5 + 2 - 2 * (5 + 2))),
    ("six-regions", ".b.R///////..r...B", 0),
    ("six-regions", ".......R///////r", 20 * (17.5 + 2 + 2 + 5 + 0.5 + 2)),  # corners count twice
    ("six-regions", "////...b/..r", 20 * (5 + 2.5 - (5 + 2))),  # what the mover can take
    ("six-regions", "////...b/..r black", 20 * (5 + 2 + 2.5 - 5)),
    ("six-regions", "////...b/..r.r", 20 * (5 + 5 + 2.5 - (5 + 2))),  # once, by two pieces
    ("six-regions", "////..b.b/...r", 20 * (5 + 2 * 2.5 - 2 * (5 + 2))),
    ("six-regions", "///....b//..B/.r", 20 * (5 + 8.75 - (5 + 17.5 + 2))),  # the first jump only
    ("six-regions", "///b/.r.....b/......r", 20 * (5 + 5 - (5 + 2 + 5 + 2 + 2))),
    ("six-regions", "///..r/...b", 20 * (5 + 2 - (5 + 2))),  # a man does not take backwards
    ("six-regions", "///..R/...b", 20 * (17.5 + 2 + 2.5 - (5 + 2))),  # a king does
    ("six-regions", "/r///...R/..B black", 20 * (17.5 + 2 + 8.75 - (17.5 + 5 + 2 + 2))),
    ("six-regions", "///....b/...b/..r", 20 * 5 - 20 * (5 + 2 + 5) - 2 * 6),  # nothing behind
    ("six-regions", "////....r/...r/..R", 20 * (5 + 5 + 17.5) + 3 * 6),  # neighbours
    ("six-regions", "///r/.......r/r", 20 * (3 * (5 + 2) + 2)),  # none round the edge
]


@pytest.mark.parametrize(("name", "short", "expected"), BY_HAND)
def test_boards_worked_out_by_hand(name: str, short: str, expected: float) -> None:
    assert value(name, drawn(short)) == expected


@pytest.mark.parametrize(
    ("title", "short", "counts"),
    [
        # A lead is a share of all pieces, and only for the side that is ahead.
        ("pieces ahead, in 64ths of all pieces", "R.B.R.R", (64 * 2 // 4, 0)),
        ("pieces ahead, in 64ths of all pieces", "R.B.B", (0, 64 // 3)),
        ("men one or two rows from being crowned", "/r/.....r/..r/.......b/....b/...b", (2, 2)),
        ("kings in the middle sixteen squares", ".......B///..R/...R///r", (2, 0)),
        ("steps that kings can make", ".......B///..R/...R///r", (3 + 3, 1)),
        ("pieces that can be taken", "//...b/..r", (1, 1)),  # for both, whichever is to move
        ("pieces that can be taken", "//...b/..r black", (1, 1)),
        # One row between two men: the side to move gives way.
        ("having the last move, at most eight pieces", "///b//r", (0, 1)),
        ("having the last move, at most eight pieces", "///b//r black", (1, 0)),
        ("having the last move, at most eight pieces", game.start(), (0, 0)),
    ],
)
def test_terms_of_tuned_counted_by_hand(title: str, short: str, counts: tuple[int, int]) -> None:
    position = board(short) if ":" in short else drawn(short)
    terms = {term.title: (term.first, term.second) for term in game.explain("tuned", position)}
    assert terms[title] == counts


FULL: Rows = ("RRRRRRRR",) * 8
EDGES_AGAINST_INSIDE: Rows = ("RRRRRRRR", *("RB.B.B.R",) * 6, "RRRRRRRR")


@pytest.mark.parametrize("name", WEIGHTS)
@given(any_rows(), either_side)
@example(FULL, "red")
@example(EDGES_AGAINST_INSIDE, "black")
def test_a_heuristic_agrees_with_its_slow_twin(name: str, rows: Rows, mover: str) -> None:
    """Every term, for either side; the sum is the value, and no proven win."""
    red, black = (SLOW[name](list(rows), colour, mover[0]) for colour in "rb")
    position = at(text_of(rows), mover)
    terms = game.explain(name, position)
    assert [(term.first, term.second) for term in terms] == list(zip(red, black, strict=True))
    assert tuple(term.weight for term in terms) == WEIGHTS[name]
    total = sum(term.total for term in terms)
    assert value(name, position) == (total if mover == "red" else -total)
    assert -DECISIVE < total < DECISIVE


def test_every_heuristic_is_tested_here_or_in_test_patterns() -> None:
    assert list(game.heuristics()) == [*WEIGHTS, "patterns"] == [*SLOW, "patterns"]
