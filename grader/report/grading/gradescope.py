"""Gradescope's results.json for one submission.

Gradescope adds the marks up itself, and shows no sum while a puzzle is hidden; so there is no
score above the tests, and the text above them speaks of visible puzzles only.
"""

from __future__ import annotations

import json

from grader.feedback import seen, told
from grader.records import Feedback, Record, Report, Visibility
from grader.report.grading.totals import by_submission, total
from grader.report.grading.wording import one_line, printable
from grader.verdicts import Verdict


def render(report: Report) -> str:
    report = seen(report)
    several = len(by_submission(report.records)) > 1
    visible = total("", (one for one in report.records if one.visibility is Visibility.VISIBLE))
    results = {
        "execution_time": round(sum(one.wall_s for one in report.records), 3),
        "output": f"{visible.accepted} of {visible.graded} puzzles accepted",
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            _test(record, place, report.feedback, several)
            for place, record in enumerate(report.records, 1)
        ],
    }
    return json.dumps(results, indent=1) + "\n"


def _test(record: Record, place: int, feedback: Feedback, several: bool) -> dict[str, object]:
    test: dict[str, object] = {
        "score": record.score,
        "max_score": record.max_score,
        "name": _name(record, place, several),
        "number": str(place),
        "output": printable(told(record, feedback)),
        "tags": [one_line(record.group)] if record.group else [],
        "visibility": record.visibility.value,
        "extra_data": {"verdict": record.verdict.value, "cpu_s": record.cpu_s},
    }
    if record.verdict is not Verdict.JUDGE_ERROR:  # neither passed nor failed
        test["status"] = "passed" if record.verdict.accepted else "failed"
    return test


def _name(record: Record, place: int, several: bool) -> str:
    """Never empty, and with the submission where there is more than one."""
    name = one_line(record.puzzle) or f"puzzle {place}"
    return f"{one_line(record.submission)}: {name}" if several else name
