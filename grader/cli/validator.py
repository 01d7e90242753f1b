"""`grader validator`: judge one answer, as contest systems call an output validator."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grader.cli.options import add_feedback
from grader.cli.parser import GraderParser
from grader.grading.grade import share_of
from grader.grading.plan import Plan
from grader.grading.records import Feedback, Judgement
from grader.judge import judge_move, judge_outcome
from grader.puzzles.evidence import truth_of
from grader.puzzles.find import Case, case_of
from grader.report.grading_files import validate
from grader.sandbox.job import Ending, Limits, Outcome
from solver.cli.console import tell
from solver.cli.files import write_text
from solver.errors import FileError

LIMITS = Limits()
EXAMPLES = """\
  grader validator secret/1.in secret/1.ans feedback/ < answer.txt
"""
EXIT_CODES = """exit codes:
  42   accepted
  43   rejected
  any other: the judge has failed
"""


def make_parser() -> GraderParser:
    parser = GraderParser(
        command="validator",
        about="Judges the answer on standard input; messages go into the feedback folder."
        "\nA proof NAME.json beside the answer file NAME.ans is used if there is one.",
        examples=EXAMPLES,
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


def run(arguments: argparse.Namespace) -> int:
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
    return failed or judge_move(case.text, answer, truth_of(case), strict)
