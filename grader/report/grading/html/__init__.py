"""One static page: a summary, for a class its matrix, and every answer with its boards.

It needs no network and no script; the script adds the filter.
"""

from __future__ import annotations

from grader.feedback import seen
from grader.records import Report
from grader.report.grading.html.boards import Boards
from grader.report.grading.html.cards import card
from grader.report.grading.html.document import document, own_text
from grader.report.grading.html.markup import escaped
from grader.report.grading.html.matrix import matrix
from grader.report.grading.html.summary import filters, summary
from grader.report.grading.totals import by_submission, total
from grader.report.grading.wording import number, percent


def render(report: Report) -> str:
    report = seen(report)
    names = list(by_submission(report.records))
    sections = {name: f"s{place}" for place, name in enumerate(names)}
    boards = Boards()
    details = _details(report, sections, boards)
    head = [f"<h1>{escaped(report.title)}</h1>", f'<p class="when">{escaped(_when(report))}</p>']
    parts = [
        f"<header>{''.join(head)}</header><main>",
        summary(report.records, names),
        matrix(report.records, sections) if len(names) > 1 else "",
        filters(report.records, sections),
        *details,
        "</main>",
    ]
    body = "\n".join(part for part in parts if part)
    return document(report.title, boards, body, script=own_text("filter.js"))


def _details(report: Report, sections: dict[str, str], boards: Boards) -> list[str]:
    several = len(sections) > 1
    cards: dict[str, list[str]] = {name: [] for name in sections}
    for place, record in enumerate(report.records):
        cards[record.submission].append(card(record, place, boards, report.feedback, several))
    details = []
    for name, records in by_submission(report.records).items():
        sums = total(name, records)
        marks = f"{number(sums.score)} of {number(sums.max_score)} marks"
        share = percent(sums.score, sums.max_score)
        details.append(
            f'<section class="submission" id="{sections[name]}"><h2>{escaped(name)}</h2>'
            f"<p>{marks}, {share}</p>"
            f'<div class="cards">{"".join(cards[name])}</div></section>'
        )
    return details or ["<p>Nothing was graded.</p>"]


def _when(report: Report) -> str:
    times = sorted(record.started_at for record in report.records if record.started_at)
    versions = sorted({record.version for record in report.records if record.version})
    begun, ended = (times[place][:16].replace("T", " ") if times else "" for place in (0, -1))
    parts = [f"graded from {begun} to {ended} (UTC)"] if times else []
    return ", ".join([*parts, *(f"version {version}" for version in versions)])
