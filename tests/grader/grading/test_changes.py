"""Which marks changed between two gradings, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.grading_plans import plan, record

from grader.grading.records import UNEXPLAINED, Verdict, find_changes
from grader.sandbox.job import RunLimits

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
