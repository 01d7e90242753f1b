"""What the commands have in common on the command line: options, outputs, progress, settings."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from grader.grading.journal import Journal
from grader.grading.plan import Mode
from grader.grading.records import Diagnosis, Feedback, Report, Worksheet
from grader.grading.workers import run_in_order
from grader.judge.diagnosis import diagnose
from grader.puzzles.find import Case, choose_folders, find_cases
from grader.puzzles.settings import FILE_NAME, Settings, read_settings
from grader.report import (
    GRADING_FILES,
    GRADING_FORMATS,
    Output,
    find_gaps,
    is_folder,
    render_grading,
)
from grader.sandbox.client import Refused, find_warnings
from grader.sandbox.job import MOST_SECONDS, RunLimits, Sandbox
from grader.sandbox.view import NotFound
from grader.submissions.find import Submission
from solver.cli.console import shown, tell
from solver.cli.files import check_output, write_file
from solver.cli.options import Parser, amount, number, one_of
from solver.errors import FileError, UserError, did_you_mean

JOURNAL = "grades.db"
STDOUT = "-"
TABLE = "table"
DIAGNOSED = {"marks", "html", "md", "gradescope", "moodle", "feedback"}  # formats that show it
FEW = 8  # submissions: new processes would take longer to start than their diagnoses
REMEDY = "Nothing is lost: 'grader export' writes it again from the journal."
EXIT_CODES = {
    0: "every answer was accepted; of a class: everything was graded",
    1: "some answer was not; of a class: less than --fail-under",
    3: "a judge error, a weak sandbox, a lost scheduler, a file that cannot be read or written",
    130: "interrupted; what was graded is in the journal",
}
READING = {0: "done"}
FAILED, JUDGE_ERROR = 1, 3


class GraderParser(Parser):
    """With the options that several commands have."""

    def __init__(
        self, command: str, about: str, examples: str, codes: dict[int, str] = EXIT_CODES
    ) -> None:
        super().__init__(command, about, examples, codes, name="grader")

    def add_grading(self) -> None:
        """The options of `run` and `class`."""
        add = self.option
        self.add_puzzles()
        self.section("judging")
        add("--line", "answers are whole lines of boards")
        add("--trust-expected", "grade even if an expected answer is proven to be wrong")
        about = f"processor time for one puzzle (default: {RunLimits().cpu_s:g})"
        add("--timeout S", about, amount("seconds", MOST_SECONDS))
        self.add_running()
        self.section("results")
        self.add_forms(GRADING_FORMATS, GRADING_FILES)
        self.add_worksheet()
        self.add_feedback()
        self.add_settings()

    def add_puzzles(self) -> None:
        self.section("puzzles")
        self.option("--inputs DIR", "the boards (default: inputs, or the built-in collection)")
        self.option("--expected DIR", "the answers (default: expected)")
        self.option("-q NAME", "only this puzzle", dest="puzzle")
        self.option("-k WORD", "only those with WORD in the name", dest="word")

    def add_running(self) -> None:
        self.section("running")
        self.add_jobs()
        self.add_sandbox()
        self.option("--scheduler URL", "run on a dask cluster: tcp://127.0.0.1:8786", rare=True)
        self.add_journal()

    def add_sandbox(self) -> None:
        about = "require the strongest sandbox, auto, or off for your own code (default: auto)"
        self.option("--sandbox LEVEL", about, one_of(*Sandbox))

    def add_forms(self, known: Collection[str], files: Mapping[str, str] | None = None) -> None:
        about = (
            f"a file whose suffix says the format, FORMAT:FILE, or FORMAT for standard output:"
            f" {', '.join(known)}; may be repeated"
        )
        self.option("-o OUTPUT", about, form_of(known, files), dest="outputs", action="append")

    def add_settings(self) -> None:
        self.option("--settings FILE", "settings (default: grader.toml, if there is one)")

    def add_jobs(self) -> None:
        self.option(
            "-j N", "number of parallel runs (default: cores)", number(1, 1000), dest="jobs"
        )

    def add_fail_under(self) -> None:
        about = "exit with 1 if a class has less of the marks"
        self.option("--fail-under PCT", about, amount("percent", most=100))

    def add_feedback(self) -> None:
        about = "full, own (nothing about the right answer) or verdict"
        self.option("--feedback LEVEL", about, one_of(*Feedback))

    def add_worksheet(self) -> None:
        about = "for -o canvas and -o moodle: the file to fill in; FILE:COLUMN names the column"
        self.option("--worksheet FILE", about)

    def add_journal(self) -> None:
        self.option("--journal FILE", "", default=JOURNAL)


@contextmanager
def progress(total: int, unit: str, done: int = 0) -> Iterator[Callable[[], object]]:
    """A progress bar on a terminal, and the function that advances it.  Elsewhere its library is
    not even loaded: that would be a fifth of the time that a command takes to start."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda: None
        return
    from tqdm import tqdm

    with tqdm(total=total, initial=done, unit=unit) as bar:
        yield bar.update


