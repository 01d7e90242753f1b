"""The boards on which variants disagree: the answers and the truth side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.compare.results import CaseFacts, Measurement
from grader.report.grading.html.boards import Boards, Drawing
from grader.report.grading.html.cards import badge
from grader.report.grading.html.markup import escaped
from grader.report.page.positions import after_move, drawing_of, marked
from grader.report.page.tables import paragraph
from grader.truth.model import Proven
from grader.verdicts import Verdict
from solver.errors import counted

MOST = 24  # cases on a page; the files hold them all
MOST_NAMES = 4  # of variants above one board


def disputes(
    cases: Sequence[CaseFacts], measurements: Sequence[Measurement], boards: Boards
) -> str:
    answers: dict[str, list[Measurement]] = {case.name: [] for case in cases}
    for each in measurements:
        answers[each.case].append(each)
    disputed = [case for case in cases if len({each.move for each in answers[case.name]}) > 1]
    if not disputed:
        return paragraph("All variants give the same answers.")
    disputed.sort(key=lambda case: _gravity(answers[case.name]), reverse=True)
    cards = "".join(_card(case, answers[case.name], boards) for case in disputed[:MOST])
    said = f"The variants disagree in {len(disputed)} of {counted(len(cases), 'case')}."
    if len(disputed) > MOST:
        said += f" The {MOST} of them with the most wrong answers are shown."
    said += " An outlined square has changed."
    return f'{paragraph(said)}<div class="cards disputes">{cards}</div>'


def _gravity(answers: list[Measurement]) -> tuple[int, int]:
    """What is proven to be thrown away counts more than what only seems to be."""
    thrown_away = sum(1 for each in answers if each.kept is False)
    return thrown_away, sum(1 for each in answers if each.verdict == Verdict.WORSE)


def _card(case: CaseFacts, answers: list[Measurement], boards: Boards) -> str:
    start = drawing_of(case.game, case.board)
    figures = (
        [boards.figure("position", replace(start, note=f"{case.mover} to move"))] if start else []
    )
    figures += _truth(case, answers, start, boards)
    by_move: dict[str, list[Measurement]] = {}
    for each in answers:
        by_move.setdefault(each.move, []).append(each)
    figures += [_answer(case, same, start, boards) for same in by_move.values()]
    return (
        f'<article class="card"><h3>{escaped(case.name)}</h3>'
        f"<p>{escaped(_truth_words(case))}</p>"
        f'<div class="boards">{"".join(figures)}</div></article>'
    )


def _truth_words(case: CaseFacts) -> str:
    known = {Proven.NONE: "Nothing is proven; a deep search says", Proven.RESULT: "Certain is"}
    words = f"{known.get(Proven(case.proven), 'Proven:')} {case.value}."
    if case.best:
        words += f" Best: {', '.join(case.best)}."
    return words


def _truth(
    case: CaseFacts, answers: list[Measurement], start: Drawing | None, boards: Boards
) -> list[str]:
    """The board after the best move, as whoever found it has it."""
    if not case.best:
        return []
    best = case.best[0]
    board = next((each.board for each in answers if each.move == best), "")
    board = board or after_move(case.game, case.board, case.mover, best)
    drawing = drawing_of(case.game, board) if board else None
    if drawing is None:
        return []
    note = f"{best}: {case.value}"
    title = "best known" if case.proven == Proven.NONE else "truth"
    return [boards.figure(title, replace(marked(drawing, start), note=note))]


def _answer(case: CaseFacts, same: list[Measurement], start: Drawing | None, boards: Boards) -> str:
    """One move, and the variants that chose it."""
    first = same[0]
    more = f" and {len(same) - MOST_NAMES} more" if len(same) > MOST_NAMES else ""
    names = ", ".join(each.variant for each in same[:MOST_NAMES]) + more
    believed = " or ".join(dict.fromkeys(each.value for each in same))
    note = f"{first.move}: {first.worth}; believed {believed}"
    verdict = badge(Verdict(first.verdict))
    drawing = drawing_of(case.game, first.board)
    if drawing is None:
        return f"<div>{verdict} {escaped(names)} <small>{escaped(note)}</small></div>"
    return f"<div>{verdict}{boards.figure(names, replace(marked(drawing, start), note=note))}</div>"
