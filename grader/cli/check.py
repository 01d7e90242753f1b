"""`grader check`: does a program run, does it keep the rules, how far does it see."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from dataclasses import replace
from itertools import chain
from pathlib import Path
from textwrap import fill, indent

import solver
from grader.cli.options import FAILED, JUDGE_ERROR, GraderParser, check_sandbox, jobs_of, progress
from grader.grading.check import (
    RULES_SECONDS,
    RUNS,
    STRENGTH_SECONDS,
    CheckStage,
    GeneratorReport,
    ProgramCheck,
    find_board,
    find_collection,
    group_failures,
)
from grader.grading.feedback import render_diagnosis, render_feedback
from grader.grading.records import Feedback, Record, Verdict
from grader.grading.workers import Workers, local
from grader.judge.illegal import sidebyside
from grader.puzzles.evidence import truth_of
from grader.puzzles.find import Case
from grader.report.grading_text import add_up, group_by, puzzle_table
from grader.report.text import Table, printable
from grader.sandbox.job import Sandbox
from grader.submissions.find import SUBMISSION, check_mounts, from_program
from solver.cli.console import tell
from solver.cli.options import program
from solver.errors import counted

WIDTH = 80
LAST_LINES = 8  # of standard error
MOST_GROUPS = 8
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
    Verdict.MISSING: "Write the board after the move to the second file of the command.",
    Verdict.MALFORMED: "Write the board after the move as the input has it: eight rows of eight"
    " characters, and nothing else.",
}
NO_END = "Look for a loop or a recursion that does not end, or search less deep."
WEAK = {
    Verdict.SLOWER: "wins later or loses sooner than it could",
    Verdict.WORSE: "throws away the win or the draw",
}


def make_parser() -> GraderParser:
    parser = GraderParser("check", ABOUT, EXAMPLES, CODES)
    parser.option("program PROGRAM", "a file in any language, or a folder with one")
    parser.option("boards [BOARD...]", "files, or names of puzzles of the collection")
    parser.option("-v --verbose", "show every answer, and measure strength in any case")
    parser.add_jobs()
    return parser


def run(arguments: argparse.Namespace) -> int:
    check = ProgramCheck(from_program(Path(arguments.program)))
    check_mounts([check.submission], ())
    check_sandbox(Sandbox.AUTO, [check.submission])
    found = [find_board(word) for word in arguments.boards]
    for warning in chain(*(warnings for _, warnings in found)):
        tell(f"grader: {warning}")
    boards = CheckStage([case for case, _ in found])
    try:
        with local(jobs_of(arguments)) as workers:
            if boards.cases:
                return _trace_boards(check, boards, workers)
            return _run_stages(check, workers, arguments)
    except KeyboardInterrupt:
        print(f"\nInterrupted after {counted(len(check.records), 'board')}.")
        _print_groups(check.records)
        raise


def _run_stages(check: ProgramCheck, workers: Workers, arguments: argparse.Namespace) -> int:
    case, first = check.find_game(find_collection(), workers)
    if first.verdict not in RUNS:
        return _print_failure(check, case, first, Path(arguments.program))
    _print(f"1. Does it run? Yes, and it plays {case.game}: {first.cpu_s:.2f} s for a small board.")
    check.compare_generator(case.game, workers)
    _carry_out(check, check.rules, workers, RULES_SECONDS)
    if arguments.verbose or not check.has_bug:
        _carry_out(check, check.strength, workers, STRENGTH_SECONDS)
    if error := next((each for each in check.records if each.verdict is Verdict.JUDGE_ERROR), None):
        _print(f"{error.puzzle}: {error.reason}\n{error.staff}")
        return JUDGE_ERROR
    _print_rules(check)
    if check.strength.done:
        _print_strength(check)
    else:
        _print("\n3. How far does it see? Fix this first; -v measures it anyway.")
    if arguments.verbose:
        print(f"\n{puzzle_table(check.records)}", end="")
    if wrong := group_failures(check.records):
        name = wrong[0][0].puzzle.rpartition("/")[2]
        print(f"\nNext: {program('grader')} check {shlex.quote(arguments.program)} {name}")
    return FAILED if wrong or check.has_bug else 0


def _carry_out(check: ProgramCheck, stage: CheckStage, workers: Workers, seconds: float) -> None:
    with progress(len(stage.cases), "run") as advance:
        check.carry_out(stage, workers, seconds, advance)


def _print(words: str) -> None:
    """Text of any source, each of its lines wrapped."""
    for line in printable(words).split("\n"):
        print(fill(line, WIDTH, break_on_hyphens=False), flush=True)


def _print_failure(check: ProgramCheck, case: Case, first: Record, program: Path) -> int:
    """The program does not run: why, what to change, and how to see it without the grader."""
    _print(f"1. Does it run? No: {first.reason}.")
    # Its folder in the sandbox has a name that is not the student's.
    said = printable(first.staff).replace("/submission/", "").strip()
    print(indent("\n".join((said or first.cause).split("\n")[-LAST_LINES:]), "   | "))
    if first.verdict is Verdict.JUDGE_ERROR:
        return JUDGE_ERROR
    _print(ADVICE.get(first.verdict, NO_END))
    folder = program if program.is_dir() else program.parent
    places = {sys.executable: "python3", "{input}": _shorten(case), "{output}": "answer.txt"}
    words = [places.get(word, word) for word in check.submission.command]
    inside = f"{SUBMISSION}/"
    words = [f"{folder / each[len(inside) :]}" if inside in each else each for each in words]
    print(f"\nNext: {shlex.join(words)}")
    return FAILED


def _print_rules(check: ProgramCheck) -> None:
    illegal = check.illegal
    diagnosis, of = check.diagnosis, f"of {counted(len(check.records), 'answer')}"
    words = f"Yes, as far as the boards show: none {of} is illegal."
    if illegal:
        words = f"No: {len(illegal)} {of} {'is' if len(illegal) == 1 else 'are'} illegal."
    elif check.has_bug:
        certain = any(bug.shown for bug in diagnosis.bugs) or not diagnosis.bugs
        words = f"{'No' if certain else 'Perhaps not'}, though none {of} is illegal."
    _print(f"\n2. Does it keep the rules? {words}{_count_left(check.rules)}")
    if check.generator is not None:
        _print_generator(check.generator)
    if lines := render_diagnosis(diagnosis):
        _print("\n".join(lines))
    if check.generator is None or not check.generator.differing:
        firsts = [bug.first for bug in diagnosis.bugs]
        named = [replace(each, cause="") for each in check.records if each.puzzle in firsts]
        for record in (named or [own[0] for own in group_failures(illegal)])[:1]:
            print(f"\n{_describe(record)}")


def _describe(record: Record) -> str:
    return printable(f"{record.puzzle}: {render_feedback(record, Feedback.FULL)}")


def _print_groups(records: list[Record]) -> None:
    """What is wrong, with the smallest board of each kind."""
    print()
    for group in group_failures(records):
        first = group[0]
        words = WEAK.get(first.verdict) or first.cause or first.reason
        name = first.puzzle.rpartition("/")[2]
        _print(f"{len(group)} x {first.verdict.words}: {words} ({name})")


def _count_left(stage: CheckStage) -> str:
    left = len(stage.cases) - len(stage.done)
    return f" {counted(left, 'board')} not run: the program is slow." if left else ""


def _print_strength(check: ProgramCheck) -> None:
    records, found, depth = check.strength.records, check.measure(), check.diagnosis.depth
    sums = add_up("", records)
    words = f"{sums.accepted} of {counted(sums.graded, 'answer')} accepted."
    if found.longest:
        words += f" It finds wins in up to {counted(found.longest, 'ply', 'plies')}"
        words += f" and misses some from {found.missed} on." if found.missed else "."
    if depth is not None:
        words += f" Its search is about {counted(depth, 'ply', 'plies')} deep."
    if check.has_bug:
        words += " This is measured with the bug in it."
    _print(f"\n3. How far does it see? {words}{_count_left(check.strength)}")
    if check.has_bug:
        return
    rows = [[kind, f"{accepted} of {number}"] for kind, accepted, number in found.kinds]
    print(f"\n{Table('', ['puzzles', 'accepted'], rows)}")
    groups = [add_up(name, own) for name, own in group_by("group", records).items()]
    groups.sort(key=lambda each: each.accepted - each.graded)
    counts = [f"{each.name} {each.accepted} of {each.graded}" for each in groups[:MOST_GROUPS]]
    _print(f"Groups with the most failures: {', '.join(counts)}.")
    _print_groups(records)


def _print_generator(found: GeneratorReport) -> None:
    compared = counted(found.compared, "position")
    if found.fault:
        _print(f"children() failed after {compared}: {found.fault}")
    if not found.differing:
        _print(f"children() agrees with the rules on {compared}.")
        return
    _print(f"children() differs on {found.differing} of {compared}. The smallest board:")
    print(f"\n{sidebyside(found.board, None, '')}\n")
    if found.missing:
        _print(f"Missing moves of {found.mover}: {', '.join(found.missing)}")
    for extra in found.extra:
        _print(f"Not legal: {extra}")


def _trace_boards(check: ProgramCheck, boards: CheckStage, workers: Workers) -> int:
    """What the program plays on these boards, what follows, and what would be better."""
    _carry_out(check, boards, workers, STRENGTH_SECONDS)
    for case in boards.cases:
        if record := boards.done.get(case.name):
            print(_describe(record))
            _print_lines(case, record)
            print(f"Next: {program()} analyse --why {shlex.quote(_shorten(case))}\n")
    if left := _count_left(boards):
        print(left.strip())
    verdicts = {each.verdict for each in boards.records}
    if Verdict.JUDGE_ERROR in verdicts:
        return JUDGE_ERROR
    return FAILED if left or not all(each.accepted for each in verdicts) else 0


def _print_lines(case: Case, record: Record) -> None:
    """The program's move with its refutation, if it is legal and not the best, and the best."""
    puzzle, truth = solver.read(case.text, game=case.game), truth_of(case)
    values = {move.name: move.value.words for move in truth.moves}
    for move in (*([record.move] if record.verdict in WEAK else []), *truth.best[:1]):
        after = puzzle.play(move)
        title = "Best move" if move in record.best else "Your move"
        rest = "" if after.result else " ".join(solver.solve(after).line)
        _print(f"{title}: {move}, {values[move]}{f'; then {rest}' if rest else ''}")


def _shorten(case: Case) -> str:
    """The path of its file, absolute or from here."""
    return min(str(case.input_path), os.path.relpath(case.input_path), key=len)
