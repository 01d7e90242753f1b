"""A comparison as one page: the tables of the terminal with charts, and the boards in dispute."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from grader.grading.records import Verdict
from grader.lab.compare_results import (
    CaseFacts,
    Comparison,
    ComparisonReport,
    Ladder,
    Measurement,
    TruthKept,
)
from grader.lab.ratios import Ratio, Share
from grader.lab.variants import Variant
from grader.puzzles.truth import Proven
from grader.report import compare_text as tables
from grader.report import html
from grader.report.boards import Boards, Drawing, draw_after, draw_position
from grader.report.charts import Row, Series, bar_chart, interval_chart, line_chart
from grader.report.text import Table, escape, ratio_words, share_words, times
from solver.errors import counted

MOST_CASES = 24  # shown with boards; the other formats hold them all
MOST_NAMES = 4  # of variants above one board
DOUBTFUL = "An open bar with a dashed edge changes values."


def render_html(report: ComparisonReport) -> str:
    boards = Boards()
    comparison, truth, ladder, scan = report.comparison, report.truth, report.ladder, report.scan
    sections = {"Notes": html.bullets(report.notes, "warnings part")}
    if comparison and comparison.summaries:
        sections |= _comparison(comparison, report.variants)
    if truth:
        sections["Truth kept in endings"] = _truth(truth, report.variants)
    if ladder and ladder.rungs:
        sections |= _ladder(ladder)
    if scan:
        points = [(step.variant, step.at, step.summary.visited) for step in scan.steps]
        chart = html.beside(_lines(f"Nodes by {scan.option}", points, scan.option, "nodes"))
        content = html.table(tables.scan_table(scan)) + html.paragraph(tables.scan_note(scan))
        sections[f"Growth with {scan.option}"] = chart + content
    if comparison:
        sections["Disagreements"] = _disputes(comparison, boards)
    if truth:
        sections["Disagreements in endings"] = _disputes(truth, boards)
    if comparison:
        content = html.table(tables.case_table(comparison))
        summary = f"<summary>{counted(len(comparison.measurements), 'answer')}</summary>"
        sections["Every answer"] = f"<details>{summary}{content}</details>"
    if report.variants:
        sections["The variants"] = html.table(_variant_table(report.variants))
    found = {title: body for title, body in sections.items() if body}
    names = ", ".join(each.name for each in report.variants)
    nothing = {"Comparison": html.paragraph("Nothing was compared.")}
    return html.page("Comparison", names, boards, found or nothing)


def _comparison(comparison: Comparison, variants: Sequence[Variant]) -> dict[str, str]:
    summaries = comparison.summaries
    reference = summaries[0].variant
    facts = {
        "cases": len(comparison.cases),
        "variants": len(summaries),
        "disputed cases": len(comparison.disputed),
        "reference": reference,
        "rounds of timing": comparison.repeat,
    }
    kept = html.beside(
        _share_chart("Wins kept", [(each.variant, each.kept.wins) for each in summaries]),
        _share_chart("Draws kept", [(each.variant, each.kept.draws) for each in summaries]),
    )
    ratios = html.beside(
        _ratio_chart(f"Nodes against {reference}", [(one.variant, one.nodes) for one in summaries]),
        _ratio_chart(f"Time against {reference}", [(one.variant, one.time) for one in summaries]),
    )
    warnings = html.bullets(comparison.warnings, "warnings part")
    note = html.paragraph(tables.comparison_note(comparison, variants))
    answers = html.table(tables.answer_table(comparison))
    return {
        "Variants on cases": html.tiles(facts) + warnings + answers + kept,
        "Effort": ratios + html.table(tables.effort_table(comparison)) + note,
    }


def _share_chart(caption: str, shares: Iterable[tuple[str, Share]]) -> str:
    intervals = [
        Row(name, share_words(each), (100 * each.share, 100 * each.low, 100 * each.high))
        for name, each in shares
        if each.of
    ]
    chart = interval_chart(caption, intervals, "% with 95 % interval")
    return html.figure(caption, chart) if intervals else ""


def _ratio_chart(caption: str, ratios: Iterable[tuple[str, Ratio | None]]) -> str:
    intervals = [
        Row(name, ratio_words(each), (each.ratio, each.low, each.high))
        for name, each in ratios
        if each is not None
    ]
    chart = interval_chart(caption, intervals, "ratio with 95 % interval", zero=1.0, log=True)
    return html.figure(caption, chart) if intervals else ""


def _truth(truth: TruthKept, variants: Sequence[Variant]) -> str:
    """Charts of the last step, and of all steps of a scan."""
    last = {point.variant: point for point in truth.points}.values()
    where = f" at {truth.option} {truth.points[-1].at}" if truth.option and truth.points else ""
    charts, lines = [], []
    for kind in ("wins", "draws"):
        shares = [(each.variant, each.at, getattr(each.kept, kind)) for each in truth.points]
        own = [(each.variant, getattr(each.kept, kind)) for each in last]
        charts.append(_share_chart(f"{kind.capitalize()} kept{where}", own))
        points = [(name, at, 100 * share.share) for name, at, share in shares if at and share.of]
        unit = f"% of {kind} kept"
        caption = f"{kind.capitalize()} kept by {truth.option}"
        lines.append(_lines(caption, points, truth.option, unit))
    note = html.paragraph(tables.truth_note(truth, variants))
    plots = html.beside(*charts) + html.beside(*lines)
    return plots + html.table(tables.truth_table(truth)) + note


def _lines(caption: str, points: Iterable[tuple[str, int, float]], across: str, unit: str) -> str:
    """One line for each name; nodes on a log scale."""
    series: dict[str, list[tuple[int, float]]] = {}
    for name, at, value in points:
        series.setdefault(name, []).append((at, value))
    lines = [Series(name, tuple(own)) for name, own in series.items()]
    chart = line_chart(caption, lines, across, unit, log=unit == "nodes")
    return html.figure(caption, chart) if lines else ""


def _ladder(ladder: Ladder) -> dict[str, str]:
    about, *faults = tables.ladder_notes(ladder)
    depth = max(each.depth for each in ladder.rungs)
    rungs = [
        (each.name, each.visited, each.to_minimax, each.changed > 0)
        for each in ladder.rungs
        if each.depth == depth
    ]
    charts = [_bars(f"Nodes at depth {depth}, and in proportion to minimax", rungs)]
    if len(ladder.depths) > 1:
        points = [(each.name, each.depth, each.visited) for each in ladder.rungs]
        charts.append(_lines("Nodes by depth", points, "depth", "nodes"))
    notes = html.paragraph(about) + html.bullets(faults, "warnings bad")
    content = html.table(tables.rung_table(ladder))
    sections = {"Ablation ladder": notes + html.beside(*charts) + content}
    for kind in dict.fromkeys(policy.kind for policy in ladder.policies):
        last = [own[max(own)] for own in tables.policies(ladder, kind).values()]
        bars = [
            (tables.policy_name(each), each.visited, each.ratio, each.values_changed > 0)
            for each in last
        ]
        chart = html.beside(_bars(f"Nodes in proportion to no {kind}", bars))
        note = html.paragraph(DOUBTFUL if any(doubtful for *_, doubtful in bars) else "")
        policies = tables.policy_table(ladder, kind)
        sections[policies.title] = note + chart + html.table(policies)
    return sections


def _bars(caption: str, rows: Iterable[tuple[str, int, float, bool]]) -> str:
    bars = [
        Row(name, f"{visited:,}, {times(ratio)}", (visited,), doubtful)
        for name, visited, ratio, doubtful in rows
    ]
    return html.figure(caption, bar_chart(caption, bars, "nodes"))


def _variant_table(variants: Sequence[Variant]) -> Table:
    """Every setting that is not the default."""
    rows = []
    for each in variants:
        limits = {"depth": each.depth, "nodes": each.nodes, "seconds": each.seconds}
        settings = [each.heuristic] if each.heuristic else []
        settings += each.techniques.difference
        settings += [f"{name} {limit}" for name, limit in limits.items() if limit is not None]
        rows.append((each.name, ", ".join(settings) or "-"))
    return Table("The variants", ("variant", "settings"), rows, 2)


def _disputes(found: Comparison | TruthKept, boards: Boards) -> str:
    """The boards on which variants disagree: the answers and the truth side by side."""
    answers: dict[str, list[Measurement]] = {case.name: [] for case in found.cases}
    for each in found.measurements:
        answers[each.case].append(each)
    disputed = [case for case in found.cases if len({one.move for one in answers[case.name]}) > 1]
    if not disputed:
        return html.paragraph("All variants give the same answers.")
    disputed.sort(key=lambda case: _gravity(answers[case.name]), reverse=True)
    about = f"The variants disagree in {len(disputed)} of {counted(len(found.cases), 'case')}."
    if len(disputed) > MOST_CASES:
        about += f" The {MOST_CASES} of them with the most wrong answers are shown."
    cards = [_card(case, answers[case.name], boards) for case in disputed[:MOST_CASES]]
    return html.paragraph(f"{about} An outlined square has changed.") + html.cards(cards)


def _gravity(answers: list[Measurement]) -> tuple[int, int]:
    """A proven loss of value counts more than a probable one."""
    lost = sum(1 for each in answers if each.kept is False)
    return lost, sum(1 for each in answers if each.verdict == Verdict.WORSE)


def _card(case: CaseFacts, answers: list[Measurement], boards: Boards) -> tuple[str, str, str]:
    start = draw_position(case.game, case.board)
    figures = []
    if start:
        figures.append(boards.figure("position", replace(start, note=f"{case.mover} to move")))
    figures.append(_best(case, answers, start, boards))
    by_move: dict[str, list[Measurement]] = {}
    for each in answers:
        by_move.setdefault(each.move, []).append(each)
    figures += [_answer(case, same, start, boards) for same in by_move.values()]
    known = {Proven.NONE: "Best by search (estimate):", Proven.RESULT: "Proven result:"}
    truth = f"{known.get(Proven(case.proven), 'Proven:')} {case.value}."
    best = f" Best: {', '.join(case.best)}." if case.best else ""
    return case.name, truth + best, "".join(figures)


def _best(
    case: CaseFacts, answers: list[Measurement], start: Drawing | None, boards: Boards
) -> str:
    """The board after the best move, whether or not a variant found it."""
    best = case.best[0] if case.best else ""
    board = next((each.board for each in answers if each.move == best), "")
    drawing = draw_position(case.game, board) if board else None
    drawing = drawing or draw_after(case.game, case.board, case.mover, best)
    if drawing is None:
        return ""
    title = "best known" if case.proven == Proven.NONE else "truth"
    return boards.figure(title, replace(drawing.since(start), note=f"{best}: {case.value}"))


def _answer(case: CaseFacts, same: list[Measurement], start: Drawing | None, boards: Boards) -> str:
    """One move, and the variants that chose it."""
    first = same[0]
    more = f" and {len(same) - MOST_NAMES} more" if len(same) > MOST_NAMES else ""
    names = ", ".join(each.variant for each in same[:MOST_NAMES]) + more
    values = " or ".join(dict.fromkeys(each.value for each in same))
    note = f"{first.move}: {first.worth}; searched value {values}"
    verdict = html.badge(Verdict(first.verdict))
    drawing = draw_position(case.game, first.board)
    if drawing is None:
        return f"<div>{verdict} {escape(names)} <small>{escape(note)}</small></div>"
    return f"<div>{verdict}{boards.figure(names, replace(drawing.since(start), note=note))}</div>"
