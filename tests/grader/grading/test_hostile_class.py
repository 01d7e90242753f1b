"""A whole class of hostile programs and attacks, graded by the real command."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tomllib
from pathlib import Path

import pytest
from support.grader_command import grader, records

from grader.sandbox.attacks import ATTACKS, SCRIPT, find_processes, open_stage
from grader.sandbox.client import choose_level
from grader.sandbox.job import Ending, Level, Sandbox

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
NOSY = """
import glob, os, sys
found = str(os.environ)
for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        found += open(path).read()
    except OSError:
        pass
sys.stderr.write(found)
open(sys.argv[2], "w").write(found)
"""
LIMITS = {"memory_mb": 128, "output_bytes": 100_000, "processes": 24}
SETTINGS = f"""
call = "python3 -S {{submission}}/checkers.py {{input}} {{output}} {MARK}"
[limits]
cpu = 1
wall = 8
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


@pytest.mark.slow
def test_a_hostile_class_gets_its_verdicts_and_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = tmp_path
    level = choose_level(Sandbox.AUTO)
    if level is not Level.BUBBLEWRAP:
        pytest.skip(f"at the level {level}, some attacks succeed")
    wanted = {name: {verdict} for name, verdict in VERDICTS.items()}
    for attack in ATTACKS:
        wanted[attack.name] = {VERDICT_OF_ENDING[ending] for ending in attack.endings}
    wanted["closes its output"] = wanted["nosy"] = {"malformed"}
    for kind, name in (("inputs", "board.txt"), ("expected", "best.txt")):
        (folder / kind).mkdir()
        shutil.copy(SUBMISSIONS / name, folder / kind / "puzzle.txt")
    (folder / "results").mkdir()
    (folder / "grader.toml").write_text(SETTINGS)
    with open_stage() as stage:
        where = stage.facts(
            **LIMITS, secret=f"{folder}/expected/puzzle.txt", open_folder=f"{folder}/results"
        )
        for name in VERDICTS:
            shutil.copytree(SUBMISSIONS / name, folder / "submissions" / name)
        for attack in ATTACKS:
            place = folder / "submissions" / attack.name
            place.mkdir()
            shutil.copy(SCRIPT, place / "checkers.py")
            (place / "where.json").write_text(json.dumps({**where, "attack": attack.name}))
        (folder / "submissions/nosy").mkdir()
        (folder / "submissions/nosy/checkers.py").write_text(NOSY)
        before = snapshot(folder)
        result = grader(
            *("class", "submissions", "-j", "4", "-o", "records"),
            cwd=folder,
            environment={"PASSWORD": SECRET},
        )
        assert result.returncode == 0, result.stderr
        told = {each["submission"]: each for each in records(result.stdout)}
        assert told.keys() == wanted.keys()
        verdicts = {name: record["verdict"] for name, record in told.items()}
        assert {n: v for n, v in verdicts.items() if v not in wanted[n]} == {}
        assert "PATH" in told["nosy"]["staff"], "it did look"
        assert find_processes(MARK) == []
        assert snapshot(folder) == before
        assert SECRET not in result.stdout
        assert stage.victim.poll() is None
