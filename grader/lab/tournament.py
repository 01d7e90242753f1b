"""A match or a round robin: plays what a plan asks for, and stops where a test has decided.

Pairs are finished in any order, and count in the order of their numbers: a test sees the first
pair, then the first two, and so on.  So the result is the same for any number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool

from grader.grading.workers import processes
from grader.lab.elo import Pentanomial
from grader.lab.match_games import PairTask, play_pair
from grader.lab.match_log import PairKey
from grader.lab.match_plan import MatchPlan
from grader.lab.match_results import Contestant, MatchResult, Pair, Pairing
from grader.lab.sprt import Decision, Sprt, Verdict
from solver.errors import UserError

AHEAD = 2  # pairs handed out for each process, so that none waits

Keep = Callable[[int, Pair], None]


class Course:
    """A pairing under way: the pairs that count are an unbroken row from the first one on."""

    def __init__(self, most: int, sprt: Sprt | None) -> None:
        self.pairs: list[Pair] = []
        self.verdict: Verdict | None = None
        self._most = most
        self._sprt = sprt
        self._waiting: dict[int, Pair] = {}

    @property
    def is_over(self) -> bool:
        decided = self.verdict is not None and self.verdict.decision is not Decision.UNDECIDED
        return decided or len(self.pairs) >= self._most

    def take(self, pair: Pair, first: str) -> None:
        self._waiting[pair.number] = pair
        while not self.is_over and len(self.pairs) + 1 in self._waiting:
            self.pairs.append(self._waiting.pop(len(self.pairs) + 1))
            if self._sprt is not None:
                points = [each.half_points(first) for each in self.pairs]
                self.verdict = self._sprt.verdict(Pentanomial.of_pairs(points))


class Tournament:
    def __init__(self, plan: MatchPlan, played: Mapping[PairKey, Pair]) -> None:
        self.plan = plan
        self.courses = [Course(plan.pairs, plan.sprt) for _ in plan.pairings]
        self._played = set(played)
        for (pairing, _), pair in played.items():
            if pairing < len(self.courses):  # a gauntlet has fewer than a round robin
                self._take(pairing, pair)

    @property
    def finished(self) -> int:
        return sum(len(course.pairs) for course in self.courses)

    def carry_out(self, jobs: int, keep: Keep) -> Iterator[None]:
        """Play on to the end; every pair goes to `keep` at once."""
        jobs = min(jobs, self.plan.pairs * len(self.courses) - self.finished)
        if jobs <= 1:
            for pairing, number in self._to_play():
                self._add(pairing, play_pair(self._task(pairing, number)), keep)
                yield
            return
        with processes(jobs) as executor:
            ahead = self._to_play()
            under: dict[Future[Pair], int] = {}
            while True:
                for pairing, number in ahead:
                    under[executor.submit(play_pair, self._task(pairing, number))] = pairing
                    if len(under) >= jobs * AHEAD:
                        break
                if not under or all(course.is_over for course in self.courses):
                    break
                for future in wait(under, return_when=FIRST_COMPLETED).done:
                    self._add(under.pop(future), _result(future), keep)
                    yield
            for future in under:
                future.cancel()

    def result(self, openings: str) -> MatchResult:
        plan = self.plan
        return MatchResult(
            game=plan.game,
            contestants=tuple(Contestant(each.name, each.about) for each in plan.contestants),
            conditions=plan.conditions,
            repeatable=plan.repeatable,
            seed=plan.seed,
            openings=openings,
            pairings=tuple(
                Pairing(first.name, second.name, tuple(course.pairs), course.verdict)
                for (first, second), course in zip(plan.pairings, self.courses, strict=True)
            ),
            sprt=plan.sprt,
        )

    def _to_play(self) -> Iterator[PairKey]:
        """Round by round, so that all are equally far whenever one stops."""
        for number in range(1, self.plan.pairs + 1):
            for pairing, course in enumerate(self.courses):
                if not course.is_over and (pairing, number) not in self._played:
                    yield pairing, number

    def _task(self, pairing: int, number: int) -> PairTask:
        plan = self.plan
        opening = plan.order[number - 1]
        return PairTask(plan.game, plan.pairings[pairing], opening, number, plan.adjudicated)

    def _add(self, pairing: int, pair: Pair, keep: Keep) -> None:
        keep(pairing, pair)
        self._take(pairing, pair)

    def _take(self, pairing: int, pair: Pair) -> None:
        self.courses[pairing].take(pair, self.plan.pairings[pairing][0].name)


def _result(future: Future[Pair]) -> Pair:
    try:
        return future.result()
    except BrokenProcessPool:
        raise UserError(
            "A process was killed, perhaps for want of memory, or by a heuristic that ends it."
            " Try fewer at once: -j 1"
        ) from None
