"""MarkUs: what a custom tester prints, one JSON object for each test."""

from __future__ import annotations

import json

from grader.export.outside import name_outside, told_outside
from grader.export.totals import by_submission
from grader.feedback import seen
from grader.records import Feedback, Record, Report
from grader.verdicts import Verdict


def render(report: Report) -> str:
    report = seen(report)
    several = len(by_submission(report.records)) > 1
    return "".join(
        json.dumps(_test(record, place, report.feedback, several)) + "\n"
        for place, record in enumerate(report.records, 1)
    )


def _test(record: Record, place: int, feedback: Feedback, several: bool) -> dict[str, object]:
    return {
        "name": name_outside(record, place, several),
        "output": told_outside(record, feedback),
        "marks_earned": record.score,
        "marks_total": record.max_score,
        "status": _status(record),
        "time": round(record.cpu_s * 1000),
    }


def _status(record: Record) -> str:
    """An error is the grader's; a submission that runs out of time has failed."""
    if record.verdict is Verdict.JUDGE_ERROR:
        return "error"
    if record.verdict.accepted:
        return "pass"
    return "partial" if record.score > 0 else "fail"
