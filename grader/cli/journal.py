"""`grader journal`: the gradings there are."""

from __future__ import annotations

import argparse
from pathlib import Path

from tabulate import tabulate

from grader.cli.options import add_journal
from grader.cli.parser import READING, GraderParser
from grader.grading.journal import read_journal
from solver.cli.console import shown

HEADERS = ("number", "of", "begun (UTC)", "graded")


def make_parser() -> GraderParser:
    parser = GraderParser(
        command="journal",
        about="Lists the gradings of a journal; resume, diff and export take their numbers.",
        examples="  grader journal\n",
        codes=READING,
    )
    add_journal(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    with read_journal(Path(arguments.journal)) as journal:
        rows = [
            (
                entry.number,
                shown(entry.title),
                entry.begun_at.removesuffix("+00:00").replace("T", " "),
                f"{entry.finished} of {entry.tasks}",
            )
            for entry in journal.entries()
        ]
    print(tabulate(rows, HEADERS, colalign=("right", "left", "left", "right")))
    return 0
