"""CSV for spreadsheets: the canonical records, one to a row.

Like `jsonl`, it holds what the staff may see with full feedback and nothing more than
`grader.feedback.seen` leaves with less.
"""

from __future__ import annotations

import csv
import io
from dataclasses import fields
from typing import Any

from grader.feedback import seen
from grader.limits import Limits
from grader.records import Record, Report
from grader.report.grading.wording import printable

COLUMNS = [
    *(field.name for field in fields(Record) if field.name != "limits"),
    *(f"limit_{field.name}" for field in fields(Limits)),
]
FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")  # spreadsheets read the wide forms too


def render(report: Report) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_row(record) for record in seen(report).records)
    return out.getvalue()


def _row(record: Record) -> dict[str, object]:
    row = record.as_dict()
    row["best"] = " or ".join(record.best)
    row.update({f"limit_{name}": value for name, value in row.pop("limits").items()})
    return {name: safe(value) for name, value in row.items()}


def safe(value: Any) -> object:
    """Text that a spreadsheet would run as a formula gets an apostrophe before it."""
    if not isinstance(value, str):
        return value
    text = printable(value)
    return f"'{text}" if text.lstrip().startswith(FORMULA) else text
