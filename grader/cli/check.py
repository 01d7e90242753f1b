"""`grader check`: does a program run, does it keep the rules, how far does it see."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from textwrap import fill, indent

from grader.cli.options import GraderParser, check_sandbox, jobs_of, progress
from grader.grading.check import (
    RULES_SECONDS,
    RUNS,
    STRENGTH_SECONDS,
    Check,
    Line,
    Stage,
    find_board,
    find_collection,
    find_lines,
    group_failures,
)
from grader.grading.feedback import render_feedback
from grader.grading.generator import GeneratorReport
from grader.grading.records import Diagnosis, Feedback, Record, Verdict
from grader.grading.workers import Workers, local
from grader.judge.illegal import sidebyside
from grader.report.grading_text import add_up, group_by, puzzle_table
from grader.report.text import Table, printable
from grader.sandbox.job import Sandbox
from grader.submissions.find import SUBMISSION, check_mounts, from_program
from solver.cli.options import program
from solver.errors import counted

FAILED, JUDGE_ERROR = 1, 3
WIDTH = 80
LAST_LINES = 8  # of standard error
LEAST_GROUP = 3  # puzzles: smaller groups are added up
ABOUT = """\
Finds out what is wrong with a program: whether it runs, whether it keeps the rules, and how far it
sees.  With boards, shows what it plays on them and what would be better."""
EXAMPLES = """\
  grader check checkers.py
  grader check checkers.py board.txt          # a board of your own needs no solution
  grader check checkers.py double-jump        # a puzzle by its name
