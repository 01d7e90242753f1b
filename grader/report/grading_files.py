"""A grading for other programs: CSV, JSON Lines, JUnit, Gradescope, and Kattis validators."""

from __future__ import annotations

import json
from dataclasses import fields
from xml.etree.ElementTree import Element, SubElement, indent, tostring

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
from grader.report.text import number, one_line, printable, to_csv

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


def render_junit(report: Report) -> str:
    """XML of the xunit2 kind: a suite for each submission, a case for each puzzle."""
    root = Element("testsuites", name=one_line(report.title))
    puzzles = list(group_by("puzzle", report.records))
    for name, records in group_by("submission", report.records).items():
        root.append(_suite(name, records, puzzles, report.feedback))
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'


def _suite(name: str, records: list[Record], puzzles: list[str], feedback: Feedback) -> Element:
    sums = add_up(name, records)
    errors = sums.verdicts[Verdict.JUDGE_ERROR]
    suite = Element(
        "testsuite",
        name=one_line(name),
        tests=str(len(puzzles)),
        failures=str(sums.graded - sums.accepted - errors),
        errors=str(errors),
        skipped=str(len(puzzles) - len(records)),
        time=f"{sums.cpu_s:.3f}",
    )
    properties = SubElement(suite, "properties")
    SubElement(properties, "property", name="score", value=number(sums.score))
    SubElement(properties, "property", name="max_score", value=number(sums.max_score))
    graded = {record.puzzle: record for record in records}
    for puzzle in puzzles:
        case = SubElement(suite, "testcase", classname=one_line(name), name=one_line(puzzle))
        _fill(case, graded.get(puzzle), feedback)
    return suite


def _fill(case: Element, record: Record | None, feedback: Feedback) -> None:
    case.set("time", f"{record.cpu_s if record else 0:.3f}")
    if record is None:
        SubElement(case, "skipped", message="not graded")
    elif not record.verdict.accepted:
        kind = "error" if record.verdict is Verdict.JUDGE_ERROR else "failure"
        words = printable(render_feedback(record, feedback))
        child = SubElement(case, kind, type=record.verdict.code, message=words.split("\n")[0])
        child.text = words


def render_gradescope(report: Report) -> str:
    """Gradescope's results.json.  It adds the marks up itself, and shows no sum while a puzzle is
    hidden; so there is no score above the tests, and the text there counts visible puzzles only."""
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
    return json.dumps(results, indent=1) + "\n"


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


def validate(
    judgement: Judgement, share: float, scoring: bool = False, feedback: Feedback = Feedback.OWN
) -> tuple[int, dict[str, str]]:
    """The exit code of a Kattis or DOMjudge output validator, and what it leaves in the feedback
    folder.  If the problem is `scoring`, an answer that earns a share of the marks is accepted."""
    texts = {
        "judgemessage.txt": printable(render_words(judgement, Feedback.FULL)) + "\n",
        "teammessage.txt": printable(render_words(judgement, feedback)) + "\n",
    }
    if judgement.verdict is Verdict.JUDGE_ERROR:
        return JUDGE_ERROR, texts
    accepted = share > 0 if scoring else judgement.verdict.accepted
    if scoring and accepted:
        texts["score_multiplier.txt"] = f"{share:.6g}\n"
    return ACCEPT if accepted else REJECT, texts
