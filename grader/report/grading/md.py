"""Markdown: a summary, and what is to be said about every answer that was not accepted."""

from __future__ import annotations

import re

from grader.feedback import seen, told
from grader.records import Feedback, Record, Report
from grader.report.grading.totals import by_submission, ranking, total, verdicts_among
from grader.report.grading.wording import number, one_line, percent, printable

SPECIAL = re.compile(r"[\\`*_{}\[\]<>|~&$]|:(?=\S)|(?<=www)\.")


def render(report: Report) -> str:
    report = seen(report)
    grouped = by_submission(report.records)
    parts = [f"# {_text(report.title)}"]
    if len(grouped) > 1:
        parts.append(_ranking(report.records))
    for name, records in grouped.items():
        parts.append(f"## {_text(name)}")
        parts.append(_table(records))
        parts += [_detail(one, report.feedback) for one in records if not one.verdict.accepted]
    return "\n\n".join(parts) + "\n"


def _ranking(records: tuple[Record, ...]) -> str:
    verdicts = verdicts_among(records)
    headers = ["rank", "submission", "marks", "%", *(v.value for v in verdicts), "CPU s"]
    rows = [
        [
            str(rank),
            _text(one.name),
            f"{number(one.score)}/{number(one.max_score)}",
            percent(one.score, one.max_score),
            *(str(one.verdicts[verdict]) for verdict in verdicts),
            f"{one.cpu_s:.2f}",
        ]
        for rank, one in ranking(records)
    ]
    return _drawn(headers, rows)


def _table(records: list[Record]) -> str:
    rows = [
        [
            _text(record.puzzle),
            record.verdict.value,
            f"{number(record.score)}/{number(record.max_score)}",
            _text(record.move),
            _text(" or ".join(record.best)),
            f"{record.cpu_s:.2f}",
        ]
        for record in records
    ]
    sums = total("", records)
    marks = f"**{number(sums.score)}/{number(sums.max_score)}**"
    rows.append(["**all**", f"{sums.accepted} accepted", marks, "", "", f"{sums.cpu_s:.2f}"])
    return _drawn(["puzzle", "verdict", "marks", "move", "best", "CPU s"], rows)


def _detail(record: Record, feedback: Feedback) -> str:
    """Indented text is the one thing in Markdown that nothing within can end."""
    lines = printable(told(record, feedback)).split("\n")
    block = "\n".join(f"    {line}".rstrip() for line in lines)
    return f"### {_text(record.puzzle)}\n\n{block}"


def _drawn(headers: list[str], rows: list[list[str]]) -> str:
    rule = ["---"] * len(headers)
    return "\n".join(f"| {' | '.join(row)} |" for row in [headers, rule, *rows])


def _text(text: str) -> str:
    return SPECIAL.sub(lambda found: f"\\{found[0]}", one_line(text))
