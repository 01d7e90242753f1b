"""What `run` and `class` have in common on the command line, and the plan it makes."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.cli.forms import Form, add_forms
from grader.cli.sitting import Place
from grader.grading.plan import Mode, Plan
from grader.grading.records import Feedback
from grader.puzzles.evidence import truth_of
from grader.puzzles.find import Case, find_cases, secret_files
from grader.puzzles.settings import FILE_NAME, Settings, read_settings
from grader.puzzles.truth import Truth, parse_value
from grader.report import GRADING_FORMATS
from grader.sandbox.job import (
    LEAST_MEGABYTES,
    MOST_MEGABYTES,
    MOST_OUTPUT,
    MOST_SECONDS,
    Limits,
    Sandbox,
)
from grader.submissions.find import Submission
from solver.cli.console import tell
from solver.cli.options import amount, number, one_of
from solver.errors import UserError, counted

JOURNAL = "grades.db"


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser)
    add_judging(parser)
    add_limits(parser)
    add_running(parser)
    results = parser.add_argument_group("results")
    add_forms(results, GRADING_FORMATS)
    add_feedback(results)
    add_settings(results)


def add_puzzles(parser: argparse.ArgumentParser) -> None:
    puzzles = parser.add_argument_group("puzzles")
    puzzles.add_argument("--inputs", metavar="DIR", help="the boards (default: inputs)")
    puzzles.add_argument("--expected", metavar="DIR", help="the answers (default: expected)")
    puzzles.add_argument("-q", dest="puzzle", metavar="NAME", help="only this puzzle")
    puzzles.add_argument("-k", dest="word", metavar="WORD", help="only those with WORD in the name")


def add_settings(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--settings", metavar="FILE", help="settings (default: grader.toml, if there is one)"
    )


def add_judging(parser: argparse.ArgumentParser) -> None:
    judging = parser.add_argument_group("judging")
    mode = judging.add_mutually_exclusive_group()
    mode.add_argument("--line", action="store_true", help="answers are whole lines of boards")
    mode.add_argument(
        "--play", action="store_true", help="play each puzzle out against the best defence"
    )
    judging.add_argument(
        "--strict", action="store_true", help="refuse trailing spaces, CRLF and the like"
    )
    judging.add_argument(
        "--repeat", metavar="N", type=number(1, 100), help="run N times; the worst answer counts"
    )


def add_limits(parser: argparse.ArgumentParser) -> None:
    usual = Limits()
    limits = parser.add_argument_group("limits on one puzzle")
    limits.add_argument(
        "--timeout",
        metavar="S",
        type=amount("seconds", MOST_SECONDS),
        help=f"processor time (default: {usual.cpu_s:g})",
    )
    limits.add_argument(
        "--wall",
        metavar="S",
        type=amount("seconds", MOST_SECONDS),
        help=f"time on the clock (default: {usual.wall_s:g}, or 3 x --timeout)",
    )
    limits.add_argument(
        "--memory",
        metavar="MB",
        type=number(LEAST_MEGABYTES, MOST_MEGABYTES),
        help=f"(default: {usual.memory_mb})",
    )
    limits.add_argument(
        "--output-limit",
        metavar="BYTES",
        type=number(1, MOST_OUTPUT),
        help=f"for every file it writes (default: {usual.output_bytes})",
    )


def add_running(parser: argparse.ArgumentParser) -> None:
    running = parser.add_argument_group("running")
    add_jobs(running)
    running.add_argument(
        "--sandbox",
        metavar="LEVEL",
        type=one_of(*Sandbox),
        help="require the strongest box, auto, or off for your own code (default: auto)",
    )
    running.add_argument(
        "--scheduler", metavar="URL", help="run on a dask cluster: tcp://127.0.0.1:8786"
    )
    add_journal(running)


def add_jobs(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "-j",
        dest="jobs",
        metavar="N",
        type=number(1, 1000),
        help="so many at once (default: cores)",
    )


def add_fail_under(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--fail-under",
        metavar="PCT",
        type=amount("percent", most=100),
        help="exit with 1 if a class has less of the marks",
    )


def add_feedback(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--feedback",
        metavar="LEVEL",
        type=one_of(*Feedback),
        help="full, own (nothing about the right answer) or verdict",
    )


def add_journal(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--journal", metavar="FILE", default=JOURNAL, help=f"(default: {JOURNAL})")


def jobs_of(arguments: argparse.Namespace) -> int:
    """As many as asked for, or one for each core."""
    jobs: int = arguments.jobs or len(os.sched_getaffinity(0))
    return jobs


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The settings file, with what the command line says put in front."""
    settings = file_settings(arguments)
    said: dict[str, Any] = {
        "inputs": arguments.inputs and Path(arguments.inputs),
        "expected": arguments.expected and Path(arguments.expected),
        "feedback": arguments.feedback and Feedback(arguments.feedback),
        "mode": Mode.LINE if arguments.line else Mode.PLAY if arguments.play else None,
        "limits": _limits(arguments, settings.limits),
    }
    return replace(settings, **{key: value for key, value in said.items() if value is not None})


