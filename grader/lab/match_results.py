"""The result of a match: its games, in pairs, by who played whom; and the journal with which an
interrupted one goes on: lines of JSON, first all that the games depend on, then every pair as soon
as it is finished, in any order, with a hash that shows whether the line was changed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from grader.grading.records import digest
from grader.lab.stats import Pentanomial, SprtVerdict, Strength, strength_of
from grader.sandbox.job import as_plain, from_plain
from solver.errors import FileError, UserError

WIN, DRAW, LOSS = 2, 1, 0  # half points
REMEDY = "Name another file with --journal, or remove this one."
NAMES = {"match": "version", "source": "source code", "contestants": "contestants or limits"}
PairKey = tuple[int, int]  # the index of the pairing, and the number of the pair


@dataclass(frozen=True)
class PlayedMove:
    """A move, and how it was found; for an engine that is unknown."""

    name: str  # as in PDN: `11-15`; `e2e4` in Two Flags
    depth: int | None = None
    score: int | None = None  # for the side that made the move
    nodes: int | None = None


@dataclass(frozen=True)
class PlayedGame:
    players: tuple[str, ...]  # in the order of the game's sides, the one that begins first
    opening: str  # a FEN, or a `Setup` line
    moves: tuple[PlayedMove, ...]
    winner: str  # the name of a player; empty for a draw
    reason: str
    forfeit: bool = False  # lost by a crash, an illegal move or on time
    final: str = ""  # the last position, as the opening
    adjudicated: bool = False  # the endgame tables knew the result

    def half_points(self, player: str) -> int:
        if not self.winner:
            return DRAW
        return WIN if self.winner == player else LOSS

    @property
    def loser(self) -> str:
        return next((each for each in self.players if self.winner not in ("", each)), "")


@dataclass(frozen=True)
class Pair:
    """Two games from one opening, each player once on either side."""

    number: int  # from 1, in the order in which they count
    games: tuple[PlayedGame, ...]

    def half_points(self, player: str) -> int:
        return sum(game.half_points(player) for game in self.games)


@dataclass(frozen=True)
class Pairing:
    """All pairs of two contestants; results are those of the first."""

    first: str
    second: str
    pairs: tuple[Pair, ...]
    verdict: SprtVerdict | None = None  # of a sequential test

    @property
    def games(self) -> Iterator[PlayedGame]:
        return (game for pair in self.pairs for game in pair.games)

    @property
    def results(self) -> dict[str, int]:
        """Numbers of games."""
        points = [game.half_points(self.first) for game in self.games]
        kinds = (("wins", WIN), ("draws", DRAW), ("losses", LOSS))
        return {name: points.count(half_points) for name, half_points in kinds}

    @property
    def pentanomial(self) -> Pentanomial:
        return Pentanomial.of_pairs(pair.half_points(self.first) for pair in self.pairs)

    @property
    def strength(self) -> Strength:
        return strength_of(self.pentanomial)


@dataclass(frozen=True)
class MatchResult:
    game: str
    conditions: str  # `1000 nodes a move`, or the several limits there are
    repeatable: bool  # not with a clock or an engine
    seed: int
    openings: str  # `163 openings`, or the file
    pairings: tuple[Pairing, ...]

    @property
    def games(self) -> Iterator[PlayedGame]:
        return (game for pairing in self.pairings for game in pairing.games)


class MatchJournal:
    def __init__(self, path: Path, file: IO[bytes], pairs: dict[PairKey, Pair]) -> None:
        self.path = path
        self.pairs = pairs
        self._file = file

    def add(self, pairing: int, pair: Pair) -> None:
        """It is on the disk when this returns."""
        line = {"pairing": pairing, "pair": as_plain(pair)}
        _write(self.path, self._file, {**line, "sha256": digest(line)})


@contextmanager
def open_journal(path: Path, header: dict[str, Any]) -> Iterator[MatchJournal]:
    """With what was played before; a new file gets its header."""
    try:
        if path.exists() and not path.is_file():
            raise FileError(f"{path}: not a regular file. Name another with --journal.")
        file = open(path, "a+b")  # noqa: SIM115 - an error in the block is not ours to catch
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    with file:
        _lock(path, file)
        yield MatchJournal(path, file, _read(path, file, header))


def _lock(path: Path, file: IO[bytes]) -> None:
    try:
        import fcntl
    except ImportError:  # Windows has no such locks
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UserError(f"{path}: another match is using this file.") from None


def _read(path: Path, file: IO[bytes], header: dict[str, Any]) -> dict[PairKey, Pair]:
    file.seek(0)
    *lines, torn = file.read().split(b"\n")
    if lines:
        _check_header(path, _parse(path, 1, lines[0]), header)
    elif not _line(header).startswith(torn):
        raise UserError(f"{path}: there is no match in this file. {REMEDY}")
    pairs = {}
    for number, line in enumerate(lines[1:], 2):
        found = _parse(path, number, line)
        try:
            if found.pop("sha256") != digest(found):
                raise ValueError("changed")
            pair = from_plain(Pair, found["pair"])
            pairs[int(found["pairing"]), pair.number] = pair
        except (ValueError, TypeError, KeyError, AttributeError):
            raise UserError(f"{path}: line {number} is damaged or was changed. {REMEDY}") from None
    # What follows the last line feed was cut off by a crash.
    file.truncate(file.tell() - len(torn))
    if not lines:
        _write(path, file, header)
    return pairs


def _write(path: Path, file: IO[bytes], value: dict[str, Any]) -> None:
    try:
        file.write(_line(value))
        file.flush()
        os.fsync(file.fileno())
    except OSError as error:
        raise FileError(f"{path}: cannot write: {error.strerror}") from None


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _parse(path: Path, number: int, line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise UserError(f"{path}: line {number} is not from a match. {REMEDY}") from None


def _check_header(path: Path, found: Any, header: dict[str, Any]) -> None:
    if not isinstance(found, dict) or "match" not in found:
        raise UserError(f"{path}: there is no match in this file. {REMEDY}")
    wanted = json.loads(_line(header))  # tuples as lists, as in the file
    other = [NAMES.get(key, key) for key in wanted if found.get(key) != wanted[key]]
    if other:
        raise UserError(f"{path}: this is another match, of other {', '.join(other)}. {REMEDY}")
