"""Variants as players of games."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.grading.grade import run_submission
from grader.grading.records import sha256
from grader.judge.illegal import Asked, explain
from grader.judge.outcome import judge_outcome
from grader.judge.reading import Drawing, Form, Unreadable, drawing_of, fits, read_answer
from grader.lab.variants import Player, Variant
from grader.sandbox import run
from grader.sandbox.job import Ending, Limits, Outcome, Sandbox
from grader.submissions.find import Submission, check_mounts, from_command
from solver.cli.puzzle import is_own
from solver.errors import FileError, UserError, counted
from solver.play.game import GameInProgress, choose_move
from solver.search.position import Position
from solver.search.result import Finding

if TYPE_CHECKING:
    from solver.games import Game
    from solver.play.game import GameInProgress


# What a player says to a position: a move, or that it has none.


@dataclass(frozen=True)
class Choice:
    """The position after the move, and how it was found as far as that is known."""

    child: Any
    depth: int | None = None
    score: int | None = None
    nodes: int | None = None


class Forfeit(Exception):
    """A player that has crashed or made no legal move; the words say how."""


@dataclass(frozen=True)
class Searcher:
    """A variant; `sha256` is that of the file of an own heuristic, as it was at the beginning."""

    variant: Variant
    sha256: str = ""

    @property
    def name(self) -> str:
        return self.variant.name

    @property
    def about(self) -> str:
        """The heuristic, and whatever is not as usual."""
        heuristic = self.variant.heuristic or "the usual heuristic"
        return ", ".join([heuristic, *self.variant.techniques.difference, self.limit])

    @property
    def limit(self) -> str:
        return in_words(self.variant)

    def plain(self) -> dict[str, Any]:
        """All that its moves depend on."""
        return {**self.variant.as_dict(), "sha256": self.sha256}


def searcher(variant: Variant) -> Searcher:
    return Searcher(variant, _hash_of(variant))


def in_words(variant: Variant) -> str:
    """`1000 nodes a move`."""
    depth, nodes, seconds = variant.depth, variant.nodes, variant.seconds
    said = [
        f"depth {depth}" if depth is not None else "",
        counted(nodes, "node") if nodes is not None else "",
        f"{seconds:g} s" if seconds is not None else "",
    ]
    return f"{', '.join(filter(None, said)) or 'unlimited'} a move"


def _hash_of(variant: Variant) -> str:
    if not is_own(variant.heuristic):
        return ""
    path = variant.heuristic.rpartition(":")[0]
    try:
        return sha256(Path(path).read_bytes())
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None


class SearcherAtWork(Player):
    """A variant at one game.  An own heuristic is loaded anew for every game, so that none
    depends on another.

    The side that is ahead avoids repetition, as always when the solver plays: a search does not
    know the past, and would draw many games that it wins.
    """

    def __init__(self, searcher: Searcher, game: Game) -> None:
        if _hash_of(searcher.variant) != searcher.sha256:
            raise UserError(f"{searcher.name} has changed since the match began. Begin it anew.")
        super().__init__(searcher.variant, game)

    def choose(self, game: GameInProgress) -> Choice:
        found: list[Finding] = []

        def look(position: Position, leave_out: frozenset[int]) -> Finding:
            found.append(self.look(position, leave_out))
            return found[-1]

        try:
            child = choose_move(game, look(game.position, frozenset()), look)
        except UserError as error:
            raise Forfeit(str(error)) from None
        chosen = next(each for each in found if each.best == child)
        nodes = sum(each.effort.visited for each in found)
        return Choice(child, chosen.depth, chosen.score, nodes)


# External engines: any program that reads a board and writes the next one, run in a box.
#
# A board of checkers does not say who is to move: it is red, as in every puzzle.  So an engine that
# plays black is shown the board turned round with the colours swapped, and what it answers is
# turned back.


BOARD = "board.txt"


@dataclass(frozen=True)
class Engine:
    name: str
    submission: Submission
    limits: Limits
    sandbox: Sandbox

    @property
    def about(self) -> str:
        return " ".join(self.submission.command)

    @property
    def limit(self) -> str:
        return f"{self.limits.cpu_s:g} s of CPU time a move"

    def plain(self) -> dict[str, Any]:
        """All that its moves depend on."""
        return {
            "engine": self.name,
            "sha256": self.submission.sha256,
            "limits": vars(self.limits),
            "sandbox": str(self.sandbox),
        }


def engine_called(
    word: str, limits: Limits, sandbox: Sandbox, leave_out: Collection[Path] = ()
) -> Engine:
    """What `NAME=COMMAND` says; without a name, that of the program.

    Its folder travels into the box, without the results of matches that lie there.
    """
    name, equals, call = word.partition("=")
    if not equals or not name.replace("-", "").replace("_", "").isalnum():
        name, call = "", word
    submission = from_command(call, Path.cwd(), leave_out, name)
    check_mounts([submission], [])
    return Engine(submission.name, submission, limits, sandbox)


class EngineAtWork:
    def __init__(self, engine: Engine, game: Game) -> None:
        self.engine = engine
        self.game = game

    def choose(self, in_progress: GameInProgress) -> Choice:
        position = in_progress.position
        # A board that does not name the side to move is one with the first side to move.
        turned = not self.game.BOARD_NAMES_SIDE and position.mover() == self.game.SIDES[1]
        text = _turned(str(position), self.game) if turned else self.game.write(position, "board")
        outcome = self._run(f"{text}\n".encode())
        given = self._answer(outcome)
        shown = self.game.read(text, "the board", False).position
        for child in shown.children():
            drawing = drawing_of(child, self.game.NAME)
            if fits(given, drawing):
                cells = _turned(drawing.cells, self.game) if turned else drawing.cells
                return Choice(self._child(position, cells))
        breach = explain(Asked(self.game.NAME, "", shown), given)
        seen = f", as it sees the board, playing {self.game.SIDES[0]}" if turned else ""
        raise Forfeit(f"an illegal move{seen}: {breach.reason}")

    def _child(self, position: Any, cells: str) -> Any:
        name = self.game.NAME
        return next(each for each in position.children() if drawing_of(each, name).cells == cells)

    def _answer(self, outcome: Outcome) -> Drawing:
        failed = judge_outcome(outcome, self.engine.limits)
        if failed is not None:
            raise Forfeit(f"{failed.reason}{failed.cause and '; '}{failed.cause}")
        try:
            return read_answer(outcome.output, Form(self.game.NAME, ""))
        except Unreadable as unreadable:
            raise Forfeit(f"no board: {unreadable.reason}") from None

    def _run(self, board: bytes) -> Outcome:
        engine = self.engine
        outcome = run_submission(
            engine.submission, BOARD, board, engine.limits, engine.sandbox, run
        )
        if outcome.ending is Ending.FAULT:
            raise UserError(f"{engine.name} cannot be run: {outcome.fault}")
        return outcome


def _turned(board: str, game: Game) -> str:
    """Half a turn, with the colours swapped."""
    return board[::-1].translate(game.swapped())
