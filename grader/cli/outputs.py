"""`-o FORMAT[:FILE]`: where the results go, and in which form."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from pathlib import Path

from grader.export import FORMATS, render
from grader.records import Report
from solver.cli.files import check_output, write_text
from solver.errors import FileError, UserError, did_you_mean

STDOUT = "-"
OF_ONE_STUDENT = {"gradescope", "markus", "prairielearn"}
LIVE = {"gradescope"}  # written anew after every record: whoever stops the grader has a result


@dataclass(frozen=True)
class Output:
    form: str
    path: str = STDOUT

    def __str__(self) -> str:
        return f"{self.form}:{self.path}"

    def write(self, report: Report) -> None:
        write_text(self.path, render(self.form, report))


def output(word: str) -> Output:
    """What `-o` says, for the argument parser."""
    form, colon, path = word.partition(":")
    if form not in FORMATS:
        hint = did_you_mean(form, list(FORMATS))
        raise argparse.ArgumentTypeError(f"{form!r} is not one of {', '.join(FORMATS)}.{hint}")
    if colon and not path:
        raise argparse.ArgumentTypeError(f"{word!r}: the name of the file is missing")
    return Output(form, os.path.abspath(path) if path and path != STDOUT else STDOUT)


def add_outputs(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "-o",
        dest="outputs",
        metavar="FORMAT[:FILE]",
        type=output,
        action="append",
        help=f"{', '.join(FORMATS)}; to standard output without a file; may be repeated",
    )


def checked(
    outputs: list[Output] | None, journal: str | Path, submissions: int = 1
) -> list[Output]:
    """The outputs, with the table if nothing else goes to the screen; fails if one cannot be
    written, is the place of another or of the journal, or cannot hold so many submissions."""
    found = list(outputs or [])
    for each in found:
        if submissions > 1 and each.form in OF_ONE_STUDENT:
            raise UserError(
                f"-o {each.form}: these are the results of one student, and here are"
                f" {submissions}. Use 'grader run' for each, or csv or html for all."
            )
        check_output(each.path)
    paths = [each.path if each.path == STDOUT else os.path.realpath(each.path) for each in found]
    if os.path.realpath(journal) in paths:
        raise UserError(f"-o: {journal} is the journal. Name another file.")
    for path in set(paths):
        if paths.count(path) > 1:
            name = "standard output" if path == STDOUT else path
            raise UserError(f"-o: two results cannot both go to {name}. Name another file.")
    return found if STDOUT in paths else [Output("table"), *found]


def write_all(outputs: list[Output], report: Report) -> None:
    """Write every result; one that cannot be written does not keep the others back."""
    faults = []
    for each in outputs:
        try:
            each.write(report)
        except FileError as error:
            faults.append(str(error))
    if faults:
        faults.append("Nothing is lost: 'grader export' writes it again from the journal.")
        raise FileError("\n".join(faults))
