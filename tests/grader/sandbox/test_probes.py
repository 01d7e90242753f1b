"""What `grader doctor` finds: what each level holds, and what it is known not to hold."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from other_user import IS_ROOT, readable_python, readable_sources, run_as_other_user

from grader.sandbox import attacks, excesses
from grader.sandbox.job import Level
from grader.sandbox.probes import PROBES, Held, probe_all
from grader.sandbox.stage import staged

SHARED = {
    "reads the expected answer",
    "writes outside of its folder",
    "uses TCP",
    "uses UDP",
    "uses abstract sockets",
    "sees other processes",
    "leaves a note for later",
}
SAME_USER = {
    "reads the grader's home",
    "reads the grader's environment",
    "changes modes of other files",
    "kills other processes",
}
NOT_HELD_BY_ROOT = {
    Level.BUBBLEWRAP: set[str](),
    Level.NAMESPACES: set[str](),
    Level.LANDLOCK: {"uses UDP"},
    Level.LIMITS: SHARED,
}
NOT_HELD_BY_USER = {
    Level.BUBBLEWRAP: set[str](),
    Level.NAMESPACES: set[str](),
    Level.LANDLOCK: {"uses UDP", "changes modes of other files"},
    Level.LIMITS: SHARED | SAME_USER,
}
AS_JSON = """
import json, sys
from grader.sandbox.probes import probe_all
print(json.dumps([(r.level, r.probe, r.held, r.words) for r in probe_all()]))
"""

Results = list[tuple[str, str, str, str]]


def check(results: Results, not_held: dict[Level, set[str]]) -> None:
    assert len(results) == len(Level) * len(PROBES)
    for level in Level:
        tried = {probe: held for at, probe, held, _ in results if at == level}
        if Held.NOT_APPLICABLE in tried.values():
            assert set(tried.values()) == {Held.NOT_APPLICABLE}
            continue
        found = {probe for probe, held in tried.items() if held == Held.NOT_HELD}
        assert found == not_held[level], [row for row in results if row[2] != Held.HELD]


def test_what_each_level_holds() -> None:
    results = [(r.level.value, r.probe, r.held.value, r.words) for r in probe_all()]
    check(results, NOT_HELD_BY_ROOT if IS_ROOT else NOT_HELD_BY_USER)


def test_what_each_level_holds_for_a_user_without_rights() -> None:
    if not IS_ROOT:
        pytest.skip("only root can become another user")
    if not readable_python():
        pytest.skip("there is no Python that every user can start")
    with readable_sources() as folder:
        check(json.loads(run_as_other_user(folder, "-c", AS_JSON)), NOT_HELD_BY_USER)


HARMLESS = [
    attacks.READS_EXPECTED,
    attacks.READS_HOME,
    attacks.READS_ENVIRONMENT,
    attacks.USES_TCP,
    attacks.USES_LOCAL_SOCKETS,
    attacks.SEES_PROCESSES,
    excesses.TAKES_MEMORY_TOGETHER.replace("time.sleep(5)", ""),
    excesses.TAKES_TIME.replace("< 5", "< 0.1"),
    excesses.SLEEPS.replace("sleep(20)", "sleep(0.1)"),
    excesses.TAKES_SHARED_MEMORY,
    excesses.FLOODS_STDOUT,
    excesses.FLOODS_OUTPUT,
    excesses.FORKS.replace("count < 300", "count < 20")
    .replace("sleep(30)", "sleep(1)")
    .replace("sleep(2)", "sleep(0)"),
]


@pytest.mark.parametrize("attack", HARMLESS)
def test_an_attack_works_where_there_is_no_box(attack: str, tmp_path: os.PathLike[str]) -> None:
    with staged() as stage, open(f"{os.fspath(tmp_path)}/stdout", "wb") as stdout:
        with open(f"{os.fspath(tmp_path)}/where.json", "wb") as file:
            file.write(stage.as_json())
        command = [sys.executable, "-c", attacks.PRELUDE + attack, "board.txt", "output.txt"]
        done = subprocess.run(command, cwd=tmp_path, stdout=stdout, check=False, timeout=60)
    assert done.returncode == attacks.SUCCEEDED


def test_the_stage_leaves_nothing_behind() -> None:
    with staged() as stage:
        folder, victim = stage.folder, stage.victim
        assert stage.secret.exists()
    assert not folder.exists()
    assert victim.poll() is not None
