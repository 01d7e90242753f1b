"""`solver play`: a person plays against the solver, or on a server."""

from __future__ import annotations

import os
import select
import sys
from argparse import Namespace
from socket import socket

from solver.cli.console import tell
from solver.cli.options import Parser, make_request, one_of, open_board, parse_address
from solver.errors import FileError, UserError, did_you_mean
from solver.games.puzzle import Puzzle, start_puzzle
from solver.games.solve import Request, Solver, describe_result
from solver.games.twoflags.net import protocol
from solver.games.twoflags.net.client import Client, Connection
from solver.games.twoflags.net.conversation import Conversation, GameEnd
from solver.games.twoflags.net.protocol import DIALECTS
from solver.games.twoflags.rules import Pawns
from solver.play.game import EndedBy, GameInProgress, choose_move
from solver.search.position import Position

WORDS = {
    "moves": "list the legal moves (or ?)",
    "hint": "ask the solver",
    "undo": "take your last move back",
    "board": "show the board again",
    "resign": "resign the game",
    "quit": "leave",
    "help": "show this list",
}
SHORT = {"?": "moves", "q": "quit", "exit": "quit"}
CHUNK = 4096  # bytes to read at once
LONGEST = 100_000  # characters without an end of line


class Person:
    """A person at the keyboard, who sees positions, asks questions, and types moves or words."""

    def __init__(self, puzzle: Puzzle, request: Request) -> None:
        self.puzzle = puzzle
        self.solver = Solver(puzzle, request)
        self.keyboard = Keyboard()

    def show(self, position: Position) -> None:
        print(self.puzzle.at(position).draw(), flush=True)

    def show_move(self, parent: Position, child: Position) -> None:
        print(f"{parent.mover()} plays {self.puzzle.move_name(parent, child)}")
        self.show(child)

    def read_entry(self, position: Position) -> Position | str:
        """What is typed next: a move as the position after it, or a word that changes the game.
        Empty for a question or a mistake, which is answered here.  The end of input is `quit`."""
        line = self.keyboard.line()
        if line is None:
            return "quit"
        text = line.strip().lower()
        word = SHORT.get(text, text)
        puzzle = self.puzzle.at(position)
        if word == "moves":
            print("legal:", *puzzle.moves(), flush=True)
        elif word == "hint":
            result = self.solver.find(position)
            name = puzzle.move_name(position, result.best)
            print(f"hint: {name}, {describe_result(result)}", flush=True)
        elif word == "board":
            self.show(position)
        elif word == "help":
            tell("\n".join(f"{word:8} {about}" for word, about in WORDS.items()))
        elif word in WORDS:
            return word
        elif word:
            try:
                return puzzle.find_move(word)
            except UserError as error:
                is_word = not any(character.isdigit() for character in word)
                hint = f"{did_you_mean(word, list(WORDS))} Type 'help' for help." if is_word else ""
                tell(f"{error}{hint}")
        return ""


class Keyboard:
    """Reads the file itself: the buffer of `sys.stdin` would hide from `select` that there is
    another line."""

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
        """Read what there is; wait if there is nothing."""
        try:
            data = os.read(self.file, CHUNK)
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


def make_parser() -> Parser:
    words = "\n".join(f"  {word:8} {about}" for word, about in WORDS.items())
    parser = Parser(
        "play",
        "Play against the solver, or with --server against another player.\n\n"
        f"Type a move by its name, or a word:\n{words}",
        "  solver play --game checkers\n"
        "  solver play --game twoflags --side black --time 1\n"
        "  solver play board.txt --depth 4\n"
        "  solver play --server 127.0.0.1:9999\n",
        {
            0: "the game is over, or you have left it",
            3: "a file could not be read, or there is no server",
            4: "the server broke off during a game",
        },
    )
    parser.option("input [FILE]", "a board to begin with")
    parser.option("--side NAME", "your side: white, black or red (default: the side to move)")
    parser.section("network")
    parser.option("--server HOST:PORT", "play Two Flags on this server", parse_address)
    about = f"with --server: {', '.join(DIALECTS)}, or auto: by its messages"
    parser.option("--dialect NAME", about, one_of("auto", *DIALECTS), "auto", rare=True)
    parser.add_search()
    return parser


