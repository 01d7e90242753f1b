"""Interpreters and scratch folders behind doors that a box's user may not open."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest
from other_user import IS_ROOT

from grader.sandbox.job import Level
from grader.sandbox.levels import level_report

ROOT = Path(__file__).resolve().parents[3]
GRADER = """
import os, sys
sys.path[:0] = [{root!r}, {root!r} + "/tests"]
from box_jobs import job
from grader.sandbox import pool
from grader.sandbox.job import Level
from grader.runner import run_at
from grader.runs import File
pool.MEMORY = "/no/such/folder"
source = '''
import os, sys
print(sys.prefix, os.getuid())
try:
    print(os.listdir(sys.argv[3]), open(sys.argv[3] + "/secret").read())
except OSError as error:
    print(error.strerror)
open(sys.argv[2], "w").write("answer")
'''
command = ("python3", "checkers.py", "{{input}}", "{{output}}", {closed!r})
outcome = run_at(job(command, (File("checkers.py", source.encode()),)), Level({level!r}))
print(outcome.ending.value, outcome.fault, outcome.stdout.decode(), outcome.stderr.decode())
print(outcome.output)
"""


@pytest.fixture(scope="module")
def closed() -> Iterator[Path]:
    """A folder for its owner alone, with a virtual environment and room for scratch files."""
    if not IS_ROOT:
        pytest.skip("only root runs boxes as another user")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        assert folder.stat().st_mode & 0o777 == 0o700
        venv.create(folder / "venv", with_pip=False)
        (folder / "tmp").mkdir()
        (folder / "secret").write_text("expected")
        (folder / "secret").chmod(0o644)
        yield folder


@pytest.mark.parametrize("level", list(Level))
def test_a_box_reaches_its_interpreter_and_nothing_else(closed: Path, level: Level) -> None:
    report = level_report(level)
    if not report.available:
        pytest.skip(f"{level}: {report.reason}")
    code = GRADER.format(root=str(ROOT), level=level.value, closed=str(closed))
    environment = {
        **os.environ,
        "PATH": f"{closed}/venv/bin:/usr/bin:/bin",
        "TMPDIR": f"{closed}/tmp",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert f"{closed}/venv" in done.stdout
    assert "b'answer'" in done.stdout
    assert "expected" not in done.stdout
    assert os.listdir(closed / "tmp") == []
