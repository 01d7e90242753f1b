"""A match or a round robin: its plan and openings, its games, and the tournament that plays them.

Every opening gives a pair of games with sides swapped.  Pairs are finished in any order, and count
in the order of their numbers, so the result is the same for any number of processes.  A file of
openings has one on a line: moves from the start (`11-15 23-19`), or a position in one line.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import solver
from grader.grading.records import digest, sha256
from grader.grading.workers import processes, wait_for
from grader.lab.match_results import MatchResult, Pair, Pairing, PairKey, PlayedGame
from grader.lab.players import AgentProcess, Contestant, Forfeit
from grader.lab.stats import Decision, Pentanomial, Sprt, SprtVerdict
from solver import __version__
from solver.errors import UserError
from solver.games import Game, game_named
from solver.games.puzzle import read_text, start_puzzle
from solver.play.game import EndedBy, GameInProgress
from solver.search.position import Position

LARGEST_LIST = 10_000_000  # bytes
SOURCES = ("solver", "grader/lab")  # all that moves depend on
AHEAD = 2  # pairs handed out for each process, so that none waits

Keep = Callable[[int, Pair], None]


def read_openings(game: Game, path: Path | None = None) -> list[str]:
    """The positions of a file, each once, in one line; by default those of the game's own file."""
    source = str(path or Path(solver.__file__).parent / f"games/{game.NAME}/openings.txt")
    found: dict[str, None] = {}
    text = read_text(source, source, LARGEST_LIST).removeprefix("\ufeff")
    for number, line in enumerate(text.split("\n"), 1):
        words = line.partition("#")[0].strip()
        if words:
            found[one_line(game, _read_opening(game, words, source, number))] = None
    if not found:
        raise UserError(f"{source}: no opening in this file. Write one on a line, such as a FEN.")
    return list(found)


def one_line(game: Game, position: Position) -> str:
    """A position in the game's format of one line."""
    return game.write(position, game.FORMATS[1])


def _read_opening(game: Game, words: str, source: str, number: int) -> Position:
    if game.means_position(words):
        # Errors name the line of the file.
        position = game.read("\n" * (number - 1) + words, source, False).position
    else:
        puzzle = start_puzzle(game.NAME, notation="pdn")
        try:
            for name in words.split():
                puzzle = puzzle.play(name)
        except UserError as error:
            raise UserError(f"{source}: line {number}: {error}") from None
        position = puzzle.position
    outcome = game.outcome(position)
    if outcome is not None:
        raise UserError(f"{source}: line {number}: the game is over: {outcome}")
    return position


@dataclass(frozen=True)
class MatchPlan:
    """Every pairing plays the same openings, in an order that depends on the seed alone; so a match
    can go on with more pairs, or with a test, without playing anything again."""

    game: str
    contestants: tuple[Contestant, ...]
    openings: tuple[str, ...]  # all of them, in the order of the file
    pairs: int  # of games, for every pairing
    seed: int
    sprt: Sprt | None = None

    @property
    def pairings(self) -> list[tuple[Contestant, Contestant]]:
        return list(combinations(self.contestants, 2))

    @cached_property
    def order(self) -> list[str]:
        """The openings in the order in which they are played."""
        order = list(self.openings)
        random.Random(self.seed).shuffle(order)
        return order

    def header(self) -> dict[str, Any]:
        """All that a game depends on, except what the file of a heuristic imports.  The version
        stays the same while somebody works on the source, so its hash counts too."""
        root = Path(solver.__file__).parent.parent
        files = sorted(file for folder in SOURCES for file in (root / folder).rglob("*.py"))
        hashes = [(str(file.relative_to(root)), sha256(file.read_bytes())) for file in files]
        return {
            "match": __version__,
            "game": self.game,
            "contestants": [each.facts for each in self.contestants],
            "openings": digest(self.openings),
            "seed": self.seed,
            "source": digest(hashes),
        }


def play_pair(
    game: str, contestants: tuple[Contestant, Contestant], opening: str, number: int
) -> Pair:
    """The first of the two contestants begins the first game."""
    sides = (contestants, contestants[::-1])
    return Pair(number, tuple(play_game(game_named(game), each, opening) for each in sides))


