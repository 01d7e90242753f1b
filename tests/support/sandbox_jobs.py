"""Small jobs for tests of the sandbox, and running tests as a user without rights."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import grader
from grader.sandbox.job import File, Job, RunLimits
from grader.sandbox.view import find_closed_folder

LIMITS = RunLimits(cpu_s=10, wall_s=60, memory_mb=256, output_bytes=100_000, processes=32)
INPUT = b"a board\n"
COPY = "import shutil, sys; shutil.copyfile(sys.argv[1], sys.argv[2])"

ROOT = Path(__file__).resolve().parents[2]
IS_ROOT = os.geteuid() == 0
OTHER_USER = 64999
INTERPRETERS = (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3")


def script(source: str, *words: str, **fields: Any) -> Job:
    """A submission of one Python file, called with the input, the output and more words; without
    its `site`, Python starts much faster."""
    files = (File("checkers.py", source.encode()),)
    return job(("python3", "-S", "checkers.py", "{input}", "{output}", *words), files, **fields)


def job(command: tuple[str, ...], files: tuple[File, ...] = (), **fields: Any) -> Job:
    digest = hashlib.sha256(repr(files).encode()).hexdigest()
    fields = {"input_name": "board.txt", "input": INPUT, "limits": LIMITS, **fields}
    return Job(submission=digest, files=files, command=command, **fields)


def eventually(true: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 60
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def readable_python() -> str:
    """An interpreter that every user can start; skips the test if there is none."""
    test = "import sys; sys.exit(sys.version_info < (3, 11))"
    for path in INTERPRETERS:
        real = os.path.realpath(path)
        if not os.path.exists(real) or find_closed_folder(path) or find_closed_folder(real):
            continue
        if subprocess.run([path, "-I", "-c", test], check=False).returncode == 0:
            return path
    pytest.skip("there is no Python that every user can start")


def run_as_other_user(code: str, *words: str) -> str:
    """What Python code prints that a user without rights runs, beside a copy of the grader in a
    folder of that user; it sees nothing of our environment."""
    if not IS_ROOT:
        pytest.skip("only root can become another user")
    python = readable_python()
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="other-user-") as folder:
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(Path(grader.__file__).parent, f"{folder}/grader", ignore=skipped)
        subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
        os.chown(folder, OTHER_USER, OTHER_USER)
        done = subprocess.run(
            [python, "-c", code, *words],
            user=OTHER_USER,
            group=OTHER_USER,
            extra_groups=[],
            cwd=folder,
            env={"PATH": "/usr/bin:/bin", "HOME": folder},
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return done.stdout
