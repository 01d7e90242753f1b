"""Fixtures that many tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import SHOT

pytest_plugins = ("support.browser",)


@pytest.fixture
def shot(tmp_path: Path) -> str:
    """A board on which red wins in 9 plies by giving up a man."""
    path = tmp_path / "shot.txt"
    path.write_text(SHOT)
    return str(path)
