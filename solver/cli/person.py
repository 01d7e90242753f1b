"""A person at the keyboard: sees positions, asks questions, and types moves or words."""

from __future__ import annotations

import os
import re
import select
import sys

from solver.cli.drawing import drawn
from solver.cli.report import value
from solver.cli.words import tell
from solver.errors import FileError, did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from socket import socket

    from solver.cli.puzzle import Puzzle
    from solver.cli.request import Request
    from solver.finding import Finding
    from solver.games import Game
    from solver.position import Position

WORDS = {
    "moves": "list the legal moves (or ?)",
    "hint": "ask the solver",
    "undo": "take your last move back",
    "board": "show the board again",
    "resign": "give the game up",
    "quit": "leave",
    "help": "this list",
}
SHORT = {"?": "moves", "q": "quit", "exit": "quit"}
SQUARE = re.compile(r"[a-h][1-8]|\d+")
LIKE_A_MOVE = re.compile(r"(?:(?:[a-h][1-8]|\d+)[-x: ]*){2,}[qrbn]?")
MOST_LISTED = 12
PIECE = 4096
LONGEST = 100_000  # characters without an end of line


class Person:
    """Questions about a position are answered here; the rest is up to whoever runs the game."""

    def __init__(self, puzzle: Puzzle, request: Request, squares: bool) -> None:
        self.game = puzzle.game
        self.solver = request.solver(puzzle)
        self.squares = squares
        self.keyboard = Keyboard()

    def name(self, parent: Position, child: Position) -> str:
        return self.game.move_name(parent, child, self.squares)

    def show(self, position: Position) -> None:
        print(drawn(self.game, position), flush=True)

    def show_move(self, parent: Position, child: Position) -> None:
        print(f"{parent.mover()} plays {self.name(parent, child)}")
        self.show(child)

    def find_best(self, position: Position, leave_out: frozenset[int] = frozenset()) -> Finding:
        return self.solver.solve(position, leave_out).finding

    def read_entry(self, position: Position) -> Entry:
        """What is typed next: a move, a word that changes the game, or neither if it was a
        question or a mistake, which is answered already.  The end of input is `quit`."""
        line = self.keyboard.line()
        if line is None:
            return Entry(word="quit")
        if not line.strip():
            return Entry()
        entry = parse_entry(line, self.game, position, self.squares)
        if entry.fault:
            tell(entry.fault)
        elif entry.word == "moves":
            print("legal:", *move_names(self.game, position, self.squares), flush=True)
        elif entry.word == "hint":
            finding = self.find_best(position)
            print(f"hint: {self.name(position, finding.best)}, {value(finding)}", flush=True)
        elif entry.word == "board":
            self.show(position)
        elif entry.word == "help":
            tell("\n".join(f"{word:8} {about}" for word, about in WORDS.items()))
        else:
            return entry
        return Entry()


class Entry:
    """Exactly one of the three: a word, a child of the position, or what is wrong."""

    def __init__(self, word: str = "", child: Position | None = None, fault: str = "") -> None:
        self.word = word
        self.child = child
        self.fault = fault


def parse_entry(text: str, game: Game, position: Position, squares: bool) -> Entry:
    """What somebody means who is to move here."""
    text = text.strip().lower()
    word = SHORT.get(text, text)
    if word in WORDS:
        return Entry(word=word)
    if not LIKE_A_MOVE.fullmatch(text):
        return Entry(fault=_no_move(text, game, position, squares))
    return _move(text, game, position, squares)


def move_names(game: Game, position: Position, squares: bool) -> list[str]:
    return [game.move_name(position, child, squares) for child in position.children()]


def _move(text: str, game: Game, position: Position, squares: bool) -> Entry:
    """A move by all its squares, or by the first and the last if that is enough."""
    wanted = SQUARE.findall(text)
    whole, ends = [], []
    for child in position.children():
        paths = [SQUARE.findall(game.move_name(position, child, way)) for way in (False, True)]
        if wanted in paths:
            whole.append(child)
        elif wanted in [[path[0], path[-1]] for path in paths]:
            ends.append(child)
    found = whole or ends
    if len(found) == 1:
        return Entry(child=found[0])
    if found:
        names = [game.move_name(position, child, squares) for child in found]
        return Entry(fault=f"{text} could be {' or '.join(names)}.")
    return Entry(fault=_illegal(text, wanted[0], game, position, squares))


def _illegal(text: str, start: str, game: Game, position: Position, squares: bool) -> str:
    names = move_names(game, position, squares)
    from_there = [
        game.move_name(position, child, squares)
        for child in position.children()
        if any(
            SQUARE.findall(game.move_name(position, child, way))[0] == start
            for way in (False, True)
        )
    ]
    if from_there:
        return f"{text} is not legal. From {start}: {_join_names(from_there)}."
    if all("x" in name for name in names):
        return f"{text} is not legal: a jump is compulsory. Legal: {_join_names(names)}."
    return f"{text} is not legal: no move of {position.mover()} begins on {start}. '?' lists all."


def _no_move(text: str, game: Game, position: Position, squares: bool) -> str:
    hint = did_you_mean(text, [*WORDS, *move_names(game, position, squares)])
    return f"{text!a} is not a legal move.{hint} '?' lists the legal moves, 'help' everything else."


def _join_names(names: list[str]) -> str:
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return ", ".join(names[:MOST_LISTED]) + more


class Keyboard:
    """Reads by itself and not through `sys.stdin`, whose buffer would hide from `select` that
    there is another line."""

    def __init__(self) -> None:
        if sys.stdin is None:
            raise FileError("standard input is closed")
        self.file = sys.stdin.fileno()
        self.on_terminal = os.isatty(self.file)
        self.waiting = b""
        self.ended = False

    def ask(self, prompt: str) -> None:
        if self.on_terminal and sys.stderr is not None:
            print(prompt, end=" ", file=sys.stderr, flush=True)

    def has_line(self) -> bool:
        return b"\n" in self.waiting or self.ended

    def read(self) -> None:
        """Take in what there is, waiting if there is nothing."""
        try:
            data = os.read(self.file, PIECE)
        except OSError as error:
            raise FileError(f"standard input: cannot read: {error.strerror}") from None
        self.waiting += data
        self.ended = not data or len(self.waiting) > LONGEST

    def line(self) -> str | None:
        """The next line, waiting for it; None at the end."""
        while not self.has_line():
            self.read()
        if not self.waiting:
            if self.on_terminal:
                tell("")  # ends the line of the prompt
            return None
        line, _, self.waiting = self.waiting.partition(b"\n")
        return line.decode("utf-8", "replace")

    def wait(self, other: socket) -> bool:
        """Wait for a line or for something to read from a socket; whether there is a line."""
        while not self.has_line():
            ready = select.select([self.file, other], [], [])[0]
            if self.file in ready:
                self.read()
            elif ready:
                return False
        return True
