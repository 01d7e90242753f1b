"""Nodes before and after, on the smaller half of the measurement."""

from __future__ import annotations

import pytest
from builds import times
from import_walk import ROOT

from solver.bench_nodes import DEPTHS, collection, compared, totals
from solver.position import Position


def boards() -> list[tuple[str, str, Position]]:
    found = collection(ROOT / "inputs")
    assert len(found) > 200
    return found


def test_the_whole_collection_takes_fewer_nodes_and_keeps_its_values() -> None:
    rows = compared(boards(), depth=5)
    assert len(rows) == len(boards())
    before, after, ratio = totals(rows)
    assert ratio == before / after > 1


@pytest.mark.parametrize("depth", DEPTHS[: times(3, 0)])
def test_the_readme_has_the_nodes_of_the_whole_collection(depth: int) -> None:
    before, after, ratio = totals(compared(boards(), depth))
    row = f"| {depth} | {before} | {after} | {ratio:.1f} |"
    assert row in (ROOT / "README.md").read_text("utf-8").split("\n")


def test_the_last_row_of_the_readme_is_the_sum_of_the_others() -> None:
    rows = [
        line.strip("| ").split(" | ")
        for line in (ROOT / "README.md").read_text("utf-8").split("\n")
        if line.startswith(tuple(f"| {name} | " for name in (*DEPTHS, "all")))
    ]
    *parts, (_, before, after, ratio) = [row for row in rows if len(row) == 4]
    assert len(parts) == len(DEPTHS)
    sums = [sum(int(row[column]) for row in parts) for column in (1, 2)]
    assert [*map(str, sums), f"{sums[0] / sums[1]:.1f}"] == [before, after, ratio]


def test_the_ratio_grows_with_the_depth() -> None:
    some = [board for board in boards() if board[1].startswith("shot-three-for-two")]
    ratios = [totals(compared(some, depth))[2] for depth in (4, 6, 8)]
    assert ratios == sorted(ratios)
    assert ratios[-1] > 4


def test_a_heuristic_is_compared_on_the_boards_of_its_game() -> None:
    rows = compared(boards()[-5:], depth=4, heuristic="race", tables=False)
    assert [row.game for row in rows] == ["twoflags"] * 5
    assert compared(boards()[-5:], depth=4, heuristic="material") == []
