"""How much of a grading its reader may see.  `filter_report` is called once, before anything is
rendered, so that no later step can give away what the feedback level hides."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from grader.grading.records import (
    NOT_YOUR_FAULT,
    Diagnosis,
    Feedback,
    FoundBug,
    Judgement,
    Record,
    Report,
    Verdict,
    Visibility,
)
from solver.errors import counted

MOST_NAMED = 5  # puzzles named one by one before the rest is only counted


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


def render_diagnosis(diagnosis: Diagnosis) -> list[str]:
    """Sentences for the author of the program; none if there is nothing to say."""
    lines = [line for bug in diagnosis.bugs for line in _render_bug(bug)]
    if len(diagnosis.bugs) > 1:
        lines.insert(0, "Two bugs fit the answers and cannot be told apart.")
    if names := diagnosis.unexplained:
        more = f", and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        answers = counted(len(names), "illegal answer")
        listed = ", ".join(names[:MOST_NAMED])
        lines.append(f"No known bug explains {answers}: {listed}{more}.")
    return lines


def _render_bug(bug: FoundBug) -> list[str]:
    """One bug is shown by illegal answers; else the program only plays as if it had it."""
    answers = f"{bug.matching} of the {counted(bug.telling, 'answer')} that tell"
    where = f"; first: {bug.first}" if bug.first else ""
    if bug.shown:
        illegal = f"{bug.illegal} of them {'is' if bug.illegal == 1 else 'are'} illegal"
        lines = [f"{answers} are those of a program in which {bug.name}; {illegal}{where}."]
    else:
        other = bug.doubt or "something else makes it play like this"
        lines = [
            f"The program plays as if {bug.name}: {answers}{where}.",
            f"Perhaps that is the bug, or {other}.",
        ]
    return [*lines, f"The rule: {bug.rule}."] if bug.rule else lines


def summarise_diagnosis(diagnosis: Diagnosis) -> str:
    """A few words for a table; empty if there is nothing to say."""
    names = " or ".join(bug.name for bug in diagnosis.bugs)
    if any(bug.shown for bug in diagnosis.bugs):
        return names
    if names:
        return f"plays as if {names}"
    left = len(diagnosis.unexplained)
    return f"{counted(left, 'illegal answer')} unexplained" if left else ""


def filter_report(report: Report) -> Report:
    """The report without what its feedback level hides.  With less than full feedback, a puzzle
    that is not yet visible shows its verdict only, and accepted answers are left out if there are
    several submissions: one student's right answer gives away that of another."""
    report = _hide_names(report)
    if report.feedback is Feedback.FULL:
        return report
    several = len({record.submission for record in report.records}) > 1
    records = tuple(_filter_record(record, report.feedback, several) for record in report.records)
    diagnoses = {} if report.feedback is Feedback.VERDICT else report.diagnoses
    return replace(report, records=records, diagnoses=diagnoses)


def _hide_names(report: Report) -> Report:
    """Without the names of puzzles that are not visible in the diagnoses, which students read even
    with full feedback."""
    hidden = {each.puzzle for each in report.records if each.visibility is not Visibility.VISIBLE}
    found = {name: _filter_diagnosis(each, hidden) for name, each in report.diagnoses.items()}
    return replace(report, diagnoses=found)


def _filter_diagnosis(diagnosis: Diagnosis, hidden: Set[str]) -> Diagnosis:
    return replace(
        diagnosis,
        bugs=tuple(
            replace(bug, first="") if bug.first in hidden else bug for bug in diagnosis.bugs
        ),
        unexplained=tuple(name for name in diagnosis.unexplained if name not in hidden),
    )


def split_report(report: Report, hidden: bool = True) -> dict[str, Report]:
    """What each student gets: the own answers and nothing about the others, without the puzzles
    that students may not see yet unless the course system does that (`hidden`)."""
    report = _hide_names(report)
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
