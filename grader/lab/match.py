"""Openings: positions after a few plies, of which neither side has lost already.

A file of openings has one on a line: moves from the start of the game (`11-15 23-19 8-11`), or a
position (a FEN, or a `Setup` line).  What follows a # is a remark.  The lists that come with the
package have every opening of three plies and are written by `grader match --write-openings`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import solver
from grader.grading.records import digest, sha256
from grader.grading.workers import processes
from grader.lab.elo import Pentanomial
from grader.lab.match_results import Contestant as Entrant
from grader.lab.match_results import Game as PlayedGame
from grader.lab.match_results import MatchResult, Pair, Pairing, PairKey, PlayedMove
from grader.lab.players import Choice, Engine, EngineAtWork, Forfeit, Searcher, SearcherAtWork
from grader.lab.sprt import Decision, Sprt, Verdict
from solver import __version__
from solver.cli.files import read_text
from solver.errors import UserError, counted
from solver.games import game_named
from solver.play.game import EndedBy, GameInProgress
from solver.search.alphabeta import Search
from solver.search.exact import NOTHING, Exact
from solver.search.limits import Limits
from solver.search.techniques import Techniques

if TYPE_CHECKING:
    from solver.games import Game


PLIES = 3
LARGEST_LIST = 10_000_000  # bytes
SHIPPED = Path(__file__).parent


def shipped(game: Game) -> Path:
    return SHIPPED / f"openings_{game.NAME}.txt"


def read_openings(game: Game, path: Path | None = None) -> list[str]:
    """The positions of a file, each once, as a FEN or a `Setup` line; or of the package's."""
    source = str(path or shipped(game))
    found: dict[str, None] = {}
    text = read_text(source, source, LARGEST_LIST).removeprefix("\ufeff")
    for number, line in enumerate(text.split("\n"), 1):
        words = line.partition("#")[0].strip()
        if words:
            found[one_line(game, _position(game, words, source, number))] = None
    if not found:
        raise UserError(f"{source}: there is no opening in it. One on a line, such as a FEN.")
    return list(found)


def one_line(game: Game, position: Any) -> str:
    """A position in the game's format of one line."""
    return game.write(position, game.FORMATS[1])


def read_position(game: Game, text: str) -> Any:
    return game.read(text, "the opening", False).position


def _position(game: Game, words: str, source: str, number: int) -> Any:
    if ":" in words or words.lower().startswith("setup"):
        # Faults are told with the number of the line in the file.
        position = game.read("\n" * (number - 1) + words, source, False).position
    else:
        position = _after(game, words.split(), f"{source}: line {number}")
    outcome = game.outcome(position)
    if outcome is not None:
        raise UserError(f"{source}: line {number}: the game is over: {outcome}")
    return position


def _after(game: Game, moves: list[str], place: str) -> Any:
    position = read_position(game, game.start())
    for name in moves:
        children = {game.move_name(position, child): child for child in position.children()}
        if name not in children:
            raise UserError(
                f"{place}: {name!r} is no legal move here. There are: {', '.join(children)}"
            )
        position = children[name]
    return position


def every_opening(game: Game, plies: int = PLIES) -> dict[str, Any]:
    """The moves to every position after so many plies, and the position.

    Of several ways to a board, or to its image in a mirror, the first one stands for all.
    """
    level = {"": read_position(game, game.start())}
    for _ in range(plies):
        after: dict[str, tuple[str, Any]] = {}
        for moves, position in level.items():
            for child in position.children():
                name = f"{moves} {game.move_name(position, child)}".strip()
                after.setdefault(_looks(child), (name, child))
        level = dict(after.values())
    return level


def _looks(position: Any) -> str:
    drawing = str(position)
    mirrored = "\n".join(row[::-1] for row in drawing.split("\n"))
    return min(drawing, mirrored)


def is_lost(game: Game, position: Any) -> bool:
    """Whether one of the sides has as good as lost."""
    heuristic, depth, worth = game.LOPSIDED
    search = Search(game.evaluator(heuristic, position), Techniques(), game.tables())
    return abs(search.run(position, Limits(depth=depth)).score) >= worth


def playable(game: Game, plies: int = PLIES) -> Iterator[tuple[str, bool]]:
    """Every opening by its moves, and whether it can be played."""
    for moves, position in every_opening(game, plies).items():
        yield moves, bool(position.children()) and not is_lost(game, position)


def as_text(game: Game, found: list[tuple[str, bool]], plies: int = PLIES) -> str:
    """A file of openings."""
    heuristic, depth, worth = game.LOPSIDED
    kept = [moves for moves, can_be_played in found if can_be_played]
    head = (
        f"# {game.NAME}: every opening of {counted(plies, 'ply', 'plies')}, each position once;"
        f" {len(kept)} of {len(found)}.",
        f"# Left out: those worth {worth} or more for a side by {heuristic} at depth {depth}.",
        f"# Written by: grader match --game {game.NAME} --write-openings FILE --plies {plies}",
    )
    return "\n".join([*head, *kept, ""])


