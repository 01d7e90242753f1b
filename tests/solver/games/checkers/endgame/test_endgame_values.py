"""The values of the tables: built from nothing, checked from child to parent, counted, known."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.builds import INTERPRETED
from support.endgame_files import built, content, named, pairs_below, shipped, with_byte
from support.positions import board

from solver.games.checkers import game
from solver.games.checkers.endgame.build import find_wrong, solve_pair
from solver.games.checkers.endgame.file import SHIPPED, Archive, digest
from solver.games.checkers.endgame.slices import (
    DRAWN,
    LOST_AT_ONCE,
    Positions,
    Slice,
    Values,
    all_slices,
)
from solver.search.score import describe


@pytest.mark.parametrize(
    "pieces", [3, 4] if not INTERPRETED else [pytest.param(3, marks=pytest.mark.slow)]
)
def test_every_slice_is_built_as_it_is_shipped(pieces: int) -> None:
    for here in all_slices(pieces):
        assert built(pieces).all_of(here) == shipped().all_of(here), here.name()
    assert content(3, built(pieces)) == content(3, shipped())


def test_a_slice_is_built_as_it_is_shipped() -> None:
    """With captures and crownings, and all slices that they lead to."""
    values = Values()
    for pair in pairs_below("KKvm"):
        solve_pair(*pair, values, lambda: None)
        assert all(values.all_of(here) == shipped().all_of(here) for here in pair)


def test_the_shipped_values_have_the_hash_that_the_file_names() -> None:
    assert digest(all_slices(4), shipped()) == Archive(SHIPPED).sha256
    assert content(2) == content(2, shipped())


SAMPLE = 80  # positions of every slice that is too large for pure Python


def indices(here: Slice) -> range | list[int]:
    if not INTERPRETED or here.pieces() == 2:
        return range(here.size)
    return random.Random(here.name()).sample(range(here.size), SAMPLE)


def test_every_value_follows_from_the_values_of_the_children() -> None:
    for here in all_slices(4):
        assert find_wrong(Positions(here), shipped(), indices(here)) == [], here.name()


@given(st.data())
def test_any_other_value_is_found(data: st.DataObject) -> None:
    here = data.draw(st.sampled_from(all_slices(2)))
    index = data.draw(st.integers(0, here.size - 1))
    right = built(2).all_of(here)[index]
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != right))
    values, positions = with_byte(built(2), 2, here.name(), index, byte), Positions(here)
    assert find_wrong(positions, values, [index]) == [positions.board(index)]


def test_a_wrong_value_makes_those_wrong_that_rest_on_it() -> None:
    """A man blocked by a king on the last row has lost at once; say that it is a draw."""
    position = board("B:WK32:B28")
    blocked = named("mvK").index(position.own, position.enemy, position.kings)
    assert built(2).all_of(named("mvK"))[blocked] == LOST_AT_ONCE
    values, here = with_byte(built(2), 2, "mvK", blocked, DRAWN), named("Kvm")
    assert find_wrong(Positions(here), values, range(here.size))


def counts(values: bytes) -> tuple[int, int, int, int]:
    """Won, drawn, lost, and the plies of the longest win."""
    bytes_of = Counter(values)
    won = {byte: times for byte, times in bytes_of.items() if byte and byte % 2 == 0}
    lost = len(values) - bytes_of[DRAWN] - sum(won.values())
    return sum(won.values()), bytes_of[DRAWN], lost, max(won, default=1) - 1


@pytest.mark.parametrize(
    ("name", "won", "drawn", "lost", "longest"),
    [
        ("KvK", 230, 654, 108, 11),
        ("Kvm", 331, 531, 6, 11),
        ("KKvK", 14_846, 34, 0, 33),
        ("KmvK", 25_941, 89, 10, 47),
        ("KKvKK", 58_361, 153_456, 3_943, 49),
        ("mmvmm", 26_945, 95_631, 3_088, 109),
    ],
)
def test_slices_have_the_known_counts(
    name: str, won: int, drawn: int, lost: int, longest: int
) -> None:
    assert counts(shipped().all_of(named(name))) == (won, drawn, lost, longest)


@pytest.mark.skipif(INTERPRETED, reason="takes minutes in pure Python")
def test_three_kings_against_two_have_the_known_counts() -> None:
    """Five pieces: worked out from the shipped file, one piece beyond it."""
    values = Values(Archive(SHIPPED))
    for pair in pairs_below("KKKvKK"):
        if pair[0].pieces() == 5:
            solve_pair(*pair, values, lambda: None)
    assert counts(values.all_of(named("KKKvKK"))) == (1_994_430, 18_268, 1_062, 67)


@pytest.mark.parametrize(
    ("pieces", "positions", "won", "drawn", "lost", "longest"),
    [
        (2, 3_488, 716, 2_370, 402, 13),
        (3, 196_032, 100_250, 8_477, 87_305, 61),
        (4, 6_209_316, 2_574_304, 1_717_922, 1_917_090, 109),
    ],
)
def test_all_slices_together_have_the_known_counts(
    pieces: int, positions: int, won: int, drawn: int, lost: int, longest: int
) -> None:
    slices = [here for here in all_slices(pieces) if here.pieces() == pieces]
    values = b"".join(shipped().all_of(here) for here in slices)
    assert len(values) == positions
    assert counts(values) == (won, drawn, lost, longest)


@pytest.mark.parametrize(
    ("fen", "result", "best"),
    [
        ("W:WK19,K23:B12,K28", "win in 61", ["23-27"]),  # the First Position
        ("B:WK19,K23:B12,K28", "0", ["28-32"]),
        ("W:W6,11:B3,K25", "win in 93", ["6-1"]),
        ("W:WK6,K9:BK15", "win in 27", ["9-14"]),
        ("W:WK18:BK29,K30", "0", ["18-22"]),
        ("B:W31,19:BK4,2", "win in 55", ["4-8"]),
    ],
)
def test_named_endings(fen: str, result: str, best: list[str]) -> None:
    tables = game.tables()
    position = board(fen)
    assert describe(tables.score(position)) == result
    values = {game.move_name(position, c): -tables.score(c) for c in position.children()}
    assert [name for name, value in values.items() if value == max(values.values())] == best


@pytest.mark.parametrize("fen", ["W:WK19,K23:B12,K28", "W:W6,11:B3,K25", "B:W31,19:BK4,2"])
def test_a_won_ending_is_played_to_its_end_in_as_many_plies(fen: str) -> None:
    """Best play by both sides makes the distance one less with every ply."""
    tables = game.tables()
    position = board(fen)
    score = tables.score(position)
    for _ in range(int(describe(score).rpartition(" ")[2])):
        position = min(
            position.children(), key=lambda child: tables.score(child) if child.own else -(10**6)
        )
    assert game.outcome(position) is not None
