"""The journal: one SQLite file with every grading, its plan and its finished records.  A record is
on the disk before `add` returns, so nothing is lost if the grader or the machine goes down."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.grading.plan import Plan
from grader.grading.records import APPLICATION, Record
from grader.sandbox.job import from_plain
from solver.errors import FileError, UserError

LAYOUT = 1
UNREADABLE = (ValueError, TypeError, KeyError, zlib.error)
NOT_A_JOURNAL = "this is not a journal of the grader. Name another file."
PATIENCE = 30  # seconds to wait for another process that writes to the journal
TABLES = """
CREATE TABLE IF NOT EXISTS gradings (
    number INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    begun_at TEXT NOT NULL,
    tasks INTEGER NOT NULL,
    plan BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS records (
    grading INTEGER NOT NULL REFERENCES gradings (number),
    submission TEXT NOT NULL,
    puzzle TEXT NOT NULL,
    key TEXT NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (grading, submission, puzzle)
);
CREATE INDEX IF NOT EXISTS records_by_key ON records (key);
"""

Names = tuple[str, str]  # of a submission and a puzzle


@dataclass(frozen=True)
class Entry:
    """A grading as the journal lists it."""

    number: int
    title: str
    begun_at: str
    tasks: int
    finished: int


class Journal:
    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._file = _identity(path)

    def begin(self, plan: Plan) -> int:
        """Store the plan of a new grading; the result is its number."""
        now, tasks = datetime.now(UTC).isoformat(timespec="seconds"), sum(1 for _ in plan.tasks())
        with self._writing() as connection:
            cursor = connection.execute(
                "INSERT INTO gradings (title, begun_at, tasks, plan) VALUES (?, ?, ?, ?)",
                (plan.title, now, tasks, plan.packed()),
            )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def add(self, grading: int, key: str, record: Record) -> None:
        """Store a record, with the hash of all that it depends on, unless there is one."""
        row = (grading, record.submission, record.puzzle, key, json.dumps(record.as_dict()))
        try:
            with self._writing() as connection:
                connection.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?)", row)
        except sqlite3.IntegrityError:
            raise UserError(
                f"{self.path}: {record.submission} on {record.puzzle} is graded already."
                " Is another grader at work on it?"
            ) from None

    def records(self, grading: int) -> dict[Names, Record]:
        """The finished records of a grading by submission and puzzle."""
        rows = self._rows(
            "SELECT submission, puzzle, record FROM records WHERE grading = ?", grading
        )
        return {(name, puzzle): self._record(text) for name, puzzle, text in rows}

    def earlier(self, key: str) -> Record | None:
        """The last record with this key in any grading, if there is one."""
        rows = self._rows(
            "SELECT record FROM records WHERE key = ? ORDER BY grading DESC LIMIT 1", key
        )
        return self._record(rows[0][0]) if rows else None

    def plan(self, grading: int) -> Plan:
        rows = self._rows("SELECT plan FROM gradings WHERE number = ?", grading)
        if not rows:
            numbers = [str(entry.number) for entry in self.entries()]
            known = f"There are: {', '.join(numbers)}." if numbers else "The journal is empty."
            raise UserError(f"{self.path}: there is no grading {grading}. {known}")
        try:
            return Plan.unpacked(rows[0][0])
        except UNREADABLE as error:
            raise FileError(f"{self.path}: grading {grading} cannot be read: {error}") from None

    def entries(self) -> list[Entry]:
        rows = self._rows(
            "SELECT number, title, begun_at, tasks,"
            " (SELECT count(*) FROM records WHERE grading = number)"
            " FROM gradings ORDER BY number"
        )
        return [Entry(*row) for row in rows]

    def _record(self, text: str) -> Record:
        try:
            return from_plain(Record, json.loads(text))
        except UNREADABLE as error:
            raise FileError(f"{self.path}: a record cannot be read: {error!r}") from None

    def _rows(self, query: str, *values: object) -> list[Any]:
        with _explained(self.path):
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        if _identity(self.path) != self._file:
            raise FileError(f"{self.path}: the journal has been removed or replaced")
        with _explained(self.path), self._connection:
            yield self._connection


@contextmanager
def open_journal(path: Path) -> Iterator[Journal]:
    """The journal at a path, written to at once, so that a full disk is reported before grading."""
    with _explained(path), closing(sqlite3.connect(path, timeout=PATIENCE)) as connection:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables:
            _check(path, connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        with connection:
            connection.executescript(TABLES)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {LAYOUT}")
        yield Journal(path, connection)


@contextmanager
def read_journal(path: Path) -> Iterator[Journal]:
    """An existing journal, read only."""
    if not path.is_file():
        raise FileError(f"{path}: there is no journal here. Name it with --journal FILE.")
    # In a read-only folder SQLite need not look for other writers.
    mode = "mode=ro" if os.access(path.parent, os.W_OK) else "mode=ro&immutable=1"
    address = f"{path.absolute().as_uri()}?{mode}"
    with _explained(path):
        connection = sqlite3.connect(address, timeout=PATIENCE, uri=True)
        with closing(connection):
            _check(path, connection)
            yield Journal(path, connection)


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file it is; SQLite itself would go on writing to one that has been removed."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _check(path: Path, connection: sqlite3.Connection) -> None:
    """Refuse what another program, or another version, has written."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (layout,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise UserError(f"{path}: {NOT_A_JOURNAL}")
    if layout != LAYOUT:
        raise UserError(f"{path}: this journal was written by another version. Name a new one.")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.IntegrityError:
        raise  # a second record of the same submission and puzzle
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            raise FileError(f"{path}: {NOT_A_JOURNAL}") from None
        raise FileError(
            f"{path}: the journal cannot be used: {error}."
            " Is the folder writable, and the disk not full? --journal FILE names another place."
        ) from None
