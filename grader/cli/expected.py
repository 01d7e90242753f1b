"""The puzzles of a grading.  Their expected answers are checked first: a wrong one would give every
student wrong marks.  Only proven facts stop a grading.  What the solver finds is what the judge
uses; it is remembered in the user's cache folder, so that the next grading proves nothing again."""

from __future__ import annotations

import argparse
import json
import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from grader.cli.options import cases_of, jobs_of, progress, write_inside
from grader.grading.plan import Mode
from grader.grading.records import digest
from grader.grading.workers import run_in_processes
from grader.puzzles.evidence import DEPTH, NODES, truth_or_fault
from grader.puzzles.find import Case
from grader.puzzles.settings import Settings
from grader.puzzles.truth import SCHEMA, Truth
from grader.sandbox.job import as_plain, from_plain
from solver import __version__
from solver.cli.console import tell
from solver.errors import FileError, UserError, counted

FOR_A_PROCESS = 4  # puzzles that take longer to prove than a process to start
NOT_COUNTED = "; it does not count for anyone."
ADVICE = "Correct the files{}."
OR_TRUST = ", or add --trust-expected to grade all the same"


def graded_cases(arguments: argparse.Namespace, settings: Settings) -> list[Case]:
    """The puzzles that the command line and the settings name, fit to be graded by."""
    trust = getattr(arguments, "trust_expected", None)  # a kit must not
    cases = check_expected(cases_of(arguments, settings), jobs_of(arguments), trust)
    return _select_won(cases) if settings.mode is Mode.LINE else cases


def _select_won(cases: list[Case]) -> list[Case]:
    """The puzzles of which it is known how long a line to the end must be."""
    won = []
    for case in cases:
        truth = truth_or_fault(case)
        value = None if isinstance(truth, str) else truth.value
        if value is not None and value.proven and value.result > 0:
            won.append(case)
    if not won:
        raise UserError("--line: none of these puzzles is proven to be won: no line to judge.")
    if len(won) < len(cases):
        tell(f"grader: left out, not proven to be won: {counted(len(cases) - len(won), 'puzzle')}")
    return won


def check_expected(cases: list[Case], jobs: int, trust: bool | None) -> list[Case]:
    """The puzzles with the truth about each.  Raises `UserError` with everything that is proven to
    be wrong, unless that is to be trusted; what has no truth at all then counts for nobody."""
    truths = _find_truths(cases, jobs)
    checked, faults = [], []
    for case, truth in zip(cases, truths, strict=True):
        if isinstance(truth, str):
            fault = truth.split("\n")[0].rstrip(".") + (NOT_COUNTED if trust else ".")
            checked.append(replace(case, points=0.0))
        else:
            fault = _find_fault(case, truth)
            checked.append(case if case.proof else replace(case, truth=truth))
        faults += [fault] if fault else []
    if faults and not trust:
        summary = f"Wrong: {len(faults)} of {counted(len(cases), 'expected answer')}."
        advice = ADVICE.format("" if trust is None else OR_TRUST)
        raise UserError("\n".join([*faults, f"{summary} {advice}"]))
    for fault in faults:
        tell(f"grader: {fault}")
    return checked


def _find_fault(case: Case, truth: Truth) -> str:
    found = truth.find_better()
    if found is None:
        return ""
    (given, best), name = found, case.expected_path
    value = str(given.value) if given.value.certain else "no win proven"
    return f"{name}: shows {given.name} ({value}); {best.name} is better ({best.value})."


def _find_truths(cases: list[Case], jobs: int) -> list[Truth | str]:
    """Of each puzzle, or why there is none."""
    found = [truth_or_fault(case) if case.proof else _recall(case) for case in cases]
    left = [at for at, truth in enumerate(found) if truth is None]
    if left:
        with progress(len(left), "expected answer") as advance:
            unknown, number = [cases[at] for at in left], min(jobs, len(left) // FOR_A_PROCESS)
            for at, truth in run_in_processes(truth_or_fault, unknown, number):
                found[left[at]] = truth
                _remember(unknown[at], truth)
                advance()
    return [truth for truth in found if truth is not None]


def _place(case: Case) -> Path:
    """Where the truth about a puzzle is remembered; `RuntimeError` if there is no home."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    content = case.text, case.expected.decode("utf-8", "replace")
    name = digest(case.game, *content, DEPTH, NODES, SCHEMA, __version__)
    return Path(cache, "checkmark", "truths", f"{name}.json")


def _recall(case: Case) -> Truth | None:
    with suppress(OSError, ValueError, TypeError, KeyError, RuntimeError):
        return from_plain(Truth, json.loads(_place(case).read_text("utf-8")))
    return None


def _remember(case: Case, truth: Truth | str) -> None:
    """A folder that cannot be written to only costs time."""
    if not isinstance(truth, str):
        with suppress(FileError, RuntimeError):
            write_inside(_place(case), json.dumps(as_plain(truth)))