"""
CODES = {
    0: "every answer was accepted",
    1: "something is wrong with the program",
    3: "a judge error, or a file that cannot be read",
}
ADVICE = {
    Verdict.CRASH: "It is called as 'PROGRAM IN OUT' or 'PROGRAM --inputfile IN --outputfile OUT',"
    " and must end with exit code 0.",
    Verdict.TIMEOUT: "Look for a loop that does not end, or search less deep.",
    Verdict.MEMORY: "Look for a list or a recursion that does not end.",
    Verdict.OUTPUT_LIMIT: "Look for a loop that does not end.",
    Verdict.MISSING: "Write the board after the move to the second file of the command.",
    Verdict.MALFORMED: "Write the board after the move as the input has it: eight rows of eight"
    " characters, and nothing else.",
}
WEAK = {
    Verdict.SLOWER: "wins later or loses sooner than it could",
    Verdict.WORSE: "throws away the win or the draw",
}


def make_parser() -> GraderParser:
    parser = GraderParser("check", ABOUT, EXAMPLES, CODES)
    parser.option("program PROGRAM", "a file in any language, or a folder with one")
    parser.option("boards [BOARD...]", "files, or names of puzzles of the collection")
    parser.option("-v --verbose", "show every answer, also the accepted ones")
    parser.add_jobs()
    return parser


def run(arguments: argparse.Namespace) -> int:
    submission = from_program(Path(arguments.program))
    check_mounts([submission], ())
    check_sandbox(Sandbox.AUTO)
    boards = Stage([find_board(word) for word in arguments.boards])
    check = Check(submission, [] if boards.cases else find_collection())
    try:
        with local(jobs_of(arguments)) as workers:
            if boards.cases:
                return _trace_boards(check, boards, workers)
            return _run_stages(check, workers, arguments)
    except KeyboardInterrupt:
        _print_interrupted([check.strength, check.rules])
        raise


def _run_stages(check: Check, workers: Workers, arguments: argparse.Namespace) -> int:
    first = check.find_game(workers)
    if first.verdict not in RUNS:
        return _print_failure(check, first, arguments.program)
    seconds = f"{first.cpu_s:.2f} s for a small board"
    _print_answer("1. Does it run?", f"Yes, and it plays {check.game}: {seconds}.")
    check.compare_generator(workers)
    _carry_out(check, check.rules, workers, RULES_SECONDS)
    diagnosis = check.diagnose()
    _print_rules(check, diagnosis)
    if arguments.verbose:
        print(f"\n{puzzle_table(check.rules.records)}", end="")
    if check.has_shown_bug(diagnosis):
        print("\n3. How far does it see? This is measured when the rules are right.")
    else:
        _carry_out(check, check.strength, workers, STRENGTH_SECONDS)
        _print_strength(check, diagnosis)
        if arguments.verbose:
            print(f"\n{puzzle_table(check.strength.records)}", end="")
    return _finish(check, f"{program('grader')} check {shlex.quote(arguments.program)}")


def _carry_out(check: Check, stage: Stage, workers: Workers, seconds: float) -> None:
    with progress(len(stage.cases), "run") as advance:
        check.carry_out(stage, workers, seconds, advance)


def _print_answer(question: str, words: str) -> None:
    print(fill(f"{question} {words}", WIDTH), flush=True)


def _print_failure(check: Check, first: Record, name: str) -> int:
    """The program does not run: why, what to change, and how to see it without the grader."""
    _print_answer("1. Does it run?", f"No: {first.reason}.")
    if said := printable(first.staff).strip():
        said = said.replace("/submission/", "")  # where it is in the sandbox
        print(indent("\n".join(said.split("\n")[-LAST_LINES:]), "   | "))
    elif first.cause:
        print(f"   {first.cause}")
    if first.verdict is Verdict.JUDGE_ERROR:
        return JUDGE_ERROR
    print(fill(ADVICE[first.verdict], WIDTH))
    case = next(each for each in check.start.cases if each.name == first.puzzle)
    places = {"{input}": _shorten(case.input_path), "{output}": "answer.txt"}
    places[sys.executable] = "python3"
    folder = Path(name) if Path(name).is_dir() else Path(name).parent
    words = [places.get(word, word) for word in check.submission.command]
    words = [
        f"{folder / each[len(SUBMISSION) + 1 :]}" if SUBMISSION in each else each for each in words
    ]
    print(f"\nNext: {shlex.join(words)}")
    return FAILED


def _print_rules(check: Check, diagnosis: Diagnosis) -> None:
    stage, generator = check.rules, check.generator
    of = f"of {counted(len(stage.records), 'answer')} to small boards"
    words = f"Yes, as far as they show: none {of} is illegal."
    if stage.illegal:
        words = (
            f"No: {len(stage.illegal)} {of} {'is' if len(stage.illegal) == 1 else 'are'} illegal."
        )
    elif check.has_shown_bug(diagnosis):
        words = f"No. None {of} is illegal, but the moves differ from the rules."
    elif diagnosis.bugs:
        words = f"Perhaps not. None {of} is illegal, but they are not those of a right program."
    print()
    _print_answer("2. Does it keep the rules?", f"{words}{_left_out(stage)}")
    if generator is not None:
        _print_generator(generator)
    for bug in diagnosis.bugs:
        print(fill(f"{bug.name}: {bug.matching} of {bug.telling}", WIDTH))
    groups = group_failures(each for each in stage.wrong if each.verdict not in WEAK)
    if example := check.example(diagnosis):
        print(f"\n{_describe(example)}")
    _print_groups(groups)


def _describe(record: Record) -> str:
    return printable(f"{record.puzzle}: {render_feedback(record, Feedback.FULL)}")


def _print_groups(groups: Iterable[tuple[Record, ...]]) -> None:
    lines = []
    for group in groups:
        first, number = group[0], counted(len(group), "answer")
        words = WEAK.get(first.verdict) or first.cause or first.reason
        name = first.puzzle.rpartition("/")[2]
        lines.append(f"{number} {first.verdict.words}: {words}. Smallest board: {name}")
    if lines:
        print(
            "\n" + "\n".join(fill(printable(line), WIDTH, subsequent_indent="  ") for line in lines)
        )


def _left_out(stage: Stage) -> str:
    left = len(stage.cases) - len(stage.records)
    return f" {counted(left, 'board')} not run: that took too long." if left else ""


def _print_strength(check: Check, diagnosis: Diagnosis) -> None:
    stage, found = check.strength, check.measure()
    answers = counted(len(stage.records), "answer")
    words = f"{len(stage.records) - len(stage.wrong)} of {answers} accepted."
    if found.longest:
        words += f" Finds wins in up to {counted(found.longest, 'ply', 'plies')}."
    if found.depth is not None:
        words += f" Its search is about {counted(found.depth, 'ply', 'plies')} deep."
    if diagnosis.bugs or check.rules.illegal:
        words += " This is measured with the bug in it."
    print()
    _print_answer("3. How far does it see?", f"{words}{_left_out(stage)}")
    rows = [[kind, f"{accepted} of {number}"] for kind, accepted, number in found.kinds]
    print(f"\n{Table('', ['puzzles', 'accepted'], rows)}")
    print(fill(f"By group: {_add_up_groups(stage.records)}", WIDTH, break_on_hyphens=False))
    _print_groups(group_failures(stage.wrong))


def _add_up_groups(records: list[Record]) -> str:
    groups = group_by("group", records)
    large = {name: own for name, own in groups.items() if len(own) >= LEAST_GROUP}
    others = [each for name, own in groups.items() if name not in large for each in own]
    sums = [add_up(name, own) for name, own in (large | {"other": others}).items() if own]
    return ", ".join(f"{each.name} {each.accepted}/{each.graded}" for each in sums)


def _finish(check: Check, command: str) -> int:
    records = [*check.rules.records, *check.strength.records]
    for record in records:
        if record.verdict is Verdict.JUDGE_ERROR:
            print(f"\n{record.puzzle}: {record.reason}\n{printable(record.staff)}")
            return JUDGE_ERROR
    wrong = group_failures(each for each in records if not each.verdict.accepted)
    if wrong:
        print(f"\nNext: {command} {wrong[0][0].puzzle.rpartition('/')[2]}")
    generator = check.generator
    return FAILED if wrong or (generator and generator.smallest) else 0


def _print_interrupted(stages: list[Stage]) -> None:
    stage = next((each for each in stages if each.done), None)
    if stage is not None:
        done = f"{len(stage.records)} of {counted(len(stage.cases), 'board')}"
        print(f"\nInterrupted after {done}: {len(stage.wrong)} answers not accepted.")
        _print_groups(group_failures(stage.wrong))


def _print_generator(found: GeneratorReport) -> None:
    compared = counted(found.compared, "position")
    if found.fault:
        print(fill(f"children() failed after {compared}: {found.fault}", WIDTH))
        print(indent(found.failed_on, "   "))
    if found.smallest is None:
        print(f"children() agrees with the rules on {compared}.")
        return
    first = found.smallest
    print(f"children() differs on {found.differing} of {compared}; the smallest is, with")
    print(f"{first.mover} to move:\n\n{sidebyside(first.board, first.lacked, first.added)}")
    if first.missing:
        print(fill(f"Missing: {', '.join(first.missing)}", WIDTH))
    for extra in first.extra:
        print(fill(f"Not legal: {extra}", WIDTH))


def _trace_boards(check: Check, boards: Stage, workers: Workers) -> int:
    """What the program plays on these boards, what follows, and what would be better."""
    _carry_out(check, boards, workers, STRENGTH_SECONDS)
    for case in boards.cases:
        record = boards.done[case.name]
        print(_describe(record))
        played, best = find_lines(case, record)
        if played is not None and not record.verdict.accepted:
            print(_line("Your move", played))
        if best is not None:
            print(_line("Best move", best))
        print(f"Next: solver analyse --why {shlex.quote(_shorten(case.input_path))}\n")
    if any(each.verdict is Verdict.JUDGE_ERROR for each in boards.records):
        return JUDGE_ERROR
    return FAILED if boards.wrong else 0


def _line(title: str, line: Line) -> str:
    rest = f"; then {' '.join(line.moves)}" if line.moves else ""
    return fill(f"{title}: {line.move}, {line.value}{rest}", WIDTH, subsequent_indent="  ")


def _shorten(path: Path) -> str:
    return min(str(path), os.path.relpath(path), key=len)
