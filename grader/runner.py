"""The old name of `grader.sandbox.client`."""

from grader.sandbox import Level, LevelReport, Refused, run, run_at, stop
from grader.sandbox import choose_level as chosen_level
from grader.sandbox import level_reports as levels

__all__ = ["Level", "LevelReport", "Refused", "chosen_level", "levels", "run", "run_at", "stop"]
