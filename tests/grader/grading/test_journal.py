"""The journal keeps what it was given, whatever happens to the process that wrote it; its values in
plain form; and which marks changed between two gradings."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.grading_plans import plan, record

from grader.grading.journal import open_journal, read_journal
from grader.grading.plan import Plan
from grader.grading.records import UNEXPLAINED, Record, Verdict, find_changes
from grader.sandbox.job import Ending, File, Job, Outcome, RunLimits, as_plain, from_plain
from solver.errors import FileError, UserError


def test_a_plan_survives_its_journey() -> None:
    before, after = plan(), Plan.unpacked(plan().packed())
    assert after == before
    assert [task.key for task in after.tasks()] == [task.key for task in before.tasks()]


def test_keys_tell_everything_apart_that_a_mark_depends_on() -> None:
    whole = plan()
    case, student = whole.cases[0], whole.submissions[0]
    others = [
        replace(whole, limits=replace(whole.limits, cpu_s=9.0)),
        replace(whole, slower=0.25),
        replace(whole, cases=(replace(case, input=b"x"), *whole.cases[1:])),
        replace(whole, cases=(replace(case, expected=b"x"), *whole.cases[1:])),
        replace(whole, cases=(replace(case, proof="{}"), *whole.cases[1:])),
        replace(whole, cases=(replace(case, points=2.0), *whole.cases[1:])),
        replace(whole, submissions=(replace(student, files=()), *whole.submissions[1:])),
        replace(whole, submissions=(replace(student, name="x"), *whole.submissions[1:])),
        replace(whole, submissions=(replace(student, command=("x",)), *whole.submissions[1:])),
    ]
    keys = [next(each.tasks()).key for each in [whole, *others]]
    assert len(set(keys)) == len(keys)
    assert len({task.key for task in whole.tasks()}) == 6
    same = replace(whole, title="another", outputs=("marks:x",))
    assert [task.key for task in same.tasks()] == [task.key for task in whole.tasks()]


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    whole = plan()
    tasks = list(whole.tasks())
    records = {task.names: record(task, Verdict.SLOWER) for task in tasks[:4]}
    with open_journal(tmp_path / "grades.db") as journal:
        number = journal.begin(whole)
        for task in tasks[:4]:
            journal.add(number, task.key, records[task.names])
    with read_journal(tmp_path / "grades.db") as journal:
        assert journal.records(number) == records
        assert journal.plan(number) == whole
        (entry,) = journal.entries()
        assert (entry.number, entry.title, entry.tasks, entry.finished) == (1, "a class", 6, 4)


def test_one_record_for_a_task_in_a_grading_and_the_last_of_all_gradings(tmp_path: Path) -> None:
    whole = plan()
    task = next(whole.tasks())
    with open_journal(tmp_path / "grades.db") as journal:
        assert journal.earlier(task.key) is None
        number = journal.begin(whole)
        journal.add(number, task.key, record(task, Verdict.WORSE))
        with pytest.raises(UserError, match="is graded already"):
            journal.add(number, task.key, record(task))
        assert journal.records(number)[task.names].verdict is Verdict.WORSE
        journal.add(journal.begin(whole), task.key, record(task))
        assert journal.earlier(task.key) == record(task)
        with pytest.raises(UserError, match=r"no grading 7\. There are: 1"):
            journal.plan(7)


WRITE_AND_DIE = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, "tests")
from support.grading_plans import plan, record
from grader.grading.journal import open_journal, read_journal
whole = plan(5, 20)
with open_journal(Path(sys.argv[1])) as journal:
    number = journal.begin(whole)
    for count, task in enumerate(whole.tasks()):
        journal.add(number, task.key, record(task))
        if count == 70:
            os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_was_added_is_there_after_kill_9(tmp_path: Path) -> None:
    root = Path(__file__).parent.parent.parent.parent
    process = subprocess.run(
        [sys.executable, "-c", WRITE_AND_DIE, str(tmp_path / "grades.db")],
        cwd=root,
        check=False,
        timeout=60,
    )
    assert process.returncode == -signal.SIGKILL
    with read_journal(tmp_path / "grades.db") as journal:
        assert len(journal.records(1)) == 71


BEGIN_AT_ONCE = """
import sys
from pathlib import Path
sys.path.insert(0, "tests")
from support.grading_plans import plan
from grader.grading.journal import open_journal
whole = plan()
for line in sys.stdin:
    with open_journal(Path(line.strip())) as journal:
        print(journal.begin(whole), flush=True)
