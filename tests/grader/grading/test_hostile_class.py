"""A whole class of hostile programs, graded by the real command, three times."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
from grader_command import grader, hand_in, records
from hostile_set import BEST, BOARD, SUBMISSIONS, TABLE, helpful_server, marked_processes

from grader.runner import chosen_level
from grader.runs import Sandbox

MARK = f"a-program-of-hostile-class-{os.getpid()}"
SECRET = "the-instructor-has-a-password"
# Answers with whatever it can find of the environment of others.
NOSY = """#!/bin/sh
{ env; cat /proc/*/environ; } 2>/dev/null | tr '\\0' '\\n' | tee $2 >&2
"""
SETTINGS = f"""
call = "python3 {{submission}}/checkers.py {{input}} {{output}} {MARK}"
[limits]
cpu = 1
wall = 3
memory = 128
output = 100000
processes = 24
"""


def snapshot(folder: Path) -> dict[str, str]:
    """The content of every file, without what the grader itself writes."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith("grades.db")
    }


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    for kind, content in (("inputs", BOARD), ("expected", BEST)):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / "puzzle.txt").write_bytes(content)
    (tmp_path / "results").mkdir()
    return tmp_path


def hand_in_all(folder: Path, port: int) -> None:
    where = {
        "expected": str(folder / "expected/puzzle.txt"),
        "results": str(folder / "results"),
        "port": port,
    }
    for name in TABLE:
        shutil.copytree(SUBMISSIONS / name, folder / "submissions" / name)
        (folder / "submissions" / name / "where.json").write_text(json.dumps(where))


def test_every_grading_gives_the_same_verdicts_and_leaves_nothing_behind(folder: Path) -> None:
    level = chosen_level(Sandbox.AUTO)
    verdicts = {name: row.get(level.value, row["verdict"]) for name, row in TABLE.items()}
    (folder / "grader.toml").write_text(SETTINGS)
    with helpful_server() as port:
        hand_in_all(folder, port)
        before = snapshot(folder)
        os.chmod(folder / "results", 0o755)
        for _ in range(3):
            result = grader(
                *("class", "submissions", "-j", "2", "-o", "jsonl"),
                cwd=folder,
                environment={"PASSWORD": SECRET},
            )
            assert result.returncode == 0, result.stderr
            told = {each["submission"]: each for each in records(result.stdout)}
            assert {name: each["verdict"] for name, each in told.items()} == verdicts
            assert marked_processes(MARK) == []
            if level.value != "limits":
                assert snapshot(folder) == before
                assert SECRET not in result.stdout


def test_the_nosy_program_sees_nothing_of_the_grader(folder: Path) -> None:
    """What it finds is in its answer and in its messages, both of which are recorded."""
    if chosen_level(Sandbox.AUTO).value == "limits":
        pytest.skip("this machine gives no isolation")
    hand_in(folder, "nosy", NOSY)
    result = grader(
        *("class", "submissions", "-o", "jsonl"), cwd=folder, environment={"PASSWORD": SECRET}
    )
    (told,) = records(result.stdout)
    assert "PATH=" in told["staff"], "it did look"
    assert SECRET not in result.stdout
