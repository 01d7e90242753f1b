"""External engines: any program that reads a board and writes the next one, run in a box.

A board of checkers does not say who is to move: it is red, as in every puzzle.  So an engine that
plays black is shown the board turned round with the colours swapped, and what it answers is
turned back.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.grading.grade import run_submission
from grader.judge import (
    AnswerReader,
    Unreadable,
    WrittenBoard,
    explain,
    judge_outcome,
    write_board,
)
from grader.lab.players import Choice, Forfeit
from grader.sandbox import run
from grader.sandbox.job import Ending, Limits, Outcome, Sandbox
from grader.submissions.find import Submission, check_mounts, from_command
from solver.errors import UserError

if TYPE_CHECKING:
    from solver.games import Game
    from solver.play.game import GameInProgress
    from solver.search.position import Position

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
            written = write_board(self.game, child)
            if given.fits(written):
                cells = _turned(written.cells, self.game) if turned else written.cells
                return Choice(self._child(position, cells))
        breach = explain(self.game, shown, given)
        seen = f", as it sees the board, playing {self.game.SIDES[0]}" if turned else ""
        raise Forfeit(f"an illegal move{seen}: {breach.reason}")

    def _child(self, position: Position, cells: str) -> Position:
        return next(
            each for each in position.children() if write_board(self.game, each).cells == cells
        )

    def _answer(self, outcome: Outcome) -> WrittenBoard:
        failed = judge_outcome(outcome, self.engine.limits)
        if failed is not None:
            raise Forfeit(f"{failed.reason}{failed.cause and '; '}{failed.cause}")
        try:
            return AnswerReader(self.game).read(outcome.output)
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