def check_sandbox(sandbox: Sandbox, submissions: Iterable[Submission] = ()) -> None:
    """Fail or warn, if this machine has none that is strong enough."""
    try:
        words = {word for each in submissions for word in each.command[:1]}
        warnings = find_warnings(sandbox, words)
    except (Refused, NotFound) as error:
        raise FileError(str(error)) from None
    for warning in warnings if sandbox is not Sandbox.OFF else ():
        tell(f"grader: {warning}")


@dataclass(frozen=True)
class Form:
    """`FORMAT[:FILE]`: the format of a result, and where it goes."""

    name: str
    path: str = STDOUT

    @property
    def folder(self) -> bool:
        return is_folder(self.name, self.path)

    def __str__(self) -> str:
        return f"{self.name}:{self.path}"


def form_of(
    known: Collection[str], files: Mapping[str, str] | None = None
) -> Callable[[str], Form]:
    """What `-o` says, for the argument parser.  `files` tells formats by the names of files; in
    general a suffix is the format."""
    patterns = {f"*.{name}": name for name in known} if files is None else files

    def form(word: str) -> Form:
        name, colon, path = word.partition(":")
        file = os.path.basename(word).lower()
        by_file = [patterns[each] for each in patterns if fnmatchcase(file, each)]
        if not colon and name not in known and by_file:
            name, path = by_file[0], word
        if name not in known:
            raise argparse.ArgumentTypeError(_explain_unknown(name, known))
        found = Form(name, os.path.abspath(path) if path and path != STDOUT else STDOUT)
        if (colon and not path) or (found.folder and found.path == STDOUT):
            what = "folder" if found.folder else "file"
            raise argparse.ArgumentTypeError(f"{word!r}: the name of the {what} is missing")
        return found

    return form


def _explain_unknown(name: str, known: Collection[str]) -> str:
    """Why this is not a format, and what to say instead."""
    hint = did_you_mean(name, list(known))
    if not hint and "." in name:
        return f"{name!r}: its suffix says no format. Use FORMAT:{name} with {', '.join(known)}."
    return f"{name!r} is not one of {', '.join(known)}.{hint}"


def check_outputs(
    forms: list[Form] | None, journal: str | Path | None = None, submissions: int = 1
) -> list[Form]:
    """With the table, if nothing else goes to the screen; fails if one cannot be written, goes
    where another or the journal goes, or does not fit the number of submissions."""
    found = list(forms or [])
    for each in found:
        if submissions > 1 and each.name == "gradescope" and not each.folder:
            raise UserError(
                f"-o gradescope: one file holds the results of one student, but there are"
                f" {submissions}. Use gradescope:FOLDER to write one for each."
            )
        _check_target(each)
    paths = [each.path if each.path == STDOUT else os.path.realpath(each.path) for each in found]
    if journal is not None and os.path.realpath(journal) in paths:
        raise UserError(f"-o: {journal} is the journal. Name another file.")
    for path in paths:
        if paths.count(path) > 1:
            name = "standard output" if path == STDOUT else path
            raise UserError(f"-o: two results cannot both go to {name}. Name another file.")
    return found if STDOUT in paths else [Form(TABLE), *found]


def _check_target(form: Form) -> None:
    if not (form.folder and os.path.exists(form.path)):
        check_output(form.path)
    elif not os.path.isdir(form.path) or not os.access(form.path, os.W_OK):
        raise FileError(f"{form.path}: cannot write: not a folder, or a protected one")


def write_forms(forms: list[Form], render: Callable[[Form], Output], remedy: str = "") -> None:
    """Every result; one that cannot be written does not keep the others back.  Files come first: a
    reader of standard output may stop reading, as `head` does, and that ends this process."""
    faults = []
    for each in sorted(forms, key=lambda form: form.path == STDOUT):
        try:
            content = render(each)
            if isinstance(content, str):
                write_file(each.path, content)
            else:  # what else is in the folder is left alone
                for name, text in content.items():
                    write_inside(Path(each.path, name), text)
        except FileError as error:
            faults.append(str(error))
    if faults:
        raise FileError("\n".join([*faults, remedy] if remedy else faults))