def file_settings(arguments: argparse.Namespace) -> Settings:
    """What the settings file says, if there is one."""
    path = _settings_file(arguments)
    if path is None:
        return Settings()
    settings = read_settings(path)
    tell(f"grader: settings from {path}")
    return settings


def _settings_file(arguments: argparse.Namespace) -> Path | None:
    """The one that is named; or the one here, or beside the puzzles, if there is one."""
    if arguments.settings is not None:
        return Path(arguments.settings)
    inputs = Path(arguments.inputs or "inputs")
    places = [Path(), inputs if inputs.is_dir() else inputs.parent, inputs.parent]
    found = [place / FILE_NAME for place in places if (place / FILE_NAME).is_file()]
    return found[0] if found else None


def _limits(arguments: argparse.Namespace, limits: Limits) -> Limits:
    said = {
        "cpu_s": arguments.timeout,
        "wall_s": arguments.wall,
        "memory_mb": arguments.memory,
        "output_bytes": arguments.output_limit,
    }
    return limits.changed(**{key: value for key, value in said.items() if value is not None})


def cases_of(arguments: argparse.Namespace, settings: Settings) -> list[Case]:
    cases, warnings = find_cases(
        settings.inputs or Path("inputs"),
        settings.expected,
        settings.about,
        settings.points,
        settings.visibility,
        name=arguments.puzzle,
        word=arguments.word,
    )
    for warning in warnings:
        tell(f"grader: {warning}")
    return _won(cases) if settings.mode is Mode.LINE else cases


def _won(cases: list[Case]) -> list[Case]:
    """The puzzles of which it is known how long a line to the end must be."""
    won = [case for case in cases if _is_won(truth_of(case))]
    if not won:
        raise UserError("--line: none of these puzzles is proven to be won: no line to judge.")
    if len(won) < len(cases):
        tell(f"grader: left out, not proven to be won: {counted(len(cases) - len(won), 'puzzle')}")
    return won


def _is_won(truth: Truth) -> bool:
    value = parse_value(truth.value) if truth.moves else None
    return value is not None and value.proven and value.result > 0


def secret_paths(arguments: argparse.Namespace, settings: Settings) -> list[Path]:
    """What must not travel into a box with a submission."""
    return [
        *secret_files(settings.inputs or Path("inputs"), settings.expected),
        *(Path(f"{arguments.journal}{end}") for end in ("", "-wal", "-shm")),
        *(Path(each.path) for each in arguments.outputs or ()),
    ]


def place_of(arguments: argparse.Namespace, outputs: list[Form]) -> Place:
    return Place(Path(arguments.journal), jobs_of(arguments), arguments.scheduler, outputs)


def planned(
    arguments: argparse.Namespace,
    settings: Settings,
    submissions: list[Submission],
    cases: list[Case],
    title: str,
    whole_class: bool = False,
) -> Plan:
    return Plan(
        submissions=tuple(submissions),
        cases=tuple(cases),
        limits=settings.limits,
        whole_class=whole_class,
        mode=settings.mode,
        repeat=arguments.repeat or 1,
        slower=settings.slower,
        strict=arguments.strict,
        sandbox=Sandbox(arguments.sandbox or Sandbox.AUTO),
        feedback=settings.feedback,
        title=title,
        outputs=tuple(str(each) for each in arguments.outputs or ()),
    )
