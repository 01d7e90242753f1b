"""The games of a match on the disk, so that an interrupted one goes on.

A file of lines of JSON: first all that the games depend on, then every pair as soon as it is
finished, whatever its number.  A line that somebody has changed is found out by its hash.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from grader.grading.records import digest
from grader.grading.serialise import as_plain, from_plain
from grader.lab.match import one_line, read_position
from grader.lab.match_results import (
    Contestant,
    Game,
    MatchResult,
    Pair,
    Pairing,
    PairKey,
    PlayedMove,
)
from grader.lab.sprt import Sprt
from solver.cli.files import read_text
from solver.errors import FileError, UserError, counted
from solver.games import GAMES, game_named

if TYPE_CHECKING:
    from solver.games import Game as Rules


NEW = "Name another file with --journal, or remove this one."


class KeptGames:
    def __init__(self, path: Path, file: IO[bytes], pairs: dict[PairKey, Pair]) -> None:
        self.path = path
        self.pairs = pairs
        self._file = file

    def add(self, pairing: int, pair: Pair) -> None:
        """It is on the disk when this returns."""
        line = {"pairing": pairing, "pair": as_plain(pair)}
        _write(self.path, self._file, {**line, "sha256": digest(line)})


@contextmanager
def kept_games(path: Path, header: dict[str, Any]) -> Iterator[KeptGames]:
    """The file of a match, with what was played before."""
    try:
        if path.exists() and not path.is_file():
            raise FileError(f"{path}: not a file that can keep games. Name another with --journal.")
        file = open(path, "a+b")  # noqa: SIM115 - whatever happens in the block is not its fault
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    with file:
        yield KeptGames(path, file, _read(path, file, header))


def _read(path: Path, file: IO[bytes], header: dict[str, Any]) -> dict[PairKey, Pair]:
    """The pairs there are; a new file gets its header."""
    _lock(path, file)
    file.seek(0)
    *lines, torn = file.read().split(b"\n")
    if lines:
        _check(path, _parsed(path, 1, lines[0]), header)
    elif not _line(header).startswith(torn):
        raise UserError(f"{path}: there is no match in this file. {NEW}")
    pairs = _pairs(path, lines[1:])
    # What follows the last line feed was cut off when somebody pulled the plug.
    file.truncate(file.tell() - len(torn))
    if not lines:
        _write(path, file, header)
    return pairs


def _lock(path: Path, file: IO[bytes]) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UserError(f"{path}: another match is at work with this file.") from None


def _write(path: Path, file: IO[bytes], value: dict[str, Any]) -> None:
    try:
        file.write(_line(value))
        file.flush()
        os.fsync(file.fileno())
    except OSError as error:
        raise FileError(f"{path}: cannot write: {error.strerror}") from None


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _parsed(path: Path, number: int, line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise UserError(f"{path}: line {number} is not one of a match. {NEW}") from None


def _check(path: Path, found: Any, header: dict[str, Any]) -> None:
    if not isinstance(found, dict) or "match" not in found:
        raise UserError(f"{path}: there is no match in this file. {NEW}")
    # Through JSON and back, as the one in the file.
    wanted = json.loads(json.dumps(header))
    differ = [key for key in wanted if found.get(key) != wanted[key]]
    if differ:
        key = differ[0]
        told = "" if len(str(wanted[key])) > 20 else f" ({found.get(key)}, not {wanted[key]})"
        if key == "contestants":
            told = _changed(found.get(key), wanted[key])
        words = {"match": "version", "source": "source code", "adjudicated": "adjudication"}
        raise UserError(f"{path}: this is another match: other {words.get(key, key)}{told}. {NEW}")


def _changed(found: Any, wanted: list[dict[str, Any]]) -> str:
    """Who is not as before, if everybody else is."""
    if not isinstance(found, list) or len(found) != len(wanted):
        return ""
    changed = [new for old, new in zip(found, wanted, strict=True) if old != new]
    if len(changed) > 1:
        return ""
    if "engine" in changed[0]:
        return f" ({changed[0]['engine']}: its folder, command or limits have changed)"
    return f" ({changed[0]['name']} has changed)"


def _pairs(path: Path, lines: list[bytes]) -> dict[PairKey, Pair]:
    pairs = {}
    for number, line in enumerate(lines, 2):
        found = _parsed(path, number, line)
        try:
            if found.pop("sha256") != digest(found):
                raise ValueError("changed by somebody else")
            pair = from_plain(Pair, found["pair"])
            pairs[int(found["pairing"]), pair.number] = pair
        except (ValueError, TypeError, KeyError, AttributeError):
            raise UserError(
                f"{path}: line {number} is not as a match has written it. {NEW}"
            ) from None
    return pairs


# A match from its games in PDN: who won is read from the tags, nothing is played again.


LARGEST = 200_000_000  # bytes
TAG = re.compile(r'^\[(\w+) "(.*)"\]\s*$', re.MULTILINE)
NOT_A_MOVE = re.compile(r"\{[^}]*\}|\d+\.+")
REMARK = re.compile(r"\{([^}]*)\}")
EVENT = re.compile(r"grader match, seed (\d+), (.*)")
WHITE, BLACK, NOBODY = "White", "Black", ""
PDN_SIDES = {"checkers": (BLACK, WHITE), "twoflags": (WHITE, BLACK)}  # the one that begins first
RESULTS = {
    "1-0": WHITE,
    "2-0": WHITE,
    "0-1": BLACK,
    "0-2": BLACK,
    "1/2-1/2": NOBODY,
    "1-1": NOBODY,
}


def recount(path: str, sprt: Sprt | None = None) -> tuple[MatchResult, list[str]]:
    """The result of the games in a file, and warnings.  Two games in a row between the same
    players are a pair."""
    games = re.split(r"\n(?=\[Event )", read_text(path, path, LARGEST).removeprefix("\ufeff"))
    tags = [dict(TAG.findall(game)) for game in games]
    name = tags[0].get("Game", GAMES[0])
    if name not in GAMES:
        raise UserError(f"{path}: {name!r} is not one of {', '.join(GAMES)}")
    rules = game_named(name)
    met: dict[tuple[str, ...], list[Game]] = {}
    for number, (text, said) in enumerate(zip(games, tags, strict=True), 1):
        game = _game(rules, text, said, f"{path}: game {number}")
        met.setdefault(tuple(sorted(game.players)), []).append(game)
    event = EVENT.fullmatch(tags[0].get("Event", ""))
    result = MatchResult(
        game=name,
        contestants=tuple(Contestant(each, "") for each in _players(met)),
        conditions=event[2] if event else f"games of {path}",
        repeatable=True,
        seed=int(event[1]) if event else 0,
        openings=counted(len({each.opening for row in met.values() for each in row}), "opening"),
        pairings=tuple(_pairing(row, sprt) for row in met.values()),
        sprt=sprt,
    )
    odd = [" and ".join(players) for players, row in met.items() if len(row) % 2]
    return result, [f"{path}: the last game of {each} is left out: no pair" for each in odd]


def _players(met: dict[tuple[str, ...], list[Game]]) -> list[str]:
    return list(dict.fromkeys(name for row in met.values() for name in row[0].players))


def _pairing(games: list[Game], sprt: Sprt | None) -> Pairing:
    first, second = games[0].players
    twos = zip(games[::2], games[1::2], strict=False)
    pairing = Pairing(first, second, tuple(Pair(at, two) for at, two in enumerate(twos, 1)))
    if sprt is None:
        return pairing
    return replace(pairing, verdict=sprt.verdict(pairing.pentanomial))


def _game(rules: Rules, text: str, tags: dict[str, str], place: str) -> Game:
    sides = PDN_SIDES[rules.NAME]
    for tag in (*sides, "Result"):
        if tag not in tags:
            raise UserError(f'{place}: has no [{tag} "..."]')
    if tags["Result"] not in RESULTS:
        raise UserError(f"{place}: the result {tags['Result']!r} is not 1-0, 0-1 or 1/2-1/2")
    body = TAG.sub("", text)
    setup = tags.get("FEN") or (f"Setup {tags['Setup']}" if "Setup" in tags else rules.start())
    moves = NOT_A_MOVE.sub(" ", body).split()[:-1]
    remarks = REMARK.findall(body)
    return Game(
        players=tuple(tags[side] for side in sides),
        opening=setup,
        moves=tuple(PlayedMove(move) for move in moves),
        winner=tags.get(RESULTS[tags["Result"]], ""),
        reason=" ".join(remarks[-1].split()) if remarks else "",
        forfeit=tags.get("Termination") == "rules infraction",
        final=_final(rules, setup, moves),
    )


def _final(rules: Rules, setup: str, moves: list[str]) -> str:
    """The last position, or nothing if another program writes its moves in another way."""
    position = read_position(rules, setup)
    for move in moves:
        after = [each for each in position.children() if rules.move_name(position, each) == move]
        if not after:
            return ""
        position = after[0]
    return one_line(rules, position)