# One game, and the pair of games that an opening gives.


Contestant = Searcher | Engine


class Seated(Protocol):
    """A player at the board of one game."""

    def choose(self, game: GameInProgress) -> Choice: ...


@dataclass(frozen=True)
class PairTask:
    """Two games to be played; the first of the two contestants begins the first of them."""

    game: str
    contestants: tuple[Contestant, Contestant]
    opening: str
    number: int
    adjudicated: bool


def play_pair(task: PairTask) -> Pair:
    game = game_named(task.game)
    exact = game.tables() if task.adjudicated else NOTHING
    first, second = task.contestants
    sides = ((first, second), (second, first))
    return Pair(task.number, tuple(play_game(game, each, task.opening, exact) for each in sides))


def play_game(
    rules: Game, contestants: Sequence[Contestant], opening: str, exact: Exact
) -> PlayedGame:
    """The contestants are in the order of the game's sides."""
    names = dict(zip(rules.SIDES, (each.name for each in contestants), strict=True))
    seats = dict(zip(rules.SIDES, (seat(each, rules) for each in contestants), strict=True))
    game = GameInProgress(rules, read_position(rules, opening), exact)
    moves = []
    while (result := game.result) is None:
        mover = game.position.mover()
        try:
            choice = seats[mover].choose(game)
        except Forfeit as fault:
            game.lose(mover, f"{names[mover]}: {fault}", EndedBy.FORFEIT)
        else:
            name = rules.move_name(game.position, choice.child)
            moves.append(PlayedMove(name, choice.depth, choice.score, choice.nodes))
            game.play(choice.child)
    return PlayedGame(
        players=tuple(names.values()),
        opening=opening,
        moves=tuple(moves),
        winner=names.get(result.winner, ""),
        reason=result.reason,
        forfeit=result.ended_by is EndedBy.FORFEIT,
        adjudicated=result.ended_by is EndedBy.TABLES,
        final=one_line(rules, game.position),
    )


def seat(contestant: Contestant, game: Game) -> Seated:
    if isinstance(contestant, Engine):
        return EngineAtWork(contestant, game)
    return SearcherAtWork(contestant, game)


# What is to be played: by whom, from where, and all that the games depend on.


SOURCES = ("solver", "grader/match", "grader/variants")  # all that moves depend on


@dataclass(frozen=True)
class MatchPlan:
    """Every pairing plays the same openings, in an order that the seed alone decides; so one
    can go on with more pairs, or with a test, without playing anything again."""

    game: str
    contestants: tuple[Contestant, ...]
    openings: tuple[str, ...]  # all there are, in the order of the file
    pairs: int  # of games, for every pairing
    seed: int
    adjudicated: bool
    sprt: Sprt | None = None
    gauntlet: bool = False  # the first one against each of the others, and nobody else

    @property
    def pairings(self) -> list[tuple[Contestant, Contestant]]:
        """Those of the first one come first."""
        pairings = list(combinations(self.contestants, 2))
        return pairings[: len(self.contestants) - 1] if self.gauntlet else pairings

    @cached_property
    def order(self) -> list[str]:
        """The openings in the order in which they are played."""
        order = list(self.openings)
        random.Random(self.seed).shuffle(order)
        return order

    @property
    def conditions(self) -> str:
        """The limits on a move that there are."""
        return " or ".join(dict.fromkeys(each.limit for each in self.contestants))

    @property
    def repeatable(self) -> bool:
        """Whether the same games would be played again: a clock and an engine may differ."""
        return not any(
            isinstance(each, Engine) or each.variant.seconds is not None
            for each in self.contestants
        )

    def header(self) -> dict[str, Any]:
        """All that a game depends on.  What an own heuristic imports is not seen."""
        return {
            "match": __version__,
            "game": self.game,
            "contestants": [each.plain() for each in self.contestants],
            "openings": digest(self.openings),
            "seed": self.seed,
            "adjudicated": self.adjudicated,
            "source": _source_hash(),
        }

    @property
    def key(self) -> str:
        return digest(self.header())[:8]


def _source_hash() -> str:
    """The version stays while somebody works on a heuristic; the games do not."""
    root = Path(solver.__file__).parent.parent
    files = sorted(file for folder in SOURCES for file in (root / folder).rglob("*.py"))
    return digest([(str(file.relative_to(root)), sha256(file.read_bytes())) for file in files])


# A match or a round robin: plays what a plan asks for, and stops where a test has decided.
#
# Pairs are finished in any order, and count in the order of their numbers: a test sees the first
# pair, then the first two, and so on.  So the result is the same for any number of processes.


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
            contestants=tuple(Entrant(each.name, each.about) for each in plan.contestants),
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