def write_inside(path: Path, content: str | bytes) -> None:
    """A file, and the folders that it is in."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{path.parent}: cannot write: {reason}") from None
    write_file(str(path), content)


def write_grading(forms: list[Form], report: Report, finished: bool = True) -> None:
    """With a diagnosis of each submission, if the grading is finished and an output shows it."""
    if finished and any(each.name in DIAGNOSED for each in forms):
        report = replace(report, diagnoses=_diagnose_all(report))
    write_forms(forms, lambda form: render_grading(form.name, report, form.path), REMEDY)
    for form in forms:
        for warning in find_gaps(form.name, report):
            tell(f"grader: {shown(warning)}")


def read_worksheet(
    arguments: argparse.Namespace, forms: list[Form], known: Worksheet | None = None
) -> Worksheet | None:
    """The worksheet that is named or else known; before grading, refuse one that cannot be filled
    in."""
    if word := arguments.worksheet:
        name, colon, column = word.rpartition(":")
        path, column = (name, column) if colon and not os.path.exists(word) else (word, "")
        known = Worksheet(path, read_csv(path), column)
    for form in forms:
        find_gaps(form.name, Report((), worksheet=known))
    return known


def read_csv(path: str) -> str:
    """The text of a file from a course system."""
    try:
        return Path(path).read_bytes().decode()
    except OSError as error:
        raise FileError(f"{path}: cannot read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: this is not UTF-8. Save it as 'CSV UTF-8'.") from None


def _diagnose_all(report: Report) -> dict[str, Diagnosis]:
    """What the answers of each submission say about its program; of many in several processes."""
    from grader.report.grading_text import group_by

    groups = group_by("submission", report.records)
    cores = count_cores() if len(groups) > FEW else 1
    with progress(len(groups), "diagnosis") as advance:
        found = run_in_order(diagnose, list(groups.values()), cores, advance)
    return dict(zip(groups, found, strict=True))


def find_last(journal: Journal, before: int = 0) -> int:
    """The number of the last grading, or of one counted back from it."""
    numbers = [entry.number for entry in journal.entries()]
    if len(numbers) <= before:
        found = "only one grading" if numbers else "no grading"
        raise UserError(f"{journal.path}: there is {found} in this journal")
    return numbers[-1 - before]


def jobs_of(arguments: argparse.Namespace) -> int:
    """As many as asked for, or one for each core."""
    jobs: int = arguments.jobs or count_cores()
    return jobs


def count_cores() -> int:
    """Those that this process may use, where the system says it."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The settings file; what the command line says takes precedence."""
    settings = puzzle_settings(arguments)
    if arguments.feedback:
        settings = replace(settings, feedback=Feedback(arguments.feedback))
    if arguments.line:
        settings = replace(settings, mode=Mode.LINE)
    if arguments.timeout is not None:
        limits = settings.limits.changed(cpu_s=arguments.timeout)
        settings = replace(settings, limits=limits)
    return settings


def find_settings(arguments: argparse.Namespace) -> Path | None:
    """The file that is named; or the one here, or beside the puzzles, if there is one."""
    if arguments.settings is not None:
        return Path(arguments.settings)
    folder = Path(arguments.inputs or "inputs")
    places = [Path(), folder if folder.is_dir() else folder.parent, folder.parent]
    files = (place / FILE_NAME for place in places)
    return next((file for file in files if file.is_file()), None)


def puzzle_settings(arguments: argparse.Namespace) -> Settings:
    """Those of the settings file, with the folders that the command line names."""
    settings = Settings()
    if (found := find_settings(arguments)) is not None:
        settings = read_settings(found)
        tell(f"grader: settings from {found}")
    inputs = Path(arguments.inputs) if arguments.inputs else settings.inputs
    expected = Path(arguments.expected) if arguments.expected else settings.expected
    return replace(settings, inputs=inputs, expected=expected)


def cases_of(arguments: argparse.Namespace, settings: Settings) -> list[Case]:
    """The puzzles that are named.  Before a grading, `graded_cases` checks their answers, too."""
    inputs, expected = choose_folders(settings.inputs, settings.expected)
    if inputs.is_absolute() and settings.inputs is None:
        tell(f"grader: there is no folder 'inputs' here; puzzles from {inputs}")
    name, word = arguments.puzzle, arguments.word
    cases, warnings = find_cases(inputs, expected, settings.about, name=name, word=word)
    for warning in warnings:
        tell(f"grader: {warning}")
    return cases
