"""The journal: every grading with its plan, and every record the moment it is finished.

One SQLite file with a write-ahead log.  A record is on the disk before `add` returns, so that
nothing is lost whenever the grader, or the machine, goes down.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.plan import Plan
from grader.records import Record
from solver.errors import FileError, UserError

LAYOUT = 1
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
    key TEXT NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (grading, key)
);
CREATE INDEX IF NOT EXISTS records_by_key ON records (key);
"""


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

    def begin(self, plan: Plan) -> int:
        """Store the plan of a new grading; the result is its number."""
        with self._writing() as connection:
            cursor = connection.execute(
                "INSERT INTO gradings (title, begun_at, tasks, plan) VALUES (?, ?, ?, ?)",
                (
                    plan.title,
                    datetime.now(UTC).isoformat(timespec="seconds"),
                    len(plan.submissions) * len(plan.cases),
                    plan.packed(),
                ),
            )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def add(self, grading: int, key: str, record: Record) -> None:
        """Store a record for good.  A second one with the same key is a mistake, and refused."""
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO records (grading, key, record) VALUES (?, ?, ?)",
                (grading, key, json.dumps(record.as_dict())),
            )

    def records(self, grading: int) -> dict[str, Record]:
        """The finished records of a grading by key."""
        rows = self._rows("SELECT key, record FROM records WHERE grading = ?", grading)
        return {key: Record.from_dict(json.loads(text)) for key, text in rows}

    def earlier(self, key: str) -> Record | None:
        """The last record with this key in any grading, if there is one."""
        rows = self._rows(
            "SELECT record FROM records WHERE key = ? ORDER BY grading DESC LIMIT 1", key
        )
        return Record.from_dict(json.loads(rows[0][0])) if rows else None

    def plan(self, grading: int) -> Plan:
        rows = self._rows("SELECT plan FROM gradings WHERE number = ?", grading)
        if not rows:
            raise UserError(f"{self.path}: there is no grading {grading}. {self._known()}")
        try:
            return Plan.unpacked(rows[0][0])
        except (ValueError, TypeError, KeyError) as error:
            raise UserError(f"{self.path}: grading {grading} cannot be read: {error}") from None

    def entries(self) -> list[Entry]:
        rows = self._rows(
            "SELECT number, title, begun_at, tasks,"
            " (SELECT count(*) FROM records WHERE grading = number)"
            " FROM gradings ORDER BY number"
        )
        return [Entry(*row) for row in rows]

    def _known(self) -> str:
        numbers = [str(entry.number) for entry in self.entries()]
        return f"There are: {', '.join(numbers)}." if numbers else "The journal is empty."

    def _rows(self, query: str, *values: object) -> list[Any]:
        with _explained(self.path):
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with _explained(self.path), self._connection:
            yield self._connection


@contextmanager
def open_journal(path: Path, create: bool = True) -> Iterator[Journal]:
    """The journal at a path, written to once, so that a full disk is told before grading."""
    if not create and not path.is_file():
        raise FileError(f"{path}: there is no journal here. Name it with --journal FILE.")
    with _explained(path):
        connection = sqlite3.connect(path, timeout=30)
    try:
        with _explained(path):
            _prepare(path, connection)
        yield Journal(path, connection)
    finally:
        connection.close()


def _prepare(path: Path, connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    (layout,) = connection.execute("PRAGMA user_version").fetchone()
    if layout not in (0, LAYOUT):
        raise UserError(f"{path}: this journal was written by another version. Name a new one.")
    with connection:
        connection.executescript(TABLES)
        connection.execute(f"PRAGMA user_version = {LAYOUT}")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise FileError(
            f"{path}: the journal cannot be used: {error}."
            " Is the folder writable, and the disk not full? --journal FILE names another place."
        ) from None
