"""`grader run`, `class` and `resume`: grade one program or a whole class over puzzles."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.cli import options
from grader.cli.assign import share_out
from grader.cli.expected import graded_cases
from grader.grading.grade import grade_all
from grader.grading.journal import Journal, Names, open_journal, read_journal
from grader.grading.plan import Mode, Plan, Task
from grader.grading.records import Feedback, Record, Verdict
from grader.grading.workers import Workers, cluster, local
from grader.puzzles.find import Case, choose_folders, secret_files
from grader.puzzles.settings import Settings
from grader.report import GRADING_FILES, GRADING_FORMATS
from grader.sandbox.job import Level, Sandbox
from grader.submissions.find import (
    Submission,
    check_mounts,
    find_submissions,
    from_command,
    from_program,
    own_solver,
)
from solver.cli.console import shown, tell
from solver.cli.options import number, program
from solver.errors import UserError, counted

LIVE = {"gradescope"}  # written after every record: there is a result whenever the grader stops
RUN_EXAMPLES = """\
  grader run                                  # our own solver, for comparison
  grader run checkers.py                      # called as IN OUT or by --inputfile/--outputfile
  grader run --solver "./engine {input} {output} --quick" -k jump --timeout 5
  grader run checkers.py --line -o report.html
"""
CLASS_EXAMPLES = """\
  grader class submissions.zip                # from Canvas, Moodle or Gradescope, as it comes
  grader class submissions/ -j 8 --sandbox require -o marks.csv -o feedback:feedback -o report.html
  grader class submissions/ --call "python3 {submission}/main.py {input} {output}"
  grader class submissions/ --reuse           # only what has changed since
"""
RESUME = """\
Continues a grading: every record that is in the journal stays, except judge errors; the others are
graded now, from the submissions and puzzles as they were when it began."""
RESUME_EXAMPLES = """\
  grader resume
  grader resume 3 --journal marks.db -o marks.csv
