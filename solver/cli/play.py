"""`solver play`: a person plays against the solver."""

from __future__ import annotations

import sys
from argparse import Namespace

from solver.cli.console import tell
from solver.cli.options import Parser, make_request, open_board
from solver.errors import FileError, UserError, did_you_mean
from solver.games.agent import Agent, ask_agent, call_agent
from solver.games.puzzle import Puzzle, start_puzzle
from solver.games.solve import Request, Solver, describe_result
from solver.play.clock import Clock
from solver.play.game import EndedBy, GameInProgress, choose_move
from solver.search.position import Position
from solver.search.techniques import PLAYING

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
LONGEST = 100_000  # bytes of a line


def make_parser() -> Parser:
    words = "\n".join(f"  {word:8} {about}" for word, about in WORDS.items())
    parser = Parser(
        "play",
        f"Play against the solver.\n\nType a move by its name, or a word:\n{words}",
        "  solver play --game checkers\n"
        "  solver play --game twoflags --side black --time 1\n"
        "  solver play board.txt --depth 4\n",
        {0: "the game is over, or you have left it"},
    )
    parser.option("input [FILE]", "a board to begin with")
    parser.option("--side NAME", "your side: white, black or red (default: the side to move)")
    parser.add_search()
    return parser


def run(arguments: Namespace) -> int:
    request = make_request(arguments)
    if arguments.input == "-":
        raise UserError("Standard input is for your moves; give the board as a file.")
    puzzle = open_board(arguments)
    side, known = arguments.side or puzzle.mover, puzzle.game.SIDES
    if side not in known:
        hint = did_you_mean(side, list(known))
        raise UserError(f"--side {side}: the sides of this game are {' and '.join(known)}.{hint}")
    LocalGame(puzzle, request, side).play()
    return 0


def play_agent(player: type[Agent]) -> int:
    """Against a person, who begins."""
    puzzle = start_puzzle(player.game)
    LocalGame(puzzle, Request(), puzzle.mover, call_agent(player)).play()
    return 0


class LocalGame:
    """A person at the keyboard and the solver, or an agent, move in turn until the game is over."""

    def __init__(
        self, puzzle: Puzzle, request: Request, side: str, agent: Agent | None = None
    ) -> None:
        self.agent = agent
        self.clock = Clock()
        self.puzzle = puzzle
        request.techniques = request.techniques.changed(with_=PLAYING)
        self.solver = Solver(puzzle, request)
        self.game = GameInProgress(puzzle.game, puzzle.position)
        self.side = side  # the person's
        self.left = False  # by the person, before the end

    def play(self) -> None:
        self._show()
        while self.game.result is None and not self.left:
            if self.game.position.mover() == self.side:
                self._obey(read_entry(f"{self.side} to move:"))
            else:
                self._advance(self._choose())
        if self.agent is not None and self.game.result is not None:
            call_agent(self.agent.game_over, self.game.result)
        print(self.game.result or "the game is not finished", flush=True)

    def _choose(self) -> Position:
        here = self.puzzle.at(self.game.position)
        if self.agent is None:
            find = self.solver.find
            self.solver.follow(self.game)
            return choose_move(self.game, find(here.position), find)
        last = here.move_name(self.game.positions[-2], here.position)
        return ask_agent(self.agent, here, last, self.clock)

    def _show(self) -> None:
        print(self.puzzle.at(self.game.position).draw(), flush=True)

    def _advance(self, child: Position) -> None:
        parent = self.game.position
        print(f"{parent.mover()} plays {self.puzzle.move_name(parent, child)}")
        self.game.play(child)
        self._show()

    def _obey(self, entry: str) -> None:
        """A move by its name, or one of the words."""
        here = self.puzzle.at(self.game.position)
        match SHORT.get(entry, entry):
            case "":
                pass
            case "moves":
                print("legal:", *here.moves(), flush=True)
            case "hint":
                result = self.solver.find(here.position)
                name = here.move_name(here.position, result.best)
                print(f"hint: {name}, {describe_result(result)}", flush=True)
            case "undo":
                self._undo()
            case "board":
                self._show()
            case "resign":
                self.game.lose(self.side, f"{self.side} has resigned", EndedBy.RESIGNATION)
            case "quit":
                self.left = True
            case "help":
                tell("\n".join(f"{word:8} {about}" for word, about in WORDS.items()))
            case _:
                self._move(here, entry)

    def _move(self, here: Puzzle, name: str) -> None:
        try:
            child = here.find_move(name)
        except UserError as error:
            is_word = not any(character.isdigit() for character in name)
            hint = f"{did_you_mean(name, list(WORDS))} Type 'help' for help." if is_word else ""
            tell(f"{error}{hint}")
        else:
            self._advance(child)

    def _undo(self) -> None:
        """Back to where the person was to move last."""
        if not any(each.mover() == self.side for each in self.game.positions[:-1]):
            tell("There is no move to take back.")
            return
        self.game.take_back()
        while self.game.position.mover() != self.side:
            self.game.take_back()
        self._show()


def read_entry(prompt: str) -> str:
    """What is typed next; `quit` at the end of input."""
    if sys.stdin is None:
        raise FileError("standard input is closed")
    on_terminal = sys.stdin.isatty()
    if on_terminal and sys.stderr is not None:
        print(prompt, end=" ", file=sys.stderr, flush=True)
    try:
        line = sys.stdin.buffer.readline(LONGEST)
    except OSError as error:
        raise FileError(f"standard input: cannot read: {error.strerror}") from None
    if on_terminal and not line:
        tell("")  # ends the line of the prompt
    if not line or len(line) == LONGEST:
        return "quit"
    return line.decode("utf-8", "replace").strip().lower()
