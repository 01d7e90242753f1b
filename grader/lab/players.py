"""Who plays a match: variants of the search, and engines, which are any programs that read a board
and write the next one, run in a sandbox."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.grading.grade import run_submission
from grader.grading.records import sha256
from grader.judge import AnswerReader, Unreadable, WrittenBoard, explain, judge_outcome, write_board
from grader.lab.match_results import PlayedMove
from grader.lab.variants import Player, Variant
from grader.sandbox import run
from grader.sandbox.job import Ending, RunLimits, Sandbox
from grader.submissions.find import Submission, check_mounts, from_command
from solver.errors import FileError, UserError
from solver.play.game import GameInProgress, choose_move
from solver.search.heuristic import is_own
from solver.search.position import Position

if TYPE_CHECKING:
    from solver.games import Game
    from solver.search.result import SearchResult

BOARD = "board.txt"


Choose = Callable[[GameInProgress], tuple[Position, PlayedMove]]  # one contestant in one game


class Forfeit(Exception):
    """A player crashed or made no legal move; the message says how."""


@dataclass(frozen=True)
class Searcher:
    """A variant; `sha256` is that of the file of its own heuristic when the match begins."""

    variant: Variant
    sha256: str = ""
    sandbox: Sandbox | None = None  # it needs none

    @staticmethod
    def of(variant: Variant) -> Searcher:
        return Searcher(variant, _hash_heuristic(variant))

    @property
    def name(self) -> str:
        return self.variant.name

    @property
    def limit(self) -> str:
        return f"{self.variant.limit} a move"

    @property
    def about(self) -> str:
        return f"{self.variant.settings} a move"

    @property
    def repeatable(self) -> bool:
        return self.variant.seconds is None

    def as_dict(self) -> dict[str, Any]:
        """All that its moves depend on."""
        return {**self.variant.as_dict(), "sha256": self.sha256}

    def begin(self, rules: Game) -> Choose:
        """Its own heuristic is loaded again for every game, so that no game affects another."""
        if _hash_heuristic(self.variant) != self.sha256:
            raise UserError(
                f"{self.name} has changed since the match began. Start the match again."
            )
        return partial(_choose_by_search, Player(self.variant, rules))


def _hash_heuristic(variant: Variant) -> str:
    if not is_own(variant.heuristic):
        return ""
    path = variant.heuristic.rpartition(":")[0]
    try:
        return sha256(Path(path).read_bytes())
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None


def _choose_by_search(player: Player, game: GameInProgress) -> tuple[Position, PlayedMove]:
    """The side that is ahead avoids repetition: a search does not know the past, and would draw
    many games that it could win."""
    found: list[SearchResult] = []

    def search(position: Position, leave_out: frozenset[int]) -> SearchResult:
        found.append(player.search(position, leave_out))
        return found[-1]

    try:
        child = choose_move(game, search(game.position, frozenset()), search)
    except UserError as error:
        raise Forfeit(str(error)) from None
    chosen = next(each for each in found if each.best == child)
    nodes = sum(each.counters.visited for each in found)
    name = player.game.move_name(game.position, child)
    return child, PlayedMove(name, chosen.depth, chosen.score, nodes)


@dataclass(frozen=True)
class Engine:
    """A board that does not name the side to move, as in checkers, has the first side to move.  So
    an engine that plays the second side is shown the board rotated with the colours swapped, and
    its answer is rotated back."""

    submission: Submission
    limits: RunLimits
    sandbox: Sandbox
    repeatable = False

    @staticmethod
    def of(
        word: str, limits: RunLimits, sandbox: Sandbox, leave_out: Collection[Path] = ()
    ) -> Engine:
        """From `NAME=COMMAND`; without a name, that of the program.  Its folder is copied into the
        sandbox, except what is left out."""
        name, equals, call = word.partition("=")
        if not equals or not name.replace("-", "").replace("_", "").isalnum():
            name, call = "", word
        submission = from_command(call, Path.cwd(), leave_out, name)
        check_mounts([submission], [])
        return Engine(submission, limits, sandbox)

    @property
    def name(self) -> str:
        return self.submission.name

    @property
    def about(self) -> str:
        return " ".join(self.submission.command)

    @property
    def limit(self) -> str:
        return f"{self.limits.cpu_s:g} s of CPU time a move"

    def as_dict(self) -> dict[str, Any]:
        """All that its moves depend on."""
        return {
            "name": self.name,
            "sha256": self.submission.sha256,
            "limits": vars(self.limits),
            "sandbox": str(self.sandbox),
        }

    def begin(self, rules: Game) -> Choose:
        return partial(self._choose, rules)

    def _choose(self, rules: Game, game: GameInProgress) -> tuple[Position, PlayedMove]:
        position = game.position
        rotated = not rules.BOARD_NAMES_SIDE and position.mover() == rules.SIDES[1]
        text = _rotate(str(position), rules) if rotated else rules.write(position, "board")
        given = self._answer(rules, f"{text}\n".encode())
        shown = rules.read(text, "the board", False).position
        for child in shown.children():
            written = write_board(rules, child)
            if given.fits(written):
                cells = _rotate(written.cells, rules) if rotated else written.cells
                children = {write_board(rules, each).cells: each for each in position.children()}
                return children[cells], PlayedMove(rules.move_name(position, children[cells]))
        breach = explain(rules, shown, given)
        seen = f" (on the board it was shown, playing {rules.SIDES[0]})" if rotated else ""
        raise Forfeit(f"an illegal move{seen}: {breach.reason}")

    def _answer(self, rules: Game, board: bytes) -> WrittenBoard:
        outcome = run_submission(self.submission, BOARD, board, self.limits, self.sandbox, run)
        if outcome.ending is Ending.FAULT:
            raise UserError(f"{self.name} cannot be run: {outcome.fault}")
        failed = judge_outcome(outcome, self.limits)
        if failed is not None:
            raise Forfeit(f"{failed.reason}{failed.cause and '; '}{failed.cause}")
        try:
            return AnswerReader(rules).read(outcome.output)
        except Unreadable as unreadable:
            raise Forfeit(f"not a board: {unreadable.reason}") from None


def _rotate(board: str, rules: Game) -> str:
    """By half a turn, with the colours swapped."""
    return board[::-1].translate(rules.swapped())


Contestant = Searcher | Engine
