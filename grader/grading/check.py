"""Is my program wrong?  Three questions about one program, each asked only if the one before is
answered: does it run, does it keep the rules, how far does it see.  Everything is run and judged as
`grader run` does it, within a bounded time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from statistics import mean

from grader.grading.generator import GeneratorReport, compare_generators, count_pieces
from grader.grading.grade import grade_all
from grader.grading.plan import Plan
from grader.grading.records import Diagnosis, Record, Verdict
from grader.grading.workers import Workers
from grader.judge.diagnosis import diagnose
from grader.puzzles.evidence import truth_of
from grader.puzzles.find import Case, PuzzleFiles, find_cases, find_puzzles, select, shipped_puzzles
from grader.sandbox.job import RunLimits
from grader.submissions.find import Submission
from solver.errors import FileError
from solver.games import GAMES, game_named
from solver.games.bugs import PROBE

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
    known = [each for each in puzzles if each.input == path.resolve()]
    if path.is_file() and not known:
        known = [PuzzleFiles(word, path, Path(), Path())]
    elif path.suffix and not known:
        raise FileError(f"{path}: there is no such file.")
    return (known or select(puzzles, word))[0].read()


def _shipped() -> Path:
    if (folder := shipped_puzzles()) is None:
        raise FileError("The puzzles that come with the grader are missing. Install it again.")
    return folder
