"""The shipped answers of hypotheses.  Run as a program, this file works them out again."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor

import pytest
from support.one_bug import read_puzzles

from grader.judge.hypotheses import SHIPPED, AnswerSets, compute_answer_sets, find_answer_sets
from solver.games import GAMES

POSITIONS = {game: sorted({each[2] for each in read_puzzles(game)}) for game in GAMES}
SAMPLE = [
    (game, position)
    for game in GAMES
    for position in [each for each in POSITIONS[game] if each.count(".") > 58][::30]
]


def pack(found: Mapping[str, AnswerSets]) -> bytes:
    """The content of a shipped file; the same for the same sets."""
    plain = {
        position: [each.boards, [sorted(one) for one in each.sets], each.chosen]
        for position, each in sorted(found.items())
    }
    return gzip.compress(json.dumps(plain, separators=(",", ":")).encode(), mtime=0)


def work_out(game: str, position: str) -> AnswerSets:
    return compute_answer_sets(game, position)


@pytest.mark.parametrize(("game", "position"), SAMPLE)
def test_shipped_answers_are_what_hypotheses_give(game: str, position: str) -> None:
    assert work_out(game, position) == find_answer_sets(game, position)


@pytest.mark.parametrize("game", GAMES)
def test_answers_are_shipped_for_the_whole_collection(game: str) -> None:
    found = {each: find_answer_sets(game, each) for each in POSITIONS[game]}
    assert (SHIPPED / f"{game}.json.gz").read_bytes() == pack(found)


if __name__ == "__main__":
    with ProcessPoolExecutor() as pool:
        for name, positions in POSITIONS.items():
            worked = pool.map(work_out, [name] * len(positions), positions, chunksize=4)
            found = dict(zip(positions, worked, strict=True))
            (SHIPPED / f"{name}.json.gz").write_bytes(pack(found))
