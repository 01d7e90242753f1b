"""A grading as one page.  Of one student: the diagnosis, and every answer with its boards, failures
first.  Of a class: ranking, matrix, findings, and every different wrong answer with those who gave
it, so that the page grows with the answers and not with the class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from grader.grading.feedback import render_diagnosis, render_words
from grader.grading.records import Diagnosis, Feedback, Record, Report, Verdict
from grader.report import grading_class
from grader.report import grading_text as tables
from grader.report.boards import Boards, Drawing, differing, read_boards
from grader.report.html import badge, colour, page, table
from grader.report.text import Markup, Table, escape, number, shorten
from solver.errors import counted

LEGEND = (
    "An outlined square has changed since the previous board; a marked corner shows a square of "
    "the given board that is not as expected."
)
LONGEST_TEXT = 2000  # of an answer that is not a board
MOST_NAMES = 3  # of submissions beside an answer; more are folded
SECTIONS = {
    "class": "Class",
    "findings": "What is wrong",
    "puzzles": "Puzzles that separate",
    "filter": "Wrong answers",
}  # of a class, which the head of its page links to
Anchors = Mapping[tuple[str, str], str]  # by submission and puzzle


def render_html(report: Report) -> str:
    boards = Boards()
    submissions = list(tables.group_by("submission", report.records))
    parts = ["<p>Nothing was graded.</p>"]
    if submissions:
        parts = (_class if submissions[1:] else _student)(report, submissions, boards)
    body = "\n".join(parts)
    sections = SECTIONS.items() if submissions[1:] else ()
    links = {name: title for name, title in sections if f'id="{name}"' in body}
    return page(report.title, _about(report.records), boards, body, links, script="filter.js")


def _student(report: Report, submissions: list[str], boards: Boards) -> list[str]:
    marked = tables.select_marked(report.records)
    puzzles = {each.puzzle for each in marked}
    lists: dict[str, list[str]] = {"Not accepted": [], "Accepted": [], "Without marks": []}
    for place, each in enumerate(report.records):
        title = "Accepted" if each.verdict.accepted else "Not accepted"
        title = title if each.puzzle in puzzles else "Without marks"
        lists[title].append(_card([each], place, report.feedback, boards))
    words = render_diagnosis(report.diagnoses.get(submissions[0], Diagnosis()))
    return [
        f"<section><h2>Diagnosis</h2>{_paragraphs(words)}</section>" if words else "",
        _summary(marked),
        _filter(report.records, []),
        *(_cards(title, own, title != "Not accepted") for title, own in lists.items() if own),
    ]


def _class(report: Report, submissions: list[str], boards: Boards) -> list[str]:
    marked = tables.select_marked(report.records)
    answers: dict[tuple[str, ...], list[Record]] = {}
    for each in report.records:
        if not each.verdict.accepted:
            same = (each.puzzle, each.verdict, each.given_board)
            answers.setdefault(same, []).append(each)
    anchors: dict[tuple[str, str], str] = {}
    cards: dict[str, list[str]] = {}
    for place, own in enumerate(answers.values()):
        anchors.update({(one.submission, one.puzzle): f"r{place}" for one in own})
        card = _card(own, place, report.feedback, boards, submissions)
        cards.setdefault(own[0].puzzle, []).append(card)
    return [
        _matrix(marked, anchors),
        _summary(marked),
        _findings(report),
        _separation(marked),
        _filter([own[0] for own in answers.values()], submissions),
        *(_cards(puzzle, own) for puzzle, own in cards.items()),
    ]


def _about(records: Sequence[Record]) -> str:
    times = sorted(one.started_at[:16].replace("T", " ") for one in records if one.started_at)
    versions = sorted({record.version for record in records if record.version})
    parts = [f"graded from {times[0]} to {times[-1]} (UTC)"] if times else []
    return ", ".join([*parts, *(f"version {version}" for version in versions)])


def _section(name: str, content: str) -> str:
    return f'<section id="{name}"><h2>{SECTIONS[name]}</h2>{content}</section>'


def _paragraphs(lines: Iterable[str]) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def _fold(title: str, content: str, kind: str = "") -> str:
    return f"<details{kind}><summary>{escape(title)}</summary>{content}</details>"


def _summary(records: Sequence[Record]) -> str:
    sums = tables.add_up("", records)
    submissions = len(tables.group_by("submission", records))
    facts = {
        **({"submissions": submissions} if submissions > 1 else {}),
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
    content = table(Table("Groups", ("group", "accepted", "marks", "share"), rows, 2))
    more = _fold(counted(len(groups), "group"), content) if len(groups) > 1 else ""
    tiles = "".join(f"<div><dt>{name}</dt><dd>{fact}</dd></div>" for name, fact in facts.items())
    return f'<section><h2>Summary</h2><dl class="tiles">{tiles}</dl>{more}</section>'


def _matrix(records: Sequence[Record], anchors: Anchors) -> str:
    """The ranking, and every submission's verdict on every puzzle."""
    puzzles = list(tables.group_by("puzzle", records))
    cells = {}
    for one in records:
        names = one.submission, one.puzzle
        link = f' href="#{anchors[names]}"' if names in anchors else ""
        letter = tables.LETTERS[one.verdict]
        cells[names] = Markup(f'<a class="{colour(one.verdict)}"{link}>{letter}</a>')
    rows = [
        (
            *(sums.name, str(place), number(sums.score), sums.share.rstrip("%")),
            *(cells.get((sums.name, puzzle), tables.NOT_GRADED) for puzzle in puzzles),
        )
        for place, sums in tables.rank(records)
    ]
    heads = [Markup(f"<span>{escape(name)}</span>") for name in puzzles]
    content = Table("Class matrix", ("submission", "rank", "marks", "%", *heads), rows)
    letters = f"{tables.explain_letters(records)}. Equal marks share a rank."
    return _section("class", f"{_paragraphs([letters])}{table(content, 'matrix')}")


