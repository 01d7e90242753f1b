"""What a class hands out: one row of marks per student, with a note."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.grading.records import Diagnosis, Record, Report, Student, Verdict
from grader.report.grading_text import add_up, group_by, select_marked
from grader.report.text import number, short_line, to_csv

HEADS = ("name", "id", "marks", "max", "percent")
TAIL = ("late", "note")
LONGEST_NOTE = 200
FAILED = {  # of a program that fails on every puzzle in the same way
    Verdict.CRASH: "crashes on every puzzle",
    Verdict.TIMEOUT: "too slow on every puzzle",
    Verdict.MEMORY: "runs out of memory on every puzzle",
    Verdict.OUTPUT_LIMIT: "writes too much on every puzzle",
    Verdict.MISSING: "writes no answer to any puzzle",
    Verdict.ILLEGAL: "no answer is legal",
    Verdict.MALFORMED: "writes no readable board for any puzzle",
}


def render_marks(report: Report) -> str:
    """CSV with one row per student, in the order of the submissions."""
    groups = {
        f"{name} (group)" if name in HEADS + TAIL else name or "other": name
        for name in group_by("group", select_marked(report.records))
    }
    rows = []
    for name, own in group_by("submission", report.records).items():
        student = report.students.get(name, Student(name))
        marked = select_marked(own)
        sums, scores = add_up(name, marked), group_by("group", marked)
        row: dict[str, str] = {
            "name": student.name,
            "id": student.id,
            "marks": number(sums.score),
            "max": number(sums.max_score),
            "percent": f"{100 * sums.score / sums.max_score:.1f}" if sums.max_score else "",
            "late": "yes" if student.late else "",
            "note": describe_submission(own, report.diagnoses),
        }
        for head, group in groups.items():
            row[head] = number(add_up("", scores[group]).score) if group in scores else ""
        rows.append(row)
    return to_csv([*HEADS, *groups, *TAIL], rows)


def describe_submission(records: Sequence[Record], diagnoses: Mapping[str, Diagnosis]) -> str:
    """What is wrong with a program in one line; nothing, if that is not known."""
    first = records[0]
    if not any(record.runs for record in records):  # there was nothing to run
        return short_line(first.reason, LONGEST_NOTE)
    bugs = diagnoses.get(first.submission, Diagnosis()).bugs
    if bugs:
        return " or ".join(bug.name if bug.shown else f"as if {bug.name}" for bug in bugs)
    if first.verdict not in FAILED or any(each.verdict is not first.verdict for each in records):
        return ""
    causes = {each.cause.removeprefix("last stderr line: ") or each.reason for each in records}
    why = causes.pop() if len(causes) == 1 else ""
    return short_line(": ".join(filter(None, (FAILED[first.verdict], why))), LONGEST_NOTE)
