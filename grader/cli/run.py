"""`grader run`: one program over a batch of puzzles."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from grader.cli.options import (
    LIVE,
    GraderParser,
    Place,
    add_fail_under,
    add_feedback,
    add_forms,
    add_options,
    add_running,
    cases_of,
    checked,
    form_of,
    last,
    place_of,
    planned,
    progress,
    secret_paths,
    settings_of,
    write_all,
)
from grader.grading.grade import grade_all
from grader.grading.journal import Journal, Names, open_journal, read_journal
from grader.grading.plan import Mode, Plan, Task
from grader.grading.records import Feedback, Record, Report, Verdict
from grader.grading.workers import Workers, cluster, local
from grader.report import GRADING_FORMATS
from grader.sandbox import Level, Refused, choose_level
from grader.sandbox.job import Sandbox
from grader.submissions.find import check_mounts, from_command, own_solver
from grader.submissions.roster import find_submissions
from solver.cli.console import shown, tell
from solver.cli.options import number, program
from solver.errors import UserError, counted

# Carrying a plan out: the box, the journal, the progress bar, the results, the exit code.


FAILED = 1
JUDGE_ERROR = 3


class UnsafeError(UserError):
    """A box that is weaker than was asked for."""

    exit_code = JUDGE_ERROR


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


EXAMPLES = """\
  grader run                                  # our own solver, as a yardstick
  grader run --solver "python3 checkers.py"   # called as IN OUT or by --inputfile/--outputfile
  grader run --solver "./engine {input} {output} --fast" -k jump --timeout 5
  grader run --solver "python3 checkers.py" --play -o html:report.html
"""


def make_parser() -> GraderParser:
    parser = GraderParser(
        command="run",
        about="Grades one program over a batch of puzzles.",
        examples=EXAMPLES,
    )
    parser.add_argument(
        "--solver",
        metavar="COMMAND",
        help="how the program is started; {input} and {output} stand for its files"
        " (default: our own solver)",
    )
    add_options(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    outputs = checked(arguments.outputs, arguments.journal)
    settings = settings_of(arguments)
    cases = cases_of(arguments, settings)
    secret = secret_paths(arguments, settings)
    if arguments.solver is None:
        submission = own_solver(*(["--line"] if settings.mode is Mode.LINE else []))
    else:
        submission = from_command(arguments.solver, Path.cwd(), leave_out=secret)
    if arguments.scheduler is None:
        check_mounts([submission], secret)
    plan = planned(arguments, settings, [submission], cases, submission.name)
    return begin(plan, place_of(arguments, outputs))


# `grader class`: every submission of a class over every puzzle.


WHOLE_CLASS_EXAMPLES = """\
  grader class submissions/
  grader class submissions/ -j 8 --sandbox require -o csv:marks.csv -o html:report.html
  grader class submissions/ --call "python3 {submission}/main.py {input} {output}"
  grader class submissions/ --reuse           # only what has changed since
"""


def make_class_parser() -> GraderParser:
    parser = GraderParser(
        command="class",
        about="Grades every submission of a class over every puzzle.",
        examples=WHOLE_CLASS_EXAMPLES,
    )
    parser.add_argument(
        "submissions", metavar="SUBMISSIONS", help="a folder, a .zip or a .py for each student"
    )
    parser.add_argument("--call", metavar="COMMAND", help="how all of them are started")
    parser.add_argument(
        "--reuse", action="store_true", help="take over earlier marks where nothing has changed"
    )
    add_fail_under(parser)
    add_options(parser)
    return parser


def run_class(arguments: argparse.Namespace) -> int:
    checked(arguments.outputs, arguments.journal)
    settings = settings_of(arguments)
    cases = cases_of(arguments, settings)
    folder = Path(arguments.submissions)
    secret = secret_paths(arguments, settings)
    submissions, warnings = find_submissions(folder, arguments.call or settings.call, secret)
    faults = [f"{each.name}: cannot be run: {each.fault}" for each in submissions if each.fault]
    for warning in warnings + faults:
        tell(f"grader: {warning}")
    outputs = checked(arguments.outputs, arguments.journal, len(submissions))
    if arguments.scheduler is None:
        check_mounts(submissions, secret)
    title = shown(folder.resolve().name)
    plan = planned(arguments, settings, submissions, cases, title, whole_class=True)
    place = replace(place_of(arguments, outputs), fail_under=arguments.fail_under)
    return begin(plan, place, arguments.reuse)


# `grader resume`: go on with a grading that was interrupted.


RESUME_EXAMPLES = """\
  grader resume
  grader resume 3 --journal marks.db -o csv:marks.csv
"""


def make_resume_parser() -> GraderParser:
    parser = GraderParser(
        command="resume",
        about="Goes on with a grading: every record that is in the journal stays, the others are"
        " graded now,\nfrom the submissions and puzzles as they were when it began.",
        examples=RESUME_EXAMPLES,
    )
    parser.add_argument(
        "number", metavar="N", nargs="?", type=number(1), help="which grading (default: the last)"
    )
    add_fail_under(parser)
    add_running(parser)
    add_forms(parser, GRADING_FORMATS)
    add_feedback(parser)
    return parser


def run_resume(arguments: argparse.Namespace) -> int:
    path = Path(arguments.journal)
    with read_journal(path) as journal:  # which must be there
        last(journal)
    with open_journal(path) as journal:
        grading = arguments.number or last(journal)
        plan = journal.plan(grading)
        if arguments.sandbox:
            plan = replace(plan, sandbox=Sandbox(arguments.sandbox))
        if arguments.feedback:
            plan = replace(plan, feedback=Feedback(arguments.feedback))
        outputs = checked(
            arguments.outputs or [form_of(GRADING_FORMATS)(word) for word in plan.outputs],
            path,
            len(plan.submissions),
        )
        place = replace(place_of(arguments, outputs), fail_under=arguments.fail_under)
        return go_on(grading, plan, place, journal)
