"""The games of a match on disk: the journal with which an interrupted match goes on, and files of
games in PDN, which are counted without playing anything again.

A journal has lines of JSON: first all that the games depend on, then every pair as soon as it is
finished, in any order, with a hash that shows whether the line was changed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from grader.grading.records import digest
from grader.lab.match import one_line, read_position
from grader.lab.match_results import (
    ContestantFacts,
    MatchResult,
    Pair,
    Pairing,
    PairKey,
    PlayedGame,
    PlayedMove,
)
from grader.lab.stats import Sprt
from grader.sandbox.job import as_plain, from_plain
from solver.errors import FileError, UserError, counted
from solver.games import GAMES, Game, game_named
from solver.games.puzzle import read_text

REMEDY = "Name another file with --journal, or remove this one."
NAMES = {"match": "version", "source": "source code", "sha256": "content"}  # of keys, for people
SHORT = 24
LARGEST = 200_000_000  # bytes of PDN
TAG = re.compile(r'^\[(\w+) "(.*)"\]\s*$', re.MULTILINE)
NOT_A_MOVE = re.compile(r"\{[^}]*\}|\d+\.+")
REMARK = re.compile(r"\{([^}]*)\}")
EVENT = re.compile(r"grader match, seed (\d+), (.*)")
WINNERS = {"1-0": "White", "2-0": "White", "0-1": "Black", "0-2": "Black", "1/2-1/2": "", "1-1": ""}


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
    reasons = _find_differences(found, json.loads(_line(header)))  # tuples as lists, as in the file
    if reasons:
        raise UserError(f"{path}: this is another match: {'; '.join(reasons)}. {REMEDY}")


def _find_differences(found: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    reasons = []
    for key, new in wanted.items():
        old: Any = found.get(key)
        if key == "contestants" and _names(old) == _names(new):
            for one, other in zip(old, new, strict=True):
                differences = _find_differences(one, other)
                reasons += [f"{other['name']}: {reason}" for reason in differences]
        elif old != new:
            name = NAMES.get(key, key)
            short = len(f"{old}{new}") <= SHORT  # long values are hashes, which say nothing
            reasons.append(f"{name} {old}, not {new}" if short else f"other {name}")
    return reasons


def _names(contestants: Any) -> list[Any]:
    found = contestants if isinstance(contestants, list) else []
    return [each.get("name") for each in found if isinstance(each, dict)]


def recount(path: str, sprt: Sprt | None = None) -> tuple[MatchResult, list[str]]:
    """The result of the games in a PDN file, by its tags, and warnings.  Two games in a row between
    the same players are a pair."""
    games = re.split(r"\n(?=\[Event )", read_text(path, path, LARGEST).removeprefix("\ufeff"))
    tags = [dict(TAG.findall(game)) for game in games]
    name = tags[0].get("Game", GAMES[0])
    if name not in GAMES:
        raise UserError(f"{path}: {name!r} is not one of {', '.join(GAMES)}")
    rules = game_named(name)
    met: dict[tuple[str, ...], list[PlayedGame]] = {}
    for number, (text, own) in enumerate(zip(games, tags, strict=True), 1):
        game = _read_game(rules, text, own, f"{path}: game {number}")
        met.setdefault(tuple(sorted(game.players)), []).append(game)
    players = dict.fromkeys(name for row in met.values() for name in row[0].players)
    event = EVENT.fullmatch(tags[0].get("Event", ""))
    result = MatchResult(
        game=name,
        contestants=tuple(ContestantFacts(each, "") for each in players),
        conditions=event[2] if event else f"games of {path}",
        repeatable=True,
        seed=int(event[1]) if event else 0,
        openings=counted(len({each.opening for row in met.values() for each in row}), "opening"),
        pairings=tuple(_make_pairing(row, sprt) for row in met.values()),
        sprt=sprt,
    )
    odd = [" and ".join(players) for players, row in met.items() if len(row) % 2]
    return result, [f"{path}: the last game of {each} is left out: it has no pair" for each in odd]


def _make_pairing(games: list[PlayedGame], sprt: Sprt | None) -> Pairing:
    first, second = games[0].players
    twos = zip(games[::2], games[1::2], strict=False)
    pairing = Pairing(first, second, tuple(Pair(at, two) for at, two in enumerate(twos, 1)))
    if sprt is None:
        return pairing
    return replace(pairing, verdict=sprt.verdict(pairing.pentanomial))


def _read_game(rules: Game, text: str, tags: dict[str, str], place: str) -> PlayedGame:
    for tag in (*rules.PDN_SIDES, "Result"):
        if tag not in tags:
            raise UserError(f'{place}: has no [{tag} "..."]')
    if tags["Result"] not in WINNERS:
        raise UserError(f"{place}: the result {tags['Result']!r} is not 1-0, 0-1 or 1/2-1/2")
    body = TAG.sub("", text)
    tag = rules.PDN_POSITION
    setup = tags.get(tag) or rules.start()
    if not rules.means_position(setup):  # the tag is its first word
        setup = f"{tag} {setup}"
    moves = NOT_A_MOVE.sub(" ", body).split()[:-1]
    remarks = REMARK.findall(body)
    return PlayedGame(
        players=tuple(tags[side] for side in rules.PDN_SIDES),
        opening=setup,
        moves=tuple(PlayedMove(move) for move in moves),
        winner=tags.get(WINNERS[tags["Result"]], ""),
        reason=" ".join(remarks[-1].split()) if remarks else "",
        forfeit=tags.get("Termination") == "rules infraction",
        adjudicated=tags.get("Termination") == "adjudication",
        final=_last_position(rules, setup, moves),
    )


def _last_position(rules: Game, setup: str, moves: list[str]) -> str:
    """Empty if another program writes its moves in another way."""
    position = read_position(rules, setup)
    for move in moves:
        after = [each for each in position.children() if rules.move_name(position, each) == move]
        if not after:
            return ""
        position = after[0]
    return one_line(rules, position)
