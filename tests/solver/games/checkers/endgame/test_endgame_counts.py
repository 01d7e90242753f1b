"""How many positions are won, drawn and lost: numbers known beforehand, for the shipped file."""

from __future__ import annotations

import pytest
from support.builds import INTERPRETED
from support.endgame_files import named, shipped

from solver.games.checkers.endgame.build import Counts, solve_pair, total
from solver.games.checkers.endgame.file import SHIPPED, Archive
from solver.games.checkers.endgame.slices import StoredValues, all_slices, pairs_below


def numbers(counts: Counts) -> tuple[int, int, int, int]:
    return counts.won, counts.drawn, counts.lost, counts.longest_win


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
    assert numbers(Counts(shipped().all_of(named(name)))) == (won, drawn, lost, longest)


@pytest.mark.skipif(INTERPRETED, reason="takes minutes in pure Python")
def test_three_kings_against_two_have_the_known_counts() -> None:
    """Five pieces: worked out from the shipped file, one piece beyond it."""
    values = StoredValues(Archive(SHIPPED))
    here = named("KKKvKK")
    for pair in pairs_below(here):
        if not values.has(pair[0]):
            solve_pair(*pair, values, lambda: None)
    assert numbers(Counts(values.all_of(here))) == (1_994_430, 18_268, 1_062, 67)


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
    found = total(Counts(shipped().all_of(here)) for here in slices)
    assert found.positions() == positions
    assert numbers(found) == (won, drawn, lost, longest)


def test_a_byte_is_counted_for_what_it_means() -> None:
    """Drawn; lost at once and in 4; won in 1, in 3 and in 3."""
    assert numbers(Counts(bytes([0, 1, 5, 2, 4, 4]))) == (3, 1, 2, 3)
    assert numbers(Counts(b"\x00\x05")) == (0, 1, 1, 0)
    assert numbers(Counts()) == (0, 0, 0, 0)
