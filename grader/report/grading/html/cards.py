"""What became of one answer: its verdict, the words about it, its boards and its cost."""

from __future__ import annotations

from dataclasses import replace

from grader.feedback import in_words
from grader.records import Feedback, Record
from grader.report.grading.html.boards import Boards, Drawing, differing, drawings
from grader.report.grading.html.markup import escaped
from grader.report.grading.wording import megabytes, number, shortened
from grader.verdicts import Verdict

LONGEST_TEXT = 2000  # of an answer that is no board


def card(record: Record, place: int, boards: Boards, feedback: Feedback, brief: bool) -> str:
    """`brief` leaves out the boards of accepted answers, which are most of a class."""
    words = shown = ""
    if not (brief and record.verdict.accepted):
        words = "".join(f"<p>{escaped(line)}</p>" for line in _lines(record, feedback))
        shown = _boards(record, boards)
    return (
        f'<article class="card" id="r{place}" data-verdict="{record.verdict.value}">'
        f"<h3>{escaped(record.puzzle)}</h3>{badge(record.verdict)}"
        f'<p class="marks">{number(record.score)} of {number(record.max_score)}</p>'
        f'{words}{shown}<p class="facts">{_facts(record)}</p></article>'
    )


def _lines(record: Record, feedback: Feedback) -> list[str]:
    """What there is to say beyond the verdict, which the badge shows."""
    words = in_words(record, feedback).removeprefix(record.verdict.value).removeprefix(": ")
    return words.split("\n") if words else []


def badge(verdict: Verdict) -> str:
    return f'<span class="badge {kind(verdict)}">{verdict.value}</span>'


def kind(verdict: Verdict) -> str:
    """The colour of a verdict, by a word of the style sheet."""
    if verdict.accepted:
        return "good"
    if verdict is Verdict.SLOWER:
        return "part"
    return "ours" if verdict is Verdict.JUDGE_ERROR else "bad"


def _facts(record: Record) -> str:
    facts = [f"played {record.move}"] if record.move else []
    facts.append(f"CPU {record.cpu_s:.2f} s")
    if record.max_rss_kb:
        facts.append(f"{megabytes(record.max_rss_kb)} MB")
    if record.nodes_reported is not None:
        facts.append(f"{record.nodes_reported:,} nodes by its own count")
    if record.signal:
        facts.append(record.signal)
    elif record.exit_code:
        facts.append(f"exit code {record.exit_code}")
    if record.sandbox:
        facts.append(f"sandbox: {record.sandbox}")
    return escaped(" · ".join(facts))


def _boards(record: Record, boards: Boards) -> str:
    """Input, expected and given, as far as they are there."""
    before = drawings(record.game, record.input_board)
    expected = drawings(record.game, record.expected_board)
    given = drawings(record.game, record.given_board)
    start = before[0] if before else None
    figures = [boards.figure("input", start)] if start else []
    if not (record.verdict is Verdict.EXACT and given):
        figures += _sequence("expected", expected, start, [], boards)
    right = [] if record.verdict.accepted else expected
    figures += _sequence("given", given, start, right, boards)
    if record.given_board and not given:
        text = escaped(shortened(record.given_board, LONGEST_TEXT))
        figures.append(f"<figure><figcaption>given</figcaption><pre>{text}</pre></figure>")
    return f'<div class="boards">{"".join(figures)}</div>' if figures else ""


def _sequence(
    title: str, found: list[Drawing], start: Drawing | None, right: list[Drawing], boards: Boards
) -> list[str]:
    """Each board marks what changed since the one before it."""
    figures = []
    previous = start
    for place, drawing in enumerate(found, 1):
        marked = replace(drawing, changed=differing(drawing, previous) if previous else ())
        if len(found) == len(right) == 1:
            marked = replace(marked, wrong=differing(drawing, right[0]))
        name = title if len(found) == 1 else f"{title} {place}"
        figures.append(boards.figure(name, marked))
        previous = drawing
    return figures