def play_game(rules: Game, contestants: Sequence[Contestant], opening: str) -> PlayedGame:
    """The contestants are in the order of the game's sides."""
    names = dict(zip(rules.SIDES, (each.name for each in contestants), strict=True))
    players = dict(zip(rules.SIDES, (each.begin(rules) for each in contestants), strict=True))
    start = rules.read(opening, "the opening", False).position
    game = GameInProgress(rules, start, rules.tables())
    moves = []
    while (ended := game.result) is None:
        mover = game.position.mover()
        try:
            child, move = players[mover](game)
        except Forfeit as fault:
            game.lose(mover, f"{names[mover]}: {fault}", EndedBy.FORFEIT)
        else:
            moves.append(move)
            game.play(child)
    for player in players.values():
        if isinstance(player, AgentProcess):
            player.finish(ended)
    return PlayedGame(
        players=tuple(names.values()),
        opening=opening,
        moves=tuple(moves),
        winner=names.get(ended.winner, ""),
        reason=ended.reason,
        forfeit=ended.ended_by is EndedBy.FORFEIT,
        adjudicated=ended.ended_by is EndedBy.TABLES,
        final=one_line(rules, game.position),
    )


class Course:
    """A pairing in progress: the pairs that count are an unbroken row from the first one on."""

    def __init__(self, most: int, sprt: Sprt | None) -> None:
        self.pairs: list[Pair] = []
        self.verdict: SprtVerdict | None = None
        self._most = most
        self._sprt = sprt
        self._waiting: dict[int, Pair] = {}

    @property
    def is_over(self) -> bool:
        decided = self.verdict is not None and self.verdict.decision is not Decision.UNDECIDED
        return decided or len(self.pairs) >= self._most

    def add(self, pair: Pair, first: str) -> None:
        self._waiting[pair.number] = pair
        while not self.is_over and len(self.pairs) + 1 in self._waiting:
            self.pairs.append(self._waiting.pop(len(self.pairs) + 1))
            if self._sprt is not None:
                points = [each.half_points(first) for each in self.pairs]
                self.verdict = self._sprt.verdict(Pentanomial.of_pairs(points))


class Tournament:
    """Plays what a plan asks for, and stops where a test has decided."""

    def __init__(self, plan: MatchPlan, played: Mapping[PairKey, Pair]) -> None:
        self.plan = plan
        self.courses = [Course(plan.pairs, plan.sprt) for _ in plan.pairings]
        self._played = set(played)
        for (pairing, _), pair in played.items():
            self._add(pairing, pair)

    @property
    def finished(self) -> int:
        return sum(len(course.pairs) for course in self.courses)

    def play(self, jobs: int, keep: Keep) -> Iterator[None]:
        """Play to the end; every pair goes to `keep` at once."""
        jobs = min(jobs, self.plan.pairs * len(self.courses) - self.finished)
        here = ((pairing, task()) for pairing, task in self._tasks())
        for pairing, pair in here if jobs <= 1 else self._play_in_processes(jobs):
            keep(pairing, pair)
            self._add(pairing, pair)
            yield

    def _play_in_processes(self, jobs: int) -> Iterator[tuple[int, Pair]]:
        with processes(jobs) as executor:
            tasks = self._tasks()
            under: dict[Future[Pair], int] = {}
            while True:
                for pairing, task in islice(tasks, jobs * AHEAD - len(under)):
                    under[executor.submit(task)] = pairing
                if not under or all(course.is_over for course in self.courses):
                    break
                for future in wait(under, return_when=FIRST_COMPLETED).done:
                    yield under.pop(future), wait_for(future)
            for future in under:
                future.cancel()

    def result(self, openings: str) -> MatchResult:
        plan = self.plan
        return MatchResult(
            game=plan.game,
            conditions=" or ".join(dict.fromkeys(each.limit for each in plan.contestants)),
            repeatable=all(each.repeatable for each in plan.contestants),
            seed=plan.seed,
            openings=openings,
            pairings=tuple(
                Pairing(first.name, second.name, tuple(course.pairs), course.verdict)
                for (first, second), course in zip(plan.pairings, self.courses, strict=True)
            ),
        )

    def _tasks(self) -> Iterator[tuple[int, Callable[[], Pair]]]:
        """Round by round, so that all pairings have the same number of pairs when one stops."""
        plan = self.plan
        for number, opening in enumerate(plan.order[: plan.pairs], 1):
            for pairing, contestants in enumerate(plan.pairings):
                if not self.courses[pairing].is_over and (pairing, number) not in self._played:
                    yield pairing, partial(play_pair, plan.game, contestants, opening, number)

    def _add(self, pairing: int, pair: Pair) -> None:
        self.courses[pairing].add(pair, self.plan.pairings[pairing][0].name)
