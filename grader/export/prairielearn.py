"""PrairieLearn's results.json for one submission; never more than a megabyte."""

from __future__ import annotations

import json

from grader.export.outside import name_outside, told_outside
from grader.export.totals import by_group, by_submission, total
from grader.export.wording import one_line, shortened
from grader.feedback import seen
from grader.records import Feedback, Record, Report, Visibility
from grader.verdicts import NOT_YOUR_FAULT, Verdict

LARGEST = 1_000_000  # bytes
LONGEST_OUTPUTS = (100_000, 10_000, 2_000, 400, 80)
LONGEST_NAME = 200


def render(report: Report) -> str:
    """With outputs as long as there is room for; without single puzzles if there is none."""
    report = seen(report)
    for longest in LONGEST_OUTPUTS:
        text = _results(report, _tests(report, longest))
        if len(text) <= LARGEST:  # it is ASCII
            return text
    text = _results(report, _groups(report))
    return text if len(text) <= LARGEST else _results(report, [])


def _results(report: Report, tests: list[dict[str, object]]) -> str:
    sums = total("", report.records)
    faults = sums.verdicts[Verdict.JUDGE_ERROR]
    results = {
        "gradable": not faults,
        "score": min(max(sums.share, 0.0), 1.0) if not faults else 0.0,
        "message": f"{sums.accepted} of {sums.graded} puzzles accepted",
        "output": "",
        "format_errors": [NOT_YOUR_FAULT] if faults else [],
        "tests": tests,
    }
    return json.dumps(results) + "\n"


def _tests(report: Report, longest: int) -> list[dict[str, object]]:
    several = len(by_submission(report.records)) > 1
    return [
        _test(record, place, report.feedback, longest, several)
        for place, record in enumerate(report.records, 1)
    ]


def _test(
    record: Record, place: int, feedback: Feedback, longest: int, several: bool
) -> dict[str, object]:
    visible = record.visibility is Visibility.VISIBLE
    return {
        "name": shortened(name_outside(record, place, several), LONGEST_NAME),
        "description": shortened(one_line(record.group), LONGEST_NAME) if visible else "",
        "points": record.score,
        "max_points": record.max_score,
        "message": record.verdict.value,
        "output": shortened(told_outside(record, feedback), longest),
    }


def _groups(report: Report) -> list[dict[str, object]]:
    return [
        {
            "name": shortened(one_line(sums.name) or "other puzzles", LONGEST_NAME),
            "description": "",
            "points": sums.score,
            "max_points": sums.max_score,
            "message": f"{sums.accepted} of {sums.graded} puzzles accepted",
            "output": "",
        }
        for sums in by_group(report.records)
    ]
