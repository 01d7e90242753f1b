"""The bench count identifies the behaviour of the search: a change must be meant."""

from __future__ import annotations

from hashlib import sha256

import pytest
from support.import_walk import ROOT

from solver.cli import main
from solver.cli.bench import compare_nodes, measure_speed, read_collection
from solver.games import game_named
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.techniques import Techniques

BENCH = 224206
# The findings of the whole collection at depth 7: values, counters and lines.  Both builds are
# tested, and so find the same.
FINDINGS = "a69732db175f7243a7e8eafe9a6d66774c416dc696a0cdb1918f1f8019a98264"


def test_the_bench_count_is_the_one_in_the_last_commit_that_changed_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bench"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"bench: {BENCH}"


def test_the_findings_of_the_collection_are_those_of_every_build() -> None:
    found = []
    for game_name, name, position in read_collection(ROOT / "inputs"):
        game = game_named(game_name)
        search = Search(
            game.evaluator(game.DEFAULT_HEURISTIC, position), Techniques(), game.tables()
        )
        result = search.run(position, Limits(depth=7))
        line = "\n".join(str(each) for each in result.line)
        found.append(f"{name} {result.score} {result.counters.as_dict()}\n{line}")
    assert sha256("\n".join(found).encode()).hexdigest() == FINDINGS


def test_speed_is_measured_against_a_counting_loop() -> None:
    nodes, rounds = measure_speed(seconds=0.01)
    assert nodes > 0
    assert rounds > 0


def test_the_whole_collection_takes_fewer_nodes_and_keeps_its_values() -> None:
    boards = read_collection(ROOT / "inputs")
    assert len(boards) > 200
    before, after = compare_nodes(boards, depth=5)
    assert before > after


def test_the_ratio_grows_with_the_depth() -> None:
    some = [
        board
        for board in read_collection(ROOT / "inputs")
        if board[1].startswith("shot-three-for-two")
    ]
    counts = [compare_nodes(some, depth) for depth in (4, 6, 8)]
    ratios = [before / after for before, after in counts]
    assert ratios == sorted(ratios)
    assert ratios[-1] > 4


def test_a_heuristic_is_compared_on_the_boards_of_its_game() -> None:
    boards = read_collection(ROOT / "inputs")[-5:]
    counts = compare_nodes(boards, depth=4, heuristic="race", tables=False)
    assert min(counts) > 0
    assert compare_nodes(boards, depth=4, heuristic="material") == (0, 0)
