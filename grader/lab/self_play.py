"""Games that a frozen player plays against itself, in a file: a head, then the records of the quiet
positions of every game, in any order of games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from random import Random
from struct import Struct
from typing import Any

from grader.grading.workers import Tick, run_in_processes
from solver.errors import FileError, UserError
from solver.games import game_named
from solver.games.checkers import game as rules
from solver.games.checkers.heuristics import HEURISTICS
from solver.games.checkers.rules import Board
from solver.play.game import GameInProgress, choose_move
from solver.search.alphabeta import Search
from solver.search.heuristic import Heuristic, is_own, load
from solver.search.limits import Limits
from solver.search.position import QUIET, Position
from solver.search.result import SearchResult
from solver.search.techniques import Techniques

FEWEST_RANDOM, MOST_RANDOM = 6, 12  # moves at the start of a game
LOST_CAUSE = 600  # points at which a game is given up: odds of thirty to one
NO_PROGRESS = 30  # plies to a draw
MEGABYTES = 8  # of cache: a game needs no more
RECORD = Struct("<3qihBB")  # own, enemy, kings, game, score, side, half points of the mover
FIELDS = {"own": "<i8", "enemy": "<i8", "kings": "<i8", "game": "<i4", "score": "<i2"}
FIELDS |= {"side": "u1", "half_points": "u1"}
TITLE = b"checkmark games: "
HEAD = 128  # bytes before the records
Arrays = Any  # of numpy, which is only loaded when it is needed


@dataclass(frozen=True)
class Play:
    """Everything that games depend on."""

    player: str = "tuned"
    seed: int = 1
    nodes: int = 400  # for each move

    def game(self, number: int) -> bytes:
        """The records of one game, and an empty one that ends it."""
        chance = Random(f"{self.seed}, game {number}")
        start: Position = rules.read(rules.start(), "the start", True).position
        for _ in range(chance.randint(FEWEST_RANDOM, MOST_RANDOM)):
            start = chance.choice(start.children())
        evaluate = evaluator(self.player)
        search = Search(evaluate, Techniques(megabytes=MEGABYTES), rules.tables())
        limits = Limits(nodes=self.nodes)

        def choose(position: Position, leave_out: frozenset[int]) -> SearchResult:
            return search.run(position, limits, leave_out=leave_out)

        game = GameInProgress(game_named(rules.NAME), start, search.exact)
        kept: list[tuple[Board, int]] = []
        while (ended := game.result) is None and game.quiet[-1] < NO_PROGRESS:
            position = game.position
            assert isinstance(position, Board)
            result = choose(position, frozenset())
            if result.decided or abs(result.score) > LOST_CAUSE:
                mover = position.mover()
                winner = mover if result.score > 0 else rules.other(mover) if result.score else ""
                break
            if position.status() == QUIET:
                kept.append((position, result.score))
            game.play(choose_move(game, result, choose))
        else:
            winner = ended.winner if ended is not None else ""
        records = []
        for board, score in kept:
            half_points = 1 if not winner else 2 * (board.mover() == winner)
            pieces = (board.own, board.enemy, board.kings)
            records.append(RECORD.pack(*pieces, number, score, board.side, half_points))
        return b"".join(records) + RECORD.pack(0, 0, 0, number, 0, 0, 0)


@lru_cache
def evaluator(name: str) -> Heuristic:
    return load(name) if is_own(name) else HEURISTICS[name]


def play_games(play: Play, games: int, path: Path, jobs: int = 1, tick: Tick = int) -> None:
    """Add the games that are missing in a file of games, which has a head and then their records,
    game by game in any order.  What a crash cut off is played again."""
    head = (TITLE + str(play).encode()).ljust(HEAD)[:HEAD]
    try:
        with open(path, "a+b") as file:
            file.seek(0)
            found = file.read()
            if not head.startswith(found[:HEAD]):
                raise UserError(f"{path}: these are not games of {play}. Name another file.")
            whole, done = 0, set[int]()
            for at, record in enumerate(_records(found), 1):
                if not record[0]:
                    whole = at
                    done.add(record[3])
            file.truncate(HEAD + whole * RECORD.size if whole else 0)
            if not whole:
                file.write(head)
            for _ in done:
                tick()
            missing = [number for number in range(games) if number not in done]
            for _, records in run_in_processes(play.game, missing, jobs):
                file.write(records)
                file.flush()
                tick()
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None


def _records(content: bytes) -> Iterator[tuple[int, ...]]:
    """Without a last one that is not whole."""
    return RECORD.iter_unpack(content[HEAD : len(content) - (len(content) - HEAD) % RECORD.size])


def numpy() -> Any:
    try:
        return import_module("numpy")
    except ImportError:
        raise UserError(
            "grader tune needs the extra: pip install 'checkmark-solver[tune]'"
        ) from None


def read_games(path: Path, games: int = 1 << 31) -> Arrays:
    """The positions of the first games, in order."""
    np = numpy()
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    whole = (len(content) - HEAD) // RECORD.size
    if whole <= 0 or not content.startswith(TITLE):
        raise UserError(f"{path}: there are no games in it.")
    found = np.frombuffer(content, np.dtype(list(FIELDS.items())), whole, HEAD)
    found = found[(found["own"] != 0) & (found["game"] < games)]
    return found[np.argsort(found["game"], kind="stable")]
