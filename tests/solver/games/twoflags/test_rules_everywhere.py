"""The rules on any board at all, against a slow generator and in mirrors."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from support import naive_twoflags as naive
from support.builds import times
from support.naive_twoflags import Game
from support.pawn_drawings import any_game, exchanged, mirrored, passable, position_of, shown

from solver.games.twoflags import game
from solver.search.position import LOST, QUIET, TAKEN

MANY = settings(max_examples=times(800, 200))


def named(position: Any) -> dict[str, str]:
    """The text of every child by the name of its move."""
    return {game.move_name(position, child): shown(child) for child in position.children()}


@MANY
@given(any_game())
def test_children_are_those_of_the_slow_generator(start: Game) -> None:
    """The square of en passant included, and no child twice."""
    position = position_of(start)
    expected = {name: naive.text_of(child) for name, child in naive.moves(start).items()}
    assert named(position) == expected
    assert len(position.children()) == len(expected)
    assert position.moves() == position.children()


@MANY
@given(any_game())
def test_status_says_whether_there_is_a_move(start: Game) -> None:
    assert position_of(start).status() == (QUIET if naive.moves(start) else LOST)


@given(any_game())
def test_children_hold_nothing_that_their_text_does_not_show(start: Game) -> None:
    """Read again, each is the same position: no bit stays behind, the rule set included."""
    variant = "" if start.en_passant else "no-en-passant"
    for child in position_of(start).children():
        assert game.read(shown(child), "test", True, variant).position == child


@given(any_game())
def test_a_move_takes_what_is_missing_afterwards(start: Game) -> None:
    position = position_of(start)
    children = position.children()
    keys = [position.move_key(child) for child in children]
    assert len(set(keys)) == len(children)
    enemy = naive.OTHER[start.mover][0]
    for child, key in zip(children, keys, strict=True):
        assert key >> TAKEN == Counter(str(position))[enemy] - Counter(str(child))[enemy]


@given(any_game())
def test_the_board_turned_upside_down_has_the_same_moves_for_the_other_side(start: Game) -> None:
    here, there = position_of(start), position_of(exchanged(start))
    turned = [naive.text_of(exchanged(child)) for child in naive.moves(start).values()]
    assert Counter(map(shown, there.children())) == Counter(turned)
    assert here.status() == there.status()


@given(any_game())
def test_the_board_in_a_mirror_has_the_same_moves(start: Game) -> None:
    there = position_of(mirrored(start))
    seen = [naive.text_of(mirrored(child)) for child in naive.moves(start).values()]
    assert Counter(map(shown, there.children())) == Counter(seen)


@given(any_game())
def test_en_passant_never_lasts(start: Game) -> None:
    """Whatever is played, what could be taken before can no longer be taken in passing."""
    for child in position_of(start).children():
        if child.passed:
            assert child.passed & position_of(start).passed == 0
            assert shown(child).split()[-1] in passable(
                Game(tuple(str(child).split("\n")), child.mover())
            )