"""


def make_parser() -> options.GraderParser:
    parser = options.GraderParser(
        "run", "Grades one program over a batch of puzzles.", RUN_EXAMPLES
    )
    about = "how the program is started; {input} and {output} stand for its files"
    parser.option("program [PROGRAM]", "the program (default: our own solver)")
    parser.option("--solver COMMAND", about)
    parser.add_grading()
    return parser


def run(arguments: argparse.Namespace) -> int:
    outputs = options.check_outputs(arguments.outputs, arguments.journal)
    settings = options.settings_of(arguments)
    cases = graded_cases(arguments, settings)
    secret = _find_secrets(arguments, settings)
    if arguments.program is not None and arguments.solver is not None:
        raise UserError(f"--solver is not allowed with {arguments.program}.")
    if arguments.program is not None:
        submission = from_program(Path(arguments.program), secret)
    elif arguments.solver is None:
        submission = own_solver(*(["--line"] if settings.mode is Mode.LINE else []))
    else:
        submission = from_command(arguments.solver, Path.cwd(), leave_out=secret)
    if arguments.scheduler is None:
        check_mounts([submission], secret)
    return _begin(arguments, settings, [submission], cases, submission.name, outputs)


def make_class_parser() -> options.GraderParser:
    about = "Grades every submission of a class over every puzzle."
    parser = options.GraderParser("class", about, CLASS_EXAMPLES)
    about = "the download of a course system; or a folder or archive with a submission for each"
    parser.option("submissions SUBMISSIONS", about)
    parser.option("--call COMMAND", "how all of them are started")
    parser.option("--assigned DIR", "puzzles of their own for each student, from 'grader assign'")
    parser.option("--reuse", "keep earlier marks where nothing has changed")
    parser.add_fail_under()
    parser.add_grading()
    return parser


def run_class(arguments: argparse.Namespace) -> int:
    options.check_outputs(arguments.outputs, arguments.journal)
    settings, folder = options.settings_of(arguments), Path(arguments.submissions)
    if arguments.assigned:
        own = Path(arguments.assigned)
        settings = replace(settings, inputs=own / "inputs", expected=own / "expected")
    cases = graded_cases(arguments, settings)
    secret = _find_secrets(arguments, settings)
    found = find_submissions(folder, arguments.call or settings.call, secret)
    submissions = list(found.submissions)
    if arguments.assigned:
        cases, submissions = share_out(Path(arguments.assigned), cases, submissions)
    if found.system:
        late = sum(each.student is not None and each.student.late for each in submissions)
        count = f"{counted(len(submissions), 'submission')}, {late} late"
        tell(f"grader: {shown(str(folder))}: a download from {found.system}: {count}")
    faults = [f"{each.name}: cannot be run: {each.fault}" for each in submissions if each.fault]
    for warning in [*found.warnings, *faults]:
        tell(f"grader: {shown(warning)}")
    outputs = options.check_outputs(arguments.outputs, arguments.journal, len(submissions))
    if arguments.scheduler is None:
        check_mounts(submissions, secret)
    title = shown(folder.resolve().name)
    return _begin(arguments, settings, submissions, cases, title, outputs)


def make_resume_parser() -> options.GraderParser:
    parser = options.GraderParser("resume", RESUME, RESUME_EXAMPLES)
    parser.option("number [N]", "which grading (default: the last)", number(1))
    parser.add_fail_under()
    parser.add_forms(GRADING_FORMATS, GRADING_FILES)
    parser.add_worksheet()
    parser.add_feedback()
    parser.add_running()
    return parser


def run_resume(arguments: argparse.Namespace) -> int:
    path = Path(arguments.journal)
    with read_journal(path) as journal:  # which must be there
        grading = arguments.number or options.find_last(journal)
        plan = journal.plan(grading)
    if arguments.sandbox:
        plan = replace(plan, sandbox=Sandbox(arguments.sandbox))
    if arguments.feedback:
        plan = replace(plan, feedback=Feedback(arguments.feedback))
    try:
        forms = arguments.outputs or [
            options.form_of(GRADING_FORMATS)(word) for word in plan.outputs
        ]
    except argparse.ArgumentTypeError as error:  # the journal of an earlier version
        raise UserError(f"The outputs of this grading: {error} Give others with -o.") from None
    plan = replace(plan, worksheet=options.read_worksheet(arguments, forms, plan.worksheet))
    outputs = options.check_outputs(forms, path, len(plan.submissions))
    with _workers(plan, arguments) as workers, open_journal(path) as journal:
        return Session(plan, journal, grading, arguments, outputs).run(workers)


def _find_secrets(arguments: argparse.Namespace, settings: Settings) -> list[Path]:
    """What a submission must not see."""
    return [
        *secret_files(*choose_folders(settings.inputs, settings.expected)),
        *(Path(f"{arguments.journal}{end}") for end in ("", "-wal", "-shm")),
        *(Path(each.path) for each in arguments.outputs or ()),
    ]


def _begin(
    arguments: argparse.Namespace,
    settings: Settings,
    submissions: list[Submission],
    cases: list[Case],
    title: str,
    outputs: list[options.Form],
) -> int:
    """Grade a new plan.  The workers come first: without them nothing is written."""
    plan = Plan(
        submissions=tuple(submissions),
        cases=tuple(cases),
        limits=settings.limits,
        whole_class="submissions" in arguments,
        mode=settings.mode,
        slower=settings.slower,
        sandbox=Sandbox(arguments.sandbox or Sandbox.AUTO),
        feedback=settings.feedback,
        title=title,
        outputs=tuple(str(each) for each in arguments.outputs or ()),
        worksheet=options.read_worksheet(arguments, outputs),
    )
    with _workers(plan, arguments) as workers, open_journal(Path(arguments.journal)) as journal:
        return Session(plan, journal, journal.begin(plan), arguments, outputs).run(workers)


@contextmanager
def _workers(plan: Plan, arguments: argparse.Namespace) -> Iterator[Workers]:
    if arguments.scheduler is not None:
        with cluster(arguments.scheduler, tell) as workers:
            yield workers
        return
    options.check_sandbox(plan.sandbox, plan.submissions)
    with local(options.jobs_of(arguments), tell=tell) as workers:
        yield workers


def _is_judge_error(record: Record) -> bool:
    return record.verdict is Verdict.JUDGE_ERROR


@dataclass
class Session:
    """A plan that is carried out: the journal, the progress bar, the results, the exit code."""

    plan: Plan
    journal: Journal
    grading: int
    arguments: argparse.Namespace
    outputs: list[options.Form]
    records: dict[Names, Record] = field(default_factory=dict)

    def run(self, workers: Workers) -> int:
        for name in self.journal.repeat(self.grading, _is_judge_error):
            tell(f"grader: {self.journal.path}: {shown(name)} is damaged and graded again")
        self.records = self.journal.records(self.grading)
        tasks = list(self.plan.tasks())
        left = [task for task in tasks if task.names not in self.records]
        if getattr(self.arguments, "reuse", False):
            left = [task for task in left if not self._take_over(task)]
        try:
            self._grade(left, len(tasks), workers)
        except (KeyboardInterrupt, UserError):
            path = self.journal.path
            resume = f"{program('grader')} resume {self.grading} --journal {path}"
            done = f"{len(self.records)} of {counted(len(tasks), 'grading')} are in {path}"
            tell(f"grader: {done}. Continue with: {resume}")
            raise
        options.write_grading(self.outputs, self.plan.report(self.records))
        return self._exit_code()

    def _take_over(self, task: Task) -> bool:
        """Whether an earlier grading of the same task is there to be used."""
        record = self.journal.earlier(task.key)
        if record is None or _is_judge_error(record):
            return False
        case = task.case
        self._keep(task, replace(record, group=case.group, visibility=case.visibility))
        return True

    def _grade(self, left: list[Task], total: int, workers: Workers) -> None:
        live = [each for each in self.outputs if each.name in LIVE and not each.folder]
        started = time.monotonic()
        with options.progress(total, "run", total - len(left)) as advance:
            for task, record in grade_all(self.plan, left, workers):
                self._keep(task, record)
                if live:
                    options.write_grading(live, self.plan.report(self.records), finished=False)
                advance()
        if self.arguments.scheduler is not None:
            # Only now is it known which sandbox the workers had.
            used = {record.sandbox for record in self.records.values()}
            for level in Level:
                if level in used and level.warning:
                    tell(f"grader: {level.warning}")
        if self.plan.whole_class:
            seconds = time.monotonic() - started
            pace = f", {len(left) / seconds:.1f} a second" if left and seconds else ""
            tell(f"grader: {counted(len(left), 'grading')} in {seconds:.1f} s{pace}")

    def _keep(self, task: Task, record: Record) -> None:
        self.journal.add(self.grading, task.key, record)
        self.records[task.names] = record

    def _exit_code(self) -> int:
        records = list(self.records.values())
        errors = list(filter(_is_judge_error, records))
        for each in errors[:5]:
            lines = each.staff.strip().splitlines() or ["no reason is known"]
            gist = lines[-1] if lines[0].startswith("Traceback") else lines[0]
            tell(f"grader: judge error: {each.submission} on {each.puzzle}: {gist}")
        if errors:
            return options.JUDGE_ERROR
        if not self.plan.whole_class:
            return 0 if all(each.verdict.accepted for each in records) else options.FAILED
        # Low marks of a class are not an error, unless a bound was set.
        bound = self.arguments.fail_under
        most = sum(each.max_score for each in records)
        share = 100 * sum(each.score for each in records) / most if most else 0.0
        if bound is None or share >= bound:
            return 0
        tell(f"grader: {share:.1f} % of the marks, less than {bound:g} %")
        return options.FAILED
