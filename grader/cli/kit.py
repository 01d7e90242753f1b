"""`grader kit`: what another system needs to run the grader by itself."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grader.cli.options import READING, GraderParser, add_feedback
from grader.grading.grade import share_of
from grader.grading.plan import Plan
from grader.grading.records import Feedback, Judgement
from grader.judge import judge_move, judge_outcome
from grader.puzzles.evidence import truth_of
from grader.puzzles.find import Case, board_of, case_of
from grader.report.grading_files import SCRIPTS, gradescope_kit, validate
from grader.sandbox.job import Ending, Limits, Outcome
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


# `grader validator`: judge one answer, as contest systems call an output validator.


LIMITS = Limits()
VALIDATOR_EXAMPLES = """\
  grader validator secret/1.in secret/1.ans feedback/ < answer.txt
"""
EXIT_CODES = """exit codes:
  42   accepted
  43   rejected
  any other: the judge has failed
"""


def make_validator_parser() -> GraderParser:
    parser = GraderParser(
        command="validator",
        about="Judges the answer on standard input; messages go into the feedback folder."
        "\nA proof NAME.json beside the answer file NAME.ans is used if there is one.",
        examples=VALIDATOR_EXAMPLES,
        codes=EXIT_CODES,
    )
    parser.add_argument("input", metavar="INPUT", help="the puzzle")
    parser.add_argument("answer", metavar="ANSWER", help="the expected board")
    parser.add_argument("folder", metavar="FEEDBACK_DIR", help="for the messages")
    parser.add_argument(
        "--scoring", action="store_true", help="accept slower answers for a part of the score"
    )
    parser.add_argument("--strict", action="store_true", help="refuse trailing spaces and the like")
    add_feedback(parser)
    return parser


def run_validator(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.folder)
    if not folder.is_dir():
        raise FileError(f"{folder}: there is no such folder")
    case = case_of(Path(arguments.input), Path(arguments.answer))
    judgement = _judged(case, _answer(), arguments.strict)
    share = share_of(judgement, Plan.slower)
    feedback = Feedback(arguments.feedback or Feedback.OWN)
    code, texts = validate(judgement, share, arguments.scoring, feedback)
    for name, text in texts.items():
        write_text(str(folder / name), text)
    tell(texts["judgemessage.txt"].rstrip("\n"))
    return code


def _answer() -> bytes:
    if sys.stdin is None:
        raise FileError("standard input is closed")
    return sys.stdin.buffer.read(LIMITS.output_bytes + 1)


def _judged(case: Case, answer: bytes, strict: bool) -> Judgement:
    flooded = len(answer) > LIMITS.output_bytes
    outcome = Outcome(Ending.OUTPUT if flooded else Ending.EXIT, exit_code=0, output=answer)
    failed = judge_outcome(outcome, LIMITS)
    return failed or judge_move(board_of(case), answer, truth_of(case), strict)
