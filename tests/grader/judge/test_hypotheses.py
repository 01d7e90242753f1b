"""The shipped answers of hypotheses.  Run as a program, this file works them out again."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor

import pytest
from support.one_bug import read_puzzles

from grader.judge.hypotheses import SHIPPED, AnswerSets, compute_answer_sets, find_answer_sets, pack

POSITIONS = sorted({position for _, _, position, _, _ in read_puzzles("checkers")})


def work_out(position: str) -> AnswerSets:
    return compute_answer_sets("checkers", position)


@pytest.mark.parametrize("position", [each for each in POSITIONS if each.count(".") > 58][::12])
def test_shipped_answers_are_what_hypotheses_give(position: str) -> None:
    assert work_out(position) == find_answer_sets("checkers", position)


def test_answers_are_shipped_for_the_whole_collection() -> None:
    file = SHIPPED / "checkers.json.gz"
    assert file.read_bytes() == pack(
        {each: find_answer_sets("checkers", each) for each in POSITIONS}
    )


if __name__ == "__main__":
    with ProcessPoolExecutor() as pool:
        found = dict(zip(POSITIONS, pool.map(work_out, POSITIONS, chunksize=4), strict=True))
    (SHIPPED / "checkers.json.gz").write_bytes(pack(found))
