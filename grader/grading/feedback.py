"""How much of a grading its reader may see.

`seen` is called once, before anything is rendered: it takes out what the report's feedback level
hides, so that no later step can give it away.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from grader.grading.records import NOT_YOUR_FAULT, Feedback, Record, Report, Verdict, Visibility


class Words(Protocol):
    """What records and judgements have in common."""

    @property
    def verdict(self) -> Verdict: ...
    @property
    def reason(self) -> str: ...
    @property
    def cause(self) -> str: ...
    @property
    def comparison(self) -> str: ...
    @property
    def best(self) -> tuple[str, ...]: ...


def told(record: Record, feedback: Feedback) -> str:
    """The words that a student may read: one word, or what is wrong and, with full feedback,
    what is right."""
    full = feedback is Feedback.FULL
    boards = "" if feedback is Feedback.VERDICT else record.diff if full else record.own_diff
    words = in_words(record, feedback)
    return f"{words}\n\n{boards}" if boards else words


def in_words(of: Words, feedback: Feedback) -> str:
    """`told` without the boards."""
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


def seen(report: Report) -> Report:
    """The report without what its feedback level keeps back.

    With less than full feedback a puzzle that is not yet visible is told by its verdict only;
    and among several submissions the accepted answers are left out, because one student's right
    answer gives away what another one's should have been.
    """
    if report.feedback is Feedback.FULL:
        return report
    several = len({record.submission for record in report.records}) > 1
    records = tuple(_without(record, report.feedback, several) for record in report.records)
    return replace(report, records=records)


def _without(record: Record, feedback: Feedback, several: bool) -> Record:
    record = replace(record, staff="", comparison="", best=(), expected_board="", diff="")
    record = replace(record, expected_sha256="")  # tells which of a few moves it is
    if feedback is Feedback.VERDICT or record.visibility is not Visibility.VISIBLE:
        record = replace(record, reason="", cause="", input_sha256="")
        return replace(record, move="", given_board="", input_board="", own_diff="")
    if several and record.verdict.accepted:
        return replace(record, move="", given_board="", own_diff="")
    return record
