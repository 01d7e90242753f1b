"""Fixtures that many tests share."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from support.builds import times
from support.command import SHOT

pytest_plugins = ("support.browser",)

# Some machines forbid compiled modules on disk; then every program that a test starts would
# compile all of its modules again, which takes longer than what it does.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_configure() -> None:
    """The same examples in every run, and no clock: a busy machine is no reason to fail."""
    from hypothesis import HealthCheck, settings  # which pytest compiles: once, for all workers

    settings.register_profile(
        "checkmark",
        max_examples=times(300, 20),
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("checkmark")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """The whole suite runs in parallel if pytest-xdist is there; `-n 0` turns that off.  Many tests
    wait for other processes, so there are more workers than cores."""
    whole = config.args_source is not pytest.Config.ArgsSource.ARGS
    if whole and getattr(config.option, "numprocesses", 0) is None and not is_worker(config):
        config.option.numprocesses = (os.cpu_count() or 1) + 1
        config.option.dist = "worksteal"


def is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


@pytest.fixture(scope="session", autouse=True)
def _cache_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What the grader remembers about puzzles stays out of the user's own folder."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def shot(tmp_path: Path) -> str:
    """A board on which red wins in 9 plies by giving up a man."""
    path = tmp_path / "shot.txt"
    path.write_text(SHOT)
    return str(path)
