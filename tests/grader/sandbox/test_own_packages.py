"""A submission cannot ask the solver that is installed beside the grader."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import grader
import solver

ASKS_OUR_SOLVER = """
import subprocess, sys
sys.exit(subprocess.run([sys.executable, "-m", "solver", *sys.argv[1:]]).returncode)
"""
BOARD = "........\n........\n........\n..b.....\n.r......\n........\n........\n........\n"

# Run by a Python in whose environment both packages are installed.
TELL = """
import json, sys
from grader.limits import Limits
from grader.runner import levels, run_at
from grader.runs import File, Job
source, board = sys.argv[1:]
command = (sys.executable, "{submission}/asks.py", "{input}", "{output}")
job = Job("x", (File("asks.py", source.encode()),), command, "b.txt", board.encode(), Limits())
told = {each.level: run_at(job, each.level).output for each in levels() if each.available}
print(json.dumps({level: output is not None for level, output in told.items()}))
"""


@pytest.fixture(name="python", scope="module")
def _python(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python3*/site-packages")
    for package in (solver, grader):
        assert package.__file__ is not None
        source = Path(package.__file__).parent
        shutil.copytree(source, packages / source.name)
        for library in source.parent.glob("checkmark__mypyc*"):
            shutil.copy(library, packages)
    return str(folder / "bin" / "python")


def test_our_solver_is_hidden_where_a_box_has_files_of_its_own(python: str) -> None:
    done = subprocess.run(
        [python, "-c", TELL, ASKS_OUR_SOLVER, BOARD],
        capture_output=True,
        text=True,
        timeout=120,
        cwd="/",
    )
    assert done.returncode == 0, done.stderr
    answered = json.loads(done.stdout)
    assert answered["limits"], "without isolation it would have worked"
    assert not answered.get("bubblewrap")
    assert not answered.get("namespaces")


def test_what_is_hidden_is_not_needed(python: str) -> None:
    """The same submission with a solver of its own, by the same name, is free to use it."""
    assert sys.executable != python
    own = "import shutil, sys; import solver; shutil.copy(*sys.argv[1:])"
    tell = TELL.replace(
        '(File("asks.py", source.encode()),)',
        '(File("asks.py", source.encode()), File("solver.py", b""))',
    )
    done = subprocess.run(
        [python, "-c", tell, own, BOARD], capture_output=True, text=True, timeout=120, cwd="/"
    )
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout).values()) == {True}
