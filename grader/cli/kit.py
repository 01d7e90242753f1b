"""`grader kit` and `validator`, for other systems that run the grader by themselves, and
`doctor`: is this machine safe enough?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grader.cli.expected import graded_cases
from grader.cli.options import GraderParser, find_settings, puzzle_settings, write_inside
from grader.grading.plan import Plan
from grader.grading.records import Feedback
from grader.judge.move import judge_move
from grader.judge.outcome import judge_outcome
from grader.puzzles.evidence import truth_of
from grader.puzzles.find import board_of, case_of
from grader.report.grading_files import validate
from grader.report.kits import SYSTEMS, make_kit
from grader.report.text import Table
from grader.sandbox.attacks import run_attacks
from grader.sandbox.client import Refused, choose_level, level_reports
from grader.sandbox.job import SUMMARIES, Ending, Level, Outcome, RunLimits, Sandbox
from solver.cli.console import tell
from solver.cli.files import write_file
from solver.cli.options import one_of
from solver.errors import BAD_FILE, FileError, counted


def make_parser() -> GraderParser:
    parser = GraderParser(
        "kit",
        "Writes all that another system needs to grade submissions: the puzzles with their\n"
        "proofs, the settings, Checkmark itself, and the scripts that the system calls.\n\n"
        + "\n".join(f"  {name:10}  {about}" for name, about in SYSTEMS.items()),
        "  grader kit gradescope autograder.zip --inputs puzzles/\n"
        "  grader kit autolab lab/ --inputs puzzles/ --settings grader.toml\n"
        "  grader kit github repository/ -k double\n",
        {0: "written", 3: "a file that cannot be read or written, or that is there already"},
    )
    parser.option("system SYSTEM", ", ".join(SYSTEMS), one_of(*SYSTEMS))
    parser.option("target TARGET", "the zip or the folder to write")
    parser.add_puzzles()
    parser.add_settings()
    parser.add_jobs()
    return parser


def run(arguments: argparse.Namespace) -> int:
    target, path = Path(arguments.target), find_settings(arguments)
    cases = graded_cases(arguments, puzzle_settings(arguments))
    settings = None if path is None else path.read_text("utf-8")
    kit = make_kit(arguments.system, cases, settings)
    for name in kit:
        if (target / name).exists():
            raise FileError(f"{target / name}: already exists. Name another.")
    for name, content in kit.items():
        write_inside(target / name, content)
    tell(f"grader: {counted(len(cases), 'puzzle')} in {target}")
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
    judged = judge_outcome(outcome, limits)
    judgement = judged or judge_move(board_of(case), answer, truth_of(case))
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
    try:
        results = run_attacks()
    except Refused as error:
        raise FileError(str(error)) from None
    held = {(each.attack, each.level): "held" if each.held else "NOT HELD" for each in results}
    attacks = dict.fromkeys(each.attack for each in results)
    rows = [[attack, *(held.get((attack, level), "-") for level in Level)] for attack in attacks]
    print(Table("", ["attack", *Level], rows, words=1 + len(Level)))
    for report in level_reports():
        about = f"{SUMMARIES[report.level]}{f'; {report.reason}' if report.reason else ''}"
        about = about if report.available else f"not available: {report.reason}"
        print(f"{report.level}: {about}")
    print(f"\nSubmissions run in: {choose_level(Sandbox.AUTO)}")
    print(f"Time and memory are measured by: {level_reports()[-1].accounting or 'the clock'}")
    for each in results:
        if each.words:
            tell(f"{each.level}: {each.attack}: {each.words}")
    strongest = [each.held for each in results if each.level is Level.BUBBLEWRAP]
    return 0 if strongest and all(strongest) else BAD_FILE
