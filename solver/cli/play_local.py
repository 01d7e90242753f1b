"""A game between a person and the solver, in the terminal."""

from __future__ import annotations

from solver.cli.words import tell
from solver.line import draw_by, next_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.cli.person import Person

LEFT = "the game is left unfinished"


class LocalGame:
    """All positions so far are kept, so that moves can be taken back and draws be seen."""

    def __init__(self, person: Person, position: Any, side: str) -> None:
        self.person = person
        self.game = person.game
        self.side = side
        self.positions = [position]
        self.left = ""  # why the game has ended before its end

    @property
    def position(self) -> Any:
        return self.positions[-1]

    def play(self) -> None:
        self.person.show(self.position)
        while not (end := self.end()):
            if self.position.mover() == self.side:
                self._ask()
            else:
                self._answer()
        print(end, flush=True)

    def end(self) -> str:
        """How the game has ended; empty if it has not."""
        outcome = self.game.outcome(self.position)
        if outcome is not None:
            return str(outcome)
        return self.left or draw_by(self.positions.count(self.position), self._quiet())

    def _quiet(self) -> int:
        """Plies since the last progress."""
        steps = list(zip(self.positions, self.positions[1:], strict=False))
        for plies, (parent, child) in enumerate(reversed(steps)):
            if self.game.is_progress(parent, child):
                return plies
        return len(steps)

    def _answer(self) -> None:
        """The solver's move; if it is ahead it does not repeat positions."""
        times = dict.fromkeys(self.positions, 1)
        finding = self.person.solved(self.position)
        self._advance(next_step(self.position, finding, self.person.solved, times))

    def _advance(self, child: Any) -> None:
        self.person.show_move(self.position, child)
        self.positions.append(child)

    def _ask(self) -> None:
        self.person.keyboard.ask(f"{self.side} to move:")
        entry = self.person.entry(self.position)
        if entry.child is not None:
            self._advance(entry.child)
        elif entry.word == "undo":
            self._undo()
        elif entry.word == "resign":
            winner = next(side for side in self.game.SIDES if side != self.side)
            self.left = f"{winner} has won: {self.side} has resigned"
        elif entry.word == "quit":
            self.left = LEFT

    def _undo(self) -> None:
        """Back to where the person was to move last."""
        earlier = self.positions[:-1]
        while earlier and earlier[-1].mover() != self.side:
            earlier.pop()
        if not earlier:
            tell("There is nothing to take back.")
            return
        self.positions = earlier
        self.person.show(self.position)
