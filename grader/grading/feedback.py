"""How much of a grading its reader may see.  `filter_report` is called once, before anything is
rendered, so that no later step can give away what the feedback level hides."""

from __future__ import annotations

from dataclasses import replace

from grader.grading.records import (
    NOT_YOUR_FAULT,
    Feedback,
    Judgement,
    Record,
    Report,
    Verdict,
    Visibility,
)


def render_feedback(record: Record, feedback: Feedback) -> str:
    """The words that a student may read: one word, or what is wrong and, with full feedback,
    what is right."""
    full = feedback is Feedback.FULL
    boards = "" if feedback is Feedback.VERDICT else record.diff if full else record.own_diff
    words = render_words(record, feedback)
    return f"{words}\n\n{boards}" if boards else words


def render_words(of: Record | Judgement, feedback: Feedback) -> str:
    """`render_feedback` without the boards."""
    if feedback is Feedback.VERDICT:
        return of.verdict.words
    reason = of.reason or (NOT_YOUR_FAULT if of.verdict is Verdict.JUDGE_ERROR else "")
    comparison = of.comparison if feedback is Feedback.FULL else ""
    if of.verdict is Verdict.SLOWER and comparison:
        reason, comparison = f"{reason}, {comparison}", ""
    lines = [f"{of.verdict.words}: {reason}" if reason else of.verdict.words]
    if of.cause:
        lines.append(f"Likely cause: {of.cause}")
    if feedback is Feedback.FULL:
        if comparison:
            lines.append(f"Compared with the best: {comparison}")
        if of.best:
            lines.append(f"Best: {' or '.join(of.best)}")
    return "\n".join(lines)


def filter_report(report: Report) -> Report:
    """The report without what its feedback level hides.

    With less than full feedback, a puzzle that is not yet visible shows its verdict only, and
    accepted answers are left out if there are several submissions: one student's right answer
    gives away that of another.
    """
    if report.feedback is Feedback.FULL:
        return report
    several = len({record.submission for record in report.records}) > 1
    records = tuple(_filter_record(record, report.feedback, several) for record in report.records)
    return replace(report, records=records)


def split_report(report: Report, hidden: bool = True) -> dict[str, Report]:
    """What each student gets: the own answers and nothing about the others, without the puzzles
    that students may not see yet unless the course system does that (`hidden`)."""
    records: dict[str, list[Record]] = {}
    for each in report.records:
        own = records.setdefault(each.submission, [])
        if hidden or each.visibility is Visibility.VISIBLE:
            own.append(each)
    return {
        name: replace(
            report,
            records=tuple(own),
            title=report.students[name].name if name in report.students else name,
            students={key: each for key, each in report.students.items() if key == name},
            diagnoses={key: each for key, each in report.diagnoses.items() if key == name},
        )
        for name, own in records.items()
    }


def _filter_record(record: Record, feedback: Feedback, several: bool) -> Record:
    record = replace(record, staff="", comparison="", best=(), expected_board="", diff="")
    record = replace(record, expected_sha256="")  # tells which of a few moves it is
    if feedback is Feedback.VERDICT or record.visibility is not Visibility.VISIBLE:
        record = replace(record, reason="", cause="", input_sha256="")
        return replace(record, move="", given_board="", input_board="", own_diff="")
    if several and record.verdict.accepted:
        return replace(record, move="", given_board="", own_diff="")
    return record
