"""A class in numbers: a row of marks per student with a note, and the puzzles that separate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import StatisticsError, correlation

from grader.grading.feedback import summarise_diagnosis
from grader.grading.records import Diagnosis, Record, Report, Student, Verdict
from grader.report.grading_text import add_up, group_by, select_marked
from grader.report.text import Table, number, percent, short_line, to_csv

HEADS = ("name", "id", "marks", "max", "percent")
TAIL = ("late", "note")
LONGEST_NOTE = 200
LEAST_SUBMISSIONS = 5  # with an accepted answer; fewer say nothing about a puzzle
MOST_PUZZLES = 10  # that separate best
SUSPICIOUS = -0.1  # a correlation that says more about the puzzle than about the programs
SEPARATION = (
    "How solving a puzzle goes with the marks on all others, from -1 to 1 (point-biserial"
    " correlation), over the submissions with an accepted answer."
)
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
    if found := summarise_diagnosis(diagnoses.get(first.submission, Diagnosis())):
        return found
    if first.verdict not in FAILED or any(each.verdict is not first.verdict for each in records):
        return ""
    causes = {each.cause.removeprefix("last stderr line: ") or each.reason for each in records}
    why = causes.pop() if len(causes) == 1 else ""
    return short_line(": ".join(filter(None, (FAILED[first.verdict], why))), LONGEST_NOTE)


def separate(records: Sequence[Record]) -> tuple[Table, list[str]] | None:
    """Which puzzles tell good programs from bad ones, the best of them as a table, and a line about
    each kind of those that do not; None if the class is too small to say."""
    totals = {name: add_up(name, own) for name, own in group_by("submission", records).items()}
    totals = {name: sums for name, sums in totals.items() if sums.accepted}
    if len(totals) < LEAST_SUBMISSIONS:
        return None
    found, everybody, nobody = [], list[str](), list[str]()
    for puzzle, own in group_by("puzzle", records).items():
        own = [record for record in own if record.submission in totals]
        solved = [float(record.verdict.accepted) for record in own]
        rest = [totals[record.submission].score - record.score for record in own]
        if len(set(solved)) < 2:
            (everybody if all(solved) else nobody).append(puzzle)
            continue
        try:
            found.append((correlation(solved, rest), puzzle, percent(sum(solved), len(solved))))
        except StatisticsError:  # all have the same marks
            continue
    found.sort(key=lambda each: (-each[0], each[1]))
    best = [each for each in found if each[0] > 0][:MOST_PUZZLES]
    rows = [[puzzle, share, f"{how:+.2f}"] for how, puzzle, share in best]
    weak = [f"{puzzle} ({how:+.2f})" for how, puzzle, _ in reversed(found) if how < SUSPICIOUS]
    title = "Solved by weak programs rather than strong ones (check the expected answer)"
    others = {title: weak, "Solved by all": everybody, "Solved by none": nobody}
    lines = [f"{title}: {', '.join(names)}." for title, names in others.items() if names]
    return Table("Puzzles", ("puzzle", "accepted", "separates"), rows), lines
