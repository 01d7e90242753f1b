"""`solver play`: a person plays against the solver, or on a server."""

from __future__ import annotations

from solver.cli.arguments import Parser, one_of, parse_address
from solver.cli.boards import opened
from solver.cli.person import WORDS, Person
from solver.cli.puzzle import start_puzzle
from solver.cli.searching import add_limited_search, requested
from solver.cli.words import tell
from solver.errors import UserError, did_you_mean
from solver.play.game import EndedBy, GameInProgress, choose_move
from solver.twoflags.net.protocol import DIALECTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from solver.cli.request import Request
    from solver.position import Position

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
    from solver.cli.play_server import ServerGame
    from solver.twoflags.net.client import Connection
    from solver.twoflags.net.conversation import Conversation

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
