"""A student's move generator against ours, on random positions.

A Python program may define `children(rows, side)`: from 8 strings of 8 characters, the top row
first, and the letter of the side to move to a list of boards after each legal move, each a list of
8 strings or a text.  It is called in the sandbox, by a script of ours; boards are compared here.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from grader.grading.grade import Run, run_submission
from grader.judge.answer import WrittenBoard
from grader.judge.illegal import explain
from grader.judge.outcome import judge_outcome
from grader.sandbox.job import File, RunLimits, Sandbox
from grader.submissions.find import PLACES, SUBMISSION, Submission
from solver.games import Game
from solver.search.position import Position

DEFINED = re.compile(rb"^def children\(", re.MULTILINE)
LIMITS = RunLimits(cpu_s=30, wall_s=90, output_bytes=20_000_000)
POSITIONS = 2000
MOST_PIECES = 6  # of a side
DRIVER_NAME = "checkmark_children.py"
# An answer is written as soon as it is there, so that a crash shows which board it is about.
DRIVER = b"""\
import importlib.util
import json
import sys

path, given, written = sys.argv[1:]
sys.argv = [path]
spec = importlib.util.spec_from_file_location("student", path)
student = importlib.util.module_from_spec(spec)
spec.loader.exec_module(student)
with open(given) as positions, open(written, "w", buffering=1) as answers:
    for position in positions:
        boards = student.children(*json.loads(position))
        texts = [b if isinstance(b, str) else "\\n".join(map("".join, b)) for b in boards]
        answers.write(json.dumps(texts) + "\\n")
"""


@dataclass(frozen=True)
class Difference:
    """A position on which two generators differ."""

    board: str
    mover: str
    missing: tuple[str, ...]  # moves that the program does not have
    extra: tuple[str, ...]  # what is wrong with those that it should not have
    lacked: str = ""  # the board after the first of the missing moves
    added: str = ""  # the first board that should not be there


@dataclass(frozen=True)
class GeneratorReport:
    compared: int
    differing: int = 0
    smallest: Difference | None = None
    fault: str = ""  # why not all positions were compared
    failed_on: str = ""  # the board on which it failed, if it was called


def compare_generators(
    submission: Submission, rules: Game, run: Run, sandbox: Sandbox = Sandbox.AUTO
) -> GeneratorReport | None:
    """None if the program has no `children`."""
    script = submission.script()
    if script is None or not script.path.endswith(".py") or not DEFINED.search(script.content):
        return None
    positions = random_positions(rules)
    lines = [json.dumps([str(each).split("\n"), each.mover()[0]]) + "\n" for each in positions]
    driver = replace(
        submission,
        files=(*submission.files, File(DRIVER_NAME, DRIVER)),
        command=(
            *(sys.executable, f"{SUBMISSION}/{DRIVER_NAME}"),
            *(f"{SUBMISSION}/{script.path}", *PLACES),
        ),
        guessed=False,
    )
    text = "".join(lines).encode()
    outcome = run_submission(driver, "positions.jsonl", text, LIMITS, sandbox, run)
    judgement = judge_outcome(outcome, LIMITS)
    answers = [_parse(line) for line in (outcome.output or b"").split(b"\n")[:-1]]
    pairs = list(zip(positions, answers, strict=False))
    found = [pair for pair in pairs if pair[1] != set(map(str, pair[0].children()))]
    smallest = min(found, key=lambda pair: count_pieces(str(pair[0])), default=None)
    difference = None if smallest is None else _compare(rules, *smallest)
    if judgement is None:
        return GeneratorReport(len(pairs), len(found), difference)
    fault = ": ".join(filter(None, (judgement.reason, judgement.cause)))
    failed_on = "" if outcome.output is None else str(positions[len(pairs) % POSITIONS])
    return GeneratorReport(len(pairs), len(found), difference, fault, failed_on)


def random_positions(rules: Game) -> list[Position]:
    """Always the same ones, either side to move, in none of which the game is over."""
    chance, found = Random(0), list[Position]()
    while len(found) < POSITIONS:
        own, other = (chance.randint(1, MOST_PIECES) for _ in range(2))
        position = rules.random_position(chance.random, own, other)
        position = rules.passed(position) if chance.random() < 0.5 else position
        if rules.outcome(position) is None:
            found.append(position)
    return found


def count_pieces(board: str) -> int:
    return sum(letter.isalpha() for letter in "".join(board.split("\n")[:8]))


def _parse(line: bytes) -> set[str]:
    """The boards of a line of the driver's, which the program may have changed."""
    try:
        texts: Any = json.loads(line)
    except (ValueError, RecursionError):
        return set()
    known = isinstance(texts, list)
    return {each.strip("\n")[:71] for each in texts if isinstance(each, str)} if known else set()


def _compare(rules: Game, position: Position, given: set[str]) -> Difference:
    legal = {str(child): child for child in position.children()}
    missing = [board for board in legal if board not in given]
    extra = sorted(given - legal.keys())
    names = tuple(rules.move_name(position, legal[board], True) for board in missing)
    faults = tuple(_explain(rules, position, board) for board in extra)
    examples = "".join(missing[:1]), "".join(extra[:1])
    return Difference(str(position), position.mover(), names, faults, *examples)


def _explain(rules: Game, position: Position, board: str) -> str:
    rows = board.split("\n")
    if list(map(len, rows)) != [8] * 8 or not {*board} <= {*rules.PIECES, ".", "\n"}:
        return f"{board[:20]!a} is not a board of 8 rows of 8 characters"
    breach = explain(rules, position, WrittenBoard("".join(rows)))
    return ": ".join(filter(None, (breach.move, breach.reason)))
