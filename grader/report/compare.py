"""A comparison as text, CSV, JSON, and a page of the same tables with charts and boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from typing import Any

from grader.grading.records import Verdict
from grader.lab.compare_results import (
    CaseFacts,
    Comparison,
    ComparisonReport,
    Ladder,
    Measurement,
    Summary,
)
from grader.lab.stats import Ratio, times
from grader.lab.variants import Variant
from grader.puzzles.truth import Proven
from grader.report import html
from grader.report.boards import Boards, read_boards
from grader.report.charts import Row, interval_chart, line_chart
from grader.report.text import Column, Table, cell, escape, pick, printable, to_csv, to_json
from solver import __version__
from solver.errors import counted

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


@dataclass(frozen=True)
class Part:
    """Tables and what there is to say about them; a page also has charts."""

    title: str
    tables: Sequence[Table]
    notes: Sequence[str]
    charts: Sequence[str]
    answers: Table | None = None  # of every variant on every case


def _parts(report: ComparisonReport) -> Iterator[Part]:
    for title, found in (
        ("Variants on cases", report.comparison),
        ("At growing limits", report.scan),
        ("Truth kept in endings", report.truth),
    ):
        if found is not None:
            answers = None if found is report.scan else _case_table(found)
            note = _note(found, report.variants)
            yield Part(title, _tables(title, found), [note], _charts(found), answers)
    if (ladder := report.ladder) is not None:
        title = "Ablation ladder"
        charts = [_lines((each.name, each.depth, each.visited) for each in ladder.rungs)]
        yield Part(title, [_rung_table(title, ladder)], _ladder_notes(ladder), charts)


def render_table(report: ComparisonReport, per_case: bool = False) -> str:
    """`per_case` adds every answer."""
    texts: list[Table | str] = []
    for part in _parts(report):
        texts += [part.answers] if part.answers and per_case else []
        texts += [*part.tables, "\n".join(part.notes)]
    return "\n".join(printable(str(text)).rstrip("\n") + "\n" for text in texts)


def _case_table(found: Comparison) -> Table:
    """Every answer of every variant, case by case."""
    truths = {case.name: case.value for case in found.cases}
    columns: tuple[Column, ...] = (
        *("case", ("truth", lambda each: truths[each.case]), "variant", "move", "value"),
        *(("verdict", lambda each: Verdict(each.verdict).words), "worth", *EFFORT),
    )
    return Table.of("Every answer", found.measurements, columns, 7)


def _tables(title: str, found: Comparison) -> list[Table]:
    """The summaries, or the steps of a scan.  Ratios are to the first variant."""
    at = [(found.option, "at")] if found.option else []
    if found.endings is not None:
        columns: list[Column] = ["variant", *at, *KEPT, "visited"]
        return [Table.of(title, found.summaries, columns)]
    if found.option:
        work = ("right", "visited")
        columns = ["variant", *at, *work, ("mean depth", "depth")]
        if found.option == "depth":
            growth = ("per ply", lambda step: times(step.growth))
            columns = ["variant", *at, "reached", *work, growth]
        return [Table.of(title, found.summaries, [*columns, ("ebf", "branching_factor")])]
    verdicts = (("best", "exact"), "equal", (Verdict.SLOWER.words, "slower"), "worse")
    answers: tuple[Column, ...] = ("variant", *verdicts, *KEPT, ("unproven", "kept.unknown"))
    time = [("time [95 %]", "time")] if found.repeat > 1 else []
    effort = ("variant", *EFFORT, ("nodes [95 %]", "nodes"), *time)
    return [
        Table.of("Answers", found.summaries, answers),
        Table.of("Effort", found.summaries, effort),
    ]


def _note(found: Comparison, variants: Sequence[Variant]) -> str:
    limits = {each.limit for each in variants}
    limit = f", {limits.pop()}" if len(limits) == 1 and not found.option else ""
    if (about := found.endings) is not None:
        return (
            f"{counted(len(found.cases), 'ending')} of {about.pieces} pieces with something to lose"
            f" ({about.tried:,} tried, seed {about.seed}){limit}, without tables"
        )
    words = counted(len(found.cases), "case") + limit
    if found.option == "depth":
        words += "; reached: cases not decided sooner; per ply: growth of their nodes"
    elif not found.option:
        words += f"; {found.summaries[0].variant} is the reference"
    return words + (f"; fastest of {found.repeat} rounds" if found.repeat > 1 else "")


def _rung_table(title: str, ladder: Ladder) -> Table:
    """Nodes at each depth, and in proportion to the rung before."""
    rows = []
    for name in dict.fromkeys(rung.name for rung in ladder.rungs):
        own = {rung.depth: rung for rung in ladder.rungs if rung.name == name}
        at_depths = [own[depth] for depth in ladder.depths]
        nodes = [text for each in at_depths for text in (cell(each.visited), times(each.to_last))]
        changed = sum(rung.changed for rung in own.values())
        values = f"{changed} differ" if changed else "equal"
        rows.append((name, *nodes, times(own[max(own)].to_minimax), values))
    heads = [head for depth in ladder.depths for head in (f"depth {depth}", "x last")]
    return Table(title, ("rung", *heads, "x minimax", "values"), rows)


def _ladder_notes(ladder: Ladder) -> list[str]:
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
    found: dict[str, Any] = {"schema": SCHEMA, "version": __version__, **vars(report)}
    if report.comparison is not None:
        names = ("cases", "measurements", "summaries", "repeat", "warnings")
        found["comparison"] = pick(report.comparison, *names)
    if report.scan is not None:
        steps = [
            {**pick(each, "variant", "at", "reached", "growth"), "summary": each}
            for each in report.scan.summaries
        ]
        found["scan"] = {**pick(report.scan, "option", "cases"), "steps": steps}
    if (truth := report.truth) is not None:
        points = [pick(each, "variant", "at", "kept", "visited") for each in truth.summaries]
        found["truth"] = pick(truth, "option", "cases", "measurements") | {"points": points}
        found["truth"] |= vars(truth.endings)
    return to_json(found, indent=1)


def render_csv(report: ComparisonReport) -> str:
    """One measurement, step or rung per row; the first column says which."""
    rows = list(_rows(report))
    return to_csv(list(dict.fromkeys(name for row in rows for name in row)), rows)


def _rows(report: ComparisonReport) -> Iterator[dict[str, Any]]:
    if report.comparison is not None:
        yield from _measured("case", report.comparison)
    if report.scan is not None:
        yield from (_step_row(f"scan {report.scan.option}", step) for step in report.scan.summaries)
    if report.truth is not None:
        yield from (_step_row("truth", step) for step in report.truth.summaries)
        yield from _measured("ending", report.truth)
    if report.ladder is not None:
        for each in report.ladder.rungs:
            yield {"part": "rung", "variant": report.ladder.variant, **asdict(each)}


def _measured(part: str, found: Comparison) -> Iterator[dict[str, Any]]:
    truths = {case.name: case.value for case in found.cases}
    for each in found.measurements:
        row = {"part": part, **asdict(each), "truth": truths[each.case], "cpu_s": each.seconds}
        yield {**row, "board": each.board.replace("\n", "/")}


def _step_row(part: str, step: Summary) -> dict[str, Any]:
    row, kept = {"part": part, **asdict(step)}, step.kept
    for name in ("kept", "nodes", "time"):
        del row[name]
    row |= {"wins": kept.wins.of, "wins_kept": kept.wins.kept, "plies_lost": kept.plies_lost}
    row |= {"draws": kept.draws.of, "draws_kept": kept.draws.kept}
    return row


def render_html(report: ComparisonReport) -> str:
    """Sections with links to them at the top."""
    boards = Boards()
    warnings = report.comparison.warnings if report.comparison else ()
    notes = "".join(f"<li>{escape(note)}</li>" for note in (*report.notes, *warnings))
    sections = {"Notes": f'<ul class="warnings part">{notes}</ul>' if notes else ""}
    parts = list(_parts(report))
    for part in parts:
        charts, tables = "".join(part.charts), "".join(map(html.table, part.tables))
        beside = f'<div class="beside">{charts}</div>' if charts else ""
        sections[part.title] = beside + tables + "".join(map(_paragraph, part.notes))
    for title, found in (
        ("Disagreements", report.comparison),
        ("Disagreements in endings", report.truth),
    ):
        sections[title] = _disputes(found, boards) if found else ""
    sections["Every answer"] = "".join(
        f"<details><summary>{counted(len(part.answers.rows), 'answer')}</summary>"
        f"{html.table(part.answers)}</details>"
        for part in parts
        if part.answers
    )
    settings = Table.of("The variants", report.variants, (("variant", "name"), "settings"), 2)
    sections["The variants"] = html.table(settings)
    links = body = ""
    for at, (title, content) in enumerate(sections.items()):
        if content:
            links += f'<li><a href="#part{at}">{title}</a></li>'
            body += f'<section id="part{at}"><h2>{title}</h2>{content}</section>\n'
    nav = f'<nav aria-label="Sections"><ul class="kinds">{links}</ul></nav>'
    names = ", ".join(each.name for each in report.variants)
    return html.page("Comparison", names, boards, body, nav)


def _paragraph(words: str) -> str:
    return f'<p class="note">{escape(words)}</p>'


def _charts(found: Comparison) -> list[str]:
    """Intervals at the last limit, and nodes at all depths of a scan."""
    last = {each.variant: each for each in found.summaries}.values()
    where = f" at {found.option} {found.summaries[-1].at}" if found.option else ""
    reference = found.summaries[0].variant
    charts = [
        _intervals(f"Wins kept{where}", last, "kept.wins"),
        _intervals(f"Draws kept{where}", last, "kept.draws"),
        _intervals(f"Nodes against {reference}{where}", last, "nodes"),
        _intervals(f"Time against {reference}{where}", last, "time"),
    ]
    if found.option == "depth":
        charts.append(
            _lines((each.variant, each.at or 0, each.visited) for each in found.summaries)
        )
    return charts


def _intervals(caption: str, summaries: Iterable[Summary], field: str) -> str:
    """The shares or ratios in a field; nothing where there are none."""
    rows = []
    for each in summaries:
        value = attrgetter(field)(each)
        if isinstance(value, Ratio):
            rows.append(Row(each.variant, str(value), (value.ratio, value.low, value.high)))
        elif value is not None and value.of:
            ends = (100 * value.share, 100 * value.low, 100 * value.high)
            rows.append(Row(each.variant, str(value), ends))
    return interval_chart(caption, rows, field in ("nodes", "time")) if rows else ""


def _lines(points: Iterable[tuple[str, int, int]]) -> str:
    """Nodes by depth, one line for each name."""
    series: dict[str, list[tuple[int, int]]] = {}
    for name, depth, nodes in points:
        series.setdefault(name, []).append((depth, nodes))
    return line_chart("Nodes by depth", series)


def _disputes(found: Comparison, boards: Boards) -> str:
    """The boards on which variants disagree: the answers and the truth side by side."""
    answers: dict[str, list[Measurement]] = {case.name: [] for case in found.cases}
    for each in found.measurements:
        answers[each.case].append(each)
    disputed = [case for case in found.cases if len({one.move for one in answers[case.name]}) > 1]
    if not disputed:
        return _paragraph("All variants give the same answers.")
    # The worst first: a proven loss of value counts more than a probable one.
    disputed.sort(
        key=lambda case: (
            -sum(each.kept is False for each in answers[case.name]),
            -sum(each.verdict == Verdict.WORSE for each in answers[case.name]),
        )
    )
    about = f"The variants disagree in {len(disputed)} of {counted(len(found.cases), 'case')}."
    if len(disputed) > MOST_CASES:
        about += f" The {MOST_CASES} of them with the most wrong answers are shown."
    cards = "".join(_card(case, answers[case.name], boards) for case in disputed[:MOST_CASES])
    about = _paragraph(f"{about} An outlined square has changed.")
    return f'{about}<div class="cards disputes">{cards}</div>'


def _card(case: CaseFacts, answers: list[Measurement], boards: Boards) -> str:
    """The position, the best move, and each answer with the variants that chose it."""
    (start,) = read_boards(case.game, case.board)
    figures = [boards.figure("position", replace(start, note=f"{case.mover} to move"))]
    for best in read_boards(case.game, case.best_board):
        title = "best known" if case.proven == Proven.NONE else "truth"
        note = f"{case.best[0]}: {case.value}"
        figures.append(boards.figure(title, replace(best.since(start), note=note)))
    by_move: dict[str, list[Measurement]] = {}
    for each in answers:
        by_move.setdefault(each.move, []).append(each)
    for same in by_move.values():
        more = f" and {len(same) - MOST_NAMES} more" if len(same) > MOST_NAMES else ""
        names = ", ".join(each.variant for each in same[:MOST_NAMES]) + more
        values = " or ".join(dict.fromkeys(each.value for each in same))
        note = f"{same[0].move}: {same[0].worth}; searched value {values}"
        (after,) = read_boards(case.game, same[0].board)
        board = boards.figure(names, replace(after.since(start), note=note))
        figures.append(f"<div>{html.badge(Verdict(same[0].verdict))}{board}</div>")
    known = {Proven.NONE: "Best by search (estimate):", Proven.RESULT: "Proven result:"}
    truth = f"{known.get(Proven(case.proven), 'Proven:')} {case.value}."
    more = f" Best: {', '.join(case.best)}." if case.best else ""
    return (
        f'<article class="card"><h3>{escape(case.name)}</h3><p>{escape(truth + more)}</p>'
        f'<div class="boards">{"".join(figures)}</div></article>'
    )
