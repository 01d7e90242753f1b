"""Choosing a level, and what is said where the strongest is missing."""

from __future__ import annotations

import pytest
from box_jobs import script

from grader.runner import Refused, chosen_level, run
from grader.runs import Ending, Sandbox
from grader.sandbox import bubblewrap, levels
from grader.sandbox.job import Level


@pytest.fixture
def without_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "PROGRAM", "")
    monkeypatch.setattr(levels, "_reports", {})


def test_all_levels_are_told_and_the_last_is_always_there() -> None:
    reports = levels.level_reports()
    assert [report.level for report in reports] == list(Level)
    assert reports[-1].available
    assert all(report.available or report.reason for report in reports)


def test_auto_is_the_strongest_available() -> None:
    best = next(report.level for report in levels.level_reports() if report.available)
    assert chosen_level(Sandbox.AUTO) is best
    assert chosen_level(Sandbox.OFF) is Level.LIMITS


@pytest.mark.usefixtures("without_bubblewrap")
def test_a_lower_level_is_refused_where_the_strongest_is_required() -> None:
    with pytest.raises(Refused, match=r"bwrap is not installed.*--sandbox auto"):
        chosen_level(Sandbox.REQUIRE)
    outcome = run(script("print()", sandbox=Sandbox.REQUIRE))
    assert outcome.ending is Ending.FAULT
    assert "bwrap is not installed" in outcome.fault


@pytest.mark.usefixtures("without_bubblewrap")
def test_auto_goes_on_with_less() -> None:
    assert chosen_level(Sandbox.AUTO) is not Level.BUBBLEWRAP
    assert run(script("print('hello')")).stdout == b"hello\n"


def test_only_weak_levels_warn() -> None:
    assert not Level.BUBBLEWRAP.warning
    assert not Level.NAMESPACES.warning
    assert "UDP" in Level.LANDLOCK.warning
    assert "expected files" in Level.LIMITS.warning
    assert "network" in Level.LIMITS.warning
