"""`grader kit`: what another system needs to run the grader by itself."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.cli.parser import READING, GraderParser
from grader.report.grading_files import SCRIPTS, gradescope_kit
from solver.cli.console import tell
from solver.cli.files import write_text
from solver.cli.options import one_of
from solver.errors import FileError

EXAMPLES = """\
  grader kit gradescope autograder/
"""


def make_parser() -> GraderParser:
    parser = GraderParser(
        command="kit",
        about="Writes the files of a Gradescope autograder into a folder, to be completed by\n"
        "inputs/, expected/ and Checkmark itself, and zipped.",
        examples=EXAMPLES,
        codes=READING,
    )
    parser.add_argument("system", metavar="SYSTEM", type=one_of("gradescope"), help="gradescope")
    parser.add_argument("folder", metavar="FOLDER", help="created if it is not there")
    return parser


def run(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.folder)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder}: cannot write: {error.strerror}") from None
    for name in gradescope_kit():
        if (folder / name).exists():
            raise FileError(f"{folder / name}: is there already. Name a new folder.")
    for name, text in gradescope_kit().items():
        write_text(str(folder / name), text)
        if name in SCRIPTS:
            (folder / name).chmod(0o755)
    names = ", ".join(gradescope_kit())
    tell(f"Written to {folder}: {names}. setup.sh says what else goes into the zip.")
    return 0
