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
BOARD = re.compile(r"([.a-zA-Z]{8}\n){7}[.a-zA-Z]{8}")
LIMITS = RunLimits(cpu_s=30, wall_s=90, output_bytes=20_000_000)
POSITIONS = 2000
MOST_PIECES = 6  # of a side
DRIVER_NAME = "checkmark_children.py"
DRIVER = b"""\
import importlib.util
import json
import sys

path, given, written = sys.argv[1:]
sys.argv = [path]
spec = importlib.util.spec_from_file_location("student", path)
student = importlib.util.module_from_spec(spec)
spec.loader.exec_module(student)
with open(given) as positions, open(written, "w") as answers:
    for position in positions:
        boards = student.children(*json.loads(position))
        texts = [b if isinstance(b, str) else "\\n".join(map("".join, b)) for b in boards]
        answers.write(json.dumps(texts) + "\\n")
"""


@dataclass(frozen=True)
class GeneratorReport:
    """How often two generators differ, and how on the smallest of these boards."""

    compared: int
    differing: int = 0
    fault: str = ""  # why not all positions were compared
    board: str = ""
    mover: str = ""
    missing: tuple[str, ...] = ()  # moves that the program does not have
    extra: tuple[str, ...] = ()  # what is wrong with those that it should not have


def compare_generators(
    submission: Submission, rules: Game, run: Run, sandbox: Sandbox = Sandbox.AUTO
) -> GeneratorReport | None:
    """None if the program has no `children`."""
    script = submission.script()
    if script is None or not script.path.endswith(".py") or not DEFINED.search(script.content):
        return None
    positions = random_positions(rules)
    lines = [json.dumps([str(each).split("\n"), each.mover()[0]]) + "\n" for each in positions]
    files = (*submission.files, File(DRIVER_NAME, DRIVER))
    paths = [f"{SUBMISSION}/{path}" for path in (DRIVER_NAME, script.path)]
    command = (sys.executable, *paths, *PLACES)
    driver = replace(submission, files=files, command=command, guessed=False)
    text = "".join(lines).encode()
    outcome = run_submission(driver, "positions.jsonl", text, LIMITS, sandbox, run)
    judgement = judge_outcome(outcome, LIMITS)
    answers = [_parse(line) for line in (outcome.output or b"").split(b"\n")[:-1]]
    for board in (each for boards in answers for each in boards):
        if not BOARD.fullmatch(board):
            return GeneratorReport(0, fault=f"it returned {board[:20]!a}, which is not a board")
    pairs = list(zip(positions, answers, strict=False))
    found = [pair for pair in pairs if pair[1] != set(map(str, pair[0].children()))]
    fault = "" if judgement is None else f"{judgement.reason}: {judgement.cause}"
    if not found:
        return GeneratorReport(len(pairs), fault=fault)
    position, given = min(found, key=lambda pair: count_pieces(str(pair[0])))
    legal = {str(child): child for child in position.children()}
    missing = [rules.move_name(position, legal[each], True) for each in legal if each not in given]
    wrong = [WrittenBoard(board.replace("\n", "")) for board in sorted(given - legal.keys())]
    breaches = [explain(rules, position, board) for board in wrong]
    extra = [": ".join(filter(None, (each.move, each.reason))) for each in breaches]
    smallest = str(position), position.mover(), tuple(missing), tuple(extra)
    return GeneratorReport(len(pairs), len(found), fault, *smallest)


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
    """The boards of a line; the program may have written something else."""
    try:
        texts: Any = json.loads(line)
    except (ValueError, RecursionError):
        texts = None
    return {str(each).strip("\n") for each in texts} if isinstance(texts, list) else set()
