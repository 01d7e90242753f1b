"""What the grader needs besides the standard library, and where reports are filtered."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.import_walk import ROOT

REPORTS = ROOT / "grader" / "report"

pytestmark = pytest.mark.skipif(not REPORTS.is_dir(), reason="needs the source tree")


def test_reports_are_filtered_in_one_place() -> None:
    filtering = [
        file.name for file in REPORTS.glob("*.py") if "filter_report(" in file.read_text("utf-8")
    ]
    assert filtering == ["__init__.py"]


def test_what_is_not_installed_is_named_before_any_work() -> None:
    """`-S` hides everything that was ever installed."""
    command = [sys.executable, "-S", "-m", "grader", "run", "--inputs", "nowhere"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    advice = f"Try '{sys.executable} -m pip install tabulate tqdm'."
    message = f"grader: The grader needs tabulate and tqdm. {advice}\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)
