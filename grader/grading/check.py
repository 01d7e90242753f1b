"""Is my program wrong?  Three questions about one program, each asked only if the one before is
answered: does it run, does it keep the rules, how far does it see.  Everything is run and judged as
`grader run` does it, within a bounded time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from statistics import mean

import solver
from grader.grading.generator import GeneratorReport, compare_generators, count_pieces
from grader.grading.grade import grade_all
from grader.grading.plan import Plan
from grader.grading.records import Diagnosis, Record, Verdict
from grader.grading.workers import Workers
from grader.judge.diagnosis import diagnose
from grader.puzzles.evidence import truth_of
from grader.puzzles.find import (
    Case,
    PuzzleFiles,
    find_cases,
    find_puzzles,
    proof_fields,
    select,
    shipped_puzzles,
)
from grader.sandbox.job import RunLimits
from grader.submissions.find import Submission
from solver.errors import FileError
from solver.games import GAMES, game_named

LIMITS = RunLimits(cpu_s=10, wall_s=30)  # of one run
RULES_SECONDS, STRENGTH_SECONDS = 60.0, 120.0
PROBE = "probe"  # the group of boards made to show broken rules
FALLBACK = 24  # boards, where a game has no probes
ENOUGH = 2 / 3  # of the wins of one length: they are found
LEGAL = (Verdict.EXACT, Verdict.EQUAL, Verdict.SLOWER, Verdict.WORSE)
RUNS = (*LEGAL, Verdict.ILLEGAL)  # there is a board to talk about
Advance = Callable[[], object]


@dataclass
class Stage:
    """Puzzles in order, and the records so far."""

    cases: Sequence[Case]
    done: dict[str, Record] = field(default_factory=dict)

    @property
    def records(self) -> list[Record]:
        return [self.done[case.name] for case in self.cases if case.name in self.done]

    @property
    def wrong(self) -> list[Record]:
        return [each for each in self.records if not each.verdict.accepted]

    @property
    def illegal(self) -> list[Record]:
        return [each for each in self.records if each.verdict is Verdict.ILLEGAL]


@dataclass(frozen=True)
class Strength:
    """How far a program sees, by what the puzzles need."""

    kinds: tuple[tuple[str, int, int], ...]  # `win in 7`, accepted, all of them
    longest: int  # plies: wins of up to this length are found
    depth: int | None  # a search of this depth would find the same


class Check:
    """The stages of one program.  What was seen stays if a stage is interrupted."""

    def __init__(self, submission: Submission, collection: Sequence[Case]) -> None:
        self.submission = submission
        self.collection = collection
        self.game = ""
        self.start = self.rules = self.strength = Stage(())
        self.generator: GeneratorReport | None = None

    def find_game(self, workers: Workers) -> Record:
        """The first run of the game that the program plays, by its answers to an easy board of
        each; its name decides between games of which it understands equally little."""
        self.start = Stage([_easiest(self.collection, name) for name in GAMES])
        self.carry_out(self.start, workers)

        def rank(record: Record) -> tuple[int, bool]:
            known = 0 if record.verdict in LEGAL else 1 if record.verdict is Verdict.ILLEGAL else 2
            return known, record.game not in self.submission.name.lower()

        first = min(self.start.records, key=rank)
        self.game = first.game
        own = [case for case in self.collection if case.game == self.game]
        probes = [case for case in own if case.group.startswith(PROBE)]
        self.strength = Stage(sorted((case for case in own if case not in probes), key=_length))
        going_on = [case for case in own if truth_of(case).moves]
        small = sorted(going_on, key=lambda case: count_pieces(case.text))[:FALLBACK]
        self.rules = Stage(probes or small)
        return first

    def compare_generator(self, workers: Workers) -> None:
        self.generator = compare_generators(self.submission, game_named(self.game), workers.run)

    def carry_out(
        self,
        stage: Stage,
        workers: Workers,
        seconds: float = STRENGTH_SECONDS,
        advance: Advance = lambda: None,
    ) -> None:
        plan = Plan((self.submission,), tuple(stage.cases), LIMITS)
        for task, record in grade_all(plan, plan.tasks(), workers, seconds):
            stage.done[task.case.name] = record
            advance()

    def diagnose(self) -> Diagnosis:
        return diagnose([*self.rules.records, *self.strength.records])

    def has_shown_bug(self, diagnosis: Diagnosis) -> bool:
        """Whether a broken rule is certain: the strength of such a program says little."""
        differs = self.generator is not None and self.generator.smallest is not None
        return differs or any(bug.shown for bug in diagnosis.bugs)

    def example(self, diagnosis: Diagnosis) -> Record | None:
        """The smallest board that shows the bug, or else any broken rule."""
        shown = [
            self.rules.done[bug.first] for bug in diagnosis.bugs if bug.first in self.rules.done
        ]
        return min(shown or self.rules.illegal, key=_size, default=None)

    def measure(self) -> Strength:
        """What the records of the last stage say."""
        kinds: dict[str, list[bool]] = {}
        wins: dict[int, list[bool]] = {}
        for case, record in self._measured():
            kinds.setdefault(_kind(case), []).append(record.verdict.accepted)
            if length := _win_length(case):
                wins.setdefault(length, []).append(record.verdict.accepted)
        found = takewhile(lambda length: mean(wins[length]) >= ENOUGH, sorted(wins))
        counts = tuple((kind, sum(each), len(each)) for kind, each in kinds.items())
        return Strength(counts, max(found, default=0), self._depth())

    def _measured(self) -> Iterator[tuple[Case, Record]]:
        for case in self.strength.cases:
            if case.name in self.strength.done:
                yield case, self.strength.done[case.name]

    def _depth(self) -> int | None:
        """The depth that tells best which puzzles were solved: those that need no more."""
        solved: dict[int, Counter[bool]] = {}
        for case, record in self._measured():
            difficulty = proof_fields(case.proof).get("difficulty")
            depth = difficulty.get("depth") if isinstance(difficulty, dict) else None
            if isinstance(depth, int):
                solved.setdefault(depth, Counter())[record.verdict.accepted] += 1
        if not any(count[False] for count in solved.values()):
            return None

        def agreeing(depth: int) -> int:
            return sum(count[needed <= depth] for needed, count in solved.items())

        return max((*sorted(solved), 0), key=agreeing)


def _size(record: Record) -> int:
    return count_pieces(record.input_board)


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
    if length:
        for most in (3, 5, 7, 9, 15):
            if length <= most:
                return f"win in {most}" if 3 < most < 10 else f"win in up to {most}"
        return "longer win"
    if value is None:
        return "game over"
    return {1: "longer win", -1: "loss to delay"}.get(
        value.result, "draw to hold" if value.certain else "not proven"
    )


def group_failures(records: Iterable[Record]) -> list[tuple[Record, ...]]:
    """By what is wrong, the worst first, in each the smallest board first.  Legal moves are not
    grouped by guesses about single boards."""
    groups: dict[tuple[Verdict, str], list[Record]] = {}
    for record in sorted(records, key=_size):
        cause = "" if record.verdict in LEGAL else record.cause
        groups.setdefault((record.verdict, cause), []).append(record)
    found = [tuple(own) for own in groups.values()]
    return sorted(found, key=lambda own: (own[0].verdict in LEGAL, -len(own)))


def find_collection() -> list[Case]:
    """The puzzles that come with the grader, wherever it is called."""
    return find_cases(_shipped() / "inputs", _shipped() / "expected")[0]


def find_board(word: str) -> Case:
    """A board of one's own, whose truth is found when it is judged; or one of the collection, by
    its file or its name."""
    path, folder = Path(word), _shipped()
    if path.is_file() and not path.resolve().is_relative_to(folder):
        return PuzzleFiles(path.stem, path, Path(), Path()).read()[0]
    if path.suffix and not path.is_file():
        raise FileError(f"{path}: there is no such file.")
    puzzles, _ = find_puzzles(folder / "inputs", folder / "expected")
    own = [each for each in puzzles if each.input == path.resolve()]
    return (own or select(puzzles, word))[0].read()[0]


def _shipped() -> Path:
    folder = shipped_puzzles()
    if folder is None:
        raise FileError("The puzzles that come with the grader are missing. Install it again.")
    return folder


@dataclass(frozen=True)
class Line:
    """A move, what it is worth to its mover, and what follows with best play."""

    move: str
    value: str
    moves: tuple[str, ...]


def find_lines(case: Case, record: Record) -> tuple[Line | None, Line | None]:
    """The program's move with its refutation, if it is legal, and the best move."""
    puzzle = solver.read(case.text, game=case.game)
    if puzzle.result is not None:
        return None, None
    truth = truth_of(case)
    values = {move.name: str(move.value) for move in truth.moves}
    lines = []
    for move in (record.move if record.verdict in LEGAL else "", truth.best[0]):
        after = puzzle.play(move) if move else None
        ended = after is None or after.result is not None
        rest = () if after is None or ended else tuple(solver.solve(after).line)
        lines.append(Line(move, values[move], rest) if move else None)
    return lines[0], lines[1]