"""


def test_graders_that_begin_at_the_same_time_share_a_journal(tmp_path: Path) -> None:
    graders = [
        subprocess.Popen(
            [sys.executable, "-c", BEGIN_AT_ONCE],
            cwd=Path(__file__).parents[3],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for number in range(12):  # after the first, all of them are ready
        for each in graders:
            assert each.stdin is not None
            each.stdin.write(f"{tmp_path / str(number)}.db\n")
            each.stdin.flush()
        numbers = [each.stdout.readline() for each in graders if each.stdout]
        assert sorted(numbers) == [f"{each}\n" for each in range(1, 5)]
    for each in graders:
        each.communicate(timeout=60)


def test_a_journal_that_was_only_begun_is_empty_and_can_be_used(tmp_path: Path) -> None:
    """A file without content, as `kill -9` may leave it; and one that only has its mode."""
    for mode in ("", "PRAGMA journal_mode = WAL"):
        path = tmp_path / f"grades{len(mode)}.db"
        path.touch()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(mode)
        with pytest.raises(UserError, match="there is no grading in this journal"):
            read_journal(path).__enter__()
        with open_journal(path) as journal:
            assert journal.begin(plan()) == 1


def test_damaged_records_are_named_and_only_they_are_forgotten(tmp_path: Path) -> None:
    whole = plan()
    path = tmp_path / "grades.db"
    with open_journal(path) as journal:
        for task in whole.tasks() if journal.begin(whole) else ():
            journal.add(1, task.key, record(task))
    columns = ("record", "submission", "puzzle", "key", "grading")  # of one row each
    with closing(sqlite3.connect(path)) as connection:
        for number, column in enumerate(columns, 1):
            connection.execute(f"UPDATE records SET {column} = 77 WHERE rowid = {number}")
        connection.commit()
    with open_journal(path) as journal:
        with pytest.raises(FileError, match=r"student0 on checkers/jump0, .* resume 1 "):
            journal.records(1)
        assert len(journal.repeat(1, lambda _: False)) == len(columns)
        tasks = list(whole.tasks())
        assert journal.records(1).keys() == {tasks[-1].names}
        for task in tasks[:-1]:
            assert journal.earlier(task.key) is None
            journal.add(1, task.key, record(task))
        assert len(journal.records(1)) == 6


def test_files_that_are_no_journal_of_ours_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "grades.db"
    with pytest.raises(FileError, match="there is no journal here"):
        read_journal(path).__enter__()
    with open_journal(path):
        pass
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 1")
    for use in (open_journal, read_journal):
        with pytest.raises(UserError, match=r"another version. Name a new one: --journal"):
            use(path).__enter__()
    content = b"not a database, but long enough to be one" * 30
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"grades\.db: this is not a journal of the grader"):
        open_journal(path).__enter__()
    assert path.read_bytes() == content


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /proc")
def test_a_folder_that_cannot_be_written_is_told_at_once() -> None:
    with pytest.raises(FileError, match="the journal cannot be used"):
        open_journal(Path("/proc/grades.db")).__enter__()


RECORDS = [record(task) for task in plan().tasks()]
WORSE = replace(RECORDS[1], verdict=Verdict.WORSE, score=0.0)


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        ({"submission_sha256": "other"}, "submission changed"),
        ({"input_sha256": "other"}, "puzzle changed"),
        ({"expected_sha256": "other"}, "expected answer changed"),
        ({"limits": RunLimits(cpu_s=1.0)}, "limits changed"),
        ({"version": "other"}, "grader version changed"),
        ({"sandbox": "other"}, "sandbox level changed"),
        ({}, UNEXPLAINED),
    ],
)
def test_a_change_is_explained(difference: dict[str, Any], words: str) -> None:
    new = [RECORDS[0], replace(WORSE, **difference), *RECORDS[2:]]
    (change,) = find_changes(RECORDS, new)
    assert (change.submission, change.puzzle) == ("student0", "checkers/jump1")
    assert change.old == RECORDS[1]
    assert change.new == new[1]
    assert change.why == (words,)


def test_a_difference_that_changes_no_mark_is_not_told() -> None:
    assert find_changes(RECORDS, list(RECORDS)) == []
    new = [replace(each, cpu_s=9.0, submission_sha256="other") for each in RECORDS]
    assert find_changes(RECORDS, new) == []


def test_what_was_not_graded_before_or_is_not_any_more() -> None:
    first, last = RECORDS[:5], RECORDS[1:]
    new, gone = find_changes(first, last)
    assert (new.old, new.new, new.why) == (None, RECORDS[5], ("graded for the first time",))
    assert (gone.old, gone.new, gone.why) == (RECORDS[0], None, ("no longer graded",))


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
files = st.builds(File, texts, st.binary(max_size=20), st.booleans())
jobs = st.builds(
    Job,
    submission=texts,
    files=st.lists(files, max_size=3).map(tuple),
    command=st.lists(texts, max_size=3).map(tuple),
    input_name=texts,
    input=st.binary(max_size=20),
    limits=st.builds(RunLimits, cpu_s=st.floats(0, 1e6), memory_mb=st.integers(0, 1 << 40)),
)
outcomes = st.builds(
    Outcome,
    ending=st.sampled_from(Ending),
    exit_code=st.none() | st.integers(0, 255),
    output=st.none() | st.binary(max_size=20),
    stderr=st.binary(max_size=20),
)


@given(jobs | outcomes)
def test_a_value_comes_back_as_it_was(value: Job | Outcome) -> None:
    assert from_plain(type(value), json.loads(json.dumps(as_plain(value)))) == value


@pytest.mark.parametrize(
    "plain",
    [{}, {"ending": "never"}, {"ending": "exit", "unknown": 1}, {"ending": "exit", "output": 3}],
)
def test_what_is_no_such_value_is_refused(plain: object) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        from_plain(Outcome, plain)


def test_paths_and_nested_values() -> None:
    assert as_plain((Path("a/b"), RunLimits(cpu_s=2.0)))[0] == "a/b"
    with pytest.raises(TypeError):
        from_plain(Record, {"submission": "x"})
