"""A comparison as text, CSV, and a page of the same tables with a chart and boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from grader.grading.records import Verdict
from grader.lab.compare_results import Comparison, ComparisonReport, Ladder, Measurement, Problem
from grader.lab.stats import times, times_between
from grader.lab.variants import Variant
from grader.puzzles.truth import Proven
from grader.report import html
from grader.report.boards import Boards, read_boards
from grader.report.grading_text import group_by
from grader.report.text import Column, Table, cell, escape, printable, to_csv
from solver.errors import counted

EFFORT: tuple[Column, ...] = (("nodes", "visited"), ("CPU s", "cpu_s"))
ALONE: tuple[Column, ...] = ("variant", ("best moves", "best"), ("truth kept", "kept"), *EFFORT)
AGAINST_REFERENCE: tuple[Column, ...] = (
    "variant",
    *(("best moves", "best.count"), ("more, % (95 %)", "more_best")),
    *(("truth kept", "kept.count"), ("more, % (95 %)", "more_kept")),
    *EFFORT,
    ("ratio of nodes [95 %]", lambda each: times_between(each.nodes)),
)
MOST_FAULTS = 20  # a longer list is of no use
MOST_CASES = 24  # shown with boards; the other formats hold them all
MOST_NAMES = 4  # of variants above one board


def render_table(report: ComparisonReport) -> str:
    table, notes = _main_table(report)
    texts = [str(table), "\n".join(notes)]
    return "\n".join(printable(text).rstrip("\n") + "\n" for text in texts)


def _main_table(report: ComparisonReport) -> tuple[Table, list[str]]:
    """With the notes below it."""
    found = report.found
    if isinstance(found, Ladder):
        return _rung_table(found), _ladder_notes(found)
    columns = AGAINST_REFERENCE if len(found.summaries) > 1 else ALONE
    table = Table.of("Variants on the same boards", found.summaries, columns)
    return table, _comparison_notes(found, report.variants)


def _comparison_notes(found: Comparison, variants: Iterable[Variant]) -> list[str]:
    limits = {each.limit for each in variants}
    words = counted(len(found.cases), "board")
    words += f": {found.origin}" if found.origin else ""
    words += f", {limits.pop()}" if len(limits) == 1 else ""
    if not any(each.techniques.has("tables") for each in variants):
        words += ", without endgame tables"
    lines = [f"{words}."]
    if len(found.summaries) > 1:
        answers = found.measurements[:: len(found.summaries)]
        best = sum(each.is_best for each in answers if each.case in found.agreed)
        lines = [
            f"{words}; {found.summaries[0].variant} is the reference; nodes are of all boards.",
            f"Set aside: {counted(len(found.agreed), 'board')} on which all variants agree"
            f" (same move, same kind of value), with {counted(best, 'best move')}.",
        ]
    if found.settled:
        lines.append(
            f"Decided without the heuristic: {counted(len(found.settled), 'board')} on which every"
            " search proved the result."
        )
    return lines


def _rung_table(ladder: Ladder) -> Table:
    """Nodes at each depth, and in proportion to the rung before."""
    rows = []
    for name, rungs in group_by("name", ladder.rungs).items():
        own = {rung.depth: rung for rung in rungs}
        at_depths = [own[depth] for depth in ladder.depths]
        nodes = [text for each in at_depths for text in (cell(each.visited), times(each.to_last))]
        changed = sum(rung.changed for rung in own.values())
        values = f"{changed} differ" if changed else "equal"
        rows.append((name, *nodes, times(own[max(own)].to_minimax), values))
    heads = [head for depth in ladder.depths for head in (f"depth {depth}", "x last")]
    return Table("Ladder", ("rung", *heads, "x minimax", "values"), rows)


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


def render_csv(report: ComparisonReport) -> str:
    """The table, the plot and every answer; the first column says what a row is."""
    rows = list(_rows(report.found))
    return to_csv(list(dict.fromkeys(name for row in rows for name in row)), rows)


def _rows(found: Comparison | Ladder) -> Iterator[dict[str, Any]]:
    if isinstance(found, Ladder):
        yield from ({"part": "rung", **asdict(each)} for each in found.rungs)
        return
    for each in found.summaries:
        row: dict[str, Any] = {"part": "variant", "variant": each.variant}
        row |= {"best": each.best.kept, "best_of": each.best.of}
        row |= {"kept": each.kept.kept, "kept_of": each.kept.of}
        row |= {"visited": each.visited, "cpu_s": each.cpu_s}
        for name in ("more_best", "more_kept", "nodes"):
            against = getattr(each, name)
            numbers = against._asdict() if against is not None else {}
            row |= {f"{name}_{field}": number for field, number in numbers.items()}
        yield row
    for each in found.summaries:
        for depth, nodes in each.curve:
            yield {"part": "depth", "variant": each.variant, "depth": depth, "visited": nodes}
    truths = {case.name: str(case.truth.value) for case in found.cases}
    for answer in found.measurements:
        row = {"part": "answer", **asdict(answer), "truth": truths[answer.case]}
        del row["curve"], row["board"]
        yield {**row, "agreed": answer.case in found.agreed}


def render_html(report: ComparisonReport) -> str:
    """Sections with links to them at the top."""
    boards, found = Boards(), report.found
    warnings = "".join(f"<li>{escape(note)}</li>" for note in report.notes)
    main, notes = _main_table(report)
    sections = {
        main.title: html.table(main) + "".join(map(_paragraph, notes)) + _plot(found),
        "Notes": f'<ul class="warnings part">{warnings}</ul>' if warnings else "",
    }
    if isinstance(found, Comparison):
        sections["Disagreements"] = _disputes(found, boards)
    settings = Table.of("The variants", report.variants, (("variant", "name"), "settings"), 2)
    sections["The variants"] = html.table(settings)
    links = {f"part{at}": title for at, title in enumerate(sections) if sections[title]}
    body = "".join(
        f'<section id="{name}"><h2>{title}</h2>{sections[title]}</section>\n'
        for name, title in links.items()
    )
    names = ", ".join(each.name for each in report.variants)
    return html.page("Comparison", names, boards, body, links)


def _paragraph(words: str) -> str:
    return f'<p class="note">{escape(words)}</p>'


def _plot(found: Comparison | Ladder) -> str:
    """One line for each variant or rung, and nothing if no depth was finished."""
    series: Mapping[str, Sequence[tuple[int, int]]]
    if isinstance(found, Ladder):
        rungs = group_by("name", found.rungs).items()
        series = {name: [(each.depth, each.visited) for each in own] for name, own in rungs}
    else:
        series = {each.variant: each.curve for each in found.summaries if each.curve}
    return (
        f'<div class="beside">{html.line_chart("Nodes by depth", series)}</div>' if series else ""
    )


def _disputes(found: Comparison, boards: Boards) -> str:
    """The boards on which variants disagree: the answers and the truth side by side."""
    answers = group_by("case", found.measurements)
    disputed = [case for case in found.cases if len({one.move for one in answers[case.name]}) > 1]
    if not disputed:
        return _paragraph("All variants give the same answers.")
    disputed.sort(
        key=lambda case: (
            -sum(each.verdict is Verdict.WORSE for each in answers[case.name]),
            -sum(not each.is_best for each in answers[case.name]),
        )
    )
    about = f"Different moves on {len(disputed)} of {counted(len(found.cases), 'board')}."
    if len(disputed) > MOST_CASES:
        about += f" The {MOST_CASES} of them with the most wrong answers are shown."
    cards = "".join(_card(case, answers[case.name], boards) for case in disputed[:MOST_CASES])
    about = _paragraph(f"{about} An outlined square has changed.")
    return f'{about}<div class="cards disputes">{cards}</div>'


def _card(case: Problem, answers: list[Measurement], boards: Boards) -> str:
    """The position, the best move, and each answer with the variants that chose it."""
    truth = case.truth
    (start,) = read_boards(case.game, case.board)
    start = replace(start, note=f"{truth.mover} to move", side=truth.mover)
    figures = [boards.figure("position", start)]
    (best,) = read_boards(case.game, case.best.board)
    title = "best known" if truth.proven is Proven.NONE else "truth"
    note = f"{case.best.name}: {truth.value}"
    figures.append(boards.figure(title, replace(best.since(start), note=note)))
    for same in group_by("move", answers).values():
        more = f" and {len(same) - MOST_NAMES} more" if len(same) > MOST_NAMES else ""
        names = ", ".join(each.variant for each in same[:MOST_NAMES]) + more
        values = " or ".join(dict.fromkeys(each.value for each in same))
        note = f"{same[0].move}: {same[0].worth}; searched value {values}"
        (after,) = read_boards(case.game, same[0].board)
        board = boards.figure(names, replace(after.since(start), note=note))
        figures.append(f"<div>{html.badge(same[0].verdict)}{board}</div>")
    known = {Proven.NONE: "Best by search (estimate):", Proven.RESULT: "Proven result:"}
    words = f"{known.get(truth.proven, 'Proven:')} {truth.value}. Best: {', '.join(truth.best)}."
    return (
        f'<article class="card"><h3>{escape(case.name)}</h3><p>{escape(words)}</p>'
        f'<div class="boards">{"".join(figures)}</div></article>'
    )
