"""Somebody at the keyboard: is shown positions, asks questions, and moves in the end."""

from __future__ import annotations

from solver.cli.drawing import drawn
from solver.cli.entry import WORDS, Entry, move_names, understood
from solver.cli.keyboard import Keyboard
from solver.cli.report import value
from solver.cli.words import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.cli.puzzle import Puzzle
    from solver.cli.request import Request
    from solver.finding import Finding
    from solver.position import Position


class Person:
    """Questions about a position are answered here; the rest is up to whoever runs the game."""

    def __init__(self, puzzle: Puzzle, request: Request, squares: bool) -> None:
        self.game = puzzle.game
        self.solver = request.solver(puzzle)
        self.squares = squares
        self.keyboard = Keyboard()

    def name(self, parent: Any, child: Any) -> str:
        return self.game.move_name(parent, child, self.squares)

    def show(self, position: Any) -> None:
        print(drawn(self.game, position), flush=True)

    def show_move(self, parent: Any, child: Any) -> None:
        print(f"{parent.mover()} plays {self.name(parent, child)}")
        self.show(child)

    def solved(self, position: Position, leave_out: frozenset[int] = frozenset()) -> Finding:
        return self.solver.solve(position, leave_out).finding

    def entry(self, position: Any) -> Entry:
        """What is typed next: a move, a word that changes the game, or neither if it was a
        question or a mistake, which is answered already.  The end of input is `quit`."""
        line = self.keyboard.line()
        if line is None:
            return Entry(word="quit")
        if not line.strip():
            return Entry()
        entry = understood(line, self.game, position, self.squares)
        if entry.fault:
            tell(entry.fault)
        elif entry.word == "moves":
            print("legal:", *move_names(self.game, position, self.squares), flush=True)
        elif entry.word == "hint":
            finding = self.solved(position)
            print(f"hint: {self.name(position, finding.best)}, {value(finding)}", flush=True)
        elif entry.word == "board":
            self.show(position)
        elif entry.word == "help":
            tell("\n".join(f"{word:8} {about}" for word, about in WORDS.items()))
        else:
            return entry
        return Entry()
