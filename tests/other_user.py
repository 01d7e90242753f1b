"""Running a module of the tests as a user without rights, in files that such a user can read."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.sandbox.ways import closed_on_the_way

USER = 64999
ROOT = Path(__file__).resolve().parents[1]
INTERPRETERS = (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3")
IS_ROOT = os.geteuid() == 0


def readable_python() -> str:
    """An interpreter that everybody can start, or an empty string."""
    asked = "import sys; sys.exit(sys.version_info < (3, 11))"
    for path in INTERPRETERS:
        real = os.path.realpath(path)
        if not os.path.exists(real) or closed_on_the_way(path) or closed_on_the_way(real):
            continue
        if subprocess.run([path, "-I", "-c", asked], check=False).returncode == 0:
            return path
    return ""


@contextmanager
def readable_sources() -> Iterator[Path]:
    """A folder with the grader's box and the tests, for everybody to read; it belongs to the
    user without rights."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="other-user-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "grader", folder / "grader", ignore=skipped)
        shutil.copytree(ROOT / "tests/submissions", folder / "submissions", ignore=skipped)
        shutil.copy(ROOT / "tests/hostile_set.py", folder)
        subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
        os.chown(folder, USER, USER)
        yield folder


def run_as_other_user(folder: Path, *words: str) -> str:
    """What a Python command prints; it sees nothing of our environment."""
    done = subprocess.run(
        [readable_python(), *words],
        user=USER,
        group=USER,
        extra_groups=[],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
