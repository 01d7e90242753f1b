"""The bounded table: it may forget, but it never tells anything that was not put in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.positions import board

from solver.games.checkers import game
from solver.search.alphabeta import Search
from solver.search.cache import DEPTH_SHIFT, PAIR_BYTES, GenerationTable, PairTable
from solver.search.limits import Limits
from solver.search.techniques import Techniques


def filled(generation: int, *keys: int) -> GenerationTable:
    """A table with these keys, each with ten times itself as its entry."""
    table = GenerationTable(generation)
    for key in keys:
        table.put(key, 10 * key)
    return table


def known(table: GenerationTable, keys: range) -> list[int]:
    return [key for key in keys if table.get(key) == 10 * key]


def test_keys_and_entries_are_kept_whole() -> None:
    table = GenerationTable(2)
    table.put(2**62 - 1, 2**62 - 2)
    table.put(0, 0)
    assert [table.get(key) for key in (2**62 - 1, 0, 1)] == [2**62 - 2, 0, -1]


def test_a_full_generation_grows_old_and_the_next_one_replaces_it() -> None:
    keys = range(1, 8)
    assert known(filled(3, 1, 2, 3), keys) == [1, 2, 3]
    assert known(filled(3, 1, 2, 3, 4), keys) == [1, 2, 3, 4]
    assert known(filled(3, 1, 2, 3, 4, 5, 6), keys) == [1, 2, 3, 4, 5, 6]
    assert known(filled(3, 1, 2, 3, 4, 5, 6, 7), keys) == [4, 5, 6, 7]


@given(
    st.integers(1, 5),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2**40)), max_size=60),
)
def test_what_was_put_lately_is_found_and_what_is_found_is_the_latest(
    generation: int, puts: list[tuple[int, int]]
) -> None:
    """A generation of different keys is safe; older ones are the latest of their key or gone."""
    table = GenerationTable(generation)
    latest: dict[int, int] = {}
    for key, entry in puts:
        table.put(key, entry)
        latest[key] = entry
        assert table.get(key) == entry
        assert len(table) <= 2 * generation
    for key in range(10):
        assert table.get(key) in (-1, latest.get(key, -1))
    for key, _ in puts[-generation:]:
        assert table.get(key) == latest[key]


def entry_of(table: PairTable, key: int) -> int:
    pair = table.pairs[key % table.places]
    return {pair.latest_key: pair.latest, pair.deepest_key: pair.deepest}.get(key, -1)


def at_depth(depth: int, number: int = 1) -> int:
    return number << DEPTH_SHIFT + 8 | depth << DEPTH_SHIFT


def test_the_deepest_of_a_place_stays_until_there_is_one_as_deep() -> None:
    table = PairTable(1)
    for key, depth in enumerate((5, 9, 3, 7)):
        table.put(key, at_depth(depth))
    assert [entry_of(table, key) for key in range(4)] == [-1, at_depth(9), -1, at_depth(7)]
    table.put(4, at_depth(9))
    assert [entry_of(table, key) for key in (1, 3, 4)] == [at_depth(9), -1, at_depth(9)]


@given(
    st.integers(1, 9),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 255)), max_size=120),
)
def test_what_a_full_table_knows_is_the_latest_of_its_key(
    most: int, puts: list[tuple[int, int]]
) -> None:
    table = PairTable(most)
    latest: dict[int, int] = {}
    for number, (key, depth) in enumerate(puts):
        latest[key] = at_depth(depth, number)
        table.put(key, latest[key])
        assert entry_of(table, key) == latest[key]
        assert all(entry_of(table, key) in (-1, entry) for key, entry in latest.items())
    assert table.used <= table.places <= most


def test_a_table_that_grows_forgets_little() -> None:
    table = PairTable(100_000)
    keys = [number * 0x9E3779B97F4A7 % 2**62 for number in range(30_000)]
    for key in keys:
        table.put(key, key)
    assert table.places == 100_000
    assert sum(entry_of(table, key) == key for key in keys) > 29_000


@pytest.mark.slow
def test_a_full_table_costs_few_nodes() -> None:
    """What took longest to find is what it must not forget."""
    position = board("B:W14,17,19,24,27,28,29,30,31,32:B1,2,4,5,6,7,8,10,11,12")
    evaluate = game.evaluator("material", position)
    ample, small = (Search(evaluate, Techniques(megabytes=size)) for size in (300, 1))
    one, two = (search.run(position, Limits(depth=12)) for search in (ample, small))
    assert two.score == one.score
    assert one.counters.stores > 4 * (1 << 20) // PAIR_BYTES
    assert 5 * two.counters.visited < 6 * one.counters.visited
