"""The games of a match on the disk, so that an interrupted one goes on.

A file of lines of JSON: first all that the games depend on, then every pair as soon as it is
finished, whatever its number.  A line that somebody has changed is found out by its hash.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from grader.grading.records import as_plain, digest, from_plain
from grader.lab.match_results import Pair
from solver.errors import FileError, UserError

PairKey = tuple[int, int]  # the pairing's index, and the number of the pair
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
