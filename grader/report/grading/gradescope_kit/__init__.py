"""What Gradescope runs: the files of an autograder, to be completed and zipped."""

from __future__ import annotations

from importlib.resources import files

EXECUTABLE = ("setup.sh", "run_autograder")
NAMES = (*EXECUTABLE, "grader.toml")


def kit() -> dict[str, str]:
    """The texts by file name; those of `EXECUTABLE` are scripts."""
    return {name: (files(__name__) / name).read_text(encoding="utf-8") for name in NAMES}
