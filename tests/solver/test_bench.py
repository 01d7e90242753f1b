"""The bench count identifies the behaviour of the search: a change must be meant."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest
from support.builds import times
from support.import_walk import ROOT

from solver import read
from solver.cli import main
from solver.games import GAMES
from solver.games.puzzle import Puzzle
from solver.games.solve import find_heuristic
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.result import SearchResult
from solver.search.techniques import Techniques, plain

BENCH = 199938
# The findings of the whole collection at depth 7: values, counters and lines.  Both builds are
# tested, and so find the same.
FINDINGS = "633478fde260525d3604cd42ad8aaaeb6f4875f77d5443d3fa2ec2d2580d480a"


BOARDS = {
    file.stem: puzzle
    for game in GAMES
    for file in sorted((ROOT / "inputs" / game).glob("*.txt"))
    if not file.stem.startswith("probe-") and (puzzle := read(file)).position.children()
}


def search(puzzle: Puzzle, depth: int, techniques: Techniques) -> SearchResult:
    evaluate = find_heuristic(puzzle, None)[1]
    return Search(evaluate, techniques, puzzle.game.tables()).run(
        puzzle.position, Limits(depth=depth)
    )


def compare_nodes(puzzles: list[Puzzle], depth: int) -> tuple[int, int]:
    """The nodes of plain alpha-beta and of the search with everything that is sound; both must
    find the same values."""
    before = after = 0
    for puzzle in puzzles:
        one = search(puzzle, depth, plain("captures,tables", ordering="static"))
        two = search(puzzle, depth, Techniques())
        assert one.score == two.score, f"{puzzle.source} at depth {depth}"
        before += one.counters.visited
        after += two.counters.visited
    return before, after


@pytest.mark.slow
def test_the_bench_count_is_the_one_in_the_last_commit_that_changed_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bench"]) == 0
    *table, count = capsys.readouterr().out.splitlines()
    assert count == f"bench: {BENCH}"
    assert table[2].split()[:3] == ["B:W21-32:B1-12", "depth", "9"]


@pytest.mark.slow
def test_the_findings_of_the_collection_are_those_of_every_build() -> None:
    found = []
    for name, puzzle in BOARDS.items():
        result = search(puzzle, 7, Techniques())
        line = "\n".join(str(each) for each in result.line)
        found.append(f"{name} {result.score} {result.counters.as_dict()}\n{line}")
    assert sha256("\n".join(found).encode()).hexdigest() == FINDINGS


@pytest.mark.slow
def test_speed_is_measured_in_nodes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--speed"]) == 0
    assert re.search(r"^checkmark .*: [\d,]+ nodes/s$", capsys.readouterr().out, re.MULTILINE)


def test_the_whole_collection_takes_fewer_nodes_and_keeps_its_values() -> None:
    assert len(BOARDS) > 200
    before, after = compare_nodes(list(BOARDS.values())[:: times(1, 5)], depth=7)
    assert before > after


def test_the_ratio_grows_with_the_depth() -> None:
    counts = [compare_nodes([BOARDS["shot-three-for-two"]], depth) for depth in (4, 6, 8)]
    ratios = [before / after for before, after in counts]
    assert ratios == sorted(ratios)
    assert ratios[-1] > 4
