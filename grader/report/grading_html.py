"""A grading as one page: a summary, the matrix of a class, and every answer with its boards.

It can be read without the script, which only adds the filter.
"""

from __future__ import annotations

from dataclasses import replace

from grader.grading.feedback import render_words
from grader.grading.records import Feedback, Record, Report, Verdict
from grader.report import grading_text as tables
from grader.report.boards import Boards, Drawing, differing, read_boards
from grader.report.html import badge, colour, page, table
from grader.report.text import Markup, Table, escape, number, shorten

LEGEND = (
    "An outlined square has changed since the previous board; a marked corner shows a square of "
    "the given board that is not as expected."
)
LONGEST_TEXT = 2000  # of an answer that is not a board


def render_html(report: Report) -> str:
    records = report.records
    submissions = tables.group_by("submission", records)
    anchors = {name: f"s{place}" for place, name in enumerate(submissions)}
    several = len(submissions) > 1
    boards = Boards()
    cards: dict[str, list[str]] = {name: [] for name in submissions}
    for place, record in enumerate(records):
        brief = several and record.verdict.accepted  # most answers of a class
        cards[record.submission].append(_card(record, place, boards, report.feedback, brief))
    details = []
    for name, own in submissions.items():
        sums = tables.add_up(name, own)
        details.append(
            f'<section class="submission" id="{anchors[name]}"><h2>{escape(name)}</h2>'
            f"<p>{sums.marks} marks, {sums.share}</p>"
            f'<div class="cards">{"".join(cards[name])}</div></section>'
        )
    parts = [
        _summary(records),
        _matrix(records, anchors) if several else "",
        _filter(records, anchors),
        *(details or ["<p>Nothing was graded.</p>"]),
    ]
    return page(report.title, _about(records), boards, "\n".join(parts), script="filter.js")


def _about(records: tuple[Record, ...]) -> str:
    times = sorted(one.started_at[:16].replace("T", " ") for one in records if one.started_at)
    versions = sorted({record.version for record in records if record.version})
    parts = [f"graded from {times[0]} to {times[-1]} (UTC)"] if times else []
    return ", ".join([*parts, *(f"version {version}" for version in versions)])


def _summary(records: tuple[Record, ...]) -> str:
    sums = tables.add_up("", records)
    facts = {
        "submissions": len(tables.group_by("submission", records)),
        "puzzles": len(tables.group_by("puzzle", records)),
        "accepted": f"{sums.accepted} of {sums.graded}",
        "marks": sums.marks,
        "share": sums.share,
        "CPU": f"{sums.cpu_s:.2f} s",
    }
    groups = [tables.add_up(name, own) for name, own in tables.group_by("group", records).items()]
    rows = [
        (one.name or "-", f"{one.accepted} of {one.graded}", one.marks, one.share) for one in groups
    ]
    content = Table("Groups", ("group", "accepted", "marks", "share"), rows, 2)
    more = table(content) if len(groups) > 1 else ""
    tiles = "".join(f"<div><dt>{name}</dt><dd>{fact}</dd></div>" for name, fact in facts.items())
    return f'<section><h2>Summary</h2><dl class="tiles">{tiles}</dl>{more}</section>'


def _matrix(records: tuple[Record, ...], anchors: dict[str, str]) -> str:
    """The ranking, and every submission's verdict on every puzzle."""
    puzzles = list(tables.group_by("puzzle", records))
    cells = {
        (one.submission, one.puzzle): f'<a class="{colour(one.verdict)}" href="#r{place}">'
        f"{tables.LETTERS[one.verdict]}</a>"
        for place, one in enumerate(records)
    }
    rows = []
    for place, sums in tables.rank(records):
        link = Markup(f'<a href="#{anchors[sums.name]}">{escape(sums.name)}</a>')
        own = [Markup(cells.get((sums.name, puzzle), tables.NOT_GRADED)) for puzzle in puzzles]
        rows.append((link, str(place), number(sums.score), sums.share.rstrip("%"), *own))
    names = [Markup(f"<span>{escape(name)}</span>") for name in puzzles]
    content = Table("Class matrix", ("submission", "rank", "marks", "%", *names), rows)
    return (
        f"<section><h2>Class</h2><p>{escape(tables.explain_letters(records))}. Equal marks share "
        f"a rank.</p>{table(content, 'matrix')}</section>"
    )


