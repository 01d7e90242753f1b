"""A game between a person and the solver, in the terminal."""

from __future__ import annotations

from solver.cli.words import tell
from solver.play.game import EndedBy, GameInProgress, choose_move

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.cli.person import Person
    from solver.position import Position


class LocalGame:
    """Asks the person and the solver in turn until the game is over."""

    def __init__(self, person: Person, position: Position, side: str) -> None:
        self.person = person
        self.game = GameInProgress(person.game, position)
        self.side = side
        self.left = False  # by the person, in mid-game

    def play(self) -> None:
        self.person.show(self.game.position)
        while self.game.result is None and not self.left:
            if self.game.position.mover() == self.side:
                self._ask()
            else:
                finding = self.person.solved(self.game.position)
                self._advance(choose_move(self.game, finding, self.person.solved))
        print(self.game.result or "the game is left unfinished", flush=True)

    def _advance(self, child: Position) -> None:
        self.person.show_move(self.game.position, child)
        self.game.play(child)

    def _ask(self) -> None:
        self.person.keyboard.ask(f"{self.side} to move:")
        entry = self.person.entry(self.game.position)
        if entry.child is not None:
            self._advance(entry.child)
        elif entry.word == "undo":
            self._undo()
        elif entry.word == "resign":
            self.game.lose(self.side, f"{self.side} has resigned", EndedBy.RESIGNATION)
        elif entry.word == "quit":
            self.left = True

    def _undo(self) -> None:
        """Back to where the person was to move last."""
        if not any(each.mover() == self.side for each in self.game.positions[:-1]):
            tell("There is nothing to take back.")
            return
        self.game.take_back()
        while self.game.position.mover() != self.side:
            self.game.take_back()
        self.person.show(self.game.position)
