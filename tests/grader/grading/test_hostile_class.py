"""A whole class of hostile programs and attacks, graded by the real command."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tomllib
from pathlib import Path

import pytest
from support.grader_command import grader, hand_in, records

from grader.sandbox import Ending, Sandbox, choose_level
from grader.sandbox.attacks import ATTACKS, SCRIPT, find_processes, open_stage

SUBMISSIONS = Path(__file__).parents[2] / "submissions"
VERDICTS: dict[str, str] = tomllib.loads((SUBMISSIONS / "verdicts.toml").read_text())
VERDICT_OF_ENDING = {
    Ending.EXIT: "missing",  # without an answer
    Ending.SIGNAL: "crash",
    Ending.CPU: "timeout",
    Ending.WALL: "timeout",
    Ending.MEMORY: "memory",
    Ending.OUTPUT: "output-limit",
}
MARK = f"a-program-of-hostile-class-{os.getpid()}"
SECRET = "the-instructor-has-a-password"
# Answers with whatever it can find of the environment of others.
NOSY = """#!/bin/sh
{ env; cat /proc/*/environ; } 2>/dev/null | tr '\\0' '\\n' | tee $2 >&2
"""
LIMITS = {"memory_mb": 128, "output_bytes": 100_000, "processes": 24}
SETTINGS = f"""
call = "python3 -S {{submission}}/checkers.py {{input}} {{output}} {MARK}"
[limits]
cpu = 0.3
wall = 6
memory = {LIMITS["memory_mb"]}
output = {LIMITS["output_bytes"]}
processes = {LIMITS["processes"]}
"""


def snapshot(folder: Path) -> dict[str, str]:
    """The content and mode of every file, without what the grader itself writes."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        + oct(path.stat().st_mode)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith("grades.db")
    }


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    for kind, name in (("inputs", "board.txt"), ("expected", "best.txt")):
        (tmp_path / kind).mkdir()
        shutil.copy(SUBMISSIONS / name, tmp_path / kind / "puzzle.txt")
    (tmp_path / "results").mkdir()
    return tmp_path


def test_a_hostile_class_gets_its_verdicts_and_leaves_nothing_behind(folder: Path) -> None:
    level = choose_level(Sandbox.AUTO)
    if not level.has_own_root:
        pytest.skip(f"at the level {level}, some attacks succeed")
    wanted = {name: {verdict} for name, verdict in VERDICTS.items()}
    for attack in ATTACKS:
        wanted[attack.function] = {VERDICT_OF_ENDING[ending] for ending in attack.endings}
    wanted["closes_output"] = {"malformed"}
    (folder / "grader.toml").write_text(SETTINGS)
    with open_stage() as stage:
        where = stage.facts(
            **LIMITS, secret=f"{folder}/expected/puzzle.txt", open_folder=f"{folder}/results"
        )
        for name in VERDICTS:
            shutil.copytree(SUBMISSIONS / name, folder / "submissions" / name)
        for attack in ATTACKS:
            place = folder / "submissions" / attack.function
            place.mkdir()
            shutil.copy(SCRIPT, place / "checkers.py")
            (place / "where.json").write_text(json.dumps({**where, "attack": attack.function}))
        before = snapshot(folder)
        result = grader(
            *("class", "submissions", "-j", "4", "-o", "jsonl"),
            cwd=folder,
            environment={"PASSWORD": SECRET},
        )
        assert result.returncode == 0, result.stderr
        verdicts = {each["submission"]: each["verdict"] for each in records(result.stdout)}
        assert verdicts.keys() == wanted.keys()
        assert {n: v for n, v in verdicts.items() if v not in wanted[n]} == {}
        assert find_processes(MARK) == []
        assert snapshot(folder) == before
        assert SECRET not in result.stdout
        assert stage.victim.poll() is None


def test_the_nosy_program_sees_nothing_of_the_grader(folder: Path) -> None:
    """What it finds is in its answer and in its messages, both of which are recorded."""
    if choose_level(Sandbox.AUTO).value == "limits":
        pytest.skip("this machine offers no isolation")
    hand_in(folder, "nosy", NOSY)
    result = grader(
        *("class", "submissions", "-o", "jsonl"), cwd=folder, environment={"PASSWORD": SECRET}
    )
    (told,) = records(result.stdout)
    assert "PATH=" in told["staff"], "it did look"
    assert SECRET not in result.stdout
