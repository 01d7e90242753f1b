"""Who plays a match: variants of the search; agents, which are the user's own classes, each game in
a process of its own; and engines, which are any programs that read a board and write the next one,
run in a sandbox."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from grader.grading.grade import run_submission
from grader.grading.records import Judgement, sha256
from grader.judge.answer import AnswerReader, Unreadable, WrittenBoard, write_board
from grader.judge.illegal import find_move
from grader.judge.outcome import judge_outcome
from grader.lab.match_results import PlayedMove
from grader.lab.variants import Player, Variant
from grader.sandbox.client import run
from grader.sandbox.job import Ending, RunLimits, Sandbox
from grader.submissions.find import Submission, check_mounts, from_command
from solver.errors import FileError, UserError
from solver.games import Game
from solver.games.agent import serve_agent
from solver.games.puzzle import Puzzle
from solver.play.game import GameInProgress, GameResult, choose_move
from solver.search.heuristic import is_own
from solver.search.position import Position
from solver.search.result import SearchResult

BOARD = "board.txt"
SPAWN = get_context("spawn")
TO_START, TO_END = 60.0, 5.0  # seconds for the process of an agent
Choose = Callable[[GameInProgress], tuple[Position, PlayedMove]]  # one contestant in one game


class Forfeit(Exception):
    """A player crashed or made no legal move; the message says how."""


@dataclass(frozen=True)
class Contestant:
    name: str
    limit: str
    repeatable: bool
    facts: dict[str, Any]  # all that its moves depend on
    begin: Callable[[Game], Choose]
    sandbox: Sandbox | None = None


def make_searcher(variant: Variant) -> Contestant:
    """A variant of the search, with the hash of its own heuristic when the match begins."""
    content = _hash_heuristic(variant)
    return Contestant(
        name=variant.name,
        limit=f"{variant.limit} a move",
        repeatable=variant.seconds is None,
        facts={**variant.as_dict(), "sha256": content},
        begin=partial(_begin_search, variant, content),
    )


def _begin_search(variant: Variant, content: str, rules: Game) -> Choose:
    """Its own heuristic is loaded again for every game, so that no game affects another."""
    if _hash_heuristic(variant) != content:
        raise UserError(f"{variant.name} has changed since the match began. Start the match again.")
    return partial(_choose_by_search, Player(variant, rules))


def _hash_heuristic(variant: Variant) -> str:
    if not is_own(variant.heuristic):
        return ""
    path = variant.heuristic.rpartition(":")[0]
    try:
        return sha256(Path(path).read_bytes())
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None


def _choose_by_search(player: Player, game: GameInProgress) -> tuple[Position, PlayedMove]:
    """The side that is ahead avoids repetition: a search does not know the past, and would draw
    many games that it could win."""
    found: list[SearchResult] = []

    def search(position: Position, leave_out: frozenset[int]) -> SearchResult:
        found.append(player.search(position, leave_out))
        return found[-1]

    player.follow(game)
    try:
        child = choose_move(game, search(game.position, frozenset()), search)
    except UserError as error:
        raise Forfeit(str(error)) from None
    chosen = next(each for each in found if each.best == child)
    nodes = sum(each.counters.visited for each in found)
    name = player.game.move_name(game.position, child)
    return child, PlayedMove(name, chosen.depth, chosen.score, nodes)


def make_agent(variant: Variant, seconds: float) -> Contestant:
    """An agent, with its time for a game."""
    return Contestant(
        name=variant.name,
        limit=f"{seconds:g} s a game",
        repeatable=False,
        facts={"name": variant.name, "sha256": _hash_heuristic(variant), "seconds": seconds},
        begin=partial(AgentProcess, variant.heuristic, seconds),
    )


class AgentProcess:
    """An agent in one game; what it does to its process is no harm to anybody else."""

    def __init__(self, name: str, seconds: float, rules: Game) -> None:
        self.seconds = self.left = seconds
        self.rules = rules
        self.pipe, self.there = SPAWN.Pipe()
        words = (self.there, name, rules.NAME)
        self.process = SPAWN.Process(target=serve_agent, args=words, daemon=True)

    def __call__(self, game: GameInProgress) -> tuple[Position, PlayedMove]:
        if self.process.pid is None:
            self.process.start()
            self.there.close()
            self._receive(TO_START)
        here = Puzzle(self.rules, game.position, notation="squares")
        last = here.move_name(game.positions[-2], game.position) if game.plies else ""
        asked = time.monotonic()
        self._send(self.rules.with_side(game.position), last, self.left)
        child = here.find_move(self._receive(self.left))
        self.left -= time.monotonic() - asked
        return child, PlayedMove(self.rules.move_name(game.position, child))

    def _send(self, *words: object) -> None:
        with suppress(OSError):  # then nothing comes back, either
            self.pipe.send(words)

    def _receive(self, seconds: float) -> str:
        try:
            if not self.pipe.poll(max(0.0, seconds)):
                self.process.kill()
                raise Forfeit(f"no answer before its {self.seconds:g} s were up")
            fault, name = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            raise Forfeit(f"its process ended, exit code {self.process.exitcode}") from None
        if fault:
            raise Forfeit(fault)
        return str(name)

    def finish(self, ended: GameResult) -> None:
        if self.process.pid is not None:
            self._send(ended.winner, ended.reason)
            self.process.join(TO_END)
            self.process.kill()


def make_engine(
    word: str, limits: RunLimits, sandbox: Sandbox, leave_out: Collection[Path] = ()
) -> Contestant:
    """A program, from `NAME=COMMAND`; without a name, that of the program.  Its folder is copied
    into the sandbox, except what is left out."""
    name, equals, call = word.partition("=")
    if not equals or not name.replace("-", "").replace("_", "").isalnum():
        name, call = "", word
    submission = from_command(call, Path.cwd(), leave_out, name)
    check_mounts([submission], [])
    facts = {"name": submission.name, "sha256": submission.sha256, "sandbox": str(sandbox)}
    return Contestant(
        name=submission.name,
        limit=f"{limits.cpu_s:g} s of CPU time a move",
        repeatable=False,
        facts={**facts, "limits": vars(limits)},
        begin=Engine(submission, limits, sandbox).begin,
        sandbox=sandbox,
    )


@dataclass(frozen=True)
class Engine:
    """A program that plays by reading a board and writing the next."""

    submission: Submission
    limits: RunLimits
    sandbox: Sandbox

    def begin(self, rules: Game) -> Choose:
        return partial(self._choose, rules)

    def _choose(self, rules: Game, game: GameInProgress) -> tuple[Position, PlayedMove]:
        """A board that does not name the side to move, as in checkers, has the first side to move.
        So an engine that plays the second side is shown the board rotated with the colours swapped,
        and its answer is rotated back."""
        position = game.position
        rotated = not rules.BOARD_NAMES_SIDE and position.mover() == rules.SIDES[1]
        text = _rotate(str(position), rules) if rotated else rules.write(position, "board")
        given = self._ask(rules, f"{text}\n".encode())
        shown = rules.read(text, "the board", False).position
        child = find_move(rules, shown, given)
        if isinstance(child, Judgement):
            seen = f" (on the board it was shown, playing {rules.SIDES[0]})" if rotated else ""
            raise Forfeit(f"an illegal move{seen}: {child.reason}")
        cells = write_board(rules, child).cells
        children = {write_board(rules, each).cells: each for each in position.children()}
        chosen = children[_rotate(cells, rules) if rotated else cells]
        return chosen, PlayedMove(rules.move_name(position, chosen))

    def _ask(self, rules: Game, board: bytes) -> WrittenBoard:
        outcome = run_submission(self.submission, BOARD, board, self.limits, self.sandbox, run)
        if outcome.ending is Ending.FAULT:
            raise UserError(f"{self.submission.name} cannot be run: {outcome.fault}")
        failed = judge_outcome(outcome, self.limits)
        if failed is not None:
            raise Forfeit(f"{failed.reason}{failed.cause and '; '}{failed.cause}")
        try:
            return AnswerReader(rules).read(outcome.output)
        except Unreadable as unreadable:
            raise Forfeit(f"not a board: {unreadable.reason}") from None


def _rotate(board: str, rules: Game) -> str:
    """By half a turn, with the colours swapped."""
    return board[::-1].translate(rules.swapped())