def _findings(report: Report) -> str:
    """What is wrong with the programs, and with which."""
    found: dict[str, list[str]] = {}
    for name, own in tables.group_by("submission", report.records).items():
        found.setdefault(grading_class.describe_submission(own, report.diagnoses), []).append(name)
    found.pop("", None)
    rows = [
        (note, str(len(names)), ", ".join(names))
        for note, names in sorted(found.items(), key=lambda each: -len(each[1]))
    ]
    content = table(Table("Findings", ("finding", "", "submissions"), rows, 3), "w wrap")
    return _section("findings", content) if rows else ""


def _separation(records: Sequence[Record]) -> str:
    """Which puzzles tell good programs from bad ones."""
    if (found := grading_class.separate(records)) is None:
        return ""
    (best, lines), about = found, _paragraphs([grading_class.SEPARATION])
    return _section("puzzles", f"{about}{table(best)}{_paragraphs(lines)}")


def _filter(records: Sequence[Record], submissions: Sequence[str]) -> str:
    """Hidden until the script shows it."""
    buttons = "".join(
        f'<button type="button" class="{colour(verdict)}" data-verdict="{verdict.value}" '
        f'aria-pressed="false">{verdict.words} {count}</button>'
        for verdict, count in tables.add_up("", records).counts()
    )
    options = "".join(
        f'<option value="{place}">{escape(name)}</option>' for place, name in enumerate(submissions)
    )
    chooser = f'<label>Submission <select><option value="">all</option>{options}</select></label>'
    return (
        f'<form id="filter" aria-label="Filter" hidden><div class="buttons">{buttons}</div>'
        f'{chooser if options else ""}<p id="shown" role="status"></p></form>'
        f'<p class="legend">{LEGEND}</p>'
    )


def _cards(title: str, cards: Sequence[str], fold: bool = False) -> str:
    """Under a heading, or folded."""
    inner = f'<div class="cards">{"".join(cards)}</div>'
    if fold:
        return _fold(f"{title}: {len(cards)}", inner, ' class="answers"')
    return f'<section class="answers"><h2>{escape(title)}</h2>{inner}</section>'


def _card(
    records: Sequence[Record],
    place: int,
    feedback: Feedback,
    boards: Boards,
    submissions: Sequence[str] = (),
) -> str:
    """An answer; of a class with those `submissions` that gave it."""
    record = records[0]
    (words, *others) = {render_words(each, feedback): None for each in records}
    words = "" if others else words.removeprefix(record.verdict.words).removeprefix(": ")
    figures = _boards(record, boards) if record.given_board or not submissions else ""
    names = [each.submission for each in records]
    places = " ".join(str(submissions.index(name)) for name in names if submissions)
    by = f' data-by="{places}"' if places else ""
    who = f'<p class="facts">{escape(", ".join(names))}</p>'
    if len(names) > MOST_NAMES:
        who = f"<div>{_fold(counted(len(names), 'submission'), who)}</div>"
    facts = f'<p class="facts">{escape(" · ".join(_facts(record)))}</p>'
    return (
        f'<article class="card" id="r{place}" data-verdict="{record.verdict.value}"{by}>'
        f"<h3>{escape(record.puzzle)}</h3>{badge(record.verdict)}"
        f'<p class="marks">{number(record.score)} of {number(record.max_score)}</p>'
        f"{_paragraphs(words.splitlines())}{figures}{who if submissions else facts}</article>"
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
        before = drawing.since(before)
        figures.append(boards.figure(name, before))
    return figures
