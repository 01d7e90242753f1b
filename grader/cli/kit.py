"""`grader kit` and `validator`, for other systems that run the grader by themselves, and
`doctor`: is this machine safe enough?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grader.cli.options import READING, GraderParser
from grader.grading.plan import Plan
from grader.grading.records import Feedback
from grader.judge.move import judge_move
from grader.judge.outcome import judge_outcome
from grader.puzzles.evidence import truth_of
from grader.puzzles.find import board_of, case_of
from grader.report.grading_files import SCRIPTS, gradescope_kit, validate
from grader.report.text import Table
from grader.sandbox import Level, Sandbox, choose_level, level_reports
from grader.sandbox.attacks import Held, run_attacks
from grader.sandbox.job import Ending, Outcome, RunLimits
from solver.cli.console import tell
from solver.cli.files import write_file
from solver.cli.options import one_of
from solver.errors import BAD_FILE, FileError


def make_parser() -> GraderParser:
    parser = GraderParser(
        "kit",
        "Writes the files of a Gradescope autograder into a folder.  Add inputs/, expected/ and\n"
        "Checkmark itself, and zip it.",
        "  grader kit gradescope autograder/\n",
        READING,
    )
    parser.option("system SYSTEM", "gradescope", one_of("gradescope"))
    parser.option("folder FOLDER", "created if it is not there")
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
        write_file(str(folder / name), text)
        if name in SCRIPTS:
            (folder / name).chmod(0o755)
    tell(f"Written to {folder}: {', '.join(kit)}. setup.sh says what else goes into the zip.")
    return 0


def make_validator_parser() -> GraderParser:
    parser = GraderParser(
        "validator",
        "Judges the answer on standard input; messages go into the feedback folder."
        "\nA proof NAME.json beside the answer file NAME.ans is used if there is one.",
        "  grader validator secret/1.in secret/1.ans feedback/ < answer.txt\n",
        {42: "accepted", 43: "rejected; all others mean that the judge has failed"},
    )
    parser.option("input INPUT", "the puzzle")
    parser.option("answer ANSWER", "the expected board")
    parser.option("folder FEEDBACK_DIR", "for the messages")
    parser.option("--scoring", "accept slower answers for a part of the score")
    parser.option("--strict", "refuse trailing spaces and the like")
    parser.add_feedback()
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
    share = judgement.verdict.share(Plan.slower)
    code, texts = validate(judgement, share, arguments.scoring, feedback)
    for name, text in texts.items():
        write_file(str(folder / name), text)
    tell(texts["judgemessage.txt"].rstrip("\n"))
    return code


def make_doctor_parser() -> GraderParser:
    return GraderParser(
        "doctor",
        "Attacks every sandbox level of this machine and shows which attacks were held.",
        "  grader doctor\n",
        {
            0: "the strongest level is available and held against every attack",
            3: "it is not, or an attack succeeded",
        },
    )


def run_doctor(arguments: argparse.Namespace) -> int:
    tell("Running the attacks. This takes about 20 seconds.")
    results = run_attacks()
    shown = {Held.HELD: "held", Held.NOT_HELD: "NOT HELD", Held.NOT_APPLICABLE: "-"}
    held = {(each.attack, each.level): shown[each.held] for each in results}
    attacks = dict.fromkeys(each.attack for each in results)
    rows = [[attack, *(held.get((attack, level), "-") for level in Level)] for attack in attacks]
    print(Table("", ["attack", *Level], rows, words=1 + len(Level)))
    for report in level_reports():
        about = f"{report.level.summary}{f'; {report.reason}' if report.reason else ''}"
        about = about if report.available else f"not available: {report.reason}"
        print(f"{report.level}: {about}")
    print(f"\nSubmissions run in: {choose_level(Sandbox.AUTO)}")
    for each in results:
        if each.held is Held.NOT_HELD and each.words:
            tell(f"{each.level}: {each.attack}: {each.words}")
    strongest = [each.held for each in results if each.level is Level.BUBBLEWRAP]
    return 0 if set(strongest) == {Held.HELD} else BAD_FILE
