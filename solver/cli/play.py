"""`solver play`: a person plays against the solver, or on a server."""

from __future__ import annotations

import os
import re
import select
import sys

from solver.cli.console import drawn, tell
from solver.cli.options import Parser, add_limited_search, one_of, opened, parse_address, requested
from solver.cli.puzzle import start_puzzle
from solver.cli.report import value
from solver.errors import FileError, UserError, did_you_mean
from solver.games.twoflags.net import protocol
from solver.games.twoflags.net.client import Client
from solver.games.twoflags.net.protocol import DIALECTS
from solver.games.twoflags.rules import Pawns
from solver.play.game import EndedBy, GameInProgress, choose_move

TYPE_CHECKING = False

if TYPE_CHECKING:
    from argparse import Namespace
    from socket import socket

    from solver.cli.puzzle import Puzzle
    from solver.cli.request import Request
    from solver.games import Game
    from solver.games.twoflags.net.client import Connection
    from solver.games.twoflags.net.conversation import Conversation, GameEnd
    from solver.search.position import Position
    from solver.search.result import Finding


# A person at the keyboard: sees positions, asks questions, and types moves or words.


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


PLAY_EXIT_CODES = """exit codes:
  0    the game is over, or you have left it
  2    wrong usage or a malformed board
  3    a file could not be read, or there is no server
  4    the server broke off in mid-game
  130  interrupted
"""


def make_parser() -> Parser:
    words = "\n".join(f"  {word:8} {about}" for word, about in WORDS.items())
    parser = Parser(
        command="play",
        about="Play against the solver, or with --server against whoever comes.\n\n"
        f"Type a move by its name, or a word:\n{words}",
        examples="  solver play --game checkers\n"
        "  solver play --game twoflags --side black --time 1\n"
        "  solver play board.txt --depth 4\n"
        "  solver play --server 127.0.0.1:9999\n",
        exit_codes=PLAY_EXIT_CODES,
    )
    parser.add_argument("input", nargs="?", metavar="FILE", help="a board to begin with")
    parser.add_argument(
        "--side", metavar="NAME", help="what you play: white, black or red (default: who begins)"
    )
    network = parser.add_argument_group("network")
    network.add_argument(
        "--server", type=parse_address, metavar="HOST:PORT", help="play Two Flags on this server"
    )
    network.add_argument(
        "--dialect",
        type=one_of("auto", *DIALECTS),
        default="auto",
        metavar="NAME",
        help=f"with --server: {', '.join(DIALECTS)}, or auto: tell by what it says (default: auto)",
    )
    add_limited_search(parser)
    return parser


def run(arguments: Namespace) -> int:
    request = requested(arguments)
    if arguments.server is not None:
        return _play_on_server(arguments, request)
    if arguments.input == "-":
        raise UserError("Standard input is for your moves; give the board as a file.")
    puzzle = opened(arguments)
    position = puzzle.position
    side = _checked_side(arguments.side or position.mover(), puzzle.game.SIDES)
    LocalGame(Person(puzzle, request, arguments.notation == "squares"), position, side).play()
    return 0


def _checked_side(word: str, known: tuple[str, str]) -> str:
    if word not in known:
        hint = did_you_mean(word, list(known))
        raise UserError(f"--side {word}: one of {' and '.join(known)} in this game.{hint}")
    return word


def _play_on_server(arguments: Namespace, request: Request) -> int:
    """Which position it is and who is who, the server says."""
    if arguments.input is not None or arguments.files is not None or arguments.side is not None:
        raise UserError("With --server, board and side are given by the server.")
    if arguments.game not in (None, "twoflags"):
        raise UserError("Servers are for Two Flags: --game twoflags.")
    from solver.games.twoflags.net.client import Connection
    from solver.games.twoflags.net.conversation import Conversation

    person = Person(start_puzzle("twoflags", variant=arguments.variant), request, squares=False)
    connection = Connection(*arguments.server)
    try:
        conversation = Conversation(arguments.dialect, arguments.variant or None)
        ServerGame(person, connection, conversation).converse()
    finally:
        connection.close()
    return 0


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
                finding = self.person.find_best(self.game.position)
                self._advance(choose_move(self.game, finding, self.person.find_best))
        print(self.game.result or "the game is left unfinished", flush=True)

    def _advance(self, child: Position) -> None:
        self.person.show_move(self.game.position, child)
        self.game.play(child)

    def _ask(self) -> None:
        self.person.keyboard.ask(f"{self.side} to move:")
        entry = self.person.read_entry(self.game.position)
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


# A person plays Two Flags on a server.


class ServerGame(Client):
    """Listens to the server and to the keyboard, but to the keyboard only when it is the
    person's turn: what a script has written ahead is for later turns."""

    def __init__(self, person: Person, connection: Connection, conversation: Conversation) -> None:
        super().__init__(connection, conversation)
        self.person = person
        self.shown = False  # the game that is being played
        self.asked = False  # for the move that is due

    # --- the server ----------------------------------------------------------------------

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
        """The position a game begins with, as soon as it is known whose is whose."""
        conversation = self.conversation
        if not conversation.playing:
            self.shown = self.shown and conversation.ending is not None
        elif not self.shown:
            self.shown = True
            print(f"you are {conversation.colour}")
            if not conversation.plies:
                self.person.show(conversation.position)

    # --- the person ----------------------------------------------------------------------

    def turn(self) -> None:
        """Whatever comes first, a line of input or a word of the server."""
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
        self._react()

    def _react(self) -> None:
        conversation = self.conversation
        entry = self.person.read_entry(conversation.position)
        if isinstance(entry.child, Pawns):
            self.person.show_move(conversation.position, entry.child)
            conversation.play(entry.child)
        elif entry.word == "undo":
            tell("On a server no move can be taken back.")
        elif entry.word in ("resign", "quit"):
            conversation.resign()
        self.flush()
