"""The journal: one SQLite file with every grading, its plan and its finished records.  A record is
on the disk before `add` returns, so nothing is lost if the grader or the machine goes down.  Each
carries a checksum: one that was damaged is graded again."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.grading.plan import Plan
from grader.grading.records import APPLICATION, Record, digest
from grader.sandbox.job import from_plain
from solver.errors import FileError, UserError

LAYOUT = 2
UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, RecursionError, zlib.error)
NOT_A_JOURNAL = "this is not a journal of the grader. Name another file."
DAMAGED = "the journal is damaged. Restore a copy, or grade again with another --journal FILE"
PATIENCE = 30  # seconds to wait for another process that writes to the journal
TABLES = """
CREATE TABLE gradings (
    number INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    begun_at TEXT NOT NULL,
    tasks INTEGER NOT NULL,
    plan BLOB NOT NULL
);
CREATE TABLE records (
    grading INTEGER NOT NULL REFERENCES gradings (number),
    submission TEXT NOT NULL,
    puzzle TEXT NOT NULL,
    key TEXT NOT NULL,
    record TEXT NOT NULL,
    checksum TEXT NOT NULL
)"""
INDEXES = """
CREATE UNIQUE INDEX records_by_names ON records (grading, submission, puzzle);
CREATE INDEX records_by_key ON records (key)"""
COLUMNS = "grading, submission, puzzle, key, record, checksum"

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
        insert = "INSERT OR IGNORE INTO records VALUES (?, ?, ?, ?, ?, ?)"
        with self._writing() as connection:
            added = connection.execute(insert, (*row, digest(*row))).rowcount
        if not added:
            raise UserError(
                f"{self.path}: {record.submission} on {record.puzzle} is graded already."
                " Is another grader at work on it?"
            )

    def records(self, grading: int) -> dict[Names, Record]:
        """The finished records of a grading by submission and puzzle."""
        intact, damaged = self._read_all(grading)
        if damaged:
            raise FileError(
                f"{self.path}: cannot be read: {', '.join(damaged.values())}."
                f" Grade again what is damaged: grader resume {grading} --journal {self.path}"
            )
        return {(each.submission, each.puzzle): each for each in intact.values()}

    def repeat(self, grading: int, unwanted: Callable[[Record], bool]) -> list[str]:
        """Forget the records that are damaged or unwanted, so that they are graded again; the
        result names the damaged ones."""
        intact, damaged = self._read_all(grading)
        rows = [*damaged, *(row for row, record in intact.items() if unwanted(record))]
        if rows:
            with self._writing() as connection:
                connection.execute("BEGIN IMMEDIATE")
                # Indexes are made anew: damaged rows are not where an index looks for them.
                connection.execute("DROP INDEX IF EXISTS records_by_names")
                connection.execute("DROP INDEX IF EXISTS records_by_key")
                for row in rows:
                    connection.execute("DELETE FROM records WHERE rowid = ?", (row,))
                _execute_all(connection, INDEXES)
        return list(damaged.values())

    def earlier(self, key: str) -> Record | None:
        """The last record with this key in any grading, if there is one."""
        query = f"SELECT {COLUMNS} FROM records WHERE key = ? ORDER BY grading DESC LIMIT 1"
        rows = self._rows(query, key)
        return _read_record(rows[0]) if rows else None

    def _read_all(self, grading: int) -> tuple[dict[int, Record], dict[int, str]]:
        """The records of a grading, and the names of damaged ones, both by row.  A damaged row that
        no longer says where it belongs is taken to belong to every grading."""
        query = (
            f"SELECT {COLUMNS}, rowid FROM records NOT INDEXED"  # which could be damaged too
            " WHERE grading = ? OR grading NOT IN (SELECT number FROM gradings)"
        )
        intact, damaged = {}, {}
        for *row, number in self._rows(query, grading):
            if record := _read_record(row):
                intact[number] = record
            else:
                damaged[number] = f"the record of {row[1]} on {row[2]}"
        return intact, damaged

    def plan(self, grading: int) -> Plan:
        rows = self._rows("SELECT plan FROM gradings WHERE number = ?", grading)
        if not rows:
            numbers = [str(entry.number) for entry in self.entries()]
            known = f"There are: {', '.join(numbers)}." if numbers else "The journal is empty."
            raise UserError(f"{self.path}: there is no grading {grading}. {known}")
        try:
            return Plan.unpacked(rows[0][0])
        except UNREADABLE as error:
            raise FileError(
                f"{self.path}: grading {grading} cannot be read: its plan is damaged. Begin it"
                f" again; 'grader class --reuse' keeps the marks that are in the journal: {error}"
            ) from None

    def entries(self) -> list[Entry]:
        rows = self._rows(
            "SELECT number, title, begun_at, tasks,"
            " (SELECT count(*) FROM records WHERE grading = number)"
            " FROM gradings ORDER BY number"
        )
        return [Entry(row[0], str(row[1]), str(row[2]), *row[3:]) for row in rows]

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
    with _connect(path, "mode=rwc") as connection:
        with _explained(path), connection:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN IMMEDIATE")  # others that begin now wait until it is whole
            if _is_new(path, connection):
                _execute_all(connection, f"{TABLES};{INDEXES}")
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {LAYOUT}")
        with suppress(sqlite3.OperationalError):  # another grader is at work: it has done so
            connection.execute("PRAGMA journal_mode = WAL")
        yield Journal(path, connection)


@contextmanager
def read_journal(path: Path) -> Iterator[Journal]:
    """An existing journal, read only."""
    if not path.is_file():
        raise FileError(f"{path}: there is no journal here. Name it with --journal FILE.")
    # In a read-only folder SQLite need not look for other writers; elsewhere it may have to finish
    # what one that was killed has begun.
    mode = "mode=rw" if os.access(path.parent, os.W_OK) else "mode=ro&immutable=1"
    with _connect(path, mode) as connection:
        with _explained(path):
            connection.execute("PRAGMA query_only = ON")
            if _is_new(path, connection):
                raise UserError(f"{path}: there is no grading in this journal")
        yield Journal(path, connection)


@contextmanager
def _connect(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    address = f"{path.absolute().as_uri()}?{mode}"
    with _explained(path):
        connection = sqlite3.connect(address, timeout=PATIENCE, uri=True)
    with closing(connection):
        # What is damaged is read all the same, for checksums to find.
        connection.text_factory = lambda content: content.decode("utf-8", "replace")
        yield connection


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file it is; SQLite itself would go on writing to one that has been removed."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _is_new(path: Path, connection: sqlite3.Connection) -> bool:
    """Whether nothing is in it yet; refuse what another program or version has written."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (layout,) = connection.execute("PRAGMA user_version").fetchone()
    if not (tables or application or layout):
        return True
    if application != APPLICATION:
        raise UserError(f"{path}: {NOT_A_JOURNAL}")
    if layout != LAYOUT:
        raise UserError(f"{path}: written by another version. Name a new one: --journal FILE.")
    return False


def _read_record(row: Sequence[Any]) -> Record | None:
    """None if it was damaged."""
    *columns, checksum = row
    with suppress(*UNREADABLE):
        if digest(*columns) == checksum:
            return from_plain(Record, json.loads(columns[-1]))
    return None


def _execute_all(connection: sqlite3.Connection, script: str) -> None:
    """Within the transaction; `executescript` would end it."""
    for statement in script.split(";"):
        connection.execute(statement)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        # Without a code, not even the message can be read.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code == sqlite3.SQLITE_NOTADB:
            raise FileError(f"{path}: {NOT_A_JOURNAL}") from None
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT):
            raise FileError(f"{path}: {DAMAGED}: {error}") from None
        raise FileError(
            f"{path}: the journal cannot be used: {error}."
            " Is the folder writable, and the disk not full? --journal FILE names another place."
        ) from None
