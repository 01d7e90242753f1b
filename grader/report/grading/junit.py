"""JUnit XML of the xunit2 kind: a suite for each submission, a case for each puzzle."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from grader.feedback import seen, told
from grader.records import Feedback, Record, Report
from grader.report.grading.totals import by_submission, puzzles_of, total
from grader.report.grading.wording import number, one_line, printable
from grader.verdicts import Verdict


def render(report: Report) -> str:
    report = seen(report)
    root = Element("testsuites", name=one_line(report.title))
    puzzles = puzzles_of(report.records)
    for name, records in by_submission(report.records).items():
        root.append(_suite(name, records, puzzles, report.feedback))
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'


def _suite(name: str, records: list[Record], puzzles: list[str], feedback: Feedback) -> Element:
    sums = total(name, records)
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
    if record is None:
        case.set("time", "0.000")
        SubElement(case, "skipped", message="not graded")
        return
    case.set("time", f"{record.cpu_s:.3f}")
    if record.verdict.accepted:
        return
    kind = "error" if record.verdict is Verdict.JUDGE_ERROR else "failure"
    words = printable(told(record, feedback))
    child = SubElement(case, kind, type=record.verdict.code, message=words.split("\n")[0])
    child.text = words
