"""Fixtures that many tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings
from support.builds import times
from support.command import SHOT

pytest_plugins = ("support.browser",)

# The same examples in every run, and no clock: a busy machine is no reason to fail.
settings.register_profile(
    "checkmark", max_examples=times(300, 100), derandomize=True, deadline=None, database=None
)
settings.load_profile("checkmark")


@pytest.fixture
def shot(tmp_path: Path) -> str:
    """A board on which red wins in 9 plies by giving up a man."""
    path = tmp_path / "shot.txt"
    path.write_text(SHOT)
    return str(path)
