"""Memory: `--hash` bounds what a search remembers, and no answer depends on it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import Any

import pytest
from support.builds import times
from support.command import SHOT, call, solver
from support.positions import board, random_positions

from solver.games.checkers import game
from solver.proof.wins import WinProof
from solver.search.alphabeta import Search
from solver.search.cache import PAIR_BYTES, SoundCache, entries_in
from solver.search.limits import Limits
from solver.search.techniques import CACHES, Techniques

MIDDLE = "B:W14,17,19,24,27,28,29,30,31,32:B1,2,4,5,6,7,8,10,11,12"
# What a process has of memory before and after a search with a full megabyte of cache.
GROWTH = f"""
import resource, sys
from solver.games.checkers import game
from solver.search.limits import Limits
from solver.search.alphabeta import Search
from solver.search.techniques import Techniques

position = game.read("{MIDDLE}", "test", True).position
evaluate = game.evaluator("material", position)
def used():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
Search(evaluate, Techniques(megabytes=1)).run(position, Limits(depth=6))
before = used()
search = Search(evaluate, Techniques(megabytes=int(sys.argv[1])))
search.run(position, Limits(nodes=int(sys.argv[2])))
print(used() - before, search.counters.stores)
"""


def test_a_full_cache_changes_no_value() -> None:
    """With room for next to nothing, where everything that can be forgotten is."""
    for position in random_positions(times(40, 6), range(6, 14), seed=7):
        evaluate = game.evaluator("six-regions", position)
        expected = Search(evaluate, Techniques()).run(position, Limits(depth=6))
        small = Search(evaluate, Techniques())
        small.cache = SoundCache(megabytes=0)
        found = small.run(position, Limits(depth=6))
        assert (found.score, found.depth) == (expected.score, expected.depth)


@pytest.mark.slow
def test_a_long_search_fills_its_megabyte_and_no_more() -> None:
    position = board(MIDDLE)
    search = Search(game.evaluator("material", position), Techniques(megabytes=1))
    search.cache = cache = SoundCache(megabytes=1)
    search.run(position, Limits(nodes=times(200_000, 60_000)))
    most = (1 << 20) // PAIR_BYTES
    assert most // 2 < cache.shallow.used + cache.deep.used <= most


@pytest.mark.parametrize("cache", [name for name in CACHES if name not in ("none", "sound")])
def test_every_other_cache_is_bounded_too(cache: str) -> None:
    search = Search(game.evaluator("material", board(MIDDLE)), Techniques(cache=cache, megabytes=1))
    remembered: Any = search.static_values or search.cache
    met = [board(MIDDLE)]
    for position in met:
        if len(met) < 2 * remembered.most:
            met += position.children()
        if search.static_values is None:
            remembered.store(position.key(), 3, -9, 9, 1, 5, 0)
        else:
            remembered(position)
        assert 0 < len(remembered.values) <= remembered.most
    assert len(met) > 2 * remembered.most


def test_a_proof_keeps_to_it_as_well() -> None:
    position = board(MIDDLE)
    attempt = WinProof(Limits(nodes=60_000), megabytes=1)
    attempt.run(position)
    assert entries_in(1) // 2 < len(attempt.table.table) <= entries_in(1)


@pytest.mark.slow
def test_a_process_does_not_grow_beyond_it() -> None:
    words = [sys.executable, "-c", GROWTH, "2", str(times(400_000, 100_000))]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    grown, stores = map(int, done.stdout.split())
    assert stores > 2 * entries_in(2)
    assert grown <= 3 * 1024  # kilobytes; pages are never as full as entries are


@pytest.mark.slow
def test_nothing_is_written_where_nothing_belongs() -> None:
    """Compiled positions know no garbage collector, but what was held by fifty others was once
    freed as if they did: bytes before it were overwritten, and one solve in thousands died of
    it.  The debugging allocator sees every such byte."""
    nested = """
from solver.games.checkers.rules import Board
for depth in range(40, 70):
    held = [Board(1, 2, 0, 0) for _ in range(4)]
    for _ in range(depth):
        held = [held]
    del held
"""
    watched = {**os.environ, "PYTHONMALLOC": "debug"}
    assert subprocess.run([sys.executable, "-c", nested], env=watched).returncode == 0
    lone = "....r...\n" + "........\n" * 5 + ".......b\n........\n"
    nodes, depth = str(times(200_000, 5_000)), str(times(9, 5))
    for words, text in ((("--nodes", nodes), lone), (("--depth", depth), MIDDLE)):
        done = solver("solve", "-", *words, text=text, env=watched)
        assert (done.returncode, done.stdout != "") == (0, True), done.stderr


@pytest.mark.parametrize("command", ["solve", "analyse"])
def test_the_option_is_where_searching_is(command: str) -> None:
    words = (command, "-", "--depth", "5", "--hash")
    small, large = (call(*words, megabytes, text=SHOT) for megabytes in ("1", "2000"))
    assert small.returncode == large.returncode == 0
    told = [re.sub(r" time \S+", "", done.stdout) for done in (small, large)]
    assert told[0] == told[1] != ""
