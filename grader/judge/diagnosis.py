"""What all answers of a program say about it: which bug, if any, explains them."""

from __future__ import annotations

from collections.abc import Sequence

from grader.grading.records import Diagnosis, Record


def diagnose(records: Sequence[Record]) -> Diagnosis:
    """Of one submission."""
    return Diagnosis()