def run(arguments: Namespace) -> int:
    request = make_request(arguments)
    if arguments.server is not None:
        return _play_on_server(arguments, request)
    if arguments.input == "-":
        raise UserError("Standard input is for your moves; give the board as a file.")
    puzzle = open_board(arguments)
    side, known = arguments.side or puzzle.mover, puzzle.game.SIDES
    if side not in known:
        hint = did_you_mean(side, list(known))
        raise UserError(f"--side {side}: the sides of this game are {' and '.join(known)}.{hint}")
    LocalGame(Person(puzzle, request), side).play()
    return 0


def _play_on_server(arguments: Namespace, request: Request) -> int:
    """The server says which position it is and who plays which side."""
    if arguments.input is not None or arguments.files is not None or arguments.side is not None:
        raise UserError("FILE, --files and --side are not allowed with --server.")
    if arguments.game not in (None, "twoflags"):
        raise UserError("Servers are for Two Flags: --game twoflags.")
    person = Person(start_puzzle("twoflags", variant=arguments.variant), request)
    connection = Connection(*arguments.server)
    try:
        conversation = Conversation(arguments.dialect, arguments.variant or None)
        ServerGame(person, connection, conversation).converse()
    finally:
        connection.close()
    return 0


class LocalGame:
    """Asks the person and the solver in turn until the game is over."""

    def __init__(self, person: Person, side: str) -> None:
        self.person = person
        self.game = GameInProgress(person.puzzle.game, person.puzzle.position)
        self.side = side
        self.left = False  # by the person, before the end

    def play(self) -> None:
        self.person.show(self.game.position)
        while self.game.result is None and not self.left:
            if self.game.position.mover() == self.side:
                self._ask()
            else:
                find = self.person.solver.find
                self._advance(choose_move(self.game, find(self.game.position), find))
        print(self.game.result or "the game is not finished", flush=True)

    def _advance(self, child: Position) -> None:
        self.person.show_move(self.game.position, child)
        self.game.play(child)

    def _ask(self) -> None:
        self.person.keyboard.ask(f"{self.side} to move:")
        entry = self.person.read_entry(self.game.position)
        if not isinstance(entry, str):
            self._advance(entry)
        elif entry == "undo":
            self._undo()
        elif entry == "resign":
            self.game.lose(self.side, f"{self.side} has resigned", EndedBy.RESIGNATION)
        elif entry == "quit":
            self.left = True

    def _undo(self) -> None:
        """Back to where the person was to move last."""
        if not any(each.mover() == self.side for each in self.game.positions[:-1]):
            tell("There is no move to take back.")
            return
        self.game.take_back()
        while self.game.position.mover() != self.side:
            self.game.take_back()
        self.person.show(self.game.position)


class ServerGame(Client):
    """A person plays Two Flags on a server.  The keyboard is read only when it is the person's
    turn: what a script has written ahead is for later turns."""

    def __init__(self, person: Person, connection: Connection, conversation: Conversation) -> None:
        super().__init__(connection, conversation)
        self.person = person
        self.shown = False  # the game that is being played
        self.asked = False  # for the move that is due

    def hear(self, messages: list[protocol.Message]) -> None:
        for message in messages:
            before = self.conversation.position
            self.conversation.hear(message)
            self._show_game()
            after = self.conversation.position
            if message.kind == protocol.MOVE and after != before:
                print(f"{before.mover()} plays {message.value}")
                self.person.show(after)
            self.flush()

    def report(self, event: GameEnd | str) -> None:
        if isinstance(event, str):
            tell(event)
        else:
            print(event, flush=True)

    def _show_game(self) -> None:
        """Show the position a game begins with, as soon as the sides are known."""
        conversation = self.conversation
        if not conversation.playing:
            self.shown = self.shown and conversation.ending is not None
        elif not self.shown:
            self.shown = True
            print(f"you are {conversation.colour}")
            if not conversation.plies:
                self.person.show(conversation.position)

    def turn(self) -> None:
        """Handle a line of input or a message of the server, whichever comes first."""
        conversation, connection = self.conversation, self.connection
        if not self.asked and not self.is_still_our_turn():
            return
        self._show_game()
        if not self.asked:
            self.asked = True
            self.person.keyboard.ask(f"{conversation.colour} to move:")
        if connection.has_news() or not self.person.keyboard.wait(connection.socket):
            self.hear(connection.receive(protocol.SETTLED))
            return
        self.asked = False
        entry = self.person.read_entry(conversation.position)
        if isinstance(entry, Pawns):
            self.person.show_move(conversation.position, entry)
            conversation.play(entry)
        elif entry == "undo":
            tell("Moves cannot be taken back on a server.")
        elif entry in ("resign", "quit"):
            conversation.resign()
        self.flush()
