"""Fixtures that many tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support.builds import times
from support.command import SHOT

pytest_plugins = ("support.browser",)

# Processes that tests start use the bytecode of earlier ones.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONPYCACHEPREFIX"] = str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")

# The same examples in every run, and no clock: a busy machine is no reason to fail.
settings.register_profile(
    "checkmark",
    max_examples=times(300, 30),
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("checkmark")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """The whole suite runs on all cores if pytest-xdist is there; `-n 0` does not."""
    whole = config.args_source is not pytest.Config.ArgsSource.ARGS
    if whole and getattr(config.option, "numprocesses", 0) is None and not is_worker(config):
        config.option.numprocesses = "auto"
        config.option.dist = "worksteal"


def is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


@pytest.fixture
def shot(tmp_path: Path) -> str:
    """A board on which red wins in 9 plies by giving up a man."""
    path = tmp_path / "shot.txt"
    path.write_text(SHOT)
    return str(path)
