"""Is my program wrong?  Three questions about one program, each asked only if the one before is
answered: does it run, does it keep the rules, how far does it see.

A Python program may define `children(rows, side)`: from 8 strings of 8 characters, the top row
first, and the letter of the side to move to a list of boards after each legal move, each a list of
8 strings or a text.  It is called in the sandbox, by a script of ours, and compared with our own on
random positions.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

from grader.grading.grade import Run, grade_all, run_submission
from grader.grading.plan import Plan
from grader.grading.records import Diagnosis, Record, Verdict
from grader.grading.workers import Workers
from grader.judge.answer import WrittenBoard
from grader.judge.diagnosis import diagnose
from grader.judge.illegal import explain
from grader.judge.outcome import judge_outcome
from grader.puzzles.evidence import truth_of
from grader.puzzles.find import Case, PuzzleFiles, find_cases, find_puzzles, select, shipped_puzzles
from grader.sandbox.job import File, RunLimits, Sandbox
from grader.submissions.find import PLACES, SUBMISSION, Submission
from solver.errors import FileError
from solver.games import GAMES, Game, game_named
from solver.games.bugs import PROBE
from solver.search.position import Position

LIMITS = RunLimits(cpu_s=10, wall_s=30)  # of one run
RULES_SECONDS, STRENGTH_SECONDS = 60.0, 120.0
ENOUGH = 0.75  # of the wins of one length: they are found
LONGEST_LISTED = 9  # plies of wins that are counted by their length
LEGAL = (Verdict.EXACT, Verdict.EQUAL, Verdict.SLOWER, Verdict.WORSE)
RUNS = (*LEGAL, Verdict.ILLEGAL)  # there is a board to talk about


@dataclass
class CheckStage:
    """Puzzles in order, and the records so far."""

    cases: Sequence[Case] = ()
    done: dict[str, Record] = field(default_factory=dict)

    @property
    def records(self) -> list[Record]:
        return [self.done[case.name] for case in self.cases if case.name in self.done]


class ProgramCheck:
    """The stages of one program.  What was seen stays if a stage is interrupted."""

    def __init__(self, submission: Submission) -> None:
        self.submission = submission
        self.rules, self.strength = CheckStage(), CheckStage()
        self.generator: GeneratorReport | None = None
        self.diagnosis = Diagnosis()

    @property
    def records(self) -> list[Record]:
        return self.rules.records + self.strength.records

    def find_game(self, collection: Sequence[Case], workers: Workers) -> tuple[Case, Record]:
        """An easy board of the game that the program plays, by its answers to one of each; its name
        decides between games of which it understands equally little."""
        start = CheckStage([_easiest(collection, name) for name in GAMES])
        self.carry_out(start, workers)

        def rank(case: Case) -> tuple[int, bool]:
            verdict = start.done[case.name].verdict
            known = 0 if verdict in LEGAL else 1 if verdict is Verdict.ILLEGAL else 2
            return known, case.game not in self.submission.name.lower()

        first = min(start.cases, key=rank)
        own = sorted((case for case in collection if case.game == first.game), key=_length)
        self.rules = CheckStage([case for case in own if case.group == PROBE])
        self.strength = CheckStage([case for case in own if case.group != PROBE])
        return first, start.done[first.name]

    def compare_generator(self, game: str, workers: Workers) -> None:
        self.generator = compare_generators(self.submission, game_named(game), workers.run)

    def carry_out(
        self,
        stage: CheckStage,
        workers: Workers,
        seconds: float = STRENGTH_SECONDS,
        advance: Callable[[], object] = lambda: None,
    ) -> None:
        plan = Plan((self.submission,), tuple(stage.cases), LIMITS)
        for task, record in grade_all(plan, plan.tasks(), workers, seconds):
            stage.done[task.case.name] = record
            advance()
        self.diagnosis = diagnose(self.records)

    @property
    def has_bug(self) -> bool:
        """Whether something is wrong that comes before strength."""
        differs = self.generator is not None and self.generator.differing > 0
        return differs or bool(self.diagnosis.bugs) or 2 * len(self.illegal) > len(self.records)

    @property
    def illegal(self) -> list[Record]:
        return [r for r in self.records if r.verdict is Verdict.ILLEGAL and not is_weak(r)]

    def measure(self) -> SeenDepth:
        kinds: dict[str, list[bool]] = {}
        wins: dict[int, list[bool]] = {}
        for case in self.strength.cases:
            if record := self.strength.done.get(case.name):
                kinds.setdefault(_kind(case), []).append(record.verdict.accepted)
                wins.setdefault(_win_length(case), []).append(record.verdict.accepted)
        lengths = sorted({*wins} - {0})
        found = list(takewhile(lambda each: mean(wins[each]) >= ENOUGH, lengths))
        counts = tuple((kind, sum(each), len(each)) for kind, each in kinds.items())
        return SeenDepth(counts, max(found, default=0), *lengths[len(found) : len(found) + 1])


@dataclass(frozen=True)
class SeenDepth:
    """How far a program sees."""

    kinds: tuple[tuple[str, int, int], ...]  # `win in 7`, accepted, all of them
    longest: int  # plies: wins of up to this length are found
    missed: int = 0  # the next length, of which some are not


def _easiest(cases: Iterable[Case], game: str) -> Case:
    own = [case for case in cases if case.game == game and _win_length(case)]
    return min(own, key=lambda case: (count_pieces(case.text), _win_length(case)))


def _win_length(case: Case) -> int:
    """Plies, if a win is proven, else 0."""
    value = truth_of(case).value
    return (value.plies or 0) if value and value.result > 0 else 0


def _length(case: Case) -> tuple[int, int]:
    """Short wins first, then what has no such measure, by the size of the board."""
    return _win_length(case) or 1000, count_pieces(case.text)


def _kind(case: Case) -> str:
    value, length = truth_of(case).value, _win_length(case)
    if value is None or not value.certain:
        return "not proven" if value else "game over"
    if value.result <= 0:
        return "loss to delay" if value.result else "draw to hold"
    return f"win in {length}" if 0 < length <= LONGEST_LISTED else "longer win"


def group_failures(records: Iterable[Record]) -> list[list[Record]]:
    """What was not accepted by what is wrong, the worst first, in each the smallest board first.
    Legal moves are not grouped by guesses about single boards."""
    groups: dict[tuple[Verdict, str], list[Record]] = {}
    for record in sorted(records, key=lambda each: count_pieces(each.input_board)):
        cause = "" if record.verdict in LEGAL else record.cause
        if not record.verdict.accepted:
            groups.setdefault((record.verdict, cause), []).append(record)
    return sorted(groups.values(), key=lambda own: (is_weak(own[0]), -len(own)))


def is_weak(record: Record) -> bool:
    """Whether it is only the strength that is at fault: a move after the end of a game counts as
    illegal, but the rules of moving were kept."""
    return record.verdict in LEGAL or (record.verdict is Verdict.ILLEGAL and not record.best)


def find_collection() -> list[Case]:
    """The puzzles that come with the grader, wherever it is called."""
    return find_cases(_shipped() / "inputs", _shipped() / "expected")[0]


def find_board(word: str) -> tuple[Case, list[str]]:
    """A board of one's own, whose truth is found when it is judged; or one of the collection, by
    its file or its name.  And what had to be repaired in it."""
    path, folder = Path(word), _shipped()
    puzzles, _ = find_puzzles(folder / "inputs", folder / "expected")
    known = [each for each in puzzles if each.input_path == path.resolve()]
    if path.is_file() and not known:
        known = [PuzzleFiles(word, path)]
    elif path.suffix and not known:
        raise FileError(f"{path}: there is no such file.")
    return (known or select(puzzles, word))[0].read()


def _shipped() -> Path:
    if (folder := shipped_puzzles()) is None:
        raise FileError("The puzzles that come with the grader are missing. Install it again.")
    return folder


# Move generators.

DEFINED = re.compile(rb"^def children\(", re.MULTILINE)
BOARD = re.compile(r"([.a-zA-Z]{8}\n){7}[.a-zA-Z]{8}")
CHILDREN_LIMITS = RunLimits(cpu_s=30, wall_s=90, output_bytes=20_000_000)
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


def compare_generators(submission: Submission, rules: Game, run: Run) -> GeneratorReport | None:
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
    outcome = run_submission(driver, "positions.jsonl", text, CHILDREN_LIMITS, Sandbox.AUTO, run)
    judgement = judge_outcome(outcome, CHILDREN_LIMITS)
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
