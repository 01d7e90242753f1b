"""What goes to systems that show students every test at once, whatever its visibility."""

from __future__ import annotations

from grader.export.wording import one_line, printable
from grader.feedback import told
from grader.records import Feedback, Record, Visibility


def name_outside(record: Record, place: int, several: bool) -> str:
    """A puzzle that is not visible has a number and no name."""
    if record.visibility is not Visibility.VISIBLE:
        return f"hidden puzzle {place}"
    return test_name(record, place, several)


def test_name(record: Record, place: int, several: bool) -> str:
    """Never empty, and with the submission where there is more than one."""
    name = one_line(record.puzzle) or f"puzzle {place}"
    return f"{one_line(record.submission)}: {name}" if several else name


def told_outside(record: Record, feedback: Feedback) -> str:
    visible = record.visibility is Visibility.VISIBLE
    return printable(told(record, feedback if visible else Feedback.VERDICT))
