"""`grader.toml`: what is read from it, and what is said about mistakes."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import grader.settings
from grader.cases import About
from grader.limits import Limits
from grader.plan import Mode
from grader.records import Feedback, Visibility
from grader.settings import Settings, read_settings


def written(folder: Path, text: str) -> Path:
    path = folder / "grader.toml"
    path.write_text(textwrap.dedent(text))
    return path


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    assert read_settings(written(tmp_path, "")) == Settings()


def test_everything_can_be_set(tmp_path: Path) -> None:
    """The example in the documentation of the module is such a file."""
    example = re.search(r"\n\n(    call.*?)\n\n(?=\S)", str(grader.settings.__doc__), re.DOTALL)
    assert example is not None
    settings = read_settings(written(tmp_path, example[1]))
    assert settings == Settings(
        limits=Limits(10.0, 60.0, 1024, 1_000_000, 64),
        mode=Mode.MOVE,
        call="python3 {submission}/checkers.py {input} {output}",
        inputs=tmp_path / "inputs",
        expected=tmp_path / "expected",
        feedback=Feedback.OWN,
        slower=0.5,
        points=1.0,
        visibility=Visibility.VISIBLE,
        about=(
            About(
                "jumps",
                ("checkers/double-jump*", "compulsory-*"),
                2.0,
                Visibility.AFTER_DUE_DATE,
            ),
            About("", ("checkers/opening",), 5.0, Visibility.HIDDEN),
        ),
    )


def test_one_limit_leaves_the_others(tmp_path: Path) -> None:
    settings = read_settings(written(tmp_path, "[limits]\ncpu = 2.5\n"))
    assert settings.limits == Limits(cpu_s=2.5)
