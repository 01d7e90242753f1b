"""A player of whole games: the solver itself, or a class of the user's own (`solver.Agent`)."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from solver.errors import UserError
from solver.games.puzzle import Puzzle, read_puzzle
from solver.play.clock import Clock
from solver.play.game import GameResult
from solver.play.ponderer import Ponderer
from solver.search.heuristic import describe_error, load
from solver.search.position import Position
from solver.search.score import describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from multiprocessing.connection import Connection

R = TypeVar("R")


class Agent:
    """Write `choose`; the rest may stay as it is.  There is a new object for every game."""

    game = "twoflags"
    remark = ""  # on the last move, for `solver agent` to show
    interrupted: Callable[[], bool] = staticmethod(lambda: False)  # whether a move is of no use now

    def choose(self, position: Puzzle, clock: Clock) -> str:
        """A legal move: one of `position.moves()`.  `position.play(move)` is the position after a
        move, `clock.left` the seconds left for the game, None without a limit."""
        raise NotImplementedError("write 'def choose(self, position, clock)'")

    def opponent_moved(self, position: Puzzle, move: str) -> None:
        """The opponent has made this move, after which the position is this one."""

    def game_over(self, result: GameResult) -> None:
        """The game has ended; there is no winner if it is a draw or nobody knows."""

    def ponder(self, position: Puzzle, interrupted: Callable[[], bool]) -> None:
        """It is the opponent's turn; return when `interrupted()` is true."""


class SearchingAgent(Agent):
    """The solver: shares its time over the whole game and thinks in the opponent's."""

    def __init__(self, ponderer: Ponderer, ponders: bool = True) -> None:
        self.ponderer = ponderer
        self.ponders = ponders

    def choose(self, position: Puzzle, clock: Clock) -> str:
        here, ponderer = position.position, self.ponderer
        hit = None if ponderer.guess is None or not self.ponders else ponderer.guess == here
        result = ponderer.think(here, clock.move_time(), self.interrupted)
        score = describe(result.score).replace(" ", "-")
        pondered = {None: "-", True: "hit", False: "miss"}[hit]
        self.remark = f"depth {result.depth} nodes {ponderer.nodes} score {score} ponder {pondered}"
        return position.move_name(here, result.best)

    def ponder(self, position: Puzzle, interrupted: Callable[[], bool]) -> None:
        if self.ponders:
            self.ponderer.ponder(position.position, interrupted)


def load_agent(name: str) -> type[Agent]:
    """The class that `FILE.py:CLASS` names."""
    found: object = load(name).evaluate if ".py:" in name else None
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise UserError(f"{name}: name a subclass of solver.Agent as FILE.py:CLASS")
    return found


def call_agent(method: Callable[..., R], *words: object) -> R:
    """Call a method of an agent; an error in its code becomes one line with its place."""
    try:
        return method(*words)
    except (KeyboardInterrupt, UserError):
        raise
    except BaseException as error:
        code = getattr(method, "__code__", None)
        raise UserError(describe_error(code.co_filename if code else "the agent", error)) from error


def ask_agent(agent: Agent, position: Puzzle, last: str, clock: Clock) -> Position:
    """The position after its move, which must be legal; `last` is the opponent's, if any."""
    if last:
        call_agent(agent.opponent_moved, position, last)
    move: object = call_agent(agent.choose, position, clock)
    if not isinstance(move, str):
        legal = position.moves()[0]
        raise UserError(f"choose returned {move!r:.60}; it must return a move, such as '{legal}'")
    return position.find_move(move)


def serve_agent(pipe: Connection, name: str, game: str) -> None:
    """Play one game for the other end of a pipe.  It sends a position, the move that led to it and
    the seconds left, and hears a fault or a move; at last it sends the winner and the reason."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other end decides
    os.dup2(2, 1)  # what an agent prints is no result of the match
    with suppress(EOFError):
        try:
            agent = call_agent(load_agent(name))
            pipe.send(("", ""))
            while len(asked := pipe.recv()) == 3:
                here = read_puzzle(asked[0], game_name=game, notation="squares")
                child = ask_agent(agent, here, asked[1], Clock(asked[2]))
                pipe.send(("", here.move_name(here.position, child)))
            call_agent(agent.game_over, GameResult(*asked))
        except UserError as error:
            pipe.send((str(error), ""))
