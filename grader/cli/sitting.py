"""Carrying a plan out: the box, the journal, the progress bar, the results, the exit code."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from grader.cli.bar import progress
from grader.cli.forms import Form
from grader.cli.outputs import LIVE, write_all
from grader.grading.grade import grade_all
from grader.grading.journal import Journal, Names, open_journal
from grader.grading.plan import Plan, Task
from grader.grading.records import Record, Report, Verdict
from grader.grading.workers import Workers, cluster, local
from grader.sandbox import Level, Refused, choose_level
from grader.sandbox.job import Sandbox
from solver.cli.console import tell
from solver.cli.options import program
from solver.errors import UserError, counted

FAILED = 1
JUDGE_ERROR = 3


class UnsafeError(UserError):
    """A box that is weaker than was asked for."""

    exit_code = JUDGE_ERROR


@dataclass(frozen=True)
class Place:
    """Where a grading takes place and what is made of it."""

    journal: Path
    jobs: int
    scheduler: str | None
    outputs: list[Form]
    fail_under: float | None = None


def begin(plan: Plan, place: Place, reuse: bool = False) -> int:
    """Grade a new plan; the result is the exit code."""
    with open_journal(place.journal) as journal, _workers(plan, place) as workers:
        grading = journal.begin(plan)
        return Sitting(plan, place, journal, grading).run(workers, reuse)


def go_on(grading: int, plan: Plan, place: Place, journal: Journal) -> int:
    """Grade what is left of a plan."""
    with _workers(plan, place) as workers:
        return Sitting(plan, place, journal, grading).run(workers, reuse=False)


@contextmanager
def _workers(plan: Plan, place: Place) -> Iterator[Workers]:
    if place.scheduler is not None:
        with cluster(place.scheduler) as workers:
            yield workers
        return
    try:
        warning = choose_level(plan.sandbox).warning
    except Refused as error:
        raise UnsafeError(str(error)) from None
    if warning and plan.sandbox is not Sandbox.OFF:
        tell(f"grader: {warning}")
    with local(place.jobs) as workers:
        yield workers


class Sitting:
    def __init__(self, plan: Plan, place: Place, journal: Journal, grading: int) -> None:
        self.plan = plan
        self.place = place
        self.journal = journal
        self.grading = grading
        self.tasks = list(plan.tasks())
        self.records: dict[Names, Record] = journal.records(grading)

    def run(self, workers: Workers, reuse: bool) -> int:
        left = [task for task in self.tasks if task.names not in self.records]
        if reuse:
            left = [task for task in left if not self._take_over(task)]
        try:
            self._grade(left, workers)
        except (KeyboardInterrupt, UserError):
            self._tell_what_is_safe()
            raise
        write_all(self.place.outputs, self.report())
        return self._exit_code()

    def report(self) -> Report:
        """What is graded so far, in the order of the plan."""
        return Report(self.plan.in_order(self.records), self.plan.feedback, self.plan.title)

    def _take_over(self, task: Task) -> bool:
        """Whether an earlier grading of just the same is there to be used."""
        record = self.journal.earlier(task.key)
        if record is None or record.verdict is Verdict.JUDGE_ERROR:
            return False
        case = task.case
        self._keep(task, replace(record, group=case.group, visibility=case.visibility))
        return True

    def _grade(self, left: list[Task], workers: Workers) -> None:
        live = [each for each in self.place.outputs if each.name in LIVE]
        done = len(self.tasks) - len(left)
        started = time.monotonic()
        with progress(len(self.tasks), "run", done) as bar:
            for task, record in grade_all(self.plan, left, workers):
                self._keep(task, record)
                if live:
                    write_all(live, self.report())
                bar.set_postfix_str(f"{record.submission}: {record.verdict}", refresh=False)
                bar.update()
        if self.place.scheduler is not None:
            self._warn_of_levels()
        if self.plan.whole_class:
            self._tell_pace(len(left), time.monotonic() - started)

    def _warn_of_levels(self) -> None:
        """What the workers of a cluster had for a box is known only now."""
        used = {record.sandbox for record in self.records.values()}
        for level in Level:
            if level in used and level.warning:
                tell(f"grader: {level.warning}")

    def _tell_pace(self, graded: int, seconds: float) -> None:
        pace = f", {graded / seconds:.1f} a second" if graded and seconds else ""
        tell(f"grader: {counted(graded, 'grading')} in {seconds:.1f} s{pace}")

    def _keep(self, task: Task, record: Record) -> None:
        self.journal.add(self.grading, task.key, record)
        self.records[task.names] = record

    def _tell_what_is_safe(self) -> None:
        resume = f"{program('grader')} resume {self.grading} --journal {self.place.journal}"
        tell(
            f"grader: {len(self.records)} of {counted(len(self.tasks), 'grading')} are in"
            f" {self.place.journal}. Go on with: {resume}"
        )

    def _exit_code(self) -> int:
        records = list(self.records.values())
        errors = [each for each in records if each.verdict is Verdict.JUDGE_ERROR]
        for each in errors[:5]:
            tell(f"grader: judge error: {each.submission} on {each.puzzle}: {_gist(each.staff)}")
        if errors:
            return JUDGE_ERROR
        if self.plan.whole_class:
            return self._class_code(records)
        return 0 if all(each.verdict.accepted for each in records) else FAILED

    def _class_code(self, records: list[Record]) -> int:
        """Low marks of a class are no error, unless a bound was set."""
        if self.place.fail_under is None:
            return 0
        most = sum(each.max_score for each in records)
        share = 100 * sum(each.score for each in records) / most if most else 0.0
        if share >= self.place.fail_under:
            return 0
        tell(f"grader: {share:.1f} % of the marks, less than {self.place.fail_under:g} %")
        return FAILED


def _gist(staff: str) -> str:
    """The one line of a message that says what is wrong: of a traceback, the last."""
    lines = staff.strip().splitlines() or ["no reason is known"]
    return lines[-1] if lines[0].startswith("Traceback") else lines[0]
