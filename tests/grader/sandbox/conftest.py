"""What the tests of the sandbox share."""

from __future__ import annotations

import pytest

from grader.sandbox.client import level_report
from grader.sandbox.job import Level


@pytest.fixture(params=list(Level))
def level(request: pytest.FixtureRequest) -> Level:
    level: Level = request.param
    report = level_report(level)
    if not report.available:
        pytest.skip(f"{level}: {report.reason}")
    return level