def _filter(records: tuple[Record, ...], anchors: dict[str, str]) -> str:
    """Hidden until the script shows it."""
    buttons = "".join(
        f'<button type="button" class="{colour(verdict)}" data-verdict="{verdict.value}" '
        f'aria-pressed="false">{verdict.words} {count}</button>'
        for verdict, count in tables.add_up("", records).counts()
    )
    options = "".join(
        f'<option value="{anchor}">{escape(name)}</option>' for name, anchor in anchors.items()
    )
    chooser = f'<label>Submission <select><option value="">all</option>{options}</select></label>'
    return (
        f'<form id="filter" aria-label="Filter" hidden><div class="buttons">{buttons}</div>'
        f'{chooser if len(anchors) > 1 else ""}<p id="shown" role="status"></p></form>'
        f'<p class="legend">{LEGEND}</p>'
    )


def _card(record: Record, place: int, boards: Boards, feedback: Feedback, brief: bool) -> str:
    """`brief` leaves out the words and boards."""
    words = figures = ""
    if not brief:  # the badge shows the verdict already
        reason = (
            render_words(record, feedback).removeprefix(record.verdict.words).removeprefix(": ")
        )
        words = "".join(f"<p>{escape(line)}</p>" for line in reason.split("\n") if reason)
        figures = _boards(record, boards)
    return (
        f'<article class="card" id="r{place}" data-verdict="{record.verdict.value}">'
        f"<h3>{escape(record.puzzle)}</h3>{badge(record.verdict)}"
        f'<p class="marks">{number(record.score)} of {number(record.max_score)}</p>'
        f'{words}{figures}<p class="facts">{escape(" · ".join(_facts(record)))}</p></article>'
    )


def _facts(record: Record) -> list[str]:
    nodes = record.nodes_reported
    code = f"exit code {record.exit_code}" if record.exit_code else ""
    facts = [
        f"played {record.move}" if record.move else "",
        f"CPU {record.cpu_s:.2f} s",
        f"{tables.megabytes(record)} MB" if record.max_rss_kb else "",
        "" if nodes is None else f"{nodes:,} nodes by its own count",
        record.signal or code,
        f"sandbox: {record.sandbox}" if record.sandbox else "",
    ]
    return [fact for fact in facts if fact]


def _boards(record: Record, boards: Boards) -> str:
    """Input, expected and given, as far as they are there."""
    before = read_boards(record.game, record.input_board)
    expected = read_boards(record.game, record.expected_board)
    given = read_boards(record.game, record.given_board)
    start = before[0] if before else None
    figures = [boards.figure("input", start)] if start else []
    if not (record.verdict is Verdict.EXACT and given):
        figures += _sequence("expected", expected, start, boards)
    if len(given) == len(expected) == 1 and not record.verdict.accepted:
        given = [replace(given[0], wrong=differing(given[0], expected[0]))]
    figures += _sequence("given", given, start, boards)
    if record.given_board and not given:
        text = escape(shorten(record.given_board, LONGEST_TEXT))
        figures.append(f"<figure><figcaption>given</figcaption><pre>{text}</pre></figure>")
    return f'<div class="boards">{"".join(figures)}</div>' if figures else ""


def _sequence(
    title: str, found: list[Drawing], before: Drawing | None, boards: Boards
) -> list[str]:
    """Each board outlines what changed since the one before it."""
    figures = []
    for place, drawing in enumerate(found, 1):
        name = title if len(found) == 1 else f"{title} {place}"
        figures.append(boards.figure(name, drawing.since(before)))
        before = drawing
    return figures
