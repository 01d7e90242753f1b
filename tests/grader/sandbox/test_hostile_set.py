"""Every hostile submission at every level that this machine gives, as root and as a user."""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from hostile_set import (
    BEST,
    BOARD,
    LIMITS,
    SHORTER,
    SUBMISSIONS,
    TABLE,
    helpful_server,
    marked_processes,
    run_all,
    verdict_word,
)
from other_user import IS_ROOT, readable_python, readable_sources, run_as_other_user

from grader.judge import judge_move, judge_outcome
from grader.plain import from_plain
from grader.prove import prove
from grader.runs import Ending, Outcome
from grader.sandbox.job import Level
from grader.sandbox.levels import level_report
from grader.truth import Truth


@dataclass(frozen=True)
class Graded:
    """The whole set, run by one user."""

    outcomes: dict[tuple[Level, str], Outcome]
    left: list[str]  # processes that were still there
    own_rights: bool  # whether a box has the same rights as its grader
    marks_written: bool
    modes_changed: bool
    expected_changed: bool


@pytest.fixture(scope="module", params=["ourselves", "another user"])
def graded(request: pytest.FixtureRequest) -> Graded:
    if request.param == "ourselves":
        return _graded_by_ourselves()
    if not IS_ROOT:
        pytest.skip("only root can become another user")
    if not readable_python():
        pytest.skip("there is no Python that every user can start")
    return _graded_by_another()


def _graded_by_ourselves() -> Graded:
    mark = f"mark-{secrets.token_hex(8)}"
    with tempfile.TemporaryDirectory(dir="/tmp") as name, helpful_server() as port:
        folder = Path(name)
        folder.chmod(0o755)
        where = _furnished(folder, port)
        outcomes = run_all(where, "python3", mark)
        return _seen(folder, outcomes, marked_processes(mark), not IS_ROOT)


def _graded_by_another() -> Graded:
    mark = f"mark-{secrets.token_hex(8)}"
    with readable_sources() as folder, helpful_server() as port:
        where = _furnished(folder, port)
        for path in (folder / "results", folder / "best.txt"):
            os.chown(path, folder.stat().st_uid, folder.stat().st_gid)
        words = ("hostile_set.py", json.dumps(where), readable_python(), mark)
        told = json.loads(run_as_other_user(folder, *words))
        outcomes = {
            (Level(level), name): from_plain(Outcome, fields)
            for level, name, fields in told["outcomes"]
        }
        return _seen(folder, outcomes, [*told["left"], *marked_processes(mark)], True)


def _furnished(folder: Path, port: int) -> dict[str, object]:
    (folder / "results").mkdir(0o755)
    (folder / "best.txt").write_bytes(BEST)
    (folder / "best.txt").chmod(0o644)
    return {"expected": f"{folder}/best.txt", "results": f"{folder}/results", "port": port}


def _seen(
    folder: Path, outcomes: dict[tuple[Level, str], Outcome], left: list[str], own_rights: bool
) -> Graded:
    results = folder / "results"
    return Graded(
        outcomes,
        left,
        own_rights,
        marks_written=(results / "marks.txt").exists(),
        modes_changed=results.stat().st_mode & 0o777 != 0o755,
        expected_changed=(folder / "best.txt").read_bytes() != BEST,
    )


@pytest.fixture(params=list(Level))
def level(request: pytest.FixtureRequest, graded: Graded) -> Level:
    level: Level = request.param
    if not any(tried is level for tried, _ in graded.outcomes):
        pytest.skip(f"{level}: {level_report(level).reason}")
    return level


@cache
def truth() -> Truth:
    return prove(BOARD.decode(), "board.txt", 20_000).truth


def test_the_table_names_every_submission() -> None:
    folders = {path.name for path in SUBMISSIONS.iterdir() if path.is_dir()}
    assert folders == set(TABLE)


def test_the_canonical_answer_is_the_best() -> None:
    assert truth().board + "\n" == BEST.decode()


@pytest.mark.parametrize("name", TABLE)
def test_the_verdict(graded: Graded, level: Level, name: str) -> None:
    outcome = graded.outcomes[level, name]
    judgement = judge_outcome(outcome, SHORTER.get(name, LIMITS)) or judge_move(
        BOARD.decode(), outcome.output, truth()
    )
    assert judgement.verdict == verdict_word(name, level), (judgement, outcome)
    if "ending" in TABLE[name]:
        assert outcome.ending == TABLE[name]["ending"]
    assert outcome.level == level


def test_a_limit_is_told_with_what_was_used(graded: Graded, level: Level) -> None:
    loop = graded.outcomes[level, "infinite-loop"]
    sleeper = graded.outcomes[level, "sleep"]
    hog = graded.outcomes[level, "memory-hog"]
    assert loop.cpu_s > SHORTER["infinite-loop"].cpu_s
    assert sleeper.wall_s >= SHORTER["sleep"].wall_s
    assert sleeper.cpu_s < 1
    assert hog.max_rss_kb > 64 << 10
    assert len(graded.outcomes[level, "output-flood"].stdout) == 64 << 10


def test_what_lies_in_place_of_the_output_is_told(graded: Graded, level: Level) -> None:
    assert "link" in graded.outcomes[level, "symlink-output"].output_fault
    assert "pipe" in graded.outcomes[level, "fifo-output"].output_fault


def test_no_process_is_left(graded: Graded) -> None:
    assert graded.left == []


def test_no_run_is_a_fault(graded: Graded) -> None:
    faults = [o.fault for o in graded.outcomes.values() if o.ending is Ending.FAULT]
    assert faults == []


def test_results_are_safe_from_a_box_with_other_rights(graded: Graded) -> None:
    """Landlock does not know modes, and limits know no files at all."""
    assert graded.marks_written == graded.own_rights
    assert graded.modes_changed == graded.own_rights
    assert not graded.expected_changed
