"""A class at a glance: the ranking, and every submission's verdict on every puzzle."""

from __future__ import annotations

from grader.records import Record
from grader.report.grading.html.cards import kind
from grader.report.grading.html.markup import escaped
from grader.report.grading.letters import LETTERS, NOT_GRADED, key
from grader.report.grading.totals import Totals, puzzles_of, ranking, verdicts_among
from grader.report.grading.wording import number, percent


def matrix(records: tuple[Record, ...], sections: dict[str, str]) -> str:
    """`sections` are the anchors of the submissions."""
    puzzles = puzzles_of(records)
    places = {(one.submission, one.puzzle): place for place, one in enumerate(records)}
    names = "".join(f'<th scope="col" class="puzzle">{escaped(name)}</th>' for name in puzzles)
    rows = "\n".join(
        _row(
            rank,
            totals,
            sections[totals.name],
            [_cell(records, places.get((totals.name, puzzle))) for puzzle in puzzles],
        )
        for rank, totals in ranking(records)
    )
    return (
        '<section id="class"><h2>Class</h2>'
        f"<p>{escaped(key(verdicts_among(records)))}. Equal marks share a rank.</p>"
        '<div class="scroll" role="region" tabindex="0" aria-label="Class matrix">'
        '<table class="matrix"><thead><tr><th scope="col">rank</th>'
        '<th scope="col" class="who">submission</th><th scope="col">marks</th>'
        f'<th scope="col">%</th>{names}<th scope="col">CPU s</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def _row(rank: int, totals: Totals, section: str, cells: list[str]) -> str:
    name = f'<a href="#{section}">{escaped(totals.name)}</a>'
    return (
        f'<tr><td>{rank}</td><th scope="row" class="who">{name}</th><td>{number(totals.score)}</td>'
        f"<td>{percent(totals.score, totals.max_score).rstrip('%')}</td>{''.join(cells)}"
        f"<td>{totals.cpu_s:.2f}</td></tr>"
    )


def _cell(records: tuple[Record, ...], place: int | None) -> str:
    if place is None:
        return f"<td>{NOT_GRADED}</td>"
    verdict = records[place].verdict
    return f'<td class="{kind(verdict)}"><a href="#r{place}">{LETTERS[verdict]}</a></td>'
