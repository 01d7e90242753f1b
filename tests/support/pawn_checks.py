"""What tests of Two Flags ask of a position: its moves, and how the game has ended."""

from __future__ import annotations

from typing import Any

from solver.games.twoflags import game
from solver.search.position import LOST, QUIET
from support import naive_twoflags as naive
from support.drawings import side_by_side
from support.pawn_drawings import pawns, position_of


def check(
    mover: str, drawing: str, *names: str, passed: str = "", en_passant: bool = True
) -> list[Any]:
    """The first board has exactly the moves of these names, each to the next board drawn.

    The children are returned in the order of the names.
    """
    before, *after = side_by_side(drawing)
    start = naive.Game(before, mover, passed, en_passant)
    position = position_of(start)
    children = {game.move_name(position, child): child for child in position.children()}
    found = {name: tuple(str(child).split("\n")) for name, child in children.items()}
    assert found == dict(zip(names, after, strict=True))
    assert {name: twin.rows for name, twin in naive.moves(start).items()} == found
    assert position.status() == (QUIET if names else LOST)
    return [children[name] for name in names]


def over(position: Any) -> str:
    """How the game has ended; nobody can move then."""
    assert position.children() == []
    assert position.status() == LOST
    return str(game.outcome(position))


def child_of(position: Any, name: str) -> Any:
    """The position after the move of that name, which must be legal."""
    (child,) = (c for c in position.children() if game.move_name(position, c) == name)
    return child


def after(text: str, *names: str, variant: str = "") -> Any:
    """The position after these moves, which must be legal."""
    position = pawns(text, variant)
    for name in names:
        position = child_of(position, name)
    return position


def names_of(position: Any) -> list[str]:
    return sorted(game.move_name(position, child) for child in position.children())
