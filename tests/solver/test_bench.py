"""The bench count identifies the behaviour of the search: a change must be meant."""

from __future__ import annotations

from hashlib import sha256

from import_walk import ROOT

from solver.bench import CASES, run_case, speed
from solver.bench_nodes import collection
from solver.games import game_named
from solver.limits import Limits
from solver.search import Search
from solver.techniques import Techniques

BENCH = 224206
# The findings of the whole collection at depth 7: values, counters and lines.  Both builds are
# tested, and so find the same.
FINDINGS = "a69732db175f7243a7e8eafe9a6d66774c416dc696a0cdb1918f1f8019a98264"


def test_the_bench_count_is_the_one_in_the_last_commit_that_changed_it() -> None:
    assert sum(run_case(*case).nodes for case in CASES) == BENCH


def test_the_findings_of_the_collection_are_those_of_every_build() -> None:
    found = []
    for game_name, name, position in collection(ROOT / "inputs"):
        game = game_named(game_name)
        search = Search(
            game.evaluator(game.DEFAULT_HEURISTIC, position), Techniques(), game.tables()
        )
        finding = search.run(position, Limits(depth=7))
        line = "\n".join(str(each) for each in finding.line)
        found.append(f"{name} {finding.score} {finding.effort.as_dict()}\n{line}")
    assert sha256("\n".join(found).encode()).hexdigest() == FINDINGS


def test_speed_is_measured_against_a_counting_loop() -> None:
    nodes, rounds = speed(seconds=0.01)
    assert nodes > 0
    assert rounds > 0
