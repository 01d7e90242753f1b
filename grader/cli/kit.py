"""`grader kit` and `grader validator`: for other systems that run the grader by themselves."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grader.cli.options import READING, GraderParser, add_feedback
from grader.grading.grade import share_of
from grader.grading.plan import Plan
from grader.grading.records import Feedback
from grader.judge.move import judge_move
from grader.judge.play import judge_outcome
from grader.puzzles.evidence import truth_of
from grader.puzzles.find import board_of, case_of
from grader.report.grading_files import SCRIPTS, gradescope_kit, validate
from grader.sandbox.job import Ending, Outcome, RunLimits
from solver.cli.console import tell
from solver.cli.files import write_text
from solver.cli.options import one_of
from solver.errors import FileError

VALIDATOR_EXAMPLE = "  grader validator secret/1.in secret/1.ans feedback/ < answer.txt\n"
VALIDATOR_CODES = """exit codes:
  42   accepted
  43   rejected
  any other: the judge has failed
"""


def make_parser() -> GraderParser:
    parser = GraderParser(
        "kit",
        "Writes the files of a Gradescope autograder into a folder.  Add inputs/, expected/ and\n"
        "Checkmark itself, and zip it.",
        "  grader kit gradescope autograder/\n",
        READING,
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
    kit = gradescope_kit()
    for name in kit:
        if (folder / name).exists():
            raise FileError(f"{folder / name}: already exists. Name a new folder.")
    for name, text in kit.items():
        write_text(str(folder / name), text)
        if name in SCRIPTS:
            (folder / name).chmod(0o755)
    tell(f"Written to {folder}: {', '.join(kit)}. setup.sh says what else goes into the zip.")
    return 0


def make_validator_parser() -> GraderParser:
    parser = GraderParser(
        "validator",
        "Judges the answer on standard input; messages go into the feedback folder."
        "\nA proof NAME.json beside the answer file NAME.ans is used if there is one.",
        VALIDATOR_EXAMPLE,
        VALIDATOR_CODES,
    )
    parser.add_argument("input", metavar="INPUT", help="the puzzle")
    parser.add_argument("answer", metavar="ANSWER", help="the expected board")
    parser.add_argument("folder", metavar="FEEDBACK_DIR", help="for the messages")
    words = "accept slower answers for a part of the score"
    parser.add_argument("--scoring", action="store_true", help=words)
    parser.add_argument("--strict", action="store_true", help="refuse trailing spaces and the like")
    add_feedback(parser)
    return parser


def run_validator(arguments: argparse.Namespace) -> int:
    folder, limits = Path(arguments.folder), RunLimits()
    if not folder.is_dir():
        raise FileError(f"{folder}: there is no such folder")
    case = case_of(Path(arguments.input), Path(arguments.answer))
    if sys.stdin is None:
        raise FileError("standard input is closed")
    answer = sys.stdin.buffer.read(limits.output_bytes + 1)
    flooded = len(answer) > limits.output_bytes
    outcome = Outcome(Ending.OUTPUT if flooded else Ending.EXIT, exit_code=0, output=answer)
    judgement = judge_outcome(outcome, limits) or judge_move(
        board_of(case), answer, truth_of(case), arguments.strict
    )
    feedback = Feedback(arguments.feedback or Feedback.OWN)
    share = share_of(judgement, Plan.slower)
    code, texts = validate(judgement, share, arguments.scoring, feedback)
    for name, text in texts.items():
        write_text(str(folder / name), text)
    tell(texts["judgemessage.txt"].rstrip("\n"))
    return code
