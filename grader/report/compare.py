"""A comparison as text, CSV, JSON, and a page of the same tables with charts and boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from operator import attrgetter
from typing import Any

from grader.grading.records import Verdict
from grader.lab.compare_results import (
    CaseFacts,
    Comparison,
    ComparisonReport,
    Kept,
    Ladder,
    Measurement,
    Scan,
    TruthKept,
)
from grader.lab.ratios import Ratio, Share
from grader.lab.variants import Variant
from grader.puzzles.truth import Proven
from grader.report import html
from grader.report.boards import Boards, Drawing, draw_after, draw_position
from grader.report.charts import Row, Series, bar_chart, interval_chart, line_chart
from grader.report.text import (
    Column,
    Table,
    cell,
    escape,
    printable,
    ratio_words,
    share_words,
    times,
    to_csv,
    to_json,
)
from solver import __version__
from solver.errors import counted

cell.register(Share, share_words)
cell.register(Ratio, ratio_words)

SCHEMA = 1
EFFORT: tuple[Column, ...] = (
    *("depth", "expanded", "evaluated", "visited", "cutoffs", "hits", ("ebf", "branching_factor")),
    ("CPU s", lambda each: f"{each.seconds:.3f}"),
)
KEPT: tuple[Column, ...] = (
    *(("wins kept (95 %)", "kept.wins"), ("draws kept (95 %)", "kept.draws")),
    ("plies lost", "kept.mean_plies_lost"),
)
MOST_FAULTS = 20  # a longer list is of no use
MOST_CASES = 24  # shown with boards; the other formats hold them all
MOST_NAMES = 4  # of variants above one board


def render_table(report: ComparisonReport, per_case: bool = False) -> str:
    return "\n".join(printable(str(part)).rstrip("\n") + "\n" for part in _parts(report, per_case))


def _parts(report: ComparisonReport, per_case: bool) -> Iterator[Table | str]:
    """Tables, each group followed by a line about them."""
    if (comparison := report.comparison) is not None:
        if per_case:
            yield case_table(comparison)
        yield answer_table(comparison)
        yield effort_table(comparison)
        yield comparison_note(comparison, report.variants)
    if report.scan is not None:
        yield scan_table(report.scan)
        yield scan_note(report.scan)
    if (truth := report.truth) is not None:
        if per_case:
            yield case_table(truth)
        yield truth_table(truth)
        yield truth_note(truth, report.variants)
    if report.ladder is not None:
        yield rung_table(report.ladder)
        yield "\n".join(ladder_notes(report.ladder))


def case_table(found: Comparison | TruthKept) -> Table:
    """Every answer of every variant, case by case."""
    truths = {case.name: case.value for case in found.cases}
    columns: tuple[Column, ...] = (
        *("case", ("truth", lambda each: truths[each.case]), "variant", "move", "value"),
        *(("verdict", lambda each: Verdict(each.verdict).words), "worth", *EFFORT),
    )
    return Table.of("Every answer", found.measurements, columns, 7)


def answer_table(comparison: Comparison) -> Table:
    verdicts = (("best", "exact"), "equal", (Verdict.SLOWER.words, "slower"), "worse")
    columns = ("variant", *verdicts, *KEPT, ("unproven", "kept.unknown"))
    return Table.of("Answers", comparison.summaries, columns)


def effort_table(comparison: Comparison) -> Table:
    """Ratios are to the first variant."""
    time = [("time [95 %]", "time")] if comparison.repeat > 1 else []
    columns = ("variant", *EFFORT, ("nodes [95 %]", "nodes"), *time)
    return Table.of("Effort", comparison.summaries, columns)


def comparison_note(comparison: Comparison, variants: Sequence[Variant]) -> str:
    if not comparison.summaries:
        return "No case was compared."
    rounds = f"; fastest of {comparison.repeat} rounds" if comparison.repeat > 1 else ""
    cases = counted(len(comparison.cases), "case")
    limit = _common_limit(variants)
    return f"{cases}{limit}; {comparison.summaries[0].variant} is the reference{rounds}"


def _common_limit(variants: Sequence[Variant]) -> str:
    """`, depth 6`, if all variants have the same limit."""
    limits = {(each.depth, each.nodes, each.seconds) for each in variants}
    if len(limits) != 1:
        return ""
    forms = zip((", depth {}", ", {:,} nodes", ", {:g} s"), limits.pop(), strict=True)
    return "".join(form.format(value) for form, value in forms if value is not None)


def scan_table(scan: Scan) -> Table:
    work = (("right", "summary.right"), ("visited", "summary.visited"))
    columns: tuple[Column, ...] = (*work, ("mean depth", "summary.depth"))
    if scan.option == "depth":
        columns = ("reached", *work, ("per ply", lambda step: times(step.growth)))
    columns = ("variant", (scan.option, "at"), *columns, ("ebf", "summary.branching_factor"))
    return Table.of(f"Growth with {scan.option}", scan.steps, columns)


def scan_note(scan: Scan) -> str:
    words = "; reached: cases not decided sooner; per ply: growth of their nodes"
    return f"{counted(len(scan.cases), 'case')}{words if scan.option == 'depth' else ''}"


def truth_table(truth: TruthKept) -> Table:
    scanned = [(truth.option, "at")] if truth.option else []
    return Table.of("Truth kept in endings", truth.points, ("variant", *scanned, *KEPT, "visited"))


def truth_note(truth: TruthKept, variants: Sequence[Variant]) -> str:
    limit = "" if truth.option else _common_limit(variants)
    return (
        f"{counted(len(truth.cases), 'ending')} of {truth.pieces} pieces with something to lose"
        f" ({truth.tried:,} tried, seed {truth.seed}){limit}, without tables"
    )


def rung_table(ladder: Ladder) -> Table:
    """Nodes at each depth, and in proportion to the rung before."""
    rows = []
    for name in dict.fromkeys(rung.name for rung in ladder.rungs):
        own = {rung.depth: rung for rung in ladder.rungs if rung.name == name}
        at_depths = [own[depth] for depth in ladder.depths]
        nodes = [text for each in at_depths for text in (cell(each.visited), times(each.to_last))]
        changed = sum(rung.changed for rung in own.values())
        values = f"{changed} differ" if changed else "equal"
        minimax = times(own[max(own)].to_minimax)
        rows.append((name, *nodes, minimax, values))
    heads = [head for depth in ladder.depths for head in (f"depth {depth}", "x last")]
    return Table("Ablation ladder", ("rung", *heads, "x minimax", "values"), rows)


def ladder_notes(ladder: Ladder) -> list[str]:
    about = f"{counted(len(ladder.cases), 'case')}, {ladder.variant}:"
    if not ladder.faults:
        last = "the last that of minimax with tables"
        return [f"{about} every rung has the value of minimax, {last}."]
    lines = [f"{about} {counted(len(ladder.faults), 'value')} changed."]
    lines += [
        f"  {each.case} at depth {each.depth}: {each.rung} has {each.value}, not {each.wanted}"
        for each in ladder.faults[:MOST_FAULTS]
    ]
    more = len(ladder.faults) - MOST_FAULTS
    return [*lines, f"  and {more} more"] if more > 0 else lines


def render_json(report: ComparisonReport) -> str:
    """Everything; only `cpu_s`, `seconds`, `time` and `warnings` differ from run to run."""
    return to_json({"schema": SCHEMA, "version": __version__, **vars(report)}, indent=1)


def render_csv(report: ComparisonReport) -> str:
    """One measurement, step or rung per row; the first column says which."""
    rows = list(_rows(report))
    return to_csv(list(dict.fromkeys(name for row in rows for name in row)), rows)


def _rows(report: ComparisonReport) -> Iterator[dict[str, Any]]:
    if report.comparison is not None:
        yield from _measured("case", report.comparison)
    if report.scan is not None:
        for step in report.scan.steps:
            summary = asdict(step.summary)
            for name in ("kept", "nodes", "time"):
                del summary[name]
            row: dict[str, Any] = {"part": f"scan {report.scan.option}", **summary}
            row |= {"at": step.at, "reached": step.reached, "growth": step.growth}
            yield row | _kept(step.summary.kept)
    if report.truth is not None:
        for point in report.truth.points:
            row = {"part": "truth", "variant": point.variant, "at": point.at}
            yield row | {"visited": point.visited} | _kept(point.kept)
        yield from _measured("ending", report.truth)
    if report.ladder is not None:
        for each in report.ladder.rungs:
            yield {"part": "rung", "variant": report.ladder.variant, **asdict(each)}


def _measured(part: str, found: Comparison | TruthKept) -> Iterator[dict[str, Any]]:
    truths = {case.name: case.value for case in found.cases}
    for each in found.measurements:
        row = {"part": part, **asdict(each), "truth": truths[each.case], "cpu_s": each.seconds}
        yield {**row, "board": each.board.replace("\n", "/")}


def _kept(kept: Kept) -> dict[str, Any]:
    return {
        "wins": kept.wins.of,
        "wins_kept": kept.wins.kept,
        "draws": kept.draws.of,
        "draws_kept": kept.draws.kept,
        "plies_lost": kept.plies_lost,
    }


def render_html(report: ComparisonReport) -> str:
    boards = Boards()
    comparison, truth, ladder, scan = report.comparison, report.truth, report.ladder, report.scan
    sections = {"Notes": html.bullets(report.notes, "warnings part")}
    if comparison and comparison.summaries:
        sections |= _comparison(comparison, report.variants)
    if truth:
        sections["Truth kept in endings"] = _truth(truth, report.variants)
    if ladder and ladder.rungs:
        sections["Ablation ladder"] = _ladder(ladder)
    if scan:
        points = [(step.variant, step.at, step.summary.visited) for step in scan.steps]
        chart = html.beside(_lines(f"Nodes by {scan.option}", points, scan.option, "nodes"))
        content = html.table(scan_table(scan)) + html.paragraph(scan_note(scan))
        sections[f"Growth with {scan.option}"] = chart + content
    if comparison:
        sections["Disagreements"] = _disputes(comparison, boards)
    if truth:
        sections["Disagreements in endings"] = _disputes(truth, boards)
    if comparison:
        summary = f"<summary>{counted(len(comparison.measurements), 'answer')}</summary>"
        content = html.table(case_table(comparison))
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
    kept = [(f"{kind.capitalize()} kept", f"kept.{kind}") for kind in ("wins", "draws")]
    ratios = [(f"{kind.capitalize()} against {reference}", kind) for kind in ("nodes", "time")]
    answers, counters = (
        html.beside(*(_intervals(caption, summaries, field) for caption, field in charts))
        for charts in (kept, ratios)
    )
    warnings = html.bullets(comparison.warnings, "warnings part")
    note = html.paragraph(comparison_note(comparison, variants))
    tiles, table = html.tiles(facts), html.table(answer_table(comparison))
    return {
        "Variants on cases": tiles + warnings + table + answers,
        "Effort": counters + html.table(effort_table(comparison)) + note,
    }


def _intervals(caption: str, items: Iterable[Any], field: str) -> str:
    """The shares or ratios in a field of items that have a variant."""
    rows = []
    values = [(each.variant, attrgetter(field)(each)) for each in items]
    for name, each in values:
        if isinstance(each, Ratio):
            rows.append(Row(name, cell(each), (each.ratio, each.low, each.high)))
        elif each is not None and each.of:
            ends = (100 * each.share, 100 * each.low, 100 * each.high)
            rows.append(Row(name, cell(each), ends))
    is_ratio = any(isinstance(each, Ratio) for _, each in values)
    unit = "ratio with 95 % interval" if is_ratio else "% with 95 % interval"
    zero = 1.0 if is_ratio else None
    return html.figure(caption, interval_chart(caption, rows, unit, zero, is_ratio)) if rows else ""


def _truth(truth: TruthKept, variants: Sequence[Variant]) -> str:
    """Charts of the last step, and of all steps of a scan."""
    last = {point.variant: point for point in truth.points}.values()
    where = f" at {truth.option} {truth.points[-1].at}" if truth.option and truth.points else ""
    charts, lines = [], []
    for kind in ("wins", "draws"):
        charts.append(_intervals(f"{kind.capitalize()} kept{where}", last, f"kept.{kind}"))
        shares = [(each.variant, each.at, getattr(each.kept, kind)) for each in truth.points]
        points = [(name, at, 100 * share.share) for name, at, share in shares if at and share.of]
        caption = f"{kind.capitalize()} kept by {truth.option}"
        lines.append(_lines(caption, points, truth.option, f"% of {kind} kept"))
    note = html.paragraph(truth_note(truth, variants))
    plots = html.beside(*charts) + html.beside(*lines)
    return plots + html.table(truth_table(truth)) + note


def _lines(caption: str, points: Iterable[tuple[str, int, float]], across: str, unit: str) -> str:
    """One line for each name; nodes on a log scale."""
    series: dict[str, list[tuple[int, float]]] = {}
    for name, at, value in points:
        series.setdefault(name, []).append((at, value))
    lines = [Series(name, tuple(own)) for name, own in series.items()]
    chart = line_chart(caption, lines, across, unit, log=unit == "nodes")
    return html.figure(caption, chart) if lines else ""


def _ladder(ladder: Ladder) -> str:
    about, *faults = ladder_notes(ladder)
    depth = max(each.depth for each in ladder.rungs)
    bars = [
        Row(each.name, f"{each.visited:,}, {times(each.to_minimax)}", (each.visited,))
        for each in ladder.rungs
        if each.depth == depth
    ]
    caption = f"Nodes at depth {depth}, and in proportion to minimax"
    chart = html.beside(html.figure(caption, bar_chart(caption, bars, "nodes")))
    notes = html.paragraph(about) + html.bullets(faults, "warnings bad")
    return notes + chart + html.table(rung_table(ladder))


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
    """The position, the best move, and each answer with the variants that chose it."""
    start = draw_position(case.game, case.board)
    figures = []
    if start:
        figures.append(boards.figure("position", replace(start, note=f"{case.mover} to move")))
    best = case.best[0] if case.best else ""
    if drawing := draw_after(case.game, case.board, case.mover, best):
        title = "best known" if case.proven == Proven.NONE else "truth"
        drawing = replace(drawing.since(start), note=f"{best}: {case.value}")
        figures.append(boards.figure(title, drawing))
    by_move: dict[str, list[Measurement]] = {}
    for each in answers:
        by_move.setdefault(each.move, []).append(each)
    figures += [_answer(case, same, start, boards) for same in by_move.values()]
    known = {Proven.NONE: "Best by search (estimate):", Proven.RESULT: "Proven result:"}
    truth = f"{known.get(Proven(case.proven), 'Proven:')} {case.value}."
    more = f" Best: {', '.join(case.best)}." if case.best else ""
    return case.name, truth + more, "".join(figures)


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
