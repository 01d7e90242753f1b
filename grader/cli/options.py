"""What `run` and `class` have in common on the command line, and the plan it makes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from grader.grading.journal import Journal, read_journal
from grader.grading.plan import Mode, Plan
from grader.grading.records import Feedback, Report
from grader.puzzles.evidence import truth_of
from grader.puzzles.find import Case, find_cases, secret_files
from grader.puzzles.settings import FILE_NAME, Settings, read_settings
from grader.puzzles.truth import Truth
from grader.report import GRADING_FORMATS, render_grading
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
from solver.cli.files import check_output, write_text
from solver.cli.options import Parser, amount, number, one_of
from solver.errors import FileError, UserError, counted, did_you_mean

# `-o FORMAT[:FILE]`: where results go, and in which form.


STDOUT = "-"
TABLE = "table"


@dataclass(frozen=True)
class Form:
    """A format, and where it goes."""

    name: str
    path: str = STDOUT

    def __str__(self) -> str:
        return f"{self.name}:{self.path}"


def form_of(known: Collection[str]) -> Callable[[str], Form]:
    """What `-o` says, for the argument parser."""

    def form(word: str) -> Form:
        name, colon, path = word.partition(":")
        if name not in known:
            hint = did_you_mean(name, list(known))
            raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(known)}.{hint}")
        if colon and not path:
            raise argparse.ArgumentTypeError(f"{word!r}: the name of the file is missing")
        return Form(name, os.path.abspath(path) if path and path != STDOUT else STDOUT)

    return form


def add_forms(parser: argparse._ActionsContainer, known: Collection[str]) -> None:
    parser.add_argument(
        "-o",
        dest="outputs",
        metavar="FORMAT[:FILE]",
        type=form_of(known),
        action="append",
        help=f"{', '.join(known)}; to standard output without a file; may be repeated",
    )


def checked_forms(forms: list[Form] | None, journal: str | Path | None = None) -> list[Form]:
    """With the table, if nothing else goes to the screen; fails if one cannot be written, or is
    the place of another or of the journal."""
    found = list(forms or [])
    for each in found:
        check_output(each.path)
    paths = [each.path if each.path == STDOUT else os.path.realpath(each.path) for each in found]
    if journal is not None and os.path.realpath(journal) in paths:
        raise UserError(f"-o: {journal} is the journal. Name another file.")
    for path in paths:
        if paths.count(path) > 1:
            name = "standard output" if path == STDOUT else path
            raise UserError(f"-o: two results cannot both go to {name}. Name another file.")
    return found if STDOUT in paths else [Form(TABLE), *found]


def write_forms(forms: list[Form], render: Callable[[str], str], remedy: str = "") -> None:
    """Every result; one that cannot be written does not keep the others back.

    Files come first: who reads standard output may go away, as `head` does, and that ends us.
    """
    faults = []
    for each in sorted(forms, key=lambda form: form.path == STDOUT):
        try:
            write_text(each.path, render(each.name))
        except FileError as error:
            faults.append(str(error))
    if faults:
        raise FileError("\n".join([*faults, remedy] if remedy else faults))


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
    value = truth.value
    return value is not None and value.proven and value.result > 0


def secret_paths(arguments: argparse.Namespace, settings: Settings) -> list[Path]:
    """What must not travel into a box with a submission."""
    return [
        *secret_files(settings.inputs or Path("inputs"), settings.expected),
        *(Path(f"{arguments.journal}{end}") for end in ("", "-wal", "-shm")),
        *(Path(each.path) for each in arguments.outputs or ()),
    ]


@dataclass(frozen=True)
class Place:
    """Where a grading takes place and what is made of it."""

    journal: Path
    jobs: int
    scheduler: str | None
    outputs: list[Form]
    fail_under: float | None = None


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


# The command line of every command of the grader.


NAME = "grader"
EXIT_CODES = """exit codes:
  0    every answer was accepted; of a class: everything was graded
  1    some answer was not; of a class: less than --fail-under
  2    wrong usage, or a malformed puzzle or settings file
  3    a judge error, a box that is not safe enough, a file that cannot be read or written
  130  interrupted; what was graded is in the journal
"""
READING = """exit codes:
  0    done
  2    wrong usage
  3    a file that cannot be read or written
"""


class GraderParser(Parser):
    def __init__(
        self, command: str, about: str, examples: str, usage: str | None = None, codes: str = ""
    ) -> None:
        super().__init__(command, about, examples, usage, codes or EXIT_CODES, NAME)


# The progress bar.  Only a terminal shows it, and elsewhere its library is not even loaded: that
# would be a fifth of the time that a command takes to start.


class Bar(Protocol):
    def update(self) -> object: ...
    def set_postfix_str(self, s: str = "", refresh: bool = True) -> None: ...


class NoBar:
    """For who is not at a terminal."""

    def update(self) -> None: ...

    def set_postfix_str(self, s: str = "", refresh: bool = True) -> None: ...


@contextmanager
def progress(total: int, unit: str, done: int = 0) -> Iterator[Bar]:
    if sys.stderr is None or not sys.stderr.isatty():
        yield NoBar()
        return
    from tqdm import tqdm

    with tqdm(total=total, initial=done, unit=unit) as bar:
        yield bar


# The forms of a grading: what each can hold, and how it is written.


OF_ONE_STUDENT = {"gradescope"}
LIVE = {"gradescope"}  # written anew after every record: whoever stops the grader has a result
REMEDY = "Nothing is lost: 'grader export' writes it again from the journal."


def checked(forms: list[Form] | None, journal: str | Path, submissions: int = 1) -> list[Form]:
    """The forms, with the table if nothing else goes to the screen; fails if one cannot be
    written, or cannot hold so many submissions."""
    for each in forms or ():
        if submissions > 1 and each.name in OF_ONE_STUDENT:
            raise UserError(
                f"-o {each.name}: these are the results of one student, and here are"
                f" {submissions}. Use 'grader run' for each, or csv or html for all."
            )
    return checked_forms(forms, journal)


def write_all(forms: list[Form], report: Report) -> None:
    write_forms(forms, lambda name: render_grading(name, report), REMEDY)


# How gradings are named on the command line: by number, by journal, or as the last one.


@dataclass(frozen=True)
class Named:
    """A grading of a journal; without a number, its last one."""

    journal: Path
    number: int | None = None

    def report(self, feedback: Feedback | None = None) -> Report:
        with read_journal(self.journal) as journal:
            return report_of(
                journal, last(journal) if self.number is None else self.number, feedback
            )


def named(word: str, journal: str) -> Named:
    """`3`, `old.db` or `old.db:3`; a file of that name comes first."""
    if Path(word).exists():
        return Named(Path(word))
    file, colon, number = word.rpartition(":")
    if number.isascii() and number.isdigit() and len(number) < 10:
        return Named(Path(file if colon else journal), int(number))
    raise UserError(f"{word}: neither a journal nor the number of a grading. See 'grader journal'.")


def last(journal: Journal, before: int = 0) -> int:
    """The number of the last grading, or of one so many before it."""
    numbers = [entry.number for entry in journal.entries()]
    if len(numbers) <= before:
        found = "only one grading" if numbers else "no grading"
        raise UserError(f"{journal.path}: there is {found} in this journal")
    return numbers[-1 - before]


def report_of(journal: Journal, number: int, feedback: Feedback | None = None) -> Report:
    """The records of a grading in the order of its plan."""
    plan = journal.plan(number)
    records = plan.in_order(journal.records(number))
    return Report(records, feedback or plan.feedback, plan.title)
