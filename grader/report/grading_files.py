"""A grading for other programs: CSV, JSON Lines, Gradescope, and Kattis validators."""

from __future__ import annotations

import json
from dataclasses import fields

from grader.grading.feedback import render_diagnosis, render_feedback, render_words
from grader.grading.records import (
    Feedback,
    Judgement,
    Record,
    Report,
    RunLimits,
    Verdict,
    Visibility,
)
from grader.report.grading_text import add_up, group_by
from grader.report.text import one_line, printable, to_csv, to_json

COLUMNS = [
    *(field.name for field in fields(Record) if field.name != "limits"),
    *(f"limit_{field.name}" for field in fields(RunLimits)),
]
ACCEPT, REJECT = 42, 43  # of a validator
JUDGE_ERROR = 1  # anything but the two above, 0 included, says that the judge has failed


def render_jsonl(report: Report) -> str:
    """The records with every field, one JSON object per line."""
    return "".join(json.dumps(record.as_dict()) + "\n" for record in report.records)


def render_csv(report: Report) -> str:
    return to_csv(COLUMNS, (_row(record) for record in report.records))


def _row(record: Record) -> dict[str, object]:
    row = record.as_dict()
    row["best"] = " or ".join(record.best)
    row.update({f"limit_{name}": value for name, value in row.pop("limits").items()})
    return row


def render_gradescope(report: Report) -> str:
    """Gradescope's results.json.

    Gradescope adds the marks up itself, and shows no sum while a puzzle is hidden; so there is no
    score above the tests, and the text above them counts visible puzzles only.
    """
    several = len(group_by("submission", report.records)) > 1
    visible = add_up("", (one for one in report.records if one.visibility is Visibility.VISIBLE))
    diagnosis = [line for one in report.diagnoses.values() for line in render_diagnosis(one)]
    results = {
        "execution_time": round(sum(one.wall_s for one in report.records), 3),
        "output": "\n".join(
            [*diagnosis, f"{visible.accepted} of {visible.graded} puzzles accepted"]
        ),
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
    return to_json(results, indent=1)


def _test(record: Record, place: int, feedback: Feedback, several: bool) -> dict[str, object]:
    name = one_line(record.puzzle) or f"puzzle {place}"
    test: dict[str, object] = {
        "score": record.score,
        "max_score": record.max_score,
        "name": f"{one_line(record.submission)}: {name}" if several else name,
        "number": str(place),
        "output": printable(render_feedback(record, feedback)),
        "tags": [one_line(record.group)] if record.group else [],
        "visibility": record.visibility.value,
        "extra_data": {"verdict": record.verdict.value, "cpu_s": record.cpu_s},
    }
    if record.verdict is not Verdict.JUDGE_ERROR:  # neither passed nor failed
        test["status"] = "passed" if record.verdict.accepted else "failed"
    return test


def validate(judgement: Judgement, feedback: Feedback) -> tuple[int, dict[str, str]]:
    """The exit code of a Kattis or DOMjudge output validator, and what it leaves in the feedback
    folder."""
    texts = {
        "judgemessage.txt": printable(render_words(judgement, Feedback.FULL)) + "\n",
        "teammessage.txt": printable(render_words(judgement, feedback)) + "\n",
    }
    if judgement.verdict is Verdict.JUDGE_ERROR:
        return JUDGE_ERROR, texts
    return ACCEPT if judgement.verdict.accepted else REJECT, texts
