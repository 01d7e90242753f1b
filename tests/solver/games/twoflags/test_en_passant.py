"""En passant: when it is possible, and above all when it is not."""

from __future__ import annotations

import pytest
from support.pawn_checks import after, check, names_of, over
from support.pawn_drawings import pawns, shown

from solver.games.twoflags import game
from solver.games.twoflags.rules import bit_of
from solver.search.position import QUIET


def test_white_takes_en_passant_the_pawn_that_went_past() -> None:
    drawing = """
        ........  ........  ........
        ........  ........  ........
        ........  ....w...  ...w....
        ...wb...  ........  ....b...
        ........  ........  ........
        ........  ........  ........
        ........  ........  ........
        ........  ........  ........
    """
    last, _ = check("white", drawing, "d5e6", "d5d6", passed="e6")
    assert over(last) == "white has won: black has no pawn left"


def test_black_takes_en_passant_the_pawn_that_went_past() -> None:
    drawing = """
        ........  ........  ........
        ........  ........  ........
        ........  ........  ........
        ........  ........  ........
        ...wb...  ........  ...w....
        ........  ...b....  ....b...
        ......w.  ......w.  ......w.
        ........  ........  ........
    """
    check("black", drawing, "e4d3", "e4e3", passed="d3")


def test_pawns_on_both_sides_can_take_en_passant() -> None:
    drawing = """
        ........  ........  ........  ........  ........
        ........  ........  ........  ........  ........
        ........  ....w...  ....w...  ...w....  .....w..
        ...wbw..  .....w..  ...w....  ....bw..  ...wb...
        ........  ........  ........  ........  ........
        ........  ........  ........  ........  ........
        .......b  .......b  .......b  .......b  .......b
        ........  ........  ........  ........  ........
    """
    check("white", drawing, "d5e6", "f5e6", "d5d6", "f5f6", passed="e6")


def test_en_passant_at_both_edges() -> None:
    drawing = """
        ........  ........  ........  ........
        ........  ........  ........  ........
        ........  ........  ........  ........
        ........  ........  ........  ........
        wb....b.  ......b.  w.....b.  wb......
        ........  b.......  .b......  ......b.
        .......w  .......w  .......w  .......w
        ........  ........  ........  ........
    """
    check("black", drawing, "b4a3", "b4b3", "g4g3", passed="a3")
    drawing = """
        ........  ........  ........
        ........  ........  ........
        ........  .......w  ......w.
        ......wb  ........  .......b
        ........  ........  ........
        ........  ........  ........
        .b......  .b......  .b......
        ........  ........  ........
    """
    check("white", drawing, "g5h6", "g5g6", passed="h6")


def test_en_passant_is_for_one_turn_only() -> None:
    text = "Setup Wd5 Wa2 Be7 Bh7 BLACK"
    at_once = after(text, "e7e5")
    a_turn_later = after(text, "e7e5", "a2a3", "h7h6")
    assert shown(at_once).endswith("white e6")
    assert names_of(at_once) == ["a2a3", "a2a4", "d5d6", "d5e6"]
    assert shown(a_turn_later).endswith("white")
    assert names_of(a_turn_later) == ["a3a4", "d5d6"]


def test_en_passant_is_for_a_double_step_only() -> None:
    """Two single steps bring the pawn to the same place, but the capture is gone."""
    position = after("Setup Wd5 Wa2 Be7 Bh7 BLACK", "e7e6", "a2a3", "e6e5")
    assert position.passed == 0
    assert names_of(position) == ["a3a4", "d5d6"]


@pytest.mark.parametrize(
    ("black", "passed"),
    [
        ("Bd4", "e3"),
        ("Bf4", "e3"),
        ("Bd4 Bf4", "e3"),
        ("Bc4", ""),
        ("Bd3", ""),
        ("Bd5", ""),
        ("Be5", ""),
        ("Bh4 Ba4", ""),
    ],
)
def test_only_a_square_where_a_pawn_can_take_is_remembered(black: str, passed: str) -> None:
    """Otherwise positions would differ in something that makes no difference."""
    position = after(f"Setup We2 {black} WHITE", "e2e4")
    assert position.passed == (bit_of(passed) if passed else 0)
    if not passed:
        assert position == pawns(f"Setup We4 {black} BLACK")


def test_an_own_pawn_beside_a_double_step_takes_nothing() -> None:
    assert after("Setup We2 Wd4 Bh7 WHITE", "e2e4").passed == 0


@pytest.mark.parametrize(("text", "move"), [("Wa2 Bh3", "a2a4"), ("Wh2 Ba5", "h2h4")])
def test_nothing_is_taken_en_passant_round_the_edge(text: str, move: str) -> None:
    """a4 and h3, h4 and a5 are neighbours in memory, but not on the board."""
    position = after(f"Setup {text} WHITE", move)
    assert position.passed == 0
    assert len(position.children()) == 1


def test_a_capture_and_en_passant_at_once() -> None:
    drawing = """
        ........  ........  ........  ........
        ........  ........  ........  ........
        ..b.....  ..b.w...  ..w.....  ..bw....
        ...wb...  ........  ....b...  ....b...
        ........  ........  ........  ........
        ........  ........  ........  ........
        ........  ........  ........  ........
        ........  ........  ........  ........
    """
    check("white", drawing, "d5e6", "d5c6", "d5d6", passed="e6")


def test_en_passant_may_be_the_only_legal_move() -> None:
    """White is blocked everywhere else and would have lost without it."""
    text = "Setup Wa5 Wb4 Ba6 Bb5 WHITE"
    assert over(pawns(text)) == "black has won: white is to move and has no legal move"
    position = pawns(f"{text} b6")
    assert position.status() == QUIET
    assert game.outcome(position) is None
    assert names_of(position) == ["a5b6"]


def test_the_variant_without_en_passant() -> None:
    text = "Setup Wd5 Wa2 Be7 Bh7 BLACK"
    position = after(text, "e7e5", variant="no-en-passant")
    assert position.passed == 0
    assert names_of(position) == ["a2a3", "a2a4", "d5d6"]
    assert position != after(text, "e7e5")
    drawing = """
        ........  ........
        ........  ........
        ........  ...w....
        ...wb...  ....b...
        ........  ........
        ........  ........
        ........  ........
        ........  ........
    """
    check("white", drawing, "d5d6", en_passant=False)


def test_in_the_variant_blocked_pawns_are_not_saved_by_en_passant() -> None:
    text = "Setup Wa5 Wb4 Ba6 Bb7 BLACK"
    assert names_of(after(text, "b7b5")) == ["a5b6"]
    blocked = after(text, "b7b5", variant="no-en-passant")
    assert over(blocked) == "black has won: white is to move and has no legal move"
